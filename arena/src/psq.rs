// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games as PSQ, the form of the Piskvork manager: a line that names the board, a line a move (column and row from 1,
//! milliseconds), the two names, the manager's code of an error.

use crate::game::Colour;
use crate::game_error::GameError;
use crate::series::Record;
use engine_model::notation::{Form, parse_game};
use engine_model::{Cell, Geometry};
use std::fmt::Write;

/// What the text begins with.
pub const NAME: &str = "Piskvorky ";
/// Two programs of the highest level, the first one to move.
const PLAYERS: &str = "11:11, 0";
/// The game ended on the board, as in Gomocup's records.
const NO_ERROR: &str = "-1";

/// A record as a file's text. How long a single move took is not recorded: 0.
pub fn game(record: &Record, geometry: &Geometry) -> Result<String, GameError> {
    let moves = parse_game(&record.moves, record.game + 1, Form::Corner, geometry)?;
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

/// The moves of a file's text.
pub fn parse(text: &str, geometry: &Geometry) -> Result<Vec<Cell>, GameError> {
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line);
    let size = header.strip_prefix(NAME).and_then(|rest| rest.split(',').next()?.split_once('x'));
    let size =
        size.and_then(|(columns, rows)| Some((columns.trim().parse().ok()?, rows.trim().parse().ok()?)));
    let Some((columns, rows)) = size else {
        return Err(GameError::Psq { line: 1, text: header.into() });
    };
    GameError::unless_board(columns, rows, geometry)?;
    let mut moves: Vec<Cell> = Vec::new();
    while let Some((index, line)) = lines.next() {
        let numbers: Vec<Option<usize>> =
            line.trim().split(',').map(|word| word.trim().parse().ok()).collect();
        let [Some(x), Some(y), ..] = numbers[..] else {
            // The names begin: that was the last move, if no other follows.
            let is_move =
                |line: &str| line.split(',').filter(|word| word.trim().parse::<u64>().is_ok()).count() == 3;
            if lines.any(|(_, line)| is_move(line)) {
                return Err(GameError::Psq { line: index + 1, text: line.into() });
            }
            break;
        };
        let (Some(x), Some(y)) = (x.checked_sub(1), y.checked_sub(1)) else {
            return Err(GameError::Psq { line: index + 1, text: line.into() });
        };
        let cell = geometry
            .cell(x, y)
            .ok_or_else(|| GameError::Outside { number: moves.len() + 1, text: line.trim().into() })?;
        moves.push(cell);
    }
    Ok(moves)
}
