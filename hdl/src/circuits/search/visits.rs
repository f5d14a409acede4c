// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of a visit: a level's offer is taken, its context read, its window brought up to date, its move picked, the
//! request made.

use super::core::Core;
use super::move_picker::Picked;
use super::node_tag::{cell_of_rank, child_potential, extended_path, rank_to_cell};
use super::search_results::Arrived;
use super::visit_stage::{
    Moved, Second, Stage, Third, keeps_request, keeps_window, looks_up_at_once, most_ahead, most_visits,
    next, widest_row,
};
use crate::circuits::level::late_choice::choose_late;
use crate::circuits::level::words::{LEFT_BITS, row_bits};
use crate::layout::{KeptNode, PassKind, Tag};
use engine_model::scoring::bits_for;
use kit::{Sig, bundle, cat, one_hot, when};

/// A request of a visit.
pub(super) struct Request<'m> {
    /// The queue shows one.
    pub waits: Sig<'m>,
    /// Its context is still active: known late.
    pub alive: Sig<'m>,
    pub is_order: Sig<'m>,
    pub tag: Sig<'m>,
    /// Declared here, driven by who takes it away.
    pub taken: Sig<'m>,
    /// A visit has found no move.
    pub missed: Sig<'m>,
}

/// The clocks of a visit, and its request at the end, which `taken` takes away. Nothing waits in between: a visit begins when the
/// queue has room for its request.
pub(super) fn visits<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>) -> Request<'m> {
    let (m, layout) = (core.m, core.layout);
    let room = bits_for(most_visits(layout));
    m.comment("Visits and requests under way, and whether so many allow another.");
    let under_way = m.control("under_way", room, 0);
    let [few, may] = ["few_under_way", "may_begin"].map(|name| m.control(name, 1, 1));
    let (chosen, first) = choice(core, arrived, few, may);
    let (alive, second, fours) = read(core, arrived, first);
    let third = window(core, arrived, first.context, second, fours);
    let (missed, fourth, moved) = pick(core, arrived, third);
    let request = request(core, arrived, fourth, missed, moved);
    let leaves = m.wire("request_leaves", request.waits & request.taken);
    core.queue.drive("pop", leaves);
    let one = |bit: Sig<'m>| bit.zero_extend(room);
    // A clock later, as it is known late.
    let died = m.cleared("s2_died", first.valid & !alive & !core.stop);
    // Whether a visit begins is known later than all this.
    let counted = |now: Sig<'m>| cat([now.less(most_ahead(layout)), now.less(most_visits(layout)), now]);
    let less = |bits: &[Sig<'m>]| bits.iter().fold(under_way, |now, &bit| now - one(bit));
    let (with_another, without) = if layout.shortens_paths() {
        let others = m.wire("others_under_way", less(&[died, missed]));
        let [more, same, fewer] = [others + 1, others, others - 1].map(counted);
        (
            choose_late(m, "with_another", leaves, same, more),
            choose_late(m, "without_another", leaves, fewer, same),
        )
    } else {
        let others = m.wire("others_under_way", less(&[died, missed, leaves]));
        (counted(others + 1), counted(others))
    };
    let now = choose_late(m, "now_under_way", chosen, with_another, without);
    m.at_edge([when(core.stop, [under_way.set(0), few.set(true), may.set(true)]).otherwise([
        under_way.set(now.bits(0..room)),
        may.set(now.bit(room)),
        few.set(now.bit(room + 1)),
    ])]);
    request
}

