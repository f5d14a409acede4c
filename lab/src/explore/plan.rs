// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters and their values as text, and the configurations they make.

use crate::points::subject::{Subject, What, natural_set};
use engine_model::config::MAX_NAME;
use engine_model::{Config, ConfigError};
use serde_json::Value;
use std::str::FromStr;
use vivado::package::sha256;

/// Columns, rows and, if all rows were evaluated at once, the rows evaluated at once.
const SIZE: &str = "size";

/// A parameter and the values it takes: `KEY=VALUE,VALUE,...`, a list as `[10,6]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    key: String,
    /// Values as they were written, and read.
    values: Vec<(String, Value)>,
}

/// Why a text is no variation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaryError {
    /// There is no `=`.
    #[error("{0:?}: write a parameter and its values, for example contexts=4,16")]
    Shape(String),
    /// No value, or an empty one.
    #[error("{0}: a value is missing")]
    Empty(String),
    /// The name belongs to the point, and a trace is of no product.
    #[error("{0} cannot be varied: {1}")]
    Never(String, &'static str),
}

impl std::fmt::Display for Vary {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let values: Vec<&str> = self.values.iter().map(|(text, _)| text.as_str()).collect();
        write!(f, "{}={}", self.key, values.join(","))
    }
}

impl FromStr for Vary {
    type Err = VaryError;

    fn from_str(text: &str) -> Result<Vary, VaryError> {
        let (key, values) = text.split_once('=').ok_or_else(|| VaryError::Shape(text.into()))?;
        let key = key.trim();
        match key {
            "name" => return Err(VaryError::Never(key.into(), "every point gets its own")),
            "trace" => return Err(VaryError::Never(key.into(), "what is explored is the core that ships")),
            "clock_mhz" => return Err(VaryError::Never(key.into(), "it changes no core")),
            _ => {}
        }
        let mut parts = vec![String::new()];
        let mut depth = 0;
        for letter in values.chars() {
            match letter {
                '[' => depth += 1,
                ']' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(String::new());
                    continue;
                }
                ' ' => continue,
                _ => {}
            }
            parts.last_mut().expect("there is one").push(letter);
        }
        if parts.iter().any(String::is_empty) {
            return Err(VaryError::Empty(text.into()));
        }
        // What is no number and no list is a word.
        let value = |part: &String| serde_json::from_str(part).unwrap_or_else(|_| Value::from(part.as_str()));
        let values = parts.iter().map(|part| (part.clone(), value(part))).collect();
        Ok(Vary { key: key.into(), values })
    }
}

/// A combination that is no configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No parameter of this name.
    #[error("no parameter {key:?}: `tengen configs --explain` names them; size sets columns and rows")]
    Key {
        /// The name asked for.
        key: String,
    },
    /// The values do not make a configuration.
    #[error("{values}: {reason}")]
    Combination {
        /// The values.
        values: String,
        /// What is wrong with them.
        reason: ConfigError,
    },
    /// Two names for one thing.
    #[error("size is columns and rows: vary it, or them")]
    Overlap,
    /// Varied twice.
    #[error("{0} is varied twice: give all its values at once")]
    Twice(String),
}

/// Every combination, each once, the last parameter fastest.
pub fn configurations(base: &Config, varied: &[Vary]) -> Result<Vec<Config>, PlanError> {
    let mut configs = Vec::new();
    for (index, vary) in varied.iter().enumerate() {
        if varied[..index].iter().any(|other| other.key == vary.key) {
            return Err(PlanError::Twice(vary.key.clone()));
        }
    }
    let varies = |key: &str| varied.iter().any(|vary| vary.key == key);
    if varies(SIZE) && (varies("columns") || varies("rows")) {
        return Err(PlanError::Overlap);
    }
    let combinations: usize = varied.iter().map(|vary| vary.values.len()).product();
    for number in 0..combinations {
        let mut rest = number;
        let mut chosen = Vec::new();
        for vary in varied.iter().rev() {
            chosen.push((vary, rest % vary.values.len()));
            rest /= vary.values.len();
        }
        chosen.reverse();
        let config = combine(base, &chosen)?;
        if !configs.contains(&config) {
            configs.push(config);
        }
    }
    Ok(configs)
}

