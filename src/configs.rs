// SPDX-License-Identifier: MIT OR Apache-2.0
//! The named configurations, and those from a file.

use anyhow::{Context, bail};
use engine_model::{Config, EngineError};
use std::path::Path;

pub use engine_model::named::{MAIN, NAMED};

/// Files that may begin from one another.
const MOST_BASES: usize = 8;

/// The configuration of a file, which may say `base = "NAME|FILE"`: a file beside it.
fn from_file(file: &Path, bases: usize) -> anyhow::Result<Config> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read configuration {shown}"))?;
    let mut find = |base: &str| match base.ends_with(".toml") {
        true if bases == 0 => Err(format!("more than {MOST_BASES} files begin from one another")),
        true => {
            let beside = file.parent().unwrap_or(Path::new("")).join(base);
            from_file(&beside, bases - 1).map_err(|error| format!("{error:#}"))
        }
        false => load(base).map_err(|error| format!("{error:#}")),
    };
    Config::from_toml_with(&text, &mut find).with_context(|| format!("configuration {shown}"))
}

/// The configuration of this name, or of this file if it ends in `.toml`.
pub fn load(name: &str) -> anyhow::Result<Config> {
    if name.ends_with(".toml") {
        return from_file(Path::new(name), MOST_BASES);
    }
    let Some((_, text)) = NAMED.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        bail!("no configuration {name:?}: use one of {}, or a file ending in .toml", known.join(", "));
    };
    Config::from_toml(text).with_context(|| format!("configuration {name}"))
}

/// A configuration searching with some of its levels: `CONFIG[@LEVELS]`.
#[derive(Clone, Debug)]
pub struct AtLevels {
    /// Configuration as it was asked for: a name or a file.
    pub source: String,
    /// The configuration.
    pub config: Config,
    /// Levels of its searches; `None` = as built.
    pub levels: Option<usize>,
}

impl AtLevels {
    /// Reads `CONFIG[@LEVELS]`, the configuration too.
    pub fn parse(text: &str) -> anyhow::Result<AtLevels> {
        AtLevels::parse_up_to(text, None)
    }

    /// The same for an engine with `most` levels, whatever the configuration has.
    pub fn parse_up_to(text: &str, most: Option<usize>) -> anyhow::Result<AtLevels> {
        let (source, levels) = match text.rsplit_once('@') {
            Some((source, levels)) if !levels.ends_with(".toml") => {
                let Ok(levels) = levels.parse::<usize>() else {
                    bail!("{levels:?} is not a number of levels");
                };
                (source, Some(levels))
            }
            _ => (text, None),
        };
        let config = load(source)?;
        let built = most.unwrap_or(config.levels);
        if let Some(asked) = levels
            && !(1..=built).contains(&asked)
        {
            bail!(EngineError::Levels { asked, built });
        }
        Ok(AtLevels { source: source.into(), config, levels })
    }
}
