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

    /// Place of a core cell in its group.
    pub fn place_of(&self, core: usize) -> usize {
        self.members[self.of_core[core]].iter().take_while(|&&member| member != core).count()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns, rows, cells of the largest group, squared distance of the nearest two of one group.
    const BOARDS: [(usize, usize, usize, usize); 4] =
        [(15, 15, 8, 32), (20, 20, 14, 32), (7, 7, 2, 32), (3, 3, 2, 8)];

    #[test]
    fn groups_are_even_in_order_of_rank_and_far_apart() {
        for (columns, rows, largest, nearest) in BOARDS {
            let board = Geometry::new(columns, rows, 3, 1);
            let grouping = Grouping::new(&board, board.cells());
            assert_eq!(grouping.largest(), largest, "{columns} x {rows}");
            let mut seen = vec![false; board.cells()];
            let mut closest = usize::MAX;
            for members in &grouping.members {
                assert!(!members.is_empty() && members.is_sorted_by_key(|&core| board.rank[core]));
                for (place, &core) in members.iter().enumerate() {
                    assert_eq!(grouping.place_of(core), place);
                    assert!(!std::mem::replace(&mut seen[core], true));
                    let apart = |other: usize| {
                        let [x, y] = [core % columns, core / columns];
                        x.abs_diff(other % columns).pow(2) + y.abs_diff(other / columns).pow(2)
                    };
                    closest =
                        members[..place].iter().map(|&other| apart(other)).chain([closest]).min().unwrap();
                }
            }
            assert!(seen.into_iter().all(|seen| seen), "every cell has a group");
            assert_eq!(closest, nearest, "{columns} x {rows}");
        }
    }

    #[test]
    fn parts_of_a_board_are_dealt_cell_by_cell() {
        let board = Geometry::new(15, 15, 5, 1);
        let grouping = Grouping::new(&board, 8 * 15);
        assert!((0..8 * 15).all(|core| grouping.of_core[core] == core % MAX_GROUPS));
    }
}
