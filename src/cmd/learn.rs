// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen learn`: what `pvs` has learnt from the games it lost.

use crate::found::Found;
use arena::drawing::board;
use engine_model::{Cell, Geometry};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use tournament::learned::{VERSION, object, read};

/// Arguments of `learn`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Show the positions of a file, as `tengen brain --learn FILE` and `tengen play --learn FILE` write it
    Show(Show),
}

/// Arguments of `learn show`.
#[derive(clap::Args)]
struct Show {
    /// The file
    file: PathBuf,
    /// One line a position, no boards
    #[arg(long)]
    brief: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let Verb::Show(arguments) = &arguments.verb;
    let learned = read(&arguments.file)?;
    let found = if learned.damaged.is_empty() { Found::Nothing } else { Found::Fault };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let positions: Vec<Value> = learned.lessons.iter().map(object).collect();
        writeln!(
            out,
            "{}",
            json!({ "version": VERSION, "positions": positions, "damaged_lines": learned.damaged })
        )?;
        return Ok(found);
    }
    for (index, lesson) in learned.lessons.iter().enumerate() {
        let side = if lesson.to_move() == 0 { "X" } else { "O" };
        let (result, plies) =
            if lesson.plies > 0 { ("wins", lesson.plies) } else { ("loses", -lesson.plies) };
        let moves = if plies == 1 { "move" } else { "moves" };
        writeln!(
            out,
            "{:>4}  {} x {}, {} in a row, {} stones: {side} to move {result} in {plies} {moves}",
            index + 1,
            lesson.columns,
            lesson.rows,
            lesson.in_a_row,
            lesson.stones.iter().map(Vec::len).sum::<usize>(),
        )?;
        if !arguments.brief {
            let geometry = Geometry::new(lesson.columns, lesson.rows, lesson.in_a_row, 1);
            let owner = |cell: Cell| (0..2).find(|side| lesson.stones[*side].contains(&cell));
            writeln!(out, "{}", board(&geometry, owner, None))?;
        }
    }
    let positions = if learned.lessons.len() == 1 { "position" } else { "positions" };
    write!(out, "{} {positions}", learned.lessons.len())?;
    if !learned.damaged.is_empty() {
        let lines: Vec<String> = learned.damaged.iter().map(usize::to_string).collect();
        write!(out, "; cut off or changed, and left out: line {}", lines.join(", "))?;
    }
    writeln!(out)?;
    Ok(found)
}
