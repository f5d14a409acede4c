// SPDX-License-Identifier: MIT OR Apache-2.0
//! The routing of results: a value for its parent, a context that starts, moves in order, or nothing any more.

use super::core::Core;
use crate::circuits::level::words::{Level, row_bits};
use crate::layout::{Layout, OUTCOME_BITS, PassKind};
use engine_model::Outcome;
use kit::{Sig, any_of, one_hot};

/// What is known of the result that is there.
pub(super) struct Arrived<'m> {
    /// A node that starts at level N, or its first survivor, may take a context of the level below: by level from the root's.
    pub claims: Vec<Sig<'m>>,
    /// Of the level N, from 0: the result is its.
    at: Vec<Sig<'m>>,
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
/// context goes on. Values, starts and what is given back reach the levels a clock after the result; only a first child and a
/// first survivor take their contexts at once.
pub(super) fn results<'m>(core: &Core<'m, '_>) -> Arrived<'m> {
    let levels = core.depth();
    let arrived = kinds(core, arrivals(core));
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

/// What is known in the clock before the result, in registers.
struct Before<'m> {
    searched: Sig<'m>,
    extendable: Sig<'m>,
    claims: Vec<Sig<'m>>,
    at: Vec<Sig<'m>>,
    hit: Vec<Sig<'m>>,
    row: Vec<Sig<'m>>,
    child: Vec<Option<Sig<'m>>>,
    of_game: Sig<'m>,
    leaf_children: Vec<Sig<'m>>,
    floored: Vec<Sig<'m>>,
    child_valid: Sig<'m>,
}

/// The clock before the result.
fn arrivals<'m>(core: &Core<'m, '_>) -> Before<'m> {
    let (m, layout, levels) = (core.m, core.layout, core.depth());
    let (next, comes, game) = (core.result.next, core.result.next_valid, core.game);
    m.comment("A clock before the result: whose it is.");
    let level = m.wire("next_level", next.level);
    let context = next.context;
    let child = (levels > 1).then_some(next.child);
    let generation = m.wire("next_generation", next.generation);
    // What its tag says of a node is known before its outcome is.
    let is_node = next.kind.is(PassKind::Node as u64);
    let goes_deeper = is_node & !next.depth_zero;
    let searched = m.delayed("searched", goes_deeper);
    let extendable = m.delayed("extendable", next.extensions.is_not(0));
    m.comment("What is left of a search that has decided is dropped at once.");
    let child_valid = m.declare("child_valid", 1);
    let goes_on = m.wire("goes_on", game.searching & !child_valid & !game.stop_levels & !core.stop);
    let [mut claims, mut at, mut hit, mut rows] = [const { Vec::new() }; 4];
    let (mut children, mut of_game) = (Vec::new(), None);
    for number in 0..=levels {
        let here = level.is(number);
        at.push(m.delayed(&format!("at_{number}"), here));
        if number + 1 < levels {
            // A node that starts at the next level asks for its first child's context one below; so does one there whose survivors come.
            let claiming = match layout.survivor_level() {
                None => comes & here & goes_deeper,
                Some(surviving) if surviving == number + 1 => {
                    let survives = level.is(surviving) & next.kind.is(PassKind::Surviving as u64);
                    comes & ((here & goes_deeper) | survives)
                }
                // The brackets keep the text of cores that have been measured.
                Some(_) => comes & (here & goes_deeper),
            };
            claims.push(m.delayed(&format!("claims_{}", number + 1), claiming));
        }
        if number == 0 {
            let mine = comes & here & generation.is(game.generation);
            of_game = Some(m.cleared("of_game", mine & game.awaiting));
            hit.push(m.cleared("hit_0", mine & goes_on));
            continue;
        }
        let outputs = core.level(number);
        let row = core.row_of(number, context, &format!("next_in_{number}"));
        core.tell(number, |to| to.generation_row = Some(row));
        rows.push(m.delayed(&format!("row_{number}"), row));
        children.push(child.filter(|_| number > 1).map(|child| {
            let row = core.row_of(number, child, &format!("next_child_in_{number}"));
            m.delayed(&format!("child_{number}"), row)
        }));
        // What returns is known late.
        let mine = comes & here & generation.is(outputs.generation);
        let hitting = m.cleared(&format!("hitting_{number}"), mine & outputs.generation_stays & goes_on);
        let left = m.delayed(&format!("left_{number}"), outputs.generation_leaves);
        hit.push(m.wire(&format!("hit_{number}"), hitting & !left));
    }
    let deepest = |level: usize| m.delayed(&format!("deepest_is_{level}"), game.levels_now.is(level));
    let leaf_children: Vec<Sig> = (1..=levels).map(deepest).collect();
    let floored = (2..=levels)
        .filter(|&level| Level::new(layout, level).floors())
        .map(|level| floor(core, level, leaf_children[level]))
        .collect();
    let of_game = of_game.expect("the game is level 0");
    Before {
        searched,
        extendable,
        claims,
        at,
        hit,
        row: rows,
        child: children,
        of_game,
        leaf_children,
        floored,
        child_valid,
    }
}

