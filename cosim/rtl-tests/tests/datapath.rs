// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits from the board to gains and threats, each alone in Verilator, against the model; a new input every
//! clock. Each is tested with the whole board at once and slice by slice.
#![allow(missing_docs)]

use engine_model::evaluation::REPLY_GRAIN;
use engine_model::{Cell, Position};
use hdl::Layout;
use hdl::circuits::DIRECTION_NAMES;
use hdl::circuits::evaluator::cover::flag_input;
use hdl::circuits::evaluator::gains;
use hdl::circuits::evaluator::window_flags::{pattern_flags, rows_above};
use rtl_tests::stimulus::{
    Unit, cell_of_frame, gains_of, layout_of, owner_is, pack, pipelined, positions, set_gains, sides, slices,
    views, with_slices,
};

const ROUNDS: usize = 400;

/// A position as one slice of it is seen. Places are cells of the frame.
struct View<'a> {
    layout: &'a Layout,
    position: &'a Position,
    slice: usize,
}

impl<'a> View<'a> {
    fn new(layout: &'a Layout, (position, slice): &'a (Position, usize)) -> View<'a> {
        View { layout, position, slice: *slice }
    }

    fn cell(&self, place: usize) -> Option<Cell> {
        cell_of_frame(self.layout, place, self.slice)
    }

    fn places(&self) -> std::ops::Range<usize> {
        0..self.layout.frame.cells
    }

    /// Stones of mover and opponent in the window of `direction` that starts at `place`.
    fn window(&self, direction: usize, place: usize) -> Option<(usize, usize)> {
        self.layout.frame.geometry.window_at[direction][place]?;
        let geometry = &self.layout.geometry;
        let id = geometry.window_at[direction][self.cell(place)? as usize]?;
        let cells = &geometry.windows[id as usize].cells;
        let count = |side| cells.iter().filter(|&&c| self.position.owner(c) == Some(side)).count();
        let (own, other) = sides(self.position);
        Some((count(own), count(other)))
    }

    /// Whether the window of `direction` at `place` shows pattern flag `flag`.
    fn shows(&self, direction: usize, place: usize, flag: &str) -> bool {
        let k = self.layout.config.in_a_row;
        let Some((own, other)) = self.window(direction, place) else { return false };
        match flag {
            "own_one_missing" => (own, other) == (k - 1, 0),
            "other_one_missing" => (own, other) == (0, k - 1),
            "own_two_missing" => (own, other) == (k - 2, 0),
            "other_two_missing" => (own, other) == (0, k - 2),
            "own_three_missing" => (own, other) == (k - 3, 0),
            "other_three_missing" => (own, other) == (0, k - 3),
            "other_line" => (own, other) == (0, k),
            _ => panic!("unknown flag {flag}"),
        }
    }

    /// Whether the window of `direction` at `place` shows gain flag `flag`.
    fn gain_flag(&self, direction: usize, place: usize, flag: usize) -> bool {
        self.flag_of(self.window(direction, place), flag)
    }

    /// The same for the opponent.
    fn other_gain_flag(&self, direction: usize, place: usize, flag: usize) -> bool {
        self.flag_of(self.window(direction, place).map(|(own, other)| (other, own)), flag)
    }

    fn flag_of(&self, window: Option<(usize, usize)>, flag: usize) -> bool {
        let k = self.layout.config.in_a_row;
        match window {
            Some((own, 0)) if own > 0 => own == flag,
            Some((0, other)) if other > 0 => other < k && flag < other,
            Some((0, 0)) => flag == 0,
            _ => false,
        }
    }
}

#[test]
fn window_flags() {
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        for name in with_slices(&format!("window_flags_{name}")) {
            let (tables, layout) = layout_of(&name);
            let mut unit = Unit::new(&name, 1);
            let latency = unit.latency("other_line");
            pipelined(
                &mut unit,
                latency,
                views(&tables, &layout, 1, ROUNDS),
                |unit, (position, slice)| {
                    let (own, other) = sides(position);
                    let above = rows_above(&layout);
                    unit.set_frame_below("own", *slice, above, |c| c.is_none_or(owner_is(position, own)));
                    unit.set_frame_below("other", *slice, above, |c| c.is_none_or(owner_is(position, other)));
                    let empty = |c: Cell| position.is_empty(c);
                    unit.set_frame_below("occupied", *slice, above, |c| c.is_none_or(|c| !empty(c)));
                    if layout.frame.slices > 1 {
                        unit.set("first", (*slice == 0).into());
                    }
                },
                |unit, stimulus| {
                    let view = View::new(&layout, stimulus);
                    let moves = stimulus.0.moves();
                    for (flag, _) in layout.gain_flags() {
                        let expected = pack(view.places().map(|p| view.gain_flag(direction, p, flag)));
                        assert_eq!(unit.words(&format!("gain_flag_{flag}")), expected, "{flag} {moves:?}");
                    }
                    for (flag, _) in layout.gain_flags() {
                        let expected = pack(view.places().map(|p| view.other_gain_flag(direction, p, flag)));
                        let name = format!("other_gain_flag_{flag}");
                        assert_eq!(unit.words(&name), expected, "{name} {moves:?}");
                    }
                    for flag in pattern_flags(&layout) {
                        let expected = pack(view.places().map(|p| view.shows(direction, p, flag)));
                        assert_eq!(unit.words(flag), expected, "{name}, {flag} after {moves:?}");
                    }
                },
            );
        }
    }
}

