// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the transposition table is asked and told, and which nodes it ends.

use super::core::Core;
use super::transposition_table::{LOOKUP_LATENCY, TableAccess, stored_path_bits};
use crate::circuits::level::words::BoundCode;
use crate::layout::{PassKind, Tag};
use kit::{Sig, any_of};

/// What is known of the result that comes in a clock.
#[derive(Clone, Copy)]
pub(super) struct Transposed<'m> {
    /// Its node ends: the value of one with the same stones is all that its parent's window asks for.
    pub ends: Sig<'m>,
    /// The complement of that value.
    pub turned: Sig<'m>,
}

/// A node on its way into the evaluator is looked up, if it `came`: the answer is there before its result.
pub(super) fn look_up<'m>(core: &Core<'m, '_>, came: Sig<'m>, tag: Tag<Sig<'m>>) {
    if core.transpositions.is_none() {
        return;
    }
    let inner = tag.kind.is(PassKind::Node as u64) & !tag.depth_zero;
    let long = tag.length.at_least(core.layout.stored_lengths().start as u64);
    let mut access = core.to_transpositions.borrow_mut();
    access.clear = Some(core.game.start);
    access.look_up = Some(core.m.wire("looks_up", came & inner & long));
    access.look_up_path = Some(tag.path.bits(0..stored_path_bits(core.layout)));
    access.look_up_length = Some(tag.length);
}

/// Of a node that comes out of the evaluator, of so many clocks. An exact value ends it; one that it is worth at least does if it is no
/// more than the parent's alpha to that, one that it is worth at most if it cuts the parent off. A window is read two clocks before the
/// result, and is at worst wider than it will be.
pub(super) fn transposed<'m>(core: &Core<'m, '_>, evaluator_latency: usize) -> Option<Transposed<'m>> {
    let (m, layout) = (core.m, core.layout);
    let table = core.transpositions?;
    m.comment("Nodes that end by what is known of their stones, and the windows of their parents.");
    let wait = evaluator_latency - 2 - LOOKUP_LATENCY;
    let known = |name: &str, value: Sig<'m>| m.delay(&format!("known_{name}"), value, wait);
    let [hit, bound] = ["hit", "bound"].map(|name| known(name, table.get(name)));
    let turned = known("turned", !table.get("value"));
    let level_now = layout.tag.unpack(core.evaluate.get("soon_tag")).level;
    let is = |code: BoundCode| bound.is(code as u64);
    let within = layout.stored_lengths().map(|level| {
        // Of one context there is nothing to choose.
        let row = (layout.contexts_at(level) > 1).then(|| {
            let before = layout.tag.unpack(core.evaluate.get("sooner_tag"));
            let row = core.row_of(level, before.context, &format!("sooner_in_{level}"));
            m.delayed(&format!("known_row_{level}"), row)
        });
        core.tell(level, |to| (to.known_row, to.known_turned) = (row, Some(turned)));
        let of = core.level(level);
        level_now.is(level) & (is(BoundCode::Lower) & !of.known_above | is(BoundCode::Upper) & of.known_cuts)
    });
    let ends = hit & (is(BoundCode::Exact) | any_of(within));
    Some(Transposed { ends: m.delayed("next_transposed", ends), turned: m.delayed("next_known", turned) })
}

/// What a level returns is stored, of two that return at once the one nearer to the root.
pub(super) fn store_returns(core: &Core<'_, '_>) {
    let (m, layout) = (core.m, core.layout);
    if core.transpositions.is_none() {
        return;
    }
    m.comment("Values for the transposition table: the node's path is read in the clock between.");
    let (mut any, mut context) = (m.bit(false), m.zero(layout.context_bits));
    let (mut value, mut bound) = (m.zero(layout.value_bits), m.zero(layout.returned.bound));
    // A level's nodes are one move less from the root than its number says.
    for level in layout.stored_lengths().map(|length| length + 1).rev() {
        let of = core.level(level);
        any = any | of.done_new;
        context = of.done_new.mux(core.context_of(level, of.done_row), context);
        value = of.done_new.mux(of.done_value, value);
        bound = of.done_new.mux(of.done_bound, bound);
    }
    let returned = m.cleared("returned_now", any & !core.stop);
    core.to_store.borrow_mut().returned_context = Some(m.delayed("returned_context", context));
    let node = layout.kept_node().unpack(core.store.get("returned_node"));
    let mut access = core.to_transpositions.borrow_mut();
    *access = TableAccess {
        store: Some(m.cleared("returned_before", returned)),
        store_path: Some(node.path.bits(0..stored_path_bits(layout))),
        store_length: Some(node.length),
        store_value: Some(m.delay("returned_value", value, 2)),
        store_bound: Some(m.delay("returned_bound", bound, 2)),
        ..*access
    };
}