/// The clock before the result: whether its node is left by its floor, as its parent's window is now. A window is at
/// worst wider than it will be.
fn floor<'m>(core: &Core<'m, '_>, level: usize, deepest_below: Sig<'m>) -> Sig<'m> {
    let (m, layout) = (core.m, core.layout);
    m.comment(&format!("Level {level}: children that their floor ends."));
    // Of one context there is nothing to choose.
    let row = (layout.contexts_at(level) > 1).then(|| {
        let soon = layout.tag.unpack(core.evaluate.get("soon_tag")).context;
        let row = core.row_of(level, soon, &format!("soon_in_{level}"));
        m.delayed(&format!("floor_row_{level}"), row)
    });
    core.tell(level, |to| {
        to.floor_row = row;
        to.floor_turned = Some(!core.evaluate.get("next_floor"));
    });
    // A node after a forced reply that cost no level may look from its parent's side.
    let next = core.result.next;
    let holds = core.evaluate.get("next_floor_holds");
    let meant = deepest_below & next.level.is(level) & !next.negate & holds;
    m.delayed(&format!("floored_{level}"), meant & !core.level(level).floor_above)
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
    let mut in_order = kind(PassKind::Order) | kind(PassKind::OrderFours);
    let replies = core.layout.answered_level().map(|_| {
        in_order = in_order | kind(PassKind::OrderSurviving) | kind(PassKind::Surviving);
        let comes = |name: &str, pass: PassKind| m.wire(name, fresh & kind(pass) & !core.stop);
        Replies {
            reply: comes("reply", PassKind::Reply),
            answered: comes("answered", PassKind::Answered),
            survivor: core.layout.survivor_level().map(|level| {
                let survives = comes("survives", PassKind::Surviving) & result.found;
                m.wire("survivor_back", survives & core.level(level + 1).free_any)
            }),
        }
    });
    let ordered = m.wire("ordered", fresh & in_order);
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
    let further = m.wire("further", further);
    let recirculate = m.wire("recirculate", node & again & !core.stop);
    let ends = m.wire("ends", node & !again & !further);
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
        turned: m.delayed("ended_turned", negate.mux(result.value, !result.value)),
        ended_negate: m.delayed("ended_negate", negate),
        ended_order: m.delayed("ended_order", tag.order),
    }
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
    let issued = m.delayed(&format!("start_issued_{level}"), on_its_way);
    let replies = (layout.answered_level() == Some(level)).then(|| {
        let deep = m.delayed("searches_all", core.game.levels_now.is(levels));
        m.delayed("start_replies", bypass & result.more & !arrived.extendable & deep)
    });
    let ordered = m.cleared(&format!("ordered_at_{level}"), arrived.ordered & arrived.at[level]);
    let ordered_row = m.delayed(&format!("ordered_row_{level}"), arrived.row[level - 1]);
    let mut found = result.found;
    let mut first_issued = None;
    if let Some(back) = arrived.survivor_at(layout, level) {
        found = found & (!back | result.more);
        first_issued = Some(m.delayed("survivor_issued", back));
    }
    let ordered_found = m.delayed(&format!("ordered_found_at_{level}"), found);
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
    let starts = m.cleared(&format!("start_at_{level}"), comes & !stop);
    let row = m.delayed(&format!("start_row_{level}"), child);
    let from = m.delayed(&format!("start_from_{level}"), arrived.row[level - 2]);
    let more = m.delayed(&format!("start_more_at_{level}"), result.more);
    let unproved = m.delayed(&format!("start_unproved_at_{level}"), result.unproved);
    // The first child of a context that starts above claims a context here.
    let above_starts = arrived.starts[level - 2] & core.level(level).free_any;
    let mut takes = above_starts & !arrived.leaf_children[level - 2] & !stop;
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
    let gives_back = arrived.ends & !arrived.depth_zero & arrived.at[level - 1];
    let gives_back = m.cleared(&format!("gives_back_{level}"), gives_back);
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
    let ended = m.cleared(&format!("ended_at_{level}"), arrived.ends & arrived.at[level]);
    let row = (level > 1).then(|| m.delayed(&format!("ended_row_{level}"), arrived.row[level - 1]));
    let at = m.delayed(&format!("ended_context_{level}"), one_hot(arrived.row[level - 1], rows));
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
        let start = core.to_levels[level - 1].borrow().start.expect("its start has been said");
        // One window is written a clock: that of a context that starts.
        core.tell(level + 1, |to| to.done_ready = Some(!ended & !start));
        let turned = next.done_keep.mux(next.done_value, !next.done_value);
        core.tell(level, |to| {
            to.update = Some(ended | (next.done & !start));
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

fn to_the_game<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>) {
    let (m, layout, game) = (core.m, core.layout, core.game);
    let root = core.level(1);
    m.comment("Level 0: the first level's node is the root itself, so its value keeps its sign.");
    let ended = m.cleared("ended_at_0", arrived.ends & arrived.at[0]);
    core.tell(1, |to| to.done_ready = Some(m.bit(true)));
    let child_valid = arrived.child_valid;
    m.drive(child_valid, (ended & game.searching) | root.done);
    let turned = m.wire("turned", root.done_keep.mux(root.done_value, !root.done_value));
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
