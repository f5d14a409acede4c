// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search of one thread, and of all of them over the root's moves.

use super::Options;
use super::table::{Bound, Entry, Table};
use crate::config::Config;
use crate::geometry::Cell;
use crate::position::Position;
use crate::software::opponents::WIN;
use crate::software::opponents::board::Board;
use crate::software::opponents::tuples::Tuples;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Above this a value is a win in so many moves.
const WINS: i32 = WIN - 1_000;
/// Half of the first aspiration window, and how much wider it becomes after a miss: a four more or less, by five-tuples.
const WINDOW: i32 = 2_000;
const WIDER: i32 = 8;
/// Nodes between two looks at the stop flag.
const LOOK: u64 = 1 << 10;

/// A key for each stone of either side, made from its number (splitmix64).
fn key_of(cell: Cell, side: usize) -> u64 {
    let mut word = (u64::from(cell) * 2 + side as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Columns and rows of the stones' rectangle: first and last of each.
type Rectangle = [usize; 4];

/// One thread's search.
pub(super) struct Searcher {
    board: Board,
    table: Arc<Table>,
    stop: Arc<AtomicBool>,
    margin: usize,
    /// Per cell: how often and how deep it cut.
    history: Option<Vec<u32>>,
    /// Per ply: the last two moves that cut.
    killers: Vec<[Option<Cell>; 2]>,
    key: u64,
    rectangles: Vec<Rectangle>,
    nodes: u64,
    /// Nodes at which the stop flag is looked at next.
    next_look: u64,
}

impl Searcher {
    pub(super) fn new(
        config: &Config,
        options: &Options,
        table: Arc<Table>,
        stop: Arc<AtomicBool>,
        position: &Position,
    ) -> Searcher {
        let board = Board::new(config, Box::new(Tuples::new(config)));
        let cells = board.geometry.cells();
        let mut searcher = Searcher {
            board,
            table,
            stop,
            margin: options.margin,
            history: options.history.then(|| vec![0; cells]),
            killers: vec![[None; 2]; super::MOST + 1],
            key: 0,
            rectangles: vec![[usize::MAX, 0, usize::MAX, 0]],
            nodes: 0,
            next_look: LOOK,
        };
        for &cell in position.moves() {
            searcher.place(cell);
        }
        searcher
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
    fn ordered(&self, ply: usize, best: Option<Cell>) -> Vec<Cell> {
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
    fn after(&mut self, cell: Cell, depth: usize, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
        let won = self.place(cell);
        self.nodes += 1;
        let value = if won {
            Some(WIN - (ply as i32 + 1))
        } else if self.board.is_full() {
            Some(0)
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
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
        }
        let known = self.table.get(self.key);
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
        self.table.put(self.key, entry);
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

/// The best of the root's moves so far.
#[derive(Clone, Copy)]
struct Best {
    value: i32,
    /// Its place in the order.
    index: usize,
}

/// Deepens to `depth`: the best move, its value and all nodes. A search that is stopped answers the last depth it completed, at
/// least the first.
pub(super) fn deepen(
    searchers: &mut [Searcher],
    depth: usize,
    stop: &AtomicBool,
) -> Option<(Cell, i32, u64)> {
    let mut order = searchers[0].ordered(0, None);
    let mut found: Option<(Cell, i32)> = None;
    for depth in 1..=depth {
        let Some(best) = aspire(searchers, &order, depth, found.map(|(_, value)| value)) else {
            if found.is_none() {
                // Stopped before anything was known: the most promising move, as it stands.
                found = order.first().map(|cell| (*cell, 0));
            }
            break;
        };
        found = Some((order[best.index], best.value));
        // The best goes first, the others keep their places.
        let cell = order.remove(best.index);
        order.insert(0, cell);
        if best.value.abs() > WINS || stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let nodes = searchers.iter().map(|searcher| searcher.nodes).sum();
    found.map(|(cell, value)| (cell, value, nodes))
}

/// Searches the root in a window around the last value, in wider ones until the value is inside.
fn aspire(searchers: &mut [Searcher], order: &[Cell], depth: usize, last: Option<i32>) -> Option<Best> {
    let mut half = WINDOW;
    let (mut low, mut high) = match last {
        Some(value) => (value - half, value + half),
        None => (-WIN, WIN),
    };
    loop {
        let best = root(searchers, order, depth, low, high)?;
        if (best.value > low || low == -WIN) && (best.value < high || high == WIN) {
            return Some(best);
        }
        half = half.saturating_mul(WIDER);
        if best.value <= low {
            low = best.value.saturating_sub(half).max(-WIN);
        }
        if best.value >= high {
            high = best.value.saturating_add(half).min(WIN);
        }
    }
}

/// The root's moves, the first one alone, the others by whoever is free.
fn root(searchers: &mut [Searcher], order: &[Cell], depth: usize, low: i32, high: i32) -> Option<Best> {
    let value = searchers[0].after(order[0], depth, 0, low, high)?;
    let best = Mutex::new(Best { value, index: 0 });
    let (next, stopped) = (AtomicUsize::new(1), AtomicBool::new(false));
    let work = |searcher: &mut Searcher| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&cell) = order.get(index) else { break };
            let read = || *best.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let so_far = read();
            if so_far.value >= high {
                break;
            }
            // A move before the best so far wins a tie with it, one behind loses it.
            let floor = |best: Best| best.value.max(low) - i32::from(index < best.index);
            let alpha = floor(so_far);
            let mut value = searcher.after(cell, depth, 0, alpha, alpha + 1);
            if value.is_some_and(|value| value > alpha && value < high) {
                value = searcher.after(cell, depth, 0, alpha, high);
            }
            let Some(value) = value else {
                stopped.store(true, Ordering::Relaxed);
                break;
            };
            let mut best = best.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if value > best.value || value == best.value && index < best.index {
                *best = Best { value, index };
            }
        }
    };
    match searchers {
        [only] => work(only),
        all => std::thread::scope(|scope| {
            for searcher in all {
                scope.spawn(|| work(searcher));
            }
        }),
    }
    let best = best.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    (!stopped.load(Ordering::Relaxed)).then_some(best)
}
