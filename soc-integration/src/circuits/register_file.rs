// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the register map, between a bus and the engine's streams.

use crate::register_map::*;
use hdl::Layout;
use hdl::circuits::search::words::{COUNTER_BITS, CYCLE_BITS, LIMIT_BITS};
use hdl::stream::version_word;
use kit::Circuit;
use kit::{Module, Sig, cat, when};

/// Bits of a register's number: its offset in words.
pub const NUMBER_BITS: usize = WINDOW_BYTES.trailing_zeros() as usize - 2;
/// Bits of a register.
pub const WORD: usize = 32;
/// Byte lanes of a register.
pub const LANES: usize = 4;

kit::record! {
    /// An access: inputs of the register file.
    pub struct AccessPorts {
        /// A register is written.
        write,
        /// Which one: its byte offset / 4.
        write_number,
        /// In these byte lanes.
        write_lanes,
        /// What.
        write_data,
        /// A register is read, data out in the same clock.
        read,
        /// Which one.
        read_number,
        /// Whether its lowest byte is among those asked for: only then a word is taken away.
        read_lane_0,
    }
}

/// Widths of an access.
pub const ACCESS: AccessPorts<usize> = AccessPorts {
    write: 1,
    write_number: NUMBER_BITS,
    write_lanes: LANES,
    write_data: WORD,
    read: 1,
    read_number: NUMBER_BITS,
    read_lane_0: 1,
};

/// Outputs of the search core that registers show.
pub fn shown() -> Vec<&'static str> {
    let mut names = vec!["idle", "cycles", "nodes", "limit", "decided_levels"];
    names.extend(COUNTERS.iter().map(|(port, _)| *port));
    names
}

/// The registers of [`crate::register_map`].
///
/// Ports: `aclk`, `aresetn`; [`AccessPorts`] with `read_data`; the engine's streams with directions turned round, its interrupt as
/// `answer_waits`; the counters; out `interrupt` (level). A read and a write a clock. Reset clears every register and drops the words
/// that have not been taken.
pub fn register_file(layout: &Layout) -> Circuit {
    described(layout).circuit()
}

/// The same for its simulator.
pub fn described(layout: &Layout) -> Module {
    let module = Module::new(
        "register_file",
        "The registers of the register map, between a bus and the engine's streams.\n\
         One read and one write a clock, read data in the same clock; reset clears every register.",
        true,
    );
    let access = ACCESS.inputs(&module);
    let answer = Answer {
        data: module.input("m_axis_data_tdata", WORD),
        valid: module.input("m_axis_data_tvalid", 1),
        last: module.input("m_axis_data_tlast", 1),
        waits: module.input("answer_waits", 1),
    };
    let room = ["control", "data"].map(|stream| module.input(&format!("s_axis_{stream}_tready"), 1));
    let kept = writes(&module, access, &answer, room);
    reads(&module, layout, access, &answer, room, &kept);
    module
}

/// The engine's answers and its interrupt.
struct Answer<'m> {
    data: Sig<'m>,
    valid: Sig<'m>,
    last: Sig<'m>,
    waits: Sig<'m>,
}

/// What registers hold.
struct Kept<'m> {
    scratch: Sig<'m>,
    interrupt_enable: Sig<'m>,
    interrupt: Sig<'m>,
    errors: Sig<'m>,
}

fn number(register: &Register) -> u64 {
    (register.offset / 4).into()
}

fn writes<'m>(
    module: &'m Module,
    access: AccessPorts<Sig<'m>>,
    answer: &Answer<'m>,
    room: [Sig<'m>; 2],
) -> Kept<'m> {
    let lanes = (0..LANES).rev().map(|lane| access.write_lanes.bit(lane).times(WORD / LANES));
    let mask = module.wire("mask", cat(lanes));
    module.comment(
        "Lanes that are not written are zero in a pushed word and stay in a register that keeps its value.",
    );
    let word = module.wire("word", access.write_data & mask);
    let at = |register: &Register| access.write & access.write_number.is(number(register));

    module.comment("No word waits here: the core's own registers hold two of each stream, and a Reset command empties them.");
    let push = |stream: &str, register: &Register, room: Sig<'m>| {
        let push = module.wire(&format!("push_{stream}"), at(register) & access.write_lanes.bit(0));
        module.output(&format!("s_axis_{stream}_tvalid"), push & room);
        module.output(&format!("s_axis_{stream}_tdata"), word);
        module.wire(&format!("{stream}_dropped"), push & !room)
    };
    let control_dropped = push("control", &CONTROL, room[0]);
    let data_dropped = push("data", &DATA_IN, room[1]);

    let scratch = module.control("scratch", WORD, 0);
    module.at_edge([when(at(&SCRATCH), [scratch.set((scratch & !mask) | word)])]);
    let interrupt_enable = module.control("interrupt_enable", 1, 0);
    let enable = INTERRUPT_ENABLE.field("ANSWER").low as usize;
    module.at_edge([when(
        at(&INTERRUPT_ENABLE) & mask.bit(enable),
        [interrupt_enable.set(access.write_data.bit(enable))],
    )]);
    let interrupt = module.output("interrupt", interrupt_enable & answer.waits);

    let take_answer = module
        .wire("take_answer", access.read & access.read_lane_0 & access.read_number.is(number(&DATA_OUT)));
    module.output("m_axis_data_tready", take_answer);
    let empty_read = module.wire("empty_read", take_answer & !answer.valid);
    let mut events = [control_dropped, data_dropped, empty_read]
        .into_iter()
        .zip(["CONTROL_DROPPED", "DATA_DROPPED", "EMPTY_READ"].map(|name| ERRORS.field(name).low))
        .collect::<Vec<_>>();
    events.sort_by_key(|(_, bit)| std::cmp::Reverse(*bit));
    module.comment("An error that comes as its bit is cleared stays.");
    let events = cat(events.into_iter().map(|(event, _)| event));
    let errors = module.control("errors", events.width, 0);
    let cleared = at(&ERRORS).mux(word.bits(0..events.width), 0);
    module.at_edge([errors.set((errors & !cleared) | events)]);
    Kept { scratch, interrupt_enable, interrupt, errors }
}

