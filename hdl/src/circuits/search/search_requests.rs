// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the results of the evaluator ask for and leave behind.

use super::core::Core;
use super::node_tag::{child_potential, extended_part, extended_path, shortened_path};
use super::search_arrivals::Early;
use super::search_results::{Arrived, Replies};
use super::transpositions::look_up;
use super::visit_stage::looks_up_at_once;
use super::visits::Request;
use crate::circuits::evaluator::best_cell::before_port;
use crate::circuits::evaluator::interval;
use crate::layout::{GENERATION_BITS, KeptNode, PassKind, Tag};
use kit::{Instance, Sig, any_of, cat, when};

/// What goes into the node builder.
pub(super) struct Passes<'m> {
    /// One may, in this clock.
    pub slot: Sig<'m>,
    /// One does.
    pub valid: Sig<'m>,
    /// One did a clock ago: what has become a node.
    pub came: Sig<'m>,
    /// It is no visit's and not the game's.
    pub ahead: Sig<'m>,
}

/// What goes straight back into the node builder.
struct Back<'m> {
    /// It is let in first.
    asks: Sig<'m>,
    /// It is a node's: known late.
    stands: Sig<'m>,
    tag: Sig<'m>,
}

/// What goes straight back into the node builder, and who else is let in.
pub(super) fn requests<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    request: &Request<'m>,
    builder: Instance<'m>,
) -> Passes<'m> {
    let (m, layout) = (core.m, core.layout);
    let back = straight_back(core, arrived);
    let slot = m.declare("slot", 1);
    let back = match layout.goes_back_at_once() {
        true => back,
        false => kept(core, back, slot),
    };
    m.comment("One request an interval: straight back, else a visit's, else the game's.");
    let stands = match layout.goes_back_at_once() {
        true => back.asks.mux(back.stands, !request.waits | request.alive),
        // What has been kept stands.
        false => back.asks | !request.waits | request.alive,
    };
    let stands = if looks_up_at_once(layout) { m.wire("stands", stands) } else { m.bit(true) };
    let wanted = m.wire("pass_wanted", slot & (back.asks | request.waits | core.game.request));
    let valid = wanted & stands;
    let interval = interval(layout);
    if interval == 1 {
        m.drive(slot, true);
    } else {
        let left = m.control("slot_left", engine_model::scoring::bits_for(interval - 1), 0);
        m.drive(slot, left.is(0));
        m.at_edge([when(valid, [left.set(interval - 1)]).else_when(!slot, [left.set(left - 1)])]);
    }
    m.drive(request.taken, slot & !back.asks);
    core.to_game.borrow_mut().request_ready = Some(slot & !back.asks & !request.waits);
    m.comment(
        "Whether a request's context has ended is known late: then its board is built, and is no node's.",
    );
    builder.drive("valid", wanted);
    let stood = match layout.shortens_paths() {
        true => stood(core, &back, request),
        false => m.delayed("stood", stands),
    };
    let came = m.wire("node_came", builder.get("node_valid") & stood);
    core.evaluate.drive("valid", came);
    look_up(core, came, layout.tag.unpack(builder.get("node_tag")));
    let waiting = request.waits.mux(request.tag, core.game.request_tag);
    builder.drive("tag", back.asks.mux(back.tag, waiting));
    Passes { slot, valid, came, ahead: back.asks }
}

/// Whether what was let in a clock ago is a node's, from what said so then, each in a register: the context of a request is looked up late.
fn stood<'m>(core: &Core<'m, '_>, back: &Back<'m>, request: &Request<'m>) -> Sig<'m> {
    let m = core.m;
    let asked = m.delayed("back_asked", back.asks);
    let stood = m.delayed("back_stood", back.stands);
    let waited = m.delayed("request_waited", request.waits);
    let level = core.level_bits_of(core.layout.tag.unpack(request.tag).level);
    let level = if core.depth() > 1 { m.delayed("requested_level", level) } else { level };
    let alive: Vec<Sig> = core
        .levels()
        .map(|(number, level)| m.delayed(&format!("was_alive_at_{number}"), level.issue_alive))
        .collect();
    let alive = m.wire("request_was_alive", core.at_levels(level, &alive));
    asked.mux(stood, !waited | alive)
}

