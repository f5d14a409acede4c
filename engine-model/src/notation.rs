// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves and games as text. A move is `x,y`: column from the left, row from the top, both from 0.

use crate::geometry::{Cell, Geometry};

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// A move is not two numbers.
    #[error(
        "line {line}: {:?} is not a move; write x,y with x the column and y the row, both from 0",
        quoted(text)
    )]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// A move is not on the board.
    #[error("line {line}: move {x},{y} is outside the {columns} x {rows} board")]
    Outside {
        /// Line, from 1.
        line: usize,
        /// Column.
        x: i64,
        /// Row.
        y: i64,
        /// Columns of the board.
        columns: usize,
        /// Rows of the board.
        rows: usize,
    },
    /// A cell is played twice.
    #[error("line {line}: move {x},{y} is played twice")]
    Repeated {
        /// Line, from 1.
        line: usize,
        /// Column.
        x: i64,
        /// Row.
        y: i64,
    },
}

/// The beginning of a text that somebody may have sent by the megabyte, for a message.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}

/// Where the numbers of a move count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `x,y x,y ...`: from the top left.
    Corner,
    /// `dx,dy, dx,dy, ...`, as Gomocup's openings: from the centre cell.
    Centre,
}

impl Form {
    /// The form of a text, told by the blank after a move's comma.
    pub fn of(text: &str) -> Form {
        if text.contains(", ") { Form::Centre } else { Form::Corner }
    }
}

/// Games of a file, one per line, each in either [`Form`]. `#` begins a comment.
pub fn parse_games(text: &str, geometry: &Geometry) -> Result<Vec<Vec<Cell>>, NotationError> {
    lines_of_moves(text).map(|(line, text)| parse_game(text, line, Form::of(text), geometry)).collect()
}

/// The lines that hold moves, without comments, with their numbers from 1.
pub fn lines_of_moves(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| (index + 1, line))
}

/// The game on one line; `line` is its number, for errors.
pub fn parse_game(
    text: &str,
    line: usize,
    form: Form,
    geometry: &Geometry,
) -> Result<Vec<Cell>, NotationError> {
    let (columns, rows) = (geometry.columns, geometry.rows);
    let (base_x, base_y) = match form {
        Form::Centre => (columns as i64 / 2, rows as i64 / 2),
        Form::Corner => (0, 0),
    };
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_end_matches(',');
        let parsed =
            word.split_once(',').and_then(|(x, y)| Some((x.parse::<i64>().ok()?, y.parse::<i64>().ok()?)));
        let Some((x, y)) = parsed else {
            return Err(NotationError::Syntax { line, text: word.into() });
        };
        let (x, y) = (base_x.saturating_add(x), base_y.saturating_add(y));
        let cell =
            usize::try_from(x).ok().zip(usize::try_from(y).ok()).and_then(|(x, y)| geometry.cell(x, y));
        let Some(cell) = cell else {
            return Err(NotationError::Outside { line, x, y, columns, rows });
        };
        if moves.contains(&cell) {
            return Err(NotationError::Repeated { line, x, y });
        }
        moves.push(cell);
    }
    Ok(moves)
}

/// Two sides' stones in an order in which they can have come: in turn, the first side's first. It has as many or one more.
pub fn alternating(first: &[Cell], second: &[Cell]) -> Vec<Cell> {
    let turns = first.iter().enumerate();
    turns.flat_map(|(index, cell)| std::iter::once(*cell).chain(second.get(index).copied())).collect()
}

/// A game as [`Form::Corner`] text.
pub fn format_game(moves: &[Cell], geometry: &Geometry) -> String {
    let moves: Vec<String> = moves.iter().map(|&cell| geometry.point(cell).to_string()).collect();
    moves.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatted_game_is_read_back() {
        let geometry = Geometry::new(15, 15, 5, 1);
        let moves = [112, 98, 0, 224];
        let text = format_game(&moves, &geometry);
        assert_eq!(text, "7,7 8,6 0,0 14,14");
        assert_eq!(parse_game(&text, 1, Form::Corner, &geometry).unwrap(), moves);
    }

    #[test]
    fn both_forms_are_read() {
        let geometry = Geometry::new(15, 15, 5, 1);
        let games = parse_games("# set\n7,7 8,6 # a game\n\n0,0, 1,-1, -7,7\n", &geometry).unwrap();
        assert_eq!(games, vec![vec![112, 98], vec![112, 98, 210]]);
    }

    #[test]
    fn wrong_games_say_where() {
        let geometry = Geometry::new(15, 15, 5, 1);
        for (text, part) in [
            ("7,7 x", "line 1: \"x\" is not a move"),
            ("\n7,15", "line 2: move 7,15 is outside the 15 x 15 board"),
            ("-1,2", "move -1,2 is outside"),
            ("1,1 1,1", "move 1,1 is played twice"),
            ("99999999999999999999,1", "is not a move"),
        ] {
            let message = parse_games(text, &geometry).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
