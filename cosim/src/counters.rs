// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core's own counters against what came by on the trace.

use crate::lockstep::{Fault, Session};
use crate::passed::Passed;
use crate::waits::Waits;
use hdl::stream::selector;

impl Session {
    /// Compares the counters of a search with the nodes and passes that came by, and its cycles with what they say: every clock is a
    /// pass, or one of those in which none was issued for a cause that is counted, or one in which nothing was to be done.
    pub fn check_counters(
        &mut self,
        nodes_at_ply: &[u64],
        passed: Passed,
        waits: Waits,
        cycles: u64,
    ) -> Result<(), Fault> {
        let same = |counter: &str, expected: u64, got: u32| match u64::from(got) == expected {
            true => Ok(()),
            false => Err(Fault::Counter { counter: counter.into(), expected, got: got.into() }),
        };
        let [passes, stale] = self.read(selector::PASSES)?;
        same("passes", passed.passes, passes)?;
        same("results dropped as stale", passed.stale, stale)?;
        let [orders, waits_order] = self.read(selector::ORDERS)?;
        same("passes for order", passed.orders, orders)?;
        let [waits_first, waits_context] = self.read(selector::WAITS)?;
        let [misses, _] = self.read(selector::MISSES)?;
        same("clocks that wait for moves in order", waits.order, waits_order)?;
        same("clocks that wait for a first child", waits.first, waits_first)?;
        same("clocks that wait for a context", waits.context, waits_context)?;
        same("clocks behind visits without a move", waits.misses, misses)?;
        let clocks_per_pass = self.bench().layout().frame.slices as u64;
        let waits: u64 = [waits_order, waits_first, waits_context, misses].map(u64::from).iter().sum();
        let known = passed.passes * clocks_per_pass + waits;
        // The last pass may go on when the search has its decision.
        if known > cycles + clocks_per_pass - 1 {
            let counter = "cycles, fewer than passes and waits".to_string();
            return Err(Fault::Counter { counter, expected: known, got: cycles });
        }
        for ply in 1..=self.bench().layout().max_path {
            let expected = nodes_at_ply.get(ply).copied().unwrap_or(0);
            let [got, _] = self.read(selector::NODES + ply)?;
            same(&format!("nodes at ply {ply}"), expected, got)?;
        }
        Ok(())
    }
}