/// In the clock of the result.
fn straight_back<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>) -> Back<'m> {
    let (m, layout, stop) = (core.m, core.layout, core.stop);
    let (tag, result) = (core.result.tag, core.result.result);
    m.comment("Straight back: a forced reply to the same context, the first child of a context that starts.");
    // What it is comes out of registers then: whether it goes back is known late.
    let early = arrived.early.as_ref().filter(|_| layout.goes_back_at_once());
    let at_once = early.map(|early| AtOnce::new(core, early));
    let (path, then) = match at_once {
        Some(at_once) => (at_once.path, at_once.then),
        None => {
            let (path, length) = (m.wire("tag_path", tag.path), m.wire("tag_length", tag.length));
            let longer = extended_path(m, layout, path, length, m.wire("result_cell", result.cell));
            (longer, Then::new(core, length, arrived.replies.map(|sent| (sent.reply, sent.answered))))
        }
    };
    // What the tag says is known a clock before the result.
    let next_potential = m.wire("next_potential", core.result.next.potential);
    let minus_potential = m.delayed("minus_potential", next_potential.negated());
    let gain = m.wire("result_gain", result.gain);
    let potential = child_potential(m, layout, minus_potential, gain);
    let (mut child, mut leaf) = (m.zero(layout.context_bits), m.bit(false));
    let mut generation = m.zero(GENERATION_BITS);
    for (level, outputs) in core.levels() {
        let leaves = arrived.leaf_children[level - 1];
        let here = if at_once.is_some() { arrived.at[level - 1] } else { arrived.starts[level - 1] };
        generation = here.mux(outputs.start_generation, generation);
        leaf = here.mux(leaves, leaf);
        if level < core.depth() {
            let first = core.context_of(level + 1, core.level(level + 1).first_free);
            child = (here & !leaves).mux(first, child);
        }
    }
    let again = at_once.map_or(arrived.recirculate, |at_once| at_once.again);
    let mut back_tag = Tag {
        path,
        length: then.length,
        potential,
        extensions: tag.extensions - again.zero_extend(layout.extension_bits),
        depth_zero: again.mux(arrived.depth_zero, leaf),
        negate: again & !arrived.negate,
        kind: then.kind,
        generation: again.mux(tag.generation, generation),
        level: again.mux(tag.level, tag.level + 1),
        context: again.mux(tag.context, tag.child),
        child: again.mux(tag.child, child),
        order: again.mux(tag.order, m.zero(layout.tag.order)),
    };
    let mut sends = arrived.recirculate | arrived.bypass;
    if let Some(sent) = arrived.replies {
        m.comment("A reply goes on the board; then the node's own moves are asked for.");
        let Replies { reply, answered, survivor } =
            at_once.and_then(|at_once| at_once.replies).unwrap_or(sent);
        let same = again | reply | answered;
        back_tag = Tag {
            generation: same.mux(tag.generation, generation),
            level: same.mux(tag.level, tag.level + 1),
            context: same.mux(tag.context, tag.child),
            order: same.mux(tag.order, back_tag.order),
            ..back_tag
        };
        sends = sends | sent.reply | sent.answered;
        if let Some(survivor) = survivor {
            back_tag = survivor_tag(core, &back_tag, (reply, answered), survivor);
        }
        sends = sent.survivor.map_or(sends, |survivor| sends | survivor);
        if at_once.is_some() {
            // Their nodes have levels left.
            back_tag.depth_zero = back_tag.depth_zero & !reply & !answered;
        }
    }
    let sends_back = m.wire("sends_back", sends & !stop);
    Back { asks: at_once.map_or(sends_back, |at_once| at_once.may), stands: sends_back, tag: back_tag.pack() }
}

/// What goes straight back, kept until there is a slot for it: as long as a board takes.
fn kept<'m>(core: &Core<'m, '_>, back: Back<'m>, slot: Sig<'m>) -> Back<'m> {
    let m = core.m;
    let valid = m.control("back_valid", 1, 0);
    let tag = m.register("back_tag", core.layout.tag.width());
    m.at_edge([when(core.stop, [valid.set(false)])
        .else_when(back.asks, [valid.set(true)])
        .else_when(slot, [valid.set(false)])]);
    m.at_edge([when(back.asks, [tag.set(back.tag)])]);
    Back { asks: valid, stands: valid, tag }
}

