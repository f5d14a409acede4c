// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen models`: the simulations that are kept.

use crate::found::Found;
use anyhow::bail;
use cosim::verilate::{Cache, cache::Entry};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, SystemTime};

/// Arguments of `models`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Remove the models, and what builds that were killed left behind
    #[arg(long)]
    clean: bool,
    /// With --clean: only models that were not used for so many days
    #[arg(long, value_name = "DAYS", requires = "clean")]
    unused_for: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const SECONDS_PER_DAY: f64 = 86_400.0;
/// Longest time since 1970 that is meant.
const MAX_DAYS: f64 = 100_000.0;

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let cache = Cache::find()?;
    let removed = match (arguments.clean, arguments.unused_for.unwrap_or(0.0)) {
        (false, _) => None,
        (true, days) if (0.0..=MAX_DAYS).contains(&days) => {
            Some(cache.clean(Duration::from_secs_f64(days * SECONDS_PER_DAY))?)
        }
        (true, days) => bail!("--unused-for {days}: must be 0 to {MAX_DAYS} days"),
    };
    let entries = cache.entries()?;
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let removed = removed.map(|(entries, bytes)| json!({ "entries": entries, "bytes": bytes }));
        let object =
            json!({ "cache": cache.folder(), "bytes": bytes, "models": entries, "removed": removed });
        writeln!(out, "{object}")?;
        return Ok(Found::Nothing);
    }
    if let Some((entries, bytes)) = removed {
        writeln!(out, "{entries} models removed, {} freed", size(bytes))?;
    }
    writeln!(out, "{}: {} models, {}", cache.folder().display(), entries.len(), size(bytes))?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    for Entry { key, about, bytes, last_used } in &entries {
        let ago = age(now.saturating_sub(*last_used));
        writeln!(
            out,
            "  {:>9}  used {ago:>8} ago  {}  ({key}; {})",
            size(*bytes),
            about.title,
            about.verilator
        )?;
    }
    Ok(Found::Nothing)
}

fn size(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn age(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}
