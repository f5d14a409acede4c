// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves a node's board past an evaluator that sees part of it at a time.

use super::best_cell::slice_bits;
use crate::kit::{Body, Circuit, constant, hex};
use crate::layout::Layout;

/// Loads a board with walls (stones of both sides) around it and shifts it down by the rows of a slice every clock.
///
/// Ports: `aclk`, `aresetn`; `valid` (at most once an interval) with planes `own`, `other` of a node; out planes
/// `frame_own`, `frame_other` of the frame, `frame_valid`, `slice`, `first_slice`. Latency 1, initiation interval =
/// slices. Reset empties it.
pub fn board_slices(layout: &Layout) -> Circuit {
    let frame = &layout.frame;
    let (columns, slices) = (layout.config.columns, frame.slices);
    let bits = slice_bits(layout);
    let mut circuit = Circuit::new(
        "board_slices",
        &format!(
            "Shows a board slice by slice, with walls around it.\n\
             Latency 1, initiation interval {slices}; reset empties it."
        ),
    );
    circuit.clocked(true);
    circuit.inputs(&[("valid", 1), ("own", layout.cells), ("other", layout.cells)]);
    circuit.outputs(&[
        ("frame_valid", 1),
        ("slice", bits),
        ("first_slice", 1),
        ("frame_own", frame.cells),
        ("frame_other", frame.cells),
    ]);
    let shift = frame.core_cells;
    let above = columns * frame.margin;
    let total = (slices - 1) * shift + frame.cells;
    let below = total - above - layout.cells;
    let walls = |count: usize| hex(&vec![true; count]);
    let mut body = Body::new();
    body.raw(format!(
        "
reg [{high}:0] own_rows, other_rows;
reg {slice_range}left;
always @(*) first_slice = frame_valid & (slice == {zero});
always @(*) frame_own = own_rows[{frame_high}:0];
always @(*) frame_other = other_rows[{frame_high}:0];
always @(posedge aclk)
  if (!aresetn) begin
    left <= {zero};
    frame_valid <= 1'b0;
  end else if (valid) begin
    left <= {last};
    frame_valid <= 1'b1;
  end else begin
    if (left != {zero}) left <= left - {one};
    frame_valid <= (left != {zero});
  end
always @(posedge aclk)
  if (valid) begin
    own_rows <= {{{after}, own, {before}}};
    other_rows <= {{{after}, other, {before}}};
    slice <= {zero};
  end else begin
    own_rows <= {{{new_walls}, own_rows[{high}:{shift}]}};
    other_rows <= {{{new_walls}, other_rows[{high}:{shift}]}};
    slice <= slice + {one};
  end
",
        high = total - 1,
        slice_range = crate::kit::range(bits),
        zero = constant(bits, 0),
        one = constant(bits, 1),
        last = constant(bits, slices - 1),
        frame_high = frame.cells - 1,
        after = walls(below),
        before = walls(above),
        new_walls = walls(shift),
    ));
    circuit.set_body(body.finish());
    circuit
}
