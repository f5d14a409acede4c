// SPDX-License-Identifier: MIT OR Apache-2.0
//! The root: deepening, aspiration, the root's moves shared out to the threads, the choice among near-equals.

use super::options::Options;
use super::search::Searcher;
use crate::opponents::{WIN, WINS};
use engine_model::engine::Stop;
use engine_model::geometry::Cell;
use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Half of the first aspiration window, and how much wider it becomes after a miss: a four more or less, by five-tuples.
const WINDOW: i32 = 2_000;
const WIDER: i32 = 8;

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) cell: Cell,
    /// For the mover.
    pub(super) value: i32,
    /// All threads'.
    pub(super) nodes: u64,
    /// Deepest depth that was completed.
    pub(super) depth: usize,
    /// It was to go deeper.
    pub(super) stopped: bool,
}

/// The best of the root's moves so far.
#[derive(Clone, Copy)]
struct Best {
    value: i32,
    /// Its place in the order.
    index: usize,
}

/// Deepens to `depth`: the root's moves with the best first, and what was found. A search that is stopped answers the last depth
/// it completed, before the first the most promising move.
pub(super) fn deepen(searchers: &mut [Searcher], depth: usize, stop: &Stop) -> Option<(Vec<Cell>, Found)> {
    let mut order = searchers[0].ordered(0, None);
    let cell = *order.first()?;
    let mut found = Found { cell, value: 0, nodes: 0, depth: 0, stopped: false };
    for level in 1..=depth {
        let last = (found.depth > 0).then_some(found.value);
        let best = if level > 1 && stop.is_set() { None } else { aspire(searchers, &order, level, last) };
        let Some(best) = best else {
            found.stopped = true;
            break;
        };
        // The best goes first, the others keep their places.
        let cell = order.remove(best.index);
        order.insert(0, cell);
        found = Found { cell, value: best.value, depth: level, ..found };
        if best.value.abs() > WINS {
            break;
        }
    }
    found.nodes = searchers.iter().map(Searcher::nodes).sum();
    Some((order, found))
}

/// Puts another move that is nearly as good in the best one's place, by a random number. A win is taken and a loss is delayed
/// as it stands; so is what was stopped.
pub(super) fn choose(
    searcher: &mut Searcher,
    order: &[Cell],
    found: &mut Found,
    options: &Options,
    random: u64,
) {
    if found.stopped || found.value.abs() > WINS {
        return;
    }
    let before = searcher.nodes();
    let best = found.value;
    let floor = best.saturating_sub(options.near.max(0)).max(-WINS);
    let mut near = vec![(best, order[0])];
    for &cell in &order[1..] {
        let Some(value) = searcher.after(cell, found.depth, 0, floor - 1, best + 1) else { return };
        if value >= floor {
            near.push((value, cell));
        }
    }
    // A stable order: the root's, where values are equal.
    near.sort_by_key(|(value, _)| Reverse(*value));
    near.truncate(options.choices);
    (found.value, found.cell) = near[(random % near.len() as u64) as usize];
    found.nodes += searcher.nodes() - before;
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
