// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line of tengen. Exit code 0: good; 1: a fault was found; 2: bad usage or input.

/// A line on standard error. Whoever closes that does not want to read: nothing fails for it, where the standard macro would panic.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod board_line;
mod boards;
mod cmd;
mod compiling;
mod configs;
mod faces;
mod found;
mod opponent;
mod others;
mod points;
mod progress;
mod reading;
mod shipped;
mod sides;
mod slurm;
mod software;
mod verbs;
mod written;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use found::Found;
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
    Cosim(cmd::cosim::Arguments),
    /// Run a plan of lockstep games (configurations with changes, seeds, faces, back pressure) and report the results; an interrupted run resumes
    Regress(cmd::regress::Arguments),
    /// Run a verb and keep its results, with commit, date, machine and core, for the documents that quote them
    Record(cmd::record::Arguments),
    /// Measure the core against software on the same positions: cycles, stalls by cause, speed-up
    Measure(cmd::measure::Arguments),
    /// Measure and plot the cost of a search against levels, contexts, board size and number of moves
    Curves(cmd::curves::Arguments),
    /// Sweep parameters: cycles per move against area, with the Pareto front
    Explore(cmd::explore::Arguments),
    /// Compare tengen's answers with those of the wujian100 core of Wang and Chen in that core's own test bench
    Original(cmd::original::Arguments),
    /// Synthesise the IP core: the Artix-7 resources that it takes, and its longest paths
    Area(cmd::area::Arguments),
    /// Print the figures of `area` from Vivado's utilisation and timing reports
    Report(cmd::report::Arguments),
    /// Play a match between two engines: score and Elo with interval
    Match(cmd::r#match::Arguments),
    /// Play in the terminal against an engine: the model, the simulated core, a board on a port
    Play(cmd::play::Arguments),
    /// Play for a Gomocup (Piskvork) manager: its commands come on standard input, the answers go to standard output
    Brain(cmd::brain::Arguments),
    /// Analyse a position with an engine: best moves, scores, expected continuation
    Solve(cmd::solve::Arguments),
    /// Count the won positions in which an engine's move keeps a win that a deeper search proves
    Tactics(cmd::tactics::Arguments),
    /// Judge how even openings are, and choose the most even ones of a list
    Openings(cmd::openings::Arguments),
    /// Show what pvs has learnt from the games it lost
    Learn(cmd::learn::Arguments),
    /// Start a virtual board: the firmware on a simulated SoC around the simulated core, behind a pseudo-terminal
    #[cfg(unix)]
    Board(cmd::board::Arguments),
    /// List the boards that a whole design can be generated for
    Boards(cmd::boards::Arguments),
    /// Build the firmware for wujian100
    Firmware(cmd::firmware::Arguments),
    /// Show where a bus slot is in wujian100's address map, and the line that mounts the engine there
    Slot(cmd::slot::Arguments),
    /// List the configurations and their parameters
    Configs(cmd::configs::Arguments),
    /// List or remove the compiled simulations: each is compiled when a run first asks for it, and kept
    Models(cmd::models::Arguments),
    /// Serve a page on which to play, to analyse, and to watch the core search
    Web(cmd::web::Arguments),
    /// Print a script with which a shell completes tengen's verbs and options
    Completions(cmd::completions::Arguments),
    /// Print tengen's manual page, or write one for each verb
    Manual(cmd::completions::ManualArguments),
}

fn main() -> ExitCode {
    let matches = verbs::grouped(Cli::command()).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // --help and --version arrive here too; both print to the right stream by themselves.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    compiling::show();
    let result = match cli.verb {
        Verb::Generate(arguments) => cmd::generate::run(&arguments),
        Verb::Cosim(arguments) => cmd::cosim::run(&arguments),
        Verb::Regress(arguments) => cmd::regress::run(&arguments),
        Verb::Record(arguments) => cmd::record::run(&arguments),
        Verb::Measure(arguments) => cmd::measure::run(&arguments),
        Verb::Curves(arguments) => cmd::curves::run(&arguments),
        Verb::Explore(arguments) => cmd::explore::run(&arguments),
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
        #[cfg(unix)]
        Verb::Board(arguments) => cmd::board::run(&arguments),
        Verb::Boards(arguments) => cmd::boards::run(&arguments),
        Verb::Firmware(arguments) => cmd::firmware::run(&arguments),
        Verb::Slot(arguments) => cmd::slot::run(&arguments),
        Verb::Configs(arguments) => cmd::configs::run(&arguments),
        Verb::Models(arguments) => cmd::models::run(&arguments),
        Verb::Web(arguments) => cmd::web::run(&arguments),
        Verb::Completions(arguments) => cmd::completions::run(&arguments, Cli::command()),
        Verb::Manual(arguments) => cmd::completions::manual(&arguments, Cli::command()),
    };
    match result {
        Ok(Found::Nothing) => ExitCode::SUCCESS,
        Ok(Found::Fault) => ExitCode::from(1),
        // A reader that has gone away (`tengen configs | head`) is not an error of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say!("error: {}", found::message(&error));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Commands of the `sh` blocks of a document, comments left out; what a shell would do with a command is not looked at.
    fn commands(text: &str) -> Vec<Vec<String>> {
        let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
        let lines = blocks.flat_map(str::lines).filter(|line| line.starts_with("./tengen "));
        let plain = lines.filter(|line| !line.contains(" ... ") && !line.contains(" | "));
        plain.filter_map(shlex::split).collect()
    }

    #[test]
    fn every_command_of_the_documents_is_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut pages = vec![root.join("README.md")];
        pages.extend(std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()));
        let mut seen = 0;
        for page in pages.iter().filter(|page| page.extension().is_some_and(|ending| ending == "md")) {
            for words in commands(&std::fs::read_to_string(page).unwrap()) {
                // The script's own.
                if words[1] == "test" {
                    continue;
                }
                let parsed = Cli::try_parse_from(&words);
                let told = parsed.err().map(|error| error.to_string());
                assert!(
                    told.is_none(),
                    "{}: {}: {}",
                    page.display(),
                    words.join(" "),
                    told.unwrap_or_default()
                );
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen}");
    }
}
