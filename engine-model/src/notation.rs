// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves and games as text. People read and write `h8`: the column's letter from the left, the row's number from the bottom, from 1.
//! Machines, files and JSON objects have `x,y`: column from the left, row from the top, both from 0. Either is read everywhere.

use crate::geometry::{Cell, Geometry};

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// A move is not two numbers.
    #[error(
        "line {line}: {:?} is not a move; write h8 (letter of the column, row from the bottom, from 1) or x,y (column, row from the top, both from 0)",
        quoted(text)
    )]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// Moves of both kinds.
    #[error(
        "line {line}: {:?} and {:?} are written in two ways: write all moves of a line like h8 i9, or all like 7,7 8,6",
        quoted(letters),
        quoted(numbers)
    )]
    TwoNotations {
        /// Line, from 1.
        line: usize,
        /// A move as a letter and a number.
        letters: String,
        /// A move as two numbers.
        numbers: String,
    },
    /// A line can be read from the corner and from the centre.
    #[error(
        "line {line}: {:?} can be read from the corner ({}) or from the centre ({}); with blanks between moves (7,7 8,6) they count \
        from the corner, with commas (0,0, 1,-1), as in Gomocup's openings, from the centre; letters (h8 i9) are read one way",
        quoted(text),
        quoted(corner),
        quoted(centre)
    )]
    TwoWays {
        /// Line, from 1.
        line: usize,
        /// The text.
        text: String,
        /// The moves from the corner, for people, or that they are no game.
        corner: String,
        /// The same from the centre.
        centre: String,
    },
    /// A move is not on the board.
    #[error("line {line}: move {:?} is outside the {columns} x {rows} board", quoted(text))]
    Outside {
        /// Line, from 1.
        line: usize,
        /// The move as it was written.
        text: String,
        /// Columns of the board.
        columns: usize,
        /// Rows of the board.
        rows: usize,
    },
    /// A cell is played twice.
    #[error("line {line}: move {:?} is played twice", quoted(text))]
    Repeated {
        /// Line, from 1.
        line: usize,
        /// The move as it was written.
        text: String,
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
    /// `dx,dy, dx,dy, ...` or `dx,dy,dx,dy,...`, as Gomocup's openings: from the centre cell.
    Centre,
}

