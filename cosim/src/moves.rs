// SPDX-License-Identifier: MIT OR Apache-2.0
//! The moves of a node, and what passes for order have brought out of them.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use crate::trace::Winner;
use engine_model::Cell;
use engine_model::evaluation::Picked;
use hdl::Layout;

/// The moves of a node and how far passes for order have got.
#[derive(Clone)]
pub(crate) struct Moves {
    /// All of rule 6, or what survives of them, in static order.
    pub(crate) list: Vec<Picked>,
    /// How many of them the beam holds.
    pub(crate) beam: usize,
    /// Per move: whether it or a later one of its group has come out; in a beam whether it has been searched.
    pub(crate) out: Vec<bool>,
}

impl Moves {
    /// First cells of the groups among what has not come out; `fours`: only moves that make a four.
    pub(crate) fn winners(&self, layout: &Layout, fours: bool) -> Vec<Option<Winner>> {
        let mut winners: Vec<Option<Winner>> = vec![None; layout.groups];
        for (picked, _) in
            self.list.iter().zip(&self.out).filter(|(m, out)| !**out && (!fours || m.makes_four))
        {
            match &mut winners[layout.group_of(picked.cell as usize)] {
                Some(winner) => {
                    if !winner.more && layout.config.has_beam() {
                        winner.next = picked.gain;
                    }
                    winner.more = true;
                    winner.more_four |= picked.makes_four;
                }
                empty => *empty = Some(Winner { picked: *picked, more: false, more_four: false, next: 0 }),
            }
        }
        winners
    }

    /// Marks what a pass brought out, up to each group's first.
    pub(crate) fn take(&mut self, layout: &Layout, winners: &[Option<Winner>]) {
        let places: Vec<Option<usize>> = winners
            .iter()
            .map(|winner| winner.and_then(|w| self.list.iter().position(|m| m.cell == w.picked.cell)))
            .collect();
        for (place, out) in self.out.iter_mut().enumerate() {
            let group = layout.group_of(self.list[place].cell as usize);
            // A group that brought out nothing has nothing left.
            *out |= places[group].is_none_or(|last| place <= last);
        }
    }

    /// In a beam: the next move to be searched.
    pub(crate) fn next_in_beam(&self) -> Option<Picked> {
        let next = self.out.iter().position(|out| !out)?;
        (next < self.beam).then(|| self.list[next])
    }

    /// Marks a move that is searched.
    pub(crate) fn searches(&mut self, cell: Cell) {
        for (mv, out) in self.list.iter().zip(&mut self.out) {
            *out |= mv.cell == cell;
        }
    }
}
