// SPDX-License-Identifier: MIT OR Apache-2.0
//! The groups that the cells are divided into: a pass returns the first cell of each.

use engine_model::Geometry;

/// Most groups.
pub const MAX_GROUPS: usize = 32;

/// Which group a cell that is evaluated belongs to. First cells are near each other, and two of one group cost another pass: groups
/// keep their cells apart.
#[derive(Clone, Debug)]
pub struct Grouping {
    /// Group of each core cell.
    pub of_core: Vec<usize>,
    /// Core cells of each group, with the whole board at once in order of rank.
    pub members: Vec<Vec<usize>>,
}

impl Grouping {
    /// With the whole board at once group = (x + stride y) modulo groups, with the stride that keeps a group's cells farthest apart and
    /// its comparison tree lowest; else the `cells` that are evaluated in a clock, rows of the board, one by one.
    pub fn new(board: &Geometry, cells: usize) -> Grouping {
        let groups = (1 << cells.ilog2()).min(MAX_GROUPS);
        let mut order: Vec<usize> = (0..cells).collect();
        let mut stride = board.columns;
        if cells == board.cells() {
            order.sort_by_key(|&core| board.rank[core]);
            stride = best_stride(board, groups);
        }
        let of_core: Vec<usize> = (0..cells)
            .map(|core| (core % board.columns + stride * (core / board.columns)) % groups)
            .collect();
        let mut members = vec![Vec::new(); groups];
        order.into_iter().for_each(|core| members[of_core[core]].push(core));
        Grouping { of_core, members }
    }

    /// Cells of the largest group.
    pub fn largest(&self) -> usize {
        self.members.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The stride whose largest group is not larger than a power of two must be, and whose closest cells of one group are farthest apart.
fn best_stride(board: &Geometry, groups: usize) -> usize {
    let (columns, rows) = (board.columns, board.rows);
    let quality = |stride: usize| {
        let mut sizes = vec![0; groups];
        (0..rows).for_each(|y| (0..columns).for_each(|x| sizes[(x + stride * y) % groups] += 1));
        let largest: usize = sizes.iter().copied().max().unwrap_or(0);
        let shared = |&(x, y): &(usize, usize)| {
            // To the right and to the left.
            let (right, left) = (x + stride * y, stride * y + groups * columns - x);
            (x, y) != (0, 0) && (right.is_multiple_of(groups) || left.is_multiple_of(groups))
        };
        let offsets = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let nearest = offsets.filter(shared).map(|(x, y)| x * x + y * y).min().unwrap_or(usize::MAX);
        let empty = sizes.contains(&0);
        (empty, largest.next_power_of_two(), std::cmp::Reverse(nearest), stride)
    };
    (1..=groups).min_by_key(|&stride| quality(stride)).unwrap_or(1)
}
