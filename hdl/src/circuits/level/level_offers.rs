// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a level offers to be issued next, and why it offers nothing.

use super::contexts::{Contexts, Events, Offer, offer};
use super::late_choice::choose_late;
use super::ports::LevelInputs;
use super::words::{LEFT_BITS, Level, PENDING_BITS, Waiting, waiting};
use crate::kit::{First, Module, Sig, any_of, bundle, when};

/// What a context is ready for.
pub(super) struct Ready<'m> {
    /// Nothing is left of it.
    pub ends: Sig<'m>,
    /// It asks for something.
    pub asks: Sig<'m>,
    /// It is due.
    pub due: Sig<'m>,
    /// It may run ahead.
    ahead: Sig<'m>,
    /// Once it has been taken it may be offered again at once.
    twice: Sig<'m>,
}

/// What each context is ready for.
pub(super) fn readiness<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    input: &LevelInputs<Sig<'m>>,
) -> Vec<Ready<'m>> {
    m.comment("What each context is ready for.");
    (0..of.rows)
        .map(|r| {
            let row = contexts.rows[r];
            let (waits, has_returned) = (row.pending.is(0), row.returned.any());
            let returned = row.returned.zero_extend(PENDING_BITS);
            let (due, enough) = match of.root {
                true => (waits | has_returned, has_returned),
                false => (returned.at_least(row.pending), returned.more(row.pending)),
            };
            // Visits under way must not be more than the moves that are left for them.
            let (open, twice) = match of.beamed {
                true => (m.bit(true), m.bit(false)),
                false => {
                    let [left, visits] = [row.left, row.visits].map(|n| n.zero_extend(LEFT_BITS + 1));
                    let open = row.visits.is(0) | row.left.more(row.visits);
                    (open, enough & left.more(visits + 1))
                }
            };
            // The deepest level's children are leaves: they need no context.
            let room = if of.last { m.bit(true) } else { input.leaf_children | input.child_any };
            let wire = |name: &str, value| m.wire(&format!("{name}_{r}"), value);
            let idle = wire("idle", !row.has_moves & !row.order_wanted & !row.order_pending & waits);
            let full = row.pending.bit(PENDING_BITS - 1);
            let wants = row.has_moves.mux(room & open, row.order_wanted);
            let asks = wire("asks", row.active & !row.cut & !full & wants);
            Ready {
                ends: wire("ends", row.active & (row.cut | idle)),
                asks,
                due: wire("due", asks & due),
                ahead: wire("ahead", asks & has_returned),
                twice: wire("twice", asks & row.has_moves & twice),
            }
        })
        .collect()
}

/// The offer is chosen a clock before it can be taken. While it is not taken, it stays until something more urgent
/// takes its place; the next one is chosen among the others.
pub(super) fn offers<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    events: &[Events<'m>],
    ready: &[Ready<'m>],
    input: &LevelInputs<Sig<'m>>,
) {
    m.comment("The offer: a context that is due, else one that may run ahead.");
    let now = contexts.offer;
    let wants_order: Vec<Sig> = contexts.rows.iter().map(|row| !row.has_moves).collect();
    let offered = |class: &dyn Fn(&Ready<'m>) -> Sig<'m>| {
        any_of(ready.iter().zip(events).map(|(ready, event)| class(ready) & event.offered))
    };
    let other = |name: &str, class: &dyn Fn(&Ready<'m>) -> Sig<'m>| -> First<'m> {
        let others: Vec<Sig> =
            ready.iter().zip(events).map(|(ready, event)| class(ready) & !event.offered).collect();
        let first = m.first_set_with(&format!("other_{name}_row"), of.index, &others, &wants_order);
        First { any: m.wire(&format!("other_{name}"), first.any), ..first }
    };
    let other_due = other("due", &|ready| ready.due);
    let still_due = m.wire("still_due", offered(&|ready| ready.due));
    let other_ahead = other("ahead", &|ready| ready.ahead);
    let still_ahead = m.wire("still_ahead", offered(&|ready| ready.ahead));
    let still = events.iter().zip(&wants_order).map(|(event, wants)| event.offered & *wants);
    let still_order = m.wire("still_order", any_of(still));
    let other_row = m.wire("other_row", other_due.any.mux(other_due.number, other_ahead.number));
    let other_order = m.wire("other_order", other_due.any.mux(other_due.mark, other_ahead.mark));
    let again = m.wire("again", !now.offer_order & offered(&|ready| ready.twice));
    let keeps = m.wire("keeps", still_due | (!other_due.any & still_ahead));
    let others = m.wire("others", other_due.any | other_ahead.any);
    let order_if_taken = m.wire("order_if_taken", !again & other_order);
    let order_if_kept = m.wire("order_if_kept", keeps.mux(still_order, other_order));
    let needs = |order: Sig<'m>| if of.last { m.zero(0) } else { !order & !input.leaf_children };
    let if_taken = Offer {
        offer: again | others,
        offer_needs: needs(order_if_taken),
        offer_due: again | other_due.any,
        offer_order: order_if_taken,
        offer_row: again.mux(now.offer_row, other_row),
    };
    let if_kept = Offer {
        offer: keeps | others,
        offer_needs: needs(order_if_kept),
        offer_due: keeps.mux(still_due, other_due.any),
        offer_order: order_if_kept,
        offer_row: keeps.mux(now.offer_row, other_row),
    };
    let next = choose_late(m, "next_offer", input.take, if_taken.pack(), if_kept.pack());
    let next = offer(of).unpack(next);
    m.at_edge([when(input.clear, [now.offer.set(false)]).otherwise([now.offer.set(next.offer)])]);
    let data = now.fields().into_iter().zip(next.fields());
    m.at_edge(
        data.filter(|((name, to), _)| *name != "offer" && to.width > 0)
            .map(|((_, to), (_, from))| to.set(from)),
    );
}

/// Why nothing is issued: an order, a first child, a context is waited for.
pub(super) fn waits<'m>(
    m: &'m Module,
    contexts: &Contexts<'m>,
    ready: &[Ready<'m>],
    input: &LevelInputs<Sig<'m>>,
) -> [Sig<'m>; 3] {
    m.comment("Why nothing is issued.");
    let rows = || contexts.rows.iter();
    let order = any_of(rows().map(|row| row.active & row.order_pending));
    let first = any_of(ready.iter().map(|ready| ready.asks & !ready.due));
    let moves = any_of(rows().map(|row| row.active & !row.cut & row.has_moves));
    let context = !input.leaf_children & !input.child_any & moves;
    [("waits_order", order), ("waits_first", first), ("waits_context", context)]
        .map(|(name, value)| m.wire(name, value))
}

/// The same for the trace: what decides it, context by context.
pub(super) fn waiting_trace<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    input: &LevelInputs<Sig<'m>>,
) -> Sig<'m> {
    let shown = contexts.rows.iter().map(|row| {
        let counted = |count: Sig<'m>| if of.beamed { m.zero(waiting(of.layout).left) } else { count };
        Waiting {
            active: row.active,
            cut: row.cut,
            has_moves: row.has_moves,
            order_wanted: row.order_wanted,
            order_pending: row.order_pending,
            pending: row.pending,
            returned: row.returned,
            // A beam counts otherwise.
            left: counted(row.left),
            visits: counted(row.visits),
            alpha: row.alpha,
            limit: row.limit,
        }
        .pack()
    });
    bundle(&shown.chain([input.leaf_children, input.child_any]).collect::<Vec<_>>())
}
