// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that documents quote: what a command found, with commit, date, machine and the cores it ran on. A file of them has a JSON
//! object a line.

use crate::recorded::core_sha256;
use engine_model::Config;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Longest list that is kept: documents quote figures, not all that they were made of.
const LONGEST_LIST: usize = 12;

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// The command, as one types it.
    pub command: String,
    /// Commit of the sources; with `+` if something was changed in them.
    pub commit: String,
    /// Day it ran, as 2026-01-31.
    pub date: String,
    /// The processor, its cores, the load before the run.
    pub machine: String,
    /// Hash of the Verilog of each core that it ran on, by configuration; none of software alone.
    pub cores: BTreeMap<String, String>,
    /// What it found.
    pub result: Value,
}

/// A file that holds something else.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no recording: {reason}")]
pub struct RecordingError {
    /// Which line, from 1.
    pub line: usize,
    /// Why not.
    pub reason: serde_json::Error,
}

/// The recordings of a file's text.
pub fn parse(text: &str) -> Result<Vec<Recording>, RecordingError> {
    let read = |(index, line)| {
        serde_json::from_str(line).map_err(|reason| RecordingError { line: index + 1, reason })
    };
    text.lines().enumerate().map(read).collect()
}

/// A file's text with a recording in the place of the one of the same command, or after all.
pub fn with(mut recordings: Vec<Recording>, new: Recording) -> serde_json::Result<String> {
    match recordings.iter_mut().find(|old| old.command == new.command) {
        Some(old) => *old = new,
        None => recordings.push(new),
    }
    recordings.iter().map(|recording| Ok(serde_json::to_string(recording)? + "\n")).collect()
}

/// A result without what no document quotes.
pub fn pruned(result: Value) -> Value {
    match result {
        Value::Array(list) if list.len() > LONGEST_LIST => Value::Null,
        Value::Array(list) => list.into_iter().map(pruned).collect(),
        Value::Object(object) => object.into_iter().map(|(key, value)| (key, pruned(value))).collect(),
        other => other,
    }
}

/// The cores of these configurations, each by the name it was asked for, as they are emitted now.
pub fn cores(configs: &[(String, Config)]) -> BTreeMap<String, String> {
    configs.iter().map(|(name, config)| (name.clone(), core_sha256(config))).collect()
}

impl Recording {
    /// The configurations whose cores are others now, or that `load` knows no longer.
    pub fn earlier_cores(&self, load: impl Fn(&str) -> Option<Config>) -> Vec<&str> {
        let mut earlier = Vec::new();
        for (name, core) in &self.cores {
            let now = load(name).map(|config| core_sha256(&config));
            if now.as_ref() != Some(core) {
                earlier.push(name.as_str());
            }
        }
        earlier
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::named::named;
    use serde_json::json;

    fn recording(command: &str, value: u32) -> Recording {
        let config = named("tictactoe").unwrap();
        Recording {
            command: command.into(),
            commit: "abc".into(),
            date: "2026-01-31".into(),
            machine: "one".into(),
            cores: cores(&[("tictactoe".into(), config)]),
            result: json!({ "value": value }),
        }
    }

    #[test]
    fn a_command_is_recorded_once_and_a_core_told_from_another() {
        let text = with(vec![recording("a", 1), recording("b", 2)], recording("a", 3)).unwrap();
        let read = parse(&text).unwrap();
        assert_eq!(read, [recording("a", 3), recording("b", 2)]);
        assert!(read[0].earlier_cores(named).is_empty());
        let mut earlier = recording("a", 1);
        earlier.cores.insert("tictactoe".into(), "another".into());
        assert_eq!(earlier.earlier_cores(named), ["tictactoe"]);
        assert_eq!(parse("{}\n").unwrap_err().line, 1);
    }

    #[test]
    fn long_lists_are_left_out() {
        let long: Vec<usize> = (0..100).collect();
        let result = json!({ "each": long, "few": [1, 2], "deep": [{ "each": long, "mean": 5 }] });
        assert_eq!(
            pruned(result),
            json!({ "each": null, "few": [1, 2], "deep": [{ "each": null, "mean": 5 }] })
        );
    }
}
