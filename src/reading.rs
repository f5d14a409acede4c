// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that people and other programs write, as text: whatever their charset, byte order mark and ends of lines.

use crate::shipped;
use anyhow::Context;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// What stands for standard input in place of a file.
pub const STANDARD_INPUT: &str = "-";

/// The text of a file; one that this program comes with is there without the sources too.
pub fn text(file: &Path) -> std::io::Result<String> {
    match (std::fs::read(file), shipped::text(file)) {
        (Err(error), Some(text)) if error.kind() == ErrorKind::NotFound => Ok(text.into()),
        (read, _) => decoded(&read?),
    }
}

fn decoded(bytes: &[u8]) -> std::io::Result<String> {
    arena::text::decode(bytes).map_err(|error| std::io::Error::new(ErrorKind::InvalidData, error))
}

/// The text of a file that was named as `what`.
pub fn named(file: &Path, what: &str) -> anyhow::Result<String> {
    let what = if what.is_empty() { String::new() } else { format!("{what} ") };
    text(file).with_context(|| format!("cannot read {what}{}", file.display()))
}

/// The text on standard input.
pub fn standard_input() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    decoded(&bytes).context("cannot read standard input")
}
