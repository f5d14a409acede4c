// SPDX-License-Identifier: MIT OR Apache-2.0
//! Input register, root board and level controller alone, in Verilator: the test plays their surroundings from the
//! model.
#![allow(missing_docs)]

use cosim::axis::{Beat, Monitor, Sink, Source};
use cosim::trace::bits;
use engine_model::evaluation::{Outcome, Remaining, evaluate, ordered_moves};
use engine_model::search::{NodePlace, Search};
use engine_model::{Cell, Position};
use hdl::circuits::axis_register::AxisRegister;
use hdl::circuits::level_controller::BoundCode;
use hdl::layout::PassKind;
use rtl_tests::stimulus::{Unit, layout_of, owner_is, packed, random_position, result_of};
use std::collections::VecDeque;

#[test]
fn axis_register_keeps_order_and_loses_nothing() {
    let mut unit = Unit::new("axis_register_alone", 1);
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
        unit.dut.settle();
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
    let mut uut = AxisRegister::default();
    uut.connect_all();
    let mut rng = fastrand::Rng::with_seed(2);
    let (mut source, mut sink) = (Source::new(0.3), Sink::new(0.4));
    (0..300).for_each(|word| source.push(word));
    let mut expected = 0u64;
    let settle = |uut: &mut AxisRegister| assert!(simulate(uut, 20), "the register settles");
    for clock in 0..5000 {
        uut.aresetn.next = clock > 2;
        let (valid, data) = if clock > 2 { source.drive(&mut rng) } else { (false, 0) };
        uut.s_tvalid.next = valid;
        uut.s_tdata.next = u64::from(data).into();
        uut.m_tready.next = sink.drive(&mut rng);
        uut.aclk.next = false.into();
        settle(&mut uut);
        let s_ready = uut.s_tready.val();
        if clock > 2 {
            if uut.m_tvalid.val() && uut.m_tready.val() {
                assert_eq!(uut.m_tdata.val(), rust_hdl::prelude::Bits::<32>::from(expected));
                expected += 1;
            }
            source.clocked(s_ready);
        }
        uut.aclk.next = true.into();
        settle(&mut uut);
    }
    assert_eq!(expected, 300);
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
        unit.dut.settle();
        assert_eq!(unit.get("query_occupied") == 1, !position.is_empty(cell));
    }
}

/// What the surroundings of a level controller owe it.
enum Due {
    Order(Vec<u32>),
    Child(i32),
}

