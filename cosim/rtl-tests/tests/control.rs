// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every control circuit alone, in Verilator: the test plays its surroundings from the model.
#![allow(missing_docs)]

use cosim::axis::{Beat, Monitor, Sink, Source};
use cosim::bench::Answer;
use cosim::face_model::{Expected, FaceModel};
use cosim::trace::bits;
use engine_model::evaluation::{Outcome, Remaining, evaluate, ordered_moves};
use engine_model::position::Tables;
use engine_model::search::{NodePlace, Search};
use engine_model::{Cell, Position};
use hdl::Layout;
use hdl::circuits::axis_register::AxisRegister;
use hdl::circuits::game_controller::{Operation, Over};
use hdl::circuits::level_controller::BoundCode;
use hdl::layout::{Packed, PassKind};
use hdl::stream::Command;
use rtl_tests::stimulus::{Unit, random_position};
use rtl_tests::{config_of, model};
use std::collections::VecDeque;
use std::sync::Arc;

fn layout_of(name: &str) -> (Arc<Tables>, Layout) {
    let config = config_of(model(name));
    (Tables::new(&config), Layout::new(&config))
}

/// Words of a packed vector from its fields; missing ones are 0.
fn packed(layout: &Packed, fields: &[(&str, i64)]) -> Vec<u32> {
    let mut words = vec![0u32; layout.width().div_ceil(32)];
    for (name, value) in fields {
        let field = layout.field(name);
        for i in (0..field.width.min(64)).filter(|i| value >> i & 1 == 1) {
            words[(field.offset + i) / 32] |= 1 << ((field.offset + i) % 32);
        }
    }
    words
}

fn result_of(layout: &Layout, position: &Position, remaining: Remaining) -> Vec<u32> {
    let evaluation = evaluate(position, remaining);
    let best = evaluation.best;
    packed(
        &layout.result,
        &[
            ("outcome", evaluation.outcome as i64),
            ("found", best.is_some().into()),
            ("cell", best.map_or(0, |b| b.cell.into())),
            ("gain", best.map_or(0, |b| b.gain.into())),
            ("makes_four", best.is_some_and(|b| b.makes_four).into()),
            ("one_empty", (position.stones() + 1 == layout.cells).into()),
            ("leaf_value", evaluation.leaf_value.into()),
        ],
    )
}

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
        let owned = |side: usize| {
            let position = &position;
            move |c: Cell| position.owner(c) == Some(side)
        };
        unit.expect_plane("first", owned(0), &position);
        unit.expect_plane("second", owned(1), &position);
        unit.expect_plane("root_own", owned(side), &position);
        unit.expect_plane("root_other", owned(1 - side), &position);
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

