// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves a node's board past an evaluator that sees part of it at a time.

use super::best_cell::slice_bits;
use crate::layout::Layout;
use kit::{Circuit, Module, cat, when};

/// Loads a board with walls (stones of both sides) around it and shifts it down by the rows of a slice every clock.
///
/// `valid` (at most once an interval) with planes `own`, `other` of a node in; out planes `frame_own`, `frame_other` of the frame,
/// `frame_valid`, `slice`, `first_slice`. Latency 1, initiation interval = slices. Reset empties it.
///
/// A board of six rows, two a clock:
#[doc = concat!("```text\n", include_str!("../../../tests/snapshots/waves__board_slices.snap"), "\n```")]
pub fn board_slices(layout: &Layout) -> Circuit {
    let frame = &layout.frame;
    let slices = frame.slices;
    let bits = slice_bits(layout);
    let m = Module::new(
        "board_slices",
        &format!(
            "Shows a board slice by slice, with walls around it.\n\
             Latency 1, initiation interval {slices}; reset empties it."
        ),
        true,
    );
    let valid = m.input_at(0, "valid", 1);
    let boards = ["own", "other"].map(|side| m.input_at(0, side, layout.cells));
    let shift = frame.core_cells;
    let above = layout.config.columns * frame.margin;
    let total = (slices - 1) * shift + frame.cells;
    let below = total - above - layout.cells;
    let walls = |count: usize| if count == 0 { m.zero(0) } else { m.plane(&vec![true; count]) };
    let left = m.control("left", bits, 0);
    let frame_valid = m.control("frame_valid", 1, 0);
    let slice = m.register("slice", bits);
    let more = left.is_not(0);
    m.at_edge([when(valid, [left.set(slices as u64 - 1), frame_valid.set(true)])
        .otherwise([when(more, [left.set(left - 1)]), frame_valid.set(more)])]);
    let rows = ["own_rows", "other_rows"].map(|name| m.register(name, total));
    let loads =
        rows.iter().zip(boards).map(|(rows, board)| rows.set(cat([walls(below), board, walls(above)])));
    let shifts = rows.iter().map(|rows| rows.set(cat([walls(shift), rows.bits(shift..total)])));
    m.at_edge([when(valid, loads.chain([slice.set(0)])).otherwise(shifts.chain([slice.set(slice + 1)]))]);
    // What it shows is of the first slice a clock after the node.
    let shown = |name: &str, value| m.output(name, m.at_stage(value, 1));
    shown("frame_valid", frame_valid);
    shown("slice", slice);
    shown("first_slice", m.wire("first_slice", frame_valid & slice.is(0)));
    for (name, rows) in ["frame_own", "frame_other"].into_iter().zip(rows) {
        shown(name, m.wire(name, rows.bits(0..frame.cells)));
    }
    m.circuit()
}
