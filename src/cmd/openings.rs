// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen openings`: how even openings are, and the most even ones of a list.

use crate::board_line::EngineArguments;
use crate::found::Found;
use crate::opponent::open;
use crate::progress::Progress;
use anyhow::{Context as _, bail};
use arena::openings::parse_openings;
use arena::solve::{Solver, Worth, told};
use engine_model::Cell;
use engine_model::notation::{format_game, lines_of_moves, squares};
use engine_model::position::Tables;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Arguments of `openings`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Openings, one per line, as `tengen match --openings` takes them
    file: PathBuf,
    /// Print the N most even ones, as the file has them and in its order, instead of the table
    #[arg(long, value_name = "N", conflicts_with = "json")]
    keep: Option<usize>,
    /// What judges: model, rtl (the simulated core), five-tuple, line-shape, pvs
    #[arg(long, value_name = "ENGINE", default_value = "model")]
    engine: String,
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE", default_value = "gomoku15-deep10")]
    config: String,
    /// Levels of its search; else as built
    #[arg(long, value_name = "N")]
    levels: Option<usize>,
    /// Openings judged at the same time; the result does not depend on it
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    engines: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What every opening is worth to its side to move.
fn judged(arguments: &Arguments, openings: &[Vec<Cell>]) -> anyhow::Result<Vec<Worth>> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let bar = Progress::counted(openings.len() as u64, "openings");
    let work = || -> anyhow::Result<()> {
        let config = Some(arguments.config.as_str());
        let mut engine = open(&arguments.engine, config, &arguments.engines.framed(), None)?;
        let levels = arguments.levels.unwrap_or_else(|| engine.levels());
        let tables = Tables::new(engine.config());
        let mut solver = Solver { engine: engine.as_mut(), tables };
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = openings.get(index) else { return Ok(()) };
            let iterations = solver
                .deepen(opening, levels, &mut |_| ())
                .with_context(|| format!("opening {}", index + 1))?;
            let last = iterations.last().with_context(|| format!("opening {}: no move", index + 1))?;
            let mut found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            found.push((index, last.worth));
            bar.set(found.len() as u64);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, worth)| worth).collect())
}

/// The indices of openings, the most even one first; decided ones come last, equal ones in their order.
fn by_evenness(worth: &[Worth]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..worth.len()).collect();
    order.sort_by_key(|index| (worth[*index].decided.is_some(), worth[*index].score.unsigned_abs(), *index));
    order
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let config = crate::configs::load(&arguments.config)?;
    let tables = Tables::new(&config);
    let file = arguments.file.display();
    let text = crate::reading::named(&arguments.file, "openings")?;
    let openings = parse_openings(&text, &tables).with_context(|| format!("openings {file}"))?;
    if let Some(keep) = arguments.keep
        && !(1..=openings.len()).contains(&keep)
    {
        bail!("--keep {keep}: {file} has {} openings", openings.len());
    }
    let worth = judged(arguments, &openings)?;
    let order = by_evenness(&worth);
    let mut out = std::io::stdout().lock();
    if let Some(keep) = arguments.keep {
        let mut kept = order[..keep].to_vec();
        kept.sort_unstable();
        let lines: Vec<&str> = lines_of_moves(&text).map(|(_, line)| line).collect();
        writeln!(
            out,
            "# The {keep} most even of {} openings by {} ({}): tengen openings {file} --keep {keep}",
            openings.len(),
            arguments.engine,
            arguments.config
        )?;
        for index in kept {
            writeln!(out, "{}", lines[index])?;
        }
        return Ok(Found::Nothing);
    }
    if arguments.json {
        let list: Vec<Value> = openings
            .iter()
            .zip(&worth)
            .map(|(opening, worth)| {
                json!({
                    "opening": format_game(opening, &tables.geometry), "score": worth.score,
                    "decided": worth.decided.is_some(),
                })
            })
            .collect();
        writeln!(
            out,
            "{}",
            json!({ "engine": arguments.engine, "config": arguments.config, "openings": list })
        )?;
        return Ok(Found::Nothing);
    }
    writeln!(
        out,
        "{:>7} {:>12}  moves; the most even first, score for the side to move",
        "opening", "score"
    )?;
    for index in order {
        let game = squares(&openings[index], &tables.geometry);
        writeln!(out, "{:>7} {:>12}  {game}", index + 1, told(worth[index]))?;
    }
    Ok(Found::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_even_come_first_and_the_decided_last() {
        let worth = |score, decided| Worth { score, decided };
        let list =
            [worth(9, None), worth(-3, None), worth(65_000, Some(5)), worth(3, None), worth(0, Some(-4))];
        assert_eq!(by_evenness(&list), [1, 3, 0, 4, 2]);
    }
}
