// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a level offers to be issued next, and why it offers nothing.

use super::contexts::{Contexts, Events, Row};
use super::late_choice::choose_late;
use super::offer_choice::{offer_choice, offer_of};
use super::ports::LevelInputs;
use super::words::{Ahead, LEFT_BITS, Level, PENDING_BITS, Waiting, waiting};
use kit::{Module, Sig, any_of, bundle, when};

/// What a context is ready for.
pub(super) struct Ready<'m> {
    /// It asks for something and is not due: its first child, or those in flight, must return.
    waits: Sig<'m>,
    /// Nothing is left of it, if it is active.
    pub idle: Sig<'m>,
    /// It is due, if it is not cut; so are the following.
    due: Sig<'m>,
    /// It may run ahead.
    ahead: Sig<'m>,
    /// Once it has been taken it may be offered again at once.
    twice: Sig<'m>,
    /// What it is ready for is a pass for order.
    order: Sig<'m>,
}

/// How many children are in flight against how many have returned: whether as many are allowed, and one more.
fn allowed<'m>(m: &'m Module, of: &Level, row: &Row<Sig<'m>>, after_update: bool) -> [Sig<'m>; 2] {
    let returned = row.returned.zero_extend(PENDING_BITS) + if after_update { 2 } else { 0 };
    if of.frugal() {
        let none = row.pending.is(u64::from(after_update));
        let before = of.cuts_before();
        let [one, two] = [before, before + 1].map(|more| returned.more(row.pending + more));
        let all = if of.begins_all() { row.unlimited } else { m.bit(false) };
        return [none | one | all, two | all];
    }
    let has_returned = row.returned.any();
    match (of.root, after_update) {
        (true, true) => [m.bit(true); 2],
        (true, false) => [row.pending.is(0) | has_returned, has_returned],
        (false, _) => [returned.at_least(row.pending), returned.more(row.pending)],
    }
}

/// Whether a context may have moves searched before the value of its first is known; `None` where none ever may. It is asked of those
/// with a first child on its way, so that this one stays first.
fn begins_early<'m>(of: &Level, row: &Row<Sig<'m>>, input: &LevelInputs<Sig<'m>>) -> Option<Sig<'m>> {
    let may = match of.ahead {
        Some(Ahead::Root(beside)) => row.pending.any() & row.pending.less(beside as u64 + 1),
        Some(Ahead::Answers) => row.begun & row.eldest & input.above_holds,
        _ => return None,
    };
    Some(may & row.has_moves & !input.leaf_children)
}

/// Whether a context goes no further than its first child for now; `None` where none ever is.
fn held<'m>(of: &Level, row: &Row<Sig<'m>>, input: &LevelInputs<Sig<'m>>) -> Option<Sig<'m>> {
    match of.ahead? {
        Ahead::Root(_) => None,
        // What is searched beside the root's first move.
        Ahead::Answers => Some(input.above_holds & !row.eldest),
        Ahead::Held | Ahead::Below => Some(row.held),
    }
}

