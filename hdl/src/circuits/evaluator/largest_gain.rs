// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest of the empty cells' gains, its lowest bits left out.

use super::group_tree::{BETWEEN, depth};
use crate::kit::{Body, Circuit, constant, range};
use crate::layout::Layout;
use engine_model::evaluation::REPLY_GRAIN;

/// Clocks from the gains to the largest.
pub fn latency(layout: &Layout) -> usize {
    1 + BETWEEN.clocks(layout.frame.core_cells)
}

/// The largest gain of the opponent: all a floor asks of its replies, and only of its higher bits.
///
/// Ports: `aclk`; planes of the core cells `occupied` and their `gains` side by side; out `largest`, without
/// the lowest [`REPLY_GRAIN`] bits. Latency [`latency`], initiation interval 1, no reset (data only).
pub fn largest_gain(layout: &Layout) -> Circuit {
    let (cells, bits) = (layout.frame.core_cells, layout.reply_bits());
    let mut circuit = Circuit::new(
        "largest_gain",
        &format!(
            "Largest gain of the empty cells, its lowest bits left out.\n\
             Latency {}, initiation interval 1, no reset (data only).",
            latency(layout)
        ),
    );
    circuit.clocked(false);
    circuit.input("occupied", cells);
    circuit.input("gains", layout.gains_width());
    circuit.output("largest", bits);
    let mut body = Body::new();
    body.comment("Taken cells gain nothing: the reset of their registers, which costs no table.");
    let mut largest: Vec<String> = (0..cells)
        .map(|cell| {
            let gain = layout.gain_of("gains", cell, REPLY_GRAIN);
            let name = format!("gain_of_{cell}");
            body.raw(format!(
                "
reg {range}{name};
always @(posedge aclk)
  if (occupied[{cell}]) {name} <= {zero};
  else {name} <= {gain};
",
                range = range(bits),
                zero = constant(bits, 0),
            ));
            name
        })
        .collect();
    body.comment("a > b if a + ~b carries: as a comparison Yosys makes more tables of it.");
    let levels = depth(cells);
    for level in 0..levels {
        largest = largest
            .chunks(2)
            .map(|pair| {
                let larger = match pair {
                    [a, b] => {
                        let compared =
                            body.wire("compared", bits + 1, format!("{{1'b0, {a}}} + {{1'b0, ~{b}}}"));
                        format!("{compared}[{bits}] ? {a} : {b}")
                    }
                    _ => pair[0].clone(),
                };
                BETWEEN.keep(&mut body, (level, levels), "larger", bits, &larger)
            })
            .collect();
    }
    body.drive("largest", &largest[0]);
    circuit.set_body(body.finish());
    circuit
}
