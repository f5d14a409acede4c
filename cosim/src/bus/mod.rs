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
mod transfer;

pub use transfer::{BusError, Size, Transfer};

use crate::dut::Dut;
use crate::models::Model;
use soc_integration::Face;
use transfer::{Clocks, Signals};

/// A bus-functional master with the slot as its only slave.
pub struct Master {
    face: Face,
    clocks: Clocks,
    signals: Box<dyn Signals>,
    idle: f64,
}

/// Clocks of the reset that `Master::new` applies.
const RESET_CLOCKS: u64 = 4;
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
