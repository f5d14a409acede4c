// SPDX-License-Identifier: MIT OR Apache-2.0
//! Openings: the positions the games of a match start from.

use crate::games::{self, GameError};
use engine_model::notation::lines_of_moves;
use engine_model::position::Tables;
use engine_model::{Cell, Position};
use std::collections::HashMap;
use std::sync::Arc;

/// Why a text is not a list of openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// It holds no games of this board.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An opening leaves nothing to play.
    #[error("line {line}: the game is over before the engines move")]
    Over {
        /// Line, from 1.
        line: usize,
    },
    /// An opening occurs twice: its games would count twice.
    #[error("line {line}: the same opening as line {first}")]
    Repeated {
        /// Line, from 1.
        line: usize,
        /// Line of the first occurrence.
        first: usize,
    },
    /// The text holds no opening.
    #[error("there is no opening in it")]
    Empty,
}

/// Openings of a text, one per line, first stone black, in every form that games have ([`games::parse`]).
pub fn parse_openings(text: &str, tables: &Arc<Tables>) -> Result<Vec<Vec<Cell>>, OpeningError> {
    let mut openings: Vec<Vec<Cell>> = Vec::new();
    let mut line_of: HashMap<Vec<Cell>, usize> = HashMap::new();
    let found = games::parse(text, &tables.geometry)?;
    // Of a text that is no list of lines they are counted.
    let lines: Vec<usize> = match games::is_lines(text) {
        true => lines_of_moves(text).map(|(line, _)| line).collect(),
        false => (1..=found.len()).collect(),
    };
    for (moves, line) in found.into_iter().zip(lines) {
        if Position::from_moves(tables, &moves).map_or(true, |position| position.is_over()) {
            return Err(OpeningError::Over { line });
        }
        if let Some(first) = line_of.insert(moves.clone(), line) {
            return Err(OpeningError::Repeated { line, first });
        }
        openings.push(moves);
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::Config;

    fn tables(config: &str) -> Arc<Tables> {
        Tables::new(&Config::from_toml(config).unwrap())
    }

    fn gomoku15() -> Arc<Tables> {
        tables(include_str!("../../configs/gomoku15.toml"))
    }

    #[test]
    fn the_shipped_openings_are_read() {
        for (text, count) in [
            (include_str!("../../positions/openings_300.txt"), 302),
            (include_str!("../../positions/openings_freestyle15.txt"), 12),
        ] {
            assert_eq!(parse_openings(text, &gomoku15()).unwrap().len(), count);
        }
    }

    #[test]
    fn offsets_count_from_the_centre_even_of_a_lone_stone() {
        let openings = parse_openings("0,0\n\n-7,7, 1,0 # two\n", &gomoku15()).unwrap();
        assert_eq!(openings, vec![vec![112], vec![210, 113]]);
        assert_eq!(parse_openings("0,0\n7,7 8,6\n", &gomoku15()).unwrap(), vec![vec![0], vec![112, 98]]);
    }

    #[test]
    fn wrong_openings_say_where() {
        for (text, part) in [
            (
                "0,0, 1,1\n0,0, 8,0",
                "line 2: \"0,0, 8,0\" can be read from the corner (a15 i15) or from the centre (no game of this board)",
            ),
            ("0,0, 1,1\n0,0, 16,0", "line 2: move \"16,0\" is outside the 15 x 15 board"),
            ("0,0, 1,1\n\n0,0, x", "line 3: \"x\" is not a move"),
            ("0,0, 0,0", "line 1: move \"0,0\" is played twice"),
            ("0,0, 1,1\n# again\n0,0, 1,1", "line 3: the same opening as line 1"),
            ("0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0", "line 1: the game is over"),
            (" # nothing", "no opening"),
        ] {
            let message = parse_openings(text, &gomoku15()).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
