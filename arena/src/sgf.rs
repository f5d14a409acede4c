// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games as SGF (FF[4], GM[4]: Gomoku and Renju): <https://www.red-bean.com/sgf/>.

use crate::game::Colour;
use crate::series::{End, Outcome, Record};
use engine_model::Geometry;
use engine_model::notation::{Form, NotationError, parse_game};
use std::fmt::Write;

/// Text as a property's value.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(['\n', '\r'], " ")
}

/// A record as a game of a collection: columns and rows are letters from the upper left corner.
pub fn game(record: &Record, geometry: &Geometry) -> Result<String, NotationError> {
    let moves = parse_game(&record.moves, record.game + 1, Form::Corner, geometry)?;
    let (black, white) = match record.colour_of_a {
        Colour::Black => (&record.a, &record.b),
        Colour::White => (&record.b, &record.a),
    };
    let winner = match (record.outcome, record.colour_of_a) {
        (Outcome::Draw, _) => None,
        (Outcome::Win, colour) => Some(colour),
        (Outcome::Loss, colour) => Some(colour.other()),
    };
    let how = if record.end == End::Forfeit { "F" } else { "" };
    let result = match winner {
        None => "Draw".to_string(),
        Some(Colour::Black) => format!("B+{how}"),
        Some(Colour::White) => format!("W+{how}"),
    };
    let size = match (geometry.columns, geometry.rows) {
        (columns, rows) if columns == rows => columns.to_string(),
        (columns, rows) => format!("{columns}:{rows}"),
    };
    let mut text = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[tengen:{}]SZ[{size}]GN[{}]PB[{}]PW[{}]RE[{result}]",
        env!("CARGO_PKG_VERSION"),
        record.game,
        escaped(black),
        escaped(white)
    );
    if let Some(reason) = &record.reason {
        let _ = write!(text, "GC[{}]", escaped(reason));
    }
    // The first letters of the alphabet: boards have at most 20 columns and rows.
    let letter = |number: usize| char::from(b'a' + number as u8);
    for (index, cell) in moves.iter().enumerate() {
        let point = geometry.point(*cell);
        let colour = if index % 2 == 0 { 'B' } else { 'W' };
        let _ = write!(text, ";{colour}[{}{}]", letter(point.x), letter(point.y));
    }
    text.push_str(")\n");
    Ok(text)
}
