// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes through the evaluator, counted as they come out of it.

use crate::trace::TraceNode;
use hdl::Layout;
use hdl::document::node_latency;
use hdl::layout::PassKind;

/// Passes of searches that have come by, fresh or stale; those of the game controller apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// All of them.
    pub passes: u64,
    /// Of these for further moves in order.
    pub orders: u64,
    /// Results that the core dropped as stale.
    pub stale: u64,
}

impl Passed {
    /// What has come by since.
    pub fn since(self, before: Passed) -> Passed {
        Passed {
            passes: self.passes - before.passes,
            orders: self.orders - before.orders,
            stale: self.stale - before.stale,
        }
    }
}

/// Counts them, but those that were issued when their search had ended: the core does not count these either.
#[derive(Clone, Debug)]
pub struct Passing {
    passed: Passed,
    /// Clocks from a pass to its result.
    latency: u64,
    /// When the last decision came.
    ended: Option<u64>,
}

impl Passing {
    /// Of a core.
    pub fn new(layout: &Layout) -> Passing {
        Passing { passed: Passed::default(), latency: node_latency(layout) as u64, ended: None }
    }

    /// So far.
    pub fn so_far(&self) -> Passed {
        self.passed
    }

    /// A search has ended.
    pub fn ended(&mut self, cycle: u64) {
        self.ended = Some(cycle);
    }

    /// One more has come out.
    pub fn count(&mut self, cycle: u64, node: &TraceNode) {
        let tag = &node.tag;
        let order = matches!(tag.kind, PassKind::Order | PassKind::OrderFours | PassKind::OrderSurviving);
        // A gain, and a new root's evaluation, are asked for by the game controller.
        let of_game = tag.kind == PassKind::Probe || (tag.kind == PassKind::Node && tag.path.is_empty());
        // Levels that are still stopping issue some more; the next search begins with a new evaluation of its root.
        let after = self.latency..2 * self.latency;
        let late = self.ended.is_some_and(|ended| after.contains(&cycle.saturating_sub(ended)));
        if !of_game && !late {
            self.passed.passes += 1;
            self.passed.orders += u64::from(order);
        }
        self.passed.stale += u64::from(!node.fresh);
    }
}
