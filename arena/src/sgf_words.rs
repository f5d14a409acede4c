// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of an SGF's text: where a value ends, and the names of properties as programs have written them, in capitals, in words, in small
//! letters.

use crate::game_error::GameError;

/// Properties that decide what stands on the board.
pub const OF_THE_BOARD: [&str; 7] = ["B", "W", "AB", "AW", "AE", "PL", "SZ"];
/// Those that decide how the others are read.
const OF_THE_TEXT: [&str; 2] = ["GM", "CA"];

/// Names in words, in small letters.
const WORDS: [(&str, &str); 9] = [
    ("black", "B"),
    ("white", "W"),
    ("game", "GM"),
    ("size", "SZ"),
    ("addblack", "AB"),
    ("addwhite", "AW"),
    ("addempty", "AE"),
    ("player", "PL"),
    ("charset", "CA"),
];

/// Bytes of the value that a text begins with, its brackets included; all of them if it does not end.
pub fn end_of_value(text: &[u8]) -> usize {
    let mut escaped = false;
    let end = text.iter().position(|byte| {
        let ends = *byte == b']' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 1)
}

/// The name of today. Older forms write some in words (`Black[hh]`), in capitals with small letters between, which do not count (`GaMe[4]`), or
/// all small. Others write a capital and a small letter for two capitals (`Ab[hh]`).
///
/// # Errors
/// If a name in capitals and small letters can be read as one property by its capitals and as another by all of its letters (`aB`).
pub fn modern_name(word: &str) -> Result<String, GameError> {
    let small = word.to_ascii_lowercase();
    if let Some((_, name)) = WORDS.iter().find(|(known, _)| *known == small) {
        return Ok((*name).to_string());
    }
    let whole = word.to_ascii_uppercase();
    let capitals: String = word.chars().filter(char::is_ascii_uppercase).collect();
    if capitals.is_empty() || capitals == whole {
        return Ok(whole);
    }
    let matters = |name: &String| OF_THE_BOARD.iter().chain(&OF_THE_TEXT).any(|known| known == name);
    match [&whole, &capitals].map(matters) {
        [true, true] => Err(GameError::Sgf(format!(
            "the property {} can be read as {capitals}, by its capitals, or as {whole}: write either in capitals",
            engine_model::notation::quoted(word)
        ))),
        [true, false] => Ok(whole),
        _ => Ok(capitals),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_name_is_the_one_of_today() {
        for (word, name) in [
            ("B", "B"),
            ("b", "B"),
            ("Black", "B"),
            ("Ab", "AB"),
            ("Aw", "AW"),
            ("AddBlack", "AB"),
            ("GaMe", "GM"),
            ("Sz", "SZ"),
            ("CharSet", "CA"),
            ("ca", "CA"),
            ("CoPyright", "CP"),
            ("PlayerBlack", "PB"),
            ("unknown", "UNKNOWN"),
        ] {
            assert_eq!(modern_name(word).unwrap(), name, "{word}");
        }
        for word in ["aB", "aW"] {
            let error = modern_name(word).unwrap_err().to_string();
            assert!(error.contains(&format!("the property {word} can be read as")), "{error}");
        }
    }
}
