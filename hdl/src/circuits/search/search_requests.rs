// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the results of the evaluator ask for and leave behind.

use super::core::Core;
use super::move_store::has_beam;
use super::node_tag::{child_potential, extended_path};
use super::request_queue::{self, request_queue};
use super::search_results::{Arrived, Replies};
use super::visits::Request;
use crate::circuits::evaluator::interval;
use crate::kit::{Instance, Sig, any_of, cat, when};
use crate::layout::{GENERATION_BITS, KeptNode, PassKind, Tag};

/// What goes into the node builder.
pub(super) struct Passes<'m> {
    /// One may, in this clock.
    pub slot: Sig<'m>,
    /// One does.
    pub valid: Sig<'m>,
    /// It is no visit's and not the game's.
    pub ahead: Sig<'m>,
}

/// What goes straight back into the node builder, and who else is let in.
pub(super) fn requests<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    request: &Request<'m>,
    builder: Instance<'m>,
) -> Passes<'m> {
    let (m, layout, stop) = (core.m, core.layout, core.stop);
    let (tag, result) = (core.result.tag, core.result.result);
    m.comment("Straight back: a forced reply to the same context, the first child of a context that starts.");
    let path = m.wire("tag_path", tag.path);
    let length = m.wire("tag_length", tag.length);
    let cell = m.wire("result_cell", result.cell);
    let longer = extended_path(m, layout, path, length, cell);
    let tag_potential = m.wire("tag_potential", tag.potential);
    let gain = m.wire("result_gain", result.gain);
    let (_, potential) = child_potential(m, layout, tag_potential, gain);
    let (mut child, mut leaf) = (m.zero(layout.context_bits), m.bit(false));
    let mut generation = m.zero(GENERATION_BITS);
    for (level, outputs) in core.levels() {
        let (here, leaves) = (arrived.starts[level - 1], arrived.leaf_children[level - 1]);
        generation = here.mux(outputs.start_generation, generation);
        leaf = here.mux(leaves, leaf);
        if level < core.depth() {
            let first = core.context_of(level + 1, core.level(level + 1).first_free);
            child = (here & !leaves).mux(first, child);
        }
    }
    let again = arrived.recirculate;
    let kind = |kind: PassKind| layout.kind(m, kind);
    let mut back_tag = Tag {
        path: longer,
        length: length + 1,
        potential,
        extensions: tag.extensions - again.zero_extend(layout.extension_bits),
        depth_zero: again.mux(arrived.depth_zero, leaf),
        negate: again & !arrived.negate,
        kind: kind(PassKind::Node),
        generation: again.mux(tag.generation, generation),
        level: again.mux(tag.level, tag.level + 1),
        context: again.mux(tag.context, tag.child),
        child: again.mux(tag.child, child),
        order: again.mux(tag.order, m.zero(layout.tag.order)),
    };
    let mut sends = again | arrived.bypass;
    if let Some((level, Replies { reply, answered, .. })) = layout.answered_level().zip(arrived.replies) {
        m.comment("A reply goes on the board; then the node's own moves are asked for.");
        let first = m.delayed("answered_first", cell).zero_extend(layout.tag.order);
        back_tag = Tag {
            length: answered.mux(length - 2, back_tag.length),
            kind: reply.mux(kind(PassKind::Answered), answered.mux(kind(PassKind::Surviving), back_tag.kind)),
            generation: reply
                .mux(core.level(level).start_generation, answered.mux(tag.generation, back_tag.generation)),
            level: answered.mux(tag.level, back_tag.level),
            context: answered.mux(tag.context, back_tag.context),
            order: reply.mux(first, back_tag.order),
            ..back_tag
        };
        sends = sends | reply | answered;
    }
    let sends_back = m.wire("sends_back", sends & !stop);
    let slot = m.declare("slot", 1);
    let entering = m.declare("entering", layout.tag.width());
    let valid = m.declare("pass", 1);
    let back = back(core, (sends_back, back_tag.pack()), slot, (valid, entering));
    m.comment("One request an interval: straight back, else a visit's, else the game's.");
    let asks = core.game.request & !request.waits;
    m.drive(valid, slot & (back.valid | request.valid | asks));
    let interval = interval(layout);
    if interval == 1 {
        m.drive(slot, true);
    } else {
        let left = m.control("slot_left", engine_model::scoring::bits_for(interval - 1), 0);
        m.drive(slot, left.is(0));
        m.at_edge([when(valid, [left.set(interval - 1)]).else_when(!slot, [left.set(left - 1)])]);
    }
    m.drive(request.taken, slot & !back.valid);
    core.to_game.borrow_mut().request_ready = Some(slot & !back.valid & !request.waits);
    builder.drive("valid", valid);
    let waiting = request.waits.mux(request.tag, core.game.request_tag);
    m.drive(entering, back.valid.mux(back.tag, waiting));
    builder.drive("tag", entering);
    Passes { slot, valid, ahead: back.valid }
}

