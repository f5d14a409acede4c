// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a board is, each described once: `boards/NAME.toml`, or a file of one's own.

use crate::circuits::uart::Rate;
use crate::pll::{Pll, PllError};
use crate::values::{Family, Freed, Mapping, Placer, Pull, Standard};
use serde::Deserialize;

/// A pin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Its name on the package.
    pub pin: String,
    /// Its standard.
    pub standard: Standard,
    /// Its resistor, if it needs one.
    pub pull: Option<Pull>,
    /// Whether 0 is on: an LED that lights, a button that is pressed.
    #[serde(default)]
    pub active_low: bool,
}

/// The pin of the oscillator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Its name on the package.
    pub pin: String,
    /// Its standard.
    pub standard: Standard,
    /// Its rate.
    pub hz: u32,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Its name on the command line: the file's.
    #[serde(skip)]
    pub name: String,
    /// What its maker calls it.
    pub title: String,
    /// Family of its FPGA.
    pub family: Family,
    /// The FPGA as place-and-route is told it.
    pub device: String,
    /// LUTs that it has, by its data sheet; with six inputs on Xilinx parts, four on others.
    pub luts: Option<u32>,
    /// ECP5: its package.
    pub package: Option<String>,
    /// ECP5: its speed grade.
    pub speed: Option<String>,
    /// Gowin: its database, as nextpnr and gowin_pack call it.
    pub database: Option<String>,
    /// Gowin: its family, as Yosys calls it.
    pub synthesis: Option<String>,
    /// More options of synthesis.
    #[serde(default)]
    pub synthesis_options: Vec<String>,
    /// What the netlist is mapped for.
    #[serde(default)]
    pub mapping: Mapping,
    /// Gowin: pins of configuration that the design uses, by groups.
    #[serde(default)]
    pub freed: Vec<Freed>,
    /// ECP5: nextpnr's placer; `None`: its usual one. A nextpnr that does not have it uses its usual one.
    pub placer: Option<Placer>,
    /// How much of a region nextpnr's usual placer fills at most, per cent; `None`: as much as it does by itself, 90.
    pub density: Option<u8>,
    /// The name that openFPGALoader has for it.
    pub loader: String,
    /// The configuration that fits it.
    pub config: String,
    /// The clock of the core in Hz; none: the board's own.
    pub core_hz: Option<u32>,
    /// Most bits a second that its adapter carries.
    pub baud: u32,
    /// Where its pins are from, and what nobody has settled.
    pub source: String,
    /// Its oscillator.
    pub clock: Clock,
    /// Where the host's bytes come in.
    pub rx: Pin,
    /// Where ours go out.
    pub tx: Pin,
    /// An LED: something is carried out.
    pub busy: Option<Pin>,
    /// An LED: the last answer ended a game.
    pub over: Option<Pin>,
    /// A button that resets.
    pub reset: Option<Pin>,
}

/// What is wrong with a board, or with what is asked of it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BoardError {
    /// Its text cannot be read.
    #[error("board {name}: {reason}")]
    Text {
        /// Name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// There is none of this name.
    #[error("no board {name}: there are {}; a board of your own is a .toml file", .known.join(", "))]
    Unknown {
        /// Name.
        name: String,
        /// Those that are there.
        known: Vec<&'static str>,
    },
    /// Two of its pins are one.
    #[error("board {name}: pin {pin} is used twice, for {first} and for {second}")]
    Pin {
        /// Board.
        name: String,
        /// Pin.
        pin: String,
        /// Use.
        first: &'static str,
        /// Other use.
        second: &'static str,
    },
    /// Something that its family needs is missing.
    #[error("board {name}: {what} is missing, which the tools of its family want")]
    Missing {
        /// Board.
        name: String,
        /// Key.
        what: &'static str,
    },
    /// What goes into constraints and commands has characters that mean something there.
    #[error("board {name}: {what} = {text:?}: only letters, digits and - _ . / + : may be in it")]
    Word {
        /// Board.
        name: String,
        /// Key.
        what: String,
        /// Its value.
        text: String,
    },
    /// What goes into a comment is not one line.
    #[error("board {name}: {what} = {text:?}: write it on one line")]
    Lines {
        /// Board.
        name: String,
        /// Key.
        what: &'static str,
        /// Its value.
        text: String,
    },
    /// The rate of the line is none for this clock.
    #[error(
        "board {name}: {baud} bits a second cannot be kept at a clock of {clock_hz} Hz: name a rate from {lowest} to {highest} bits a second"
    )]
    Rate {
        /// Board.
        name: String,
        /// Rate asked for.
        baud: u32,
        /// Clock.
        clock_hz: u32,
        /// Lowest rate that it can keep.
        lowest: u32,
        /// Highest one.
        highest: u32,
    },
    /// The clock cannot be made.
    #[error("board {name}: {source}")]
    Clock {
        /// Board.
        name: String,
        /// Why.
        source: PllError,
    },
}