/// What goes straight back in the clock of the result, as far as that is known a clock before: in registers.
#[derive(Clone, Copy)]
struct AtOnce<'m> {
    /// It may go back, for all that is not known late.
    may: Sig<'m>,
    /// With a forced reply, or as this pass of the chain; what it is of nobody waits for.
    again: Sig<'m>,
    replies: Option<Replies<'m>>,
    path: Sig<'m>,
    then: Then<'m>,
}

impl<'m> AtOnce<'m> {
    fn new(core: &Core<'m, '_>, early: &Early<'m>) -> AtOnce<'m> {
        let (m, layout, next) = (core.m, core.layout, core.result.next);
        let soon = early.soon;
        let takes_back = layout.newest_first() && layout.answered_level().is_some();
        let path = if takes_back { next.path } else { extended_part(layout, next.path) };
        let (path, length) = (m.wire("next_path", path), m.wire("next_length", next.length));
        let mut longer = extended_path(m, layout, path, length, m.wire("next_cell", soon.cell));
        let comes = |pass: PassKind| next.kind.is(pass as u64);
        let chain = layout.answered_level().map(|_| (comes(PassKind::Reply), comes(PassKind::Answered)));
        if let Some((_, answered)) = chain.filter(|_| takes_back) {
            // Behind the reply and the move that was passed on.
            longer = answered.mux(shortened_path(m, layout, path, 2), longer);
        }
        let then = Then::new(core, length, chain);
        let mut may = soon.again | soon.further;
        let replies = chain.map(|(reply, answered)| {
            may = may | reply | answered;
            let survivor = layout.survivor_level().map(|_| {
                let surviving = comes(PassKind::Surviving);
                may = may | (surviving & soon.found);
                m.delayed("is_survivor", surviving)
            });
            let (reply, answered) = (m.delayed("is_reply", reply), m.delayed("is_answered", answered));
            Replies { reply, answered, survivor }
        });
        AtOnce {
            may: m.cleared("may_go_back", early.hits & may & !core.stop),
            again: m.delayed("goes_again", soon.again),
            replies,
            path: m.delayed("path_back", longer),
            then: Then {
                length: m.delayed("length_back", then.length),
                kind: m.delayed("kind_back", then.kind),
            },
        }
    }
}

/// The next pass of what goes straight back: how long its path is, and its kind.
#[derive(Clone, Copy)]
struct Then<'m> {
    length: Sig<'m>,
    kind: Sig<'m>,
}

impl<'m> Then<'m> {
    /// After a pass with a path of this `length`; in the chain whether it was for the reply, or with that on the board.
    fn new(core: &Core<'m, '_>, length: Sig<'m>, chain: Option<(Sig<'m>, Sig<'m>)>) -> Then<'m> {
        let kind = |kind: PassKind| core.layout.kind(core.m, kind);
        let node = Then { length: length + 1, kind: kind(PassKind::Node) };
        chain.map_or(node, |(reply, answered)| Then {
            length: answered.mux(length - 2, node.length),
            kind: reply.mux(kind(PassKind::Answered), answered.mux(kind(PassKind::Surviving), node.kind)),
        })
    }
}

/// With the first survivor of a reply straight back, as a child of its node: what the reply took from the node's potential is given back
/// before that, for which its gain goes along above the node's first move.
fn survivor_tag<'m>(
    core: &Core<'m, '_>,
    back: &Tag<Sig<'m>>,
    (reply, answered): (Sig<'m>, Sig<'m>),
    survivor: Sig<'m>,
) -> Tag<Sig<'m>> {
    let (m, layout) = (core.m, core.layout);
    let (tag, result) = (core.result.tag, core.result.result);
    let level = layout.survivor_level().expect("a survivor goes back");
    m.comment("The first survivor of a reply is a child of the node; the reply's gain goes along to it.");
    let (first, reply_gain) =
        (tag.order.bits(0..layout.cell_bits), tag.order.bits(layout.cell_bits..tag.order.width));
    let before = m.wire("potential_before", tag.potential + reply_gain.zero_extend(layout.potential_bits));
    let context = core.context_of(level + 1, core.level(level + 1).first_free);
    Tag {
        potential: answered.mux(before, back.potential),
        generation: survivor.mux(tag.generation, back.generation),
        level: survivor.mux(tag.level, back.level),
        context: survivor.mux(tag.context, back.context),
        child: survivor.mux(context, back.child),
        depth_zero: !survivor & back.depth_zero,
        order: reply.mux(cat([result.gain, first]), back.order),
        ..*back
    }
}

