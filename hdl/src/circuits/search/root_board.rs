// SPDX-License-Identifier: MIT OR Apache-2.0
//! The position of the game: stones of both sides and the moves so far.

use crate::circuits::stone_at;
use crate::layout::Layout;
use kit::{Circuit, Module, when};

/// Holds the game's position.
///
/// `clear`; `place` and `remove` with `square`; `query_cell` with `query_occupied` a clock later; out planes `first`, `second` (sides
/// by who moved first), `root_own`, `root_other` (seen by the side to move), `stones`, `last_cell` (newest move, one clock after a
/// change). Takes one command a clock, seen in the next. Reset and `clear` empty the board.
pub fn root_board(layout: &Layout) -> Circuit {
    let (cells, count, cell) = (layout.cells, layout.count_bits, layout.cell_bits);
    let m = Module::new(
        "root_board",
        "Stones of both sides and the moves so far.\n\
         One command a clock, seen in the next (last_cell: the one after); reset and clear empty the board.",
        true,
    );
    let [clear, place, remove] = ["clear", "place", "remove"].map(|name| m.input(name, 1));
    let [square, query_cell] = ["square", "query_cell"].map(|name| m.input(name, cell));
    let [first, second] = ["first", "second"].map(|name| m.control(name, cells, 0));
    let stones = m.control("stones", count, 0);
    let history = m.memory("history", cell, 1 << cell);
    let stone = m.wire("stone", stone_at(&m, layout, "square", square, None));
    let queried = m.wire("queried", (first | second).down_by(query_cell));
    let newest = m.wire("newest", stones - 1);
    let odd = stones.bit(0);
    m.at_edge([when(clear, [first.set(0), second.set(0), stones.set(0)])
        .else_when(
            place,
            [
                when(odd, [second.set(second | stone)]).otherwise([first.set(first | stone)]),
                stones.set(stones + 1),
            ],
        )
        .else_when(remove, [first.set(first & !stone), second.set(second & !stone), stones.set(newest)])]);
    m.at_edge([when(place, [history.write(stones.bits(0..cell), square)])]);
    let last_cell = m.read_register("last_cell", history, newest.bits(0..cell));
    let query_occupied = m.delayed("query_occupied", queried.bit(0));
    m.output("query_occupied", query_occupied);
    m.output("first", first);
    m.output("second", second);
    if !layout.newest_first() {
        m.output("root_own", odd.mux(second, first));
        m.output("root_other", odd.mux(first, second));
    }
    m.output("stones", stones);
    m.output("last_cell", last_cell);
    m.circuit()
}
