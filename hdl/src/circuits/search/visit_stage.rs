// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a visit takes along from clock to clock, and how many clocks and visits there are.

use super::core::Core;
use super::request_queue;
use crate::circuits::evaluator::interval;
use crate::circuits::level::words::row_bits;
use crate::layout::Layout;
use kit::Sig;

/// Clocks from the moment a context is ready to the request: that it is, offer, choice, read, window, move, queue; a beam's move takes
/// two, and so do a window and a request that are kept.
pub fn visit_stages(layout: &Layout) -> usize {
    let kept = [layout.config.has_beam(), keeps_window(layout), keeps_request(layout)];
    7 + kept.into_iter().filter(|&kept| kept).count()
}

/// Whether a request stays in a register for a clock before the queue, which then is no part of a long path. With moves ahead, where
/// the latency of a visit counts most, it does not.
pub(super) fn keeps_request(layout: &Layout) -> bool {
    !layout.begins_at_once()
}

/// Whether a request's context is looked up in the clock in which its turn comes. Where paths are shortened a clock later does; the trace
/// tells it at once.
pub(super) fn looks_up_at_once(layout: &Layout) -> bool {
    !layout.shortens_paths() || layout.config.trace
}

/// Whether a visit's alpha stays in a register for a clock before moves are compared with it. Where a node takes the evaluator several clocks,
/// and several contexts take turns, a visit has the time, and the way from the levels to the picker, far apart on a part, is halved.
pub(super) fn keeps_window(layout: &Layout) -> bool {
    interval(layout) > 1 && layout.config.contexts > 1
}

/// Visits and requests under way at most: those of the stages from the choice on, and a few that make up for visits without a move.
pub fn most_visits(layout: &Layout) -> usize {
    let stages = (visit_stages(layout) - 2).div_ceil(interval(layout));
    (stages + 3).min(request_queue::DEPTH)
}

/// Of those, as many as may be under way when one more runs ahead: nothing should have to wait behind it.
pub(super) fn most_ahead(layout: &Layout) -> usize {
    6.min(most_visits(layout))
}

/// Bits of a context's number within any level.
pub fn widest_row(layout: &Layout) -> usize {
    (1..=layout.config.levels).map(|level| row_bits(layout, level)).max().expect("there is a level")
}

/// A visit on its way.
#[derive(Clone, Copy)]
pub(super) struct Stage<'m> {
    pub valid: Sig<'m>,
    pub level: Sig<'m>,
    /// Its context within its level, of `widest_row` bits.
    pub row: Sig<'m>,
    /// And among all.
    pub context: Sig<'m>,
    /// The context below that is reserved for the child.
    pub child: Sig<'m>,
    /// It is for a pass for order.
    pub order: Sig<'m>,
}

/// The stage behind one, by its name; it goes on where `valid` says so.
pub(super) fn next<'m>(core: &Core<'m, '_>, stage: &str, before: Stage<'m>, valid: Sig<'m>) -> Stage<'m> {
    let register = |name: &str, value: Sig<'m>| core.m.delayed(&format!("{stage}_{name}"), value);
    Stage {
        valid: core.m.cleared(&format!("{stage}_valid"), valid & !core.stop),
        level: register("level", before.level),
        row: register("row", before.row),
        context: register("context", before.context),
        child: register("child", before.child),
        order: register("order", before.order),
    }
}

/// What has been read of a visit's context.
#[derive(Clone, Copy)]
pub(super) struct Second<'m> {
    pub stage: Stage<'m>,
    /// What a pass for order would be for.
    pub kind: Sig<'m>,
    pub generation: Sig<'m>,
}

/// What goes along with a visit once its window is known.
#[derive(Clone, Copy)]
pub(super) struct Third<'m> {
    pub second: Second<'m>,
    pub node: Sig<'m>,
    pub closed: Sig<'m>,
}

/// What is known of a move when its request is made.
pub(super) struct Moved<'m> {
    pub gain: Sig<'m>,
    pub rank: Sig<'m>,
    /// The node's potential, seen by the opponent.
    pub minus_potential: Sig<'m>,
}
