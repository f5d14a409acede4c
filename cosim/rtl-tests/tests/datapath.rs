// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every datapath circuit alone, in Verilator, against the model's functions; a new input every clock.
#![allow(missing_docs)]

use engine_model::evaluation::{Outcome, Picked, Remaining, evaluate, is_restricted, ordered_moves};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};
use hdl::Layout;
use hdl::circuits::{DIRECTION_NAMES, best_cell, evaluator};
use hdl::layout::PassKind;
use rtl_tests::stimulus::{Unit, pack, pipelined, random_position};
use rtl_tests::{config_of, model};
use std::sync::Arc;

const ROUNDS: usize = 400;

fn tables_of(name: &str) -> (Config, Arc<Tables>, Layout) {
    let config = config_of(model(name));
    (config.clone(), Tables::new(&config), Layout::new(&config))
}

fn positions(tables: &Arc<Tables>, seed: u64) -> Vec<Position> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let cells = tables.geometry.cells();
    (0..ROUNDS)
        .map(|_| {
            let stones = rng.usize(0..=cells);
            random_position(tables, &mut rng, stones)
        })
        .collect()
}

fn owner_is(position: &Position, side: usize) -> impl Fn(Cell) -> bool + '_ {
    move |cell| position.owner(cell) == Some(side)
}

fn sides(position: &Position) -> (usize, usize) {
    (position.side_to_move(), 1 - position.side_to_move())
}

/// Stones of mover and opponent in the window of `direction` that starts at `cell`.
fn window(position: &Position, direction: usize, cell: Cell) -> Option<(usize, usize)> {
    let geometry = &position.tables().geometry;
    let id = geometry.window_at[direction][cell as usize]?;
    let (own, other) = sides(position);
    let count = |side| {
        geometry.windows[id as usize].cells.iter().filter(|&&c| position.owner(c) == Some(side)).count()
    };
    Some((count(own), count(other)))
}

/// Whether the window of `direction` at `cell` shows pattern flag `flag`.
fn shows(position: &Position, direction: usize, cell: Cell, flag: &str) -> bool {
    let k = position.tables().config.in_a_row;
    let Some((own, other)) = window(position, direction, cell) else { return false };
    match flag {
        "own_one_missing" => (own, other) == (k - 1, 0),
        "other_one_missing" => (own, other) == (0, k - 1),
        "own_two_missing" => (own, other) == (k - 2, 0),
        "other_two_missing" => (own, other) == (0, k - 2),
        "own_three_missing" => (own, other) == (k - 3, 0),
        "other_line" => (own, other) == (0, k),
        _ => panic!("unknown flag {flag}"),
    }
}

fn digit(position: &Position, direction: usize, cell: Cell, digit: usize) -> bool {
    let k = position.tables().config.in_a_row;
    window(position, direction, cell).is_some_and(|(own, other)| {
        own + other < k && position.tables().scoring.window_gain(own, other) >> digit & 1 == 1
    })
}

/// Windows of `direction` through `cell` for which `f` holds of their first cell.
fn through(position: &Position, direction: usize, cell: Cell, f: impl Fn(Cell) -> bool) -> usize {
    let geometry = &position.tables().geometry;
    geometry.windows_of[cell as usize]
        .iter()
        .map(|&id| &geometry.windows[id as usize])
        .filter(|w| w.direction == direction && f(w.cells[0]))
        .count()
}

#[test]
fn window_flags() {
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        let name = format!("window_flags_{name}");
        let (_, tables, layout) = tables_of(&name);
        let mut unit = Unit::new(&name, 1);
        pipelined(
            &mut unit,
            2,
            positions(&tables, 1),
            |unit, position| {
                let (own, other) = sides(position);
                unit.set_plane("own", owner_is(position, own));
                unit.set_plane("other", owner_is(position, other));
            },
            |unit, position| {
                for d in 0..layout.gain_digits() {
                    let plane = |cell| digit(position, direction, cell, d);
                    unit.expect_plane(&format!("gain_digit_{d}"), plane, position);
                }
                for flag in hdl::circuits::window_flags::pattern_flags(&layout) {
                    unit.expect_plane(flag, |cell| shows(position, direction, cell, flag), position);
                }
            },
        );
    }
}

