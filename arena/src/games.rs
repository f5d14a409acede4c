// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games from texts of any form: moves in lines, SGF, PSQ.

pub use crate::game_error::{GameError, Wanted};

use crate::{psq, sgf};
use engine_model::notation::{parse_games, plain_lines};
use engine_model::{Cell, Geometry};

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A game a line.
    Lines,
    /// SGF, from this byte on: some write words before it.
    Sgf(usize),
    /// A game as PSQ.
    Psq,
}

fn form(text: &str) -> Form {
    let begun = text.trim_start();
    if begun.to_ascii_lowercase().starts_with(psq::NAME_IN_SMALL) {
        return Form::Psq;
    }
    // A game tree begins with a bracket and a node. Comments of lists of moves may hold anything.
    let tree = || {
        let words = text.as_bytes().windows(2).position(|pair| pair == b"(;")?;
        (!text[..words].contains('#')).then_some(words)
    };
    if begun.starts_with('(') {
        Form::Sgf(text.len() - begun.len())
    } else {
        tree().map_or(Form::Lines, Form::Sgf)
    }
}

/// Whether a text has a game a line.
pub fn is_lines(text: &str) -> bool {
    form(text) == Form::Lines
}

/// The games of a text: SGF, PSQ, else a game a line ([`parse_games`]): moves `x,y`, Gomocup's offsets, or `h8i9g7`.
pub fn parse(text: &str, geometry: &Geometry) -> Result<Vec<Vec<Cell>>, GameError> {
    parse_wanted(text, geometry, Wanted::default())
}

