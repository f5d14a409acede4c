// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen record`: a run that documents quote, with where it comes from.

use crate::configs::{MAIN, load};
use crate::found::Found;
use crate::others;
use crate::written::{machine, today};
use anyhow::{Context, bail};
use engine_model::Config;
use lab::recording::{Recording, cores, parse, pruned, with};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Arguments of `record`.
#[derive(clap::Args)]
#[command(
    after_help = "tengen record docs/results/measure.jsonl --core gomoku15 -- measure --levels gomoku15 runs `tengen measure --levels \
    gomoku15 --json` and keeps what it prints with commit, date, machine and a hash of gomoku15's Verilog. A recording of the same \
    command is replaced."
)]
pub struct Arguments {
    /// File of recordings, an object a line; made if it is not there
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// A core that the run is about: a name (see `tengen configs`) or a .toml file; again for another; else gomoku15
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "software")]
    core: Vec<String>,
    /// The run is about no core
    #[arg(long)]
    software: bool,
    /// The verb and its arguments, behind --
    #[arg(last = true, required = true, value_name = "VERB")]
    words: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let shown = arguments.file.display();
    let before = match crate::reading::text(&arguments.file) {
        Ok(text) => parse(&text).with_context(|| shown.to_string())?,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
    };
    let main = [MAIN.to_string()];
    let names = if arguments.core.is_empty() { &main[..] } else { &arguments.core };
    let names = if arguments.software { &[] } else { names };
    let loaded = |name: &String| Ok((name.clone(), load(name)?));
    let configs: Vec<(String, Config)> = names.iter().map(loaded).collect::<anyhow::Result<_>>()?;
    // What would be lacking in the end is missed before anything runs.
    let commit = commit()?;
    let folder = arguments.file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{shown}: there is no folder {}", folder.display());
    }
    let look = others::now();
    let result = found(&arguments.words)?;
    let others = others::cores_since(look);
    let others = others.map_or_else(String::new, |others| format!(", others used {others:.1} meanwhile"));
    let machine = machine() + &others;
    let words = shlex::try_join(arguments.words.iter().map(String::as_str)).context("a zero byte")?;
    let recording = Recording {
        command: format!("./tengen {words}"),
        commit,
        date: today(),
        machine,
        cores: cores(&configs),
        result: pruned(result),
    };
    let text = with(before, recording)?;
    std::fs::write(&arguments.file, text).with_context(|| format!("cannot write {shown}"))?;
    writeln!(std::io::stdout(), "{shown}: recorded")?;
    Ok(Found::Nothing)
}

/// Runs this program; the object that it prints.
fn found(words: &[String]) -> anyhow::Result<serde_json::Value> {
    let program = std::env::current_exe().context("this program does not know its own file")?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stderr(Stdio::inherit());
    if !words.iter().any(|word| word == "--json") {
        command.arg("--json");
    }
    let output = command.output().context("cannot start this program again")?;
    if !output.status.success() {
        bail!("{}: it ended with {}: nothing is recorded", words.join(" "), output.status);
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("{}: it printed no JSON", words.join(" ")))
}

/// The commit of the sources around the working folder; what `docs/results` itself changes is no change.
fn commit() -> anyhow::Result<String> {
    let git = |words: &[&str]| -> anyhow::Result<String> {
        let output =
            Command::new("git").args(words).output().context("git is missing: apt-get install git")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!(
                "a recording names the commit of the sources: run it in their git checkout (git {}: {})",
                words.join(" "),
                said.trim()
            );
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let commit = git(&["rev-parse", "--short=9", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", ":/", ":!/docs"])?;
    Ok(if changed.is_empty() { commit } else { commit + "+" })
}