#[test]
fn level_controller_returns_the_nodes_value() {
    let (tables, layout) = layout_of("level_controller");
    let config = tables.config.clone();
    let mut unit = Unit::new("level_controller", 4);
    let mut rng = fastrand::Rng::with_seed(4);
    let levels = config.levels;
    let mask = (1u32 << layout.value_bits) - 1;
    let sign = |value: u32| {
        let shift = 32 - layout.value_bits;
        ((value << shift) as i32) >> shift
    };
    let (mut exact, mut lower, mut upper, mut bounded, mut singles) = (0, 0, 0, 0, 0);
    for _ in 0..3000 {
        let stones = rng.usize(1..layout.cells);
        let mut position = random_position(&tables, &mut rng, stones);
        let level = rng.usize(1..=levels);
        let remaining = Remaining { depth: levels + 1 - level, extensions: rng.usize(0..=1) };
        let evaluation = evaluate(&position, remaining);
        // A forced node without extensions is a level with one move.
        let single = evaluation.outcome == Outcome::Forced && remaining.extensions == 0;
        if evaluation.outcome != Outcome::Open && !single {
            continue;
        }
        singles += usize::from(single);
        let place = NodePlace { ply: level - 1, remaining };
        let node_value = Search::new(&mut position, levels).exact_value(place);
        let infinity = tables.scoring.win_score - 1;
        let (alpha, beta) = match rng.u32(0..3) {
            0 => (-infinity, infinity),
            1 => (node_value - rng.i32(0..20), node_value + rng.i32(1..20)),
            _ => {
                let alpha = node_value + rng.i32(-30..30);
                (alpha, alpha + rng.i32(1..10))
            }
        };
        let (alpha, beta) = (alpha.max(-infinity), beta.min(infinity));
        if alpha >= beta {
            continue;
        }
        let path: Vec<Cell> = (0..level as Cell - 1).collect();
        let path_value =
            path.iter().enumerate().fold(0, |v, (i, &c)| v | i64::from(c) << (i * layout.cell_bits));
        let start_tag = packed(
            &layout.tag,
            &[
                ("path", path_value),
                ("length", path.len() as i64),
                ("potential", evaluation.potential.into()),
                ("extensions", remaining.extensions as i64),
                ("negate", 1),
            ],
        );
        unit.set("level", level as u32);
        unit.set("levels", levels as u32);
        unit.set("beam", config.beam_at(level - 1) as u32);
        unit.set_words("start_tag", &start_tag);
        unit.set_words("start_result", &result_of(&layout, &position, remaining));
        unit.set("start_alpha", alpha as u32 & mask);
        unit.set("start_beta", beta as u32 & mask);
        unit.set("start_single", single.into());
        unit.set("start", 1);
        unit.tick();
        unit.set("start", 0);

        let mut due: VecDeque<(u32, Due)> = VecDeque::new();
        let mut children = 0;
        for clock in 0.. {
            assert!(clock < 20_000, "the controller never returns");
            unit.set("request_ready", u32::from(rng.u32(0..4) > 0));
            unit.set("order_valid", 0);
            unit.set("child_valid", 0);
            if due.front().is_some_and(|(at, _)| *at <= clock) {
                match due.pop_front().unwrap().1 {
                    Due::Order(result) => {
                        unit.set_words("result", &result);
                        unit.set("order_valid", 1);
                    }
                    Due::Child(value) => {
                        unit.set("child_value", value as u32 & mask);
                        unit.set("child_valid", 1);
                    }
                }
            }
            unit.dut.settle();
            if unit.get("done") == 1 {
                break;
            }
            if unit.get("request") == 1 && unit.get("request_ready") == 1 {
                let tag = unit.words("request_tag");
                let field = |name: &str| {
                    let field = layout.tag.field(name);
                    bits(&tag, field.offset, field.width)
                };
                assert_eq!(field("level") as usize, level);
                let kind = PassKind::from_code(field("kind"));
                let at = clock + 2 + rng.u32(0..12);
                if kind == PassKind::Node {
                    let slot = layout.tag.field("path").offset + path.len() * layout.cell_bits;
                    let cell = bits(&tag, slot, layout.cell_bits) as Cell;
                    assert_eq!(field("length") as usize, path.len() + 1);
                    assert_eq!(field("depth_zero") == 1, level == levels);
                    children += 1;
                    position.play(cell).unwrap();
                    let below = Remaining { depth: remaining.depth - 1, ..remaining };
                    let child = NodePlace { ply: place.ply + 1, remaining: below };
                    let value = -Search::new(&mut position, levels).exact_value(child);
                    position.undo();
                    due.push_back((at, Due::Child(value)));
                } else {
                    let tried = unit.words("tried");
                    let is_tried = |c: Cell| tried[c as usize / 32] >> (c % 32) & 1 == 1;
                    let next = ordered_moves(&position)
                        .into_iter()
                        .find(|m| !is_tried(m.cell) && (kind == PassKind::Order || m.makes_four));
                    let result = packed(
                        &layout.result,
                        &[
                            ("found", next.is_some().into()),
                            ("cell", next.map_or(0, |m| m.cell.into())),
                            ("gain", next.map_or(0, |m| m.gain.into())),
                            ("makes_four", next.is_some_and(|m| m.makes_four).into()),
                        ],
                    );
                    due.push_back((at, Due::Order(result)));
                }
            }
            unit.tick();
        }
        let value = sign(unit.get("done_value"));
        let bound = unit.field("returned", layout.returned.field("bound")) as u8;
        if bound == BoundCode::Exact as u8 {
            exact += 1;
            assert_eq!(value, node_value);
            let best = unit.get("done_move") as Cell;
            position.play(best).unwrap();
            let below = Remaining { depth: remaining.depth - 1, ..remaining };
            let child = NodePlace { ply: place.ply + 1, remaining: below };
            assert_eq!(-Search::new(&mut position, levels).exact_value(child), value);
            position.undo();
        } else if bound == BoundCode::Upper as u8 {
            upper += 1;
            assert!(node_value <= value && value == alpha);
        } else {
            lower += 1;
            assert!(node_value >= value && value >= beta);
        }
        assert_eq!(unit.get("done_negate"), 1);
        let beam = config.beam_at(level - 1);
        let all = ordered_moves(&position).len();
        bounded += usize::from(children < if beam > 0 { all.min(beam) } else { all });
        // The return takes a clock; what was still due belongs to the past.
        unit.set("order_valid", 0);
        unit.set("child_valid", 0);
        unit.tick();
        unit.dut.settle();
        assert_eq!(unit.get("done") | unit.get("request"), 0);
    }
    assert!(singles > 40, "{singles}");
    assert!(exact > 40 && lower > 40 && upper > 20 && bounded > 40, "{exact} {lower} {upper} {bounded}");
}
