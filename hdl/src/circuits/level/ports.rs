// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of a level. A width of 0 is a port that a level is without.

use super::words::{LEFT_BITS, Level, waiting_bits};
use crate::layout::GENERATION_BITS;

kit::record! {
    /// What a level is told.
    pub struct LevelInputs {
        /// Its children are leaves.
        leaf_children,
        /// Frees everything.
        clear,
        /// A context starts; never with an update.
        start,
        /// Which.
        start_row,
        /// Its sign.
        start_negate,
        /// Its first child is on its way.
        start_issued,
        /// Its set holds others.
        start_more,
        /// A move that is not in its set may save it.
        start_unproved,
        /// A child's value.
        update,
        /// Of the context whose bit is set.
        update_at,
        /// The number of that context, of which the root has one.
        update_row,
        /// Where a context below may return: the update is a child's that has ended, else what follows.
        update_ended,
        /// A return from below, of the context whose bit is set.
        below_at,
        /// The number of that context.
        below_row,
        /// Its value, or its complement.
        below_turned,
        /// It is the value.
        below_keep,
        /// The value, or its complement.
        update_turned,
        /// It is the value: else its complement, which is one less than what it is for the parent's mover.
        update_keep,
        /// A pass for order came back.
        ordered,
        /// Of this context.
        ordered_row,
        /// With first cells.
        ordered_found,
        /// The first of them is on its way.
        ordered_issued,
        /// A child's context may be had.
        child_any,
        /// The offer is issued: a visit of it begins.
        take,
        /// A visit of the context whose bit is set did or did not issue.
        drained_at,
        /// The number of that context.
        drained_row,
        /// It did.
        drained_issue,
        /// Its window was empty.
        drained_closed,
        /// Another pass for order is needed.
        drained_need,
        /// Context of a request whose turn comes.
        issue_row,
        /// Its generation.
        issue_generation,
        /// Context of a result that comes.
        generation_row,
        /// Where parents are read early: context of a result that comes a clock later.
        soon_row,
        /// Context that is reserved for a node that may start.
        child_row,
        /// Who waits for returns takes one.
        done_ready,
        /// With floors: the context whose child's floor is asked for.
        floor_row,
        /// The complement of the child's floor.
        floor_turned,
        /// With a transposition table: the context of whose child a value is known.
        known_row,
        /// The complement of that value.
        known_turned,
        /// With a beam: how many moves.
        beam,
        /// With a beam: moves are left behind the one that was picked.
        drained_more,
        /// Without a beam: moves are left.
        drained_left,
        /// Another pass for order is for fours only.
        drained_fours,
        /// How many moves are left.
        drained_count,
        /// Context whose window a visit of the level below asks for.
        window_row,
        /// The same of a start.
        window_start_row,
        /// Place of the root move that an update is of.
        update_order,
        /// Place of the root move that a window is asked for, by a visit.
        window_order,
        /// The same by a start.
        window_start_order,
        /// A search is under way.
        searching,
        /// Contexts of the level above that have been freed, a bit each.
        killed,
        /// With moves ahead: that none of the root's moves has returned; below, contexts above whose first child is awaited; further down,
        /// contexts above that are held.
        above_holds,
        /// A first child takes the first free context.
        reserve_first,
        /// For a child of this context.
        reserve_first_parent,
        /// A visit takes the second free context.
        reserve_second,
        /// For a child of this context.
        reserve_second_parent,
        /// A context is given back.
        release_a,
        /// Which.
        release_a_row,
        /// A context is given back.
        release_b,
        /// Which.
        release_b_row,
        /// A window of the level above has changed.
        above_changed,
        /// Of this context.
        above_changed_row,
        /// Alpha of the level above, of the visit's or the updated context's parent.
        above_alpha,
        /// Its beta - 1.
        above_limit,
        /// Alpha of the level above, of the starting context's parent.
        start_alpha,
        /// Its beta - 1.
        start_limit,
        /// Whether that alpha is a loss, and above it whether the complement of that beta - 1 is.
        start_losses,
        /// Place of the root move that starts.
        start_order,
        /// With ceilings: of its moves only those that survive a reply will be asked for.
        start_replies,
        /// Context whose alpha is asked for.
        bound_row,
    }
}

