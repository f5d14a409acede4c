// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that somebody asked for by an option: written, and said so.

use anyhow::Context;
use figures::html::Origin;
use lab::measure::machine::Machine;
use std::path::Path;
use std::time::SystemTime;

/// Writes a file; says so on standard error, where it is no part of what is printed.
pub fn file(path: &Path, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    say!("{}: written", path.display());
    Ok(())
}

/// The day, as 2026-01-31, by Greenwich.
pub fn today() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.split('T').next().unwrap_or_default().to_string()
}

/// The processor, and how many cores it gives us.
pub fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").ok();
    let Machine { processor, cores, .. } = Machine::this(cpuinfo.as_deref(), String::new());
    format!("{processor}, {cores} cores")
}

/// Where a page comes from that is written now.
pub fn origin(command: &str) -> Origin {
    Origin { command: command.into(), date: today(), machine: machine() }
}
