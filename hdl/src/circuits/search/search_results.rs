// SPDX-License-Identifier: MIT OR Apache-2.0
//! The routing of results: a value for its parent, a context that starts, moves in order, or nothing any more.

use super::core::Core;
use super::search_arrivals::{Before, Early, arrivals, in_order, told};
use crate::circuits::level::ports::LevelOutputs;
use crate::circuits::level::words::row_bits;
use crate::layout::{Layout, OUTCOME_BITS, PassKind};
use engine_model::Outcome;
use kit::{Sig, any_of, one_hot};

/// What is known of the result that is there.
pub(super) struct Arrived<'m> {
    /// A node that starts at level N, or its first survivor, may take a context of the level below: by level from the root's.
    pub claims: Vec<Sig<'m>>,
    /// Of the level N, from 0: the result is its.
    pub at: Vec<Sig<'m>>,
    hit: Vec<Sig<'m>>,
    /// Of the level N, from 1: the context that asked, the context for the node below.
    row: Vec<Sig<'m>>,
    child: Vec<Option<Sig<'m>>>,
    /// The game's own pass.
    of_game: Sig<'m>,
    /// It is not of an older generation.
    pub fresh: Sig<'m>,
    /// A pass for order has come back.
    pub ordered: Sig<'m>,
    /// With ceilings: of the passes that end in what survives a reply.
    pub replies: Option<Replies<'m>>,
    /// A node has.
    pub node: Sig<'m>,
    pub forced: Sig<'m>,
    pub depth_zero: Sig<'m>,
    /// It has extensions left.
    extendable: Sig<'m>,
    /// It goes straight back, with a forced reply.
    pub recirculate: Sig<'m>,
    /// It is searched no further.
    ends: Sig<'m>,
    /// It is searched further.
    pub deeper: Sig<'m>,
    further: Sig<'m>,
    pub negate: Sig<'m>,
    /// It starts at the level N, from 1; its first child goes straight back.
    pub starts: Vec<Sig<'m>>,
    pub bypass: Sig<'m>,
    /// The level N, from 1, has leaves below it.
    pub leaf_children: Vec<Sig<'m>>,
    /// Of the level N, from 2: the context above that a start is of.
    pub start_from: Vec<Option<Sig<'m>>>,
    /// What a node that ended leaves: its value or the complement, its sign, the place of its root move.
    turned: Sig<'m>,
    /// The game's search has a value: declared, and driven behind the levels.
    child_valid: Sig<'m>,
    ended_negate: Sig<'m>,
    ended_order: Sig<'m>,
    /// Where levels are told at once.
    pub early: Option<Early<'m>>,
}

/// Passes of the chain at whose end a node has only the moves that survive the opponent's best reply.
#[derive(Clone, Copy)]
pub(super) struct Replies<'m> {
    /// The reply has come.
    pub reply: Sig<'m>,
    /// What survives it is being found out.
    pub answered: Sig<'m>,
    /// The first that survives it goes straight back, as a first child does.
    pub survivor: Option<Sig<'m>>,
}

/// Routes results. A clock before one its tag tells level, contexts, and whether its generation is still its context's and its
/// context goes on. Values, starts and what is given back reach the levels a clock after the result, unless they are told at once; a first
/// child and a first survivor take their contexts at once in any case.
pub(super) fn results<'m>(core: &Core<'m, '_>, evaluator_latency: usize) -> Arrived<'m> {
    let levels = core.depth();
    let arrived = kinds(core, arrivals(core, evaluator_latency));
    let mut arrived = arrived;
    let mut bypasses = Vec::new();
    for level in 1..=levels {
        core.m.comment(&format!("Level {level}."));
        let (starts, bypass, from) = begin(core, &arrived, level);
        arrived.starts.push(starts);
        arrived.start_from.push(from);
        bypasses.push(bypass);
        values(core, &arrived, level);
    }
    to_the_game(core, &arrived);
    arrived.bypass = core.m.wire("bypass", any_of(bypasses));
    bound(core);
    arrived
}

impl<'m> Arrived<'m> {
    /// Of the level whose nodes have them: the first survivor goes straight back.
    fn survivor_at(&self, layout: &Layout, level: usize) -> Option<Sig<'m>> {
        self.replies.filter(|_| layout.survivor_level() == Some(level)).and_then(|replies| replies.survivor)
    }
}