/// Clock 0: whether a visit begins, and it.
fn choice<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    few: Sig<'m>,
    may: Sig<'m>,
) -> (Sig<'m>, Stage<'m>) {
    let (m, layout, levels) = (core.m, core.layout, core.depth());
    m.comment(
        "Visit, clock 0: the deepest level that has something due, else the deepest that may run ahead.",
    );
    let each = |f: &dyn Fn(usize) -> Sig<'m>, levels: std::ops::Range<usize>| bundle(levels.map(f));
    for choice in [Some(core.choice), core.reserves].into_iter().flatten() {
        choice.drive("offer", each(&|level| core.level(level).offer, 1..levels + 1));
        choice.drive("due", each(&|level| core.level(level).offer_due, 1..levels + 1));
        if levels > 1 {
            choice.drive("needs", each(&|level| core.level(level).offer_needs, 1..levels));
            choice.drive("claimed", each(&|level| arrived.claims[level - 1], 1..levels));
            choice.drive("free_any", each(&|level| core.level(level + 1).free_any, 1..levels));
            choice.drive("free_both", each(&|level| core.level(level + 1).free_both, 1..levels));
        }
        choice.drive("few", few);
        choice.drive("may", may);
    }
    let take = core.choice.get("take");
    let reserves = core.reserves.map(|reserves| reserves.get("reserve"));
    let choose = m.wire("choose", take.any());
    let zero = |width: usize| m.zero(width);
    let (mut level_now, mut row) = (zero(layout.level_bits), zero(widest_row(layout)));
    let (mut context, mut child, mut order) =
        (zero(layout.context_bits), zero(layout.context_bits), m.bit(false));
    for (level, outputs) in core.levels() {
        let chosen = take.bit(level - 1);
        level_now = chosen.mux(m.constant(layout.level_bits, level), level_now);
        row = chosen.mux(outputs.offer_row.zero_extend(row.width), row);
        context = chosen.mux(core.context_of(level, outputs.offer_row), context);
        order = chosen.mux(outputs.offer_order, order);
        core.tell(level, |to| to.take = Some(chosen));
        if level == levels {
            core.tell(level, |to| to.child_any = Some(m.bit(false)));
            continue;
        }
        let below = core.level(level + 1);
        child = chosen.mux(core.context_of(level + 1, below.second_free), child);
        core.tell(level, |to| to.child_any = Some(below.free_any));
        core.tell(level + 1, |to| {
            let reserve = reserves.map(|reserves| reserves.bit(level - 1));
            to.reserve_second = Some(reserve.unwrap_or(chosen & outputs.offer_needs));
            to.reserve_second_parent = Some(outputs.offer_row);
        });
    }
    let stage = Stage {
        valid: m.cleared("s1_valid", choose & !core.stop),
        level: m.delayed("s1_level", level_now),
        row: m.delayed("s1_row", row),
        context: m.delayed("s1_context", context),
        child: m.delayed("s1_child", child),
        order: m.delayed("s1_order", order),
    };
    (choose, stage)
}

/// Clock 1: whether the context is still alive, the next stage, and whether only moves that make a four are asked for.
fn read<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>, first: Stage<'m>) -> (Sig<'m>, Second<'m>, Sig<'m>) {
    let m = core.m;
    m.comment("Clock 1: the context is read, and its parent's window as it is now.");
    for (level, outputs) in core.levels().skip(1) {
        let above = *core.level(level - 1);
        let from = arrived.start_from[level - 1].expect("below the root a start has a parent");
        core.tell(level - 1, |to| {
            to.window_row = Some(outputs.visit_parent);
            to.window_start_row = Some(from);
        });
        core.tell(level, |to| {
            to.searching = Some(core.game.searching);
            to.above_changed = Some(above.changed);
            to.above_changed_row = Some(above.changed_row);
            (to.above_alpha, to.above_limit) = (Some(above.window_alpha), Some(above.window_limit));
            to.start_alpha = Some(above.window_start_alpha);
            to.start_limit = Some(above.window_start_limit);
            to.start_losses = Some(above.window_start_losses);
        });
        if level == 2 {
            let start_order = core.to_levels[1].borrow().start_order.expect("its order has been said");
            core.tell(1, |to| {
                to.window_order = Some(outputs.visit_order);
                to.window_start_order = Some(start_order);
            });
        }
    }
    m.comment(
        "A context that was freed as it was chosen has the next generation already: its visit ends here.",
    );
    let alive = m.wire("s1_alive", core.of_levels(first.level, |level| level.visit_active));
    let stage = next(core, "s2", first, first.valid & alive);
    let fours = m.wire("s1_fours", core.of_levels(first.level, |level| level.visit_fours));
    let generation = m.delayed("s2_generation", core.of_levels(first.level, |level| level.visit_generation));
    let kind = |kind: PassKind| core.layout.kind(m, kind);
    let mut asked = kind(PassKind::Order);
    if let Some(level) = core.layout.answered_level() {
        let (here, outputs) = (first.level.is(level), core.level(level));
        asked = (here & outputs.visit_surviving).mux(kind(PassKind::OrderSurviving), asked);
        asked = (here & outputs.visit_replies).mux(kind(PassKind::Reply), asked);
    }
    let kind = m.delayed("s2_kind", fours.mux(kind(PassKind::OrderFours), asked));
    // Beams ask for no fours of their own.
    let fours = match core.layout.config.has_full_width() {
        true => m.delayed("s2_fours", fours),
        false => m.bit(false),
    };
    (alive, Second { stage, kind, generation }, fours)
}

