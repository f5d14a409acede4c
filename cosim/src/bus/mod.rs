// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine in a slot, between bus-functional masters.
//!
//! A [`Master`] carries out one access after the other with random idle clocks and counts what the interrupt line does;
//! [`session`] speaks the stream protocol through the registers and compares every answer with the protocol's reference.

mod ahb;
mod apb;
pub mod attached;
mod axil;
pub mod session;

use crate::dut::Dut;
use crate::models::Model;
use soc_integration::Face;

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
trait Signals {
    /// Levels before the first clock.
    fn rest(&mut self, dut: &mut Dut, rng: &mut fastrand::Rng);
    /// Carries out the transfers, the next one beginning as early as the bus allows; returns what was read, 0 of writes.
    fn run(&mut self, clocks: &mut Clocks, transfers: &[Transfer]) -> Result<Vec<u32>, BusError>;
}

/// The slot under its clock.
struct Clocks {
    dut: Dut,
    interrupt: crate::dut::PortId,
    rng: fastrand::Rng,
    /// Level of the interrupt line after the last clock.
    level: bool,
    rises: u64,
}

impl Clocks {
    fn tick(&mut self) {
        self.dut.tick();
        let level = self.dut.get_word(self.interrupt) == 1;
        self.rises += u64::from(level && !self.level);
        self.level = level;
    }
}

/// A bus-functional master with the slot as its only slave.
pub struct Master {
    face: Face,
    clocks: Clocks,
    signals: Box<dyn Signals>,
    idle: f64,
}

/// Clocks of the reset that `Master::new` applies.
const RESET_CLOCKS: u64 = 4;
/// Clocks that a slave may take for a transfer: the slots take one or two.
const PATIENCE: u64 = 16;

impl Master {
    /// A slot of `model`, powered up at random and reset. Before every transfer the bus idles with probability `idle` for
    /// each clock.
    pub fn new(model: &'static Model, face: Face, seed: u64, idle: f64) -> Master {
        let mut rng = fastrand::Rng::with_seed(seed);
        let dut = Dut::new(model, rng.u32(..));
        let interrupt = dut.port(if face == Face::Axil { "interrupt" } else { "intr" });
        let signals: Box<dyn Signals> = match face {
            Face::Ahb => Box::new(ahb::Ahb::new(&dut)),
            Face::Apb => Box::new(apb::Apb::new(&dut)),
            Face::Axil => Box::new(axil::Axil::new(&dut)),
        };
        let clocks = Clocks { dut, interrupt, rng, level: false, rises: 0 };
        let mut master = Master { face, clocks, signals, idle };
        master.reset(RESET_CLOCKS);
        master
    }

    /// Which bus it is.
    pub fn face(&self) -> Face {
        self.face
    }

    /// Cycles so far.
    pub fn cycle(&self) -> u64 {
        self.clocks.dut.cycle()
    }

    /// Level of the interrupt line.
    pub fn interrupt(&self) -> bool {
        self.clocks.level
    }

    /// How often the interrupt line has risen.
    pub fn interrupt_rises(&self) -> u64 {
        self.clocks.rises
    }

    /// Holds the slot in reset for `clocks` clocks and lets it come out.
    pub fn reset(&mut self, clocks: u64) {
        self.signals.rest(&mut self.clocks.dut, &mut self.clocks.rng);
        self.hold_reset(true);
        self.idle(clocks);
        self.hold_reset(false);
        // The synchroniser of an asynchronous reset.
        self.idle(3);
        self.clocks.level = self.clocks.dut.get_word(self.clocks.interrupt) == 1;
        self.clocks.rises = 0;
    }

    /// Holds the slot in reset, or lets it go, from now on; no clock passes.
    pub fn hold_reset(&mut self, held: bool) {
        let reset = self.clocks.dut.port(self.face.clock_and_reset().1);
        self.clocks.dut.set_word(reset, u32::from(!held));
    }

    /// Lets the bus rest for `clocks` clocks.
    pub fn idle(&mut self, clocks: u64) {
        for _ in 0..clocks {
            self.signals.rest(&mut self.clocks.dut, &mut self.clocks.rng);
            self.clocks.tick();
        }
    }

    /// Carries out transfers back to back.
    pub fn run(&mut self, transfers: &[Transfer]) -> Result<Vec<u32>, BusError> {
        while self.clocks.rng.f64() < self.idle {
            self.idle(1);
        }
        let read = self.signals.run(&mut self.clocks, transfers)?;
        self.signals.rest(&mut self.clocks.dut, &mut self.clocks.rng);
        Ok(read)
    }

    /// Reads a word.
    pub fn read(&mut self, offset: u32) -> Result<u32, BusError> {
        self.run(&[Transfer { offset, size: Size::Word, write: None }]).map(|read| read[0])
    }

    /// Writes a word.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), BusError> {
        self.run(&[Transfer { offset, size: Size::Word, write: Some(value) }]).map(|_| ())
    }
}