#[test]
fn line_cells() {
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        let name = format!("line_cells_{name}");
        let (config, tables, layout) = tables_of(&name);
        let stride = layout.geometry.stride(direction);
        let mut unit = Unit::new(&name, 2);
        let flags = hdl::circuits::window_flags::pattern_flags(&layout);
        pipelined(
            &mut unit,
            1,
            positions(&tables, 2),
            |unit, position| {
                unit.set_plane("occupied", |cell| !position.is_empty(cell));
                for d in 0..layout.gain_digits() {
                    unit.set_plane(&format!("gain_digit_{d}"), |cell| digit(position, direction, cell, d));
                }
                for flag in &flags {
                    unit.set_plane(flag, |cell| shows(position, direction, cell, flag));
                }
            },
            |unit, position| {
                for d in 0..layout.gain_digits() {
                    for bit in 0..layout.digit_count_bits() {
                        let plane = |cell| {
                            through(position, direction, cell, |first| digit(position, direction, first, d))
                                >> bit
                                & 1
                                == 1
                        };
                        unit.expect_plane(&format!("digit_{d}_{bit}"), plane, position);
                    }
                }
                for (output, flag) in [
                    ("own_completes", "own_one_missing"),
                    ("other_completes", "other_one_missing"),
                    ("own_four", "own_two_missing"),
                    ("other_four", "other_two_missing"),
                ] {
                    let plane = |cell| {
                        through(position, direction, cell, |first| shows(position, direction, first, flag))
                            > 0
                    };
                    unit.expect_plane(output, plane, position);
                }
                for (output, flag) in [
                    ("own_span", "own_two_missing"),
                    ("other_span", "other_two_missing"),
                    ("own_three_span", "own_three_missing"),
                ] {
                    // Strictly between the empty ends of two neighbouring windows.
                    let plane = |cell: Cell| {
                        (1..config.in_a_row).any(|offset| {
                            let Some(first) = (cell as usize).checked_sub(offset * stride) else {
                                return false;
                            };
                            let covers = through(position, direction, cell, |c| c as usize == first) == 1;
                            let end = first + config.in_a_row * stride;
                            covers
                                && end < layout.cells
                                && shows(position, direction, first as Cell, flag)
                                && shows(position, direction, (first + stride) as Cell, flag)
                                && position.is_empty(first as Cell)
                                && position.is_empty(end as Cell)
                        })
                    };
                    unit.expect_plane(output, plane, position);
                }
                let line =
                    (0..layout.cells as Cell).any(|cell| shows(position, direction, cell, "other_line"));
                assert_eq!(unit.get("line_exists") == 1, line);
            },
        );
    }
}

#[test]
fn cell_gains() {
    let (_, tables, layout) = tables_of("cell_gains");
    let mut unit = Unit::new("cell_gains", 3);
    pipelined(
        &mut unit,
        2,
        positions(&tables, 3),
        |unit, position| {
            for direction in 0..DIRECTION_NAMES.len() {
                for d in 0..layout.gain_digits() {
                    for bit in 0..layout.digit_count_bits() {
                        let name = hdl::circuits::cell_gains::digit_input(direction, d, bit);
                        unit.set_plane(&name, |cell| {
                            through(position, direction, cell, |first| digit(position, direction, first, d))
                                >> bit
                                & 1
                                == 1
                        });
                    }
                }
            }
        },
        |unit, position| {
            let side = position.side_to_move();
            for bit in 0..layout.gain_bits {
                let words = unit.words(&format!("gain_{bit}"));
                for cell in (0..layout.cells as Cell).filter(|&c| position.is_empty(c)) {
                    let got = words[cell as usize / 32] >> (cell % 32) & 1 == 1;
                    assert_eq!(got, position.gain(side, cell) >> bit & 1 == 1, "cell {cell}, bit {bit}");
                }
            }
        },
    );
}

