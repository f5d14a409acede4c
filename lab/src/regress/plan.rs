// SPDX-License-Identifier: MIT OR Apache-2.0
//! A plan: configurations with changes, moves, seeds, faces, back-pressure; packages' test benches; random configurations.

use super::job::{Check, Job};
use super::tools::BenchTool;
use engine_model::config::{MAX_SIDE, MIN_IN_A_ROW};
use engine_model::sample::{self, Most};
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
    #[error("it has no [[run]], [[bench]] or [[random]]")]
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
    moves: Option<u64>,
    seeds: Option<Vec<u64>>,
    #[serde(default)]
    back_pressure: f64,
    #[serde(default)]
    run: Vec<Run>,
    #[serde(default)]
    bench: Vec<Bench>,
    #[serde(default)]
    random: Vec<Random>,
}

/// Runs in lockstep of one configuration.
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

/// Packages' own test benches.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bench {
    config: String,
    /// The core's own streams unless told.
    faces: Option<Vec<String>>,
    /// Simulators; both unless told.
    tools: Option<Vec<BenchTool>>,
    /// Clocks in Icarus Verilog, which is slow on a large board; else to the end.
    icarus_clocks: Option<u64>,
}

/// Legal configurations at random: all of them linted, the first small ones in lockstep.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Random {
    configurations: usize,
    seed: u64,
    /// Columns and rows at most.
    side: usize,
    /// How many play in lockstep.
    sample: usize,
    /// Cells that one of those has at most, and levels: else its simulation takes minutes to compile and a search minutes to run.
    sample_cells: usize,
    sample_levels: usize,
}

/// The face that is no slot: the core's own streams.
const STREAMS: &str = "axis";
/// The faces in the order in which random configurations get them.
const FACES: [&str; 4] = [STREAMS, "axil", "ahb", "apb"];

fn face(name: &str) -> Result<Option<Face>, PlanError> {
    match name {
        STREAMS => Ok(None),
        name => Face::from_name(name).map(Some).ok_or_else(|| PlanError::Face(name.into())),
    }
}

