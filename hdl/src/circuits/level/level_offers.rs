// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a level offers to be issued next, and why it offers nothing.

use super::words::{LEFT_BITS, Level, PENDING_BITS, waiting};
use crate::kit::{Body, constant, range};

/// What each context is ready for.
pub(super) fn readiness(body: &mut Body, of: &Level) {
    body.comment("What each context is ready for.");
    let zero_pending = constant(PENDING_BITS, 0);
    for r in 0..of.rows {
        let due = if of.root {
            format!("((pending_{r} == {zero_pending}) | (|returned_{r}))")
        } else {
            format!("({{1'b0, returned_{r}}} >= pending_{r})")
        };
        // Visits under way must not be more than the moves that are left for them.
        let (open, twice) = if of.beamed {
            ("1'b1".to_string(), "1'b0".to_string())
        } else {
            let (zero, one) = (constant(LEFT_BITS, 0), constant(LEFT_BITS, 1));
            let enough = if of.root {
                format!("(|returned_{r})")
            } else {
                format!("({{1'b0, returned_{r}}} > pending_{r})")
            };
            (
                format!("((visits_{r} == {zero}) | (left_{r} > visits_{r}))"),
                format!("({enough} & ({{1'b0, left_{r}}} > {{1'b0, visits_{r}}} + {{1'b0, {one}}}))"),
            )
        };
        body.raw(format!(
            "
wire idle_{r} = ~has_moves_{r} & ~order_wanted_{r} & ~order_pending_{r} & (pending_{r} == {zero_pending});
wire ends_{r} = active_{r} & (cut_{r} | idle_{r});
wire asks_{r} = active_{r} & ~cut_{r} & ~pending_{r}[{top}] & (has_moves_{r} ? {room}{open} : order_wanted_{r});
wire due_{r} = asks_{r} & {due};
wire ahead_{r} = asks_{r} & (|returned_{r});
wire twice_{r} = asks_{r} & has_moves_{r} & {twice};
",
            top = PENDING_BITS - 1,
            // The deepest level's children are leaves: they need no context.
            room = if of.last { "" } else { "(leaf_children | child_any) & " },
        ));
    }
}

/// Bits of an offer: whether there is one, whether it needs a context below, is due, is for order; its row.
pub(super) fn offer_bits(of: &Level) -> usize {
    3 + usize::from(!of.last) + of.index
}

/// The offer is chosen a clock before it can be taken. While it is not taken, it stays until something more urgent
/// takes its place; the next one is chosen among the others.
pub(super) fn offers(body: &mut Body, of: &Level) {
    body.comment("The offer: a context that is due, else one that may run ahead.");
    let index = of.index;
    for r in 0..of.rows {
        body.raw(format!("wire offered_{r} = offer & {};", of.at("offer_row", r)));
    }
    let among = |class: &str, not: &str| -> Vec<String> {
        (0..of.rows).map(|r| format!("({class}_{r} & {not}offered_{r})")).collect()
    };
    let wants: Vec<String> = (0..of.rows).map(|r| format!("(~has_moves_{r})")).collect();
    let (mut rows, mut orders) = (Vec::new(), Vec::new());
    for class in ["due", "ahead"] {
        let (any, row, order) =
            body.first_set_with(&format!("other_{class}_row"), index, &among(class, "~"), &wants);
        rows.push(row);
        orders.push(order);
        body.raw(format!(
            "wire other_{class} = {any};\nwire still_{class} = {};",
            among(class, "").join(" | ")
        ));
    }
    let still_orders: Vec<String> = (0..of.rows).map(|r| format!("(offered_{r} & ~has_moves_{r})")).collect();
    body.raw(format!(
        "
wire still_order = {still_order};
wire {index_range}other_row = other_due ? {due} : {ahead};
wire other_order = other_due ? {due_order} : {ahead_order};
",
        still_order = still_orders.join(" | "),
        index_range = range(index),
        due = rows[0],
        ahead = rows[1],
        due_order = orders[0],
        ahead_order = orders[1],
    ));
    let (needs_taken, needs_kept, offer_needs) = match of.last {
        true => ("", "", ""),
        false => ("~order_if_taken & ~leaf_children, ", "~order_if_kept & ~leaf_children, ", "offer_needs, "),
    };
    body.raw(format!(
        "
wire again = ~offer_order & ({twice});
wire keeps = still_due | (~other_due & still_ahead);
wire others = other_due | other_ahead;
wire order_if_taken = ~again & other_order;
wire order_if_kept = keeps ? still_order : other_order;
always @(*) next_offer$late = take;
always @(*) next_offer$if_set = {{again | others, {needs_taken}again | other_due, order_if_taken, again ? offer_row : other_row}};
always @(*) next_offer$if_clear = {{keeps | others, {needs_kept}keeps ? still_due : other_due, order_if_kept, keeps ? offer_row : other_row}};
always @(posedge aclk)
  if (!aresetn | clear) offer <= 1'b0;
  else offer <= next_offer$word[{valid}];
always @(posedge aclk) {{{offer_needs}offer_due, offer_order, offer_row}} <= next_offer$word[{top}:0];
",
        twice = among("twice", "").join(" | "),
        valid = offer_bits(of) - 1,
        top = offer_bits(of) - 2,
    ));
}

/// Why nothing is issued.
pub(super) fn waits(body: &mut Body, of: &Level) {
    body.comment("Why nothing is issued.");
    let any = |f: &dyn Fn(usize) -> String| (0..of.rows).map(f).collect::<Vec<_>>().join(" | ");
    body.drive("waits_order", any(&|r| format!("(active_{r} & order_pending_{r})")));
    body.drive("waits_first", any(&|r| format!("(asks_{r} & ~due_{r})")));
    body.drive(
        "waits_context",
        format!(
            "~leaf_children & ~child_any & ({})",
            any(&|r| format!("(active_{r} & ~cut_{r} & has_moves_{r})"))
        ),
    );
}

/// The same for the trace: what decides it, context by context.
pub(super) fn waiting_trace(body: &mut Body, of: &Level) {
    let fields = waiting();
    let counted = ["left", "visits"];
    let rows = (0..of.rows).rev().map(|r| {
        let registers =
            fields.fields().iter().map(|field| match of.beamed && counted.contains(&field.name) {
                // A beam counts otherwise.
                true => (field.name, constant(field.width, 0)),
                false => (field.name, format!("{}_{r}", field.name)),
            });
        fields.pack(&registers.collect::<Vec<_>>())
    });
    let rows: Vec<String> = rows.collect();
    body.drive("trace_waiting", format!("{{child_any, leaf_children, {}}}", rows.join(", ")));
}
