// SPDX-License-Identifier: MIT OR Apache-2.0
//! One level of the search: the contexts of its nodes, what each may ask for next, and their returns.

use super::contexts::{Contexts, Row, events};
use super::level_cuts::cuts;
use super::level_free::free_contexts;
use super::level_offers::{offers, readiness, waiting_trace, waits};
use super::level_return::{Return, returns};
use super::level_rows::Rows;
use super::level_windows::windows;
use super::ports::{LevelInputs, LevelOutputs, inputs, outputs};
use super::words::{Ahead, Level};
use crate::layout::Layout;
use kit::{Circuit, Module, Sig, any_of, bundle};

/// Controls the nodes at one level, one context each: [`LevelInputs`] in, [`LevelOutputs`] out.
///
/// A node's first child is searched alone; then as many further children are in flight as have returned (due), and any number
/// when nothing else can be issued (it runs ahead); the root opens up at once after its first child. With `ahead` the root opens up a little
/// before, the answers to its first child are begun and held, and levels are frugal: fewer children are in flight than have returned. A context is reserved for a child when it is issued, starts when the
/// child's evaluation says that it is searched further, and is freed when it returns; children of a context that is
/// freed are killed one level a clock, and what of theirs is still in the evaluator carries an older generation.
///
/// A window is kept as alpha and limit = beta - 1: seen from the other side they are ~limit and ~alpha. It follows
/// the ancestors' by visits and, while there are none, for every context below one that `changed`. A value above the
/// limit cuts.
///
/// Read in the same clock are the window for a child, the generations, `drained_active`, `issue_alive`; a clock after `take` the
/// visit's, with the parent's window it is brought up to date; two after, its window now. A return stays until `done_ready`. One
/// update and one return a clock; reset and `clear` free every context.
pub fn level_controller(layout: &Layout, level: usize) -> Circuit {
    let of = &Level::new(layout, level);
    let module = Module::new(
        &of.kind(),
        &format!(
            "One level of the search with {} contexts: windows, cutoffs, what is issued next, returns.\n\
             One update and one return a clock; reset and clear free every context.",
            of.rows
        ),
        true,
    );
    let m = &module;
    let input = &inputs(of).inputs(m);
    let contexts = &Contexts::new(m, of, input);
    let events = &events(m, of, contexts, input);
    let ready = readiness(m, of, contexts, events, input);
    offers(m, of, contexts, &ready, input);
    let free = (!of.root).then(|| free_contexts(m, of, contexts, input));
    let windows = &windows(m, of, contexts, events, input);
    let returned = returns(m, of, contexts, &ready, windows.best_order, input);
    let reads = reads(m, of, contexts, &returned, windows.following.as_ref().map(|f| f.turn_row), input);
    let cuts = cuts(m, of, contexts, events, windows);
    let rows = Rows {
        m,
        of,
        contexts,
        events,
        input,
        windows,
        cuts: &cuts,
        frees: &returned.frees,
        free: free.as_ref().map(|free| free.at),
    };
    rows.describe();
    let [waits_order, waits_first, waits_context] = waits(m, of, contexts, &ready, input);
    let taken = contexts.rows.iter().flat_map(|row| [row.active, row.reserved]);
    let none = m.zero(0);
    let below = windows.for_children.as_ref();
    let outputs = LevelOutputs {
        offer: contexts.offer.offer,
        offer_due: contexts.offer.offer_due,
        offer_row: contexts.offer.offer_row,
        offer_order: contexts.offer.offer_order,
        offer_needs: contexts.offer.offer_needs,
        now_alpha: windows.now_alpha,
        now_closed: windows.now_closed,
        kill: bundle(&contexts.all(|row| row.kill)),
        holds: if outputs(of, level).holds > 0 { holds(of, contexts) } else { none },
        waits_order,
        waits_first,
        waits_context,
        held: any_of(taken.filter(|bit| bit.width > 0)),
        known_above: windows.known_exceeds.map_or(none, |[above, _]| above),
        known_cuts: windows.known_exceeds.map_or(none, |[_, cuts]| cuts),
        floor_above: windows.floor_above.unwrap_or(none),
        window_alpha: below.map_or(none, |below| below.visit.alpha),
        window_limit: below.map_or(none, |below| below.visit.limit),
        window_start_alpha: below.map_or(none, |below| below.start.alpha),
        window_start_limit: below.map_or(none, |below| below.start.limit),
        window_start_losses: below.map_or(none, |below| below.start_losses),
        changed: below.map_or(none, |below| below.changed),
        changed_row: below.map_or(none, |below| below.changed_row),
        free_any: free.as_ref().map_or(none, |free| free.any),
        free_both: free.as_ref().map_or(none, |free| free.both),
        first_free: free.as_ref().map_or(none, |free| free.first),
        second_free: free.as_ref().map_or(none, |free| free.second),
        visit_parent: windows.following.as_ref().map_or(none, |following| following.visit_parent),
        visit_order: windows.following.as_ref().and_then(|f| f.visit_order).unwrap_or(none),
        trace_waiting: if layout.config.trace { waiting_trace(m, of, contexts, input) } else { none },
        visit_active: reads.visit_active,
        visit_fours: reads.visit_fours,
        visit_surviving: reads.visit_surviving,
        visit_replies: reads.visit_replies,
        bound_alpha: reads.bound_alpha,
        visit_generation: reads.visit_generation,
        generation: reads.generation,
        start_generation: reads.start_generation,
        generation_stays: reads.generation_stays,
        generation_leaves: reads.generation_leaves,
        issue_alive: reads.issue_alive,
        drained_active: reads.drained_active,
        done: returned.done,
        done_new: returned.done_new,
        done_row: returned.done_row,
        done_value: if outputs(of, level).done_value > 0 { returned.done_value } else { none },
        done_turned: returned.done_turned.unwrap_or(none),
        done_keep: returned.done_keep,
        done_bound: returned.done_bound,
        done_order: returned.done_order.unwrap_or(none),
        done_parent: returned.done_parent.unwrap_or(none),
        done_parent_at: returned.done_parent_at.unwrap_or(none),
    };
    outputs.outputs(m);
    module.circuit()
}

