// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board on a terminal: stones in colours or the numbers of moves, and what threatens.

use engine_model::notation::{column_letter, parse_game, square};
use engine_model::{Cell, Geometry, Position};
use std::fmt::Write;

/// How the board is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Colours of a terminal.
    pub colours: bool,
    /// Numbers of moves instead of stones.
    pub numbers: bool,
}

/// Red and blue, bold for the last move.
fn coloured(text: &str, side: usize, last: bool, style: Style) -> String {
    if !style.colours {
        return text.into();
    }
    format!("\x1b[{}{}m{text}\x1b[0m", if last { "1;7;" } else { "" }, [31, 34][side])
}

/// The board with letters of the columns and numbers of the rows from the bottom; X moved first; the last move in brackets.
pub fn draw(position: &Position, style: Style) -> String {
    let geometry = &position.tables().geometry;
    let last = position.moves().last().copied();
    let number = |cell: Cell| position.moves().iter().position(|&other| other == cell).map(|index| index + 1);
    let letters: String = (0..geometry.columns).map(|x| format!("{:>4}", column_letter(x))).collect();
    let mut text = format!("   {letters}\n");
    for y in 0..geometry.rows {
        let _ = write!(text, "{:>3}", geometry.rows - y);
        for cell in (0..geometry.columns).filter_map(|x| geometry.cell(x, y)) {
            let is_last = Some(cell) == last;
            let stone = match (position.owner(cell), number(cell)) {
                (None, _) => " .".into(),
                (Some(side), Some(number)) if style.numbers => {
                    coloured(&format!("{number:>2}"), side, is_last, style)
                }
                (Some(side), _) => format!(" {}", coloured(["X", "O"][side], side, is_last, style)),
            };
            // In brackets, so that it is seen without colours too; the number of a move may fill the place.
            let (before, after) = if is_last { ('[', ']') } else { (' ', ' ') };
            let stone = if is_last && !style.numbers { stone.replacen(' ', "", 1) } else { stone };
            let before = if is_last && !style.numbers { " [".to_string() } else { before.to_string() };
            let _ = write!(text, "{before}{stone}{after}");
        }
        let _ = writeln!(text, "{:>3}", geometry.rows - y);
    }
    let _ = writeln!(text, "   {letters}");
    text
}

/// The cell that a text names: `7,7`, `7 7`, `h8`.
pub fn cell(text: &str, geometry: &Geometry) -> Option<Cell> {
    let text = text.trim();
    let mut letters = text.chars();
    if let Some(first) = letters.next().filter(char::is_ascii_alphabetic) {
        let row: usize = letters.as_str().trim().parse().ok()?;
        let column = first.to_ascii_lowercase() as usize - 'a' as usize;
        return geometry.cell(column, geometry.rows.checked_sub(row)?);
    }
    let words: Vec<&str> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
    match parse_game(&words.join(","), 1, geometry).as_deref() {
        Ok(&[cell]) => Some(cell),
        _ => None,
    }
}

/// What the side to move should know: who completes a line, and where.
pub fn threats(position: &Position) -> Option<String> {
    if position.is_over() {
        return None;
    }
    let geometry = &position.tables().geometry;
    let (own, other) = (position.side_to_move(), 1 - position.side_to_move());
    let cells = |side: usize| -> Vec<String> {
        let all =
            (0..geometry.cells() as Cell).filter(|&c| position.is_empty(c) && position.completes(side, c));
        all.map(|cell| square(cell, geometry)).collect()
    };
    let who = |side: usize| ["X", "O"][side];
    let (mine, theirs) = (cells(own), cells(other));
    if !mine.is_empty() {
        return Some(format!("{} can win at {}", who(own), mine.join(" or ")));
    }
    match theirs.len() {
        0 if position.has_double(other) => Some(format!("{} threatens two at once", who(other))),
        0 => None,
        1 => Some(format!("{} threatens {}: it must be stopped", who(other), theirs[0])),
        _ => Some(format!("{} wins at {}", who(other), theirs.join(" or "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::position::Tables;

    fn position(moves: &str) -> Position {
        let tables = Tables::new(&engine_model::named::named("gomoku15").unwrap());
        let moves = parse_game(moves, 1, &tables.geometry).unwrap();
        Position::from_moves(&tables, &moves).unwrap()
    }

    #[test]
    fn a_cell_has_two_names() {
        let position = position("7,7");
        let geometry = &position.tables().geometry;
        let centre = geometry.cell(7, 7);
        for text in ["7,7", "7 7", " 7 , 7", "h8", "H8"] {
            assert_eq!(cell(text, geometry), centre, "{text}");
        }
        assert_eq!(cell("a1", geometry), geometry.cell(0, 14));
        for text in ["", "h", "h0", "h16", "z1", "7", "7,15", "1,2,3", "hello", "\u{e9}1"] {
            assert_eq!(cell(text, geometry), None, "{text}");
        }
    }

    #[test]
    fn the_board_shows_the_last_move_and_numbers() {
        let position = position("7,7 8,6");
        let text = draw(&position, Style::default());
        assert!(text.contains(" [O]") && text.contains(" X "), "{text}");
        let widths: Vec<usize> = text.lines().skip(1).take(15).map(str::len).collect();
        assert!(widths.iter().all(|&width| width == widths[0]), "{text}");
        let numbered = draw(&position, Style { numbers: true, ..Style::default() });
        assert!(numbered.contains("[ 2]") && numbered.contains("  1 "), "{numbered}");
        assert!(draw(&position, Style { colours: true, ..Style::default() }).contains("\x1b[31m"));
    }

    #[test]
    fn threats_are_told_to_the_side_to_move() {
        assert_eq!(threats(&position("7,7")), None);
        let four = position("0,0 0,5 1,0 6,5 2,0 3,5 3,0");
        assert_eq!(threats(&four).unwrap(), "X threatens e15: it must be stopped");
        let own = position("0,0 0,5 1,0 6,5 2,0 3,5 3,0 9,9");
        assert_eq!(threats(&own).unwrap(), "X can win at e15");
        let double = position("5,7 0,0 6,7 0,2 7,7");
        assert_eq!(threats(&double).unwrap(), "X threatens two at once");
    }
}
