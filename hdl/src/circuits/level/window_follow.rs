// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which windows are written because a context starts or the window above has changed.

use super::words::Level;
use kit::{Circuit, Module};

/// A context whose window has been read (one is `seen`, its bit set in `seen_at`) takes the window above unless another is written in this
/// clock, by a `start` or an `update`. What was read must be `fresh` and the context `active`; `up_higher` and `up_lower` tell where the
/// window above is narrower. `starts` has the bit of a context that starts. Out, but for the deepest level, whether that `changes`
/// anything; a bit each: `settles` (it is up to date), `anyway` (alpha is written), `lowers` (the limit is, by the window above); whether
/// any alpha is written, `writes`, any limit, `narrows`. A module of its own, so that a synthesizer that optimizes module by module leaves
/// what is known late few tables. No clock.
pub(super) fn window_follow(of: &Level) -> Circuit {
    let m = Module::combinational(
        &format!("window_follow_{}{}", of.rows, if of.last { "_last" } else { "" }),
        "Which windows are written because a context starts or the window above has changed.\nCombinational.",
    );
    let [seen_at, starts] = ["seen_at", "starts"].map(|name| m.input(name, of.rows));
    let [start, update, seen, fresh, active, up_higher, up_lower] =
        ["start", "update", "seen", "fresh", "active", "up_higher", "up_lower"].map(|name| m.input(name, 1));
    let settled = m.wire("settled", fresh & !start & !update);
    let [higher, lower] = [("higher", up_higher), ("lower", up_lower)]
        .map(|(name, narrower)| m.wire(name, settled & active & narrower));
    if !of.last {
        m.output("changes", seen & (higher | lower));
    }
    m.output("settles", starts | (seen_at & settled.times(of.rows)));
    m.output("anyway", starts | (seen_at & higher.times(of.rows)));
    m.output("lowers", seen_at & lower.times(of.rows));
    m.output("writes", start | (seen & higher));
    m.output("narrows", start | (seen & lower));
    m.circuit()
}
