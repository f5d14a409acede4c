// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen board`: a virtual board on a pseudo-terminal.

use super::firmware::Target;
use crate::boards::Chosen;
use crate::configs::load;
use crate::found::Found;
use crate::progress::Progress;
use crate::reading;
use crate::shipped;
use anyhow::{Context, bail};
use arena::games;
use boards::circuits::link::gap_clocks;
use cosim::Kind;
use cosim::bus::attached::AttachedSlot;
use cosim::line::{Line, serve as serve_line};
use cosim::models::model;
use engine_model::named::MAIN;
use engine_model::{Cell, Config};
use figures::clock::USUAL;
use serde_json::json;
use soc_integration::Face;
use soc_integration::firmware::{Options, build};
use soc_integration::soc::terminal::{Terminal, serve};
use soc_integration::soc::{Pace, Soc, latency};
use soc_integration::wujian100::rate;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `board`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration of the core: a name (see `tengen configs`) or a .toml file; else gomoku15, or the one that fits --board
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// Instead of the SoC, the top level of a board without a processor (see `tengen boards`), clock by clock at its pins
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["slot", "clock", "baud_exact", "false_start", "firmware", "latency"])]
    board: Option<String>,
    #[command(flatten)]
    target: Target,
    /// Let bytes take on the line what they take at the firmware's rate, and run no faster than real time
    #[arg(long)]
    baud_exact: bool,
    /// Let the UART hear a byte that nobody sent as it starts, as wujian100's does now and then
    #[arg(long)]
    false_start: bool,
    /// Make a symbolic link to the pseudo-terminal, so that its path stays the same from start to start
    #[arg(long, value_name = "PATH")]
    link: Option<PathBuf>,
    /// Run this firmware (tengen.bin) instead of building one
    #[arg(long, value_name = "FILE")]
    firmware: Option<PathBuf>,
    /// Start no board: tell where the time of a move goes on it, over the first N positions of --positions
    #[arg(long, value_name = "N", conflicts_with_all = ["baud_exact", "link", "firmware"])]
    latency: Option<usize>,
    /// Positions for --latency, one per line; else the frozen set of 15 x 15
    #[arg(long, value_name = "FILE", requires = "latency")]
    positions: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Positions for `--latency`: those named, else the frozen set.
fn positions(arguments: &Arguments, config: &Config, count: usize) -> anyhow::Result<Vec<Vec<Cell>>> {
    let (text, source) = match &arguments.positions {
        Some(file) => (reading::named(file, "")?, file.display().to_string()),
        None => (shipped::MIDGAME.to_string(), "the frozen set".to_string()),
    };
    let mut positions = games::parse(&text, &config.geometry())
        .with_context(|| format!("{source}: name positions of this board with --positions"))?;
    positions.truncate(count);
    Ok(positions)
}

/// `--latency`.
fn measure_latency(
    arguments: &Arguments,
    config: &Config,
    options: Options,
    count: usize,
) -> anyhow::Result<Found> {
    let positions = positions(arguments, config, count)?;
    let folder = firmware_folder();
    let slot = Box::new(AttachedSlot::new(model(config, Kind::Slot(Face::Ahb))?, Face::Ahb, 1));
    let bar = Progress::counted(positions.len() as u64, "positions");
    let found = latency::measure(slot, config, options, &folder, &positions, |done| bar.set(done as u64));
    drop(bar);
    let _ = std::fs::remove_dir_all(&folder);
    let found = found?;
    let mut clocks: Vec<u32> = USUAL.iter().map(|clock| clock.hz as u32).collect();
    if !clocks.contains(&options.clock_hz) {
        clocks.push(options.clock_hz);
    }
    let (table, interrupts) = (found.table(&clocks), found.interrupts());
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let object = json!({
            "config": config.name, "slot": options.slot, "positions": found.positions(), "stack": found.stack(),
            "interrupts": {
                "taken": interrupts.taken, "longest_wait": interrupts.longest_wait,
                "longest_handler": interrupts.longest_handler,
            },
            "table": { "title": table.title, "head": table.head, "rows": table.rows },
        });
        writeln!(out, "{object}")?;
        return Ok(Found::Nothing);
    }
    writeln!(out, "{} on the virtual board, slot {}", config.name, options.slot)?;
    write!(out, "{}", table.text())?;
    writeln!(out, "\n{}", found.notes())?;
    Ok(Found::Nothing)
}

