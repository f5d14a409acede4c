// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register file alone, in the kit's simulator: what only happens when a read and a write fall into one clock, or a counter is
//! long.
#![allow(missing_docs)]

use engine_model::named::named;
use hdl::Layout;
use kit::Simulator;
use soc_integration::circuits::register_file::described;
use soc_integration::register_map::*;

/// The register file in its simulator.
struct Unit(Simulator);

impl Unit {
    fn set(&mut self, name: &str, value: u32) {
        self.set_words(name, &[value]);
    }

    fn set_words(&mut self, name: &str, words: &[u32]) {
        let pairs: Vec<u64> = words
            .chunks(2)
            .map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32)
            .collect();
        assert!(self.0.set(name, &pairs), "no input {name}");
    }

    fn get(&mut self, name: &str) -> u32 {
        self.0.get(name).unwrap_or_else(|| panic!("no signal {name}")).low() as u32
    }
}

/// Register file with a core that takes every word and has no answer.
fn unit() -> Unit {
    let mut unit = Unit(described(&Layout::new(&named("gomoku7").unwrap())).simulator().unwrap());
    unit.set("aresetn", 0);
    unit.0.tick();
    unit.set("aresetn", 1);
    unit.set("s_axis_control_tready", 1);
    unit.set("s_axis_data_tready", 1);
    unit.set("idle", 1);
    unit
}

fn begin_read(unit: &mut Unit, offset: u32) {
    unit.set("read", 1);
    unit.set("read_lane_0", 1);
    unit.set("read_number", offset / 4);
}

fn begin_write(unit: &mut Unit, offset: u32, lanes: u32, value: u32) {
    unit.set("write", 1);
    unit.set("write_number", offset / 4);
    unit.set("write_lanes", lanes);
    unit.set("write_data", value);
}

/// One clock of what has begun; what a read showed.
fn end(unit: &mut Unit) -> u32 {
    let read = unit.get("read_data");
    unit.0.tick();
    unit.set("read", 0);
    unit.set("write", 0);
    read
}

fn read(unit: &mut Unit, offset: u32) -> u32 {
    begin_read(unit, offset);
    end(unit)
}

fn write(unit: &mut Unit, offset: u32, lanes: u32, value: u32) {
    begin_write(unit, offset, lanes, value);
    end(unit);
}

#[test]
fn reading_the_low_word_of_the_cycles_holds_the_high_one() {
    let mut unit = unit();
    unit.set_words("cycles", &[5, 9]);
    assert_eq!(read(&mut unit, CYCLES_HIGH.offset), 0);
    assert_eq!(read(&mut unit, CYCLES_LOW.offset), 5);
    unit.set_words("cycles", &[6, 10]);
    assert_eq!(read(&mut unit, CYCLES_HIGH.offset), 9);
    assert_eq!(read(&mut unit, CYCLES_LOW.offset), 6);
    assert_eq!(read(&mut unit, CYCLES_HIGH.offset), 10);
}

#[test]
fn an_error_that_comes_as_it_is_cleared_stays() {
    let mut unit = unit();
    let empty = ERRORS.mask("EMPTY_READ");
    for (clears, left) in [(empty, empty), (0, empty)] {
        begin_read(&mut unit, DATA_OUT.offset);
        begin_write(&mut unit, ERRORS.offset, 15, clears);
        assert_eq!(end(&mut unit), EMPTY);
        assert_eq!(read(&mut unit, ERRORS.offset), left);
    }
    write(&mut unit, ERRORS.offset, 15, empty);
    assert_eq!(read(&mut unit, ERRORS.offset), 0);
}

#[test]
fn upper_lanes_neither_clear_nor_enable_nor_push() {
    let mut unit = unit();
    read(&mut unit, DATA_OUT.offset);
    for register in [ERRORS, INTERRUPT_ENABLE, CONTROL, DATA_IN] {
        begin_write(&mut unit, register.offset, 14, u32::MAX);
        assert_eq!(
            unit.get("s_axis_control_tvalid") | unit.get("s_axis_data_tvalid"),
            0,
            "{}",
            register.name
        );
        end(&mut unit);
    }
    assert_eq!(read(&mut unit, ERRORS.offset), ERRORS.mask("EMPTY_READ"));
    assert_eq!(read(&mut unit, INTERRUPT_ENABLE.offset), 0);
    write(&mut unit, INTERRUPT_ENABLE.offset, 1, u32::MAX);
    assert_eq!(read(&mut unit, INTERRUPT_ENABLE.offset), INTERRUPT_ENABLE.mask("ANSWER"));
}

#[test]
fn a_push_is_offered_in_its_clock_and_dropped_without_room() {
    let mut unit = unit();
    for (register, stream, error) in
        [(CONTROL, "control", "CONTROL_DROPPED"), (DATA_IN, "data", "DATA_DROPPED")]
    {
        for ready in [1, 0] {
            unit.set(&format!("s_axis_{stream}_tready"), ready);
            begin_write(&mut unit, register.offset, 3, 0xdead_beef);
            assert_eq!(unit.get(&format!("s_axis_{stream}_tvalid")), ready);
            assert_eq!(unit.get(&format!("s_axis_{stream}_tdata")), 0xbeef);
            end(&mut unit);
            let dropped = if ready == 1 { 0 } else { ERRORS.mask(error) };
            assert_eq!(read(&mut unit, ERRORS.offset), dropped);
        }
        write(&mut unit, ERRORS.offset, 1, u32::MAX);
    }
}
