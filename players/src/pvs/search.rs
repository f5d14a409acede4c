// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search of one thread below the root.

use super::memory::Memory;
use super::options::{MOST, Options};
use super::table::{Bound, Entry, Table};
use crate::hash::key_of;
use crate::opponents::board::Board;
use crate::opponents::tuples::Tuples;
use crate::opponents::{WIN, WINS};
use engine_model::config::Config;
use engine_model::engine::Stop;
use engine_model::geometry::Cell;
use engine_model::position::Position;
use std::cmp::Reverse;
use std::sync::Arc;

/// Nodes between two looks at the stop flag.
const LOOK: u64 = 1 << 10;

/// Columns and rows of the stones' rectangle: first and last of each.
type Rectangle = [usize; 4];

/// What all threads of a search have in common.
pub(super) struct Shared {
    pub(super) table: Arc<Table>,
    pub(super) memory: Arc<Memory>,
    pub(super) stop: Stop,
}

/// One thread's search.
pub(super) struct Searcher {
    board: Board,
    shared: Shared,
    margin: usize,
    /// Per cell: how often and how deep it cut.
    history: Option<Vec<u32>>,
    /// Per ply: the last two moves that cut.
    killers: Vec<[Option<Cell>; 2]>,
    key: u64,
    /// Over the keys of the table.
    salt: u64,
    rectangles: Vec<Rectangle>,
    nodes: u64,
    /// Nodes at which the stop flag is looked at next.
    next_look: u64,
}

impl Searcher {
    pub(super) fn new(config: &Config, options: &Options, shared: Shared, position: &Position) -> Searcher {
        let board = Board::new(config, Box::new(Tuples::new(config)));
        let (cells, salt) = (board.geometry.cells(), shared.memory.salt());
        let mut searcher = Searcher {
            board,
            shared,
            margin: options.margin,
            history: options.history.then(|| vec![0; cells]),
            killers: vec![[None; 2]; MOST + 1],
            key: 0,
            salt,
            rectangles: vec![[usize::MAX, 0, usize::MAX, 0]],
            nodes: 0,
            next_look: LOOK,
        };
        for &cell in position.moves() {
            searcher.place(cell);
        }
        searcher
    }