/// What results leave in the memories.
pub(super) fn store_writes<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>) {
    let (m, layout, game) = (core.m, core.layout, core.game);
    let (tag, result) = (core.result.tag, core.result.result);
    m.comment("A context that starts leaves its node; every pass leaves the first cells of its groups.");
    let kept = |tag: Tag<Sig<'m>>, unbounded: Sig<'m>, cell: Sig<'m>| {
        let Tag { path, length, potential, extensions, .. } = tag;
        let first = if layout.config.has_ceilings() { cell } else { m.zero(0) };
        KeptNode { path, length, potential, extensions, unbounded, first }.pack()
    };
    let game_result = layout.result.unpack(game.start_result);
    let from_result = kept(tag, result.one_empty | arrived.forced, result.cell);
    let unbounded = game_result.one_empty | game.start_single;
    let from_game = kept(layout.tag.unpack(game.start_tag), unbounded, game_result.cell);
    let root = m.constant(layout.context_bits, layout.context_base(1));
    let winners = layout.tag.unpack(core.evaluate.get("winners_tag"));
    let kind = m.wire("winners_kind", winners.kind);
    let is_node = kind.is(PassKind::Node as u64);
    let after = layout.tag.unpack(core.evaluate.get("after_tag"));
    let mut to = core.to_store.borrow_mut();
    to.start = Some(game.start | arrived.deeper);
    to.start_context = Some(game.start.mux(root, tag.child));
    to.start_node = Some(game.start.mux(from_game, from_result));
    let mut left_out = kind.is(PassKind::Probe as u64) | (is_node & winners.depth_zero);
    if layout.config.has_ceilings() {
        left_out = left_out | kind.is(PassKind::Reply as u64) | kind.is(PassKind::Answered as u64);
        to.survivors_write = Some(core.evaluate.get("found_valid"));
        to.survivors_context = Some(core.evaluate.get("found_context"));
        to.survivors = Some(core.evaluate.get("found_survivors"));
        core.evaluate.drive("survivors", core.store.get("after_survivors"));
    }
    to.winners_write = Some(core.evaluate.get("winners_valid") & !left_out);
    to.winners_context = Some(is_node.mux(winners.child, winners.context));
    to.winners = Some(core.evaluate.get("winners"));
    to.marks = layout.marks_cells().then(|| core.evaluate.get("marks"));
    to.after_context = Some(after.context);
    core.evaluate.drive(before_port(layout), core.store.get(before_port(layout)));
    let context = game.start.mux(root, arrived.ordered.mux(tag.context, tag.child));
    let comes = game.start | arrived.deeper | arrived.ordered;
    if layout.config.has_beam() {
        let level = m.wire("after_level", after.level);
        let beams = (1..=core.depth()).filter(|&level| layout.config.beam_at(level - 1) > 0);
        to.after_beamed = Some(any_of(beams.map(|number| level.is(number))));
    }
    m.comment("The picker learns of every new set, a clock later.");
    let mark = m.delayed("set_mark", comes);
    let mark_context = m.delayed("set_mark_context", context);
    let issued = match layout.begins_at_once() {
        false => !game.start & !arrived.ordered & arrived.bypass,
        true => {
            let first_child = !arrived.ordered & arrived.bypass;
            let survivor = arrived.replies.and_then(|replies| replies.survivor);
            game.start | survivor.map_or(first_child, |survivor| first_child | survivor)
        }
    };
    let mark_issued = m.delayed("set_mark_issued", issued);
    let mark_group = m.delayed("set_mark_group", game.start.mux(game_result.group, result.group));
    {
        let mut to = core.to_picker.borrow_mut();
        (to.mark, to.mark_context) = (Some(mark), Some(mark_context));
        (to.mark_issued, to.mark_group) = (Some(mark_issued), Some(mark_group));
    }
    let mut to = core.to_beams.borrow_mut();
    (to.mark, to.mark_context) = (Some(mark), Some(mark_context));
    (to.mark_issued, to.mark_group) = (Some(mark_issued), Some(mark_group));
}