/// The same as far as it is wanted: other games are empty if they cannot be read.
pub fn parse_wanted(text: &str, geometry: &Geometry, wanted: Wanted) -> Result<Vec<Vec<Cell>>, GameError> {
    let text = &plain_lines(text.trim_start_matches('\u{feff}'));
    let mut games = match form(text) {
        Form::Sgf(start) => sgf::parse(&text[start..], geometry, wanted)?,
        Form::Psq => vec![psq::parse(text.trim_start(), geometry)?],
        Form::Lines => parse_games(text, geometry)?,
    };
    if let Some(most) = wanted.moves {
        games.iter_mut().for_each(|game| game.truncate(most));
    }
    Ok(games)
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
            "h8i9a15",
            "H8 I9, A15",
            "\u{feff}7,7\t8,6\t0,0\r",
            "0,0,1,-1,-7,-7",
            // Older names, small letters, words before the game, a board's size as two numbers.
            "(;GaMe[4]SiZe[15];Black[hh];White[ig];Black[aa])",
            "(;Game[4]Size[15];Black[hh];White[ig];Black[aa])",
            "(;gm[4]sz[15];b[hh];w[ig];b[aa])",
            "some words first (;GM[4]SZ[15:15];B[hh];W[ig];B[aa])",
            "(;GM[4]SZ[15]AB[hh:hh][aa:aa]AW[ig])",
            "(;GM[1]SZ[15]AB[hh][aa]AW[ig])",
            "(;GM[4]Sz[15]Ab[hh][aa]Aw[ig])",
            "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,12\r\n1,1,3\r\none\r\nother\r\n-1\r\n",
            "Piskvorky 15 X 15\n8,8\n9,7\n1,1\n",
            "Piskvorky 15x15, 11:11, 1\n8,8,0\n9,7,12\n1,1,3\none\n7,7,7\n-1\nOpening 3\n",
        ] {
            let games = parse(text, &geometry).unwrap();
            let [game] = &games[..] else { panic!("{text}: {games:?}") };
            // Stones that are set up are a set: they come from the top row on.
            let moves = if text.contains("[aa]A") || text.contains("[aa:aa]AW") {
                [0, 98, 112]
            } else {
                [112, 98, 0]
            };
            assert_eq!(*game, moves, "{text}");
        }
        // Every reading of a set gives the same order.
        let text = |gm| format!("(;GM[{gm}]SZ[15]AB[hh][hj][aa:ca][ci]AW[oo][ab:cb][no])");
        for gm in [1, 4, 4, 4, 4] {
            assert_eq!(
                parse(&text(gm), &geometry).unwrap(),
                [[0, 15, 1, 16, 2, 17, 112, 223, 122, 224, 142]]
            );
        }
    }

    /// What is not asked for may be anything.
    #[test]
    fn only_what_is_wanted_has_to_be_a_game() {
        let geometry = Geometry::new(15, 15, 5, 1);
        let wanted = |text: &str, game, moves| {
            let games = parse_wanted(text, &geometry, Wanted { game: Some(game), moves });
            games.map(|mut games| games.swap_remove(game)).map_err(|error| (error.pass(), error.to_string()))
        };
        assert_eq!(wanted("(;GM[4]SZ[15];B[hh];W[])", 0, Some(1)), Ok(vec![112]));
        assert_eq!(wanted("(;GM[4]SZ[15];B[];W[hh])", 0, Some(0)), Ok(vec![]));
        assert_eq!(wanted("(;GM[1]SZ[15];B[hh];W[ig];B[tt])", 0, Some(2)), Ok(vec![112, 98]));
        let (pass, _) = wanted("(;GM[4]SZ[15];B[hh];W[ig];B[])", 0, None).unwrap_err();
        assert_eq!(pass, Some(3));
        let two = "(;GM[4]SZ[19];B[hh])(;GM[4]SZ[15];B[hh];W[])";
        assert_eq!(wanted(two, 1, Some(1)), Ok(vec![112]));
        let (pass, text) = wanted(two, 1, None).unwrap_err();
        assert!(pass == Some(2) && text.starts_with("game 2: move 2 is a pass"), "{text}");
        assert_eq!(wanted("7,7 8,6 0,0", 0, Some(2)), Ok(vec![112, 98]));
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
            ("(;GM[4]SZ[15];B[hh];W[])", "move 2 is a pass"),
            ("(;GM[1]SZ[15];B[hh];W[])", "move 2 is a pass"),
            ("(;GM[4]SZ[15];B[hh];W[tt])", "move 2 is a pass"),
            ("(;GM[1]SZ[15];B[hh];W[tt])", "move 2 is a pass"),
            (
                "Piskvorky 15x15, 11:11, 0\n8,8,0\n7,7,7\nother\n-1\n",
                "line 3: \"7,7,7\" can be read as moves (g9) or as players' names",
            ),
            // Cut in the middle of its end, or both names numbers.
            (
                "Piskvorky 15x15, 11:11, 0\n8,8,0\n7,7,7\nother\n",
                "line 3: \"7,7,7\" can be read as moves (g9) or as players' names",
            ),
            (
                "Piskvorky 15x15, 11:11, 0\n8,8,0\n7,7,7\n9,9,9\n-1\n",
                "line 3: \"7,7,7 9,9,9\" can be read as moves (g9 i7) or as players' names",
            ),
            (
                "(;GM[4];B[hh]B[ii])",
                "B[hh]B[ii] in one node can be read as two moves or as the second in the first",
            ),
            ("(;GM[1];B[hh]W[ii])", "B[hh]W[ii] in one node can be read as two moves"),
            ("(;GM[4];B[hh];W[ii];AE[hh])", "AE[hh] takes stones off the board"),
            ("(;GM[1]AB[hh]AE[hh:hi])", "AE[hh][hi] takes stones off the board"),
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
            ("(;GM[4]aB[hh])", "the property aB can be read as B, by its capitals, or as AB"),
            ("(;GM[4];B[hh];W[ig])(;GM[4];B[hh];W[])", "game 2: move 2 is a pass"),
            ("(;GM[4]SZ[19];B[hh])(;GM[4];B[hh])", "game 1: the game is of a board of 19 x 19"),
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