fn firmware_folder() -> PathBuf {
    std::env::temp_dir().join(format!("tengen-firmware-{}", std::process::id()))
}

/// The top level of a board without a processor.
fn run_top(arguments: &Arguments, board: &str) -> anyhow::Result<Found> {
    let chosen = Chosen::new(board, arguments.config.as_deref(), arguments.target.baud)?;
    let (board, baud, clock_hz) = (&chosen.board, chosen.baud, chosen.board.core_hz());
    let model = cosim::models::board(board, &chosen.config, baud)?;
    let mut line = Line::new(model, clock_hz, baud, 1);
    if let Some(pin) = &board.reset {
        line.input("reset", pin.active_low.into());
    }
    let mut terminal = Terminal::open(arguments.link.as_deref())?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let object = json!({
            "path": terminal.path(), "config": chosen.config.name, "board": board.name, "clock_hz": clock_hz, "baud": baud,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{}", terminal.path())?;
    }
    out.flush()?;
    say!(
        "board: {} on {}, {clock_hz} Hz, {baud} baud; try `./tengen play --engine {} --config {} --patience 10`; Ctrl-C stops it",
        chosen.config.name,
        board.title,
        terminal.path(),
        chosen.config.name
    );
    let stopped = Arc::new(AtomicBool::new(false));
    let stopper = stopped.clone();
    ctrlc::set_handler(move || stopper.store(true, Ordering::Relaxed))?;
    let dark = board.busy.as_ref().is_some_and(|pin| pin.active_low);
    let rests = |line: &Line| board.busy.is_none() || (line.output("busy") == 1) == dark;
    let silence = 2 * gap_clocks(clock_hz);
    serve_line(&mut line, &mut terminal, silence, rests, || stopped.load(Ordering::Relaxed))?;
    Ok(Found::Nothing)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    if let Some(board) = &arguments.board {
        return run_top(arguments, board);
    }
    let config = load(arguments.config.as_deref().unwrap_or(MAIN))?;
    // What was asked for wrongly is said before anything is built.
    let options = arguments.target.options()?;
    if let Some(count) = arguments.latency {
        return measure_latency(arguments, &config, options, count);
    }
    let program = match &arguments.firmware {
        Some(file) => std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?,
        None => {
            let folder = firmware_folder();
            let image = build(&folder, options);
            let _ = std::fs::remove_dir_all(&folder);
            image?.bytes
        }
    };
    let room = soc_integration::wujian100::ISRAM.1 as usize;
    if program.len() > room {
        bail!("the firmware has {} bytes; the instruction SRAM has {room}", program.len());
    }
    let pace = if arguments.baud_exact { Pace::Exact } else { Pace::Fast };
    let slot = Box::new(AttachedSlot::new(model(&config, Kind::Slot(Face::Ahb))?, Face::Ahb, 1));
    let mut soc = Soc::new(&program, slot, options.slot, pace);
    if arguments.false_start {
        soc = soc.starting_falsely();
    }
    let mut terminal = Terminal::open(arguments.link.as_deref())?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let object = json!({
            "path": terminal.path(), "config": config.name, "slot": options.slot, "clock_hz": options.clock_hz,
            "baud": options.baud, "baud_exact": arguments.baud_exact,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{}", terminal.path())?;
    }
    out.flush()?;
    say!(
        "board: {} in slot {}, {} Hz; try `./tengen play --engine {}`; Ctrl-C stops it",
        config.name,
        options.slot,
        options.clock_hz,
        terminal.path()
    );
    if arguments.baud_exact {
        // The firmware names its divider when it has started.
        soc.run(100_000, 0);
        say!("board: {:.0} baud on the line", rate(options.clock_hz, soc.divider()));
    }
    let stopped = Arc::new(AtomicBool::new(false));
    let stopper = stopped.clone();
    ctrlc::set_handler(move || stopper.store(true, Ordering::Relaxed))?;
    serve(
        &mut soc,
        &mut terminal,
        options.clock_hz,
        arguments.baud_exact,
        |trap| say!("board: {trap}"),
        || stopped.load(Ordering::Relaxed),
    )?;
    Ok(Found::Nothing)
}
