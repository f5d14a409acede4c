// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen measure`: hardware against software.

use crate::board_line::{LineArguments, reached};
use crate::configs::{AtLevels, MAIN, load};
use crate::found::Found;
use crate::opponent::held;
use crate::others;
use crate::progress::{Progress, tell};
use crate::shipped::MIDGAME;
use crate::written;
use anyhow::{Context, bail};
use arena::games;
use boards::board::of_digest;
use cosim::Kind;
use cosim::models::model;
use driver::BoardError;
use driver::board::Board;
use driver::engine::AnyBoard;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};
use figures::clock::Clock;
use figures::number::{count, time};
use lab::measure::board::{self, OnBoardError};
use lab::measure::hardware::{self, Hardware};
use lab::measure::machine::Machine;
use lab::measure::{
    MeasureFault, Progress as MeasureProgress, Report, Row, beside, html, json, judge, table,
};
use lab::points::positions as made;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The further searches of a run of the main configuration.
const FURTHER: [&str; 3] = ["gomoku15-deep@6", "gomoku15-deep@8", "gomoku15-deep10@10"];
const MIDGAME_FILE: &str = "positions/midgame_120.txt";
/// Columns and rows of its board.
const MIDGAME_BOARD: (usize, usize) = (15, 15);

/// Arguments of `measure`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration: a name (see `tengen configs`) or a .toml file; without it the one that the board of --board holds, or gomoku15
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// Positions, one per line, as moves from the empty board; without it the frozen set positions/midgame_120.txt, and on boards that are not
    /// 15 x 15 as many as can be made by the model's play against itself, 120 at most
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Measure only the first N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Searches to measure; without it the configuration with all its levels and, if that is gomoku15 and no board is measured, also
    /// gomoku15-deep@6, gomoku15-deep@8 and gomoku15-deep10@10
    #[arg(long, value_name = "CONFIG@LEVELS", num_args = 1..)]
    levels: Vec<String>,
    /// Clock frequency of the core besides 20 and 100 MHz, for example 50MHz; without it the configuration's clock_mhz
    #[arg(long, value_name = "CLOCK")]
    clock: Option<Clock>,
    /// Measure the core of the board on this port instead of the simulated core, at the clock frequency that the board reports
    #[arg(long, value_name = "PORT", conflicts_with = "clock")]
    board: Option<String>,
    #[command(flatten)]
    line: LineArguments,
    /// Write a self-contained report with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Leave out the naive engine, which takes a large part of a second per position
    #[arg(long)]
    no_naive: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let connect =
        || arguments.board.as_deref().map(|port| reached(port, &arguments.line.framed())).transpose();
    // The board is asked first only where it decides what is measured.
    let (named, mut found) = match &arguments.config {
        Some(named) => (named.clone(), None),
        None => match connect()? {
            Some(board) => (held(&board)?.name, Some(board)),
            None => (MAIN.to_string(), None),
        },
    };
    let config = load(&named)?;
    let rows = rows(arguments, &named, &config)?;
    let (positions_source, positions) = positions(arguments, &config)?;
    if found.is_none() {
        found = connect()?;
    }
    if let Some(board) = &found {
        board.must_hold(&rows[0].config)?;
    }
    if let Some(file) = &arguments.html {
        std::fs::write(file, "").with_context(|| format!("cannot write {}", file.display()))?;
    }
    // The targets speak of the main configuration on all of the frozen set.
    let judged = named == MAIN && arguments.positions.is_none() && arguments.limit.is_none();
    let naive = !arguments.no_naive;
    let bar = Progress::counted(positions.len() as u64, "positions");
    let progress = |row: &str, by: &str, done: usize| {
        bar.say(format!("{row}: {by}"));
        bar.set(done as u64);
    };
    // Of a simulated core, which has none.
    let assumed = arguments.clock.unwrap_or(Clock::mhz(config.clock_mhz.into()));
    let (mut before, mut others_used) = (None, None);
    let mut timing = |begins| match begins {
        true => before = others::now(),
        false => others_used = others::cores_since(before),
    };
    let (measured, board, simulator) = match found {
        Some(found) => {
            let (row, mut board) = on_board(arguments, found, rows)?;
            let design = board.hardware().and_then(|hardware| of_digest(hardware.board));
            let name = design.map_or_else(|| board.name(), String::from);
            let measured = board::measure(&row, &mut board, name, &positions, &progress);
            let (hardware, board) = match measured {
                Ok(measured) => measured,
                Err(OnBoardError::Fault(fault)) => return told(arguments, &config, &fault),
                Err(OnBoardError::Board(error)) => return Err(error.into()),
            };
            let measured = beside(vec![(row, hardware)], &positions, naive, &progress, &mut timing);
            (measured, Some(board), String::new())
        }
        None => {
            let watched = arguments.html.is_some() || arguments.json;
            let (rows, simulator) = match simulated(&rows, &positions, watched, assumed, &progress)? {
                Ok(simulated) => simulated,
                Err(fault) => return told(arguments, &config, &fault),
            };
            (beside(rows, &positions, naive, &progress, &mut timing), None, simulator)
        }
    };
    let mut machine = Machine::this(std::fs::read_to_string("/proc/cpuinfo").ok().as_deref(), simulator);
    machine.others = others_used;
    let clock = board.as_ref().map_or(assumed, |board| board.clock);
    drop(bar);
    if machine.disturbed() {
        say!(
            "warning: other processes used {:.1} cores while the software was timed: its times say little",
            machine.others.unwrap_or_default()
        );
    }
    let mut out = std::io::stdout().lock();
    let rows = match measured {
        Ok(rows) => rows,
        Err(fault) => {
            drop(out);
            return told(arguments, &config, &fault);
        }
    };
    let report = Report {
        config: config.name,
        positions_source,
        origin: written::origin(&command(arguments, &named)),
        positions: positions.len(),
        clock,
        targets: if judged { judge(&rows) } else { Vec::new() },
        rows,
        machine,
        board,
    };
    if let Some(file) = &arguments.html {
        written::file(file, html::page(&report))?;
    }
    if arguments.json {
        writeln!(out, "{}", json::object(&report))?;
    } else {
        write!(out, "{}", table::text(&report))?;
    }
    Ok(Found::Nothing)
}