/// What the result is.
fn kinds<'m>(core: &Core<'m, '_>, before: Before<'m>) -> Arrived<'m> {
    let m = core.m;
    let (tag, result) = (core.result.tag, core.result.result);
    m.comment(
        "A result whose generation is no longer its context's belongs to a node that has been left: drop it.",
    );
    let of_game = before.of_game;
    let fresh = m.wire("fresh", of_game | any_of(before.hit.iter().copied()));
    let kind = |kind: PassKind| tag.kind.is(kind as u64);
    let outcome = |outcome: Outcome| result.outcome.is(m.constant(OUTCOME_BITS, outcome as usize));
    let replies = core.layout.answered_level().map(|_| {
        let comes = |name: &str, pass: PassKind| m.wire(name, unless_stopped(core, fresh & kind(pass)));
        Replies {
            reply: comes("reply", PassKind::Reply),
            answered: comes("answered", PassKind::Answered),
            survivor: core.layout.survivor_level().map(|level| {
                let survives = comes("survives", PassKind::Surviving) & result.found;
                m.wire("survivor_back", survives & core.level(level + 1).free_any)
            }),
        }
    });
    let ordered = m.wire("ordered", fresh & in_order(core.layout, tag.kind));
    let node = m.wire("node", fresh & kind(PassKind::Node) & !of_game);
    let forced = m.wire("forced", outcome(Outcome::Forced));
    let open = m.wire("is_open", outcome(Outcome::Open));
    let depth_zero = m.wire("depth_zero", tag.depth_zero);
    m.comment(
        "Rule 3 with an extension left: the reply goes straight back, one move longer, to the same context.",
    );
    let again = m.wire("again", forced & before.extendable);
    let searched = before.searched & (open | (forced & !before.extendable));
    let further = before.floored.iter().fold(searched, |further, floored| further & !*floored);
    let further = before.transposed.map_or(further, |ends| further & !ends);
    let further = m.wire("further", further);
    let recirculate = m.wire("recirculate", node & again & !core.stop);
    let ends = node & !again & !further;
    let ends = if before.early.is_none() { m.wire("ends", ends) } else { ends };
    let deeper = m.wire("deeper", node & further);
    let negate = m.wire("negate", tag.negate);
    Arrived {
        claims: before.claims,
        at: before.at,
        hit: before.hit,
        row: before.row,
        child: before.child,
        of_game,
        fresh,
        ordered,
        replies,
        node,
        forced,
        depth_zero,
        extendable: before.extendable,
        recirculate,
        ends,
        deeper,
        further,
        negate,
        child_valid: before.child_valid,
        starts: Vec::new(),
        bypass: m.bit(false),
        leaf_children: before.leaf_children,
        start_from: Vec::new(),
        turned: m.delayed(
            "ended_turned",
            match &before.early {
                Some(early) => early.soon.turned,
                None => negate.mux(result.value, !result.value),
            },
        ),
        ended_negate: told(core, "ended_negate", negate),
        ended_order: told(core, "ended_order", tag.order),
        early: before.early,
    }
}

/// A claim to a context below, unless the search stops. Where latency counts most it does not wait for that, which has many to tell: the
/// level, which is cleared, reserves nothing.
fn unless_stopped<'m>(core: &Core<'m, '_>, claims: Sig<'m>) -> Sig<'m> {
    if core.layout.tells_at_once() { claims } else { claims & !core.stop }
}

/// The alpha that a node's moves must come to, as it is when it is known what survives the reply.
fn bound(core: &Core<'_, '_>) {
    let (m, layout) = (core.m, core.layout);
    let Some(level) = layout.answered_level() else { return };
    let bound = layout.tag.unpack(core.evaluate.get("bound_tag")).context;
    let bound = core.row_of(level, bound, "bound_in");
    let bound_row = m.delayed("bound_row", bound);
    core.tell(level, |to| to.bound_row = Some(bound_row));
    core.evaluate.drive("alpha", m.delayed("bound_alpha", core.level(level).bound_alpha));
}

