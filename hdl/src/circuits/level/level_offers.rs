// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a level offers to be issued next, and why it offers nothing.

use super::contexts::{Contexts, Events, Row};
use super::late_choice::choose_late;
use super::offer_choice::{offer_choice, offer_of};
use super::ports::LevelInputs;
use super::words::{Ahead, LEFT_BITS, Level, Waiting, waiting};
use kit::{Module, Sig, any_of, bundle, cat, when};

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
    /// Once it has been taken it may be offered again at once; `None` where no context is visited in two clocks in a row.
    twice: Option<Sig<'m>>,
    /// What it is ready for is a pass for order.
    order: Sig<'m>,
}

/// How many children are in flight against how many have returned: whether as many are allowed, and one more.
fn allowed<'m>(m: &'m Module, of: &Level, row: &Row<Sig<'m>>, after_update: bool) -> [Sig<'m>; 2] {
    let returned = row.returned.zero_extend(row.pending.width) + if after_update { 2 } else { 0 };
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
            // Its highest bit, or both highest ones.
            let full = row.pending.bits(of.most_pending.trailing_zeros() as usize..row.pending.width).all();
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
            let first_known = row.returned.any() | event.updates;
            let opened = begins_early(of, &row, input).map_or(first_known, |early| first_known | early);
            let [due, ahead] = match of.layout.shortens_paths() {
                // Whether a visit begins is known late.
                true => {
                    let not_taken = [asks & may, asks & opened];
                    let taken = not_taken.map(|ready| contexts.offered[r].mux(again, ready));
                    let name = format!("next_ready_{r}");
                    let late = choose_late(m, &name, input.take, cat(taken), cat(not_taken));
                    [late.bit(1), late.bit(0)]
                }
                false => [event.takes.mux(again, asks & may), event.takes.mux(again, asks & opened)],
            };
            let register = |name: &str| m.control(&format!("{name}_{r}"), 1, 0);
            let mut said = vec![(register("due"), due), (register("ahead"), ahead)];
            if of.layout.visits_in_a_row() {
                said.push((register("twice"), again & !event.takes));
            }
            m.at_edge([when(input.clear, said.iter().map(|(is, _)| is.set(false)))
                .otherwise(said.iter().map(|(is, next)| is.set(*next)))]);
            let nobody = event.updates.mux(row.pending.is(1), row.pending.is(0));
            let asks_nothing = !row.has_moves & !row.order_wanted & !row.order_pending;
            let idle = m.cleared(&format!("idle_{r}"), row.active & asks_nothing & nobody & !event.takes);
            Ready {
                waits: would & !now[0],
                idle,
                due: said[0].0,
                ahead: said[1].0,
                twice: said.get(2).map(|(is, _)| *is),
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
    if of.layout.visits_in_a_row() {
        choice.drive("twice", bundle(ready.iter().filter_map(|ready| ready.twice)));
    }
    choice.drive("order", each(&|ready| ready.order));
    choice.drive("cut", bundle(&contexts.all(|row| row.cut)));
    choice.drive("offered", bundle(&contexts.offered));
    choice.drive("offer_row", now.offer_row);
    if of.layout.visits_in_a_row() {
        choice.drive("offer_order", now.offer_order);
    }
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

/// Why nothing is issued: an order, a first child (where paths are shortened, a clock ago), a context is waited for.
pub(super) fn waits<'m>(
    m: &'m Module,
    of: &Level,
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
    let order = m.wire("waits_order", order);
    let first = match of.layout.shortens_paths() {
        true => m.delayed("waits_first", first),
        false => m.wire("waits_first", first),
    };
    [order, first, m.wire("waits_context", context)]
}

/// The same for the trace: what decides it, context by context.
pub(super) fn waiting_trace<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    input: &LevelInputs<Sig<'m>>,
) -> Sig<'m> {
    let widths = waiting(of.layout);
    let windows = contexts.alpha.each(m).into_iter().zip(contexts.limit.each(m));
    let shown = contexts.rows.iter().zip(windows).map(|(row, (alpha, limit))| {
        let counted = |count: Sig<'m>| if of.beamed { m.zero(widths.left) } else { count };
        Waiting {
            active: row.active,
            cut: row.cut,
            has_moves: row.has_moves,
            order_wanted: row.order_wanted,
            order_pending: row.order_pending,
            pending: row.pending.zero_extend(widths.pending),
            returned: row.returned.zero_extend(widths.returned),
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
