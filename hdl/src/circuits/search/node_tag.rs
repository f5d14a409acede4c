// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pieces that several circuits need to make a child's tag from its parent's.

use crate::layout::Layout;
use kit::{Module, Sig, bundle};

/// Path with `cell` put at place `length`.
pub fn extended_path<'m>(
    m: &'m Module,
    layout: &Layout,
    path: Sig<'m>,
    length: Sig<'m>,
    cell: Sig<'m>,
) -> Sig<'m> {
    let bits = layout.cell_bits;
    let slots: Vec<Sig> =
        (0..layout.max_path).map(|i| length.is(i).mux(cell, path.bits(i * bits..(i + 1) * bits))).collect();
    m.part("child_path", bundle(&slots))
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

/// The cell of a rank, by table.
pub fn rank_to_cell<'m>(m: &'m Module, layout: &Layout, rank: Sig<'m>) -> Sig<'m> {
    m.lookup("cell_of_rank", m.part("cell_of_rank_index", rank), layout.cell_bits, &layout.geometry.by_rank)
}

/// The rank of a cell, by table.
pub fn cell_to_rank<'m>(m: &'m Module, layout: &Layout, cell: Sig<'m>) -> Sig<'m> {
    m.lookup("rank_of_cell", m.part("rank_of_cell_index", cell), layout.cell_bits, &layout.geometry.rank)
}
