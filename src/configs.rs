// SPDX-License-Identifier: MIT OR Apache-2.0
//! The named configurations, and those from a file.

use anyhow::{Context, bail};
use engine_model::{Config, EngineError};

pub use engine_model::named::{MAIN, NAMED};

/// The configuration of this name, or of this file if it ends in `.toml`.
pub fn load(name: &str) -> anyhow::Result<Config> {
    if name.ends_with(".toml") {
        let text =
            std::fs::read_to_string(name).with_context(|| format!("cannot read configuration {name}"))?;
        return Config::from_toml(&text).with_context(|| format!("configuration {name}"));
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
