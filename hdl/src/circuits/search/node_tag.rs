// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pieces that several circuits need to make a child's tag from its parent's.

use crate::layout::Layout;
use kit::{Circuit, Module, Sig, bundle, cat};

/// A path of some `length` with `cell` behind its last move; with its newest move first ([`Layout::newest_first`]), before it.
pub fn extended_path<'m>(
    m: &'m Module,
    layout: &Layout,
    path: Sig<'m>,
    length: Sig<'m>,
    cell: Sig<'m>,
) -> Sig<'m> {
    let bits = layout.cell_bits;
    if layout.newest_first() {
        return m.part("child_path", cat([extended_part(layout, path), cell]));
    }
    let slots: Vec<Sig> =
        (0..layout.max_path).map(|i| length.is(i).mux(cell, path.bits(i * bits..(i + 1) * bits))).collect();
    m.part("child_path", bundle(&slots))
}

/// Bits of a path that its extension takes: of one that begins with its newest move the oldest place is empty then.
pub fn extended_bits(layout: &Layout) -> usize {
    (layout.max_path - usize::from(layout.newest_first())) * layout.cell_bits
}

/// Those bits.
pub fn extended_part<'m>(layout: &Layout, path: Sig<'m>) -> Sig<'m> {
    if layout.newest_first() { path.bits(0..extended_bits(layout)) } else { path }
}

/// A path without its `moves` newest, the newest first.
pub fn shortened_path<'m>(m: &'m Module, layout: &Layout, path: Sig<'m>, moves: usize) -> Sig<'m> {
    m.part("shorter_path", path.bits(moves * layout.cell_bits..path.width).zero_extend(path.width))
}

/// Potential after a move, seen by the opponent (the child's own view): of what it was before, seen by him as well.
pub fn child_potential<'m>(
    m: &'m Module,
    layout: &Layout,
    minus_potential: Sig<'m>,
    gain: Sig<'m>,
) -> Sig<'m> {
    m.part("child_potential", minus_potential - gain.zero_extend(layout.potential_bits))
}

/// The cell of a `rank`, by table: out `cell_there`. A module of its own, so that a synthesizer that optimizes module by module makes it as
/// shallow as it can be. No clock.
pub fn cell_of_rank(layout: &Layout) -> Circuit {
    let m = Module::combinational("cell_of_rank", "The cell of a rank.\nCombinational.");
    let rank = m.input("rank", layout.cell_bits);
    m.output("cell_there", rank_to_cell(&m, layout, rank));
    m.circuit()
}

/// The cell of a rank, by table.
pub fn rank_to_cell<'m>(m: &'m Module, layout: &Layout, rank: Sig<'m>) -> Sig<'m> {
    m.lookup("cell_of_rank", m.part("cell_of_rank_index", rank), layout.cell_bits, &layout.geometry.by_rank)
}

/// The rank of a cell, by table.
pub fn cell_to_rank<'m>(m: &'m Module, layout: &Layout, cell: Sig<'m>) -> Sig<'m> {
    m.lookup("rank_of_cell", m.part("rank_of_cell_index", cell), layout.cell_bits, &layout.geometry.rank)
}
