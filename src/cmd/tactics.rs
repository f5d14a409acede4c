// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen tactics`: in how many won positions an engine's move keeps the win.

use crate::found::Found;
use crate::opponent::ChosenEngine;
use crate::progress::Progress;
use anyhow::{Context as _, bail};
use engine_model::config::MAX_LEVELS;
use engine_model::notation::{alternating, square};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Engine, Position};
use players::prover::Prover;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Candidates of the proof lie this far from stones: further than those of the shipped engines.
const PROOF_RADIUS: usize = 2;

/// Arguments of `tactics`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Positions, one JSON object per line: `black` and `white` (lists of [x, y]), `side` to move ("B" or "W"), `id`
    #[arg(default_value = "positions/tactics_public.jsonl")]
    file: PathBuf,
    #[command(flatten)]
    engine: ChosenEngine,
    /// Levels of the proof, beside continuous fours to any length
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=MAX_LEVELS as i64))]
    proof_levels: u8,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A position of the file.
struct Puzzle {
    id: String,
    /// An order in which its stones can have come, or why there is none.
    moves: Result<Vec<Cell>, String>,
}

/// What became of a position.
struct Answer {
    id: String,
    verdict: Verdict,
    /// Plies of the proof: of the side to move.
    plies: Option<i32>,
    cell: Option<Cell>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Kept,
    /// After the move no win is proved any more.
    NotProvedAfter,
    /// After the move the opponent wins.
    ThrownAway,
    NoWinProved,
    NoGame,
}

impl Verdict {
    fn text(self) -> &'static str {
        match self {
            Verdict::Kept => "kept",
            Verdict::NotProvedAfter => "not proved after the move",
            Verdict::ThrownAway => "thrown away: the opponent wins",
            Verdict::NoWinProved => "no win proved: does not count",
            Verdict::NoGame => "no position of a game: does not count",
        }
    }

    fn counts(self) -> bool {
        !matches!(self, Verdict::NoWinProved | Verdict::NoGame)
    }
}

fn puzzle(line: &str, tables: &Arc<Tables>) -> anyhow::Result<Puzzle> {
    let geometry = &tables.geometry;
    let object: Value = serde_json::from_str(line).context("not a JSON object")?;
    let id = object["id"].as_str().context("no \"id\"")?.to_string();
    let stones = |key: &str| -> anyhow::Result<Vec<Cell>> {
        let list = object[key].as_array().with_context(|| format!("no list {key:?}"))?;
        let cells = list.iter().map(|point| {
            let number = |index: usize| point[index].as_u64().and_then(|number| usize::try_from(number).ok());
            let (x, y) = number(0).zip(number(1)).with_context(|| format!("{key}: {point} is no [x, y]"))?;
            geometry.cell(x, y).with_context(|| {
                format!("{key}: {x},{y} is outside the {} x {} board", geometry.columns, geometry.rows)
            })
        });
        cells.collect()
    };
    let (black, white) = (stones("black")?, stones("white")?);
    let (mover, other) = match object["side"].as_str() {
        Some("B") => (black, white),
        Some("W") => (white, black),
        _ => bail!("\"side\" is neither \"B\" nor \"W\""),
    };
    // Who moves has as many stones as the opponent and began, or one fewer.
    let moves = match other.len().checked_sub(mover.len()) {
        Some(0) => Ok(alternating(&mover, &other)),
        Some(1) => Ok(alternating(&other, &mover)),
        _ => Err(format!("{} stones to move against {}", mover.len(), other.len())),
    };
    let moves = moves.and_then(|moves| match Position::from_moves(tables, &moves) {
        Ok(position) if position.is_over() => Err("the game is over".to_string()),
        Ok(_) => Ok(moves),
        Err(illegal) => Err(illegal.to_string()),
    });
    Ok(Puzzle { id, moves })
}

fn answer(
    puzzle: &Puzzle,
    tables: &Arc<Tables>,
    engine: &mut dyn Engine,
    prover: &mut Prover,
    levels: Option<usize>,
) -> anyhow::Result<Answer> {
    let done = |verdict, plies, cell| Answer { id: puzzle.id.clone(), verdict, plies, cell };
    let Ok(moves) = &puzzle.moves else { return Ok(done(Verdict::NoGame, None, None)) };
    let plies = prover.plies(moves);
    if plies.is_none_or(|plies| plies < 0) {
        return Ok(done(Verdict::NoWinProved, plies, None));
    }
    engine.set_position(moves).with_context(|| puzzle.id.clone())?;
    let cell = engine.search(levels)?.cell.context("the engine does not move in an open game")?;
    let after = [&moves[..], &[cell]].concat();
    let verdict = match (plies, prover.plies(&after)) {
        // A completed line, or a proved loss of the opponent.
        (Some(1), None) if completes(tables, &after) => Verdict::Kept,
        (_, Some(plies)) if plies < 0 => Verdict::Kept,
        (_, Some(_)) => Verdict::ThrownAway,
        _ => Verdict::NotProvedAfter,
    };
    Ok(done(verdict, plies, Some(cell)))
}

