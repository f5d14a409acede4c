// SPDX-License-Identifier: MIT OR Apache-2.0
//! Input register, request queue and root board alone, in Verilator: the test plays their surroundings.
#![allow(missing_docs)]

use cosim::axis::{Beat, Monitor, Sink, Source};
use engine_model::{Cell, Position};
use hdl::circuits::face::axis_register::axis_register;
use hdl::circuits::search::request_queue::DEPTH;
use kit::Circuit;
use rtl_tests::stimulus::{Unit, layout_of, owner_is};
use std::collections::VecDeque;

#[test]
fn axis_register_keeps_order_and_loses_nothing() {
    let mut unit = Unit::new("axis_register", 1);
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut source, mut sink, mut monitor) = (Source::new(0.3), Sink::new(0.4), Monitor::default());
    (0..2000).for_each(|word| source.push(word));
    let (mut taken, mut flushed) = (VecDeque::new(), 0);
    let mut received = 0;
    while received + flushed < 2000 {
        let (valid, data) = source.drive(&mut rng);
        let ready = sink.drive(&mut rng);
        let flush = rng.u32(0..200) == 0;
        unit.set("s_tvalid", valid.into());
        unit.set("s_tdata", data);
        // What is flushed is not offered to the sink in the same clock.
        let ready = ready && !flush;
        unit.set("m_tready", ready.into());
        unit.set("flush", flush.into());
        let s_ready = unit.get("s_tready") == 1;
        let beat = Beat { data: unit.get("m_tdata"), last: false };
        let m_valid = unit.get("m_tvalid") == 1;
        if flush {
            monitor = Monitor::default();
        } else {
            monitor.clocked(true, m_valid, ready, beat).unwrap();
        }
        if valid && s_ready {
            taken.push_back(data);
        }
        if m_valid && ready {
            assert_eq!(Some(beat.data), taken.pop_front());
            received += 1;
        }
        if flush {
            flushed += taken.len();
            taken.clear();
        }
        source.clocked(s_ready);
        unit.tick();
    }
    assert!(flushed > 0 && taken.is_empty());
}

#[test]
fn axis_register_in_rust_hdls_own_simulator() {
    use rust_hdl::prelude::{Block, simulate};
    let mut block = axis_register();
    block.connect_all();
    let mut rng = fastrand::Rng::with_seed(2);
    let (mut source, mut sink) = (Source::new(0.3), Sink::new(0.4));
    (0..300).for_each(|word| source.push(word));
    let mut expected = 0;
    let set =
        |block: &mut Circuit, port: &str, value: u64| assert!(block.set(port, &[value]), "no input {port}");
    let settle = |block: &mut Circuit| assert!(simulate(block, 20), "the register settles");
    for clock in 0..5000 {
        let runs = clock > 2;
        set(&mut block, "aresetn", runs.into());
        let (valid, data) = if runs { source.drive(&mut rng) } else { (false, 0) };
        let ready = sink.drive(&mut rng);
        for (port, value) in
            [("s_tvalid", valid.into()), ("s_tdata", data.into()), ("m_tready", ready.into()), ("flush", 0)]
        {
            set(&mut block, port, value);
        }
        set(&mut block, "aclk", 0);
        settle(&mut block);
        let mut get = |port: &str| block.get(port).map(|value| value.low());
        if runs {
            if get("m_tvalid") == Some(1) && ready {
                assert_eq!(get("m_tdata"), Some(expected));
                expected += 1;
            }
            source.clocked(get("s_tready") == Some(1));
        }
        set(&mut block, "aclk", 1);
        settle(&mut block);
    }
    assert_eq!(expected, 300);
}

