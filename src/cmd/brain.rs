// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen brain`: an engine for Gomocup's managers.

use crate::configs::{MAIN, load};
use crate::found::{self, Found};
use crate::opponent::{ChosenEngine, check_name};
use crate::software::{Learn, MODEL, check_learns, is_software, needs, software};
use arena::gomocup::command::{Command, parse};
use arena::gomocup::session::Session;
use engine_model::{Config, Engine};
use players::roster::MOST_LEVELS;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tournament::learned;
use tournament::lines::next_line;

/// How long what was asked before END may still take: a manager gives a brain a second to end.
const GRACE: Duration = Duration::from_millis(500);

/// Arguments of `brain`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    engine: ChosenEngine,
    /// File of what pvs has learnt from games it lost; it is read, and what is learnt is added
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let named = load(arguments.engine.config.as_deref().unwrap_or(MAIN))?;
    let levels = arguments.engine.levels;
    let name = arguments.engine.name.as_str();
    check_name(name)?;
    let on_a_port = name != "rtl" && !is_software(name);
    let most = match name {
        name if name == "rtl" || MODEL.contains(&name) => named.levels,
        // What a board was built for is known when it is found.
        _ if on_a_port => engine_model::config::MAX_LEVELS,
        _ => MOST_LEVELS,
    };
    check_learns(name, arguments.learn.is_some())?;
    if let Some(path) = arguments.learn.as_deref().filter(|path| path.exists()) {
        // A file that cannot be read is told before a manager asks for anything.
        learned::read(path)?;
    }
    if let Some(levels) = levels
        && !(1..=most).contains(&levels)
    {
        anyhow::bail!("--levels {levels}: {} with {} has 1 to {most}", name, named.name);
    }
    let plays = if on_a_port { String::new() } else { format!(" {}", named.name) };
    let maker = |columns, rows| engine(arguments, &named, columns, rows);
    let begin = Instant::now();
    let about = format!("name=\"tengen {}{plays}\", version=\"{}\"", name, env!("CARGO_PKG_VERSION"));
    let mut session = Session::new(Box::new(maker), Box::new(move || begin.elapsed()), about, levels)
        .needs(needs(name, &arguments.engine.arguments.pvs));
    session = session.heard_by(Box::new(|line| {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }));
    let lines = reader(session.halts());
    for line in lines {
        let said = session.line(&line);
        let mut out = std::io::stdout().lock();
        for said in said {
            writeln!(out, "{said}")?;
        }
        out.flush()?;
        if session.ended() {
            return Ok(Found::Nothing);
        }
    }
    // The manager has gone without a word: the game under way may be a lesson all the same.
    session.settle();
    Ok(Found::Nothing)
}

/// The engine for a board of this size, or why there is none.
fn engine(
    arguments: &Arguments,
    named: &Config,
    columns: usize,
    rows: usize,
) -> Result<Box<dyn Engine>, String> {
    let learn = arguments.learn.as_deref().map(Learn::Keep);
    if is_software(&arguments.engine.name) {
        let config = resized(named, columns, rows);
        config.check().map_err(|error| format!("no board of {columns} x {rows}: {error}"))?;
        return software(&arguments.engine.name, &config, &arguments.engine.arguments.pvs, learn)
            .map_err(|error| found::message(&error));
    }
    let engine = arguments.engine.open(learn).map_err(|error| found::message(&error))?;
    let config = engine.config();
    if (config.columns, config.rows) != (columns, rows) {
        return Err(format!("{} plays on {} x {} only", engine.name(), config.columns, config.rows));
    }
    if let Some(levels) = arguments.engine.levels
        && levels > config.levels
    {
        return Err(format!("--levels {levels}: {} has 1 to {}", engine.name(), config.levels));
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

/// Lines as they come, read beside the search: END of a manager ends the program whatever it does, a wish to stop the search.
fn reader(halts: Arc<AtomicBool>) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || read(&sender, &halts));
    receiver
}

fn read(sender: &Sender<String>, halts: &AtomicBool) {
    let mut input = std::io::stdin().lock();
    while let Some(line) = next_line(&mut input) {
        let command = parse(&line);
        let end = command == Ok(Command::End);
        if command == Ok(Command::Halt) {
            halts.store(true, Ordering::Relaxed);
        }
        if sender.send(line).is_err() {
            return;
        }
        if end {
            return ended(&mut input);
        }
    }
}

/// After END. A manager keeps the input open, and wants the program gone whatever it does. A script's input is at its end: the commands
/// before END are carried out, and END comes in its turn.
fn ended(input: &mut impl Read) {
    let at_its_end = Arc::new(AtomicBool::new(false));
    let script = at_its_end.clone();
    std::thread::spawn(move || {
        std::thread::sleep(GRACE);
        if !script.load(Ordering::Relaxed) {
            std::process::exit(0);
        }
    });
    let _ = std::io::copy(input, &mut std::io::sink());
    at_its_end.store(true, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_another_size_is_the_same_engine_on_it() {
        let named = load(MAIN).unwrap();
        assert_eq!(resized(&named, 15, 15), named);
        let large = resized(&named, 20, 20);
        assert_eq!(
            (large.check(), large.rows_per_clock, large.window_scores),
            (Ok(()), 20, named.window_scores.clone())
        );
        assert!(resized(&named, 4, 4).check().is_err());
    }
}
