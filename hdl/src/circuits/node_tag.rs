// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pieces that several circuits need to make a child's tag from its parent's.

use crate::kit::{Body, zero_extend};
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