/// Clock 2, of the visit whose context was `coming` a clock before, and the clock in which its window is kept.
fn window<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    mut coming: Sig<'m>,
    mut second: Second<'m>,
    mut fours: Sig<'m>,
) -> Third<'m> {
    let (m, layout, bits) = (core.m, core.layout, core.layout.value_bits);
    m.comment("Clock 2: the window, and the largest gain that the exact upper bound drops.");
    let level = second.stage.level;
    let mut alpha = m.wire("s2_alpha", core.of_levels(level, |level| level.now_alpha));
    let mut closed = m.wire("s2_closed", core.of_levels(level, |level| level.now_closed));
    let mut bounds = match layout.config.has_bound() {
        true => m.wire("s2_leaf_children", leaf_children(core, arrived, level)),
        false => m.bit(false),
    };
    if keeps_window(layout) {
        m.comment("The window is kept for a clock.");
        let register = |name: &str, value: Sig<'m>| m.delayed(&format!("kept_{name}"), value);
        alpha = register("alpha", alpha);
        closed = register("closed", closed);
        if layout.config.has_bound() {
            bounds = register("leaf_children", bounds);
        }
        if layout.config.has_full_width() {
            fours = register("fours", fours);
        }
        coming = second.stage.context;
        second = Second {
            stage: next(core, "kept", second.stage, second.stage.valid),
            kind: register("kind", second.kind),
            generation: register("generation", second.generation),
        };
    }
    core.to_store.borrow_mut().visit_context = Some(coming);
    core.to_beams.borrow_mut().coming = Some(coming);
    let here = second.stage;
    let packed = core.store.get("visit_node");
    let node = layout.kept_node().unpack(packed);
    let potential = m.wire("s2_potential", node.potential).sign_extend(bits);
    m.comment("2 * gain <= alpha - 2 * potential, halved and rounded down.");
    let slack = m.wire("s2_slack", alpha.sign_extend(bits + 1) - potential.doubled());
    let limit = slack.bits(1..bits + 1);
    let winners = core.store.get("visit_winners");
    let bounded = bounds & !node.unbounded;
    {
        let mut to = core.to_picker.borrow_mut();
        (to.next_visited, to.winners) = (Some(here.context), Some(winners));
        to.fours_only = Some(fours);
        (to.bounded, to.limit) = (Some(bounded), Some(limit));
        let mut to = core.to_beams.borrow_mut();
        (to.visited, to.winners) = (Some(here.context), Some(winners));
        (to.bounded, to.limit) = (Some(bounded), Some(limit));
    }
    let stage = next(core, "s3", here, here.valid);
    Third {
        second: Second {
            stage,
            kind: m.delayed("s3_kind", second.kind),
            generation: m.delayed("s3_generation", second.generation),
        },
        node: m.delayed("s3_node", packed),
        closed: m.delayed("s3_closed", closed),
    }
}

/// Whether the children of the level with a number are leaves.
fn leaf_children<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>, number: Sig<'m>) -> Sig<'m> {
    let each = arrived.leaf_children.iter().zip(1..);
    each.fold(core.m.bit(false), |rest, (leaves, level)| number.is(level).mux(*leaves, rest))
}