/// A level's start: a child of the level above that is searched further, or the root. Whether there is one, whether its first child
/// goes straight back, the context above.
fn begin<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    level: usize,
) -> (Sig<'m>, Sig<'m>, Option<Sig<'m>>) {
    let (m, layout, levels) = (core.m, core.layout, core.depth());
    let (result, stop) = (core.result.result, core.stop);
    let beam = layout.config.beam_at(level - 1);
    let deepest = arrived.leaf_children[level - 1];
    let hit = arrived.hit[level - 1] & arrived.further;
    let comes = if level == 1 { hit & !arrived.of_game } else { hit };
    let comes = m.wire(&format!("starts_{level}"), comes);
    let room = if level < levels { deepest | core.level(level + 1).free_any } else { m.bit(true) };
    let bypass = m.wire(&format!("bypass_{level}"), comes & room & !stop);
    let mut on_its_way = bypass;
    if level == 1 && layout.begins_at_once() {
        on_its_way = bypass | core.game.start;
    }
    // The root's start, which the game may ask for, comes a clock later in any case.
    let issued = match level {
        1 => m.delayed("start_issued_1", on_its_way),
        _ => told(core, &format!("start_issued_{level}"), on_its_way),
    };
    let replies = (layout.answered_level() == Some(level)).then(|| {
        let deep = m.delayed("searches_all", core.game.levels_now.is(levels));
        told(core, "start_replies", bypass & result.more & !arrived.extendable & deep)
    });
    let ordered = match &arrived.early {
        Some(early) => early.told[level - 1].ordered,
        None => m.cleared(&format!("ordered_at_{level}"), arrived.ordered & arrived.at[level]),
    };
    let ordered_row = told(core, &format!("ordered_row_{level}"), arrived.row[level - 1]);
    let mut found = result.found;
    let mut first_issued = None;
    if let Some(back) = arrived.survivor_at(layout, level) {
        found = found & (!back | result.more);
        first_issued = Some(told(core, "survivor_issued", back));
    }
    let ordered_found = told(core, &format!("ordered_found_at_{level}"), found);
    core.tell(level, |to| {
        to.leaf_children = Some(deepest);
        to.clear = Some(stop);
        to.ordered = Some(ordered);
        to.ordered_row = Some(ordered_row);
        to.ordered_found = Some(ordered_found);
        to.ordered_issued = first_issued;
        to.start_issued = Some(issued);
        to.start_replies = replies;
        if beam > 0 {
            to.beam = Some(m.constant(layout.count_bits, beam));
        }
    });
    if level == 1 {
        let game = core.game;
        let of_game = layout.result.unpack(game.start_result);
        let starts = m.cleared("start_at_1", (game.start | comes) & !stop);
        let negate = m.delayed("start_negate", !game.start & arrived.negate);
        let more = m.delayed("start_more_at_1", game.start.mux(of_game.more, result.more));
        let unproved = m.delayed("start_unproved_at_1", game.start.mux(of_game.unproved, result.unproved));
        core.tell(level, |to| {
            to.start = Some(starts);
            to.start_row = Some(m.zero(1));
            to.child_row = Some(m.zero(1));
            to.start_negate = Some(negate);
            to.start_more = Some(more);
            to.start_unproved = Some(unproved);
        });
        return (comes, bypass, None);
    }
    let child = arrived.child[level - 1].expect("below the root there are children");
    let below = arrived.early.as_ref().and_then(|early| early.told[level - 2].below);
    let starts = match below {
        Some(below) => below.starts,
        None => m.cleared(&format!("start_at_{level}"), comes & !stop),
    };
    let row = told(core, &format!("start_row_{level}"), child);
    let from = told(core, &format!("start_from_{level}"), arrived.row[level - 2]);
    let more = told(core, &format!("start_more_at_{level}"), result.more);
    let unproved = told(core, &format!("start_unproved_at_{level}"), result.unproved);
    // The first child of a context that starts above claims a context here.
    let above_starts = arrived.starts[level - 2] & core.level(level).free_any;
    let mut takes = unless_stopped(core, above_starts & !arrived.leaf_children[level - 2]);
    let mut parent = if level == 2 { m.zero(1) } else { arrived.child[level - 2].expect("a child above") };
    if level == 2 && layout.begins_at_once() {
        // No visit can want the same context, so there is no claim: this is asked for two clocks after the game's start, when nothing else
        // is under way, and the root's first visit begins two clocks after that at the earliest.
        takes = takes | core.game.takes_child;
    }
    if let Some(back) = arrived.survivor_at(layout, level - 1) {
        takes = takes | back;
        parent = m
            .wire("is_surviving", core.result.tag.kind.is(PassKind::Surviving as u64))
            .mux(arrived.row[level - 2], parent);
    }
    let gives_back = match below {
        Some(below) => below.gives_back,
        None => {
            let gives_back = arrived.ends & !arrived.depth_zero & arrived.at[level - 1];
            m.cleared(&format!("gives_back_{level}"), gives_back)
        }
    };
    core.tell(level, |to| {
        to.start = Some(starts);
        to.start_row = Some(row);
        to.start_negate = Some(arrived.ended_negate);
        to.start_more = Some(more);
        to.start_unproved = Some(unproved);
        if level == 2 {
            to.start_order = Some(arrived.ended_order);
        }
        to.child_row = Some(child);
        to.reserve_first = Some(takes);
        to.reserve_first_parent = Some(parent);
        to.release_a = Some(gives_back);
        to.release_a_row = Some(row);
        to.killed = Some(core.level(level - 1).kill);
        to.above_holds = Some(core.level(level - 1).holds);
    });
    (comes, bypass, Some(from))
}