#[test]
fn cell_threats() {
    let (config, tables, layout) = tables_of("cell_threats");
    let mut unit = Unit::new("cell_threats", 4);
    let stride = |direction: usize| layout.geometry.stride(direction);
    let spans = |position: &Position, direction: usize, cell: Cell, flag: &str| {
        (1..config.in_a_row).any(|offset| {
            (cell as usize).checked_sub(offset * stride(direction)).is_some_and(|first| {
                through(position, direction, cell, |c| c as usize == first) == 1
                    && shows(position, direction, first as Cell, flag)
                    && first + stride(direction) < layout.cells
                    && shows(position, direction, (first + stride(direction)) as Cell, flag)
                    && position.is_empty(first as Cell)
            })
        })
    };
    pipelined(
        &mut unit,
        3,
        positions(&tables, 4),
        |unit, position| {
            // `occupied` belongs to the same board and travels in the same clock.
            unit.set_plane("occupied", |cell| !position.is_empty(cell));
            for direction in 0..DIRECTION_NAMES.len() {
                for flag in hdl::circuits::line_cells::cell_flags(&layout) {
                    let name = hdl::circuits::cell_threats::flag_input(direction, flag);
                    let any = |cell: Cell, flag: &str| {
                        through(position, direction, cell, |first| shows(position, direction, first, flag))
                            > 0
                    };
                    match flag {
                        "line_exists" => {
                            let line = (0..layout.cells as Cell)
                                .any(|cell| shows(position, direction, cell, "other_line"));
                            unit.set(&name, u32::from(line));
                        }
                        "own_completes" => unit.set_plane(&name, |cell| any(cell, "own_one_missing")),
                        "other_completes" => unit.set_plane(&name, |cell| any(cell, "other_one_missing")),
                        "own_four" => unit.set_plane(&name, |cell| any(cell, "own_two_missing")),
                        "other_four" => unit.set_plane(&name, |cell| any(cell, "other_two_missing")),
                        "own_span" => {
                            unit.set_plane(&name, |cell| spans(position, direction, cell, "own_two_missing"))
                        }
                        "other_span" => unit
                            .set_plane(&name, |cell| spans(position, direction, cell, "other_two_missing")),
                        _ => unit
                            .set_plane(&name, |cell| spans(position, direction, cell, "own_three_missing")),
                    }
                }
            }
        },
        |unit, position| {
            let (own, other) = sides(position);
            let empty = |cell| position.is_empty(cell);
            unit.expect_plane("own_complete", |c| empty(c) && position.completes(own, c), position);
            unit.expect_plane("other_complete", |c| empty(c) && position.completes(other, c), position);
            unit.expect_plane("own_double", |c| position.is_double(own, c), position);
            unit.expect_plane("four", |c| empty(c) && position.makes_four(own, c), position);
            let restricted = |c| empty(c) && (position.makes_four(own, c) || position.makes_four(other, c));
            unit.expect_plane("restricted", restricted, position);
            let facts = [
                ("own_wins", position.completing_cells(own) > 0),
                ("other_wins_once", position.completing_cells(other) == 1),
                ("other_wins_twice", position.completing_cells(other) >= 2),
                ("own_has_double", position.has_double(own)),
                ("other_has_double", position.has_double(other)),
                ("line", position.winner() == Some(other)),
                ("four_three", (0..layout.cells as Cell).any(|c| position.is_four_three(own, c))),
            ];
            for (fact, expected) in facts {
                assert_eq!(unit.get(fact) == 1, expected, "{fact} after {:?}", position.moves());
            }
        },
    );
}

