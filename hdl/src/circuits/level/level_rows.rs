// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a level's contexts.

use super::words::{LEFT_BITS, Level, PENDING_BITS, RETURNED_BITS};
use crate::kit::{Body, constant};
use crate::layout::GENERATION_BITS;

/// Every context's registers and what changes them.
pub(super) fn rows(body: &mut Body, of: &Level) {
    for r in 0..of.rows {
        body.comment(&format!("Context {r}."));
        life(body, of, r);
        window(body, of, r);
        moves(body, of, r);
        if !of.beamed {
            let zeros = constant(LEFT_BITS - 1, 0);
            // Of a new set nothing is known: its first visit goes alone.
            body.raw(format!(
                "
always @(posedge aclk)
  if (starts_{r}) begin
    left_{r} <= {none};
    visits_{r} <= {none};
  end else begin
    // What is taken is known late: both sums stand ready.
    visits_{r} <= (take & visited_{r}) ? visits_{r} + {{{zeros}, ~drains_{r}}} : visits_{r} - {{{zeros}, drains_{r}}};
    if (settles_{r}) left_{r} <= drained_count;
    else if (orders_{r}) left_{r} <= {none};
  end
",
                none = constant(LEFT_BITS, 0),
            ));
        }
        if of.second {
            body.raw(format!("always @(posedge aclk) if (starts_{r}) order_{r} <= start_order;"));
        }
    }
    if !of.root {
        for (port, wires) in [("may", "updates"), ("anyway", "anyway")] {
            let mut wires = of.names(wires);
            wires.reverse();
            body.drive(&format!("exceeds_alpha${port}"), format!("{{{}}}", wires.join(", ")));
        }
    }
    if of.root {
        body.raw("always @(posedge aclk) if (updates_0 & better) best_order <= update_order;");
    }
}

fn life(body: &mut Body, of: &Level, r: usize) {
    let kill = of.bit("kill", r);
    body.raw(format!(
        "
wire starts_{r} = start & {start_here};
wire updates_{r} = update & active_{r} & {update_at};
wire orders_{r} = ordered & {ordered_here};
wire takes_{r} = take & offered_{r};
wire visited_{r} = offered_{r} & ~offer_order;
wire drains_{r} = drained & active_{r} & {drained_here};
",
        start_here = of.at("start_row", r),
        update_at = of.bit("update_at", r),
        ordered_here = of.at("ordered_row", r),
        drained_here = of.at("drained_row", r),
    ));
    let ending_here = of.at("ending", r);
    // A clock later, as what returns is known late: a freed context is not in use again before that.
    let generation =
        format!("if (ages_{r}) generation_{r} <= generation_{r} + {};", constant(GENERATION_BITS, 1));
    let zero = constant(GENERATION_BITS, 0);
    // Also of a context that starts as it is freed, or was freed as it was offered: a child's context was just reserved.
    let kills = format!("(frees_{r} & (active_{r} | starts_{r})) | (take & offered_{r} & ~active_{r})");
    if of.root {
        body.raw(format!(
            "
wire frees_{r} = returns | clear;
always @(posedge aclk)
  if (!aresetn) begin
    active_{r} <= 1'b0;
    {kill} <= 1'b0;
    ages_{r} <= 1'b0;
    generation_{r} <= {zero};
  end else begin
    {kill} <= {kills};
    if (frees_{r}) active_{r} <= 1'b0;
    else if (starts_{r}) active_{r} <= 1'b1;
    ages_{r} <= frees_{r} & active_{r};
    {generation}
  end
"
        ));
        return;
    }
    body.raw(format!(
        "
wire frees_{r} = (returns & {ending_here}) | parent_freed_{r} | clear;
wire reserves_first_{r} = reserve_first & {first_here};
wire reserves_second_{r} = reserve_second & {second_here};
wire releases_{r} = (release_a & {release_a_here}) | (release_b & {release_b_here});
always @(posedge aclk)
  if (!aresetn) begin
    reserved_{r} <= 1'b0;
    active_{r} <= 1'b0;
    {kill} <= 1'b0;
    ages_{r} <= 1'b0;
    generation_{r} <= {zero};
  end else begin
    {kill} <= {kills};
    // Who is reserved was free: nothing else happens to it.
    reserved_{r} <= ((reserves_first_{r} | reserves_second_{r}) & ~clear) | (reserved_{r} & ~frees_{r} & ~starts_{r} & ~releases_{r});
    active_{r} <= ~frees_{r} & (active_{r} | starts_{r});
    ages_{r} <= frees_{r} & (reserved_{r} | active_{r});
    {generation}
  end
always @(posedge aclk)
  if (reserves_first_{r}) parent_{r} <= reserve_first_parent;
  else if (reserves_second_{r}) parent_{r} <= reserve_second_parent;
",
        first_here = of.at("first_free", r),
        second_here = of.at("second_free", r),
        release_a_here = of.at("release_a_row", r),
        release_b_here = of.at("release_b_row", r),
    ));
}