macro_rules! boards {
    ($($name:literal),* $(,)?) => {
        /// The boards that are known, by name.
        const KNOWN: &[(&str, &str)] = &[$(($name, include_str!(concat!("../boards/", $name, ".toml")))),*];
    };
}
boards! {
    "ulx3s-85f", "ulx3s-25f", "colorlight-i9", "tang-mega-138k", "tang-mega-138k-pro", "tang-primer-25k", "tang-nano-20k", "tang-nano-9k",
    "nexys-video", "arty-a7-100t",
}

/// Names of the boards that are known.
pub fn names() -> Vec<&'static str> {
    KNOWN.iter().map(|(name, _)| *name).collect()
}

impl Board {
    /// The board of a name.
    pub fn named(name: &str) -> Result<Board, BoardError> {
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        let (name, text) = known.ok_or_else(|| BoardError::Unknown {
            name: name.into(),
            known: names().into_iter().chain(crate::zynq::names()).collect(),
        })?;
        Board::from_toml(name, text)
    }

    /// The board that a text describes.
    pub fn from_toml(name: &str, text: &str) -> Result<Board, BoardError> {
        let wrong =
            |error: toml::de::Error| BoardError::Text { name: name.into(), reason: error.to_string() };
        let board = Board { name: name.into(), ..toml::from_str(text).map_err(wrong)? };
        board.check()?;
        Ok(board)
    }

    /// The pins beside the clock's, with their ports' names.
    pub fn pins(&self) -> Vec<(&'static str, &Pin)> {
        let maybe = [("busy", &self.busy), ("over", &self.over), ("reset", &self.reset)];
        let maybe = maybe.into_iter().filter_map(|(name, pin)| pin.as_ref().map(|pin| (name, pin)));
        [("rx", &self.rx), ("tx", &self.tx)].into_iter().chain(maybe).collect()
    }

    fn check(&self) -> Result<(), BoardError> {
        self.check_words()?;
        self.check_family()?;
        if self.density.is_some_and(|percent| !(10..=100).contains(&percent)) {
            let reason = "density is a percentage from 10 to 100".into();
            return Err(BoardError::Text { name: self.name.clone(), reason });
        }
        let mut seen = vec![("clk", &self.clock.pin)];
        for (second, pin) in self.pins() {
            if let Some((first, _)) = seen.iter().find(|(_, other)| other.eq_ignore_ascii_case(&pin.pin)) {
                let (name, pin) = (self.name.clone(), pin.pin.clone());
                return Err(BoardError::Pin { name, pin, first, second });
            }
            seen.push((second, &pin.pin));
        }
        self.pll()?;
        self.rate(self.baud)?;
        Ok(())
    }

    /// What comes into files that tools read has no characters that mean something there.
    fn check_words(&self) -> Result<(), BoardError> {
        let words = [
            ("device", Some(&self.device)),
            ("package", self.package.as_ref()),
            ("speed", self.speed.as_ref()),
            ("database", self.database.as_ref()),
            ("synthesis", self.synthesis.as_ref()),
            ("loader", Some(&self.loader)),
            ("clock.pin", Some(&self.clock.pin)),
        ];
        for (what, word) in words {
            if let Some(word) = word {
                check_word(&self.name, what, word)?;
            }
        }
        for option in &self.synthesis_options {
            check_word(&self.name, "synthesis_options", option)?;
        }
        for (port, pin) in self.pins() {
            check_word(&self.name, &format!("{port}.pin"), &pin.pin)?;
        }
        check_prose(&self.name, "title", &self.title)?;
        check_prose(&self.name, "source", &self.source)
    }