#[test]
fn candidates() {
    let (_, tables, _) = tables_of("candidates");
    let mut unit = Unit::new("candidates", 5);
    pipelined(
        &mut unit,
        1,
        positions(&tables, 5),
        |unit, position| unit.set_plane("occupied", |cell| !position.is_empty(cell)),
        |unit, position| unit.expect_plane("candidate", |cell| position.is_candidate(cell), position),
    );
}

/// A request to the comparison tree.
struct Request {
    position: Position,
    kind: PassKind,
    remaining: Remaining,
    excluded: Vec<Cell>,
}

fn requests(tables: &Arc<Tables>, seed: u64) -> Vec<Request> {
    let mut rng = fastrand::Rng::with_seed(seed);
    positions(tables, seed)
        .into_iter()
        .map(|position| {
            let kind = PassKind::from_code(rng.u64(0..4));
            // Only a node can be at depth 0.
            let depth = if kind == PassKind::Node { rng.usize(0..2) } else { 1 };
            let remaining = Remaining { depth, extensions: rng.usize(0..2) };
            let cells = tables.geometry.cells();
            let mut excluded: Vec<Cell> =
                (0..rng.usize(0..cells)).map(|_| rng.usize(0..cells) as Cell).collect();
            if kind == PassKind::Probe {
                let keep = rng.usize(0..cells) as Cell;
                excluded = (0..cells as Cell).filter(|&c| c != keep).collect();
            }
            Request { position, kind, remaining, excluded }
        })
        .collect()
}

fn expected_pick(request: &Request) -> Option<Picked> {
    let position = &request.position;
    let allowed = |cell: Cell| !request.excluded.contains(&cell);
    match request.kind {
        PassKind::Node => evaluate(position, request.remaining).best,
        PassKind::Order => ordered_moves(position).into_iter().find(|m| allowed(m.cell)),
        PassKind::OrderFours => ordered_moves(position).into_iter().find(|m| allowed(m.cell) && m.makes_four),
        PassKind::Probe => {
            let side = position.side_to_move();
            let cells = position.tables().geometry.cells() as Cell;
            (0..cells).find(|&c| allowed(c) && position.is_empty(c)).map(|cell| Picked {
                cell,
                gain: position.gain(side, cell),
                makes_four: position.makes_four(side, cell),
            })
        }
    }
}

#[test]
fn best_cell_picks_the_first_in_static_order() {
    let (_, tables, layout) = tables_of("best_cell");
    let mut unit = Unit::new("best_cell", 6);
    pipelined(
        &mut unit,
        best_cell::latency(&layout),
        requests(&tables, 6),
        |unit, request| {
            let position = &request.position;
            let (own, other) = sides(position);
            let empty = |cell| position.is_empty(cell);
            unit.set_plane("occupied", |c| !empty(c));
            unit.set_plane("candidate", |c| position.is_candidate(c));
            unit.set_plane("own_complete", |c| empty(c) && position.completes(own, c));
            unit.set_plane("other_complete", |c| empty(c) && position.completes(other, c));
            unit.set_plane("own_double", |c| position.is_double(own, c));
            unit.set_plane("four", |c| empty(c) && position.makes_four(own, c));
            unit.set_plane("restricted", |c| {
                empty(c) && (position.makes_four(own, c) || position.makes_four(other, c))
            });
            unit.set_plane("exclude", |c| request.excluded.contains(&c));
            for bit in 0..layout.gain_bits {
                unit.set_plane(&format!("gain_{bit}"), |c| position.gain(own, c) >> bit & 1 == 1);
            }
            unit.set("own_wins", u32::from(position.completing_cells(own) > 0));
            unit.set("other_wins", u32::from(position.completing_cells(other) > 0));
            unit.set("own_has_double", u32::from(position.has_double(own)));
            unit.set("other_has_double", u32::from(position.has_double(other)));
            let depth_zero = request.remaining.depth == 0;
            unit.set("depth_zero", u32::from(depth_zero));
            unit.set("leaf", u32::from(depth_zero && request.remaining.extensions == 0));
            unit.set("kind", request.kind as u32);
        },
        |unit, request| {
            let got = (unit.get("found") == 1).then(|| Picked {
                cell: unit.get("picked") as Cell,
                gain: unit.get("gain") as i32,
                makes_four: unit.get("makes_four") == 1,
            });
            assert_eq!(got, expected_pick(request), "{:?} {:?}", request.kind, request.position.moves());
        },
    );
}

