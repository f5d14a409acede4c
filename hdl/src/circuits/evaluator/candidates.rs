// SPDX-License-Identifier: MIT OR Apache-2.0
//! Candidate cells: empty, with a stone within the radius; on the empty board all.

use crate::layout::Layout;
use kit::{Circuit, Module, any_of};

/// Dilates the occupied plane by the candidate radius.
///
/// `occupied` plane of the frame, without walls, and `empty_board` in; `candidate` plane of the core cells out, which means nothing
/// where there is a wall. Latency 1, initiation interval 1, no reset.
pub fn candidates(layout: &Layout) -> Circuit {
    let (cells, columns) = (layout.frame.cells, layout.config.columns);
    let m = Module::new(
        "candidates",
        "Empty cells with a stone within the candidate radius; every cell of an empty board.\n\
         Latency 1, initiation interval 1, no reset (data only).",
        false,
    );
    let occupied = m.input_at(0, "occupied", cells);
    let empty_board = m.input_at(0, "empty_board", 1);
    let radius = layout.config.candidate_radius;
    m.comment("Along the row, one step at a time; a step does not wrap into the next row.");
    let column = |unlike: usize| (0..cells).map(|cell| cell % columns != unlike).collect::<Vec<_>>();
    let [not_first, not_last] = [0, columns - 1].map(|unlike| m.plane(&column(unlike)));
    let mut row = vec![occupied];
    let (mut right, mut left) = (occupied, occupied);
    for _ in 0..radius {
        right = m.part("right", right.up(1) & not_first);
        left = m.part("left", left.down(1) & not_last);
        row.extend([right, left]);
    }
    let row = m.wire("row_near", any_of(row));
    let rows = (1..=radius).flat_map(|step| [row.up(step * columns), row.down(step * columns)]);
    let near = m.wire("near", any_of(std::iter::once(row).chain(rows)));
    let candidate = m.wire("candidate_frame", !occupied & (near | empty_board.times(cells)));
    m.output("candidate", m.delayed("candidate", layout.frame.core_of(candidate)));
    m.circuit()
}