impl Plan {
    /// Reads a plan.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let plan: Plan = toml::from_str(text)?;
        let empty = plan.run.is_empty() && plan.bench.is_empty() && plan.random.is_empty();
        if empty { Err(PlanError::Empty) } else { Ok(plan) }
    }

    /// Its jobs, in its order; `load` reads a configuration by name or file.
    pub fn jobs(&self, load: impl Fn(&str) -> Result<Config, String>) -> Result<Vec<Job>, PlanError> {
        let mut jobs = Vec::new();
        for run in &self.run {
            self.runs(run, &load, &mut jobs)?;
        }
        for bench in &self.bench {
            let failed = |reason: String| PlanError::Config { run: bench.config.clone(), reason };
            let config = load(&bench.config).map_err(failed)?;
            for name in bench.faces.as_deref().unwrap_or(&[STREAMS.to_string()]) {
                for &tool in bench.tools.as_deref().unwrap_or(&BenchTool::ALL) {
                    let clocks = bench.icarus_clocks.filter(|_| tool == BenchTool::Icarus);
                    let check = Check::Bench { tool, clocks };
                    jobs.push(Job { config: config.clone(), face: face(name)?, check });
                }
            }
        }
        for random in &self.random {
            self.random(random, &mut jobs)?;
        }
        let mut names = HashSet::new();
        for job in &jobs {
            if !names.insert(job.name()) {
                return Err(PlanError::Twice(job.name()));
            }
        }
        Ok(jobs)
    }

    fn runs(
        &self,
        run: &Run,
        load: &impl Fn(&str) -> Result<Config, String>,
        jobs: &mut Vec<Job>,
    ) -> Result<(), PlanError> {
        let config = self.config(run, load)?;
        let face = face(run.face.as_deref().unwrap_or(STREAMS))?;
        let named = run.name.as_ref().unwrap_or(&run.config);
        let missing = |what| PlanError::Range { run: named.clone(), what };
        let seeds = run.seeds.as_ref().or(self.seeds.as_ref());
        for &seed in seeds.ok_or_else(|| missing("seeds are said neither by it nor by the plan"))? {
            let check = Check::Lockstep {
                traced: !run.untraced && face.is_none(),
                seed,
                moves: self.moves(named, run.moves)?,
                back_pressure: self.back_pressure(named, run.back_pressure)?,
            };
            jobs.push(Job { config: config.clone(), face, check });
        }
        Ok(())
    }

    fn moves(&self, run: &str, own: Option<u64>) -> Result<u64, PlanError> {
        let range = |what| PlanError::Range { run: run.into(), what };
        match own.or(self.moves) {
            None => Err(range("moves are said neither by it nor by the plan")),
            Some(0) => Err(range("moves must be 1 or more")),
            Some(moves) => Ok(moves),
        }
    }

    fn back_pressure(&self, run: &str, own: Option<f64>) -> Result<f64, PlanError> {
        let back_pressure = own.unwrap_or(self.back_pressure);
        if (0.0..1.0).contains(&back_pressure) {
            return Ok(back_pressure);
        }
        Err(PlanError::Range { run: run.into(), what: "back_pressure must be at least 0 and below 1" })
    }

    fn random(&self, random: &Random, jobs: &mut Vec<Job>) -> Result<(), PlanError> {
        const NAME: &str = "random";
        let range = |what| PlanError::Range { run: NAME.into(), what };
        if !(MIN_IN_A_ROW..=MAX_SIDE).contains(&random.side) {
            return Err(range("side must be 3 to 20"));
        }
        let most = Most { side: random.side, ..Most::LEGAL };
        let mut rng = fastrand::Rng::with_seed(random.seed);
        let configs = sample::many(NAME, random.configurations, most, |range| rng.usize(range));
        for (config, name) in configs.iter().zip(FACES.iter().cycle()) {
            jobs.push(Job { config: config.clone(), face: face(name)?, check: Check::Lint });
        }
        let small = |config: &&Config| {
            config.columns * config.rows <= random.sample_cells && config.levels <= random.sample_levels
        };
        let sample: Vec<&Config> = configs.iter().filter(small).take(random.sample).collect();
        if sample.len() < random.sample {
            return Err(range("too few of its configurations are small enough for its sample"));
        }
        for config in sample {
            let check = Check::Lockstep {
                traced: true,
                seed: random.seed,
                moves: self.moves(NAME, None)?,
                back_pressure: self.back_pressure(NAME, None)?,
            };
            jobs.push(Job { config: config.clone(), face: None, check });
        }
        Ok(())
    }

    fn config(&self, run: &Run, load: &impl Fn(&str) -> Result<Config, String>) -> Result<Config, PlanError> {
        let called = run.name.clone().unwrap_or_else(|| run.config.clone());
        let failed = |reason: String| PlanError::Config { run: called.clone(), reason };
        let base = load(&run.config).map_err(failed)?;
        let mut table: toml::Table = toml::from_str(&base.to_toml())?;
        let parameters = base.parameters();
        for (key, value) in &run.change {
            if !parameters.contains_key(key) {
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
        // A parameter that the configuration leaves out.
        let changed =
            PLAN.replace("\"gomoku15\"\nname", "\"gomoku7\"\nname").replace("contexts = 1 ", "ahead = 2 ");
        assert_eq!(self::jobs(&changed).unwrap()[2].config.ahead, 2);
        let lockstep =
            |traced, seed, moves, back_pressure| Check::Lockstep { traced, seed, moves, back_pressure };
        assert_eq!(jobs[1].check, lockstep(true, 12, 2500, 0.5));
        assert_eq!((jobs[2].config.contexts, &jobs[2].check), (1, &lockstep(false, 3, 300, 0.5)));
        assert_eq!((jobs[3].face, &jobs[3].check), (Some(Face::Ahb), &lockstep(false, 3, 300, 0.1)));
    }

    #[test]
    fn benches_and_random_configurations_are_jobs_too() {
        let text = r#"
title = "T"
about = "A"
moves = 30
back_pressure = 0.3
[[bench]]
config = "gomoku15"
faces = ["axis", "ahb"]
icarus_clocks = 2000
[[random]]
configurations = 9
seed = 1
side = 8
sample = 2
sample_cells = 64
sample_levels = 4
"#;
        let jobs = jobs(text).unwrap();
        let names: Vec<String> = jobs.iter().map(Job::name).collect();
        let benches =
            ["gomoku15.verilator", "gomoku15.icarus", "gomoku15-ahb.verilator", "gomoku15-ahb.icarus"];
        assert_eq!(names[..4], benches);
        assert_eq!(jobs[3].check, Check::Bench { tool: BenchTool::Icarus, clocks: Some(2000) });
        assert_eq!(
            names[4..8],
            ["random000.lint", "random001-axil.lint", "random002-ahb.lint", "random003-apb.lint"]
        );
        assert_eq!(jobs.len(), 4 + 9 + 2);
        assert!(jobs[13..].iter().all(|job| job.config.levels <= 4 && job.face.is_none()));
        let few = text.replace("sample_cells = 64", "sample_cells = 1");
        assert!(self::jobs(&few).unwrap_err().to_string().contains("too few"));
    }

    #[test]
    fn what_is_no_plan_is_told() {
        for (from, to, part) in [
            ("moves = 300", "movs = 300", "movs"),
            ("seeds = [3]", "", "run contexts-1: seeds are said neither"),
            ("contexts = 1 ", "context = 1 ", "run contexts-1: there is no parameter \"context\""),
            ("contexts = 1 ", "contexts = 65 ", "run contexts-1: contexts = 65"),
            ("\"gomoku7\"", "\"gomoku8\"", "run gomoku8: no configuration \"gomoku8\""),
            ("name = \"contexts-1\"", "seeds = [11]", "two runs are called \"gomoku15.11\""),
            ("moves = 300", "", "run contexts-1: moves are said neither"),
            ("moves = 2500", "moves = 0", "run gomoku15: moves must be 1 or more"),
            ("back_pressure = 0.1", "back_pressure = 1.0", "run gomoku7: back_pressure must be"),
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
