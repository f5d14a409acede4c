// SPDX-License-Identifier: MIT OR Apache-2.0
//! A search under a time limit, by iterations of growing depth.

use engine_model::{Cell, Decision, Engine, EngineError, Stop};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A deeper iteration of an engine that cannot be stopped is begun if so many times the last one's time is left.
const GROWTH: u32 = 8;

/// Time between two wishes to stop.
const REPEAT: Duration = Duration::from_millis(5);

/// Searches the position after these moves: the last iteration that ended in time, and its levels. The first one runs to its end
/// whatever it takes, for there must be a move; without a budget there is only one, of `most` levels. `spent` tells the time since
/// the budget began.
pub(super) fn think(
    engine: &mut dyn Engine,
    moves: &[Cell],
    budget: Option<Duration>,
    most: usize,
    spent: &dyn Fn() -> Duration,
) -> Result<(Decision, usize), EngineError> {
    let stop = engine.stop();
    let step = engine.step();
    let mut search = |levels| {
        engine.set_position(moves)?;
        let decision = engine.search(Some(levels))?;
        let over = engine.decided(decision.score).is_some();
        Ok((decision, over))
    };
    let Some(budget) = budget else { return Ok((search(most)?.0, most)) };
    let mut levels = step.min(most);
    let (mut decision, mut over) = search(levels)?;
    let mut before = Duration::ZERO;
    // Who has won or lost need not look deeper.
    while levels < most && !over {
        let now = spent();
        let of_this = now.saturating_sub(before);
        before = now;
        let Some(left) = budget.checked_sub(now).filter(|left| !left.is_zero()) else { break };
        let next = (levels + step).min(most);
        let deeper = match &stop {
            Some(stop) => within(stop, left, || search(next)),
            None if of_this * GROWTH < left => search(next),
            None => break,
        };
        (decision, over) = match deeper {
            Err(EngineError::Stopped) => break,
            deeper => deeper?,
        };
        levels = next;
    }
    Ok((decision, levels))
}

/// Works, and stops the work after a time.
pub(super) fn within<T>(stop: &Stop, time: Duration, work: impl FnOnce() -> T) -> T {
    stop.clear();
    let (working, ended) = channel::<()>();
    let result = std::thread::scope(|scope| {
        scope.spawn(move || {
            // The other end goes when the work is done. Until then the wish is repeated: work of several steps may begin one by
            // forgetting it.
            let mut wait = time;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                stop.set();
                wait = REPEAT;
            }
        });
        let result = work();
        drop(working);
        result
    });
    stop.clear();
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn work_is_stopped_in_time_and_not_before() {
        let stop = Stop::default();
        stop.set();
        assert!(!within(&stop, Duration::from_secs(100), || stop.is_set()), "an old wish does not count");
        let begin = Instant::now();
        within(&stop, Duration::from_millis(20), || while !stop.is_set() {});
        assert!(begin.elapsed() >= Duration::from_millis(20));
        assert!(!stop.is_set(), "the next one may begin");
    }
}
