// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line of tengen. Exit code 0: good; 1: a fault was found; 2: bad usage or input.

#[cfg_attr(not(feature = "simulate"), allow(dead_code))]
mod clock;
mod cmd;
mod configs;
#[cfg(feature = "simulate")]
mod curves;
mod drawing;
#[cfg(feature = "simulate")]
mod explore;
mod faces;
#[cfg(all(feature = "simulate", unix))]
mod latency;
mod learned;
mod lines;
#[cfg(feature = "simulate")]
mod measure;
mod opponent;
#[cfg(feature = "simulate")]
mod points;
mod program;
mod recorded;
#[cfg(feature = "simulate")]
mod series_page;
mod series_report;
mod sides;
mod software;
mod solve;
#[cfg(feature = "simulate")]
mod targets;
#[cfg(all(feature = "simulate", unix))]
mod virtual_board;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Gomoku search engine as an FPGA IP core: generate it, co-simulate it against its model, measure and match it.
#[derive(Parser)]
#[command(name = "tengen", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Write the IP core of a configuration as Verilog-2001
    Generate(cmd::generate::Arguments),
    /// Play games with the simulated RTL in lockstep with the model
    #[cfg(feature = "simulate")]
    Cosim(cmd::cosim::Arguments),
    /// Measure the core against software on the same positions: cycles, lost clocks, speed-up
    #[cfg(feature = "simulate")]
    Measure(cmd::measure::Arguments),
    /// Measure what a search costs against levels, contexts, board and moves; draw it
    #[cfg(feature = "simulate")]
    Curves(cmd::curves::Arguments),
    /// Sweep parameters: cycles per move against area, what nothing beats marked
    #[cfg(feature = "simulate")]
    Explore(cmd::explore::Arguments),
    /// Compare our answers with the original core's from its own test bench
    #[cfg(feature = "simulate")]
    Original(cmd::original::Arguments),
    /// Synthesise the IP core: what it takes of an Artix-7 and its longest paths
    Area(cmd::area::Arguments),
    /// Read Vivado's utilisation and timing reports as the same figures
    Report(cmd::report::Arguments),
    /// Play a match between two engines: score and Elo with interval
    Match(cmd::r#match::Arguments),
    /// Play in the terminal against an engine: the model, the simulated core, a board on a port
    Play(cmd::play::Arguments),
    /// Play for a Gomocup (Piskvork) manager: its commands on standard input, ours on standard output
    Brain(cmd::brain::Arguments),
    /// Look at a position with an engine: best moves, scores, how the game would go on
    Solve(cmd::solve::Arguments),
    /// Tell in how many won positions an engine's move keeps a win that a deeper search proves
    Tactics(cmd::tactics::Arguments),
    /// Judge openings: how even they are, and the most even ones of a list
    Openings(cmd::openings::Arguments),
    /// Show what pvs has learnt from the games it lost
    Learn(cmd::learn::Arguments),
    /// Start a virtual board: the firmware on a simulated SoC around the simulated core, behind a pseudo-terminal
    #[cfg(all(feature = "simulate", unix))]
    Board(cmd::board::Arguments),
    /// Build the firmware for wujian100
    Firmware(cmd::firmware::Arguments),
    /// Tell where a slot is in wujian100's address map, and the line that mounts the engine there
    Slot(cmd::slot::Arguments),
    /// List the configurations and their parameters
    Configs(cmd::configs::Arguments),
}

/// What a command found.
pub enum Found {
    /// Everything as it should be.
    Nothing,
    /// A fault; it has been reported.
    Fault,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // --help and --version arrive here too; both print to the right stream by themselves.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let result = match cli.verb {
        Verb::Generate(arguments) => cmd::generate::run(&arguments),
        #[cfg(feature = "simulate")]
        Verb::Cosim(arguments) => cmd::cosim::run(&arguments),
        #[cfg(feature = "simulate")]
        Verb::Measure(arguments) => cmd::measure::run(&arguments),
        #[cfg(feature = "simulate")]
        Verb::Curves(arguments) => cmd::curves::run(&arguments),
        #[cfg(feature = "simulate")]
        Verb::Explore(arguments) => cmd::explore::run(&arguments),
        #[cfg(feature = "simulate")]
        Verb::Original(arguments) => cmd::original::run(&arguments),
        Verb::Area(arguments) => cmd::area::run(&arguments),
        Verb::Report(arguments) => cmd::report::run(&arguments),
        Verb::Match(arguments) => cmd::r#match::run(&arguments),
        Verb::Play(arguments) => cmd::play::run(&arguments),
        Verb::Brain(arguments) => cmd::brain::run(&arguments),
        Verb::Solve(arguments) => cmd::solve::run(&arguments),
        Verb::Tactics(arguments) => cmd::tactics::run(&arguments),
        Verb::Openings(arguments) => cmd::openings::run(&arguments),
        Verb::Learn(arguments) => cmd::learn::run(&arguments),
        #[cfg(all(feature = "simulate", unix))]
        Verb::Board(arguments) => cmd::board::run(&arguments),
        Verb::Firmware(arguments) => cmd::firmware::run(&arguments),
        Verb::Slot(arguments) => cmd::slot::run(&arguments),
        Verb::Configs(arguments) => cmd::configs::run(&arguments),
    };
    match result {
        Ok(Found::Nothing) => ExitCode::SUCCESS,
        Ok(Found::Fault) => ExitCode::from(1),
        // A reader that has gone away (`tengen configs | head`) is not an error of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
