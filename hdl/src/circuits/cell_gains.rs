// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gain of every cell from the digit counts of the four directions.

use super::DIRECTION_NAMES;
use crate::kit::{Body, Circuit};
use crate::layout::Layout;

/// Name of a digit count's input plane.
pub fn digit_input(direction: usize, digit: usize, bit: usize) -> String {
    format!("{}_digit_{digit}_{bit}", DIRECTION_NAMES[direction])
}

/// Adds the digit counts of the four directions and weighs the digits.
///
/// Ports: `aclk`; `DIRECTION_digit_J_B` planes in; `gain_B` planes out (bit B of every cell's gain). Latency 2,
/// initiation interval 1, no reset.
pub fn cell_gains(layout: &Layout) -> Circuit {
    let cells = layout.cells;
    let mut circuit = Circuit::new(
        "cell_gains",
        "Gain of every cell, bit-sliced: digit counts of four directions, added and weighted.\n\
         Latency 2, initiation interval 1, no reset (data only).",
    );
    circuit.clocked(false);
    for direction in 0..DIRECTION_NAMES.len() {
        for digit in 0..layout.gain_digits() {
            for bit in 0..layout.digit_count_bits() {
                circuit.input(digit_input(direction, digit, bit), cells);
            }
        }
    }
    for bit in 0..layout.gain_bits {
        circuit.output(format!("gain_{bit}"), cells);
    }
    let mut body = Body::new();
    let most = layout.geometry.max_windows_of_a_cell();
    let mut weighted: Vec<Vec<String>> = vec![Vec::new(); layout.gain_bits];
    for digit in 0..layout.gain_digits() {
        let columns = (0..layout.digit_count_bits())
            .map(|bit| (0..DIRECTION_NAMES.len()).map(|d| digit_input(d, digit, bit)).collect())
            .collect();
        let sum = body.sum_columns(&format!("digit_{digit}_sum"), cells, columns);
        for (bit, plane) in sum.iter().enumerate().take(engine_model::scoring::bits_for(most)) {
            let registered = body.register(&format!("digit_{digit}_count"), cells, plane);
            if digit + bit < layout.gain_bits {
                weighted[digit + bit].push(registered);
            }
        }
    }
    let gain = body.sum_columns("gain_sum", cells, weighted);
    for (bit, plane) in gain.iter().enumerate().take(layout.gain_bits) {
        body.drive_register(&format!("gain_{bit}"), plane);
    }
    circuit.set_body(body.finish());
    circuit
}