/// Clock 3: what the pickers find. With beams that takes another clock, also at levels of full width.
fn found<'m>(core: &Core<'m, '_>, third: Third<'m>) -> (Third<'m>, Picked<Sig<'m>>) {
    let m = core.m;
    let here = third.second.stage;
    let visit = here.valid & !here.order;
    let Some(beam) = core.beam_picked else {
        let mut to = core.to_picker.borrow_mut();
        (to.visit, to.closed) = (Some(visit), Some(third.closed));
        return (third, core.picked.expect("a level without a beam"));
    };
    let beamed = core.has_beam(here.level);
    {
        let mut to = core.to_picker.borrow_mut();
        (to.visit, to.closed) = (Some(visit & !beamed), Some(third.closed));
        let mut to = core.to_beams.borrow_mut();
        (to.visit, to.closed) = (Some(visit & beamed), Some(third.closed));
    }
    let register = |name: &str, value: Sig<'m>| m.delayed(&format!("late_{name}"), value);
    let late = Third {
        second: Second {
            stage: next(core, "late", here, here.valid),
            kind: register("kind", third.second.kind),
            generation: register("generation", third.second.generation),
        },
        node: register("node", third.node),
        closed: register("closed", third.closed),
    };
    let found = match core.picked {
        None => Picked {
            picked: beam.picked,
            left: beam.left,
            need: beam.need,
            open_count: m.zero(LEFT_BITS),
            fours: m.bit(false),
            gain: beam.gain,
            rank: beam.rank,
        },
        Some(wide) => {
            let beamed = register("beamed", beamed);
            let moves = m.delayed("late_move_beamed", beamed);
            let either = |name: &str, beam: Sig<'m>, wide: Sig<'m>| beamed.mux(beam, register(name, wide));
            Picked {
                picked: either("picked", beam.picked, wide.picked),
                left: either("left", beam.left, wide.left),
                need: either("need", beam.need, wide.need),
                open_count: register("open_count", wide.open_count),
                fours: register("fours", wide.fours),
                gain: moves.mux(beam.gain, register("gain", wide.gain)),
                rank: moves.mux(beam.rank, register("rank", wide.rank)),
            }
        }
    };
    m.comment("A pass for order in a beam goes on behind the last move.");
    let mut to = core.to_store.borrow_mut();
    to.last_write = Some(m.cleared("last_write", beam.goes_on & !core.stop));
    to.last_context = Some(m.delayed("last_context", late.second.stage.context));
    to.last = Some(cat([beam.gain, beam.rank]));
    (late, found)
}

/// Whether a visit has found no move, a clock ago, the next stage, and, then, the move.
fn pick<'m>(core: &Core<'m, '_>, arrived: &Arrived<'m>, third: Third<'m>) -> (Sig<'m>, Third<'m>, Moved<'m>) {
    let (m, layout) = (core.m, core.layout);
    m.comment("Clock 3: the move. The level hears of it a clock later.");
    let (third, picked) = found(core, third);
    let here = third.second.stage;
    let visit = here.valid & !here.order;
    let asks = m.wire("s3_asks", here.valid & (here.order | picked.picked));
    let misses = m.wire("s3_missed", visit & !picked.picked);
    let stage = next(core, "s4", here, asks);
    let missed = m.cleared("s4_missed", misses & !core.stop);
    let register = |name: &str, value: Sig<'m>| m.delayed(&format!("s4_{name}"), value);
    let fourth = Third {
        second: Second {
            stage,
            kind: register("kind", third.second.kind),
            generation: register("generation", third.second.generation),
        },
        node: register("node", third.node),
        closed: register("closed", third.closed),
    };
    let left = register("left", picked.left);
    let count = picked.open_count - m.constant(LEFT_BITS, 1);
    let need = register("need", picked.need);
    let more_fours = register("more_fours", picked.fours);
    for (level, outputs) in core.levels() {
        let (rows, row) = (layout.contexts_at(level), here.row.bits(0..row_bits(layout, level)));
        let ends = visit & !core.stop & here.level.is(level);
        let drained = m.cleared(&format!("s4_drained_at_{level}"), one_hot(row, rows) & ends.times(rows));
        core.tell(level, |to| {
            to.drained_at = Some(drained);
            if 1 < level && level < core.depth() {
                to.drained_row = Some(stage.row.bits(0..row_bits(core.layout, level)));
            }
            to.drained_issue = Some(!missed);
            to.drained_closed = Some(fourth.closed);
            to.drained_need = Some(need);
            if core.layout.config.beam_at(level - 1) == 0 {
                to.drained_left = Some(left);
                to.drained_fours = Some(more_fours);
                to.drained_count = Some(count);
            } else {
                to.drained_more = Some(left);
            }
        });
        if level < core.depth() {
            let below = level + 1;
            let mut row = core.row_of(below, stage.child, &format!("s4_child_in_{below}"));
            // If the context has ended since, the child's is no longer its own.
            let mut mine =
                missed & stage.level.is(level) & !arrived.leaf_children[level - 1] & outputs.drained_active;
            if layout.shortens_paths() {
                // A clock later: if the context ends now, the child's is freed in that clock too.
                mine = m.cleared(&format!("s5_releases_{below}"), mine & !core.stop);
                row = m.delayed(&format!("s5_row_{below}"), row);
            }
            core.tell(below, |to| {
                to.release_b = Some(mine);
                to.release_b_row = Some(row);
            });
        }
    }
    let potential = layout.kept_node().unpack(third.node).potential;
    let minus_potential = register("minus_potential", m.part("s3_potential", potential).negated());
    (missed, fourth, Moved { gain: picked.gain, rank: picked.rank, minus_potential })
}

