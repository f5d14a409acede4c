// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of its contexts a level offers next: a module of its own, so that a synthesizer that optimizes module by module makes this way
//! short; it would be the longest of a level.

use super::contexts::{Offer, offer};
use super::words::Level;
use kit::{Circuit, First, Module, Sig, bundle, cat};

/// What is offered next if the offer of now is taken, and if not: the first other context that is due, else the first other that may run
/// ahead; a context that is taken may be offered again, if it may be visited in two clocks in a row, one that is not taken stays until
/// something more urgent takes its place.
///
/// A bit per context: `due`, `ahead`, in that case `twice`, `cut` (it is none of these), `order` (for a pass for order), `offered` (it is the one
/// offered); `offer_row` and in that case `offer_order` of that; but for the deepest level `leaf_children`. Out `if_taken` and `if_kept`: the offer's
/// fields and above them, a bit per context, which it is. No clock.
pub(super) fn offer_choice(of: &Level) -> Circuit {
    let module = Module::combinational(
        &format!("offer_choice_{}{}", of.rows, if of.last { "_last" } else { "" }),
        "Which context a level offers next, if the offer of now is taken and if it is not.\nCombinational.",
    );
    choose(&module, of);
    module.circuit()
}

fn choose<'m>(m: &'m Module, of: &Level) {
    let each = |name: &str| m.input(name, of.rows);
    let [due, ahead] = ["due", "ahead"].map(each);
    let twice = of.layout.visits_in_a_row().then(|| each("twice"));
    let [cut, order, offered] = ["cut", "order", "offered"].map(each);
    let now_row = m.input("offer_row", of.index);
    let now_order = of.layout.visits_in_a_row().then(|| m.input("offer_order", 1));
    let leaf_children = (!of.last).then(|| m.input("leaf_children", 1));
    let still = |class: Sig<'m>| (class & !cut & offered).any();
    let first = |name: &str, class: Sig<'m>| {
        let others = m.wire(&format!("{name}_others"), class & !cut & !offered).each_bit();
        let first = m.first_set_with(&format!("{name}_row"), of.index, &others, &order.each_bit());
        let any = m.wire(&format!("other_{name}"), first.any);
        (First { any, ..first }, bundle(&m.first_alone(&format!("{name}_at"), &others)))
    };
    let (other_due, due_at) = first("due", due);
    let (other_ahead, ahead_at) = first("ahead", ahead);
    let [still_due, still_ahead] =
        [("still_due", due), ("still_ahead", ahead)].map(|(name, class)| m.wire(name, still(class)));
    let still_order = m.wire("still_order", (order & offered).any());
    let other_row = m.wire("other_row", other_due.any.mux(other_due.number, other_ahead.number));
    let other_order = m.wire("other_order", other_due.any.mux(other_due.mark, other_ahead.mark));
    let other_at = m.wire("other_at", due_at | (ahead_at & (!other_due.any).times(of.rows)));
    let again = twice.zip(now_order);
    let again = again.map_or(m.bit(false), |(twice, order)| m.wire("again", !order & still(twice)));
    let keeps = m.wire("keeps", still_due | (!other_due.any & still_ahead));
    let others = m.wire("other_offers", other_due.any | other_ahead.any);
    let order_if_taken = m.wire("order_if_taken", !again & other_order);
    let order_if_kept = m.wire("order_if_kept", keeps.mux(still_order, other_order));
    let needs = |order: Sig<'m>| leaf_children.map_or(m.zero(0), |leaf_children| !order & !leaf_children);
    let if_taken = Offer {
        offer: again | others,
        offer_needs: needs(order_if_taken),
        offer_due: again | other_due.any,
        offer_order: order_if_taken,
        offer_row: again.mux(now_row, other_row),
    };
    let if_kept = Offer {
        offer: keeps | others,
        offer_needs: needs(order_if_kept),
        offer_due: keeps.mux(still_due, other_due.any),
        offer_order: order_if_kept,
        offer_row: keeps.mux(now_row, other_row),
    };
    for (name, stays, offer) in [("if_taken", again, if_taken), ("if_kept", keeps, if_kept)] {
        m.output(name, cat([stays.mux(offered, other_at), offer.pack()]));
    }
}

/// An offer, and a bit for each context: whether it is its.
pub(super) fn offer_of<'m>(of: &Level, word: Sig<'m>) -> (Offer<Sig<'m>>, Sig<'m>) {
    let widths = offer(of);
    (widths.unpack(word.bits(0..widths.width())), word.bits(widths.width()..word.width))
}
