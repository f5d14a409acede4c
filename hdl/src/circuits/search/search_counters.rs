// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the search core counts and shows of itself.

use super::core::Core;
use super::search_requests::Passes;
use super::search_results::Arrived;
use super::visits::Request;
use super::words::{COUNTER_BITS, CYCLE_BITS, CoreStatus, LIMIT_BITS};
use crate::circuits::level::ports::LevelOutputs;
use crate::circuits::level::words::waiting_bits;
use crate::layout::{Decision, Layout, Returned};
use kit::{Sig, any_of, bundle, cat, when};

/// Counters of the last search, and clocks without a pass by cause; the other fields have no bits.
pub(super) fn counters<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    request: &Request<'m>,
    passes: &Passes<'m>,
) -> CoreStatus<Sig<'m>> {
    let (m, layout, game) = (core.m, core.layout, core.game);
    let any =
        |f: &dyn Fn(&LevelOutputs<Sig<'m>>) -> Sig<'m>| any_of(core.levels().map(|(_, level)| f(level)));
    let searching = game.searching;
    let context = m.wire("waits_for_context", any(&|level| level.waits_context));
    let order = m.wire("waits_for_order", any(&|level| level.waits_order));
    let first = m.wire("waits_for_first", any(&|level| level.waits_first));
    m.comment("The causes are those of the clock before.");
    let slot = m.wire("searches_slot", searching & passes.slot);
    let order_waits = m.wire("order_waits", slot & !passes.ahead & request.waits & request.is_order);
    let slot = m.cleared("slot_searched", slot);
    let passed = m.wire("passed", slot & passes.came);
    let idle = m.wire("idle_slot", slot & !passes.came);
    let ordered_again = m.wire("ordered_again", m.cleared("order_waited", order_waits) & passes.came);
    let missed = m.delayed("missed", request.missed);
    let late = |name: &str, value: Sig<'m>| m.delayed(&format!("{name}_q"), value);
    let missed = late("missed", missed);
    let (context, order) = (late("waits_for_context", context), late("waits_for_order", order));
    // Else the levels keep it themselves.
    let first = if layout.shortens_paths() { first } else { late("waits_for_first", first) };
    let unmissed = idle & !missed;
    let by_miss = m.wire("by_miss", idle & missed);
    let by_context = m.wire("by_context", unmissed & context);
    let by_order = m.wire("by_order", unmissed & !context & order);
    let by_first = m.wire("by_first", unmissed & !context & !order & first);
    let dropped = m.cleared("dropped_stale", core.result.valid & !arrived.fresh);
    let counts = m.cleared("counts", m.wire("node_counts", searching & arrived.node));
    let length = m.delayed("counted_length", core.result.tag.length);
    m.comment(
        "Counters of the last search, a clock behind it: they are many, and all of them begin at once.",
    );
    let counting = m.cleared("counting", game.counting);
    let counted = m.cleared("counted", counting);
    let starts = m.wire("search_starts", counting & !counted);
    let cycles = m.control("cycles", CYCLE_BITS, 0);
    m.at_edge([when(starts, [cycles.set(1)]).else_when(counting, [cycles.set(cycles + 1)])]);
    m.comment("A search has a limit, and has reached it a clock ago.");
    let limit = core.command.limit;
    let long = cycles.bits(LIMIT_BITS..CYCLE_BITS).any();
    let expired = m.delayed("expired", long | cycles.bits(0..LIMIT_BITS).at_least(limit));
    {
        let mut to_game = core.to_game.borrow_mut();
        to_game.limited = Some(m.delayed("limited", limit.any()));
        to_game.expired = Some(expired);
    }
    let counter = |name: &str, event: Sig<'m>| {
        let event = m.cleared(&format!("{name}_event"), event);
        let counter = m.control(name, COUNTER_BITS, 0);
        m.at_edge([when(starts, [counter.set(0)]).else_when(event, [counter.set(counter + 1)])]);
        counter
    };
    let nodes = (1..=layout.max_path).map(|ply| counter(&format!("nodes_{ply}"), counts & length.is(ply)));
    let nodes = bundle(nodes);
    CoreStatus {
        cycles,
        passes: counter("passes", passed),
        stale: counter("stale", dropped),
        orders: counter("orders", ordered_again),
        misses: counter("misses", by_miss),
        waits_context: counter("waits_context", by_context),
        waits_order: counter("waits_order", by_order),
        waits_first: counter("waits_first", by_first),
        nodes,
        ..CoreStatus::uniform(m.zero(0))
    }
}

