// SPDX-License-Identifier: MIT OR Apache-2.0
//! A verilated slot as the virtual board's peripheral, clock by clock.
//!
//! Clocks in which nothing can happen are not simulated: when the core has answered or has nothing to do, its registers
//! stay as they are until somebody accesses them.

use super::{Master, Size, Transfer};
use crate::models::Model;
use soc_integration::Face;
use soc_integration::register_map::{CONTROL, DATA_IN, STATUS};
use soc_integration::soc::Slot;

/// Clocks after an access in which the core may begin something.
const SETTLING_CLOCKS: u64 = 32;
/// Clocks between two looks at STATUS while the core works.
const LOOK_CLOCKS: u64 = 1024;

/// A verilated slot that a processor accesses.
pub struct AttachedSlot {
    master: Master,
    window: u32,
    /// Clocks that the core may still need before another look tells whether it rests.
    restless: u64,
    /// Looks in a row that found it at rest: it seems so for a clock within a Play.
    rests: u32,
}

impl AttachedSlot {
    /// A slot of `model` after reset.
    pub fn new(model: &'static Model, face: Face, seed: u64) -> AttachedSlot {
        AttachedSlot {
            master: Master::new(model, face, seed, 0.0),
            window: soc_integration::register_map::WINDOW_BYTES,
            restless: 0,
            rests: 0,
        }
    }

    /// Cycles simulated so far.
    pub fn cycle(&self) -> u64 {
        self.master.cycle()
    }

    fn transfer(&mut self, offset: u32, bytes: u32, write: Option<u32>) -> Result<u32, String> {
        let size = match bytes {
            1 => Size::Byte,
            2 => Size::Half,
            _ => Size::Word,
        };
        let offset = offset % self.window;
        let shift = 8 * (offset & 3);
        let transfer = Transfer { offset, size, write: write.map(|value| value << shift) };
        let read = self.master.run(&[transfer]).map_err(|error| error.to_string())?;
        let mask = if bytes == 4 { u32::MAX } else { (1 << (8 * bytes)) - 1 };
        Ok(read[0] >> shift & mask)
    }

    fn look(&mut self) {
        // A broken bus shows at the processor's next access.
        let busy = self.master.read(STATUS.offset).is_ok_and(|status| status & STATUS.mask("BUSY") != 0);
        if busy {
            self.rests = 0;
            self.restless = LOOK_CLOCKS;
        } else {
            self.rests += 1;
            self.restless = if self.rests < 2 { SETTLING_CLOCKS } else { 0 };
        }
    }
}

impl Slot for AttachedSlot {
    fn read(&mut self, offset: u32, bytes: u32) -> Result<u32, String> {
        self.transfer(offset, bytes, None)
    }

    fn write(&mut self, offset: u32, bytes: u32, value: u32) -> Result<(), String> {
        self.transfer(offset, bytes, Some(value))?;
        if [CONTROL.offset, DATA_IN.offset].contains(&((offset % self.window) & !3)) {
            self.rests = 0;
        }
        self.restless = self.restless.max(SETTLING_CLOCKS);
        Ok(())
    }

    fn advance(&mut self, clocks: u64) -> u64 {
        let before = self.master.interrupt();
        for passed in 1..=clocks {
            self.master.idle(1);
            self.restless = self.restless.saturating_sub(1);
            if self.restless == 0 {
                self.look();
            }
            if self.master.interrupt() != before {
                // An answer: the work is done.
                self.restless = self.restless.min(SETTLING_CLOCKS);
                return passed;
            }
            if self.quiet() {
                return passed;
            }
        }
        clocks
    }

    fn interrupt(&self) -> bool {
        self.master.interrupt()
    }

    fn quiet(&self) -> bool {
        self.restless == 0
    }
}
