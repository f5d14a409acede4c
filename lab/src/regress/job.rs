// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run in lockstep, and what came of it. An outcome depends on its job and the core alone: no time, no machine.

use cosim::bus::session::{SlotSession, play};
use cosim::lockstep::{HANG_CYCLES, Plan as Games, run};
use cosim::models::{Wanted, model};
use cosim::{Kind, ModelError};
use engine_model::Config;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use soc_integration::Face;

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
        let mut hash = Sha256::new();
        let verilog = self.wanted().verilog()?;
        let Job { seed, moves, back_pressure, traced, .. } = self;
        let parts = [
            verilog,
            self.config.to_toml(),
            format!("{seed} {moves} {back_pressure} {traced}"),
            cosim::models::simulator()?.into(),
        ];
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Ok(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
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
        let mean = |cycles: &[u64]| cycles.iter().sum::<u64>() as f64 / cycles.len().max(1) as f64;
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
                        outcome.cycles = mean(&played.searches);
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
                outcome.cycles = mean(&tally.cycles);
                outcome.decisions = tally.fingerprint();
                outcome.fault = fault.map(|fault| cosim::report::describe(&games, &fault));
            }
        }
        Ok(outcome)
    }
}
