// SPDX-License-Identifier: MIT OR Apache-2.0
//! A search under a time limit, by iterations of growing depth.

use super::command::Place;
use engine_model::position::Tables;
use engine_model::{Cell, Decision, Engine, EngineError, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A deeper iteration of an engine that cannot be stopped is begun if so many times the last one's time is left.
const GROWTH: u32 = 8;

/// Time between two wishes to stop.
const REPEAT: Duration = Duration::from_millis(5);

/// What bounds a search.
pub(super) struct Bounds<'a> {
    /// Its time; none: as long as it takes.
    pub budget: Option<Duration>,
    /// Its nodes, those of all its iterations together; none: as many as it takes.
    pub nodes: Option<u64>,
    /// Most levels.
    pub most: usize,
    /// The time since the budget began.
    pub spent: &'a dyn Fn() -> Duration,
    /// Whether somebody wants it to end.
    pub halted: &'a AtomicBool,
}

/// Searches the position after these moves: the last iteration that ended in time, and its levels. The first one runs to its end
/// whatever it takes, for there must be a move; without a limit of time or nodes there is only one, of all levels, and a shallow one if
/// that is halted. Nodes are known when an iteration ends: one is begun while there is room for [`GROWTH`] times the last one's. `found` hears of each.
pub(super) fn think(
    engine: &mut dyn Engine,
    moves: &[Cell],
    bounds: &Bounds,
    found: &mut dyn FnMut(&Decision, usize),
) -> Result<(Decision, usize), EngineError> {
    let &Bounds { budget, nodes, most, spent, halted } = bounds;
    let stop = engine.stop();
    let step = engine.step();
    let mut search = |levels| {
        engine.set_position(moves)?;
        let decision = engine.search(Some(levels))?;
        let over = engine.decided(decision.score).is_some();
        found(&decision, levels);
        Ok((decision, over))
    };
    // The cheapest search that there is where nodes are counted.
    let mut levels = if nodes.is_some() { 1 } else { step.min(most) };
    if budget.is_none() && nodes.is_none() {
        let whole = match &stop {
            Some(stop) => within(stop, Duration::MAX, halted, || search(most)),
            None => search(most),
        };
        return match whole {
            Err(EngineError::Stopped) => Ok((search(levels)?.0, levels)),
            whole => Ok((whole?.0, most)),
        };
    }
    let (mut decision, mut over) = search(levels)?;
    let mut before = Duration::ZERO;
    let mut visited = decision.nodes;
    // Who has won or lost need not look deeper.
    while levels < most && !over && !halted.load(Ordering::Relaxed) {
        let now = spent();
        let of_this = now.saturating_sub(before);
        before = now;
        let budget = budget.unwrap_or(Duration::MAX);
        let Some(left) = budget.checked_sub(now).filter(|left| !left.is_zero()) else { break };
        let growth = decision.nodes.saturating_mul(GROWTH.into());
        if nodes.is_some_and(|most| visited.saturating_add(growth) > most) {
            break;
        }
        let next = (levels - levels % step + step).min(most);
        let deeper = match &stop {
            Some(stop) => within(stop, left, halted, || search(next)),
            None if of_this * GROWTH < left => search(next),
            None => break,
        };
        (decision, over) = match deeper {
            Err(EngineError::Stopped) => break,
            deeper => deeper?,
        };
        visited += decision.nodes;
        levels = next;
    }
    Ok((decision, levels))
}

/// Works, and stops the work after a time or when it is to be halted.
pub(super) fn within<T>(stop: &Stop, time: Duration, halted: &AtomicBool, work: impl FnOnce() -> T) -> T {
    stop.clear();
    let (working, ended) = channel::<()>();
    let result = std::thread::scope(|scope| {
        scope.spawn(move || {
            let begin = Instant::now();
            loop {
                // The other end goes when the work is done. Until then the wish is repeated: work of several steps may begin one
                // by forgetting it.
                let left = time.saturating_sub(begin.elapsed());
                let wait = if left.is_zero() { REPEAT } else { left.min(REPEAT) };
                if ended.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                if begin.elapsed() >= time || halted.load(Ordering::Relaxed) {
                    stop.set();
                }
            }
        });
        let result = work();
        drop(working);
        result
    });
    stop.clear();
    result
}

/// A cell as managers write it.
pub(super) fn place(tables: &Tables, cell: Cell) -> Place {
    let point = tables.geometry.point(cell);
    Place { x: point.x, y: point.y }
}

/// An iteration that has ended, as managers show it while the search goes on.
pub(super) fn on_the_way(
    tables: &Tables,
    decision: &Decision,
    levels: usize,
    spent: Duration,
) -> Vec<String> {
    let Some(best) = decision.cell.map(|cell| place(tables, cell)) else { return Vec::new() };
    vec![
        "MESSAGE REALTIME REFRESH".into(),
        format!("MESSAGE REALTIME BEST {best}"),
        format!(
            "MESSAGE DEPTH {levels}-{levels} EV {} N {} TM {} PV {best}",
            decision.score,
            decision.nodes,
            spent.as_millis()
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_stopped_in_time_and_not_before() {
        let stop = Stop::default();
        stop.set();
        let halted = AtomicBool::new(false);
        assert!(
            !within(&stop, Duration::from_secs(100), &halted, || stop.is_set()),
            "an old wish does not count"
        );
        let begin = Instant::now();
        within(&stop, Duration::from_millis(20), &halted, || while !stop.is_set() {});
        assert!(begin.elapsed() >= Duration::from_millis(20));
        // Somebody wants it to end: long before its time.
        halted.store(true, Ordering::Relaxed);
        within(&stop, Duration::from_secs(100), &halted, || while !stop.is_set() {});
        assert!(begin.elapsed() < Duration::from_secs(50));
        assert!(!stop.is_set(), "the next one may begin");
    }
}