/// A level's values: of a child's evaluation, else of a context below that returns.
fn values<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>, level: usize) {
    let (m, layout) = (core.m, core.layout);
    let rows = layout.contexts_at(level);
    debug_assert_eq!(arrived.row[level - 1].width, row_bits(layout, level));
    let of = arrived.row[level - 1];
    let early = arrived.early.as_ref().map(|early| early.told[level - 1]);
    let ended = match early {
        Some(told) => told.ended,
        None => m.cleared(&format!("ended_at_{level}"), arrived.ends & arrived.at[level]),
    };
    let row = (level > 1).then(|| told(core, &format!("ended_row_{level}"), of));
    let at = match early {
        Some(told) => told.ended_at,
        None => m.delayed(&format!("ended_context_{level}"), one_hot(of, rows)),
    };
    let order = if level == core.depth() {
        core.tell(level, |to| {
            to.update = Some(ended);
            (to.update_row, to.update_at) = (row, Some(at));
            to.update_turned = Some(arrived.turned);
            to.update_keep = Some(arrived.ended_negate);
        });
        arrived.ended_order
    } else {
        let next = core.level(level + 1);
        // One window is written a clock: that of a context that starts.
        let above = level.checked_sub(2).and_then(|above| arrived.early.as_ref()?.told[above].below);
        let no_start = above
            .and_then(|above| above.starts_none)
            .unwrap_or_else(|| !core.to_levels[level - 1].borrow().start.expect("its start has been said"));
        core.tell(level + 1, |to| to.done_ready = Some(!ended & no_start));
        let turned = returned_turned(next);
        core.tell(level, |to| {
            to.update = Some(ended | (next.done & no_start));
            to.update_ended = Some(ended);
            (to.update_row, to.update_at) = (row, Some(at));
            (to.update_turned, to.update_keep) = (Some(arrived.turned), Some(arrived.ended_negate));
            (to.below_row, to.below_at) = (row.and(Some(next.done_parent)), Some(next.done_parent_at));
            (to.below_turned, to.below_keep) = (Some(turned), Some(next.done_keep));
        });
        match level {
            1 => ended.mux(arrived.ended_order, next.done_order),
            _ => m.zero(0),
        }
    };
    if level == 1 {
        core.tell(level, |to| to.update_order = Some(order));
    }
}

/// What a level returns: the value, or where its parent looks from the other side its complement.
fn returned_turned<'m>(level: &LevelOutputs<Sig<'m>>) -> Sig<'m> {
    match level.done_turned.width {
        0 => level.done_keep.mux(level.done_value, !level.done_value),
        _ => level.done_turned,
    }
}

fn to_the_game<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>) {
    let (m, layout, game) = (core.m, core.layout, core.game);
    let root = core.level(1);
    m.comment("Level 0: the first level's node is the root itself, so its value keeps its sign.");
    let ended = match &arrived.early {
        Some(early) => early.to_the_game,
        None => m.cleared("ended_at_0", arrived.ends & arrived.at[0]),
    };
    core.tell(1, |to| to.done_ready = Some(m.bit(true)));
    let child_valid = arrived.child_valid;
    m.drive(child_valid, (ended & game.searching) | root.done);
    let turned = m.wire("turned", returned_turned(root));
    let returned = m.wire("returned", root.done.mux(turned, !arrived.turned));
    let keeps = m.wire("returned_keeps", root.done.mux(root.done_keep, !arrived.ended_negate));
    let mut to_game = core.to_game.borrow_mut();
    to_game.result_valid = Some(arrived.of_game);
    to_game.result = Some(core.result.packed);
    to_game.child_valid = Some(child_valid);
    to_game.child_value = Some(returned);
    to_game.child_keeps = Some(keeps);
    to_game.child_rank = Some(root.done_order.bits(0..layout.cell_bits));
    if layout.begins_at_once() {
        to_game.child_generation = Some(root.start_generation);
        if core.depth() > 1 {
            to_game.child_any = Some(core.level(2).free_any);
            to_game.child = Some(core.context_of(2, core.level(2).first_free));
        }
    }
}
