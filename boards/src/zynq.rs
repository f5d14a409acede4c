// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards with a Zynq: no serial line of the core's own, their processors reach it by its registers. `zynq/NAME.toml`, or a file of one's own.

use crate::board::{BoardError, check_prose, check_word};
use engine_model::Config;
use hdl::package::File;
use serde::Deserialize;

/// A board with a Zynq-7000 or a Zynq UltraScale+.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zynq {
    /// Its name on the command line: the file's.
    #[serde(skip)]
    pub name: String,
    /// What its maker calls it.
    pub title: String,
    /// The device, as Vivado calls it.
    pub part: String,
    /// LUTs that it has, with six inputs, by its data sheet.
    pub luts: Option<u32>,
    /// Clock of the processing system, MHz.
    pub crystal_mhz: f64,
    /// Clock of the core, which the processing system makes, MHz.
    pub core_mhz: u32,
    /// The configuration that fits it.
    pub config: String,
    /// Where this is from.
    pub source: String,
}

/// Fastest clock that is taken: no such FPGA has a faster one.
const MOST_MHZ: u32 = 1000;

const KNOWN: [(&str, &str); 2] = [
    ("pynq-z2", include_str!("../zynq/pynq-z2.toml")),
    ("kria-kv260", include_str!("../zynq/kria-kv260.toml")),
];

/// Names of the boards that are known.
pub fn names() -> Vec<&'static str> {
    KNOWN.iter().map(|(name, _)| *name).collect()
}

impl Zynq {
    /// The board of a name, if it is one of these.
    pub fn named(name: &str) -> Result<Option<Zynq>, BoardError> {
        KNOWN
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(name, text)| Zynq::from_toml(name, text))
            .transpose()
    }

    /// Whether a text is of one of these: it names a part, a [`crate::board::Board`] a family.
    pub fn is_one(text: &str) -> bool {
        toml::from_str::<toml::Table>(text)
            .is_ok_and(|table| table.contains_key("part") && !table.contains_key("family"))
    }

    /// The board that a text describes.
    pub fn from_toml(name: &str, text: &str) -> Result<Zynq, BoardError> {
        let wrong = |reason: String| BoardError::Text { name: name.into(), reason };
        let board: Zynq = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let known = ["xc7z", "xczu", "xck26", "xck24"];
        if !known.iter().any(|family| board.part.to_lowercase().starts_with(family)) {
            return Err(wrong(format!(
                "part {} is no Zynq: {}... are; a board without a processor has a family and pins",
                board.part,
                known.join("..., ")
            )));
        }
        check_word(name, "part", &board.part)?;
        check_prose(name, "title", &board.title)?;
        check_prose(name, "source", &board.source)?;
        if !(1..=MOST_MHZ).contains(&board.core_mhz) {
            return Err(wrong(format!("core_mhz = {}: write a number from 1 to {MOST_MHZ}", board.core_mhz)));
        }
        if !(1.0..=f64::from(MOST_MHZ)).contains(&board.crystal_mhz) {
            let crystal = board.crystal_mhz;
            return Err(wrong(format!("crystal_mhz = {crystal}: write a number from 1 to {MOST_MHZ}")));
        }
        Ok(Zynq { name: name.into(), ..board })
    }

    /// What its folder has beside the core's package with AXI4-Lite registers.
    pub fn files(&self, config: &Config, top: &str) -> Vec<File> {
        let names = [
            ("TITLE", self.title.clone()),
            ("CONFIG", config.name.clone()),
            ("TOP", top.into()),
            ("PART", self.part.clone()),
            ("MHZ", self.core_mhz.to_string()),
            ("CRYSTAL", self.crystal_mhz.to_string()),
        ];
        let text = crate::project::filled(include_str!("../text/zynq.mk"), &names);
        vec![File { path: "Makefile".into(), purpose: "overlay, simulation, copying to the board", text }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_whole() {
        for name in names() {
            assert_eq!(Zynq::named(name).unwrap().unwrap().name, name);
        }
        assert!(Zynq::named("ulx3s-85f").unwrap().is_none());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = include_str!("../zynq/pynq-z2.toml");
        assert!(Zynq::is_one(text) && !Zynq::is_one(include_str!("../boards/ulx3s-85f.toml")));
        let wrong =
            |from: &str, to: &str| Zynq::from_toml("mine", &text.replace(from, to)).unwrap_err().to_string();
        assert!(wrong("xc7z020clg400-1", "xc7a100tcsg324-1").contains("xc7a100tcsg324-1 is no Zynq"));
        assert!(wrong("crystal_mhz", "crystal").contains("unknown field `crystal`"));
        assert!(
            wrong("core_mhz = 100", "core_mhz = 0").contains("core_mhz = 0: write a number from 1 to 1000")
        );
        assert!(wrong("crystal_mhz = 50.0", "crystal_mhz = nan").contains("crystal_mhz = NaN"));
        assert!(wrong("xc7z020clg400-1", "xc7z020 clg;").contains("part = \"xc7z020 clg;\""));
    }
}