    /// The keys that are of some families only: those that the board's needs are there, others are not.
    fn check_family(&self) -> Result<(), BoardError> {
        const ECP5: &[Family] = &[Family::Ecp5];
        const GOWIN: &[Family] = &[Family::Gowin];
        const OPEN: &[Family] = &[Family::Ecp5, Family::Gowin];
        // Key, whose, whether they need it, whether it is there.
        let keys = [
            ("package", ECP5, true, self.package.is_some()),
            ("speed", ECP5, true, self.speed.is_some()),
            ("database", GOWIN, true, self.database.is_some()),
            ("synthesis", GOWIN, true, self.synthesis.is_some()),
            ("freed", GOWIN, false, !self.freed.is_empty()),
            ("synthesis_options", OPEN, false, !self.synthesis_options.is_empty()),
            ("mapping", OPEN, false, self.mapping != Mapping::default()),
            ("placer", OPEN, false, self.placer.is_some()),
            ("density", OPEN, false, self.density.is_some()),
        ];
        for (key, families, needed, there) in keys {
            let name = self.name.clone();
            match (families.contains(&self.family), there) {
                (true, false) if needed => return Err(BoardError::Missing { name, what: key }),
                (false, true) => {
                    let of: Vec<&str> = families.iter().map(|family| family.name()).collect();
                    let reason = format!("{key} is a key of family {}: leave it out", of.join(" and "));
                    return Err(BoardError::Text { name, reason });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What makes the core's clock; none: the board's own is it.
    pub fn pll(&self) -> Result<Option<Pll>, BoardError> {
        let wanted = self.core_hz.filter(|wanted| *wanted != self.clock.hz);
        let make = |wanted| Pll::new(self.family, self.clock.hz, wanted);
        wanted.map(make).transpose().map_err(|source| BoardError::Clock { name: self.name.clone(), source })
    }

    /// The clock of the core in Hz.
    pub fn core_hz(&self) -> u32 {
        self.core_hz.unwrap_or(self.clock.hz)
    }

    /// A rate of the line at the core's clock.
    pub fn rate(&self, baud: u32) -> Result<Rate, BoardError> {
        Rate::new(self.core_hz(), baud).ok_or_else(|| BoardError::Rate {
            name: self.name.clone(),
            baud,
            clock_hz: self.core_hz(),
            lowest: Rate::lowest(self.core_hz()),
            highest: Rate::highest(self.core_hz()),
        })
    }

    /// By what the hardware names its board: CRC-32 of the name.
    pub fn digest(&self) -> u32 {
        driver::frame::crc32(self.name.as_bytes())
    }
}

/// A word of constraints and commands.
pub(crate) fn check_word(board: &str, what: &str, text: &str) -> Result<(), BoardError> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./+:".contains(c);
    if !text.is_empty() && text.chars().all(is_part) {
        return Ok(());
    }
    Err(BoardError::Word { name: board.into(), what: what.into(), text: text.into() })
}

/// A line of a comment.
pub(crate) fn check_prose(board: &str, what: &'static str, text: &str) -> Result<(), BoardError> {
    if !text.chars().any(char::is_control) {
        return Ok(());
    }
    Err(BoardError::Lines { name: board.into(), what, text: text.into() })
}

/// The name behind a [`Board::digest`], if it is of one that is known.
pub fn of_digest(digest: u32) -> Option<&'static str> {
    names().into_iter().find(|name| driver::frame::crc32(name.as_bytes()) == digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_whole_and_differ() {
        let mut digests: Vec<u32> = names().iter().map(|name| Board::named(name).unwrap().digest()).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), names().len());
        assert_eq!(of_digest(Board::named("ulx3s-85f").unwrap().digest()), Some("ulx3s-85f"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = include_str!("../boards/ulx3s-85f.toml");
        let wrong = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Board::from_toml("mine", &text.replace(from, to)).unwrap_err().to_string()
        };
        assert!(wrong("pin = \"L4\"", "pin = \"M1\"").contains("pin M1 is used twice, for rx and for tx"));
        assert!(wrong("speed = \"6\"", "").contains("speed is missing"));
        assert!(
            wrong("baud = 3_000_000", "baud = 30_000_000").contains("30000000 bits a second cannot be kept")
        );
        let low = wrong("baud = 3_000_000", "baud = 1");
        assert!(low.contains("name a rate from "), "{low}");
        assert!(wrong("loader", "lader").contains("unknown field `lader`"));
        assert!(wrong("pin = \"L4\"", "pin = \"m1\"").contains("pin m1 is used twice, for rx and for tx"));
        for pin in ["", " L4", "L4;", "L\\n4"] {
            let text = wrong("pin = \"L4\"", &format!("pin = \"{pin}\""));
            assert!(text.contains("tx.pin = ") && text.contains("only letters, digits"), "{text}");
        }
        assert!(wrong("loader = \"ulx3s\"", "loader = \"my board\"").contains("loader = \"my board\""));
        let other = |keys: &str| wrong("loader = \"ulx3s\"", &format!("loader = \"ulx3s\"\n{keys}"));
        assert!(other("freed = [\"cpu\"]").contains("freed is a key of family gowin"));
        assert!(other("density = 5").contains("from 10 to 100"));
        assert!(other("database = \"GW1N-9C\"").contains("database is a key of family gowin"));
        let vivado = include_str!("../boards/nexys-video.toml");
        let stray = Board::from_toml("mine", &vivado.replace("loader", "density = 60\nloader")).unwrap_err();
        assert!(stray.to_string().contains("density is a key of family ecp5 and gowin"), "{stray}");
        assert!(wrong("title = \"", "title = \"a\\nb").contains("write it on one line"));
        assert!(wrong("core_hz = 65_000_000", "core_hz = 900_000_000").contains("cannot make"));
        assert!(Board::named("ulx4s").unwrap_err().to_string().contains("ulx3s-85f, ulx3s-25f"));
    }
}