#[test]
fn node_outcome_follows_the_rules() {
    let (_, tables, layout) = tables_of("node_outcome");
    let mut unit = Unit::new("node_outcome", 7);
    let mut rng = fastrand::Rng::with_seed(7);
    let stimuli: Vec<(Position, usize)> =
        positions(&tables, 7).into_iter().map(|p| (p, rng.usize(0..=layout.max_path))).collect();
    let leaf = Remaining { depth: 0, extensions: 0 };
    pipelined(
        &mut unit,
        1,
        stimuli,
        |unit, (position, length)| {
            let (own, other) = sides(position);
            let evaluation = evaluate(position, leaf);
            let best = evaluation.best.unwrap_or(Picked { cell: 0, gain: 0, makes_four: false });
            let cells = layout.cells as Cell;
            for (fact, value) in [
                ("own_wins", position.completing_cells(own) > 0),
                ("other_wins_once", position.completing_cells(other) == 1),
                ("other_wins_twice", position.completing_cells(other) >= 2),
                ("own_has_double", position.has_double(own)),
                ("line", position.winner() == Some(other)),
                ("full", position.is_full()),
                ("one_empty", position.stones() + 1 == layout.cells),
                ("four_three", (0..cells).any(|c| position.is_four_three(own, c))),
                ("found", evaluation.best.is_some()),
                ("makes_four", best.makes_four),
            ] {
                unit.set(fact, u32::from(value));
            }
            unit.set("picked", best.cell.into());
            unit.set("gain", best.gain as u32);
            unit.set("length", *length as u32);
            unit.set("potential", evaluation.potential as u32 & ((1 << layout.potential_bits) - 1));
        },
        |unit, (position, length)| {
            let evaluation = evaluate(position, leaf);
            let field = |name| unit.field("result", layout.result.field(name));
            let outcome = Outcome::from_code(field("outcome") as u8).unwrap();
            assert_eq!(outcome, evaluation.outcome, "{:?}", position.moves());
            let signed = |name| unit.signed_field("result", layout.result.field(name));
            assert_eq!(signed("leaf_value"), evaluation.leaf_value);
            let scoring = &tables.scoring;
            let value = match outcome {
                Outcome::Full => 0,
                Outcome::Win => scoring.win_at(length + 1),
                Outcome::Loss => -scoring.win_at(length + 2),
                Outcome::Double => scoring.win_at(length + 3),
                _ => evaluation.leaf_value,
            };
            assert_eq!(signed("value"), value);
        },
    );
}

fn random_tag(layout: &Layout, rng: &mut fastrand::Rng, path: &[Cell]) -> Vec<u32> {
    let mut bits: Vec<bool> = (0..layout.tag.width()).map(|_| rng.bool()).collect();
    let mut put = |offset: usize, width: usize, value: usize| {
        (0..width).for_each(|i| bits[offset + i] = value >> i & 1 == 1);
    };
    let base = layout.tag.field("path").offset;
    for (i, &cell) in path.iter().enumerate() {
        put(base + i * layout.cell_bits, layout.cell_bits, cell.into());
    }
    let length = layout.tag.field("length");
    put(length.offset, length.width, path.len());
    pack(bits)
}

