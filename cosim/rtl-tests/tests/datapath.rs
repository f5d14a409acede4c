// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits from the board to gains and threats, each alone in Verilator, against the model; a new input every clock.
#![allow(missing_docs)]

use engine_model::{Cell, Position};
use hdl::circuits::DIRECTION_NAMES;
use rtl_tests::stimulus::{Unit, layout_of, owner_is, pipelined, positions, sides};

const ROUNDS: usize = 400;

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
        let (tables, layout) = layout_of(&name);
        let mut unit = Unit::new(&name, 1);
        pipelined(
            &mut unit,
            2,
            positions(&tables, 1, ROUNDS),
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
        let (tables, layout) = layout_of(&name);
        let config = tables.config.clone();
        let stride = layout.geometry.stride(direction);
        let mut unit = Unit::new(&name, 2);
        let flags = hdl::circuits::window_flags::pattern_flags(&layout);
        pipelined(
            &mut unit,
            1,
            positions(&tables, 2, ROUNDS),
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
    let (tables, layout) = layout_of("cell_gains");
    let mut unit = Unit::new("cell_gains", 3);
    pipelined(
        &mut unit,
        2,
        positions(&tables, 3, ROUNDS),
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
    let (tables, layout) = layout_of("cell_threats");
    let config = tables.config.clone();
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
        positions(&tables, 4, ROUNDS),
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
    let (tables, _) = layout_of("candidates");
    let mut unit = Unit::new("candidates", 5);
    pipelined(
        &mut unit,
        1,
        positions(&tables, 5, ROUNDS),
        |unit, position| unit.set_plane("occupied", |cell| !position.is_empty(cell)),
        |unit, position| unit.expect_plane("candidate", |cell| position.is_candidate(cell), position),
    );
}
