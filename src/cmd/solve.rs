// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen solve`: an engine's view of a position.

use crate::found::Found;
use crate::opponent::ChosenEngine;
use crate::progress::Progress;
use crate::reading;
use crate::software::Learn;
use anyhow::{Context as _, anyhow, bail};
use arena::drawing::board;
use arena::games::{self, Wanted};
use arena::solve::{FIRST_MOVE, Iteration, Solution, Solver, Worth, told, why_outranked};
use engine_model::notation::{format_game, is_moves, square, squares};
use engine_model::position::Tables;
use engine_model::{Cell, EngineError, Geometry, Position};
use players::roster::player;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `solve`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Moves `h8 i9 ...` (rows counted from the bottom, from 1) or `x,y x,y ...` (rows from the top, both from 0); or a file: such moves (one game per
    /// line), SGF or PSQ; or - for standard input
    position: String,
    /// Number of the game in a file with several games, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Only the game's first N moves
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    #[command(flatten)]
    engine: ChosenEngine,
    /// How many of the best moves to list; 1: only the engine's choice, without the further searches that the others need
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    best: u16,
    /// File with what pvs has learnt from the games it lost; solve only reads it
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The position's moves.
fn position(arguments: &Arguments, geometry: &Geometry) -> anyhow::Result<Vec<Cell>> {
    let given = &arguments.position;
    let (text, source) = if given == reading::STANDARD_INPUT {
        (reading::standard_input()?, "standard input".to_string())
    } else if given.trim().is_empty()
        || (is_moves(given) || given.contains(',')) && !Path::new(given).exists()
    {
        (given.clone(), "POSITION".into())
    } else {
        let text = reading::text(Path::new(given)).with_context(|| {
            format!("{given}: neither moves like h8 i9 or 7,7 8,6 nor a file that can be read")
        })?;
        (text, given.clone())
    };
    let wanted = Wanted { game: Some(arguments.game as usize - 1), moves: arguments.moves };
    let mut games = games::parse_wanted(&text, geometry, wanted).map_err(|error| match error.pass() {
        Some(number) => anyhow!("{source}: {error} (--moves {})", number - 1),
        None => anyhow::Error::new(error).context(source.clone()),
    })?;
    if games.is_empty() {
        // The empty board is a position too.
        games.push(Vec::new());
    }
    let index = arguments.game as usize - 1;
    if index >= games.len() {
        bail!("--game {}: {source} holds {}", arguments.game, games.len());
    }
    let mut moves = games.swap_remove(index);
    if let Some(most) = arguments.moves {
        if most > moves.len() {
            bail!("--moves {most}: the game has {}", moves.len());
        }
        moves.truncate(most);
    }
    Ok(moves)
}

/// How the table's moves are scored.
fn how_scored(keeps_contract: bool) -> &'static str {
    if keeps_contract {
        "each as a move of the last search"
    } else {
        "each by a search of one level less after it"
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let mut engine = arguments.engine.open(arguments.learn.as_deref().map(Learn::Read))?;
    let tables = Tables::new(engine.config());
    let geometry = &tables.geometry;
    let moves = position(arguments, geometry)?;
    let position = Position::from_moves(&tables, &moves).context("the game cannot be played")?;
    if position.is_over() {
        bail!("the game of this position is over: --moves {} is its last open position", moves.len() - 1);
    }
    let levels = arguments.engine.levels.unwrap_or_else(|| engine.levels());
    // Said before anything is searched; who does not search looks at any number the same.
    let deepest = engine.deepest();
    if levels == 0 || (deepest > 1 && levels > deepest) {
        bail!(EngineError::Levels { asked: levels, built: deepest });
    }
    let (name, config) = (engine.name(), engine.config().name.clone());
    let side = if position.side_to_move() == 0 { "X" } else { "O" };
    let mut out = std::io::stdout().lock();
    if !arguments.json {
        let last = moves.last().copied();
        write!(out, "{}", board(geometry, |cell| position.owner(cell), last))?;
        // Other people's algorithms count in points of their own.
        let unit = if player(&arguments.engine.name).is_some() { "its own points" } else { "half-points" };
        writeln!(
            out,
            "{side} to move; {name} ({config}), up to {levels} levels; scores in {unit} for {side}"
        )?;
        writeln!(
            out,
            "{:>6} {:>7} {:>12} {:>12} {:>12} {:>10}",
            "levels", "move", "score", "nodes", "cycles", "seconds"
        )?;
    }
    let bar = Progress::of(format!("{name} searches"));
    let mut solver = Solver { engine: engine.as_mut(), tables: tables.clone() };
    let solution = solver.solve(&moves, levels, arguments.best.into(), &mut |iteration| {
        if !arguments.json {
            let Iteration { levels, cell, decision, time, .. } = iteration;
            let cycles = decision.cycles.map_or_else(|| "-".into(), |cycles| cycles.to_string());
            let (cell, worth) = (square(*cell, geometry), told(iteration.worth));
            // A terminal that has gone away is noticed at the end.
            let _ = bar.print(|| {
                writeln!(
                    out,
                    "{levels:>6} {cell:>7} {worth:>12} {:>12} {cycles:>12} {:>10.4}",
                    decision.nodes,
                    time.as_secs_f64()
                )
            });
        }
    })?;
    drop(bar);
    if arguments.json {
        let mut object = object(&solution, geometry);
        object["engine"] = json!(name);
        object["config"] = json!(config);
        object["position"] = json!(format_game(&moves, geometry));
        object["to_move"] = json!(side);
        writeln!(out, "{object}")?;
        return Ok(Found::Nothing);
    }
    if !solution.moves.is_empty() {
        writeln!(out, "best moves for {side}, {}:", how_scored(engine.keeps_contract()))?;
        for (index, (cell, found)) in solution.moves.iter().enumerate() {
            let played = match (index, moves.is_empty()) {
                (0, true) => format!("  played: {FIRST_MOVE}"),
                (0, false) => "  played".into(),
                _ => String::new(),
            };
            writeln!(out, "{:>6} {:>7} {:>12}{played}", index + 1, square(*cell, geometry), told(*found))?;
        }
        if solution.outranked() {
            writeln!(out, "{}", why_outranked(engine.keeps_contract()))?;
        }
    }
    writeln!(out, "line: {}", squares(&solution.line, geometry))?;
    if player(&arguments.engine.name).is_none() {
        writeln!(
            out,
            "model, fast and core decide and score alike; their nodes differ: the core searches moves side by side, before it knows\n\
             which of them the others make needless"
        )?;
    }
    Ok(Found::Nothing)
}

/// What is found, for machines: moves as `x,y`.
fn object(solution: &Solution, geometry: &Geometry) -> Value {
    let point = |cell: Cell| geometry.point(cell).to_string();
    let score = |worth: Worth| match worth.decided {
        Some(plies) if plies > 0 => json!({ "score": worth.score, "wins_in": plies }),
        Some(plies) => json!({ "score": worth.score, "loses_in": -plies }),
        None => json!({ "score": worth.score }),
    };
    let iterations: Vec<Value> = solution
        .iterations
        .iter()
        .map(|iteration| {
            let mut object = score(iteration.worth);
            object["levels"] = json!(iteration.levels);
            object["move"] = json!(point(iteration.cell));
            object["nodes"] = json!(iteration.decision.nodes);
            object["cycles"] = json!(iteration.decision.cycles);
            object["seconds"] = json!(iteration.time.as_secs_f64());
            object
        })
        .collect();
    let moves: Vec<Value> = solution
        .moves
        .iter()
        .map(|(cell, worth)| {
            let mut object = score(*worth);
            object["move"] = json!(point(*cell));
            object
        })
        .collect();
    json!({ "iterations": iterations, "moves": moves, "line": format_game(&solution.line, geometry) })
}