/// What each context is ready for. It is found a clock before somebody is chosen by it: what a child's value or being taken changes is
/// counted in, what else happens in that clock comes one later. A cut is seen at once.
pub(super) fn readiness<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    events: &[Events<'m>],
    input: &LevelInputs<Sig<'m>>,
) -> Vec<Ready<'m>> {
    m.comment("What each context is ready for.");
    (0..of.rows)
        .map(|r| {
            let (row, event) = (contexts.rows[r], events[r]);
            let wire = |name: &str, value| m.wire(&format!("{name}_{r}"), value);
            // Visits under way must not be more than the moves that are left for them.
            let [open, open_twice] = match of.beamed {
                true => [m.bit(true), m.bit(false)],
                false => {
                    let [left, visits] = [row.left, row.visits].map(|n| n.zero_extend(LEFT_BITS + 1));
                    [row.visits.is(0) | row.left.more(row.visits), left.more(visits + 1)]
                }
            };
            // The deepest level's children are leaves: they need no context.
            let room = if of.last { m.bit(true) } else { input.leaf_children | input.child_any };
            let full = row.pending.bit(PENDING_BITS - 1);
            let wants = row.has_moves.mux(room & open, row.order_wanted);
            let would = row.active & !row.cut & !full & wants;
            let (would, asks) = match held(of, &row, input) {
                None => {
                    let asks = wire("asks", would);
                    (asks, asks)
                }
                Some(held) => {
                    let would = wire("would_ask", would);
                    (would, wire("asks", would & !held))
                }
            };
            let [now, then] = [false, true].map(|after_update| allowed(m, of, &row, after_update));
            let [may, may_twice] = [0, 1].map(|i| event.updates.mux(then[i], now[i]));
            let again = wire("again", asks & row.has_moves & room & open_twice & may_twice);
            let due = event.takes.mux(again, asks & may);
            let first_known = row.returned.any() | event.updates;
            let opened = begins_early(of, &row, input).map_or(first_known, |early| first_known | early);
            let ahead = event.takes.mux(again, asks & opened);
            let register = |name: &str| m.control(&format!("{name}_{r}"), 1, 0);
            let [is_due, is_ahead, is_twice] = ["due", "ahead", "twice"].map(register);
            m.at_edge([when(input.clear, [is_due, is_ahead, is_twice].map(|is| is.set(false))).otherwise([
                is_due.set(due),
                is_ahead.set(ahead),
                is_twice.set(again & !event.takes),
            ])]);
            let nobody = event.updates.mux(row.pending.is(1), row.pending.is(0));
            let asks_nothing = !row.has_moves & !row.order_wanted & !row.order_pending;
            let idle = m.cleared(&format!("idle_{r}"), row.active & asks_nothing & nobody & !event.takes);
            Ready {
                waits: would & !now[0],
                idle,
                due: is_due,
                ahead: is_ahead,
                twice: is_twice,
                order: m.delayed(&format!("for_order_{r}"), !row.has_moves),
            }
        })
        .collect()
}

/// The offer is chosen a clock before it can be taken, by what contexts were ready for another clock before.
pub(super) fn offers<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    ready: &[Ready<'m>],
    input: &LevelInputs<Sig<'m>>,
) {
    m.comment("The offer: a context that is due, else one that may run ahead.");
    let now = contexts.offer;
    let choice = m.child("choice", offer_choice(of));
    let each = |of_ready: &dyn Fn(&Ready<'m>) -> Sig<'m>| bundle(ready.iter().map(of_ready));
    choice.drive("due", each(&|ready| ready.due));
    choice.drive("ahead", each(&|ready| ready.ahead));
    choice.drive("twice", each(&|ready| ready.twice));
    choice.drive("order", each(&|ready| ready.order));
    choice.drive("cut", bundle(&contexts.all(|row| row.cut)));
    choice.drive("offered", bundle(&contexts.offered));
    choice.drive("offer_row", now.offer_row);
    choice.drive("offer_order", now.offer_order);
    if !of.last {
        choice.drive("leaf_children", input.leaf_children);
    }
    let next = choose_late(m, "next_offer", input.take, choice.get("if_taken"), choice.get("if_kept"));
    let (next, next_at) = offer_of(of, next);
    for (r, offered) in contexts.offered.iter().enumerate() {
        m.at_edge([when(input.clear, [offered.set(false)]).otherwise([offered.set(next_at.bit(r))])]);
    }
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
    let first = any_of(ready.iter().map(|ready| ready.waits));
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
    let windows = contexts.alpha.each(m).into_iter().zip(contexts.limit.each(m));
    let shown = contexts.rows.iter().zip(windows).map(|(row, (alpha, limit))| {
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
            alpha,
            limit,
        }
        .pack()
    });
    bundle(shown.chain([input.leaf_children, input.child_any]))
}
