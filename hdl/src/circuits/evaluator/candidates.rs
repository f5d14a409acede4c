// SPDX-License-Identifier: MIT OR Apache-2.0
//! Candidate cells: empty, with a stone within the radius; on the empty board all.

use crate::kit::{Body, Circuit, hex};
use crate::layout::Layout;

/// Dilates the occupied plane by the candidate radius.
///
/// Ports: `aclk`; `occupied` plane of the frame, without walls, and `empty_board` in; `candidate` plane of the core
/// cells out, which means nothing where there is a wall. Latency 1, initiation interval 1, no reset.
pub fn candidates(layout: &Layout) -> Circuit {
    let (cells, columns) = (layout.frame.cells, layout.config.columns);
    let mut circuit = Circuit::new(
        "candidates",
        "Empty cells with a stone within the candidate radius; every cell of an empty board.\n\
         Latency 1, initiation interval 1, no reset (data only).",
    );
    circuit.clocked(false);
    circuit.input("occupied", cells);
    circuit.input("empty_board", 1);
    circuit.output("candidate", layout.frame.core_cells);
    let mut body = Body::new();
    let mut row = vec!["occupied".to_string()];
    let (mut right, mut left) = ("occupied".to_string(), "occupied".to_string());
    body.comment("Along the row, one step at a time; a step does not wrap into the next row.");
    let not_first: Vec<bool> = (0..cells).map(|cell| cell % columns != 0).collect();
    let not_last: Vec<bool> = (0..cells).map(|cell| cell % columns != columns - 1).collect();
    for _ in 0..layout.config.candidate_radius {
        right = body.wire("right", cells, format!("({right} << 1) & {}", hex(&not_first)));
        left = body.wire("left", cells, format!("({left} >> 1) & {}", hex(&not_last)));
        row.push(right.clone());
        row.push(left.clone());
    }
    let row = body.wire("row_near", cells, row.join(" | "));
    let mut near = vec![row.clone()];
    for step in 1..=layout.config.candidate_radius {
        near.push(format!("({row} << {})", step * columns));
        near.push(format!("({row} >> {})", step * columns));
    }
    let near = body.wire("near", cells, near.join(" | "));
    let candidate =
        body.wire("candidate_frame", cells, format!("(~occupied) & ({near} | {{{cells}{{empty_board}}}})"));
    body.drive_register("candidate", layout.frame.core_of(&candidate));
    circuit.set_body(body.finish());
    circuit
}
