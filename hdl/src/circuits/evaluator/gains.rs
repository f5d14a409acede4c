// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cells' gains on their way: a number for each cell, or a plane for each bit.

use super::beside::stage_of;
use super::group_tree::Leaf;
use crate::layout::Layout;
use kit::{Instance, Module, Sig, any_of, bundle};

/// Gains of the core cells, or their lowest bits.
pub enum Gains<'m> {
    /// Cell by cell, side by side.
    Cells {
        /// All of them.
        side_by_side: Sig<'m>,
        /// Bits of each.
        bits: usize,
    },
    /// A plane for each bit, lowest first ([`Layout::by_words`]).
    Bits(Vec<Sig<'m>>),
}

/// Name of the port of all gains side by side.
const SIDE_BY_SIDE: &str = "gains";

/// Name of the port of a bit of all gains.
fn bit_port(bit: usize) -> String {
    format!("gain_bit_{bit}")
}

/// Ports of so many bits of the gains: names and widths in bits.
pub fn ports(layout: &Layout, bits: usize) -> Vec<(String, usize)> {
    let cells = layout.frame.core_cells;
    match layout.by_words() {
        true => (0..bits).map(|bit| (bit_port(bit), cells)).collect(),
        false => vec![(SIDE_BY_SIDE.into(), cells * bits)],
    }
}

impl<'m> Gains<'m> {
    fn new(layout: &Layout, bits: usize, mut port: impl FnMut(&str, usize) -> Sig<'m>) -> Gains<'m> {
        let signals: Vec<Sig> = ports(layout, bits).iter().map(|(name, width)| port(name, *width)).collect();
        match layout.by_words() {
            true => Gains::Bits(signals),
            false => Gains::Cells { side_by_side: signals[0], bits },
        }
    }

    /// So many bits of the gains that come in, at stage 0.
    pub fn inputs(m: &'m Module, layout: &Layout, bits: usize) -> Gains<'m> {
        Gains::new(layout, bits, |name, width| m.input_at(0, name, width))
    }

    /// The gains that come out of a circuit.
    pub fn get(child: Instance<'m>, layout: &Layout) -> Gains<'m> {
        Gains::new(layout, layout.gain_bits, |name, _| child.get(name))
    }

    /// Drives a circuit's inputs.
    pub fn drive(&self, child: Instance<'m>) {
        match self {
            Gains::Cells { side_by_side, .. } => child.drive(SIDE_BY_SIDE, *side_by_side),
            Gains::Bits(planes) => {
                let each = planes.iter().enumerate();
                each.for_each(|(bit, plane)| child.drive(&bit_port(bit), *plane));
            }
        }
    }

    /// The stage that they are at.
    pub fn stage(&self) -> i32 {
        match self {
            Gains::Cells { side_by_side, .. } => stage_of(*side_by_side),
            Gains::Bits(planes) => stage_of(planes[0]),
        }
    }

    /// A signal of each, from the signal and a hint of its name.
    fn map(&self, hint: &str, of: impl Fn(&str, Sig<'m>) -> Sig<'m>) -> Gains<'m> {
        match self {
            Gains::Cells { side_by_side, bits } => {
                Gains::Cells { side_by_side: of(hint, *side_by_side), bits: *bits }
            }
            Gains::Bits(planes) => {
                let of = |(bit, plane): (usize, &Sig<'m>)| of(&format!("{hint}_bit_{bit}"), *plane);
                Gains::Bits(planes.iter().enumerate().map(of).collect())
            }
        }
    }

    /// So many clocks later.
    pub fn delay(&self, m: &'m Module, hint: &str, clocks: usize) -> Gains<'m> {
        self.map(hint, |hint, signal| m.delay(hint, signal, clocks))
    }

    /// At a stage.
    pub fn delay_to(&self, m: &'m Module, hint: &str, stage: i32) -> Gains<'m> {
        self.map(hint, |hint, signal| m.delay_to(hint, signal, stage))
    }

    fn each(side_by_side: Sig<'m>, bits: usize, of: impl Fn(Sig<'m>) -> Sig<'m>) -> Sig<'m> {
        bundle(side_by_side.each_word(bits).into_iter().map(of))
    }

    /// Their lowest bits.
    pub fn low(&self, bits: usize) -> Gains<'m> {
        match self {
            Gains::Cells { side_by_side, bits: all } => {
                let side_by_side = Gains::each(*side_by_side, *all, |gain| gain.bits(0..bits));
                Gains::Cells { side_by_side, bits }
            }
            Gains::Bits(planes) => Gains::Bits(planes[..bits].to_vec()),
        }
    }

    /// The plane of cells whose gain has a bit from that one on.
    pub fn reach(&self, bit: usize) -> Sig<'m> {
        match self {
            Gains::Cells { side_by_side, bits } => {
                Gains::each(*side_by_side, *bits, |gain| gain.bits(bit..*bits).any())
            }
            Gains::Bits(planes) => any_of(planes[bit..].iter().copied()),
        }
    }

    /// Cell by cell.
    pub fn cells(&self, m: &'m Module) -> Vec<Sig<'m>> {
        match self {
            Gains::Cells { side_by_side, bits } => side_by_side.each_word(*bits),
            Gains::Bits(planes) => m.transposed("gains", planes),
        }
    }

    /// What trees compare of each cell: its gain, with its bits of the planes `found` and `four`.
    pub(super) fn leaves(&self, m: &'m Module, found: Sig<'m>, four: Sig<'m>) -> Vec<Leaf<'m>> {
        match self {
            Gains::Cells { .. } => {
                let of = |(core, gain)| Leaf { found: found.bit(core), gain, four: four.bit(core) };
                self.cells(m).into_iter().enumerate().map(of).collect()
            }
            Gains::Bits(planes) => {
                let (planes, bits) = ([&[four], &planes[..], &[found]].concat(), planes.len());
                let of = |all: Sig<'m>| Leaf {
                    found: all.bit(1 + bits),
                    gain: all.bits(1..1 + bits),
                    four: all.bit(0),
                };
                m.transposed("cells", &planes).into_iter().map(of).collect()
            }
        }
    }
}
