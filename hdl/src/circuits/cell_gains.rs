// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gain of every cell from the gain flags of the windows through it.

use super::DIRECTION_NAMES;
use crate::kit::{Body, Circuit};
use crate::layout::Layout;

/// Name of a direction's gain flag at the input.
pub fn gain_input(direction: usize, flag: usize) -> String {
    format!("{}_gain_flag_{flag}", DIRECTION_NAMES[direction])
}

/// Clocks from the flags to the gains: partial counts, counts, weighted sum.
pub const LATENCY: usize = 3;

/// Counts, per cell and flag, the windows through the cell, and weighs the counts. Counting is by tables of six inputs.
///
/// Ports: `aclk`; `DIRECTION_gain_flag_J` planes of the frame in (windows at the bit of their first cell); `gain_B`
/// planes of the core cells out (bit B of every cell's gain). Latency [`LATENCY`], initiation interval 1, no reset.
pub fn cell_gains(layout: &Layout) -> Circuit {
    let (frame, core) = (layout.frame.cells, layout.frame.core_cells);
    let mut circuit = Circuit::new(
        "cell_gains",
        &format!(
            "Gain of every cell, bit-sliced: windows through it counted by flag, counts weighted.\n\
             Latency {LATENCY}, initiation interval 1, no reset (data only)."
        ),
    );
    circuit.clocked(false);
    for direction in 0..DIRECTION_NAMES.len() {
        for (flag, _) in layout.gain_flags() {
            circuit.input(gain_input(direction, flag), frame);
        }
    }
    for bit in 0..layout.gain_bits {
        circuit.output(format!("gain_{bit}"), core);
    }
    let mut body = Body::new();
    let mut weighted: Vec<Vec<String>> = vec![Vec::new(); layout.gain_bits];
    for (flag, weight) in layout.gain_flags() {
        let mut covering = Vec::new();
        for direction in 0..DIRECTION_NAMES.len() {
            let input = gain_input(direction, flag);
            let stride = layout.frame.geometry.stride(direction);
            // The window that starts i cells before a cell covers it for i = 0..k-1.
            for i in 0..layout.config.in_a_row {
                let shifted = if i == 0 { input.clone() } else { format!("({input} << {})", i * stride) };
                let plane = body.wire("covering", frame, shifted);
                covering.push(body.wire("through", core, layout.frame.core_of(&plane)));
            }
        }
        let partial = body.compress_columns(&format!("flag_{flag}_partial"), core, &[covering]);
        let partial = registered(&mut body, &format!("flag_{flag}_partial"), core, &partial);
        let count = body.sum_columns(&format!("flag_{flag}_sum"), core, partial);
        let most = layout.geometry.max_windows_of_a_cell();
        for (bit, plane) in count.iter().enumerate().take(engine_model::scoring::bits_for(most)) {
            let plane = body.register(&format!("flag_{flag}_count"), core, plane);
            for digit in (0..usize::BITS as usize).filter(|digit| weight >> digit & 1 == 1) {
                if digit + bit < layout.gain_bits {
                    weighted[digit + bit].push(plane.clone());
                }
            }
        }
    }
    let gain = body.sum_columns("gain_sum", core, weighted);
    for (bit, plane) in gain.iter().enumerate().take(layout.gain_bits) {
        body.drive_register(&format!("gain_{bit}"), plane);
    }
    circuit.set_body(body.finish());
    circuit
}

fn registered(body: &mut Body, hint: &str, width: usize, columns: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut register = |plane: &String| body.register(hint, width, plane);
    columns.iter().map(|planes| planes.iter().map(&mut register).collect()).collect()
}
