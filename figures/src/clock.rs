// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clock frequencies as text.

use std::fmt;
use std::str::FromStr;

/// A clock's frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// In hertz; above 0.
    pub hz: f64,
}

/// The clock of the system-on-chip as delivered, and the one the core aims at: every speed is given at both.
pub const USUAL: [Clock; 2] = [Clock::mhz(20.0), Clock::mhz(100.0)];

/// Highest frequency taken for a meant one.
const MAX_HZ: f64 = 1e10;
/// Lowest one that is meant in hertz if no unit is named.
const MIN_BARE_HZ: f64 = 1e5;
const UNITS: [(&str, f64); 4] = [("ghz", 1e9), ("mhz", 1e6), ("khz", 1e3), ("hz", 1.0)];

/// What is wrong with a clock's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// It is none.
    #[error(
        "{0:?} is not a clock: write for example 100MHz, 20MHz or 50000000 (hertz), above 0 and up to 10GHz"
    )]
    NoClock(String),
    /// A number without a unit, too small for hertz that somebody meant.
    #[error("{0} would be {0} hertz: write the unit, {0}MHz or {0}Hz")]
    NoUnit(String),
}

impl Clock {
    /// So many megahertz.
    pub const fn mhz(mhz: f64) -> Clock {
        Clock { hz: mhz * 1e6 }
    }

    /// How long so many cycles take.
    pub fn seconds(self, cycles: f64) -> f64 {
        cycles / self.hz
    }
}

impl FromStr for Clock {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Clock, ClockError> {
        let lower = text.trim().to_ascii_lowercase();
        let (number, unit) = UNITS
            .iter()
            .find_map(|(name, hz)| Some((lower.strip_suffix(name)?, *hz)))
            .unwrap_or((&lower, 1.0));
        match number.trim_end().parse::<f64>() {
            Ok(bare) if bare > 0.0 && bare < MIN_BARE_HZ && number.len() == lower.len() => {
                Err(ClockError::NoUnit(lower))
            }
            Ok(number) if number > 0.0 && number * unit <= MAX_HZ => Ok(Clock { hz: number * unit }),
            _ => Err(ClockError::NoClock(text.into())),
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (unit, hz) = [("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3)]
            .into_iter()
            .find(|(_, hz)| self.hz >= *hz)
            .unwrap_or(("Hz", 1.0));
        write!(out, "{} {unit}", self.hz / hz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_shown() {
        for (text, hz, shown) in [
            ("100MHz", 100e6, "100 MHz"),
            ("20mhz", 20e6, "20 MHz"),
            ("12.5 MHz", 12.5e6, "12.5 MHz"),
            ("1GHz", 1e9, "1 GHz"),
            ("32768Hz", 32768.0, "32.768 kHz"),
            ("50000000", 50e6, "50 MHz"),
        ] {
            let clock: Clock = text.parse().unwrap();
            assert_eq!((clock.hz, clock.to_string().as_str()), (hz, shown));
        }
        assert_eq!(Clock::mhz(100.0).seconds(2_000.0), 20e-6);
    }

    #[test]
    fn what_is_no_clock_is_refused() {
        for text in ["", "fast", "0", "-5MHz", "MHz", "1THz", "99GHz", "nan", "inf MHz"] {
            assert!(text.parse::<Clock>().is_err(), "{text}");
        }
        for text in ["50", "100", "0.05", "32768"] {
            let wanted = format!("{text} would be {text} hertz: write the unit, {text}MHz or {text}Hz");
            assert_eq!(text.parse::<Clock>().unwrap_err().to_string(), wanted);
        }
    }
}
