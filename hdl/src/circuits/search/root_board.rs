// SPDX-License-Identifier: MIT OR Apache-2.0
//! The position of the game: stones of both sides and the moves so far.

use crate::kit::{Body, Circuit, constant, range};
use crate::layout::Layout;

/// Holds the game's position.
///
/// Ports: `aclk`, `aresetn`; `clear`; `place` and `remove` with `square`; `query_cell` with `query_occupied` a clock
/// later; out planes `first`, `second` (sides by who moved first), `root_own`, `root_other` (seen by the side to
/// move), `stones`, `last_cell` (newest move, one clock after a change). Takes one command a clock, seen in the next.
/// Reset and `clear` empty the board.
pub fn root_board(layout: &Layout) -> Circuit {
    let cells = layout.cells;
    let mut circuit = Circuit::new(
        "root_board",
        "Stones of both sides and the moves so far.\n\
         One command a clock, seen in the next (last_cell: the one after); reset and clear empty the board.",
    );
    circuit.clocked(true);
    circuit.inputs(&[
        ("clear", 1),
        ("place", 1),
        ("remove", 1),
        ("square", layout.cell_bits),
        ("query_cell", layout.cell_bits),
    ]);
    circuit.outputs(&[
        ("query_occupied", 1),
        ("first", cells),
        ("second", cells),
        ("root_own", cells),
        ("root_other", cells),
        ("stones", layout.count_bits),
        ("last_cell", layout.cell_bits),
    ]);
    let (count, cell) = (layout.count_bits, layout.cell_bits);
    let mut body = Body::new();
    body.raw(format!(
        "
reg {cell_range}history [0:{last}];
wire [{high}:0] stone = {cells}'d1 << square;
wire [{high}:0] queried = (first | second) >> query_cell;
wire [{count_high}:0] newest = stones - {one_count};
always @(posedge aclk)
  if (!aresetn | clear) begin
    first <= {{{cells}{{1'b0}}}};
    second <= {{{cells}{{1'b0}}}};
    stones <= {zero_count};
  end else if (place) begin
    if (stones[0]) second <= second | stone; else first <= first | stone;
    stones <= stones + {one_count};
  end else if (remove) begin
    first <= first & ~stone;
    second <= second & ~stone;
    stones <= newest;
  end
always @(posedge aclk) if (place) history[stones[{cell_high}:0]] <= square;
always @(posedge aclk) last_cell <= history[newest[{cell_high}:0]];
always @(posedge aclk) query_occupied <= queried[0];
always @(*) root_own = stones[0] ? second : first;
always @(*) root_other = stones[0] ? first : second;
",
        cell_range = range(cell),
        last = (1usize << cell) - 1,
        high = cells - 1,
        count_high = count - 1,
        cell_high = cell - 1,
        one_count = constant(count, 1),
        zero_count = constant(count, 0),
    ));
    circuit.set_body(body.finish());
    circuit
}
