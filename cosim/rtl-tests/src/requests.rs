// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests to the evaluator, and what the model answers to each.

use crate::stimulus::{Group, pack, sides, winners_words};
use engine_model::evaluation::{CEILING_BITS, Picked, Remaining, is_restricted};
use engine_model::{Cell, Position, RuleSet};
use hdl::Layout;
use hdl::layout::PassKind;

/// A request to the evaluator.
#[derive(Clone, Debug)]
pub struct Request {
    /// The board.
    pub position: Position,
    /// What the pass is for.
    pub kind: PassKind,
    /// Levels and extensions left.
    pub remaining: Remaining,
    /// Per group: gain and rank of the last cell that came out, if any did.
    pub after: Vec<Option<(i32, u16)>>,
    /// The cell a probe asks for.
    pub probed: Cell,
    /// With ceilings: cells that survive a reply, as somebody has found out.
    pub survivors: Vec<bool>,
    /// With ceilings: alpha.
    pub alpha: i32,
}

impl Request {
    /// Any request.
    pub fn random(layout: &Layout, rng: &mut fastrand::Rng, position: Position, probed: Cell) -> Request {
        let kinds = if layout.config.has_ceilings() { 8 } else { 4 };
        let kind = PassKind::from_code(rng.u64(0..kinds));
        // Only a node can be at depth 0, and a pass for a reply is.
        let depth = match kind {
            PassKind::Node => rng.usize(0..2),
            PassKind::Reply => 0,
            _ => 1,
        };
        let remaining = Remaining { depth, extensions: rng.usize(0..2) };
        let survivors = (0..layout.cells).map(|_| rng.bool()).collect();
        let most = layout.scoring.win_score - 1;
        let alpha = (2 * position.potential() + rng.i32(-200..600)).clamp(-most, most);
        let side = position.side_to_move();
        let mut key = || {
            let cell = rng.usize(0..layout.cells) as Cell;
            (position.gain(side, cell), layout.geometry.rank[cell as usize])
        };
        // A beam goes on after one cell in every group.
        let beam = key();
        let keys: Vec<_> = (0..layout.groups).map(|_| key()).collect();
        let beamed = rng.bool();
        let after =
            keys.into_iter().map(|own| (rng.u32(0..6) > 0).then_some(if beamed { beam } else { own }));
        Request { kind, remaining, after: after.collect(), probed, position, survivors, alpha }
    }

    /// Whether the cell is in the set that the pass asks for.
    fn asks_for(&self, layout: &Layout, cell: Cell) -> bool {
        let position = &self.position;
        let (own, other) = sides(position);
        if !position.is_empty(cell) {
            return false;
        }
        let moves = |cell| {
            if self.remaining.depth > 0 && is_restricted(position) {
                position.makes_four(own, cell) || position.makes_four(other, cell)
            } else {
                position.is_candidate(cell)
            }
        };
        let later = || self.is_later(layout, cell);
        match self.kind {
            PassKind::Probe => cell == self.probed,
            PassKind::Order => moves(cell) && later(),
            PassKind::OrderFours => moves(cell) && later() && position.makes_four(own, cell),
            PassKind::Reply => position.is_candidate(cell),
            PassKind::Answered => true,
            PassKind::Surviving => moves(cell) && self.survivors[cell as usize],
            PassKind::OrderSurviving => moves(cell) && later() && self.survivors[cell as usize],
            PassKind::Node if self.remaining.depth + self.remaining.extensions == 0 => {
                position.is_candidate(cell)
            }
            PassKind::Node if position.completing_cells(own) > 0 => position.completes(own, cell),
            PassKind::Node if position.completing_cells(other) > 0 => position.completes(other, cell),
            PassKind::Node if position.has_double(own) => position.is_double(own, cell),
            PassKind::Node => moves(cell),
        }
    }

    /// Whether the cell comes after what came out of its group last.
    fn is_later(&self, layout: &Layout, cell: Cell) -> bool {
        let key = |(gain, rank): (i32, u16)| (gain, std::cmp::Reverse(rank));
        let own = self.position.side_to_move();
        let here = (self.position.gain(own, cell), layout.geometry.rank[cell as usize]);
        self.after[layout.group_of(cell as usize)].is_some_and(|last| key(here) < key(last))
    }