    /// Key of the position.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// Nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    fn place(&mut self, cell: Cell) -> bool {
        self.key ^= key_of(cell, self.board.to_move());
        let point = self.board.geometry.point(cell);
        let [left, right, top, bottom] = self.rectangles[self.rectangles.len() - 1];
        self.rectangles.push([left.min(point.x), right.max(point.x), top.min(point.y), bottom.max(point.y)]);
        self.board.place(cell)
    }

    fn remove(&mut self, cell: Cell) {
        self.board.remove();
        self.rectangles.pop();
        self.key ^= key_of(cell, self.board.to_move());
    }

    /// Empty cells within the margin of the rectangle; the centre on the empty board.
    fn moves(&self) -> Vec<Cell> {
        if self.board.moves().is_empty() {
            return self.board.candidates(false);
        }
        let [left, right, top, bottom] = self.rectangles[self.rectangles.len() - 1];
        let geometry = &self.board.geometry;
        let rows = top.saturating_sub(self.margin)..=(bottom + self.margin).min(geometry.rows - 1);
        let columns = left.saturating_sub(self.margin)..=(right + self.margin).min(geometry.columns - 1);
        let cells = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        let cells = cells.filter_map(|(x, y)| geometry.cell(x, y));
        let found: Vec<Cell> = cells.filter(|cell| self.board.is_empty(*cell)).collect();
        if found.is_empty() { self.board.candidates(true) } else { found }
    }

    /// The moves in the order of their promise.
    pub(super) fn ordered(&self, ply: usize, best: Option<Cell>) -> Vec<Cell> {
        let mut cells = self.moves();
        cells.sort_by_cached_key(|&cell| {
            let urgency = self.board.urgency(cell);
            let history = self.history.as_ref().map_or(0, |history| history[usize::from(cell)]);
            let killer = self.history.is_some() && self.killers[ply].contains(&Some(cell));
            // What makes or closes a four goes before anything that only cut elsewhere.
            let class = if Some(cell) == best {
                3
            } else if urgency >= 4_000 {
                2
            } else {
                u8::from(killer)
            };
            let rank = self.board.geometry.rank[usize::from(cell)];
            Reverse((class, i64::from(urgency) + i64::from(history) / 64, Reverse(rank)))
        });
        cells
    }

    fn cut(&mut self, cell: Cell, depth: usize, ply: usize) {
        if let Some(history) = &mut self.history {
            let count = &mut history[usize::from(cell)];
            *count = count.saturating_add((depth * depth) as u32);
            if self.killers[ply][0] != Some(cell) {
                self.killers[ply] = [Some(cell), self.killers[ply][0]];
            }
        }
    }

    /// Value for the mover of playing a cell with `depth` levels left; nothing when the search is to stop.
    pub(super) fn after(
        &mut self,
        cell: Cell,
        depth: usize,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let won = self.place(cell);
        self.nodes += 1;
        let value = if won {
            Some(WIN - (ply as i32 + 1))
        } else if self.board.is_full() {
            Some(0)
        } else if let Some(plies) = self.shared.memory.get(self.key) {
            // What was learnt goes before what is seen.
            let after = ply as i32 + 1 + plies.abs();
            Some(if plies > 0 { after - WIN } else { WIN - after })
        } else if depth == 1 {
            Some(-self.board.value())
        } else {
            self.value(depth - 1, ply + 1, -beta, -alpha).map(|value| -value)
        };
        self.remove(cell);
        value
    }

    /// Value for the mover, fail-soft; nothing when the search is to stop.
    fn value(&mut self, depth: usize, ply: usize, mut alpha: i32, beta: i32) -> Option<i32> {
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + LOOK;
            if self.shared.stop.is_set() {
                return None;
            }
        }
        let known = self.shared.table.get(self.key ^ self.salt);
        if let Some(entry) = known.filter(|entry| usize::from(entry.depth) == depth) {
            let value = here(entry.value, ply);
            match entry.bound {
                Bound::Exact => return Some(value),
                Bound::Lower if value >= beta => return Some(value),
                Bound::Upper if value <= alpha => return Some(value),
                _ => {}
            }
        }
        let (mut best, mut best_cell, asked) = (-WIN, None, alpha);
        for cell in self.ordered(ply, known.map(|entry| entry.best)) {
            // The first with the whole window, the others only to see whether they are better.
            let value = if best_cell.is_none() {
                self.after(cell, depth, ply, alpha, beta)?
            } else {
                let value = self.after(cell, depth, ply, alpha, alpha + 1)?;
                if value > alpha && value < beta { self.after(cell, depth, ply, alpha, beta)? } else { value }
            };
            if value > best || best_cell.is_none() {
                (best, best_cell) = (value, Some(cell));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.cut(cell, depth, ply);
                break;
            }
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best <= asked => Bound::Upper,
            _ => Bound::Exact,
        };
        let entry = Entry {
            depth: depth as u8,
            bound,
            value: anywhere(best, ply),
            best: best_cell.unwrap_or_default(),
        };
        self.shared.table.put(self.key ^ self.salt, entry);
        Some(best)
    }
}

/// A value as it is kept: a win counts from the position, not from the root.
fn anywhere(value: i32, ply: usize) -> i32 {
    match value {
        value if value > WINS => value + ply as i32,
        value if value < -WINS => value - ply as i32,
        value => value,
    }
}

/// A kept value seen from this ply.
fn here(value: i32, ply: usize) -> i32 {
    match value {
        value if value > WINS => value - ply as i32,
        value if value < -WINS => value + ply as i32,
        value => value,
    }
}
