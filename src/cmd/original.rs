// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen original`: the test bench of the wujian100 core of Wang and Chen (docs/glossary.md, sources), replayed and compared.

use crate::configs::load;
use crate::found::Found;
use crate::progress::Progress;
use anyhow::Context;
use cosim::Kind;
use cosim::bench::BenchOptions;
use cosim::models::model;
use cosim::rtl_engine::RtlEngine;
use engine_model::evaluation::Remaining;
use engine_model::position::Tables;
use engine_model::search::{NodePlace, Search};
use engine_model::{Cell, Config, Engine, Position};
use hdl::stream::{Command, selector};
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

/// Arguments of `original`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Moves of the original test bench's opponent, and what their core answered.
const OPPONENT: [(usize, usize); 4] = [(7, 7), (7, 8), (8, 6), (8, 7)];
const ORIGINAL_ANSWERS: [(usize, usize); 4] = [(6, 6), (7, 6), (6, 8), (6, 7)];
/// Levels and beam by which answers are judged.
const JUDGE_LEVELS: usize = 8;
const JUDGE_BEAM: [usize; 3] = [10, 10, 6];

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let config = load("gomoku15")?;
    let model = model(&config, Kind::TracedCore)?;
    let mut engine = RtlEngine::new(model, &config, true, BenchOptions::default());
    let geometry = config.geometry();
    let cell = |(x, y): (usize, usize)| geometry.cell(x, y).expect("the script is on the board");
    let name = |c: Cell| geometry.point(c).to_string();

    // The script through the streams: where we took a scripted cell, the opponent goes on to the next.
    let mut game = Vec::new();
    for &scripted in &OPPONENT {
        if engine.session().face().position().is_empty(cell(scripted)) {
            // The original's own command: control 1, then x and y.
            let session = engine.session();
            session.command(Command::Play, &[scripted.0 as u32, scripted.1 as u32])?;
            let answer = session.face().position().moves().last().copied().context("the game ended early")?;
            let cycles = session.search_cycles()?;
            let [score, _] = session.read(selector::GAME)?;
            game.push((cell(scripted), answer, score as i32, cycles));
        }
    }

    // The original's own four positions.
    let bar = Progress::of(format!("judging answers at {JUDGE_LEVELS} levels"));
    let judge = Config { levels: JUDGE_LEVELS, beam: JUDGE_BEAM.to_vec(), ..config.clone() };
    let judge = Tables::new(&judge);
    let mut moves = Vec::new();
    let mut rows = Vec::new();
    let mut worse = false;
    for (&scripted, &answer) in OPPONENT.iter().zip(&ORIGINAL_ANSWERS) {
        moves.push(cell(scripted));
        engine.set_position(&moves)?;
        let ours = engine.search(None)?.cell.context("the game ended early")?;
        let original = cell(answer);
        let scores = [ours, original].map(|m| score_of(&judge, &moves, m));
        let lost = |score: i32| score <= -(judge.scoring.win_score - MAX_WIN_PLIES);
        worse |= lost(scores[0]) && !lost(scores[1]);
        rows.push((moves.clone(), ours, original, scores));
        moves.push(original);
    }

    drop(bar);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let positions: Vec<_> = rows
            .iter()
            .map(|(moves, ours, original, scores)| {
                json!({
                    "moves": moves.iter().map(|&m| name(m)).collect::<Vec<_>>(),
                    "ours": name(*ours), "ours_score": scores[0],
                    "original": name(*original), "original_score": scores[1],
                })
            })
            .collect();
        let game: Vec<_> = game
            .iter()
            .map(|(theirs, ours, score, cycles)| {
                json!({ "opponent": name(*theirs), "answer": name(*ours), "score": score, "cycles": cycles })
            })
            .collect();
        let equal = positions.iter().filter(|position| position["ours"] == position["original"]).count();
        let object = json!({ "game": game, "positions": positions, "equal": equal, "worse": worse });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "The script through the AXI4-Stream ports:")?;
        for (theirs, ours, score, cycles) in &game {
            writeln!(
                out,
                "  opponent {:>5}   answer {:>5}   score {:>6}   {:>6} cycles",
                name(*theirs),
                name(*ours),
                score,
                cycles
            )?;
        }
        writeln!(
            out,
            "\nThe original's own positions, both answers scored at {JUDGE_LEVELS} levels (half-points):"
        )?;
        for (moves, ours, original, scores) in &rows {
            let moves: Vec<String> = moves.iter().map(|&m| name(m)).collect();
            writeln!(
                out,
                "  ours {:>5} {:>6}   original {:>5} {:>6}   after {}",
                name(*ours),
                scores[0],
                name(*original),
                scores[1],
                moves.join(" ")
            )?;
        }
        let verdict = if worse {
            "ours loses by force where the original's does not"
        } else {
            "ours never falls into a forced loss that the original's avoids"
        };
        writeln!(out, "\n{verdict}")?;
    }
    Ok(if worse { Found::Fault } else { Found::Nothing })
}

/// Wins this many plies away still count as forced.
const MAX_WIN_PLIES: i32 = 64;

/// Score of playing `answer` after `moves`, for its mover.
fn score_of(tables: &Arc<Tables>, moves: &[Cell], answer: Cell) -> i32 {
    let mut all = moves.to_vec();
    all.push(answer);
    let mut position = Position::from_moves(tables, &all).expect("the script is a legal game");
    let remaining = Remaining { depth: JUDGE_LEVELS - 1, extensions: tables.config.extensions };
    -Search::new(&mut position, JUDGE_LEVELS).exact_value(NodePlace { ply: 1, remaining })
}