/// A disagreement, told; what was measured so far is worth nothing.
fn told(arguments: &Arguments, config: &Config, fault: &MeasureFault) -> anyhow::Result<Found> {
    let (text, mut out) = (fault.to_string(), std::io::stdout().lock());
    if arguments.json {
        writeln!(out, "{}", json!({ "config": config.name, "mismatches": 1, "fault": text }))?;
    } else {
        writeln!(out, "fault: {text}")?;
    }
    Ok(Found::Fault)
}

/// The board that was found, and what is to be searched on it.
fn on_board(arguments: &Arguments, found: AnyBoard, mut rows: Vec<Row>) -> anyhow::Result<(Row, Board)> {
    if !arguments.levels.is_empty() && rows.len() > 1 {
        bail!("--levels names {} searches: a board holds one core, name one", rows.len());
    }
    let row = rows.remove(0);
    match found {
        AnyBoard::Framed(board) => Ok((row, board)),
        AnyBoard::Original(_) => Err(BoardError::Original { what: "tell counters" }.into()),
    }
}

fn rows(arguments: &Arguments, named: &str, config: &Config) -> anyhow::Result<Vec<Row>> {
    let mut asked: Vec<&str> = arguments.levels.iter().map(String::as_str).collect();
    if asked.is_empty() {
        asked.push(named);
        if named == MAIN && arguments.board.is_none() {
            asked.extend(FURTHER);
        }
    }
    let board = |config: &Config| (config.columns, config.rows, config.in_a_row);
    let row = |text: &str| {
        let AtLevels { config: asked, levels, .. } =
            AtLevels::parse(text).with_context(|| format!("--levels {text}"))?;
        let row = Row { levels: levels.unwrap_or(asked.levels), config: asked };
        if board(&row.config) != board(config) {
            bail!("--levels {text}: plays another game than {}", config.name);
        }
        Ok(row)
    };
    asked.into_iter().map(row).collect()
}

