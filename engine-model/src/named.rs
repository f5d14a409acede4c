// SPDX-License-Identifier: MIT OR Apache-2.0
//! The named configurations of `configs/`, as texts in the program.

use crate::Config;

/// Names and texts.
pub const NAMED: [(&str, &str); 13] = [
    ("gomoku15", include_str!("../../configs/gomoku15.toml")),
    ("gomoku15-bare", include_str!("../../configs/gomoku15-bare.toml")),
    ("gomoku15-deep", include_str!("../../configs/gomoku15-deep.toml")),
    ("gomoku15-deep10", include_str!("../../configs/gomoku15-deep10.toml")),
    ("gomoku15-fifth", include_str!("../../configs/gomoku15-fifth.toml")),
    ("gomoku15-half", include_str!("../../configs/gomoku15-half.toml")),
    ("gomoku15-small", include_str!("../../configs/gomoku15-small.toml")),
    ("gomoku15-third", include_str!("../../configs/gomoku15-third.toml")),
    ("gomoku15-tiny", include_str!("../../configs/gomoku15-tiny.toml")),
    ("gomoku7", include_str!("../../configs/gomoku7.toml")),
    ("gomoku7-tiny", include_str!("../../configs/gomoku7-tiny.toml")),
    ("tictactoe", include_str!("../../configs/tictactoe.toml")),
    ("tictactoe-tiny", include_str!("../../configs/tictactoe-tiny.toml")),
];

/// The product's main configuration: the one that is measured or plays when none is named, and the only one the targets speak of.
pub const MAIN: &str = "gomoku15";

/// The configuration of this name.
pub fn named(name: &str) -> Option<Config> {
    let (_, text) = NAMED.iter().find(|(known, _)| *known == name)?;
    Some(Config::from_toml(text).expect("a test reads every named configuration"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_named_and_sound() {
        let mut files: Vec<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut known: Vec<String> = NAMED.iter().map(|(name, _)| format!("{name}.toml")).collect();
        known.sort();
        assert_eq!(files, known);
        for (name, _) in NAMED {
            assert_eq!(named(name).unwrap().name, name);
        }
    }
}
