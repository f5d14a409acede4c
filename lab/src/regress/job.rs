// SPDX-License-Identifier: MIT OR Apache-2.0
//! One job of a plan, and what came of it. An outcome depends on its job, the core and the tools alone: no time, no machine.

pub use super::error::JobError;

use super::tools::{self, BenchTool};
use cosim::Kind;
use cosim::bus::session::{SlotSession, play};
use cosim::lockstep::{HANG_CYCLES, Plan as Games, run};
use cosim::models::{Wanted, model};
use engine_model::Config;
use figures::statistics::mean;
use serde::{Deserialize, Serialize};
use soc_integration::Face;
use vivado::package::sha256;

/// What is done with a core.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// It plays in lockstep with the model.
    Lockstep {
        /// Whether every node is compared, else answers only.
        traced: bool,
        /// Seed of everything random.
        seed: u64,
        /// Engine moves.
        moves: u64,
        /// Back-pressure and idle probability.
        back_pressure: f64,
    },
    /// Its package's own test bench runs with nothing but the package.
    Bench {
        /// In which simulator.
        tool: BenchTool,
        /// Clocks after which it ends without a verdict on the rest; else it runs to its end.
        clocks: Option<u64>,
    },
    /// Its package's Verilog is linted in Verilator and Icarus Verilog: no word is said.
    Lint,
}

/// One job.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The configuration.
    pub config: Config,
    /// The slot around the core; none: its own streams.
    pub face: Option<Face>,
    /// What is done.
    pub check: Check,
}

/// What came of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The job's name.
    pub job: String,
    /// Hash of all that the outcome depends on: the job, the core's Verilog, the tools.
    pub identity: String,
    /// The tools.
    pub simulator: String,
    /// Engine moves wanted; 0 of what plays none.
    pub wanted: u64,
    /// Engine moves played.
    pub moves: u64,
    /// Nodes compared.
    pub nodes: u64,
    /// Returns compared.
    pub returns: u64,
    /// Mean cycles of a search with all levels.
    pub cycles: f64,
    /// Fingerprint of the moves chosen; through a slot none.
    pub decisions: String,
    /// What a test bench or a linter said of a sound core.
    #[serde(default)]
    pub said: String,
    /// The disagreement that ended it.
    pub fault: Option<String>,
}

impl Job {
    /// Its name, as that of a file: configuration, face and seed or check.
    pub fn name(&self) -> String {
        let face = self.face.map_or(String::new(), |face| format!("-{}", face.name()));
        let what = match &self.check {
            Check::Lockstep { seed, .. } => seed.to_string(),
            Check::Bench { tool, .. } => tool.name().into(),
            Check::Lint => "lint".into(),
        };
        format!("{}{face}.{what}", self.config.name)
    }

    /// The simulation that it needs, if it needs one.
    pub fn wanted(&self) -> Option<Wanted> {
        let Check::Lockstep { traced, .. } = self.check else { return None };
        Some(Wanted::new(&self.config, self.face.map_or(Kind::core(traced), Kind::Slot)))
    }

    /// Hash of all that its outcome depends on, and the tools in words.
    fn identity_and_tools(&self) -> Result<(String, String), JobError> {
        let config = self.config.to_toml();
        Ok(match &self.check {
            Check::Lockstep { traced, seed, moves, back_pressure } => {
                let simulator = cosim::models::simulator()?.to_string();
                let verilog = self.wanted().map_or(Ok(String::new()), |wanted| wanted.verilog())?;
                let text =
                    format!("{seed} {moves} {back_pressure} {traced}\n{simulator}\n{config}\n{verilog}");
                (sha256(&text), simulator)
            }
            Check::Bench { tool, clocks } => {
                let version = tool.version()?;
                let package = tools::package_text(&self.config, self.face);
                (sha256(&format!("{clocks:?} {version}\n{package}")), version)
            }
            Check::Lint => {
                let version = tools::lint_version()?;
                let package = tools::package_text(&self.config, self.face);
                (sha256(&format!("lint {version}\n{package}")), version)
            }
        })
    }

