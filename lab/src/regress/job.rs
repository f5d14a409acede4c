// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run in lockstep, and what came of it. An outcome depends on its job and the core alone: no time, no machine.

use cosim::bus::session::{SlotSession, play};
use cosim::lockstep::{HANG_CYCLES, Plan as Games, run};
use cosim::models::{Wanted, model};
use cosim::{Kind, ModelError};
use engine_model::Config;
use figures::statistics::mean;
use serde::{Deserialize, Serialize};
use soc_integration::Face;
use vivado::package::sha256;

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The configuration.
    pub config: Config,
    /// The slot that it plays through, or its own streams.
    pub face: Option<Face>,
    /// Whether every node is compared, else answers only.
    pub traced: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Engine moves.
    pub moves: u64,
    /// Back-pressure and idle probability.
    pub back_pressure: f64,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The job's name.
    pub job: String,
    /// Hash of all that the outcome depends on: the job, the core's Verilog, the simulator.
    pub identity: String,
    /// The simulator.
    pub simulator: String,
    /// Engine moves wanted.
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
    /// The disagreement that ended it.
    pub fault: Option<String>,
}

impl Job {
    /// Its name, as that of a file: configuration, face and seed.
    pub fn name(&self) -> String {
        let face = self.face.map_or(String::new(), |face| format!("-{}", face.name()));
        format!("{}{face}.{}", self.config.name, self.seed)
    }

    fn kind(&self) -> Kind {
        self.face.map_or(Kind::core(self.traced), Kind::Slot)
    }

    /// The simulation that it needs.
    pub fn wanted(&self) -> Wanted {
        Wanted::new(&self.config, self.kind())
    }

    /// Hash of all that its outcome depends on.
    pub fn identity(&self) -> Result<String, ModelError> {
        let Job { config, seed, moves, back_pressure, traced, .. } = self;
        let (config, simulator) = (config.to_toml(), cosim::models::simulator()?);
        let verilog = self.wanted().verilog()?;
        Ok(sha256(&format!("{seed} {moves} {back_pressure} {traced}\n{simulator}\n{config}\n{verilog}")))
    }

    /// Plays it; `progress` hears of the moves played.
    pub fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Outcome, ModelError> {
        let (identity, model) = (self.identity()?, model(&self.config, self.kind())?);
        let mut outcome = Outcome {
            job: self.name(),
            identity,
            simulator: model.simulator.clone(),
            wanted: self.moves,
            moves: 0,
            nodes: 0,
            returns: 0,
            cycles: 0.0,
            decisions: String::new(),
            fault: None,
        };
        match self.face {
            Some(face) => {
                let session = SlotSession::new(model, face, &self.config, self.seed, self.back_pressure);
                let played = session.map_err(|fault| fault.to_string()).and_then(|mut session| {
                    let played = play(&mut session, self.moves, self.seed);
                    played.map_err(|fault| fault.to_string())
                });
                match played {
                    Ok(played) => {
                        outcome.moves = played.moves;
                        outcome.cycles = mean(played.searches.iter().map(|&cycles| cycles as f64));
                    }
                    Err(fault) => outcome.fault = Some(fault),
                }
            }
            None => {
                let games = Games {
                    config: self.config.clone(),
                    seed: self.seed,
                    moves: self.moves,
                    games: Vec::new(),
                    back_pressure: self.back_pressure,
                    traced: self.traced,
                    only_game: None,
                    limit: HANG_CYCLES,
                    waves: None,
                };
                let (tally, fault) = run(&games, model, &mut |tally| progress(tally.moves));
                outcome.moves = tally.moves;
                outcome.nodes = tally.nodes_compared;
                outcome.returns = tally.returns_compared;
                outcome.cycles = mean(tally.cycles.iter().map(|&cycles| cycles as f64));
                outcome.decisions = tally.fingerprint();
                outcome.fault = fault.map(|fault| cosim::report::describe(&games, &fault));
            }
        }
        Ok(outcome)
    }
}