/// Clock 4, the register behind it, if there is one, and the queue.
fn request<'m>(
    core: &Core<'m, '_>,
    arrived: &Arrived<'m>,
    fourth: Third<'m>,
    missed: Sig<'m>,
    moved: Moved<'m>,
) -> Request<'m> {
    let (m, layout) = (core.m, core.layout);
    let Second { stage, kind: asked, generation } = fourth.second;
    m.comment("Clock 4: the request.");
    let Moved { gain, rank, minus_potential } = moved;
    let cell = match layout.shortens_paths() {
        true => {
            let cell = m.child("picked_cell", cell_of_rank(layout));
            cell.drive("rank", rank);
            cell.get("cell_there")
        }
        false => rank_to_cell(m, layout, rank),
    };
    let node: KeptNode<Sig> = layout.kept_node().unpack(fourth.node);
    let path = m.wire("s4_path", node.path);
    let length = m.wire("s4_length", node.length);
    let potential = m.wire("s4_potential", node.potential);
    let child_path = extended_path(m, layout, path, length, cell);
    let negated = child_potential(m, layout, minus_potential, gain);
    let leaf = m.wire("s4_leaf", leaf_children(core, arrived, stage.level));
    let no_context = m.zero(layout.context_bits);
    let kind = |kind: PassKind| layout.kind(m, kind);
    let mut order = Tag {
        path,
        length,
        potential,
        extensions: node.extensions,
        depth_zero: m.bit(false),
        negate: m.bit(false),
        kind: asked,
        generation,
        level: stage.level,
        context: stage.context,
        child: no_context,
        order: m.zero(layout.tag.order),
    };
    if layout.config.has_ceilings() {
        // A reply is asked for as if the node's mover had passed.
        let replies = m.wire("s4_replies", asked.is(PassKind::Reply as u64));
        order = Tag {
            length: length + replies.zero_extend(layout.length_bits),
            potential: replies.mux(minus_potential, potential),
            depth_zero: replies,
            order: node.first.zero_extend(layout.tag.order),
            ..order
        };
        if layout.newest_first() {
            // Any move stands for the one that is passed on.
            order.path = replies.mux(child_path, path);
        }
    }
    let child = Tag {
        path: child_path,
        length: length + 1,
        potential: negated,
        depth_zero: leaf,
        kind: kind(PassKind::Node),
        child: leaf.mux(no_context, stage.child),
        order: cat([gain, rank]),
        ..order
    };
    m.comment("Clock 5: the queue.");
    core.queue.drive("clear", core.stop);
    let (keeps, valid) = (keeps_request(layout), stage.valid & !core.stop);
    core.queue.drive("push", if keeps { m.cleared("s5_valid", valid) } else { valid });
    let entry = cat([stage.row, stage.order.mux(order.pack(), child.pack())]);
    core.queue.drive("in_data", if keeps { m.delayed("s5_entry", entry) } else { entry });
    m.comment("A request whose context has ended is dropped when its turn comes.");
    let (waits, shown) = (core.queue.get("out_valid"), core.queue.get("out_data"));
    let tag_bits = layout.tag.width();
    let row = m.wire("request_row", shown.bits(tag_bits..shown.width));
    let packed = m.wire("request_tag", shown.bits(0..tag_bits));
    let tag = layout.tag.unpack(packed);
    for number in 1..=core.depth() {
        core.tell(number, |to| {
            to.issue_row = Some(row.bits(0..row_bits(layout, number)));
            to.issue_generation = Some(tag.generation);
        });
    }
    let alive = match looks_up_at_once(layout) {
        true => m.wire("request_alive", core.of_levels(tag.level, |level| level.issue_alive)),
        false => m.bit(true),
    };
    let mut is_order = tag.kind.is_not(PassKind::Node as u64);
    if layout.config.has_ceilings() {
        is_order = is_order & tag.kind.is_not(PassKind::Reply as u64);
    }
    Request {
        waits,
        alive,
        is_order: m.wire("request_is_order", is_order),
        tag: packed,
        taken: m.declare("request_taken", 1),
        missed,
    }
}