kit::record! {
    /// What a level says.
    pub struct LevelOutputs {
        /// Something may be issued.
        offer,
        /// It is due; else it would run ahead.
        offer_due,
        /// Its context.
        offer_row,
        /// It is a pass for order; else a child.
        offer_order,
        /// Two clocks after a visit begins: its alpha.
        now_alpha,
        /// Its window is empty.
        now_closed,
        /// A clock after: it has not been freed.
        visit_active,
        /// Only fours are asked for.
        visit_fours,
        /// Its generation.
        visit_generation,
        /// Generation of the context of a result that comes.
        generation,
        /// Generation of the context that may start.
        start_generation,
        /// That context is active and not killed in this clock.
        generation_stays,
        /// That context returns in this clock.
        generation_leaves,
        /// The request's context is active in its generation.
        issue_alive,
        /// A context has returned.
        done,
        /// In this clock first.
        done_new,
        /// Which.
        done_row,
        /// Its value, for its own mover.
        done_value,
        /// In the second level, where paths are shortened, what the root is told: the value, or without `done_keep` its complement.
        done_turned,
        /// It keeps its sign above.
        done_keep,
        /// Exact, or a bound.
        done_bound,
        /// Contexts that have been freed, a bit each.
        kill,
        /// What holds contexts below, see `above_holds`.
        holds,
        /// A pass for order is waited for.
        waits_order,
        /// A first child is waited for.
        waits_first,
        /// A free context is waited for.
        waits_context,
        /// A context is not free.
        held,
        /// The child may still be worth more than alpha.
        floor_above,
        /// With a transposition table: what is known of a child is more than alpha.
        known_above,
        /// It is more than the limit.
        known_cuts,
        /// Alpha of the context that a visit below asks for.
        window_alpha,
        /// Its beta - 1.
        window_limit,
        /// Alpha of the context that a start below asks for.
        window_start_alpha,
        /// Its beta - 1.
        window_start_limit,
        /// Whether that alpha is a loss, and above it whether the complement of that beta - 1 is.
        window_start_losses,
        /// A window has changed.
        changed,
        /// Of this context.
        changed_row,
        /// The drained context is active.
        drained_active,
        /// The offer needs a context of the level below.
        offer_needs,
        /// Place of the root move that the return is of.
        done_order,
        /// There is a free context.
        free_any,
        /// There are two.
        free_both,
        /// One, for a first child.
        first_free,
        /// One, for a visit.
        second_free,
        /// A clock after a visit begins: its parent.
        visit_parent,
        /// Parent of the return, a bit each.
        done_parent_at,
        /// Its number, where there is more than the root.
        done_parent,
        /// Place of the visit's root move.
        visit_order,
        /// With ceilings: a clock after a visit begins: only what survives a reply is asked for.
        visit_surviving,
        /// A clock after a visit begins: the reply is asked for.
        visit_replies,
        /// Alpha of the context asked for.
        bound_alpha,
        /// What each context waits for.
        trace_waiting,
    }
}