#[test]
fn gain_flags_add_up_to_the_gain_of_a_window() {
    let (tables, layout) = layout_of("window_flags_row");
    for stimulus in views(&tables, &layout, 9, 100) {
        let view = View::new(&layout, &stimulus);
        for (direction, place) in (0..DIRECTION_NAMES.len()).flat_map(|d| view.places().map(move |p| (d, p)))
        {
            let flags = layout.gain_flags().into_iter().filter(|f| view.gain_flag(direction, place, f.0));
            let sum: usize = flags.map(|(_, weight)| weight).sum();
            let Some((own, other)) = view.window(direction, place) else { continue };
            if own + other < layout.config.in_a_row {
                assert_eq!(sum as i32, tables.scoring.window_gain(own, other));
            }
        }
    }
}

#[test]
fn cell_gains() {
    for name in with_slices("cell_gains").into_iter().chain(["cell_gains_short".into()]) {
        let (tables, layout) = layout_of(&name);
        let mut unit = Unit::new(&name, 3);
        let latency = unit.latency(&gains::ports(&layout, layout.gain_bits)[0].0);
        pipelined(
            &mut unit,
            latency,
            views(&tables, &layout, 3, ROUNDS),
            |unit, stimulus| {
                let view = View::new(&layout, stimulus);
                for direction in 0..DIRECTION_NAMES.len() {
                    for (flag, _) in layout.gain_flags() {
                        let name = hdl::circuits::evaluator::cell_gains::gain_input(direction, flag);
                        let plane = view.places().map(|place| view.gain_flag(direction, place, flag));
                        unit.set_words(&name, &pack(plane));
                    }
                }
            },
            |unit, (position, slice)| {
                for (core, found) in gains_of(unit, &layout).into_iter().enumerate() {
                    let Some(cell) = layout.cell_of_core(core, *slice).map(|c| c as Cell) else {
                        continue;
                    };
                    if position.is_empty(cell) {
                        let gain = position.gain(position.side_to_move(), cell);
                        assert_eq!(found, gain, "{name}, cell {cell}");
                    }
                }
            },
        );
    }
}

#[test]
fn largest_gain() {
    for name in with_slices("largest_gain") {
        let (tables, layout) = layout_of(&name);
        let mut unit = Unit::new(&name, 10);
        let latency = unit.latency("largest");
        let gain = |(position, slice): &(Position, usize), core: usize| {
            let cell = layout.cell_of_core(core, *slice)? as Cell;
            position.is_empty(cell).then(|| position.gain(1 - position.side_to_move(), cell))
        };
        pipelined(
            &mut unit,
            latency,
            views(&tables, &layout, 10, ROUNDS),
            |unit, stimulus| {
                let cores = || 0..layout.frame.core_cells;
                unit.set_words("occupied", &pack(cores().map(|core| gain(stimulus, core).is_none())));
                // A taken cell's gain is noise.
                let gains = cores().map(|core| gain(stimulus, core).unwrap_or(-1));
                set_gains(unit, &layout, gains);
            },
            |unit, stimulus| {
                let gains = (0..layout.frame.core_cells).filter_map(|core| gain(stimulus, core));
                assert_eq!(unit.get("largest") as i32, gains.max().unwrap_or(0) >> REPLY_GRAIN);
            },
        );
    }
}