    /// The set in static order.
    pub fn set(&self, layout: &Layout) -> Vec<Picked> {
        let side = self.position.side_to_move();
        let by_rank = &layout.geometry.by_rank;
        let mut set: Vec<Picked> = by_rank
            .iter()
            .filter(|&&cell| self.asks_for(layout, cell))
            .map(|&cell| Picked {
                cell,
                gain: self.position.gain(side, cell),
                makes_four: self.position.makes_four(side, cell),
            })
            .collect();
        // Stable: what ties stays in order of rank.
        set.sort_by_key(|picked| -picked.gain);
        set
    }

    /// What came out last, as the evaluator takes it, or the cells that have come out.
    pub fn before_words(&self, layout: &Layout) -> Vec<u32> {
        if layout.marks_cells() {
            return pack((0..layout.cells as Cell).map(|cell| !self.is_later(layout, cell)));
        }
        let (gain_bits, cell_bits) = (layout.gain_bits, layout.cell_bits);
        pack(self.after.iter().flat_map(|last| {
            let (gain, rank) = last.unwrap_or((0, 0));
            let value = rank as usize
                | (gain as usize) << cell_bits
                | usize::from(last.is_some()) << (cell_bits + gain_bits);
            (0..=cell_bits + gain_bits).map(move |bit| value >> bit & 1 == 1)
        }))
    }

    /// The cells that have come out with this pass.
    pub fn marks(&self, layout: &Layout) -> Vec<u32> {
        let takes_all = matches!(self.kind, PassKind::Node | PassKind::Reply | PassKind::Surviving);
        let set = self.set(layout);
        let group = |cell: Cell| layout.group_of(cell as usize);
        let first =
            |cell: Cell| set.iter().find(|p| group(p.cell) == group(cell)).is_some_and(|p| p.cell == cell);
        let before = |cell: Cell| !takes_all && !self.is_later(layout, cell);
        pack((0..layout.cells as Cell).map(|cell| before(cell) || first(cell)))
    }

    /// What survives the reply on the board: what may be worth more than alpha. The first child has been searched by then, and is none
    /// of what is asked for.
    pub fn surviving(&self, layout: &Layout) -> Vec<bool> {
        let mut position = self.position.clone();
        let side = position.side_to_move();
        let cells = 0..layout.cells as Cell;
        let empty: Vec<Cell> = cells.clone().filter(|&cell| position.is_empty(cell)).collect();
        let largest = empty.iter().map(|&cell| position.gain(side, cell)).max().unwrap_or(0);
        let (scoring, rules) = (layout.scoring.clone(), layout.config.rules);
        let growth = if scoring.half_gain { scoring.own_step } else { 0 };
        let most = scoring.leaf_value(position.potential(), largest, false) + growth;
        let bonus = scoring.four_three_bonus > 0;
        let all = empty.len() < 2 || (bonus && position.has_four_three(side));
        cells
            .map(|cell| {
                if all || !position.is_empty(cell) || position.makes_four(side, cell) {
                    return true;
                }
                let patterned = position.with_stone(side, cell, |after| {
                    let double = rules >= RuleSet::Double && after.has_double(side);
                    double || (bonus && after.has_four_three(side))
                });
                let gain = position.gain(side, cell);
                patterned || gain >> CEILING_BITS > 0 || most + 2 * gain > self.alpha
            })
            .collect()
    }

    /// The winners that must come out.
    pub fn winners(&self, layout: &Layout) -> Vec<u32> {
        let mut groups = vec![Group::default(); layout.groups];
        for picked in self.set(layout) {
            groups[layout.group_of(picked.cell as usize)].add(picked);
        }
        winners_words(layout, &groups)
    }

    /// For messages.
    pub fn describe(&self) -> String {
        format!("{:?} {:?} {:?}", self.kind, self.remaining, self.position.moves())
    }
}