#[test]
fn a_visit_takes_the_deepest_offer_that_is_due() {
    let mut unit = Unit::new("visit_choice", 1);
    let mut reserves = Unit::new("visit_reserves", 1);
    let levels = unit.layout.config.levels;
    let widths = [("offer", levels), ("due", levels), ("few", 1), ("may", 1)];
    let below = ["needs", "claimed", "free_any", "free_both"].map(|port| (port, levels - 1));
    let ports: Vec<(&str, usize)> = widths.into_iter().chain(below).collect();
    let bits: usize = ports.iter().map(|(_, width)| width).sum();
    for input in 0..1u32 << bits {
        let mut rest = input;
        let mut values = Vec::new();
        for &(port, width) in &ports {
            values.push(rest & ((1 << width) - 1));
            unit.set(port, values[values.len() - 1]);
            reserves.set(port, values[values.len() - 1]);
            rest >>= width;
        }
        unit.tick();
        reserves.tick();
        let [offer, due, few, may, needs, claimed, any, both] =
            values[..].try_into().expect("a value for each port");
        let set = |word: u32, level: usize| word >> level & 1 == 1;
        let has_room = |level: usize| {
            let free = if set(claimed, level) { set(both, level) } else { set(any, level) };
            level + 1 == levels || !set(needs, level) || free
        };
        let offered = |level: &usize| set(offer, *level) && has_room(*level);
        let due_one = (0..levels).rev().find(|level| offered(level) && set(due, *level));
        let ahead = (0..levels).rev().find(offered).filter(|_| few == 1);
        let expected = due_one.or(ahead).filter(|_| may == 1).map_or(0, |level| 1 << level);
        assert_eq!(unit.get("take"), expected, "{values:?}");
        assert_eq!(reserves.get("reserve"), expected & needs, "{values:?}");
    }
}

#[test]
fn request_queue_keeps_order_and_loses_nothing() {
    let mut unit = Unit::new("request_queue", 4);
    let mut rng = fastrand::Rng::with_seed(4);
    let mut waiting = VecDeque::new();
    let (mut number, mut full) = (0u32, 0);
    for round in 0..20_000 {
        // Busy and idle stretches, so that it fills and empties.
        let eager = if round / 50 % 2 == 0 { 8 } else { 3 };
        let push = waiting.len() < DEPTH && rng.u32(0..10) < eager;
        let clear = rng.u32(0..400) == 0;
        assert_eq!(unit.get("out_valid") == 1, !waiting.is_empty());
        if let Some(&(data, above)) = waiting.front() {
            assert_eq!(unit.words("out_data"), [data, above]);
        }
        let pop = !waiting.is_empty() && rng.u32(0..10) < 5;
        number = number.wrapping_mul(0x9E37_79B9).wrapping_add(1);
        let above = number >> 24;
        unit.set("push", push.into());
        unit.set("pop", pop.into());
        unit.set("clear", clear.into());
        unit.set_words("in_data", &[number, above]);
        unit.tick();
        if pop {
            waiting.pop_front();
        }
        if push {
            waiting.push_back((number, above));
        }
        if clear {
            waiting.clear();
        }
        full += usize::from(waiting.len() == DEPTH);
    }
    assert!(full > 500, "{full}");
}

#[test]
fn root_board_follows_the_game() {
    let (tables, layout) = layout_of("root_board");
    let mut unit = Unit::new("root_board", 3);
    let mut rng = fastrand::Rng::with_seed(3);
    let mut position = Position::new(&tables);
    for _ in 0..5000 {
        let open: Vec<Cell> = (0..layout.cells as Cell).filter(|&c| position.is_empty(c)).collect();
        let (mut place, mut remove, mut clear) = (false, false, false);
        match rng.u32(0..100) {
            0 => {
                clear = true;
                position = Position::new(&tables);
            }
            1..40 if position.stones() > 0 => {
                remove = true;
                unit.set("square", unit.get("last_cell"));
                assert_eq!(position.undo(), Some(unit.get("last_cell") as Cell));
            }
            40..99 if !open.is_empty() && !position.is_over() => {
                place = true;
                let cell = open[rng.usize(0..open.len())];
                unit.set("square", cell.into());
                position.play(cell).unwrap();
            }
            _ => {}
        }
        unit.set("place", place.into());
        unit.set("remove", remove.into());
        unit.set("clear", clear.into());
        unit.tick();
        ["place", "remove", "clear"].iter().for_each(|port| unit.set(port, 0));
        // last_cell follows one clock later.
        unit.tick();
        let side = position.side_to_move();
        unit.expect_plane("first", owner_is(&position, 0), &position);
        unit.expect_plane("second", owner_is(&position, 1), &position);
        unit.expect_plane("root_own", owner_is(&position, side), &position);
        unit.expect_plane("root_other", owner_is(&position, 1 - side), &position);
        assert_eq!(unit.get("stones") as usize, position.stones());
        let cell = rng.usize(0..layout.cells) as Cell;
        unit.set("query_cell", cell.into());
        unit.tick();
        assert_eq!(unit.get("query_occupied") == 1, !position.is_empty(cell));
    }
}
