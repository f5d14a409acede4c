// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games as PSQ, the form of the Piskvork manager: a line that names the board, a line a move (column and row from 1,
//! milliseconds), the two names, the manager's code of an error.

use crate::game::Colour;
use crate::game_error::GameError;
use crate::series::Record;
use engine_model::notation::{parse_game, square};
use engine_model::{Cell, Geometry};
use std::fmt::Write;

/// What the text begins with.
pub const NAME: &str = "Piskvorky ";
/// The same in small letters: programs differ.
pub(crate) const NAME_IN_SMALL: &str = "piskvorky ";
/// Two programs of the highest level, the first one to move.
const PLAYERS: &str = "11:11, 0";
/// The game ended on the board, as in Gomocup's records.
const NO_ERROR: &str = "-1";

/// A record as a file's text. How long a single move took is not recorded: 0.
pub fn game(record: &Record, geometry: &Geometry) -> Result<String, GameError> {
    let moves = parse_game(&record.moves, record.game + 1, geometry)?;
    let (black, white) = match record.colour_of_a {
        Colour::Black => (&record.a, &record.b),
        Colour::White => (&record.b, &record.a),
    };
    Ok(self::moves(&moves, geometry, [black, white]))
}

/// Moves between two players as a file's text, whether the game has ended or not.
pub fn moves(moves: &[Cell], geometry: &Geometry, players: [&str; 2]) -> String {
    let mut text = format!("{NAME}{}x{}, {PLAYERS}\n", geometry.columns, geometry.rows);
    for &cell in moves {
        let point = geometry.point(cell);
        let _ = writeln!(text, "{},{},0", point.x + 1, point.y + 1);
    }
    let [black, white] = players.map(|name| name.replace(['\n', '\r'], " "));
    let _ = writeln!(text, "{black}\n{white}\n{NO_ERROR}");
    text
}

/// Column, row and, if it is told, time of a move's line.
fn numbers(line: &str) -> Option<(usize, usize)> {
    let numbers: Option<Vec<usize>> = line.split(',').map(|word| word.trim().parse().ok()).collect();
    match numbers?[..] {
        [x, y] | [x, y, _] => Some((x, y)),
        _ => None,
    }
}

/// The moves of a file's text: behind the line that names the board the moves, then nothing, or two names and a number, and whatever
/// else a program adds.
pub fn parse(text: &str, geometry: &Geometry) -> Result<Vec<Cell>, GameError> {
    let wrong = |(index, line): (usize, &str)| GameError::Psq { line: index + 1, text: line.trim().into() };
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line);
    let named = header.get(NAME.len()..).and_then(|rest| rest.split(',').next());
    let size = named.and_then(|size| size.split_once(['x', 'X']));
    let size =
        size.and_then(|(columns, rows)| Some((columns.trim().parse().ok()?, rows.trim().parse().ok()?)));
    let Some((columns, rows)) = size else {
        return Err(GameError::Psq { line: 1, text: header.into() });
    };
    GameError::unless_board(columns, rows, geometry)?;
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
    let moves = lines.iter().take_while(|(_, line)| numbers(line).is_some()).count();
    let is_code = |(_, line): &(usize, &str)| line.trim().parse::<i64>().is_ok();
    // With less than two names and a number behind the moves, the last lines of moves may be the names that are missing.
    let moves_or_names = |missing: usize| {
        let last = &lines[moves.saturating_sub(missing)..moves];
        let square_of = |(_, line): &(usize, &str)| {
            let cell = numbers(line).and_then(|(x, y)| geometry.cell(x.checked_sub(1)?, y.checked_sub(1)?));
            cell.map_or("no square of the board".into(), |cell| square(cell, geometry))
        };
        let each =
            |text: &dyn Fn(&(usize, &str)) -> String| last.iter().map(text).collect::<Vec<_>>().join(" ");
        GameError::MoveOrName {
            line: last.first().map_or(1, |(index, _)| index + 1),
            text: each(&|(_, line)| line.trim().into()),
            as_move: each(&square_of),
        }
    };
    match &lines[moves..] {
        [] => {}
        [one, ..] if moves == 0 && is_code(one) => return Err(wrong(*one)),
        [code] if is_code(code) => return Err(moves_or_names(2)),
        [_] if moves > 0 => return Err(moves_or_names(1)),
        [_, code, ..] if is_code(code) && moves > 0 => return Err(moves_or_names(1)),
        [_, _, code, ..] if is_code(code) => {}
        [first, rest @ ..] => {
            if rest.iter().any(|(_, line)| numbers(line).is_some()) {
                return Err(wrong(*first));
            }
        }
    }
    let cell = |(number, line): (usize, &(usize, &str))| {
        let (x, y) = numbers(line.1).expect("it has been looked at");
        let (Some(x), Some(y)) = (x.checked_sub(1), y.checked_sub(1)) else { return Err(wrong(*line)) };
        let outside = || GameError::Outside { number: number + 1, text: line.1.trim().into() };
        geometry.cell(x, y).ok_or_else(outside)
    };
    lines[..moves].iter().enumerate().map(cell).collect()
}