/// What goes before visits and the game.
struct Back<'m> {
    valid: Sig<'m>,
    tag: Sig<'m>,
}

/// Entries of what goes straight back at most while a pass for a reply may follow its node: each of those lets one more wait.
const MOST_BACK: usize = request_queue::DEPTH / 2;

/// What waits to go straight back. With ceilings a node two levels above leaves is followed, in the next clock, by a pass for the
/// opponent's best reply to it; that is left out while much waits to go back, as nothing holds up results.
fn back<'m>(
    core: &Core<'m, '_>,
    (sends, tag): (Sig<'m>, Sig<'m>),
    slot: Sig<'m>,
    (valid, entering): (Sig<'m>, Sig<'m>),
) -> Back<'m> {
    let (m, layout, stop) = (core.m, core.layout, core.stop);
    let Some(level) = layout.answered_level() else {
        let back_valid = m.control("back_valid", 1, 0);
        let back = m.register("back_tag", layout.tag.width());
        m.at_edge([when(stop, [back_valid.set(false)])
            .else_when(sends, [back_valid.set(true)])
            .else_when(slot, [back_valid.set(false)])]);
        m.at_edge([when(sends, [back.set(tag)])]);
        return Back { valid: back_valid, tag: back };
    };
    let queue = m.child("back", request_queue(layout.tag.width()));
    let replies = m.control("asks_reply", 1, 0);
    let (waits, shown) = (queue.get("out_valid"), queue.get("out_data"));
    let leaves = m.wire("back_leaves", waits & slot & !replies);
    queue.drive("clear", stop);
    queue.drive("push", sends);
    queue.drive("in_data", tag);
    queue.drive("pop", leaves);
    let bits = engine_model::scoring::bits_for(request_queue::DEPTH);
    let waiting = m.control("back_waiting", bits, 0);
    let now = waiting + sends.zero_extend(bits) - leaves.zero_extend(bits);
    m.at_edge([when(stop, [waiting.set(0)]).otherwise([waiting.set(now)])]);
    let node: Tag<Sig> = layout.tag.unpack(entering);
    let asked = node.kind.is(PassKind::Node as u64) & node.level.is(level - 1) & node.extensions.is(0);
    let deep = m.delayed("searches_all", core.game.levels_now.is(layout.config.levels));
    let asks = valid & asked & deep & waiting.at_most(MOST_BACK) & !stop;
    m.at_edge([when(stop, [replies.set(false)]).otherwise([replies.set(asks)])]);
    let before = layout.tag.unpack(m.delayed("node_before", entering));
    let reply = Tag {
        length: before.length + 1,
        potential: m.wire("reply_potential", before.potential.negated()),
        depth_zero: m.bit(true),
        kind: layout.kind(m, PassKind::Reply),
        ..before
    };
    Back { valid: replies | waits, tag: replies.mux(reply.pack(), shown) }
}

/// What results leave in the memories.
pub(super) fn store_writes<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>) {
    let (m, layout, game) = (core.m, core.layout, core.game);
    let (tag, result) = (core.result.tag, core.result.result);
    m.comment("A context that starts leaves its node; every pass leaves the first cells of its groups.");
    let kept = |tag: Tag<Sig<'m>>, unbounded: Sig<'m>| {
        let Tag { path, length, potential, extensions, .. } = tag;
        KeptNode { path, length, potential, extensions, unbounded }.pack()
    };
    let game_result = layout.result.unpack(game.start_result);
    let from_result = kept(tag, result.one_empty | arrived.forced);
    let from_game = kept(layout.tag.unpack(game.start_tag), game_result.one_empty | game.start_single);
    let root = m.zero(layout.context_bits);
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
    to.after_context = Some(after.context);
    core.evaluate.drive("after", core.store.get("after"));
    let context = game.start.mux(root, arrived.ordered.mux(tag.context, tag.child));
    let comes = game.start | arrived.deeper | arrived.ordered;
    if has_beam(layout) {
        let level = m.wire("after_level", after.level);
        let beams = (1..=core.depth()).filter(|&level| layout.config.beam_at(level - 1) > 0);
        to.after_beamed = Some(any_of(beams.map(|number| level.is(number))));
        to.last_write = Some(comes);
        to.last_context = Some(context);
        let of_game = cat([game_result.gain, game_result.rank]);
        to.last = Some(game.start.mux(of_game, cat([result.gain, result.rank])));
    }
    m.comment("The picker learns of every new set, a clock later.");
    let mut to = core.to_picker.borrow_mut();
    to.mark = Some(m.delayed("set_mark", comes));
    to.mark_context = Some(m.delayed("set_mark_context", context));
    let mut issued = !game.start & !arrived.ordered & arrived.bypass;
    if let Some(replies) = arrived.replies {
        // The first of what survives is under way.
        issued = issued | (arrived.ordered & replies.surviving);
    }
    to.mark_issued = Some(m.delayed("set_mark_issued", issued));
    to.mark_group = Some(m.delayed("set_mark_group", game.start.mux(game_result.group, result.group)));
}