fn window(body: &mut Body, of: &Level, r: usize) {
    let (limit_follows, cut_follows) = if of.root {
        body.raw(format!(
            "wire anyway_{r} = starts_{r};\nwire written_{r} = anyway_{r} | (updates_{r} & better);"
        ));
        (String::new(), String::new())
    } else {
        body.raw(format!(
            "
wire follows_{r} = follows & {seen_here};
wire anyway_{r} = starts_{r} | (follows_{r} & up_higher);
wire written_{r} = {written};
",
            seen_here = of.at("seen_row", r),
            written = of.bit("exceeds_alpha$written", r),
        ));
        (
            format!(" | (follows_{r} & up_lower)"),
            format!("\n  else if (follows_{r} & up_lower) cut_{r} <= cuts;"),
        )
    };
    body.raw(format!(
        "
// Alpha is written by a start, by the parent's window, or by a child's value that is better: only that raises it.
always @(posedge aclk)
  if (written_{r}) begin
    alpha_{r} <= new_alpha;
    raised_{r} <= ~anyway_{r};
  end
always @(posedge aclk) if (starts_{r}{limit_follows}) limit_{r} <= new_limit;
always @(posedge aclk)
  if (anyway_{r} | (updates_{r} & better)) cut_{r} <= ~anyway_{r} & reaches;{cut_follows}
"
    ));
}

fn moves(body: &mut Body, of: &Level, r: usize) {
    let behind = if of.root { "1'b0".to_string() } else { format!("(leaf_children & behind_{r})") };
    body.raw(format!(
        "
// What a visit dropped by a window that the context does not have yet may not end it.
wire settles_{r} = drains_{r} & ~drained_closed & ~{behind};"
    ));
    let zeros = constant(PENDING_BITS - 1, 0);
    let one_count = constant(of.layout.count_bits, 1);
    let (has_moves, order_wanted, beam_starts, beam_moves) = if of.beamed {
        (
            "~start_issued".to_string(),
            format!("start_more & (beam != {one_count})"),
            format!(
                "\n    beam_left_{r} <= beam - {one_count};\n    narrowed_{r} <= start_more & (beam == {one_count});"
            ),
            format!(
                "
    if (takes_{r}) has_moves_{r} <= 1'b0;
    if (orders_{r}) begin
      has_moves_{r} <= ordered_found;
      beam_left_{r} <= beam_left_{r} - {one_count};
      // The last move of the beam, and others are left.
      narrowed_{r} <= ordered_more & (beam_left_{r} == {one_count});
      order_wanted_{r} <= ordered_found & ordered_more & (beam_left_{r} != {one_count});
    end
    // A move that is dropped too early to end the context is visited again. Not once a pass for order has been asked
    // for: that keeps the context, and replaces the first cells while the visit reads them.
    if (drains_{r}) begin
      if (settles_{r} | drained_issue) begin
        if (~drained_need) order_wanted_{r} <= 1'b0;
      end else if (~order_pending_{r} & ~(takes_{r} & offer_order)) has_moves_{r} <= 1'b1;
    end"
            ),
        )
    } else {
        (
            "~start_issued | start_more".to_string(),
            "1'b0".to_string(),
            String::new(),
            format!(
                "
    if (orders_{r}) has_moves_{r} <= ordered_found;
    if (settles_{r} & has_moves_{r}) begin
      has_moves_{r} <= drained_left;
      order_wanted_{r} <= ~drained_left & drained_need;
      fours_only_{r} <= fours_only_{r} | (~drained_left & drained_fours);
    end"
            ),
        )
    };
    body.raw(format!(
        "
wire misses_{r} = drains_{r} & ~drained_issue;
wire one_less_{r} = updates_{r} ^ misses_{r};
wire two_less_{r} = updates_{r} & misses_{r};
always @(posedge aclk)
  if (starts_{r}) begin
    negate_{r} <= start_negate;
    pending_{r} <= {{{zeros}, start_issued}};
    returned_{r} <= {zero_returned};
    has_moves_{r} <= {has_moves};
    order_wanted_{r} <= {order_wanted};
    order_pending_{r} <= 1'b0;
    fours_only_{r} <= 1'b0;{beam_starts}
  end else begin
    pending_{r} <= (take & visited_{r}) ? pending_{r} + {{{{{pending_less}{{two_less_{r}}}}}, ~one_less_{r}}} : pending_{r} - {{{zeros_but_two}, two_less_{r}, one_less_{r}}};
    if (updates_{r} & ~(&returned_{r})) returned_{r} <= returned_{r} + {one_returned};
    if (takes_{r} & offer_order) begin
      order_wanted_{r} <= 1'b0;
      order_pending_{r} <= 1'b1;
    end
    if (orders_{r}) order_pending_{r} <= 1'b0;{beam_moves}
  end
",
        pending_less = PENDING_BITS - 1,
        zeros_but_two = constant(PENDING_BITS - 2, 0),
        zero_returned = constant(RETURNED_BITS, 0),
        one_returned = constant(RETURNED_BITS, 1),
    ));
}