#[test]
fn game_controller_plays_and_decides() {
    let (tables, layout) = layout_of("game_controller");
    let levels = tables.config.levels;
    let extensions = tables.config.extensions;
    let mut unit = Unit::new("game_controller", 5);
    let mut rng = fastrand::Rng::with_seed(5);
    let mask = (1u32 << layout.value_bits) - 1;
    let mut position = Position::new(&tables);
    let remaining = Remaining { depth: levels, extensions };
    let (mut searches, mut aborts) = (0, 0);
    for _ in 0..6000 {
        let before = position.clone();
        let open: Vec<Cell> = (0..layout.cells as Cell).filter(|&c| position.is_empty(c)).collect();
        let (operation, cell) = match rng.u32(0..10) {
            0..3 if position.stones() > 0 => (Operation::TakeBack, 0),
            3..7 if !position.is_over() => (Operation::Place, open[rng.usize(0..open.len())]),
            _ if !position.is_over() => (Operation::Search, 0),
            _ => (Operation::TakeBack, 0),
        };
        let decision = Search::new(&mut position, levels).decide();
        let abort_at = (operation == Operation::Search && rng.u32(0..4) == 0).then(|| rng.u32(0..12));
        unit.set("operation", 1);
        unit.set("operation_code", operation as u32);
        unit.set("operation_cell", cell.into());
        let mut due: VecDeque<(u32, Vec<u32>)> = VecDeque::new();
        let mut search_ends = None;
        let mut ended = false;
        for clock in 0.. {
            assert!(clock < 500, "the operation never ends");
            unit.set("last_cell", position.moves().last().copied().unwrap_or(0).into());
            unit.set("request_ready", u32::from(rng.bool()));
            unit.set("abort_search", u32::from(abort_at == Some(clock)));
            unit.set("result_valid", 0);
            unit.set("child_valid", 0);
            if due.front().is_some_and(|(at, _)| *at <= clock) {
                let (_, result) = due.pop_front().unwrap();
                unit.set_words("result", &result);
                unit.set("result_valid", 1);
            }
            if search_ends == Some(clock) {
                let decision = decision.unwrap();
                unit.set("child_valid", 1);
                unit.set("child_value", decision.score as u32 & mask);
                unit.set("child_move", decision.cell.into());
            }
            unit.dut.settle();
            if unit.get("request") == 1 && unit.get("request_ready") == 1 {
                let tag = unit.words("request_tag");
                let field = |name: &str| {
                    let field = layout.tag.field(name);
                    bits(&tag, field.offset, field.width)
                };
                let potential = {
                    let field = layout.tag.field("potential");
                    cosim::trace::signed(&tag, field.offset, field.width)
                };
                match (PassKind::from_code(field("kind")), field("length")) {
                    (PassKind::Probe, _) => {
                        let exclude = unit.words("exclude");
                        let asked: Vec<Cell> = (0..layout.cells as Cell)
                            .filter(|&c| exclude[c as usize / 32] >> (c % 32) & 1 == 0)
                            .collect();
                        assert_eq!(asked.len(), 1);
                        let gain = position.gain(position.side_to_move(), asked[0]);
                        let result = [("found", 1), ("cell", asked[0].into()), ("gain", gain.into())];
                        due.push_back((clock + 1 + rng.u32(0..9), packed(&layout.result, &result)));
                    }
                    (_, 0) => {
                        assert_eq!(potential, position.potential(), "{:?}", position.moves());
                        let result = result_of(&layout, &position, remaining);
                        due.push_back((clock + 1 + rng.u32(0..9), result));
                    }
                    // A forced reply with an extension: the node after it.
                    (_, _) => {
                        let reply = evaluate(&position, remaining).best.unwrap().cell;
                        assert_eq!(bits(&tag, 0, layout.cell_bits) as Cell, reply);
                        assert_eq!(field("extensions") as usize, extensions - 1);
                        search_ends = Some(clock + 1 + rng.u32(0..20));
                    }
                }
            }
            if unit.get("start") == 1 {
                search_ends = Some(clock + 1 + rng.u32(0..20));
            }
            if unit.get("remove") == 1 {
                assert_eq!(position.undo(), Some(unit.get("square") as Cell));
            }
            if unit.get("place") == 1 {
                position.play(unit.get("square") as Cell).unwrap();
            }
            let (done, aborted) = (unit.get("operation_done") == 1, unit.get("operation_aborted") == 1);
            ended = done;
            unit.tick();
            unit.set("operation", 0);
            if done || aborted {
                break;
            }
        }
        unit.set("abort_search", 0);
        unit.set("result_valid", 0);
        unit.set("child_valid", 0);
        unit.dut.settle();
        let mut expected = before;
        match operation {
            Operation::Place => expected.play(cell).unwrap(),
            Operation::TakeBack => drop(expected.undo()),
            Operation::Search if ended => {
                searches += 1;
                let decision = decision.unwrap();
                assert_eq!(unit.get("decided_cell"), u32::from(decision.cell));
                assert_eq!(unit.get("score"), decision.score as u32 & mask, "{:?}", expected.moves());
                expected.play(decision.cell).unwrap();
            }
            Operation::Search => aborts += 1,
        }
        assert_eq!(position.moves(), expected.moves());
        let over = match (position.winner(), position.is_full()) {
            (Some(_), _) => Over::Line,
            (None, true) => Over::Full,
            _ => Over::No,
        };
        assert_eq!(unit.get("over"), over as u32);
        assert_eq!(unit.get("idle"), 1);
    }
    assert!(searches > 100 && aborts > 20, "{searches} {aborts}");
}

