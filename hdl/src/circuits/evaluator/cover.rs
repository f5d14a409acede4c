// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows' flags at the cells that the windows cover.

use crate::circuits::DIRECTION_NAMES;
use crate::layout::Layout;
use kit::{Module, Sig, any_of};
use std::collections::BTreeMap;

/// All directions.
pub(super) const DIRECTIONS: [usize; 4] = [0, 1, 2, 3];

/// Name of a direction's flag at the input.
pub fn flag_input(direction: usize, flag: &str) -> String {
    format!("{}_{flag}", DIRECTION_NAMES[direction])
}

/// Where a plane of the other directions is set.
pub(super) fn elsewhere<'m>(planes: [Sig<'m>; 4], direction: usize) -> Sig<'m> {
    any_of(DIRECTIONS.into_iter().filter(|&d| d != direction).map(|d| planes[d]))
}

/// Windows' flags at their cells.
pub(super) struct Cover<'m, 'a> {
    pub m: &'m Module,
    pub layout: &'a Layout,
    pub occupied: Sig<'m>,
    pub flags: BTreeMap<(usize, &'static str), Sig<'m>>,
}

impl<'m> Cover<'m, '_> {
    /// A flag of a direction's windows.
    pub fn flag(&self, direction: usize, flag: &str) -> Sig<'m> {
        let found = self.flags.iter().find(|((d, name), _)| *d == direction && *name == flag);
        *found.expect("a flag of the layout").1
    }

    /// Planes of the core cells whose OR says whether a flagged window of the direction covers the cell. The window
    /// that starts i cells before a cell covers it for i = 0..k-1.
    pub fn all(&self, direction: usize, flag: &str) -> Vec<Sig<'m>> {
        let exists: Vec<bool> =
            self.layout.frame.geometry.window_at[direction].iter().map(Option::is_some).collect();
        let windows = self.m.part("windows", self.flag(direction, flag) & self.m.plane(&exists));
        self.shifted(direction, windows, 0)
    }

    /// The same for the cells strictly between the ends of two neighbouring flagged windows with empty ends.
    pub fn inside_pairs(&self, direction: usize, flag: &str) -> Vec<Sig<'m>> {
        self.shifted(direction, self.pairs(direction, flag), 1)
    }

    /// Two neighbouring flagged windows, the first cell empty: at the bit of that cell.
    pub fn pairs(&self, direction: usize, flag: &str) -> Sig<'m> {
        let (frame, input) = (&self.layout.frame, self.flag(direction, flag));
        let exists = |place: usize| frame.geometry.window_at[direction][place].is_some();
        let stride = frame.geometry.stride(direction);
        let both: Vec<bool> = (0..frame.cells)
            .map(|place| exists(place) && place + stride < frame.cells && exists(place + stride))
            .collect();
        let pairs = input & input.down(stride) & !self.occupied & self.m.plane(&both);
        self.m.part(&format!("{}_pair", flag_input(direction, flag)), pairs)
    }

    /// A plane of windows at their cells from the one at this place on: a plane of the core cells for each place.
    pub fn shifted(&self, direction: usize, plane: Sig<'m>, from: usize) -> Vec<Sig<'m>> {
        let frame = &self.layout.frame;
        let stride = frame.geometry.stride(direction);
        (from..self.layout.config.in_a_row)
            .map(|i| frame.core_of(self.m.part("covering", plane.up(i * stride))))
            .collect()
    }
}
