// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine of the original kind: every node recounts the whole board, moves are tried from the centre outward.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use super::{SoftwareEngine, SoftwareResult};
use engine_model::config::{Config, RuleSet};
use engine_model::geometry::{Cell, DIRECTION_COUNT, Geometry};
use engine_model::position::{IllegalMove, Position, Tables};
use engine_model::search::RootDecision;
use std::sync::Arc;

/// Sets of directions of a cell, one bit each.
type DirectionSet = u8;

/// Everything counted of one board for one side.
#[derive(Clone, Default)]
struct SideView {
    /// Per cell: gain in points.
    gain: Vec<i32>,
    /// Per cell: whether it completes a line.
    completes: Vec<bool>,
    /// Per cell: directions of clean windows with k-2 stones.
    fours: Vec<DirectionSet>,
    /// Per cell: directions in which it lies inside an open span of k-2 stones.
    open_fours: Vec<DirectionSet>,
    /// Per cell: directions in which it lies inside an open span of k-3 stones.
    open_threes: Vec<DirectionSet>,
}

impl SideView {
    fn new(cells: usize) -> SideView {
        SideView {
            gain: vec![0; cells],
            completes: vec![false; cells],
            fours: vec![0; cells],
            open_fours: vec![0; cells],
            open_threes: vec![0; cells],
        }
    }

    fn is_double(&self, cell: usize) -> bool {
        self.fours[cell].count_ones() >= 2 || self.open_fours[cell] != 0
    }

    fn is_four_three(&self, cell: usize) -> bool {
        let (fours, threes) = (self.fours[cell], self.open_threes[cell]);
        fours != 0 && threes != 0 && (fours | threes).count_ones() >= 2
    }
}

/// A board counted from scratch.
struct View {
    /// Potential difference for the side to move, points.
    potential: i32,
    own: SideView,
    other: SideView,
    empty: Vec<bool>,
    candidate: Vec<bool>,
}

impl View {
    /// Empty cells that satisfy `pick`, by index.
    fn cells(&self, pick: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.empty.len()).filter(|&cell| self.empty[cell] && pick(cell)).collect()
    }

    fn has(&self, pick: impl Fn(usize) -> bool) -> bool {
        (0..self.empty.len()).any(|cell| self.empty[cell] && pick(cell))
    }
}

/// Full re-evaluation at every node, plain alpha-beta, no exact bound.
pub struct NaiveEngine {
    tables: Arc<Tables>,
    over: bool,
    /// Per cell: the side whose stone it holds.
    board: Vec<Option<u8>>,
    stones: usize,
    levels: usize,
    nodes: u64,
}

impl NaiveEngine {
    /// The engine of a checked configuration at the position after `moves`.
    pub fn new(config: &Config, moves: &[Cell]) -> Result<NaiveEngine, IllegalMove> {
        let tables = Tables::new(config);
        let board = vec![None; tables.geometry.cells()];
        let mut engine = NaiveEngine { tables, over: false, board, stones: 0, levels: 0, nodes: 0 };
        engine.set_position(moves)?;
        Ok(engine)
    }

    /// Counts every window of the board.
    fn view(&self) -> View {
        let Tables { config, geometry, scoring, .. } = &*self.tables;
        let (k, cells) = (config.in_a_row, geometry.cells());
        let mover = (self.stones % 2) as u8;
        let mut view = View {
            potential: 0,
            own: SideView::new(cells),
            other: SideView::new(cells),
            empty: self.board.iter().map(Option::is_none).collect(),
            candidate: self.candidates(geometry),
        };
        for window in &geometry.windows {
            let (own, other) = self.count(&window.cells, mover);
            view.potential += scoring.window_potential(own, other);
            if own + other == k {
                continue;
            }
            let gains = (scoring.window_gain(own, other), scoring.window_gain(other, own));
            for &cell in &window.cells {
                view.own.gain[cell as usize] += gains.0;
                view.other.gain[cell as usize] += gains.1;
            }
            for (side, stones, others) in [(&mut view.own, own, other), (&mut view.other, other, own)] {
                for &cell in window.cells.iter().filter(|_| others == 0) {
                    side.completes[cell as usize] |= stones == k - 1;
                    side.fours[cell as usize] |= DirectionSet::from(stones == k - 2) << window.direction;
                }
            }
        }
        self.count_spans(mover, &mut view);
        view
    }