/// How a line separates its moves, and its moves as numbers or letters.
enum Words<'a> {
    /// `h8i9g7`, blanks and commas between as one likes.
    Letters(Vec<(&'a str, i64, i64)>),
    /// `x,y`, as they stand there, and how they are separated: `None` for a single move.
    Numbers(Vec<(&'a str, Option<(i64, i64)>)>, Option<Form>),
    /// Blanks here, commas there.
    Mixed(Vec<(&'a str, Option<(i64, i64)>)>),
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Words<'a> {
        if let Some(letters) = in_letters(text) {
            return Words::Letters(letters);
        }
        let mut words = Vec::new();
        let (mut blanks, mut commas) = (0, 0);
        let mut rest = text.trim().trim_end_matches(',');
        while !rest.is_empty() {
            let (word, behind) = first_pair(rest);
            let separator = behind.len() - behind.trim_start_matches([' ', '\t', ',']).len();
            if !behind.is_empty() {
                *(if behind[..separator].contains(',') { &mut commas } else { &mut blanks }) += 1;
            }
            rest = &behind[separator..];
            let number = |word: &str| word.trim().parse::<i64>().ok();
            let numbers = word.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
            words.push((word.trim(), numbers));
        }
        match (blanks, commas) {
            (0, 0) => Words::Numbers(words, None),
            (_, 0) => Words::Numbers(words, Some(Form::Corner)),
            (0, _) => Words::Numbers(words, Some(Form::Centre)),
            _ => Words::Mixed(words),
        }
    }
}

/// A text's first two numbers with the comma between, and what stands behind; a word that is none as it is.
fn first_pair(text: &str) -> (&str, &str) {
    let number = |from: &str| {
        let sign = from.len() - from.strip_prefix(['-', '+']).unwrap_or(from).len();
        sign + from[sign..].bytes().take_while(u8::is_ascii_digit).count()
    };
    let blanks = |from: &str| from.len() - from.trim_start_matches([' ', '\t']).len();
    let first = number(text);
    let comma = first + blanks(&text[first..]);
    let second = comma + 1 + text.get(comma + 1..).map_or(0, blanks);
    let end = second + text.get(second..).map_or(0, number);
    let ends = text.get(end..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', ',']));
    if first > 0 && text[comma..].starts_with(',') && end > second && ends {
        return text.split_at(end);
    }
    text.split_at(text.find([' ', '\t']).unwrap_or(text.len()))
}

/// Columns by letters from the left, rows by numbers from the bottom (`h8i9g7`, as Renju and many programs write): columns from 0, rows from
/// 1. `None` if a part of the text is no such move.
fn in_letters(text: &str) -> Option<Vec<(&str, i64, i64)>> {
    let mut moves = Vec::new();
    let mut rest = text.trim_matches([' ', '\t', ',']);
    while !rest.is_empty() {
        let column = rest.bytes().next().filter(u8::is_ascii_alphabetic)?;
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (word, behind) = rest.split_at(1 + digits);
        moves.push((word, i64::from(column.to_ascii_lowercase() - b'a'), word[1..].parse().ok()?));
        rest = behind.trim_start_matches([' ', '\t', ',']);
    }
    (!moves.is_empty()).then_some(moves)
}

/// Whether a text is moves rather than the name of a file that holds some: it begins with a number and a comma, or is all of letters and
/// numbers like `h8i9`.
pub fn is_moves(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    first_pair(line.trim()).0.contains(',') || in_letters(line).is_some()
}

/// Games of a file, one per line, each in either [`Form`] or in letters and numbers, rows from the bottom (`h8i9g7`). `#` begins a comment.
/// A line with a single move is of the form that the others have.
pub fn parse_games(text: &str, geometry: &Geometry) -> Result<Vec<Vec<Cell>>, NotationError> {
    let lines: Vec<(usize, &str, Words)> =
        lines_of_moves(text).map(|(line, text)| (line, text, Words::of(text))).collect();
    let has = |form: Form| {
        lines.iter().any(|(_, _, words)| matches!(words, Words::Numbers(_, Some(of)) if *of == form))
    };
    let (corner, centre) = (has(Form::Corner), has(Form::Centre));
    let lone = match (corner, centre) {
        (false, true) => Some(Form::Centre),
        (true, true) => None,
        _ => Some(Form::Corner),
    };
    lines.into_iter().map(|(line, text, words)| of_words(words, text, line, lone, geometry)).collect()
}

/// The same lines with `\n` between, whatever ended them: CR and LF, LF, or CR alone.
pub fn plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The lines that hold moves, without comments, with their numbers from 1.
pub fn lines_of_moves(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| (index + 1, line))
}

/// The game on one line of [`Form::Corner`], of any separators between its moves: what programs write for each other. `line` is its number,
/// for errors.
pub fn parse_game(text: &str, line: usize, geometry: &Geometry) -> Result<Vec<Cell>, NotationError> {
    match Words::of(text) {
        Words::Numbers(words, _) => cells(&words, Form::Corner, line, geometry),
        words => of_words(words, text, line, Some(Form::Corner), geometry),
    }
}

/// A line's game. `lone` is the form of a single move.
fn of_words(
    words: Words,
    text: &str,
    line: usize,
    lone: Option<Form>,
    geometry: &Geometry,
) -> Result<Vec<Cell>, NotationError> {
    let two_ways = |moves: &[_]| {
        let read = |form| match cells(moves, form, line, geometry) {
            Ok(moves) => squares(&moves, geometry),
            Err(_) => "no game of this board".into(),
        };
        NotationError::TwoWays {
            line,
            text: text.into(),
            corner: read(Form::Corner),
            centre: read(Form::Centre),
        }
    };
    match words {
        Words::Mixed(moves) => match moves.iter().find(|(_, numbers)| numbers.is_none()) {
            Some((word, _)) => Err(no_move(&moves, word, line)),
            None => Err(two_ways(&moves)),
        },
        Words::Letters(moves) => {
            let rows = geometry.rows as i64;
            let moves: Vec<_> = moves.into_iter().map(|(word, x, n)| (word, Some((x, rows - n)))).collect();
            cells(&moves, Form::Corner, line, geometry)
        }
        Words::Numbers(moves, form) => {
            let form = form.or(lone).ok_or_else(|| two_ways(&moves))?;
            let found = cells(&moves, form, line, geometry);
            // From the centre it is no game, from the corner it would be one: that is not for us to choose.
            let other = form == Form::Centre && cells(&moves, Form::Corner, line, geometry).is_ok();
            if other && found.is_err() { Err(two_ways(&moves)) } else { found }
        }
    }
}

/// Why a word among others is no move of two numbers.
fn no_move(moves: &[(&str, Option<(i64, i64)>)], word: &str, line: usize) -> NotationError {
    let numbers = moves.iter().find(|(_, numbers)| numbers.is_some());
    match numbers.filter(|_| in_letters(word).is_some()) {
        Some((numbers, _)) => {
            let letters = word.trim_end_matches(',').into();
            NotationError::TwoNotations { line, letters, numbers: (*numbers).into() }
        }
        None => NotationError::Syntax { line, text: word.into() },
    }
}

fn cells(
    moves: &[(&str, Option<(i64, i64)>)],
    form: Form,
    line: usize,
    geometry: &Geometry,
) -> Result<Vec<Cell>, NotationError> {
    let (columns, rows) = (geometry.columns, geometry.rows);
    let (base_x, base_y) = match form {
        Form::Centre => (columns as i64 / 2, rows as i64 / 2),
        Form::Corner => (0, 0),
    };
    let mut found = Vec::new();
    for (word, numbers) in moves {
        let Some((x, y)) = *numbers else {
            return Err(no_move(moves, word, line));
        };
        let (x, y) = (base_x.saturating_add(x), base_y.saturating_add(y));
        let cell =
            usize::try_from(x).ok().zip(usize::try_from(y).ok()).and_then(|(x, y)| geometry.cell(x, y));
        let Some(cell) = cell else {
            return Err(NotationError::Outside { line, text: (*word).into(), columns, rows });
        };
        if found.contains(&cell) {
            return Err(NotationError::Repeated { line, text: (*word).into() });
        }
        found.push(cell);
    }
    Ok(found)
}

/// Two sides' stones in an order in which they can have come: in turn, the first side's first. It has as many or one more.
pub fn alternating(first: &[Cell], second: &[Cell]) -> Vec<Cell> {
    let turns = first.iter().enumerate();
    turns.flat_map(|(index, cell)| std::iter::once(*cell).chain(second.get(index).copied())).collect()
}

/// The letter of a column, which counts from 0; a board has at most [`crate::config::MAX_SIDE`].
pub fn column_letter(x: usize) -> char {
    char::from(b'a' + x as u8)
}

/// A cell's name for people: `h8`.
pub fn square(cell: Cell, geometry: &Geometry) -> String {
    let point = geometry.point(cell);
    format!("{}{}", column_letter(point.x), geometry.rows - point.y)
}

/// A game for people: `h8 i9`.
pub fn squares(moves: &[Cell], geometry: &Geometry) -> String {
    let names: Vec<String> = moves.iter().map(|&cell| square(cell, geometry)).collect();
    names.join(" ")
}

/// A game for machines, as [`Form::Corner`] text: `7,7 8,6`.
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
        assert_eq!(parse_game(&text, 1, &geometry).unwrap(), moves);
        let text = squares(&moves, &geometry);
        assert_eq!(text, "h8 i9 a15 o1");
        assert_eq!(parse_game(&text, 1, &geometry).unwrap(), moves);
    }

    /// One game in every way to write it.
    #[test]
    fn blanks_and_commas_are_read_as_they_are_meant() {
        let geometry = Geometry::new(15, 15, 5, 1);
        for text in [
            "7,7 8,7 8,10",
            "7,7\t8,7\t8,10",
            "  7,7   8,7 8,10 ",
            "0,0, 1,0, 1,3",
            "0,0,\t1,0,\t1,3",
            "0,0,1,0,1,3",
            "0, 0, 1, 0, 1, 3",
            "0,0 , 1,0 , 1,3",
            "0,0, 1,0, 1,3,",
            "h8i8i5",
            "h8 i8 i5",
            "H8, I8, I5",
        ] {
            assert_eq!(parse_games(text, &geometry).unwrap(), [[112, 113, 158]], "{text:?}");
        }
        // A lone move is of the form that the others have.
        assert_eq!(parse_games("0,0\n-1,-1,1,0", &geometry).unwrap(), [vec![112], vec![96, 113]]);
        assert_eq!(parse_games("0,0\n7,7 8,8", &geometry).unwrap(), [vec![0], vec![112, 128]]);
        for text in ["7,7, 8,8, 6,6", "7, 7, 8, 8", "7,7 8,8, 6,6", "0,0\n7,7 8,8\n0,0,1,1"] {
            let error = parse_games(text, &geometry).unwrap_err().to_string();
            assert!(error.contains("can be read from the corner ("), "{text:?}: {error}");
        }
        // Both readings are named.
        let error = parse_games("7,7, 8,8, 6,6", &geometry).unwrap_err().to_string();
        let both = "from the corner (h8 i7 g9) or from the centre (no game of this board)";
        assert!(error.contains(both), "{error}");
        let error = parse_games("7,7 8,8\n0,0 1,1, 2,2", &geometry).unwrap_err().to_string();
        assert!(error.contains("from the corner (a15 b14 c13) or from the centre (h8 i7 j6)"), "{error}");
        assert!(parse_games("h16", &geometry).unwrap_err().to_string().contains("move \"h16\" is outside"));
        assert!(["7,7", "-1,0, 2,3", "h8i9", "h8"].into_iter().all(is_moves));
        assert!(!["games.txt", "-", "a.sgf", "h", "8"].into_iter().any(is_moves));
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
            ("h8 8,8", "line 1: \"h8\" and \"8,8\" are written in two ways"),
            ("8,8 i9", "line 1: \"i9\" and \"8,8\" are written in two ways"),
            ("0,0, h8, 1,1", "\"h8\" and \"0,0\" are written in two ways"),
            ("\n7,15", "line 2: move \"7,15\" is outside the 15 x 15 board"),
            ("-1,2", "move \"-1,2\" is outside"),
            ("1,1 1,1", "move \"1,1\" is played twice"),
            ("99999999999999999999,1", "is not a move"),
        ] {
            let message = parse_games(text, &geometry).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
