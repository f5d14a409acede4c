// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits, one per file; a file's name is its circuit's and its Verilog module's, a folder's that of the part of the
//! core it is in. (`axis_register` brings the register it is made of; `words` and `node_tag` hold what several circuits share.)

pub mod evaluator;
pub mod face;
pub mod level;
pub mod search;

use crate::layout::Layout;
use kit::{Module, Sig, bundle, one_hot};

/// Names of the four directions, in the order of [`engine_model::geometry::DIRECTIONS`].
pub const DIRECTION_NAMES: [&str; 4] = ["row", "column", "diagonal", "antidiagonal"];

/// A plane with the stone of a cell; with `there`, if that is set.
///
/// It is a one that is shifted, which a simulator does a word at a time. Slice by slice, where area is what counts, and where paths are
/// shortened both halves of the cell's number are decoded by themselves: an AND a cell, which goes into whatever reads it.
pub(crate) fn stone_at<'m>(
    m: &'m Module,
    layout: &Layout,
    name: &str,
    cell: Sig<'m>,
    there: Option<Sig<'m>>,
) -> Sig<'m> {
    let only = |plane: Sig<'m>| there.map_or(plane, |there| plane.only_if(there));
    if layout.frame.slices == 1 && !layout.shortens_paths() {
        return only(m.constant(layout.cells, 1).up_by(cell));
    }
    let low_bits = cell.width / 2;
    let (low, high) = (cell.bits(0..low_bits), cell.bits(low_bits..cell.width));
    let low = m.wire(&format!("{name}_low"), one_hot(low, 1 << low_bits));
    let high_values = layout.cells.div_ceil(1 << low_bits);
    let high = m.wire(&format!("{name}_high"), only(one_hot(high, high_values)));
    // The last half holds fewer cells.
    let cells = |half: usize| (layout.cells - (half << low_bits)).min(1 << low_bits);
    let halves = high.each_bit().into_iter().enumerate();
    bundle(halves.map(|(half, bit)| bit.times(cells(half)) & low.bits(0..cells(half))))
}