#[test]
fn cell_threats() {
    for name in with_slices("cell_threats") {
        let (tables, layout) = layout_of(&name);
        let mut unit = Unit::new(&name, 4);
        let latency = unit.latency("line");
        pipelined(
            &mut unit,
            latency,
            views(&tables, &layout, 4, ROUNDS),
            |unit, stimulus| {
                let view = View::new(&layout, stimulus);
                // `occupied` belongs to the same board and travels in the same clock; walls count.
                let taken = |c: Option<Cell>| c.is_none_or(|c| !view.position.is_empty(c));
                unit.set_frame("occupied", view.slice, taken);
                for direction in 0..DIRECTION_NAMES.len() {
                    for flag in pattern_flags(&layout) {
                        let plane = view.places().map(|place| view.shows(direction, place, flag));
                        unit.set_words(&flag_input(direction, flag), &pack(plane));
                    }
                }
            },
            |unit, (position, slice)| {
                let (own, other) = sides(position);
                let empty = |cell| position.is_empty(cell);
                let expect = |name: &str, plane: &dyn Fn(Cell) -> bool| {
                    unit.expect_core(name, *slice, plane, position);
                };
                let four = |side, c| empty(c) && position.makes_four(side, c);
                expect("own_complete", &|c| empty(c) && position.completes(own, c));
                expect("other_complete", &|c| empty(c) && position.completes(other, c));
                expect("own_double", &|c| position.is_double(own, c));
                expect("four", &|c| four(own, c));
                expect("restricted", &|c| four(own, c) || four(other, c));
                let cells: Vec<Cell> = (0..layout.frame.core_cells)
                    .filter_map(|core| layout.cell_of_core(core, *slice).map(|cell| cell as Cell))
                    .collect();
                let count = |f: &dyn Fn(Cell) -> bool| cells.iter().filter(|&&c| empty(c) && f(c)).count();
                let others = count(&|c| position.completes(other, c));
                for (fact, expected) in [
                    ("own_wins", count(&|c| position.completes(own, c)) > 0),
                    ("other_wins_once", others == 1),
                    ("other_wins_twice", others >= 2),
                    ("own_has_double", count(&|c| position.is_double(own, c)) > 0),
                    ("four_three", count(&|c| position.is_four_three(own, c)) > 0),
                    ("other_four_three", count(&|c| position.is_four_three(other, c)) > 0),
                ] {
                    assert_eq!(unit.get(fact) == 1, expected, "{name}, {fact} after {:?}", position.moves());
                }
                // A slice may tell of a span whose empty cell is in the next one.
                let double = count(&|c| position.is_double(other, c)) > 0;
                let got = unit.get("other_has_double") == 1;
                let near = layout.frame.slices > 1 && position.has_double(other);
                assert!(got == double || got && near, "{name}, {:?}", position.moves());
                if layout.frame.slices == 1 {
                    assert_eq!(unit.get("line") == 1, position.winner() == Some(other));
                }
            },
        );
    }
}

#[test]
fn candidates() {
    for name in with_slices("candidates") {
        let (tables, layout) = layout_of(&name);
        let mut unit = Unit::new(&name, 5);
        pipelined(
            &mut unit,
            1,
            views(&tables, &layout, 5, ROUNDS),
            |unit, (position, slice)| {
                unit.set_frame("occupied", *slice, |c| c.is_some_and(|c| !position.is_empty(c)));
                unit.set("empty_board", u32::from(position.stones() == 0));
            },
            |unit, (position, slice)| {
                let words = unit.words("candidate");
                for core in 0..layout.frame.core_cells {
                    // The evaluator masks what is off the board.
                    let Some(cell) = layout.cell_of_core(core, *slice).map(|c| c as Cell) else { continue };
                    let got = words[core / 32] >> (core % 32) & 1 == 1;
                    assert_eq!(got, position.is_candidate(cell), "{name}, {cell}, {:?}", position.moves());
                }
            },
        );
    }
}

#[test]
fn board_slices_show_every_row_between_walls() {
    for name in slices("board_slices") {
        let (tables, layout) = layout_of(&name);
        let slices = layout.frame.slices;
        let mut unit = Unit::new(&name, 6);
        let mut rng = fastrand::Rng::with_seed(6);
        for position in positions(&tables, 6, ROUNDS) {
            let (own, other) = sides(&position);
            unit.set_plane("own", owner_is(&position, own));
            unit.set_plane("other", owner_is(&position, other));
            unit.set("valid", 1);
            for slice in 0..slices {
                unit.tick();
                unit.set("valid", 0);
                assert_eq!((unit.get("frame_valid"), unit.get("slice") as usize), (1, slice), "{name}");
                assert_eq!(unit.get("first_slice") == 1, slice == 0);
                for (port, side) in [("frame_own", own), ("frame_other", other)] {
                    let cells = (0..layout.frame.cells).map(|place| cell_of_frame(&layout, place, slice));
                    let expected = pack(cells.map(|c| c.is_none_or(owner_is(&position, side))));
                    assert_eq!(unit.words(port), expected, "{name}, slice {slice}, {port}");
                }
            }
            // The next node follows at once or later; nothing is shown in between.
            for _ in 0..rng.u32(0..3) {
                unit.tick();
                assert_eq!((unit.get("frame_valid"), unit.get("first_slice")), (0, 0), "{name}");
            }
        }
    }
}