    /// Marks the cells inside open spans: k+1 cells with empty ends, both windows clean with as many stones.
    fn count_spans(&self, mover: u8, view: &mut View) {
        let geometry = &self.tables.geometry;
        let k = geometry.in_a_row;
        for direction in 0..DIRECTION_COUNT {
            let starts = &geometry.window_at[direction];
            let stride = geometry.stride(direction);
            for (start, first) in starts.iter().enumerate() {
                let Some(first) = first else { continue };
                let Some(Some(second)) = starts.get(start + stride) else { continue };
                let (first, second) =
                    (&geometry.windows[*first as usize].cells, &geometry.windows[*second as usize].cells);
                // The next window of the same line begins at this window's second cell.
                let ends_empty = view.empty[first[0] as usize] && view.empty[second[k - 1] as usize];
                if second[0] != first[1] || !ends_empty {
                    continue;
                }
                let (own, other) = self.count(first, mover);
                if self.count(second, mover) != (own, other) {
                    continue;
                }
                for (side, stones, others) in [(&mut view.own, own, other), (&mut view.other, other, own)] {
                    for &cell in first[1..].iter().filter(|_| others == 0) {
                        side.open_fours[cell as usize] |= DirectionSet::from(stones == k - 2) << direction;
                        side.open_threes[cell as usize] |=
                            DirectionSet::from(k >= 4 && stones + 3 == k) << direction;
                    }
                }
            }
        }
    }

    /// Stones of `mover` and of the other side among `cells`.
    fn count(&self, cells: &[Cell], mover: u8) -> (usize, usize) {
        let mut counts = (0, 0);
        for &cell in cells {
            match self.board[cell as usize] {
                Some(side) if side == mover => counts.0 += 1,
                Some(_) => counts.1 += 1,
                None => {}
            }
        }
        counts
    }

    fn candidates(&self, geometry: &Geometry) -> Vec<bool> {
        (0..geometry.cells())
            .map(|cell| {
                self.board[cell].is_none()
                    && (self.stones == 0
                        || geometry.neighbours[cell].iter().any(|&near| self.board[near as usize].is_some()))
            })
            .collect()
    }

    /// Sorts cells into static order.
    fn in_static_order(&self, view: &View, mut cells: Vec<usize>) -> Vec<usize> {
        let rank = &self.tables.geometry.rank;
        cells.sort_unstable_by_key(|&cell| (-view.own.gain[cell], rank[cell]));
        cells
    }

    /// The moves of rule 6, `used` levels below the root: members of the beam with their place in static order,
    /// visited from the centre outward. And what the node is worth at least: where a move that is not among them
    /// may save it, it is no proved loss.
    fn moves(&self, view: &View, used: usize) -> (Vec<(usize, usize)>, i32) {
        let restricted = self.rules() >= RuleSet::Restricted && view.has(|cell| view.other.is_double(cell));
        let cells = if restricted {
            view.cells(|cell| view.own.fours[cell] != 0 || view.other.fours[cell] != 0)
        } else {
            view.cells(|cell| view.candidate[cell])
        };
        let beam = match self.tables.config.beam_at(used) {
            0 => cells.len(),
            beam => beam,
        };
        let covered = restricted || view.has(|cell| view.other.completes[cell]);
        let proved = covered && beam >= cells.len();
        let least = if proved { i32::MIN } else { -self.tables.scoring.unproved };
        let ordered = self.in_static_order(view, cells);
        let mut members: Vec<(usize, usize)> = ordered.into_iter().take(beam).enumerate().collect();
        members.sort_unstable_by_key(|&(_, cell)| self.tables.geometry.rank[cell]);
        (members, least)
    }

    fn rules(&self) -> RuleSet {
        self.tables.config.rules
    }

    fn leaf_value(&self, view: &View) -> i32 {
        let best = view.cells(|cell| view.candidate[cell]).into_iter().map(|cell| view.own.gain[cell]).max();
        let four_three =
            view.has(|cell| view.own.is_four_three(cell)) && !view.has(|cell| view.other.completes[cell]);
        self.tables.scoring.leaf_value(view.potential, best.unwrap_or(0), four_three)
    }

    /// Minus the value of the node after `cell`.
    fn child(&mut self, cell: usize, ply: usize, left: (usize, usize), alpha: i32, beta: i32) -> i32 {
        self.board[cell] = Some((self.stones % 2) as u8);
        self.stones += 1;
        let value = -self.value(ply, left, -beta, -alpha);
        self.stones -= 1;
        self.board[cell] = None;
        value
    }

