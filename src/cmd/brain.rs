// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen brain`: an engine for Gomocup's managers.

use crate::Found;
use crate::configs::load;
use crate::opponent::{LineArguments, open};
use arena::gomocup::command::{Command, parse};
use arena::gomocup::session::Session;
use engine_model::software::players::{MOST_LEVELS, player};
use engine_model::{Config, Engine, ModelEngine};
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The configuration that plays when none is named.
const DEFAULT: &str = "gomoku15";
/// Longest line that is looked at whole: more than any command has.
const LONGEST: usize = 4096;
/// How long what was asked before END may still take: a manager gives a brain a second to end.
const GRACE: Duration = Duration::from_millis(500);

/// Arguments of `brain`.
#[derive(clap::Args)]
pub struct Arguments {
    /// What plays: model, rtl (the simulated core), greedy, five-tuple, line-shape, pvs, or the path of a board's port
    #[arg(long, value_name = "ENGINE", default_value = "model")]
    engine: String,
    /// Configuration: a name (see `tengen configs`) or a .toml file; software plays it on boards of any size
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// Most levels of a search; else as built
    #[arg(long, value_name = "N")]
    levels: Option<usize>,
    #[command(flatten)]
    line: LineArguments,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let named = load(arguments.config.as_deref().unwrap_or(DEFAULT))?;
    let levels = arguments.levels;
    let most = if player(&arguments.engine).is_some() { MOST_LEVELS } else { named.levels };
    if let Some(levels) = levels
        && !(1..=most).contains(&levels)
    {
        anyhow::bail!("--levels {levels}: {} with {} has 1 to {most}", arguments.engine, named.name);
    }
    let maker = |columns, rows| engine(arguments, &named, columns, rows);
    let begin = Instant::now();
    let about = format!(
        "name=\"tengen {} {}\", version=\"{}\"",
        arguments.engine,
        named.name,
        env!("CARGO_PKG_VERSION")
    );
    let mut session = Session::new(Box::new(maker), Box::new(move || begin.elapsed()), about, levels);
    let lines = reader();
    let mut out = std::io::stdout().lock();
    for line in lines {
        for said in session.line(&line) {
            writeln!(out, "{said}")?;
        }
        out.flush()?;
        if session.ended() {
            break;
        }
    }
    Ok(Found::Nothing)
}

/// The engine for a board of this size, or why there is none.
fn engine(
    arguments: &Arguments,
    named: &Config,
    columns: usize,
    rows: usize,
) -> Result<Box<dyn Engine>, String> {
    let maker = player(&arguments.engine);
    if arguments.engine == "model" || maker.is_some() {
        let config = resized(named, columns, rows);
        config.check().map_err(|error| format!("no board of {columns} x {rows}: {error}"))?;
        return Ok(match maker {
            Some(maker) => maker(&config),
            None => Box::new(ModelEngine::new(&config)),
        });
    }
    let engine = open(&arguments.engine, arguments.config.as_deref(), &arguments.line)
        .map_err(|error| format!("{error:#}"))?;
    let config = engine.config();
    if (config.columns, config.rows) != (columns, rows) {
        return Err(format!("{} plays on {} x {} only", engine.name(), config.columns, config.rows));
    }
    Ok(engine)
}

/// The configuration on another board.
fn resized(named: &Config, columns: usize, rows: usize) -> Config {
    if (named.columns, named.rows) == (columns, rows) {
        return named.clone();
    }
    Config { name: "resized".into(), columns, rows, rows_per_clock: rows, ..named.clone() }
}

/// Lines as they come, read beside the search: END ends the program whatever it does.
fn reader() -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || read(&sender));
    receiver
}

fn read(sender: &Sender<String>) {
    let mut input = std::io::stdin().lock();
    while let Some(line) = next_line(&mut input) {
        let end = parse(&line) == Ok(Command::End);
        if sender.send(line).is_err() {
            return;
        }
        if end {
            std::thread::sleep(GRACE);
            std::process::exit(0);
        }
    }
}

/// The next line without its end; what goes beyond the longest is cut. None at the end of the input.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    loop {
        // An interrupted or broken input is at its end.
        let bytes = input.fill_buf().ok()?;
        if bytes.is_empty() {
            return (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned());
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(bytes.len());
        line.extend_from_slice(&bytes[..taken.min(LONGEST.saturating_sub(line.len()))]);
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Some(String::from_utf8_lossy(&line).into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_read_whatever_they_hold() {
        let mut input: Vec<u8> = vec![b'A'; 3 * LONGEST];
        input.extend(b"\r\nSTART 15\r\n\n\xff\xfe\nEND");
        let mut input = &input[..];
        assert_eq!(next_line(&mut input).unwrap().len(), LONGEST);
        assert_eq!(next_line(&mut input).unwrap(), "START 15\r");
        assert_eq!(next_line(&mut input).unwrap(), "");
        assert_eq!(next_line(&mut input).unwrap(), "\u{fffd}\u{fffd}");
        assert_eq!(next_line(&mut input).unwrap(), "END");
        assert_eq!(next_line(&mut input), None);
    }

    #[test]
    fn a_board_of_another_size_is_the_same_engine_on_it() {
        let named = load(DEFAULT).unwrap();
        assert_eq!(resized(&named, 15, 15), named);
        let large = resized(&named, 20, 20);
        assert_eq!(
            (large.check(), large.rows_per_clock, large.window_scores),
            (Ok(()), 20, named.window_scores.clone())
        );
        assert!(resized(&named, 4, 4).check().is_err());
    }
}
