// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pieces that several circuits need to make a child's tag from its parent's.

use crate::kit::{Body, constant, zero_extend};
use crate::layout::Layout;

/// Path with `cell` put at place `length`.
pub fn extended_path(body: &mut Body, layout: &Layout, path: &str, length: &str, cell: &str) -> String {
    let slots: Vec<String> = (0..layout.max_path)
        .rev()
        .map(|i| {
            let low = i * layout.cell_bits;
            format!(
                "({length} == {}'d{i}) ? {cell} : {path}[{}:{low}]",
                layout.length_bits,
                low + layout.cell_bits - 1
            )
        })
        .collect();
    body.wire("child_path", layout.max_path * layout.cell_bits, format!("{{{}}}", slots.join(", ")))
}

/// Potential after a move, seen by its mover, and the same seen by the opponent (the child's own view).
pub fn child_potential(body: &mut Body, layout: &Layout, potential: &str, gain: &str) -> (String, String) {
    let bits = layout.potential_bits;
    let gain = zero_extend(gain, layout.gain_bits, bits);
    let sum = body.wire("potential_after", bits, format!("{potential} + {gain}"));
    let negated = body.wire("child_potential", bits, format!("~{sum} + {bits}'d1"));
    (sum, negated)
}

/// The cell of a rank, by table.
pub fn rank_to_cell(body: &mut Body, layout: &Layout, rank: &str) -> String {
    table(body, layout, "cell_of_rank", rank, &layout.geometry.by_rank)
}

/// The rank of a cell, by table.
pub fn cell_to_rank(body: &mut Body, layout: &Layout, cell: &str) -> String {
    table(body, layout, "rank_of_cell", cell, &layout.geometry.rank)
}

fn table(body: &mut Body, layout: &Layout, hint: &str, index: &str, entries: &[u16]) -> String {
    let bits = layout.cell_bits;
    let name = body.wire(&format!("{hint}_index"), bits, index);
    let result = body.unique(hint);
    let lines: String = entries
        .iter()
        .enumerate()
        .map(|(i, &entry)| {
            format!("    {}: {result} = {};\n", constant(bits, i), constant(bits, entry as usize))
        })
        .collect();
    body.raw(format!(
        "reg {}{result};\nalways @(*)\n  case ({name})\n{lines}    default: {result} = {};\n  endcase",
        crate::kit::range(bits),
        constant(bits, 0)
    ));
    result
}
