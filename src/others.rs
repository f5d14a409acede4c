// SPDX-License-Identifier: MIT OR Apache-2.0
//! What other processes take of the processors meanwhile.

use lab::measure::machine::ticks;
use std::time::Instant;

/// A look at the counters.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    at: Instant,
    all: u64,
    own: u64,
}

/// Where there are counters.
pub fn now() -> Option<Look> {
    let read = |file| std::fs::read_to_string(file).ok();
    let (all, own) = ticks(&read("/proc/stat")?, &read("/proc/self/stat")?)?;
    Some(Look { at: Instant::now(), all, own })
}

/// Cores that others have used since a look, mean.
pub fn cores_since(before: Option<Look>) -> Option<f64> {
    let (before, after) = (before?, now()?);
    let ticks_per_second = rustix::param::clock_ticks_per_second() as f64;
    let ticks = (after.all - before.all).saturating_sub(after.own - before.own) as f64;
    let seconds = (after.at - before.at).as_secs_f64();
    (seconds > 0.0).then(|| ticks / ticks_per_second / seconds)
}
