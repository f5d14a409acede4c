// SPDX-License-Identifier: MIT OR Apache-2.0
//! What takes an engine or a simulated core: every function runs on a thread of the pool and says what it finds as it finds it.

use crate::backends::Backends;
use crate::cancel::Cancel;
use crate::message::{At, Search};
use crate::place::Place;
use crate::recording::object;
use crate::waveforms::Waveforms;
use arena::solve::{FIRST_MOVE, Iteration, Solver, Worth, why_outranked};
use cosim::bench::{BenchError, BenchOptions};
use cosim::lockstep::{Fault, Session, WAVE_CYCLES};
use cosim::measure::search_cost;
use cosim::models::{Kind, model, with_waves};
use cosim::recording::{record, record_with_waves};
use cosim::verilate::Waves;
use cosim::waves::write_views;
use engine_model::evaluation::{Remaining, evaluate, ordered_moves};
use engine_model::notation::{parse_game, quoted};
use engine_model::{Cell, Engine, EngineError, Position, Stop, minimax};
use hdl::Layout;
use hdl::circuits::evaluator;
use lab::measure::Row;
use lab::measure::hardware::Hardware;
use lab::measure::software;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Nodes of plain minimax that are counted for a comparison; more are said to be more.
const MOST_MINIMAX: u64 = 300_000;

/// Why a request has no answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Failed {
    /// It was given up.
    Cancelled,
    /// In words for a person.
    Because(String),
}

impl<E: std::fmt::Display> From<E> for Failed {
    fn from(error: E) -> Failed {
        Failed::Because(error.to_string())
    }
}

fn failed(error: EngineError) -> Failed {
    match error {
        EngineError::Stopped => Failed::Cancelled,
        error => error.into(),
    }
}

fn fault(error: Fault) -> Failed {
    match error {
        Fault::Bench(BenchError::Stopped { .. }) => Failed::Cancelled,
        error => format!("the core differs from the model: {error}").into(),
    }
}

/// Says something on the way to the answer.
pub type Say<'a> = &'a mut dyn FnMut(Value);