/// The positions that are searched, and where they are from.
fn positions(arguments: &Arguments, config: &Config) -> anyhow::Result<(String, Vec<Vec<Cell>>)> {
    let limit = arguments.limit.map_or(usize::MAX, |limit| limit as usize);
    let (name, text) = match &arguments.positions {
        None if (config.columns, config.rows) != MIDGAME_BOARD => {
            let positions = made::at_most(config, limit.min(made::COUNT));
            if positions.is_empty() {
                bail!(
                    "no position can be made on a board of {} x {}: name some with --positions",
                    config.columns,
                    config.rows
                );
            }
            let source = format!("{} positions of the model's play against itself", positions.len());
            return Ok((source, positions));
        }
        None => {
            let name = format!("{MIDGAME_FILE} (--positions names positions of another game)");
            (name, MIDGAME.to_string())
        }
        Some(file) => {
            let name = file.display().to_string();
            let text = crate::reading::named(file, "")?;
            (name, text)
        }
    };
    let mut positions = games::parse(&text, &config.geometry()).with_context(|| name.clone())?;
    if positions.is_empty() {
        bail!("{name} holds no position");
    }
    let tables = Tables::new(config);
    for (index, moves) in positions.iter().enumerate() {
        let position = Position::from_moves(&tables, moves)
            .with_context(|| format!("{name}: position {}", index + 1))?;
        if position.is_over() {
            bail!("{name}: position {} has ended: nothing is left to search", index + 1);
        }
    }
    positions.truncate(limit);
    let source = arguments.positions.as_ref();
    Ok((source.map_or_else(|| MIDGAME_FILE.into(), |file| file.display().to_string()), positions))
}

/// Rows with what the core takes for them, and the simulator.
type Simulated = (Vec<(Row, Hardware)>, String);

/// Measures the simulated core row by row. The first is compiled first, and its figures are told before the next one is compiled; what only
/// page and object show, a search clock by clock in the core with trace outputs, comes last.
fn simulated(
    rows: &[Row],
    positions: &[Vec<Cell>],
    watched: bool,
    clock: Clock,
    progress: MeasureProgress,
) -> anyhow::Result<Result<Simulated, MeasureFault>> {
    let mut measured = Vec::new();
    let mut simulator = String::new();
    for row in rows {
        let shipped = model(&row.config, Kind::Core)?;
        simulator.clone_from(&shipped.simulator);
        let hardware = match hardware::measure(row, shipped, positions, progress) {
            Ok(hardware) => hardware,
            Err(fault) => return Ok(Err(fault)),
        };
        let mean = hardware.cycles().mean;
        tell(&format!(
            "{}: {} cycles a search, {} at {clock}",
            row.label(),
            count(mean),
            time(clock.seconds(mean))
        ));
        measured.push((row.clone(), hardware));
    }
    for (row, hardware) in measured.iter_mut().filter(|_| watched) {
        let traced = model(&row.config, Kind::TracedCore)?;
        match hardware::watch(row, traced, hardware, positions) {
            Ok(occupancy) => hardware.occupancy = Some(occupancy),
            Err(fault) => return Ok(Err(fault)),
        }
    }
    Ok(Ok((measured, simulator)))
}

/// The command that gives this report.
fn command(arguments: &Arguments, named: &str) -> String {
    let mut command = format!("./tengen measure --config {named}");
    if let Some(file) = &arguments.positions {
        command.push_str(&format!(" --positions {}", file.display()));
    }
    if let Some(limit) = arguments.limit {
        command.push_str(&format!(" --limit {limit}"));
    }
    if !arguments.levels.is_empty() {
        command.push_str(&format!(" --levels {}", arguments.levels.join(" ")));
    }
    if let Some(clock) = arguments.clock {
        command.push_str(&format!(" --clock {}Hz", clock.hz));
    }
    if let Some(port) = &arguments.board {
        command.push_str(&format!(" --board {port}{}", arguments.line.told()));
    }
    if arguments.no_naive {
        command.push_str(" --no-naive");
    }
    command
}