/// What keeps contexts of the level below from going on before their time, of a level with moves ahead: a table at most behind registers.
fn holds<'m>(of: &Level, contexts: &Contexts<'m>) -> Sig<'m> {
    let awaited = |row: &Row<Sig<'m>>| !row.returned.any();
    match of.ahead {
        Some(Ahead::Root(_)) => awaited(&contexts.rows[0]),
        Some(Ahead::Answers) => bundle(&contexts.all(|row| row.begun & awaited(row))),
        _ => bundle(&contexts.all(|row| row.held)),
    }
}

/// What is read of contexts in the same clock.
struct Reads<'m> {
    visit_active: Sig<'m>,
    visit_fours: Sig<'m>,
    visit_surviving: Sig<'m>,
    visit_replies: Sig<'m>,
    bound_alpha: Sig<'m>,
    visit_generation: Sig<'m>,
    generation: Sig<'m>,
    start_generation: Sig<'m>,
    generation_stays: Sig<'m>,
    generation_leaves: Sig<'m>,
    issue_alive: Sig<'m>,
    drained_active: Sig<'m>,
}

fn reads<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    returned: &Return<'m>,
    turn_row: Option<Sig<'m>>,
    input: &LevelInputs<Sig<'m>>,
) -> Reads<'m> {
    m.comment("Reads.");
    let turn_row = turn_row.unwrap_or_else(|| m.zero(of.index));
    let active = contexts.read(m, "stays_active", input.generation_row, |row| row.active);
    let freed = match of.root {
        true => m.bit(false),
        // An active context's parent is long known: it is read a clock before, and what the level above kills is late.
        false if of.reads_parents_early => {
            let parent = contexts.read(m, "soon_parent_read", input.soon_row, |row| row.parent);
            m.select("stays_killed_read", m.delayed("soon_parent", parent), &input.killed.each_bit())
        }
        false => m.select("stays_freed_read", input.generation_row, &contexts.parent_freed),
    };
    let issues = contexts.read(m, "issue_active", input.issue_row, |row| row.active);
    let issue_age = contexts.read(m, "issue_age", input.issue_row, |row| row.generation);
    Reads {
        drained_active: match of.last {
            true => m.zero(0),
            false => contexts.read(m, "drained_active", input.drained_row, |row| row.active),
        },
        visit_active: contexts.read(m, "visit_active", turn_row, |row| row.active),
        visit_fours: contexts.read(m, "visit_fours", turn_row, |row| row.fours_only),
        visit_surviving: match of.answered {
            true => contexts.read(m, "visit_surviving", turn_row, |row| row.surviving),
            false => m.zero(0),
        },
        visit_replies: match of.answered {
            true => contexts.read(m, "visit_replies", turn_row, |row| row.replies),
            false => m.zero(0),
        },
        bound_alpha: match of.answered {
            true => contexts.alpha.read(m, "bound_alpha", input.bound_row),
            false => m.zero(0),
        },
        visit_generation: contexts.read(m, "visit_generation", turn_row, |row| row.generation),
        generation: contexts.read(m, "generation", input.generation_row, |row| row.generation),
        start_generation: contexts.read(m, "start_generation", input.child_row, |row| row.generation),
        generation_stays: active & !freed,
        generation_leaves: returned.returns & returned.ending.is(input.generation_row),
        issue_alive: issues & issue_age.is(input.issue_generation),
    }
}