/// The turn at an engine that there is once, unless the request is given up before.
fn wait_for(turn: Arc<Mutex<()>>, cancel: &Cancel) -> Result<OwnedMutexGuard<()>, Failed> {
    loop {
        if cancel.is_set() {
            return Err(Failed::Cancelled);
        }
        if let Ok(guard) = turn.clone().try_lock_owned() {
            return Ok(guard);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a request of an engine needs.
struct Asked {
    place: Place,
    engine: Box<dyn Engine>,
    levels: usize,
    /// Goes after the engine has gone.
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Asked {
    fn new(backends: &dyn Backends, search: &Search, cancel: &Cancel) -> Result<Asked, Failed> {
        let place = Place::of(backends, &search.at)?;
        let known = backends.offers().into_iter().any(|offer| offer.name == search.engine);
        if !known {
            return Err(format!("no engine {:?} here", quoted(&search.engine)).into());
        }
        let turn = backends.turn(&search.engine).map(|turn| wait_for(turn, cancel)).transpose()?;
        let engine = backends.open(&search.engine, &place.config)?;
        cancel.reach(engine.as_ref());
        let levels = search.levels.unwrap_or_else(|| engine.levels());
        let built = engine.deepest();
        if levels == 0 || (built > 1 && levels > built) {
            return Err(failed(EngineError::Levels { asked: levels, built }));
        }
        Ok(Asked { place, engine, levels, _turn: turn })
    }

    /// The search of a position with so many levels.
    fn search(&mut self, moves: &[Cell], levels: usize) -> Result<Value, Failed> {
        self.engine.set_position(moves).map_err(failed)?;
        let begin = Instant::now();
        let found = self.engine.search(Some(levels)).map_err(failed)?;
        Ok(json!({
            "type": "move", "cell": found.cell.map(|cell| self.place.cell(cell)), "score": found.score,
            "decided": self.engine.decided(found.score), "nodes": found.nodes, "cycles": found.cycles,
            "seconds": begin.elapsed().as_secs_f64(), "levels": levels, "engine": self.engine.name(),
        }))
    }
}

/// A move.
pub fn search(backends: &dyn Backends, search: &Search, cancel: &Cancel) -> Result<Value, Failed> {
    let mut asked = Asked::new(backends, search, cancel)?;
    let moves = asked.place.moves().to_vec();
    asked.search(&moves, asked.levels)
}

fn worth(worth: Worth) -> Value {
    json!({ "score": worth.score, "decided": worth.decided })
}

/// What an engine thinks of a position.
pub fn analyse(
    backends: &dyn Backends,
    search: &Search,
    best: usize,
    cancel: &Cancel,
    say: Say,
) -> Result<Value, Failed> {
    let Asked { place, mut engine, levels, _turn } = Asked::new(backends, search, cancel)?;
    let cell = |cell: Cell| place.cell(cell);
    if place.position.is_over() {
        return Ok(json!({ "type": "analysis", "moves": [], "line": [] }));
    }
    let mut solver = Solver { engine: engine.as_mut(), tables: place.tables.clone() };
    let solution = solver.solve(place.moves(), levels, best.clamp(1, 20), &mut |iteration| {
        let Iteration { levels, cell: to, worth: of, decision, time } = iteration;
        say(json!({
            "type": "iteration", "levels": levels, "cell": cell(*to), "worth": worth(*of), "nodes": decision.nodes,
            "cycles": decision.cycles, "seconds": time.as_secs_f64(),
        }));
    });
    let solution = solution.map_err(failed)?;
    let moves: Vec<Value> =
        solution.moves.iter().map(|(to, of)| json!({ "cell": cell(*to), "worth": worth(*of) })).collect();
    let line: Vec<String> = solution.line.iter().map(|&to| cell(to)).collect();
    let outranked = solution.outranked().then(|| why_outranked(engine.keeps_contract()));
    let rule = place.moves().is_empty().then_some(FIRST_MOVE);
    Ok(json!({ "type": "analysis", "moves": moves, "line": line, "outranked": outranked, "rule": rule }))
}

/// What every position of a game is worth to the first side.
pub fn graph(backends: &dyn Backends, search: &Search, cancel: &Cancel, say: Say) -> Result<Value, Failed> {
    let mut asked = Asked::new(backends, search, cancel)?;
    let moves = asked.place.moves().to_vec();
    let levels = asked.levels;
    for ply in 0..=moves.len() {
        if cancel.is_set() {
            return Err(Failed::Cancelled);
        }
        let position = Position::from_moves(&asked.place.tables, &moves[..ply])?;
        // A score is for who moves; the graph for who began.
        let sign = if ply % 2 == 0 { 1 } else { -1 };
        let (score, decided) = match position.winner() {
            Some(winner) => (0, Some(if winner == 0 { 1 } else { -1 })),
            None => {
                let found = asked.search(&moves[..ply], levels)?;
                let number = |key: &str| found[key].as_i64();
                (sign * number("score").unwrap_or(0), number("decided").map(|plies| sign * plies))
            }
        };
        say(json!({ "type": "point", "ply": ply, "score": score, "decided": decided }));
    }
    Ok(json!({ "type": "done" }))
}

/// A position that a core is to search, and with how many levels.
fn searched(backends: &dyn Backends, at: &At, levels: Option<usize>) -> Result<(Place, usize), Failed> {
    let place = Place::of(backends, at)?;
    let built = place.config.levels;
    let levels = levels.unwrap_or(built);
    if !(1..=built).contains(&levels) {
        return Err(failed(EngineError::Levels { asked: levels, built }));
    }
    if place.position.is_over() {
        return Err("the game of this position is over: there is nothing to search".to_string().into());
    }
    Ok((place, levels))
}

/// A session that ends with the request.
fn session(place: &Place, model: &'static cosim::Model, traced: bool, cancel: &Cancel) -> Session {
    let mut session = Session::new(model, &place.config, traced, BenchOptions::unstalled(1));
    let stop = Stop::default();
    cancel.reach_stop(&stop);
    session.bench().stop_by(Some(stop));
    session
}

/// A search of the simulated core, clock by clock.
pub fn recording(
    backends: &dyn Backends,
    at: &At,
    levels: Option<usize>,
    cancel: &Cancel,
) -> Result<Value, Failed> {
    let (place, levels) = searched(backends, at, levels)?;
    let mut session = session(&place, model(&place.config, Kind::TracedCore)?, true, cancel);
    let begin = Instant::now();
    let recording = record(&mut session, place.moves(), levels).map_err(fault)?;
    Ok(json!({
        "type": "recording", "recording": object(&recording, &place.config), "seconds": begin.elapsed().as_secs_f64(),
    }))
}

/// What the model says of a node.
pub fn node(backends: &dyn Backends, at: &At, path: &str, remaining: Remaining) -> Result<Value, Failed> {
    let root = Place::of(backends, at)?;
    let path = parse_game(path, 1, &root.tables.geometry)?;
    let position = Position::from_moves(&root.tables, &[root.moves(), &path].concat())?;
    let found = evaluate(&position, remaining);
    let best = found.best;
    let moves: Vec<Value> =
        ordered_moves(&position).iter().map(|picked| json!([picked.cell, picked.gain])).collect();
    Ok(json!({
        "type": "node", "outcome": found.outcome.name(),
        "best": best.map(|best| best.cell), "gain": best.map(|best| best.gain),
        "makes_four": best.map(|best| best.makes_four), "leaf_value": found.leaf_value,
        "potential": found.potential, "moves": moves,
    }))
}

/// A waveform of a search, and where to look in it.
pub fn waveform(
    backends: &dyn Backends,
    waveforms: &Waveforms,
    at: &At,
    levels: Option<usize>,
    clock: u64,
    cancel: &Cancel,
) -> Result<Value, Failed> {
    let (place, levels) = searched(backends, at, levels)?;
    let simulated = with_waves(&place.config, Kind::TracedCore, Waves::Fst)?;
    let mut session = session(&place, simulated, true, cancel);
    // A hang would fill the disk.
    session.set_limit(WAVE_CYCLES);
    let write = |folder: &Path| -> Result<(Vec<String>, u64), Failed> {
        let file = folder.join("search.fst");
        let recording = record_with_waves(&mut session, place.moves(), levels, &file).map_err(fault)??;
        let cycle = recording.begin + clock.min(recording.clocks.len() as u64);
        write_views(&file, &Layout::new(&place.config), Some(cycle))?;
        Ok((Waveforms::files(folder), cycle))
    };
    let (name, (files, cycle)) = waveforms.add(write)?;
    Ok(json!({
        "type": "waveform", "name": name, "files": files, "cycle": cycle,
        "picoseconds": cycle * cosim::dut::period_ps(&place.config),
    }))
}

/// The core against software in this position.
pub fn measure(
    backends: &dyn Backends,
    at: &At,
    levels: Option<usize>,
    cancel: &Cancel,
) -> Result<Value, Failed> {
    let (place, levels) = searched(backends, at, levels)?;
    let mut session = session(&place, model(&place.config, Kind::Core)?, false, cancel);
    let cost = search_cost(&mut session, place.moves(), levels).map_err(fault)?;
    let interval = evaluator::interval(&Layout::new(&place.config)) as u64;
    let row = Row { config: place.config.clone(), levels };
    let starved = cost.starved(interval);
    let hardware = Hardware { costs: vec![cost.clone()], interval, occupancy: None };
    let position = [place.moves().to_vec()];
    let timed = software::measure(&row, &position, &hardware, true, &|_, _, _| {})?;
    let software: Vec<Value> = timed
        .iter()
        .map(|of| {
            json!({
                "engine": of.engine, "algorithm": of.algorithm, "threads": of.threads, "seconds": of.seconds[0],
                "nodes": of.nodes[0],
            })
        })
        .collect();
    let minimax = minimax::nodes(&mut place.position.clone(), levels, MOST_MINIMAX);
    Ok(json!({
        "type": "measured", "minimax": minimax, "most_minimax": MOST_MINIMAX, "levels": levels, "cycles": cost.cycles, "passes": cost.passes, "orders": cost.orders,
        "cancelled": cost.cancelled, "nodes": cost.nodes, "clock_mhz": place.config.clock_mhz,
        "waits": {
            "order": cost.waits_order, "first child": cost.waits_first, "context": cost.waits_context,
            "miss": cost.misses, "results": starved,
        },
        "software": software,
    }))
}
