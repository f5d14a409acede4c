// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen explore`: parameters swept, cycles against area, what nothing beats marked.

use crate::configs::{MAIN, load};
use crate::found::Found;
use crate::points::{fresh, measure_all, missing, prepare, report_fault};
use crate::shipped::MIDGAME;
use crate::slurm::{self, Parts};
use crate::written;
use anyhow::{Context, bail};
use arena::series::Shard;
use lab::explore::front::{Explored, explored};
use lab::explore::html;
use lab::explore::output;
use lab::explore::plan::{Vary, configurations, subjects};
use lab::points::measure::Library;
use lab::points::point::Point;
use lab::points::positions::COUNT;
use lab::points::results::{RESULTS, Results};
use lab::points::subject::Subject;
use lab::recorded::core_sha256;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The picture.
const PICTURE: &str = "front.svg";
/// The page.
const PAGE: &str = "README.md";

/// Help of `--vary`.
const VARY: &str = "A parameter and its values (contexts=4,16; beam=[0],[10,6]; size=9,15 for columns and rows); again for another: every \
                    combination is a point";

/// Arguments of `explore`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration that is varied: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE", default_value = MAIN)]
    config: String,
    /// Parameters that are varied, each with its values.
    // Not from the comment: rustdoc takes brackets for links.
    #[arg(long, value_name = "KEY=VALUE,...", help = VARY)]
    vary: Vec<Vary>,
    /// Search only the first N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Measure only the I-th of N shares of the points, into a file of its own; --merge joins them
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Join the files of shards (those in --out, or these) to its results, and draw; measure nothing
    #[arg(long, value_name = "FILE", num_args = 0.., conflicts_with_all = ["vary", "shard", "slurm"])]
    merge: Option<Vec<PathBuf>>,
    #[command(flatten)]
    parts: Parts,
    /// Folder of the results file, the picture and the page
    #[arg(long, value_name = "DIR", default_value = "build/explore")]
    out: PathBuf,
    /// Write the points as a page of its own, too
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "slurm"])]
    html: Option<PathBuf>,
    /// Yosys to synthesise with
    #[arg(long, value_name = "PATH")]
    yosys: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    if let Some(files) = &arguments.merge {
        return merge(arguments, files);
    }
    if arguments.vary.is_empty() {
        bail!(
            "say what to vary, for example --vary contexts=4,8,16; --merge joins and draws what has been measured"
        );
    }
    let base = load(&arguments.config)?;
    let configs = configurations(&base, &arguments.vary)?;
    let number = configs.len();
    if let Some((folder, shards)) = arguments.parts.asked() {
        return give_away(arguments, folder, shards);
    }
    let taken =
        configs.iter().enumerate().filter(|(index, _)| arguments.shard.is_none_or(|s| s.takes(*index)));
    let subjects: Vec<Subject> = taken.flat_map(|(_, config)| subjects(config)).collect();
    let joined = Results::read(&arguments.out.join(RESULTS))?;
    // A shard's points go to a file of its own, so that shards on one file system do not meet.
    let mut results = match arguments.shard {
        None => joined,
        Some(Shard { index, count }) => {
            let mut own = Results::read(&arguments.out.join(format!("shard-{index}-of-{count}.jsonl")))?;
            own.also(joined);
            own
        }
    };
    let limit = arguments.limit.map_or(COUNT, |limit| limit as usize);
    let library = Library::new(MIDGAME, limit);
    let missing = missing(&subjects, &library, &results)?;
    prepare(&missing)?;
    make(&arguments.out)?;
    let (measured, kept) = (missing.len(), subjects.len() - missing.len());
    if let Err(fault) = measure_all(&missing, &library, &mut results, arguments.yosys.as_deref())? {
        return report_fault(&base.name, &fault, arguments.json);
    }
    if let Some(Shard { index, count }) = arguments.shard {
        let text = format!(
            "{measured} figures measured, {kept} kept, of the points of shard {index}/{count} ({number} points in all).\n\
             When every shard is done: ./tengen explore --merge --out {}\n",
            arguments.out.display()
        );
        return print(arguments, &results, Some(text), measured, kept);
    }
    print(arguments, &results, None, measured, kept)
}

