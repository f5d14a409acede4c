// SPDX-License-Identifier: MIT OR Apache-2.0
//! The processor's timer (CORET in `soc/E902_20191018.v`): counts down from LOAD to 0, sets a flag there, begins again.

use crate::wujian100::{CORET_BITS, CORET_REGISTERS, number};

/// The timer; time is the SoC's clock. Its other clock source is not modelled.
#[derive(Clone, Debug, Default)]
pub struct Timer {
    control: u32,
    load: u32,
    flag: bool,
    /// Clock in which the counter is 0 next, while it runs.
    zero: u64,
}

fn bit(name: &str) -> u32 {
    number(CORET_BITS, name)
}

impl Timer {
    fn running(&self) -> bool {
        self.control & bit("ENABLE") != 0 && self.load > 0
    }

    /// When the flag is set next.
    pub fn next_event(&self) -> Option<u64> {
        self.running().then_some(self.zero)
    }

    /// Lets everything happen that happens until `now`.
    pub fn advance(&mut self, now: u64) {
        if self.running() && self.zero <= now {
            self.flag = true;
            let period = u64::from(self.load) + 1;
            self.zero += (now - self.zero) / period * period + period;
        }
    }

    /// Level of the interrupt line.
    pub fn interrupt(&self) -> bool {
        self.flag && self.control & bit("TICKINT") != 0
    }

    /// Reads a register; reading CTRL clears the flag.
    pub fn read(&mut self, offset: u32, now: u64) -> u32 {
        match CORET_REGISTERS.iter().find(|(_, known)| *known == offset) {
            Some(("CTRL", _)) => {
                let flag = std::mem::take(&mut self.flag);
                self.control | if flag { bit("COUNTFLAG") } else { 0 }
            }
            Some(("LOAD", _)) => self.load,
            Some(("VAL", _)) if self.running() => (self.zero.saturating_sub(now)) as u32 & 0xff_ffff,
            _ => 0,
        }
    }

    /// Writes a register; writing VAL begins a new period and clears the flag.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) {
        match CORET_REGISTERS.iter().find(|(_, known)| *known == offset) {
            Some(("CTRL", _)) => {
                let was = self.running();
                self.control = value & (bit("ENABLE") | bit("TICKINT") | bit("CLKSOURCE"));
                if !was {
                    self.zero = now + 1 + u64::from(self.load);
                }
            }
            Some(("LOAD", _)) => self.load = value & 0xff_ffff,
            Some(("VAL", _)) => {
                self.flag = false;
                self.zero = now + 1 + u64::from(self.load);
            }
            _ => {}
        }
    }
}
