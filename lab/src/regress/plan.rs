// SPDX-License-Identifier: MIT OR Apache-2.0
//! A plan: configurations with changes, moves, seeds, faces, back-pressure.

use super::job::Job;
use engine_model::{Config, ConfigError};
use serde::Deserialize;
use soc_integration::Face;
use std::collections::HashSet;

/// What is wrong with a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is no plan.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A configuration cannot be had.
    #[error("run {run}: {reason}")]
    Config {
        /// The run, by its name or configuration.
        run: String,
        /// Why not.
        reason: String,
    },
    /// A change is none of the configuration.
    #[error("run {run}: there is no parameter {key:?} to change: see `tengen configs --explain`")]
    Key {
        /// The run.
        run: String,
        /// The parameter's name.
        key: String,
    },
    /// A changed configuration cannot be.
    #[error("run {run}: {reason}")]
    Changed {
        /// The run.
        run: String,
        /// Why not.
        reason: ConfigError,
    },
    /// A number is out of its range.
    #[error("run {run}: {what}")]
    Range {
        /// The run.
        run: String,
        /// Which, and what it must be.
        what: &'static str,
    },
    /// Two jobs of one name would overwrite each other.
    #[error("two runs are called {0:?}: give one of them another name")]
    Twice(String),
    /// There is no such face.
    #[error("no face {0:?}: use axis, ahb, apb or axil")]
    Face(String),
    /// Nothing is to be done.
    #[error("it has no [[run]]")]
    Empty,
}

/// A plan as it is written. What a run does not say, the plan's own values say.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Heading of the report.
    pub title: String,
    /// What the report says above its table.
    pub about: String,
    moves: u64,
    seeds: Vec<u64>,
    back_pressure: f64,
    #[serde(default)]
    run: Vec<Run>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// A named configuration or a file.
    config: String,
    name: Option<String>,
    #[serde(default)]
    change: toml::Table,
    moves: Option<u64>,
    seeds: Option<Vec<u64>>,
    back_pressure: Option<f64>,
    #[serde(default)]
    untraced: bool,
    face: Option<String>,
}

/// The face that is no slot: the core's own streams.
const STREAMS: &str = "axis";

impl Plan {
    /// Reads a plan.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let plan: Plan = toml::from_str(text)?;
        if plan.run.is_empty() { Err(PlanError::Empty) } else { Ok(plan) }
    }

    /// Its jobs, in its order; `load` reads a configuration by name or file.
    pub fn jobs(&self, load: impl Fn(&str) -> Result<Config, String>) -> Result<Vec<Job>, PlanError> {
        let mut jobs = Vec::new();
        let mut names = HashSet::new();
        for run in &self.run {
            let config = self.config(run, &load)?;
            let face = match run.face.as_deref() {
                None | Some(STREAMS) => None,
                Some(name) => Some(Face::from_name(name).ok_or_else(|| PlanError::Face(name.into()))?),
            };
            for &seed in run.seeds.as_ref().unwrap_or(&self.seeds) {
                let job = Job {
                    config: config.clone(),
                    face,
                    traced: !run.untraced && face.is_none(),
                    seed,
                    moves: run.moves.unwrap_or(self.moves),
                    back_pressure: run.back_pressure.unwrap_or(self.back_pressure),
                };
                let range = |what| PlanError::Range { run: job.name(), what };
                if job.moves == 0 {
                    return Err(range("moves must be 1 or more"));
                }
                if !(0.0..1.0).contains(&job.back_pressure) {
                    return Err(range("back_pressure must be at least 0 and below 1"));
                }
                if !names.insert(job.name()) {
                    return Err(PlanError::Twice(job.name()));
                }
                jobs.push(job);
            }
        }
        Ok(jobs)
    }

    fn config(&self, run: &Run, load: &impl Fn(&str) -> Result<Config, String>) -> Result<Config, PlanError> {
        let called = run.name.clone().unwrap_or_else(|| run.config.clone());
        let failed = |reason: String| PlanError::Config { run: called.clone(), reason };
        let base = load(&run.config).map_err(failed)?;
        let mut table: toml::Table = toml::from_str(&base.to_toml())?;
        for (key, value) in &run.change {
            if !table.contains_key(key) {
                return Err(PlanError::Key { run: called, key: key.clone() });
            }
            table.insert(key.clone(), value.clone());
        }
        if let Some(name) = &run.name {
            table.insert("name".into(), name.clone().into());
        }
        Config::from_toml(&table.to_string()).map_err(|reason| PlanError::Changed { run: called, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::named::named;

    const PLAN: &str = r#"
title = "T"
about = "A"
moves = 300
seeds = [3]
back_pressure = 0.5
[[run]]
config = "gomoku15"
seeds = [11, 12]
moves = 2500
[[run]]
config = "gomoku15"
name = "contexts-1"
change = { contexts = 1 }
untraced = true
[[run]]
config = "gomoku7"
face = "ahb"
back_pressure = 0.1
"#;

    fn jobs(text: &str) -> Result<Vec<Job>, PlanError> {
        Plan::parse(text)?.jobs(|name| named(name).ok_or_else(|| format!("no configuration {name:?}")))
    }

    #[test]
    fn a_plan_is_its_jobs() {
        let jobs = jobs(PLAN).unwrap();
        let names: Vec<String> = jobs.iter().map(Job::name).collect();
        assert_eq!(names, ["gomoku15.11", "gomoku15.12", "contexts-1.3", "gomoku7-ahb.3"]);
        assert_eq!((jobs[1].moves, jobs[1].back_pressure, jobs[1].traced), (2500, 0.5, true));
        assert_eq!((jobs[2].config.contexts, jobs[2].moves, jobs[2].traced), (1, 300, false));
        assert_eq!((jobs[3].face, jobs[3].back_pressure, jobs[3].traced), (Some(Face::Ahb), 0.1, false));
    }

    #[test]
    fn what_is_no_plan_is_told() {
        for (from, to, part) in [
            ("moves = 300", "movs = 300", "movs"),
            ("contexts = 1 ", "context = 1 ", "run contexts-1: there is no parameter \"context\""),
            ("contexts = 1 ", "contexts = 65 ", "run contexts-1: contexts = 65"),
            ("\"gomoku7\"", "\"gomoku8\"", "run gomoku8: no configuration \"gomoku8\""),
            ("name = \"contexts-1\"", "seeds = [11]", "two runs are called \"gomoku15.11\""),
            ("moves = 2500", "moves = 0", "run gomoku15.11: moves must be 1 or more"),
            ("back_pressure = 0.1", "back_pressure = 1.0", "run gomoku7-ahb.3: back_pressure must be"),
            ("\"ahb\"", "\"pci\"", "no face \"pci\": use axis, ahb, apb or axil"),
        ] {
            assert!(PLAN.contains(from), "{from}");
            let message = jobs(&PLAN.replace(from, to)).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        let none = jobs(&PLAN[..PLAN.find("[[run]]").unwrap()]).unwrap_err();
        assert!(matches!(none, PlanError::Empty));
    }
}
