// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parts of the search core see of it while it is described.

use super::beam_picker::{BeamPicked, BeamVisit};
use super::move_picker::{Picked, Visit};
use super::move_store::Access;
use super::transposition_table::TableAccess;
use super::words::Commands;
use crate::circuits::face::game_controller::{GameInputs, GameOutputs};
use crate::circuits::level::ports::{LevelInputs, LevelOutputs};
use crate::circuits::level::words::row_bits;
use crate::layout::{Evaluated, Layout, Tag};
use kit::{Instance, Module, Sig, any_of, cat};
use std::cell::RefCell;

/// What comes out of the evaluator.
pub(super) struct Result<'m> {
    /// A clock before: one comes, and its tag.
    pub next_valid: Sig<'m>,
    pub next: Tag<Sig<'m>>,
    pub valid: Sig<'m>,
    pub tag: Tag<Sig<'m>>,
    pub result: Evaluated<Sig<'m>>,
    /// Both as they are packed.
    pub packed_tag: Sig<'m>,
    pub packed: Sig<'m>,
}

/// The search core under description: its children's outputs, and what has been said so far of the inputs of those that several
/// parts drive.
pub(super) struct Core<'m, 'a> {
    pub m: &'m Module,
    pub layout: &'a Layout,
    pub command: Commands<Sig<'m>>,
    pub game: GameOutputs<Sig<'m>>,
    pub evaluate: Instance<'m>,
    pub result: Result<'m>,
    pub store: Instance<'m>,
    /// Of levels of full width, if there are any.
    pub picked: Option<Picked<Sig<'m>>>,
    /// Of levels with beams.
    pub beam_picked: Option<BeamPicked<Sig<'m>>>,
    pub choice: Instance<'m>,
    /// Whether it takes a context of the level below, where the path there is shortened.
    pub reserves: Option<Instance<'m>>,
    /// Values of nodes by their stones, if they are kept.
    pub transpositions: Option<Instance<'m>>,
    pub queue: Instance<'m>,
    /// A search is stopped, a clock ago.
    pub stop: Sig<'m>,
    /// What each level says.
    pub said: Vec<LevelOutputs<Sig<'m>>>,
    pub to_levels: Vec<RefCell<LevelInputs<Option<Sig<'m>>>>>,
    pub to_game: RefCell<GameInputs<Option<Sig<'m>>>>,
    pub to_picker: RefCell<Visit<Option<Sig<'m>>>>,
    pub to_beams: RefCell<BeamVisit<Option<Sig<'m>>>>,
    pub to_store: RefCell<Access<Option<Sig<'m>>>>,
    pub to_transpositions: RefCell<TableAccess<Option<Sig<'m>>>>,
}

impl<'m> Core<'m, '_> {
    /// Number of levels.
    pub fn depth(&self) -> usize {
        self.layout.config.levels
    }

    /// What a level says.
    pub fn level(&self, level: usize) -> &LevelOutputs<Sig<'m>> {
        &self.said[level - 1]
    }

    /// Every level, from the root's.
    pub fn levels(&self) -> impl Iterator<Item = (usize, &LevelOutputs<Sig<'m>>)> {
        (1..).zip(&self.said)
    }

    /// Says inputs of a level.
    pub fn tell(&self, level: usize, say: impl FnOnce(&mut LevelInputs<Option<Sig<'m>>>)) {
        say(&mut self.to_levels[level - 1].borrow_mut());
    }

    /// What the level with a number shows; of a number that no level has, any level's. As many low bits as there are levels tell them
    /// apart: no decoder.
    pub fn of_levels(&self, number: Sig<'m>, f: impl Fn(&LevelOutputs<Sig<'m>>) -> Sig<'m>) -> Sig<'m> {
        let of_each: Vec<Sig> = self.said.iter().map(f).collect();
        self.at_levels(number, &of_each)
    }

    /// The bits of a level's number that tell the levels apart.
    pub fn level_bits_of(&self, number: Sig<'m>) -> Sig<'m> {
        let bits = self.depth().next_power_of_two().ilog2() as usize;
        number.bits(0..bits.clamp(1, number.width))
    }

    /// The same of what has been made of each level.
    pub fn at_levels(&self, number: Sig<'m>, of_each: &[Sig<'m>]) -> Sig<'m> {
        let places = self.depth().next_power_of_two();
        let place =
            |i: usize| of_each[if i == 0 { places.min(self.depth()) } else { i.min(self.depth()) } - 1];
        let shown: Vec<Sig> = (0..places).map(place).collect();
        self.m.select("of_level", number, &shown)
    }

    /// Whether the level with a number has a beam.
    pub fn has_beam(&self, number: Sig<'m>) -> Sig<'m> {
        let beams = (1..=self.depth()).filter(|&level| self.layout.config.beam_at(level - 1) > 0);
        any_of(std::iter::once(self.m.bit(false)).chain(beams.map(|level| number.is(level))))
    }

    /// Number of a level's context among all.
    pub fn context_of(&self, level: usize, row: Sig<'m>) -> Sig<'m> {
        let (bits, base) = (self.layout.context_bits, self.layout.context_base(level));
        let own = row_bits(self.layout, level);
        match base.is_multiple_of(1 << own) {
            true if own < bits => cat([self.m.constant(bits - own, base >> own), row]),
            true => row,
            false => self.m.constant(bits, base) + row.zero_extend(bits),
        }
    }

    /// Number of a context within its level.
    pub fn row_of(&self, level: usize, context: Sig<'m>, hint: &str) -> Sig<'m> {
        let own = row_bits(self.layout, level);
        let base = self.layout.context_base(level);
        let offset = if base.is_multiple_of(1 << own) { context } else { self.m.part(hint, context - base) };
        if own < offset.width { self.m.part(&format!("{hint}_row"), offset.bits(0..own)) } else { offset }
    }
}
