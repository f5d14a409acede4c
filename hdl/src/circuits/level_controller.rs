// SPDX-License-Identifier: MIT OR Apache-2.0
//! One level of the search: the moves of one node, their bounds, and the node's return.

use super::node_tag::{child_potential, extended_path};
use crate::kit::{Body, Circuit, range, sign_extend};
use crate::layout::{GENERATION_BITS, Layout, PassKind};
use engine_model::RuleSet;

/// Codes of a return's bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BoundCode {
    /// The node's value.
    Exact = 0,
    /// At most this: no move beat alpha.
    Upper = 1,
    /// At least this: beta was reached.
    Lower = 2,
}

/// Controls the node at one level. It plays the best move first, asks for the next one in static order while the child
/// is searched (a further pass with the tried cells excluded), raises its bound, and cuts; results still in flight for
/// a node it has left carry an older generation. Where the children are leaves it drops moves whose exact upper bound
/// does not beat alpha: at full width it then asks only for moves that make a four.
///
/// Ports: `aclk`, `aresetn`; constants `level` (1 = the root's moves), `beam` (0 = all); `levels` in use; `clear` stops
/// at once; `start` with the node's `start_tag`, `start_result`, `start_single` (forced: one move), window `start_alpha`,
/// `start_beta`; `order_valid` and `child_valid` results (`result`; `child_value` for this node's mover); out `request`
/// with `request_tag`, answered by `request_ready`; `tried` moves; `alpha`, `beta` for the child's window; `generation`;
/// `done` with `done_negate`, `done_value`, `done_move` and `returned` (packed as [`Layout::returned`]). One request a
/// clock; a result is acted upon in the next clock. Reset and `clear` make it idle.
pub fn level_controller(layout: &Layout) -> Circuit {
    let (cells, bits) = (layout.cells, layout.value_bits);
    let tag_bits = layout.tag.width();
    let mut circuit = Circuit::new(
        "level_controller",
        "One level of the search: best move first, the next in static order while the child is searched, cutoffs.\n\
         A result is acted upon in the next clock; at most one request a clock; reset and clear make it idle.",
    );
    circuit.clocked(true);
    circuit.inputs(&[
        ("level", layout.level_bits),
        ("beam", layout.count_bits),
        ("levels", layout.level_bits),
        ("clear", 1),
        ("start", 1),
        ("start_tag", tag_bits),
        ("start_result", layout.result.width()),
        ("start_single", 1),
        ("start_alpha", bits),
        ("start_beta", bits),
        ("order_valid", 1),
        ("result", layout.result.width()),
        ("child_valid", 1),
        ("child_value", bits),
        ("request_ready", 1),
    ]);
    circuit.outputs(&[
        ("request", 1),
        ("request_tag", tag_bits),
        ("tried", cells),
        ("alpha", bits),
        ("beta", bits),
        ("generation", GENERATION_BITS),
        ("done", 1),
        ("done_negate", 1),
        ("done_value", bits),
        ("done_move", layout.cell_bits),
        ("returned", layout.returned.width()),
    ]);

    let (cell_bits, gain_bits, count_bits) = (layout.cell_bits, layout.gain_bits, layout.count_bits);
    let path_bits = layout.tag.field("path").width;
    let start = |name: &str| layout.tag.of("start_tag", name);
    let started = |name: &str| layout.result.of("start_result", name);
    let got = |name: &str| layout.result.of("result", name);
    let mut body = Body::new();
    body.raw(format!(
        "
// The node.
reg active, single, fours_only, one_empty, raised, negate_q;
reg [{path_high}:0] path_q;
reg {length_range}length_q;
reg {extension_range}extensions_q;
reg {context_range}context_q;
reg [{potential_high}:0] potential_q;
// The move to try next, and what is outstanding.
reg next_valid, next_four, order_wanted, order_pending, child_pending;
reg {cell_range}next_cell, current_cell, best_cell;
reg [{gain_high}:0] next_gain;
reg [{count_high}:0] beam_left;
",
        path_high = path_bits - 1,
        length_range = range(layout.length_bits),
        extension_range = range(layout.extension_bits),
        context_range = range(crate::layout::CONTEXT_BITS),
        potential_high = layout.potential_bits - 1,
        cell_range = range(cell_bits),
        gain_high = gain_bits - 1,
        count_high = count_bits - 1,
    ));
    let (sum, negated) = child_potential(&mut body, layout, "potential_q", "next_gain");
    body.comment("Exact upper bound of a move whose child is a leaf: twice the potential after it.");
    let sum = sign_extend(&sum, layout.potential_bits, bits - 1);
    let upper = body.wire("upper", bits, format!("{{{sum}, 1'b0}}"));
    let bound_on = if layout.config.rules >= RuleSet::Forced { "1'b1" } else { "1'b0" };
    body.raw(format!(
        "
wire leaf_children = (levels == level);
wire bounded = {bound_on} & leaf_children & ~single & ~next_four & ~one_empty & ($signed({upper}) <= $signed(alpha));
wire cut = active & raised & ($signed(alpha) >= $signed(beta));
wire go = active & next_valid & ~child_pending & ~cut;
wire drop = go & bounded;
wire ask_child = go & ~bounded;
wire ask_order = active & order_wanted & ~cut;
wire taken = drop | (ask_child & request_ready);
wire last_of_beam = single | ((beam != {zero_count}) & (beam_left == {one_count}));
wire exhausted = ~next_valid & ~order_wanted & ~order_pending;
always @(*) request = ask_child | ask_order;
always @(*) done = active & ~child_pending & (cut | exhausted);
always @(*) done_negate = negate_q;
always @(*) done_value = alpha;
always @(*) done_move = best_cell;
",
        zero_count = crate::kit::constant(count_bits, 0),
        one_count = crate::kit::constant(count_bits, 1),
    ));
    let child_path = extended_path(&mut body, layout, "path_q", "length_q", "next_cell");
    let order_kind =
        format!("(fours_only ? 2'd{} : 2'd{})", PassKind::OrderFours as u8, PassKind::Order as u8);
    let child_tag = layout.tag.pack(&[
        ("path", child_path),
        ("length", format!("length_q + {}'d1", layout.length_bits)),
        ("potential", negated),
        ("extensions", "extensions_q".into()),
        ("depth_zero", "leaf_children".into()),
        ("negate", "1'b0".into()),
        ("kind", format!("2'd{}", PassKind::Node as u8)),
        ("generation", "generation".into()),
        ("level", "level".into()),
        ("context", "context_q".into()),
    ]);
    let order_tag = layout.tag.pack(&[
        ("path", "path_q".into()),
        ("length", "length_q".into()),
        ("potential", "potential_q".into()),
        ("extensions", "extensions_q".into()),
        ("depth_zero", "1'b0".into()),
        ("negate", "negate_q".into()),
        ("kind", order_kind),
        ("generation", "generation".into()),
        ("level", "level".into()),
        ("context", "context_q".into()),
    ]);
    body.drive("request_tag", format!("ask_child ? {child_tag} : {order_tag}"));
    let bound = format!(
        "(cut ? 2'd{} : raised ? 2'd{} : 2'd{})",
        BoundCode::Lower as u8,
        BoundCode::Exact as u8,
        BoundCode::Upper as u8
    );
    body.drive(
        "returned",
        layout.returned.pack(&[
            ("path", "path_q".into()),
            ("length", "length_q".into()),
            ("extensions", "extensions_q".into()),
            ("value", "alpha".into()),
            ("bound", bound),
        ]),
    );
    let next_stone = body.wire("next_stone", cells, format!("{cells}'d1 << next_cell"));
    body.raw(format!(
        "
always @(posedge aclk)
  if (!aresetn) begin
    active <= 1'b0;
    next_valid <= 1'b0;
    order_wanted <= 1'b0;
    order_pending <= 1'b0;
    child_pending <= 1'b0;
    raised <= 1'b0;
    generation <= {generation_zero};
  end else if (clear | done) begin
    active <= 1'b0;
    if (active) generation <= generation + {generation_one};
  end else if (start) begin
    active <= 1'b1;
    next_valid <= 1'b1;
    order_wanted <= 1'b0;
    order_pending <= 1'b0;
    child_pending <= 1'b0;
    raised <= 1'b0;
  end else begin
    if (taken) begin
      next_valid <= 1'b0;
      order_wanted <= ~last_of_beam;
    end
    if (ask_child & request_ready) child_pending <= 1'b1;
    if (ask_order & request_ready) begin
      order_wanted <= 1'b0;
      order_pending <= 1'b1;
    end
    if (order_valid) begin
      order_pending <= 1'b0;
      next_valid <= {order_found};
    end
    if (child_valid) begin
      child_pending <= 1'b0;
      if ($signed(child_value) > $signed(alpha)) raised <= 1'b1;
    end
  end

// What the control bits above say is meaningful; no reset of its own.
always @(posedge aclk)
  if (start) begin
    path_q <= {start_path};
    length_q <= {start_length};
    extensions_q <= {start_extensions};
    context_q <= {start_context};
    potential_q <= {start_potential};
    negate_q <= {start_negate};
    single <= start_single;
    one_empty <= {start_one_empty};
    fours_only <= 1'b0;
    tried <= {{{cells}{{1'b0}}}};
    beam_left <= beam;
    alpha <= start_alpha;
    beta <= start_beta;
    next_cell <= {start_cell};
    next_gain <= {start_gain};
    next_four <= {start_four};
  end else begin
    if (taken) begin
      tried <= tried | {next_stone};
      beam_left <= beam_left - {one_count};
      current_cell <= next_cell;
    end
    if (drop & (beam == {zero_count})) fours_only <= 1'b1;
    if (order_valid) begin
      next_cell <= {order_cell};
      next_gain <= {order_gain};
      next_four <= {order_four};
    end
    if (child_valid & ($signed(child_value) > $signed(alpha))) begin
      alpha <= child_value;
      best_cell <= current_cell;
    end
  end
",
        generation_zero = crate::kit::constant(GENERATION_BITS, 0),
        generation_one = crate::kit::constant(GENERATION_BITS, 1),
        zero_count = crate::kit::constant(count_bits, 0),
        one_count = crate::kit::constant(count_bits, 1),
        order_found = got("found"),
        order_cell = got("cell"),
        order_gain = got("gain"),
        order_four = got("makes_four"),
        start_path = start("path"),
        start_length = start("length"),
        start_extensions = start("extensions"),
        start_context = start("context"),
        start_potential = start("potential"),
        start_negate = start("negate"),
        start_one_empty = started("one_empty"),
        start_cell = started("cell"),
        start_gain = started("gain"),
        start_four = started("makes_four"),
    ));
    circuit.set_body(body.finish());
    circuit
}
