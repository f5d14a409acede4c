// SPDX-License-Identifier: MIT OR Apache-2.0
//! Game controller and command face alone, in Verilator: the test plays the search core, or the host, from the model.
#![allow(missing_docs)]

use cosim::axis::{Beat, Monitor, Sink, Source};
use cosim::trace::{bits, signed};
use engine_model::evaluation::{Outcome, Remaining, evaluate};
use engine_model::search::Search;
use engine_model::{Cell, Position};
use hdl::circuits::face::game_controller::{Operation, Over};
use hdl::face_model::{Answer, Expected, FaceModel};
use hdl::layout::{GENERATION_BITS, PassKind};
use hdl::stream::{Command, selector};
use rtl_tests::stimulus::{Unit, layout_of, packed, result_of};
use std::collections::{HashMap, VecDeque};

#[test]
fn game_controller_plays_and_decides() {
    plays_and_decides("game_controller");
}

/// With moves ahead it asks for the root's first move itself.
#[test]
fn game_controller_asks_for_the_first_move() {
    plays_and_decides("game_controller_ahead");
}

fn plays_and_decides(name: &str) {
    let (tables, layout) = layout_of(name);
    let extensions = tables.config.extensions;
    let begins = tables.config.ahead > 0;
    let mut unit = Unit::new(name, 5);
    let mut rng = fastrand::Rng::with_seed(5);
    let mask = (1u32 << layout.value_bits) - 1;
    let mut position = Position::new(&tables);
    let (mut searches, mut aborts, mut firsts) = (0, 0, [0; 2]);
    for _ in 0..6000 {
        let before = position.clone();
        let levels = if rng.u32(0..4) == 0 { 1 } else { tables.config.levels };
        let remaining = Remaining { depth: levels, extensions };
        let open: Vec<Cell> = (0..layout.cells as Cell).filter(|&c| position.is_empty(c)).collect();
        let (operation, cell) = match rng.u32(0..10) {
            // Games stay young: a search of a full board is decided by rule.
            0..6 if position.stones() > rng.usize(0..8) => (Operation::TakeBack, 0),
            0..7 if !position.is_over() => (Operation::Place, open[rng.usize(0..open.len())]),
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
            unit.set("stones", position.stones() as u32);
            unit.set("levels", levels as u32);
            unit.set("last_cell", position.moves().last().copied().unwrap_or(0).into());
            unit.set("request_ready", rng.bool().into());
            let [child_any, child, age] =
                [2, 1 << layout.context_bits, 1 << GENERATION_BITS].map(|n| rng.u32(0..n));
            if begins {
                unit.set("child_any", child_any);
                unit.set("child", child);
                unit.set("child_generation", age);
            }
            let mut takes_child = false;
            unit.set("abort_search", u32::from(abort_at == Some(clock)));
            unit.set("result_valid", 0);
            unit.set("child_valid", 0);
            if due.front().is_some_and(|(at, _)| *at <= clock) {
                let (_, result) = due.pop_front().unwrap();
                unit.set_words("result", &result);
                unit.set("result_valid", 1);
                assert_eq!(unit.get("awaiting"), 1);
            }
            if search_ends == Some(clock) {
                let decision = decision.unwrap();
                unit.set("child_valid", 1);
                // The value itself or its complement, which is one less.
                let keeps = rng.bool();
                let value = if keeps { decision.score } else { decision.score - 1 };
                unit.set("child_value", value as u32 & mask);
                unit.set("child_keeps", keeps.into());
                unit.set("child_rank", layout.geometry.rank[decision.cell as usize].into());
            }
            if unit.get("request") == 1 && unit.get("request_ready") == 1 {
                let tag = unit.words("request_tag");
                let field = |name: &str| {
                    let field = layout.tag.field(name);
                    bits(&tag, field.offset, field.width)
                };
                let potential = {
                    let field = layout.tag.field("potential");
                    signed(&tag, field.offset, field.width)
                };
                if field("level") == 0 {
                    assert_eq!(field("depth_zero"), 0);
                    assert_eq!(field("generation") as u32, unit.get("generation"));
                }
                match (PassKind::from_code(field("kind")), field("length")) {
                    (kind, length) if field("level") == 1 => {
                        assert_eq!((kind, length), (PassKind::Node, 1));
                        let best = evaluate(&position, remaining).best.unwrap();
                        assert_eq!(bits(&tag, 0, layout.cell_bits) as Cell, best.cell);
                        assert_eq!(potential, -(position.potential() + best.gain));
                        let rank = layout.geometry.rank[best.cell as usize];
                        let order = (best.gain as u64) << layout.cell_bits | u64::from(rank);
                        assert_eq!((field("order"), field("extensions") as usize), (order, extensions));
                        let root = layout.context_base(1) as u64;
                        assert_eq!((field("generation") as u32, field("context")), (age, root));
                        assert_eq!((field("negate"), field("depth_zero")), (0, u64::from(levels == 1)));
                        takes_child = levels > 1;
                        assert_eq!(field("child") as u32, if takes_child { child } else { 0 });
                        assert!(child_any == 1 || !takes_child, "a context is taken that is not there");
                        firsts[usize::from(takes_child)] += 1;
                        search_ends = Some(clock + 1 + rng.u32(0..20));
                    }
                    (PassKind::Probe, _) => {
                        let asked = unit.get("square") as Cell;
                        let gain = position.gain(position.side_to_move(), asked);
                        let result = [("found", 1), ("cell", asked.into()), ("gain", gain.into())];
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
            if begins {
                assert_eq!(unit.get("takes_child") == 1, takes_child);
            }
            if unit.get("start") == 1 {
                // The level below starts from the root's evaluation as it came.
                assert_eq!(unit.words("start_result"), result_of(&layout, &position, remaining));
                let forced = evaluate(&position, remaining).outcome == Outcome::Forced;
                assert_eq!(unit.get("start_single") == 1, forced);
                let tag = unit.words("start_tag");
                let field = |name: &str| layout.tag.field(name).clone();
                let [length, extension, potential] = ["length", "extensions", "potential"].map(field);
                assert_eq!(bits(&tag, length.offset, length.width), 0);
                assert_eq!(bits(&tag, extension.offset, extension.width) as usize, extensions);
                assert_eq!(signed(&tag, potential.offset, potential.width), position.potential());
                if !begins {
                    search_ends = Some(clock + 1 + rng.u32(0..20));
                }
            }
            if unit.get("remove") == 1 {
                assert_eq!(position.undo(), Some(unit.get("square") as Cell));
            }
            if unit.get("place") == 1 {
                position.play(unit.get("square") as Cell).unwrap();
            }
            let (done, aborted) = (unit.get("operation_done") == 1, unit.get("operation_aborted") == 1);
            assert_eq!(unit.get("stop_levels") == 1, aborted);
            ended = done;
            let generation = unit.get("generation");
            unit.tick();
            // What an aborted search left in flight must not be taken for the next one's.
            assert_eq!(unit.get("generation") != generation, aborted);
            unit.set("operation", 0);
            if done || aborted {
                break;
            }
        }
        unit.set("abort_search", 0);
        unit.set("result_valid", 0);
        unit.set("child_valid", 0);
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
    assert!(!begins || (firsts[0] > 50 && firsts[1] > 50), "{firsts:?}");
}

/// Random counters of the last search at the face's inputs, and what each selector must answer.
fn counters(unit: &mut Unit, rng: &mut fastrand::Rng, plies: usize) -> HashMap<usize, Vec<u32>> {
    let mut port = |name: &str, words: usize| {
        let value: Vec<u32> = (0..words).map(|_| rng.u32(..)).collect();
        unit.set_words(name, &value);
        value
    };
    let mut known = HashMap::from([(selector::CYCLES, port("cycles", 2))]);
    for (selected, first, second) in [
        (selector::PASSES, "passes", "stale"),
        (selector::ORDERS, "orders", "waits_order"),
        (selector::WAITS, "waits_first", "waits_context"),
    ] {
        known.insert(selected, vec![port(first, 1)[0], port(second, 1)[0]]);
    }
    known.insert(selector::MISSES, vec![port("misses", 1)[0], 0]);
    for (ply, nodes) in port("nodes", plies).into_iter().enumerate() {
        known.insert(selector::NODES + ply + 1, vec![nodes, 0]);
    }
    known
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
    let (mut score, mut decided_levels) = (0, 0);
    let mut running: Option<u32> = None;
    let counters = counters(&mut unit, &mut rng, layout.max_path);
    for _ in 0..1500 {
        let word = match rng.u32(0..20) {
            0 => Command::Reset as u32,
            1 => rng.u32(..),
            2 => 9 + rng.u32(0..300),
            // Abort is tested on the whole engine (cosim/tests/protocol.rs): here nothing would answer it.
            // Nor does it know which search a limit would end.
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
            unit.set("decided_levels", decided_levels);
            unit.set("decided_cell", core.moves().last().copied().unwrap_or(0).into());
            unit.set_plane("first", |c| core.owner(c) == Some(0));
            unit.set_plane("second", |c| core.owner(c) == Some(1));
            unit.set("operation_done", u32::from(running == Some(0)));
            // The board answers a clock after it is asked.
            let asked = unit.get("query_cell") as Cell;
            let occupied = (asked as usize) < layout.cells && !core.is_empty(asked);
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
                                decided_levels = face.levels() as u32;
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
            unit.set("query_occupied", occupied.into());
        }
        let got: Vec<Beat> = std::iter::from_fn(|| sink.pop()).collect();
        match predicted.answer {
            Expected::Nothing => assert!(got.is_empty()),
            Expected::Any => {
                let words: Vec<u32> = got.iter().map(|b| b.data).collect();
                assert_eq!(words, counters[&(arguments[0] as usize)], "selector {arguments:?}");
            }
            Expected::Words(answer) => {
                let words: Vec<u32> = got.iter().map(|b| b.data).collect();
                assert_eq!(Answer { words: [words[0], words[1]] }, answer, "{word} {arguments:?}");
            }
        }
        assert!(got.iter().enumerate().all(|(i, beat)| beat.last == (i == 1)));
        assert_eq!(core.moves(), face.position().moves());
    }
}