#[test]
fn node_builder_puts_the_path_on_the_board() {
    let (_, tables, layout) = tables_of("node_builder");
    let mut unit = Unit::new("node_builder", 8);
    let mut rng = fastrand::Rng::with_seed(8);
    let mut stimuli = Vec::new();
    for root in positions(&tables, 8) {
        let mut node = root.clone();
        let length = rng.usize(0..=layout.max_path);
        while node.stones() - root.stones() < length && !node.is_over() {
            let open: Vec<Cell> = (0..layout.cells as Cell).filter(|&c| node.is_empty(c)).collect();
            node.play(open[rng.usize(0..open.len())]).unwrap();
        }
        let tag = random_tag(&layout, &mut rng, &node.moves()[root.stones()..]);
        stimuli.push((root, node, tag, rng.bool()));
    }
    pipelined(
        &mut unit,
        1,
        stimuli,
        |unit, (root, _, tag, valid)| {
            let (own, other) = sides(root);
            unit.set_plane("root_own", owner_is(root, own));
            unit.set_plane("root_other", owner_is(root, other));
            unit.set("root_stones", root.stones() as u32);
            unit.set_words("tag", tag);
            unit.set("valid", u32::from(*valid));
        },
        |unit, (_, node, tag, valid)| {
            let (own, other) = sides(node);
            assert_eq!(unit.get("node_valid") == 1, *valid);
            assert_eq!(&unit.words("node_tag"), tag);
            unit.expect_plane("own", owner_is(node, own), node);
            unit.expect_plane("other", owner_is(node, other), node);
            assert_eq!(unit.get("full") == 1, node.is_full());
            assert_eq!(unit.get("one_empty") == 1, node.stones() + 1 == layout.cells);
        },
    );
}

#[test]
fn evaluator_takes_a_node_every_clock() {
    let (_, tables, layout) = tables_of("evaluator");
    let mut unit = Unit::new("evaluator", 9);
    let mut rng = fastrand::Rng::with_seed(9);
    let kind = layout.tag.field("kind");
    let mut stimuli = Vec::new();
    for mut request in requests(&tables, 9) {
        // A node: the level's tried moves must not matter.
        request.kind = PassKind::Node;
        let mut tag = random_tag(&layout, &mut rng, &[]);
        for (name, value) in [
            ("kind", PassKind::Node as u64),
            ("depth_zero", u64::from(request.remaining.depth == 0)),
            ("extensions", request.remaining.extensions as u64),
            ("potential", request.position.potential() as u64),
        ] {
            let field = layout.tag.field(name);
            for i in 0..field.width {
                let (word, bit) = ((field.offset + i) / 32, (field.offset + i) % 32);
                tag[word] = tag[word] & !(1 << bit) | ((value >> i & 1) as u32) << bit;
            }
        }
        stimuli.push((request, tag));
    }
    assert_eq!(kind.width, 2);
    pipelined(
        &mut unit,
        evaluator::latency(&layout),
        stimuli,
        |unit, (request, tag)| {
            let (own, other) = sides(&request.position);
            unit.set_plane("own", owner_is(&request.position, own));
            unit.set_plane("other", owner_is(&request.position, other));
            unit.set("full", u32::from(request.position.is_full()));
            unit.set("one_empty", u32::from(request.position.stones() + 1 == layout.cells));
            unit.set_words("tag", tag);
            unit.set("valid", 1);
            unit.set_plane("exclude", |_| true);
        },
        |unit, (request, tag)| {
            assert_eq!(unit.get("result_valid"), 1);
            assert_eq!(&unit.words("result_tag"), tag);
            let expected = evaluate(&request.position, request.remaining);
            let field = |name| unit.field("result", layout.result.field(name));
            let moves = request.position.moves();
            assert_eq!(field("outcome") as u8, expected.outcome as u8, "{moves:?}");
            let best = (field("found") == 1).then(|| Picked {
                cell: field("cell") as Cell,
                gain: field("gain") as i32,
                makes_four: field("makes_four") == 1,
            });
            assert_eq!(best, expected.best, "{moves:?}, restricted {}", is_restricted(&request.position));
            let leaf = unit.signed_field("result", layout.result.field("leaf_value"));
            assert_eq!(leaf, expected.leaf_value, "{moves:?}");
        },
    );
}