fn reads<'m>(
    module: &'m Module,
    layout: &Layout,
    access: AccessPorts<Sig<'m>>,
    answer: &Answer<'m>,
    room: [Sig<'m>; 2],
    kept: &Kept<'m>,
) {
    let config = &layout.config;
    let constant = |value: u64| module.constant(WORD, value);
    // A register of single bits, the others zero.
    let flags = |register: &Register, bits: &[(&str, Sig<'m>)]| {
        let bit = |place: u32| bits.iter().find(|(name, _)| register.field(name).low == place);
        let all =
            (0..WORD as u32).rev().map(|place| bit(place).map_or(module.constant(1, 0), |(_, bit)| *bit));
        cat(all)
    };
    let configuration = [
        ("COLUMNS", config.columns),
        ("ROWS", config.rows),
        ("IN_A_ROW", config.in_a_row),
        ("LEVELS", config.levels),
    ]
    .iter()
    .fold(0, |word, (name, value)| word | (*value as u64) << CONFIGURATION.field(name).low);
    let idle = module.input("idle", 1);
    let cycles = module.input("cycles", CYCLE_BITS);
    let nodes = module.input("nodes", COUNTER_BITS * layout.max_path);
    let limit = module.input("limit", LIMIT_BITS);
    let decided_levels = module.input("decided_levels", layout.level_bits);
    module.comment("The high word of the cycles, as it was when the low word was read.");
    let cycles_high = module.control("cycles_high", WORD, 0);
    let low_read = access.read & access.read_number.is(number(&CYCLES_LOW));
    module.at_edge([when(low_read, [cycles_high.set(cycles.bits(WORD..CYCLE_BITS))])]);
    let status = [
        ("ANSWER", answer.valid),
        ("LAST", answer.valid & answer.last),
        ("CONTROL_ROOM", room[0]),
        ("DATA_ROOM", room[1]),
        ("BUSY", !idle),
        ("ERROR", kept.errors.any()),
    ];
    let mut words = vec![
        (number(&ID), constant(hdl::stream::IDENTITY.into())),
        (number(&VERSION), constant(version_word().into())),
        (number(&CONFIGURATION), constant(configuration)),
        (number(&SCRATCH), kept.scratch),
        (number(&DATA_OUT), answer.valid.mux(answer.data, u64::from(EMPTY))),
        (number(&STATUS), flags(&STATUS, &status)),
        (number(&ERRORS), kept.errors.zero_extend(WORD)),
        (number(&INTERRUPT_ENABLE), flags(&INTERRUPT_ENABLE, &[("ANSWER", kept.interrupt_enable)])),
        (number(&INTERRUPT_STATUS), flags(&INTERRUPT_STATUS, &[("ANSWER", kept.interrupt)])),
        (number(&CYCLES_LOW), cycles.bits(0..WORD)),
        (number(&CYCLES_HIGH), cycles_high),
        (number(&LIMIT), limit.zero_extend(WORD)),
        (number(&DECIDED_LEVELS), decided_levels.zero_extend(WORD)),
    ];
    for (port, register) in COUNTERS {
        words.push((number(&register), module.input(port, COUNTER_BITS).zero_extend(WORD)));
    }
    for ply in 0..layout.max_path {
        let counter = nodes.bits(ply * COUNTER_BITS..(ply + 1) * COUNTER_BITS);
        words.push((number(&NODES) + ply as u64, counter.zero_extend(WORD)));
    }
    let read_data = module.table("read_data", access.read_number, words, 0);
    module.output("read_data", read_data);
}