/// Writes an array job whose tasks are shards.
fn give_away(arguments: &Arguments, folder: &Path, shards: u32) -> anyhow::Result<Found> {
    let folder = slurm::folder(folder)?;
    let own = slurm::own_arguments(&[("--slurm", true), ("--shards", true), ("--json", false)]);
    let tasks: Vec<Vec<String>> = (1..=shards)
        .map(|index| [&own[..], &["--shard".into(), format!("{index}/{shards}")]].concat())
        .collect();
    let out = arguments.out.display().to_string();
    let merge = ["explore", "--config", &arguments.config, "--out", &out, "--merge"].map(String::from);
    slurm::write(&folder, "explore", &tasks, &merge)?;
    writeln!(std::io::stdout(), "{shards} tasks: {}", slurm::submission(&folder)?)?;
    Ok(Found::Nothing)
}

fn make(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Joins the files of shards to the results.
fn merge(arguments: &Arguments, files: &[PathBuf]) -> anyhow::Result<Found> {
    let mut files = files.to_vec();
    if files.is_empty() {
        let entries = std::fs::read_dir(&arguments.out)
            .with_context(|| format!("cannot read the folder {}", arguments.out.display()))?;
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("shard-") && name.ends_with(".jsonl") {
                files.push(path);
            }
        }
        files.sort();
    }
    if files.is_empty() {
        bail!("no shard-I-of-N.jsonl in {}: name the files to merge", arguments.out.display());
    }
    make(&arguments.out)?;
    let mut results = Results::read(&arguments.out.join(RESULTS))?;
    let kept = results.points().len();
    let mut joined = 0;
    for file in &files {
        if !file.is_file() {
            bail!("{}: no such file", file.display());
        }
        let shard = Results::read(file)?;
        if shard.foreign > 0 {
            say!("{}: {} lines of another version are left out", file.display(), shard.foreign);
        }
        let fresh = |point: &Point| core_sha256(&point.config) == point.core_sha256;
        joined += results.join(shard, &fresh)?;
    }
    print(arguments, &results, None, joined, kept)
}

/// Draws all points of the results and tells of them; a shard only tells.
fn print(
    arguments: &Arguments,
    results: &Results,
    instead: Option<String>,
    measured: usize,
    kept: usize,
) -> anyhow::Result<Found> {
    let all: Vec<Explored> = explored(results.points(), &fresh(results.points()));
    let mut out = std::io::stdout().lock();
    if instead.is_none() && !all.is_empty() {
        for (name, text) in
            [(PICTURE, output::picture(&all)), (PAGE, output::page(&all, PICTURE, &command(arguments)))]
        {
            let file = arguments.out.join(name);
            std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    if let Some(file) = &arguments.html {
        written::file(file, html::page(&all, &written::origin(&command(arguments))))?;
    }
    if arguments.json {
        let object = json!({
            "config": arguments.config, "out": arguments.out, "measured": measured, "kept": kept,
            "points": output::objects(&all),
        });
        writeln!(out, "{object}")?;
    } else if let Some(text) = instead {
        write!(out, "{text}")?;
    } else {
        write!(out, "{}", output::table(&all).text())?;
        writeln!(
            out,
            "\n{measured} figures new, {kept} kept; {} and {PICTURE}",
            arguments.out.join(PAGE).display()
        )?;
    }
    Ok(Found::Nothing)
}

/// The command as it was given.
fn command(arguments: &Arguments) -> String {
    let mut command = format!("./tengen explore --config {}", arguments.config);
    for vary in &arguments.vary {
        command.push_str(&format!(" --vary '{vary}'"));
    }
    if let Some(limit) = arguments.limit {
        command.push_str(&format!(" --limit {limit}"));
    }
    if arguments.merge.is_some() {
        command = "./tengen explore --merge".into();
    }
    command
}