/// Widths of a level's inputs.
pub(crate) fn inputs(of: &Level) -> LevelInputs<usize> {
    let (bits, index, order) = (of.layout.value_bits, of.index, of.order_bits());
    let only = |has: bool, width: usize| usize::from(has) * width;
    let (below, above, wide) = (!of.last, !of.root, !of.beamed);
    LevelInputs {
        start_row: index,
        update_row: only(above, index),
        update_at: of.rows,
        update_ended: only(of.updated_by_either(), 1),
        below_row: only(above && of.updated_by_either(), index),
        below_at: only(of.updated_by_either(), of.rows),
        below_turned: only(of.updated_by_either(), bits),
        below_keep: only(of.updated_by_either(), 1),
        update_turned: bits,
        ordered_row: index,
        ordered_issued: only(of.survivor, 1),
        drained_at: of.rows,
        drained_row: only(below && !of.root, index),
        issue_row: index,
        issue_generation: GENERATION_BITS,
        generation_row: index,
        soon_row: only(of.reads_parents_early, index),
        child_row: index,
        floor_row: only(of.floors() && of.rows > 1, index),
        floor_turned: only(of.floors(), bits),
        known_row: only(of.looks_up && of.rows > 1, index),
        known_turned: only(of.looks_up, bits),
        beam: only(of.beamed, of.layout.count_bits),
        drained_more: only(of.beamed, 1),
        drained_left: only(wide, 1),
        drained_fours: only(wide, 1),
        drained_count: only(wide, LEFT_BITS),
        window_row: only(below, index),
        window_start_row: only(below, index),
        update_order: only(of.root, order),
        window_order: only(of.root && below, order),
        window_start_order: only(of.root && below, order),
        searching: only(above, 1),
        killed: only(above, of.above),
        above_holds: of.above_holds_bits(),
        reserve_first: only(above, 1),
        reserve_first_parent: only(above, of.above_bits),
        reserve_second: only(above, 1),
        reserve_second_parent: only(above, of.above_bits),
        release_a: only(above, 1),
        release_a_row: only(above, index),
        release_b: only(above, 1),
        release_b_row: only(above, index),
        above_changed: only(above, 1),
        above_changed_row: only(above, of.above_bits),
        above_alpha: only(above, bits),
        above_limit: only(above, bits),
        start_alpha: only(above, bits),
        start_limit: only(above, bits),
        start_losses: only(above, 2),
        start_order: only(of.second, order),
        start_replies: only(of.answered, 1),
        bound_row: only(of.answered, index),
        ..LevelInputs::uniform(1)
    }
}

/// Widths of a level's outputs.
pub(crate) fn outputs(of: &Level, level: usize) -> LevelOutputs<usize> {
    let (bits, index, order) = (of.layout.value_bits, of.index, of.order_bits());
    let only = |has: bool, width: usize| usize::from(has) * width;
    let (below, above) = (!of.last, !of.root);
    LevelOutputs {
        offer_row: index,
        now_alpha: bits,
        visit_generation: GENERATION_BITS,
        generation: GENERATION_BITS,
        start_generation: GENERATION_BITS,
        done_row: index,
        done_value: only(!of.returns_turned() || of.layout.config.trace, bits),
        done_turned: only(of.returns_turned(), bits),
        done_bound: 2,
        kill: of.rows,
        holds: if below { inputs(&Level::new(of.layout, level + 1)).above_holds } else { 0 },
        floor_above: only(of.floors(), 1),
        known_above: only(of.looks_up, 1),
        known_cuts: only(of.looks_up, 1),
        window_alpha: only(below, bits),
        window_limit: only(below, bits),
        window_start_alpha: only(below, bits),
        window_start_limit: only(below, bits),
        window_start_losses: only(below, 2),
        changed: only(below, 1),
        changed_row: only(below, index),
        drained_active: only(below, 1),
        offer_needs: only(below, 1),
        done_order: only(of.root || of.second, order),
        free_any: only(above, 1),
        free_both: only(above, 1),
        first_free: only(above, index),
        second_free: only(above, index),
        visit_parent: only(above, of.above_bits),
        done_parent: only(above && !of.second, of.above_bits),
        done_parent_at: only(above, of.above),
        visit_order: only(of.second, order),
        visit_surviving: only(of.answered, 1),
        visit_replies: only(of.answered, 1),
        bound_alpha: only(of.answered, bits),
        trace_waiting: only(of.layout.config.trace, waiting_bits(of.layout, level)),
        ..LevelOutputs::uniform(1)
    }
}
