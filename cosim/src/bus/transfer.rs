// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accesses of a slot, and what every bus has: signals under a clock, errors.

use crate::dut::{Dut, PortId};

/// Clocks that a slave may take for a transfer: the slots take one or two.
pub const PATIENCE: u64 = 16;

/// What went wrong on a bus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BusError {
    /// The slave let the master wait.
    #[error(
        "{face}: a transfer to offset 0x{offset:03x} has not ended after {clocks} clocks (at cycle {cycle})"
    )]
    Stalled {
        /// Bus.
        face: &'static str,
        /// Offset.
        offset: u32,
        /// Clocks waited.
        clocks: u64,
        /// Cycle.
        cycle: u64,
    },
    /// The slave answered what nobody had asked, or before it had taken what it was asked.
    #[error("{face}: a response to nothing at offset 0x{offset:03x} (at cycle {cycle})")]
    Unasked {
        /// Bus.
        face: &'static str,
        /// Offset.
        offset: u32,
        /// Cycle.
        cycle: u64,
    },
    /// A response was withdrawn or changed before it was taken.
    #[error("{face}: a response changed before it was taken at offset 0x{offset:03x} (at cycle {cycle})")]
    Changed {
        /// Bus.
        face: &'static str,
        /// Offset.
        offset: u32,
        /// Cycle.
        cycle: u64,
    },
    /// The slave answered with an error, which it never should.
    #[error("{face}: error response at offset 0x{offset:03x} (at cycle {cycle})")]
    Refused {
        /// Bus.
        face: &'static str,
        /// Offset.
        offset: u32,
        /// Cycle.
        cycle: u64,
    },
}

/// Bytes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// One byte.
    Byte,
    /// Two bytes.
    Half,
    /// Four bytes.
    Word,
}

impl Size {
    /// Byte lanes of an access at `offset`, lane 0 lowest.
    pub fn lanes(self, offset: u32) -> u32 {
        match self {
            Size::Byte => 1 << (offset & 3),
            Size::Half => 3 << (offset & 2),
            Size::Word => 15,
        }
    }
}

/// An access: a write if there is a value. Values stand on their byte lanes, as on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Byte offset in the slot's window.
    pub offset: u32,
    /// Size; APB knows words only.
    pub size: Size,
    /// Value to write.
    pub write: Option<u32>,
}

/// Signals of one bus.
pub trait Signals {
    /// Levels before the first clock.
    fn rest(&mut self, dut: &mut Dut, rng: &mut fastrand::Rng);
    /// Carries out the transfers, the next one beginning as early as the bus allows; returns what was read, 0 of writes.
    fn run(&mut self, clocks: &mut Clocks, transfers: &[Transfer]) -> Result<Vec<u32>, BusError>;
}

/// The slot under its clock.
pub struct Clocks {
    pub dut: Dut,
    pub interrupt: PortId,
    pub rng: fastrand::Rng,
    /// Level of the interrupt line after the last clock.
    pub level: bool,
    pub rises: u64,
}

impl Clocks {
    /// One clock, with what the interrupt line does in it.
    pub fn tick(&mut self) {
        self.dut.tick();
        let level = self.dut.get_word(self.interrupt) == 1;
        self.rises += u64::from(level && !self.level);
        self.level = level;
    }
}