/// Whether the last of these moves has won.
fn completes(tables: &Arc<Tables>, moves: &[Cell]) -> bool {
    Position::from_moves(tables, moves).is_ok_and(|position| position.winner().is_some())
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let mut engine = arguments.engine.open(None)?;
    let tables = Tables::new(engine.config());
    let geometry = &tables.geometry;
    let text = crate::reading::named(&arguments.file, "positions")?;
    let puzzles =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(index, line)| {
            puzzle(line, &tables).with_context(|| format!("{}: line {}", arguments.file.display(), index + 1))
        });
    let puzzles: Vec<Puzzle> = puzzles.collect::<anyhow::Result<_>>()?;
    if puzzles.is_empty() {
        bail!("{} holds no position", arguments.file.display());
    }
    let wide = Config { candidate_radius: PROOF_RADIUS, ..engine.config().clone() };
    let mut prover = Prover::new(&wide, arguments.proof_levels.into());
    let bar = Progress::counted(puzzles.len() as u64, "positions");
    let mut answers = Vec::new();
    for puzzle in &puzzles {
        answers.push(answer(puzzle, &tables, engine.as_mut(), &mut prover, arguments.engine.levels)?);
        bar.set(answers.len() as u64);
    }
    drop(bar);
    let counted = answers.iter().filter(|answer| answer.verdict.counts()).count();
    let kept = answers.iter().filter(|answer| answer.verdict == Verdict::Kept).count();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let point = |cell: Cell| geometry.point(cell).to_string();
        let positions: Vec<Value> = answers
            .iter()
            .map(|answer| {
                json!({
                    "id": answer.id, "wins_in": answer.plies.filter(|plies| *plies > 0),
                    "move": answer.cell.map(point), "kept": answer.verdict == Verdict::Kept,
                    "counts": answer.verdict.counts(), "verdict": answer.verdict.text(),
                })
            })
            .collect();
        let object = json!({
            "engine": engine.name(), "config": engine.config().name, "positions": positions,
            "won": counted, "kept": kept, "proof_levels": arguments.proof_levels,
        });
        writeln!(out, "{object}")?;
        return Ok(Found::Nothing);
    }
    writeln!(out, "{:<40} {:>7} {:>7}  the win is", "position", "wins in", "move")?;
    for answer in &answers {
        let plies = answer.plies.map_or_else(|| "-".into(), |plies| plies.to_string());
        let cell = answer.cell.map_or_else(|| "-".into(), |cell| square(cell, geometry));
        writeln!(out, "{:<40} {plies:>7} {cell:>7}  {}", answer.id, answer.verdict.text())?;
    }
    let share = 100.0 * kept as f64 / counted.max(1) as f64;
    writeln!(
        out,
        "{} ({}) keeps {kept} of {counted} proved wins, {share:.0} %",
        engine.name(),
        engine.config().name
    )?;
    Ok(Found::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_or_refused() {
        let tables = Tables::new(&crate::configs::load("gomoku15").unwrap());
        let read = |text: &str| puzzle(text, &tables);
        let two =
            read(r#"{"id":"a","black":[[7,7],[8,8]],"white":[[0,0]],"side":"W"}"#).unwrap().moves.unwrap();
        assert_eq!(two, [112, 0, 128]);
        let began = read(r#"{"id":"a","black":[[7,7]],"white":[[0,0]],"side":"W"}"#).unwrap().moves.unwrap();
        assert_eq!(began, [0, 112], "white began");
        for no_game in [
            r#"{"id":"a","black":[[7,7],[8,8]],"white":[[0,0]],"side":"B"}"#,
            r#"{"id":"a","black":[[7,7],[7,7]],"white":[[0,0]],"side":"W"}"#,
        ] {
            assert!(read(no_game).unwrap().moves.is_err());
        }
        for (text, part) in [
            ("{", "not a JSON object"),
            (r#"{"black":[]}"#, "no \"id\""),
            (r#"{"id":"a","black":[],"side":"B"}"#, "no list \"white\""),
            (r#"{"id":"a","black":[[15,0]],"white":[],"side":"B"}"#, "15,0 is outside the 15 x 15 board"),
            (r#"{"id":"a","black":[[1]],"white":[],"side":"B"}"#, "is no [x, y]"),
            (r#"{"id":"a","black":[],"white":[],"side":"X"}"#, "neither"),
        ] {
            let message = format!("{:#}", read(text).map(|_| ()).unwrap_err());
            assert!(message.contains(part), "{message}");
        }
    }
}