/// Bits of what the trace shows of a clock: a search is under way, a pass may be issued, one is, a visit's last clock found no move.
pub const CLOCK_BITS: usize = 4;

kit::record! {
    /// What the co-simulation looks at.
    pub struct Traces {
        /// A node retires.
        trace_node_valid,
        /// {winners, fresh, result, tag}.
        trace_node,
        /// A level returns, a bit each.
        trace_return_valid,
        /// What, a level's return each, the root's lowest.
        trace_return,
        /// A search has decided.
        trace_decision_valid,
        /// What.
        trace_decision,
        /// A context is not free though no search is under way.
        trace_held,
        /// Of a clock: a search is under way, a pass may be issued, one is, a visit found no move, the first lowest.
        trace_clock,
        /// What each context waits for, the root's level lowest.
        trace_waiting,
    }
}

/// Widths of what the co-simulation looks at.
pub fn trace_widths(layout: &Layout) -> Traces<usize> {
    let levels = layout.config.levels;
    Traces {
        trace_node: layout.winners_width() + 1 + layout.result.width() + layout.tag.width(),
        trace_return_valid: levels,
        trace_return: levels * layout.returned.width(),
        trace_decision: layout.decision.width(),
        trace_clock: CLOCK_BITS,
        trace_waiting: (1..=levels).map(|level| waiting_bits(layout, level)).sum(),
        ..Traces::uniform(1)
    }
}

/// A level and what it says.
type Said<'a, 'm> = (usize, &'a LevelOutputs<Sig<'m>>);

/// What the co-simulation looks at; the winners come `winners_delay` clocks before their result.
pub(super) fn traces<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    request: &Request<'m>,
    passes: &Passes<'m>,
    winners_delay: usize,
) -> Traces<Sig<'m>> {
    let (m, layout, game) = (core.m, core.layout, core.game);
    m.comment("Traces.");
    let winners = m.delay("winners_q", core.evaluate.get("winners"), winners_delay);
    // With a new game nothing of the old one counts, though its results come until the levels have stopped.
    let fresh = arrived.fresh & !core.command.clear;
    let returned = |(level, outputs): (usize, &LevelOutputs<Sig<'m>>)| {
        core.store.drive(&format!("trace_context_{level}"), core.context_of(level, outputs.done_row));
        let node = layout.kept_node().unpack(core.store.get(&format!("trace_node_{level}")));
        Returned {
            path: node.path,
            length: node.length,
            extensions: node.extensions,
            value: outputs.done_value,
            bound: outputs.done_bound,
        }
        .pack()
    };
    let of_levels = |f: &dyn Fn(Said<'_, 'm>) -> Sig<'m>| bundle(core.levels().map(f));
    let held = any_of(core.levels().map(|(_, level)| level.held));
    let searching = m.aresetn() & game.searching;
    Traces {
        trace_node_valid: core.result.valid,
        trace_node: cat([winners, fresh, core.result.packed, core.result.packed_tag]),
        trace_return_valid: of_levels(&|(_, level)| level.done_new),
        trace_return: of_levels(&returned),
        trace_decision_valid: game.decided,
        trace_decision: Decision { cell: game.decided_cell, score: game.score }.pack(),
        trace_held: !game.searching & held,
        trace_clock: bundle(&[searching, passes.slot, passes.valid, request.missed]),
        trace_waiting: of_levels(&|(_, level)| level.trace_waiting),
    }
}