#[test]
fn command_face_answers_by_the_book() {
    let (tables, layout) = layout_of("command_face");
    let config = tables.config.clone();
    let mut unit = Unit::new("command_face", 6);
    let mut rng = fastrand::Rng::with_seed(6);
    let mask = (1u32 << layout.value_bits) - 1;
    let mut face = FaceModel::new(&config);
    let (mut control, mut data) = (Source::new(0.2), Source::new(0.2));
    let (mut sink, mut monitor) = (Sink::new(0.3), Monitor::default());
    // The core the face believes to talk to: it changes when an operation ends.
    let mut core = Position::new(&tables);
    let mut score = 0;
    let mut running: Option<u32> = None;
    for _ in 0..1500 {
        let word = match rng.u32(0..20) {
            0 => Command::Reset as u32,
            1 => rng.u32(..),
            2 => 8 + rng.u32(0..300),
            // Abort is tested on the whole engine (cosim/tests/protocol.rs): here nothing would answer it.
            _ => rng.u32(1..7),
        };
        let count = u8::try_from(word).ok().and_then(Command::from_code).map_or(0, Command::arguments);
        let near = |rng: &mut fastrand::Rng, side: usize| match rng.u32(0..12) {
            0 => side as u32,
            1 => rng.u32(..),
            _ => rng.u32(0..side as u32),
        };
        let arguments: Vec<u32> = match count {
            2 => vec![near(&mut rng, config.columns), near(&mut rng, config.rows)],
            1 if word == Command::Read as u32 => vec![rng.u32(0..75)],
            _ => (0..count).map(|_| rng.u32(0..6)).collect(),
        };
        let predicted = face.apply(word, &arguments);
        control.push(word);
        arguments.iter().for_each(|&word| data.push(word));
        let decision = predicted.decision;
        for clock in 0.. {
            assert!(clock < 1000, "no answer to {word} {arguments:?}");
            let silent = predicted.answer == Expected::Nothing && clock > 30;
            if sink.len() == 2 || silent {
                break;
            }
            let (valid, word) = control.drive(&mut rng);
            unit.set("s_axis_control_tvalid", valid.into());
            unit.set("s_axis_control_tdata", word);
            let (valid, word) = data.drive(&mut rng);
            unit.set("s_axis_data_tvalid", valid.into());
            unit.set("s_axis_data_tdata", word);
            let ready = sink.drive(&mut rng);
            unit.set("m_axis_data_tready", ready.into());
            unit.set("idle", running.is_none().into());
            let over = match (core.winner(), core.is_full()) {
                (Some(_), _) => 1,
                (None, true) => 2,
                _ => 0,
            };
            unit.set("over", over);
            unit.set("stones", core.stones() as u32);
            unit.set("last_cell", core.moves().last().copied().unwrap_or(0).into());
            unit.set("score", score & mask);
            unit.set("decided_cell", core.moves().last().copied().unwrap_or(0).into());
            unit.set_plane("first", |c| core.owner(c) == Some(0));
            unit.set_plane("second", |c| core.owner(c) == Some(1));
            unit.set("operation_done", u32::from(running == Some(0)));
            unit.dut.settle();
            let asked = unit.get("query_cell") as Cell;
            let occupied = (asked as usize) < layout.cells && !core.is_empty(asked);
            unit.set("query_occupied", occupied.into());
            unit.dut.settle();
            let beat = Beat { data: unit.get("m_axis_data_tdata"), last: unit.get("m_axis_data_tlast") == 1 };
            let m_valid = unit.get("m_axis_data_tvalid") == 1;
            monitor.clocked(true, m_valid, ready, beat).unwrap();
            sink.clocked(m_valid, beat);
            control.clocked(unit.get("s_axis_control_tready") == 1);
            data.clocked(unit.get("s_axis_data_tready") == 1);
            running = match running {
                Some(0) => None,
                Some(left) => {
                    if left == 1 {
                        // Everything the operation changes is there when it is reported done.
                        match unit.get("operation_code") {
                            code if code == Operation::Place as u32 => {
                                core.play(unit.get("operation_cell") as Cell).unwrap();
                            }
                            code if code == Operation::TakeBack as u32 => drop(core.undo()),
                            _ => {
                                let decision = decision.expect("the face searches only when it should");
                                core.play(decision.cell).unwrap();
                                score = decision.score as u32;
                            }
                        }
                    }
                    Some(left - 1)
                }
                None if unit.get("operation") == 1 => Some(rng.u32(1..20)),
                None => None,
            };
            if unit.get("clear") == 1 {
                core = Position::new(&tables);
                score = 0;
                running = None;
            }
            unit.tick();
        }
        let got: Vec<Beat> = std::iter::from_fn(|| sink.pop()).collect();
        match predicted.answer {
            Expected::Nothing => assert!(got.is_empty()),
            Expected::Any => assert_eq!(got.len(), 2),
            Expected::Words(answer) => {
                let words: Vec<u32> = got.iter().map(|b| b.data).collect();
                assert_eq!(Answer { words: [words[0], words[1]] }, answer, "{word} {arguments:?}");
            }
        }
        assert!(got.iter().enumerate().all(|(i, beat)| beat.last == (i == 1)));
        assert_eq!(core.moves(), face.position().moves());
    }
}
