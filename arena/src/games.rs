// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games from texts of any form: moves in lines, SGF, PSQ.

pub use crate::game_error::GameError;

use crate::{psq, sgf};
use engine_model::notation::parse_games;
use engine_model::{Cell, Geometry};

/// The games of a text: SGF if it begins with a bracket, PSQ if with its name, else one of moves `x,y` or Gomocup's offsets a line.
pub fn parse(text: &str, geometry: &Geometry) -> Result<Vec<Vec<Cell>>, GameError> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('(') {
        sgf::parse(text, geometry)
    } else if text.starts_with(psq::NAME) {
        Ok(vec![psq::parse(text, geometry)?])
    } else {
        Ok(parse_games(text, geometry)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_gives_the_same_moves() {
        let geometry = Geometry::new(15, 15, 5, 1);
        for text in [
            "7,7 8,6 0,0",
            "# a game\n0,0, 1,-1, -7,-7\n",
            "(;GM[4]FF[4]SZ[15];B[hh];W[ig];B[aa])",
            // Some programs write Gomoku as Go, with a comment and a variation.
            "(;GM[1]SZ[15];B[hh]C[the \\] centre](;W[ig];B[aa])(;W[aa]))",
            "(;GM[4];B[hh];W[ig];B[aa])",
            "(;GM[4]SZ[15]AB[hh][aa]AW[ig])",
            "(;GM[4]SZ[15]AB[hh]AW[ig]PL[B];B[aa])",
            "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,12\r\n1,1,3\r\none\r\nother\r\n-1\r\n",
        ] {
            let games = parse(text, &geometry).unwrap();
            let [game] = &games[..] else { panic!("{text}: {games:?}") };
            let mut game = game.clone();
            if text.contains("AB") {
                // Stones that are set up come in no order.
                game.sort_unstable();
                assert_eq!(game, [0, 98, 112]);
            } else {
                assert_eq!(game, [112, 98, 0], "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_game_says_why() {
        let geometry = Geometry::new(15, 15, 5, 1);
        let long = format!("(;GM[4]{})", ";B[hh];W[hi]".repeat(100_000));
        let nested = format!("(;GM[4]{}", "(;C[a;\\](]".repeat(100_000));
        let line = "x".repeat(10_000_000);
        for (text, part) in [
            (long.as_str(), "game 1 has more than 1000 moves"),
            (&nested, "game 1 has more than 1000 moves"),
            (&line, "x... is not a move"),
            ("(;GM[4]SZ[19];B[hh])", "of a board of 19 x 19, not 15 x 15"),
            ("(;GM[4];B[hh];B[aa])", "move 2: it is not that colour's turn"),
            ("(;GM[4];B[hh];W[pa])", "move 2: \"pa\" is no cell"),
            ("(;GM[4];B[h8])", "move 1: \"h8\" is no cell"),
            ("(;GM[4]AB[hh][aa][ab]AW[ig])", "it is not that colour's turn"),
            ("(;GM[4", "it is no SGF"),
            ("Piskvorky 20x20, 11:11, 0\n1,1,0\n", "of a board of 20 x 20"),
            ("Piskvorky 15x15, 11:11, 0\n0,1,0\n", "line 2: \"0,1,0\" is not"),
            ("Piskvorky 15x15, 11:11, 0\n16,1,0\n", "\"16,1,0\" is no cell"),
            ("Piskvorky of no size\n", "line 1"),
            ("Piskvorky 15x15, 11:11, 0\n1,1,0\n8;7;0\n3,3,0\n", "line 3: \"8;7;0\" is not"),
            ("(;SZ[15];B[h8];W[i9])", "B[h8] cannot be read"),
            ("(;GM[4]SZ[15x15];B[hh])", "SZ[15x15] cannot be read"),
            ("(;GM[4]AB[hh]AW[ig]PL[W];B[aa])", "move 3: it is not that colour's turn"),
            ("7,7 x", "is not a move"),
        ] {
            let message = parse(text, &geometry).unwrap_err().to_string();
            assert!(message.len() < 300, "{}", message.len());
            assert!(
                message.replace("...\"", "...").contains(part),
                "{}: {message}",
                &text[..text.len().min(80)]
            );
        }
    }
}
