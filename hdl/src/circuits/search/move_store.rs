// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is kept of every context beside its window: its node, the first cells of its groups, the last cell that came
//! out.

use crate::kit::{Body, Circuit};
use crate::layout::{Layout, Packed};

/// What the store keeps of a context's node: path, length, potential, extensions, and whether its moves may not be
/// dropped by the exact upper bound (one cell is empty, or the move is forced).
pub fn node_fields(layout: &Layout) -> Packed {
    Packed::new(&[
        ("path", layout.tag.field("path").width),
        ("length", layout.length_bits),
        ("potential", layout.potential_bits),
        ("extensions", layout.extension_bits),
        ("unbounded", 1),
    ])
}

/// Whether any level cuts its moves to a beam.
pub fn has_beam(layout: &Layout) -> bool {
    layout.config.beam.iter().any(|&beam| beam > 0)
}

/// Memories by context.
///
/// Ports: `aclk`; `start` writes `start_node` at `start_context`; `winners_write` writes `winners` at
/// `winners_context`; with beams, `last_write` writes {gain, rank} `last` at `last_context`; `visit_context` in,
/// `visit_node` and `visit_winners` out one clock later; `after_context`, `after_beamed` in, `after` (per group
/// {found, gain, rank}) out one clock later. With trace `trace_context_N` in and `trace_node_N` out in the same
/// clock, per level. One write and one read a clock each; no reset: what a context holds is written before it is
/// read.
pub fn move_store(layout: &Layout) -> Circuit {
    let node_bits = node_fields(layout).width();
    let (contexts, bits) = (layout.contexts(), layout.context_bits);
    let (winners_bits, last_bits) = (layout.winners_width(), layout.gain_bits + layout.cell_bits);
    let after_bits = layout.groups * (1 + last_bits);
    let mut circuit = Circuit::new(
        "move_store",
        "Memories by context: its node, the first cells of its groups, the last cell that came out.\n\
         Reads take one clock; no reset (data only).",
    );
    circuit.clocked(false);
    circuit.inputs(&[
        ("start", 1),
        ("start_context", bits),
        ("start_node", node_bits),
        ("winners_write", 1),
        ("winners_context", bits),
        ("winners", winners_bits),
        ("visit_context", bits),
        ("after_context", bits),
    ]);
    circuit.outputs(&[("visit_node", node_bits), ("visit_winners", winners_bits), ("after", after_bits)]);
    if has_beam(layout) {
        circuit.inputs(&[
            ("last_write", 1),
            ("last_context", bits),
            ("last", last_bits),
            ("after_beamed", 1),
        ]);
    }
    let mut body = Body::new();
    body.raw(format!(
        "
reg [{node_high}:0] nodes [0:{last_context}];
reg [{winners_high}:0] first_cells [0:{last_context}];
always @(posedge aclk) if (start) nodes[start_context] <= start_node;
always @(posedge aclk) if (winners_write) first_cells[winners_context] <= winners;
always @(posedge aclk) visit_node <= nodes[visit_context];
always @(posedge aclk) visit_winners <= first_cells[visit_context];
reg [{winners_high}:0] after_winners;
always @(posedge aclk) after_winners <= first_cells[after_context];
",
        node_high = node_bits - 1,
        winners_high = winners_bits - 1,
        last_context = (1usize << bits).min(contexts.next_power_of_two()) - 1,
    ));
    let width = layout.winner.width();
    let group_after = |group: usize| {
        let (high, low) = ((group + 1) * width - 1, group * width + layout.winner.field("rank").offset);
        format!("after_winners[{high}:{low}]")
    };
    let all: Vec<String> = (0..layout.groups).rev().map(group_after).collect();
    let all = format!("{{{}}}", all.join(", "));
    if has_beam(layout) {
        body.comment("A beam takes the cells one by one: every group goes on after the last one.");
        body.raw(format!(
            "
reg [{high}:0] last_cells [0:{last_context}];
reg [{high}:0] after_last;
reg after_beamed_q;
always @(posedge aclk) if (last_write) last_cells[last_context] <= last;
always @(posedge aclk) after_last <= last_cells[after_context];
always @(posedge aclk) after_beamed_q <= after_beamed;
",
            high = last_bits - 1,
            last_context = contexts.next_power_of_two() - 1,
        ));
        body.drive("after", format!("after_beamed_q ? {{{}{{1'b1, after_last}}}} : {all}", layout.groups));
    } else {
        body.drive("after", all);
    }
    if layout.config.trace {
        for level in 1..=layout.config.levels {
            circuit.input(format!("trace_context_{level}"), bits);
            circuit.output(format!("trace_node_{level}"), node_bits);
            body.drive(&format!("trace_node_{level}"), format!("nodes[trace_context_{level}]"));
        }
    }
    circuit.set_body(body.finish());
    circuit
}