fn combine(base: &Config, chosen: &[(&Vary, usize)]) -> Result<Config, PlanError> {
    let written = || {
        let values: Vec<String> =
            chosen.iter().map(|(vary, at)| format!("{} = {}", vary.key, vary.values[*at].0)).collect();
        values.join(", ")
    };
    let refused = |reason| PlanError::Combination { values: written(), reason };
    let mut object = base.parameters();
    for (vary, at) in chosen {
        let value = vary.values[*at].1.clone();
        if vary.key == SIZE {
            // Another parameter that says how many rows at once has the last word.
            let named = chosen.iter().any(|(vary, _)| vary.key == "rows_per_clock");
            if base.rows_per_clock == base.rows && !named {
                object.insert("rows_per_clock".into(), value.clone());
            }
            object.insert("columns".into(), value.clone());
            object.insert("rows".into(), value);
        } else if object.contains_key(&vary.key) {
            object.insert(vary.key.clone(), value);
        } else {
            return Err(PlanError::Key { key: vary.key.clone() });
        }
    }
    let mut config: Config = serde_json::from_value(object.into())
        .map_err(|error| refused(ConfigError::Syntax(error.to_string())))?;
    config.trace = false;
    if config != *base {
        config.name = name(base, chosen, &config);
    }
    config.check().map_err(refused)?;
    Ok(config)
}

/// A name that tells the values, or where that would be too long or no name, a hash of all parameters.
fn name(base: &Config, chosen: &[(&Vary, usize)], config: &Config) -> String {
    let mut name = base.name.clone();
    for (vary, at) in chosen {
        let value = vary.values[*at].0.trim_matches(['[', ']']).replace([',', '.'], "_");
        name.push_str(&format!("-{}{value}", vary.key));
    }
    if name.len() <= MAX_NAME {
        return name;
    }
    let hash = sha256(&config.to_toml());
    let kept: String = base.name.chars().take(MAX_NAME - 13).collect();
    format!("{kept}-{}", &hash[..12])
}

/// What is measured of a configuration: its own searches, and its area.
pub fn subjects(config: &Config) -> [Subject; 2] {
    let search = What::Search { levels: config.levels, set: natural_set(config) };
    [search, What::Area].map(|what| Subject { config: config.clone(), what })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::named::named;

    fn vary(texts: &[&str]) -> Vec<Vary> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn every_combination_is_a_configuration_with_a_name_of_its_own() {
        let base = named("gomoku15").unwrap();
        let varied = vary(&["contexts=4,16", "rows_per_clock=8,15", "beam=[0],[10,6]"]);
        let configs = configurations(&base, &varied).unwrap();
        assert_eq!(configs.len(), 8);
        assert!(configs.contains(&base), "the base's own values are the base");
        let mut names: Vec<&str> = configs.iter().map(|config| config.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 8);
        assert_eq!(configs[0].contexts, 4);
        // A parameter that the configuration leaves out.
        let small = named("gomoku7").unwrap();
        let ahead = configurations(&small, &vary(&["ahead=0,2"])).unwrap();
        assert_eq!((&ahead[0], ahead[1].name.as_str(), ahead[1].ahead), (&small, "gomoku7-ahead2", 2));
        assert_eq!(configurations(&base, &[]).unwrap(), [base]);
    }

    #[test]
    fn a_size_is_columns_rows_and_a_whole_evaluator() {
        let base = named("gomoku15").unwrap();
        let [small, large] = &configurations(&base, &vary(&["size=9,11"])).unwrap()[..] else { panic!() };
        assert_eq!((small.columns, small.rows, small.rows_per_clock), (9, 9, 9));
        assert_eq!((large.name.as_str(), large.rows_per_clock), ("gomoku15-size11", 11));
        let slow = configurations(&base, &vary(&["rows_per_clock=1", "size=9"])).unwrap();
        assert_eq!((slow[0].rows, slow[0].rows_per_clock), (9, 1));
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_reason() {
        let base = named("gomoku15").unwrap();
        for (texts, part) in [
            (&["contexts=4,65"][..], "contexts = 65: contexts = 65: must be 1 to 64; the nearest is 64"),
            (&["levels=2", "beam=[1,2,3]"], "levels = 2, beam = [1,2,3]: beam has 3 entries"),
            (&["leaf=none"], "leaf = none: not a configuration: unknown variant"),
            (&["colour=3"], "no parameter \"colour\""),
            (&["contexts=4", "contexts=8"], "contexts is varied twice"),
            (&["columns=9", "size=9"], "size is columns and rows: vary it, or them"),
        ] {
            let message = configurations(&base, &vary(texts)).unwrap_err().to_string();
            assert!(message.starts_with(part), "{message}");
        }
        for (text, part) in [
            ("contexts", "write a parameter and its values"),
            ("contexts=", "a value is missing"),
            ("contexts=4,,8", "a value is missing"),
            ("trace=true", "cannot be varied"),
        ] {
            let message = text.parse::<Vary>().unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
