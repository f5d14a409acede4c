// SPDX-License-Identifier: MIT OR Apache-2.0
//! The games of a match on its page: a table, and a board on which each is replayed.

use arena::game::Colour;
use arena::series::{End, Outcome, Record};
use engine_model::Geometry;
use engine_model::notation::{parse_game, squares};
use figures::html::escape;
use serde_json::json;

const SCRIPT: &str = include_str!("replay.js");
const STYLE: &str = "\
#replay { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 1.2rem; align-items: start; }
#board { width: 100%; max-width: 560px; height: auto; }
#board text { font: 0.42px system-ui, sans-serif; text-anchor: middle; }
#board .edge { fill: var(--faint); }
#controls { display: flex; gap: 0.4rem; max-width: 560px; }
#controls input { flex: 1; min-width: 0; }
#controls button, #list button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 4px; padding: 0 0.6rem; cursor: pointer; }
#controls button { padding: 0.3rem 0.7rem; }
#list { max-height: 620px; overflow: auto; }
#list tr.chosen { background: var(--card); }
#list td:last-child, #list th:last-child { text-align: left; }
";

/// What side a made of a game: the class of its row, and the word.
fn result(record: &Record) -> &'static str {
    match record.outcome {
        Outcome::Win => "won",
        Outcome::Draw => "drawn",
        Outcome::Loss => "lost",
    }
}

fn how(record: &Record) -> &'static str {
    match record.end {
        End::Line => "a line",
        End::Full => "the board is full",
        End::MoveCap => "the cap on moves",
        End::Forfeit => "a forfeit",
    }
}

fn colour(record: &Record) -> &'static str {
    match record.colour_of_a {
        Colour::Black => "black",
        Colour::White => "white",
    }
}

/// In words, from side a.
fn told(record: &Record) -> String {
    let reason = record.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    format!("{} has {} and {} it, by {}{reason}.", record.a, colour(record), result(record), how(record))
}

fn row(index: usize, record: &Record, geometry: &Geometry) -> String {
    let Record { game, length, opening, .. } = record;
    let result = result(record);
    format!(
        "<tr data-game=\"{index}\" data-result=\"{result}\"><td><button>{game}</button></td><td class=\"{result}\">{result}</td>\
         <td>{}</td><td>{length}</td><td>{}</td><td>{}</td></tr>\n",
        colour(record),
        how(record),
        escape(&opening_for_people(opening, geometry))
    )
}

/// An opening as people write it; a record of other coordinates stays as it is.
fn opening_for_people(opening: &str, geometry: &Geometry) -> String {
    parse_game(opening, 1, geometry).map_or_else(|_| opening.into(), |moves| squares(&moves, geometry))
}

/// The section of a page; empty without games.
pub fn section(geometry: &Geometry, in_a_row: usize, records: &[&Record]) -> String {
    let Some(first) = records.first() else { return String::new() };
    let rows: String =
        records.iter().enumerate().map(|(index, record)| row(index, record, geometry)).collect();
    let games: Vec<_> = records
        .iter()
        .map(|record| json!({ "game": record.game, "moves": record.moves, "told": told(record) }))
        .collect();
    let data =
        json!({ "columns": geometry.columns, "rows": geometry.rows, "in_a_row": in_a_row, "games": games });
    // No end of a script in a text.
    let data = data.to_string().replace('<', "\\u003c");
    format!(
        "<h2>Games</h2>\n<style>\n{STYLE}</style>\n<div id=\"replay\">\n<div>\n<svg id=\"board\" role=\"img\"></svg>\n\
         <p id=\"controls\"><button id=\"first\" aria-label=\"to the first move\">|&lt;</button>\
         <button id=\"back\" aria-label=\"a move back\">&lt;</button>\
         <input id=\"move\" type=\"range\" min=\"0\" aria-label=\"move\">\
         <button id=\"on\" aria-label=\"a move on\">&gt;</button>\
         <button id=\"last\" aria-label=\"to the last move\">&gt;|</button></p>\n<p id=\"told\" aria-live=\"polite\"></p>\n</div>\n\
         <div>\n<p><label>Games of {} <select id=\"which\"><option value=\"\">all</option><option>won</option>\
         <option>drawn</option><option>lost</option></select></label></p>\n<div id=\"list\" class=\"table\"><table>\n<thead>\
         <tr><th>game</th><th>result</th><th>colour</th><th>moves</th><th>end</th><th>opening</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n</div>\n</div>\n\
         <script type=\"application/json\" id=\"games\">{data}</script>\n<script>\n{SCRIPT}</script>\n",
        escape(&first.a)
    )
}
