// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds a node's board: the root board with the moves of its path on it.

use crate::kit::{Body, Circuit, zero_extend};
use crate::layout::Layout;

/// A node is its path: board = root OR decoded moves. There is no undo and no stack of boards.
///
/// Ports: `aclk`, `aresetn`; `valid`, `tag` of the node; `root_own`, `root_other` (the root's board seen by its side to
/// move), `root_stones`; out `node_valid`, `node_tag`, planes `own`, `other` seen by the node's side to move, `full`,
/// `one_empty`, `empty_board`. Latency 1, initiation interval 1; reset clears `node_valid`.
pub fn node_builder(layout: &Layout) -> Circuit {
    let cells = layout.cells;
    let mut circuit = Circuit::new(
        "node_builder",
        "Board of a node: the root's board with the moves of the path on it, seen by the node's side to move.\n\
         Latency 1, initiation interval 1; reset clears node_valid.",
    );
    circuit.clocked(true);
    circuit.input("valid", 1);
    circuit.input("tag", layout.tag.width());
    circuit.input("root_own", cells);
    circuit.input("root_other", cells);
    circuit.input("root_stones", layout.count_bits);
    circuit.output("node_valid", 1);
    circuit.output("node_tag", layout.tag.width());
    circuit.output("own", cells);
    circuit.output("other", cells);
    circuit.output("full", 1);
    circuit.output("one_empty", 1);
    circuit.output("empty_board", 1);

    let mut body = Body::new();
    let (path, length) = (layout.tag.field("path").offset, layout.tag.of("tag", "length"));
    let length = body.wire("length", layout.length_bits, length);
    let mut sides = [vec!["root_own".to_string()], vec!["root_other".to_string()]];
    for i in 0..layout.max_path {
        let low = path + i * layout.cell_bits;
        let mv = body.wire(
            &format!("move_{i}"),
            layout.cell_bits,
            format!("tag[{}:{low}]", low + layout.cell_bits - 1),
        );
        let played = format!("{{{cells}{{{length} > {}'d{i}}}}}", layout.length_bits);
        sides[i % 2].push(body.wire(
            &format!("stone_{i}"),
            cells,
            format!("({cells}'d1 << {mv}) & {played}"),
        ));
    }
    body.comment("Even moves are the root mover's; after an odd number of moves the other side is to move.");
    let mover = body.wire("root_mover", cells, sides[0].join(" | "));
    let replier = body.wire("root_replier", cells, sides[1].join(" | "));
    let odd = if layout.length_bits == 1 { length.clone() } else { format!("{length}[0]") };
    body.drive_register("own", format!("{odd} ? {replier} : {mover}"));
    body.drive_register("other", format!("{odd} ? {mover} : {replier}"));
    let width = layout.count_bits.max(layout.length_bits) + 1;
    let at_root = zero_extend("root_stones", layout.count_bits, width);
    let stones = body.wire(
        "stones",
        width,
        format!("{at_root} + {}", zero_extend(&length, layout.length_bits, width)),
    );
    body.drive_register("full", format!("{stones} == {width}'d{cells}"));
    body.drive_register("one_empty", format!("{stones} == {width}'d{}", cells - 1));
    body.drive_register("empty_board", format!("{stones} == {width}'d0"));
    body.drive_register("node_tag", "tag");
    body.raw("always @(posedge aclk) node_valid <= aresetn & valid;");
    circuit.set_body(body.finish());
    circuit
}
