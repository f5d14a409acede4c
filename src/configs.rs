// SPDX-License-Identifier: MIT OR Apache-2.0
//! The named configurations, and those from a file.

use crate::found;
use anyhow::{Context, bail};
use engine_model::{Config, EngineError};
use sha2::{Digest, Sha256};
use std::path::Path;

pub use engine_model::named::{MAIN, NAMED};

/// Files that may begin from one another.
const MOST_BASES: usize = 8;

/// The configuration of a file, which may say `base = "NAME|FILE"`: a file beside it. `begun_from` gets the configurations of such files.
fn from_file(file: &Path, bases: usize, begun_from: &mut Vec<Config>) -> anyhow::Result<Config> {
    let shown = file.display();
    let text = crate::reading::named(file, "configuration")?;
    let mut find = |base: &str| match base.ends_with(".toml") {
        true if bases == 0 => Err(format!("more than {MOST_BASES} files begin from one another")),
        true => {
            let beside = file.parent().unwrap_or(Path::new("")).join(base);
            let base = from_file(&beside, bases - 1, begun_from).map_err(|error| found::message(&error))?;
            begun_from.push(base.clone());
            Ok(base)
        }
        false => load(base).map_err(|error| found::message(&error)),
    };
    Config::from_toml_with(&text, &mut find).with_context(|| format!("configuration {shown}"))
}

/// The configuration of this name, or of this file if it ends in `.toml`.
pub fn load(name: &str) -> anyhow::Result<Config> {
    load_with_bases(name, &mut Vec::new())
}

fn load_with_bases(name: &str, begun_from: &mut Vec<Config>) -> anyhow::Result<Config> {
    if name.ends_with(".toml") {
        return from_file(Path::new(name), MOST_BASES, begun_from);
    }
    let Some((_, text)) = NAMED.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        bail!("no configuration {name:?}: use one of {}, or a file ending in .toml", known.join(", "));
    };
    Config::from_toml(text).with_context(|| format!("configuration {name}"))
}

/// The configuration under a name that no other core's modules have: what is emitted is told apart by its modules' names, in which `-` and
/// `_`, and for some tools small letters and capitals, are one. A configuration that has the name of a shipped one, or of a file that it
/// begins from, and is another one is called by the name and a digest of its parameters, one with `_` in its name by that and a digest of
/// the name. A name that ends in another configuration's digest gets its own.
pub fn distinct(config: Config, begun_from: &[Config]) -> Config {
    if let Some(name) = without_digest(&config.name) {
        let own = distinct(Config { name: name.into(), ..config.clone() }, begun_from);
        if own.name != name {
            return own;
        }
    }
    let plain = |name: &str| name.to_ascii_lowercase().replace('-', "_");
    let shipped = NAMED.iter().filter(|(known, _)| plain(known) == plain(&config.name));
    let mut others: Vec<Config> = shipped.filter_map(|(known, _)| load(known).ok()).collect();
    others.extend(begun_from.iter().filter(|base| plain(&base.name) == plain(&config.name)).cloned());
    let told = match (others.first(), config.name.contains('_')) {
        (Some(_), _) if others.iter().all(|same| *same == config) => return config,
        (Some(_), _) => config.to_toml(),
        (None, true) => config.name.clone(),
        (None, false) => return config,
    };
    let digest: String =
        Sha256::digest(told).iter().take(DIGEST_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let suffix = format!("{DIGEST_MARK}{digest}");
    let room = engine_model::config::MAX_NAME - suffix.len();
    let name: String = config.name.chars().take(room).collect();
    Config { name: format!("{name}{suffix}"), ..config }
}

/// A name without the digest at its end, if it has one.
fn without_digest(name: &str) -> Option<&str> {
    let (before, digest) = name.rsplit_once(DIGEST_MARK)?;
    let is_digest = digest.len() == 2 * DIGEST_BYTES && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_digest.then_some(before)
}

/// The configuration of a package, under a name of its own: says so where that is not the one that was given.
pub fn load_distinct(name: &str) -> anyhow::Result<Config> {
    let mut begun_from = Vec::new();
    let given = load_with_bases(name, &mut begun_from)?;
    let config = distinct(given.clone(), &begun_from);
    if config.name != given.name {
        let why = if given.name.contains('_') {
            "its modules could have those of a name with - for _"
        } else {
            "another configuration has that name and other parameters: give this one a name = \"...\" of its own"
        };
        say!("{} is emitted as {}: {why}", given.name, config.name);
    }
    Ok(config)
}

/// What stands before a digest in a name.
const DIGEST_MARK: &str = "-x";
/// Bytes of a digest in a name.
const DIGEST_BYTES: usize = 4;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// No two cores have one another's modules' names.
    #[test]
    fn names_of_different_cores_differ() {
        let shipped = load("gomoku7").unwrap();
        assert_eq!(distinct(shipped.clone(), &[]), shipped);
        let names: Vec<String> = [
            Config { contexts: 2, ..shipped.clone() },
            Config { contexts: 6, ..shipped.clone() },
            Config { name: "Gomoku7".into(), ..shipped.clone() },
            Config { name: "a-b".into(), ..shipped.clone() },
            Config { name: "a_b".into(), ..shipped.clone() },
            Config { name: "gomoku15_deep".into(), ..shipped.clone() },
            Config { name: "x_".repeat(20), ..shipped.clone() },
            shipped,
        ]
        .map(|config| {
            let told = distinct(config, &[]);
            assert_eq!(told.check(), Ok(()));
            let is_cut = told.name.len() == engine_model::config::MAX_NAME;
            assert!(is_cut || distinct(told.clone(), &[]) == told, "it is its name: {told:?}");
            told.name.to_ascii_lowercase().replace('-', "_")
        })
        .into();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{names:?}");
        }
        // Somebody's own name stays.
        let own = Config { name: "mine".into(), ..load("gomoku7").unwrap() };
        assert_eq!(distinct(own.clone(), &[]), own);
        // Another one's digest, or the name of the file that it begins from.
        let changed = |contexts| Config { contexts, ..load("gomoku7").unwrap() };
        let taken = Config { name: distinct(changed(2), &[]).name, ..changed(6) };
        assert_eq!(distinct(taken, &[]), distinct(changed(6), &[]));
        let other = Config { contexts: 2, ..own.clone() };
        assert!(distinct(other.clone(), std::slice::from_ref(&own)).name.starts_with("mine-x"));
        assert_eq!(distinct(other.clone(), std::slice::from_ref(&other)), other);
    }
}