    /// Hash of all that its outcome depends on.
    pub fn identity(&self) -> Result<String, JobError> {
        Ok(self.identity_and_tools()?.0)
    }

    /// Whether to run it again although it has this outcome: what a tool complained of may have been the machine's.
    pub fn again(&self, outcome: &Outcome) -> bool {
        outcome.fault.is_some() && !matches!(self.check, Check::Lockstep { .. })
    }

    /// How long it takes beside others, roughly: to begin with the longest.
    pub fn cost(&self) -> u64 {
        let cells = self.config.columns * self.config.rows;
        match self.check {
            Check::Lockstep { moves, .. } => moves.saturating_mul(8u64.pow(self.config.levels as u32)),
            Check::Bench { .. } | Check::Lint => cells as u64,
        }
    }

    /// Moves that it plays; of what plays none, 1.
    pub fn steps(&self) -> u64 {
        match self.check {
            Check::Lockstep { moves, .. } => moves,
            Check::Bench { .. } | Check::Lint => 1,
        }
    }

    /// Runs it; `progress` hears of the moves played.
    pub fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Outcome, JobError> {
        let (identity, simulator) = self.identity_and_tools()?;
        let mut outcome = Outcome { job: self.name(), identity, simulator, ..Outcome::default() };
        let told = match &self.check {
            Check::Lockstep { traced, seed, moves, back_pressure } => {
                outcome.wanted = *moves;
                match self.face {
                    Some(face) => self.through_a_slot(face, *seed, *moves, *back_pressure, &mut outcome)?,
                    None => {
                        let games = Games {
                            config: self.config.clone(),
                            seed: *seed,
                            moves: *moves,
                            games: Vec::new(),
                            back_pressure: *back_pressure,
                            traced: *traced,
                            only_game: None,
                            limit: HANG_CYCLES,
                            waves: None,
                        };
                        self.in_lockstep(&games, progress, &mut outcome)?;
                    }
                }
                return Ok(outcome);
            }
            Check::Bench { tool, clocks } => {
                tools::bench(&self.name(), &self.config, self.face, *tool, *clocks)?
            }
            Check::Lint => tools::lint(&self.name(), &self.config, self.face)?,
        };
        match told {
            Ok(said) => outcome.said = said,
            Err(fault) => outcome.fault = Some(fault),
        }
        Ok(outcome)
    }

    fn through_a_slot(
        &self,
        face: Face,
        seed: u64,
        moves: u64,
        back_pressure: f64,
        outcome: &mut Outcome,
    ) -> Result<(), JobError> {
        let model = model(&self.config, Kind::Slot(face))?;
        let session = SlotSession::new(model, face, &self.config, seed, back_pressure);
        let played = session
            .map_err(|fault| fault.to_string())
            .and_then(|mut session| play(&mut session, moves, seed).map_err(|fault| fault.to_string()));
        match played {
            Ok(played) => {
                outcome.moves = played.moves;
                outcome.cycles = mean(played.searches.iter().map(|&cycles| cycles as f64));
            }
            Err(fault) => outcome.fault = Some(fault),
        }
        Ok(())
    }

    fn in_lockstep(
        &self,
        games: &Games,
        progress: &mut dyn FnMut(u64),
        outcome: &mut Outcome,
    ) -> Result<(), JobError> {
        let model = model(&self.config, Kind::core(games.traced))?;
        let (tally, fault) = run(games, model, &mut |tally| progress(tally.moves));
        outcome.moves = tally.moves;
        outcome.nodes = tally.nodes_compared;
        outcome.returns = tally.returns_compared;
        outcome.cycles = mean(tally.cycles.iter().map(|&cycles| cycles as f64));
        outcome.decisions = tally.fingerprint();
        outcome.fault = fault.map(|fault| cosim::report::describe(games, &fault));
        Ok(())
    }
}