    /// Rule 3: the reply costs an extension, else a level.
    fn forced_reply(
        &mut self,
        cell: usize,
        ply: usize,
        (depth, extensions): (usize, usize),
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let left = if extensions > 0 { (depth, extensions - 1) } else { (depth - 1, 0) };
        self.child(cell, ply + 1, left, alpha, beta)
    }

    /// Value of the board `ply` moves below the root with `left` = (levels, extensions): exact inside (alpha, beta),
    /// else a bound on its side.
    fn value(&mut self, ply: usize, left: (usize, usize), alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let tables = self.tables.clone();
        let (depth, extensions) = left;
        if self.stones == self.board.len() {
            return 0;
        }
        let view = self.view();
        if view.has(|cell| view.own.completes[cell]) {
            return tables.scoring.win_at(ply + 1);
        }
        if self.rules() >= RuleSet::Forced {
            match view.cells(|cell| view.other.completes[cell])[..] {
                [] => {}
                [cell] if depth > 0 || extensions > 0 => {
                    return self.forced_reply(cell, ply, left, alpha, beta);
                }
                [_] => return self.leaf_value(&view),
                _ => return -tables.scoring.win_at(ply + 2),
            }
        }
        if self.rules() >= RuleSet::Double && view.has(|cell| view.own.is_double(cell)) {
            return tables.scoring.win_at(ply + 3);
        }
        if depth == 0 {
            return self.leaf_value(&view);
        }
        let mut best = i32::MIN;
        let (moves, least) = self.moves(&view, self.levels - depth);
        for (_, cell) in moves {
            best = best.max(self.child(cell, ply + 1, (depth - 1, extensions), alpha.max(best), beta));
            if best >= beta {
                break;
            }
        }
        best.max(least)
    }

    fn root(&mut self) -> Option<RootDecision> {
        if self.over {
            return None;
        }
        self.nodes += 1;
        let tables = self.tables.clone();
        let infinity = tables.scoring.win_score;
        let left = (self.levels, tables.config.extensions);
        let view = self.view();
        let first = |cells: Vec<usize>| self.in_static_order(&view, cells).first().copied();
        let decided = |cell: usize, score: i32| Some(RootDecision { cell: cell as Cell, score });
        if self.stones == 0 {
            return first((0..self.board.len()).collect()).and_then(|cell| decided(cell, 0));
        }
        if let Some(cell) = first(view.cells(|cell| view.own.completes[cell])) {
            return decided(cell, tables.scoring.win_at(1));
        }
        if self.rules() >= RuleSet::Forced {
            let threats = view.cells(|cell| view.other.completes[cell]);
            if let [cell] = threats[..] {
                let score = self.forced_reply(cell, 0, left, -infinity, infinity);
                return decided(cell, score);
            }
            if let Some(cell) = first(threats) {
                return decided(cell, -tables.scoring.win_at(2));
            }
        }
        if self.rules() >= RuleSet::Double
            && let Some(cell) = first(view.cells(|cell| view.own.is_double(cell)))
        {
            return decided(cell, tables.scoring.win_at(3));
        }
        // The earlier in static order wins a tie, whichever is visited first.
        let mut best: Option<(i32, usize, usize)> = None;
        let (moves, least) = self.moves(&view, 0);
        for (place, cell) in moves {
            let alpha =
                best.map_or(-infinity, |(score, best_place, _)| score - i32::from(place < best_place));
            let score = self.child(cell, 1, (self.levels - 1, left.1), alpha, infinity);
            if score > alpha {
                best = Some((score, place, cell));
            }
        }
        best.and_then(|(score, _, cell)| decided(cell, score.max(least)))
    }
}

impl SoftwareEngine for NaiveEngine {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn describe(&self) -> String {
        "plain alpha-beta from the centre outward, every node recounts all windows from scratch".into()
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), IllegalMove> {
        let position = Position::from_moves(&self.tables, moves)?;
        self.over = position.is_over();
        self.stones = moves.len();
        self.board.fill(None);
        for (index, &cell) in moves.iter().enumerate() {
            self.board[cell as usize] = Some((index % 2) as u8);
        }
        Ok(())
    }

    fn decide(&mut self, levels: usize) -> SoftwareResult {
        self.levels = levels.clamp(1, self.tables.config.levels);
        self.nodes = 0;
        let decision = self.root();
        SoftwareResult { decision, nodes: self.nodes }
    }
}
