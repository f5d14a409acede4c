// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the first cell in static order of the set a pass asks for.

use crate::kit::{Body, Circuit};
use crate::layout::{Layout, PassKind};
use engine_model::RuleSet;

/// Levels of the comparison tree.
pub fn tree_depth(layout: &Layout) -> usize {
    layout.cells.next_power_of_two().trailing_zeros() as usize
}

/// Clocks from the inputs to the picked cell.
pub fn latency(layout: &Layout) -> usize {
    1 + tree_depth(layout)
}

/// Selects the set, then compares keys {in the set, gain} in a binary tree with one register stage a level. Cells enter
/// the tree from the centre outward and the left one wins a tie: that is the static order.
///
/// Ports: `aclk`; planes `occupied`, `candidate`, `own_complete`, `other_complete`, `own_double`, `four`, `restricted`,
/// `exclude`, `gain_B`; facts `own_wins`, `other_wins`, `own_has_double`, `other_has_double`; from the tag `depth_zero`,
/// `leaf` (no depth and no extensions), `kind`. Out `found`, `picked`, `gain`, `makes_four`. Latency 1 + tree depth,
/// initiation interval 1, no reset.
pub fn best_cell(layout: &Layout) -> Circuit {
    let cells = layout.cells;
    let rules = layout.config.rules;
    let mut circuit = Circuit::new(
        "best_cell",
        &format!(
            "First cell in static order of the set that the pass asks for.\n\
             Latency {}, initiation interval 1, no reset (data only).",
            latency(layout)
        ),
    );
    circuit.clocked(false);
    for plane in [
        "occupied",
        "candidate",
        "own_complete",
        "other_complete",
        "own_double",
        "four",
        "restricted",
        "exclude",
    ] {
        circuit.input(plane, cells);
    }
    for bit in 0..layout.gain_bits {
        circuit.input(format!("gain_{bit}"), cells);
    }
    for fact in ["own_wins", "other_wins", "own_has_double", "other_has_double", "depth_zero", "leaf"] {
        circuit.input(fact, 1);
    }
    circuit.input("kind", 2);
    circuit.output("found", 1);
    circuit.output("picked", layout.cell_bits);
    circuit.output("gain", layout.gain_bits);
    circuit.output("makes_four", 1);

    let mut body = Body::new();
    let on = |needed: RuleSet| if rules >= needed { "1'b1" } else { "1'b0" };
    body.comment("The moves of rule 6, and of the passes that ask for one more of them.");
    let moves = body.wire(
        "moves",
        cells,
        format!("({} & other_has_double & ~depth_zero) ? restricted : candidate", on(RuleSet::Restricted)),
    );
    let fours = PassKind::OrderFours as usize;
    let remaining = body.wire(
        "remaining",
        cells,
        format!("{moves} & ~exclude & (kind == 2'd{fours} ? four : {{{cells}{{1'b1}}}})"),
    );
    body.comment("A node: the set of the first static rule that fits; a leaf plays nothing and wants G.");
    let node = body.wire(
        "node_set",
        cells,
        format!(
            "leaf ? candidate : own_wins ? own_complete : ({} & other_wins) ? other_complete : \
             ({} & own_has_double) ? own_double : {moves}",
            on(RuleSet::Forced),
            on(RuleSet::Double)
        ),
    );
    let (node_kind, probe_kind) = (PassKind::Node as usize, PassKind::Probe as usize);
    let set = body.wire(
        "set",
        cells,
        format!(
            "kind == 2'd{node_kind} ? {node} : kind == 2'd{probe_kind} ? (~occupied & ~exclude) : {remaining}"
        ),
    );
    let in_set = body.register("in_set", cells, &set);
    let four = body.register("four_q", cells, format!("four & {set}"));
    let gains: Vec<String> = (0..layout.gain_bits)
        .map(|bit| body.register(&format!("gain_{bit}_q"), cells, format!("gain_{bit} & {set}")))
        .collect();

    body.comment("Entries are {in set, gain, makes four, cell}, from the centre outward.");
    let key_bits = 1 + layout.gain_bits;
    let width = key_bits + 1 + layout.cell_bits;
    let key = format!("[{}:{}]", width - 1, width - key_bits);
    let mut entries: Vec<String> = layout
        .geometry
        .by_rank
        .iter()
        .map(|&cell| {
            let gain: Vec<String> = gains.iter().rev().map(|plane| format!("{plane}[{cell}]")).collect();
            body.wire(
                &format!("entry_{cell}"),
                width,
                format!(
                    "{{{in_set}[{cell}], {}, {four}[{cell}], {}'d{cell}}}",
                    gain.join(", "),
                    layout.cell_bits
                ),
            )
        })
        .collect();
    let mut level = 0;
    while entries.len() > 1 {
        level += 1;
        entries = entries
            .chunks(2)
            .map(|pair| match pair {
                [left, right] => body.register(
                    &format!("best_{level}"),
                    width,
                    format!("({right}{key} > {left}{key}) ? {right} : {left}"),
                ),
                _ => body.register(&format!("best_{level}"), width, &pair[0]),
            })
            .collect();
    }
    let best = &entries[0];
    body.drive("found", format!("{best}[{}]", width - 1));
    body.drive("gain", format!("{best}[{}:{}]", width - 2, width - key_bits));
    body.drive("makes_four", format!("{best}[{}]", layout.cell_bits));
    body.drive("picked", format!("{best}[{}:0]", layout.cell_bits - 1));
    circuit.set_body(body.finish());
    circuit
}
