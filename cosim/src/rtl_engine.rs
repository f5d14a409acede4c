// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simulated core as an engine. Every move is checked in lockstep on the way.

use crate::bench::{BenchError, BenchOptions, RESET_CYCLES};
use crate::lockstep::{Fault, Session};
use crate::models::Model;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Decision, Engine, EngineError, IllegalMove, Position, Stop};
use hdl::stream::{Command, Status, selector};

/// A verilated core that plays.
pub struct RtlEngine {
    config: Config,
    session: Session,
    stop: Stop,
}

impl RtlEngine {
    /// An engine over the linked model of `config`, with trace outputs or without.
    pub fn new(model: &'static Model, config: &Config, traced: bool, options: BenchOptions) -> RtlEngine {
        let session = Session::new(model, config, traced, options);
        RtlEngine { config: config.clone(), session, stop: Stop::default() }
    }

    /// The lockstep session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn failed(&self, reason: impl ToString) -> EngineError {
        EngineError::Backend { backend: self.name(), reason: reason.to_string() }
    }

    fn send(&mut self, command: Command, arguments: &[u32]) -> Result<Option<Status>, EngineError> {
        let answer = self.session.command(command, arguments);
        answer.map(|a| a.and_then(|a| a.status())).map_err(|fault: Fault| self.failed(fault))
    }

    /// The search; given up when the stop is set, the core then being reset to the position before.
    fn searched(&mut self) -> Result<Option<Status>, EngineError> {
        let moves = self.session.face().position().moves().to_vec();
        self.session.bench().stop_by(Some(self.stop.clone()));
        let answer = self.session.command(Command::Search, &[]);
        self.session.bench().stop_by(None);
        match answer {
            Err(Fault::Bench(BenchError::Stopped { .. })) => {
                self.session.reset(RESET_CYCLES);
                moves.into_iter().try_for_each(|cell| self.play(cell))?;
                Err(EngineError::Stopped)
            }
            answer => answer.map(|a| a.and_then(|a| a.status())).map_err(|fault| self.failed(fault)),
        }
    }
}

impl Engine for RtlEngine {
    fn name(&self) -> String {
        format!("rtl {}", self.config.name)
    }

    fn keeps_contract(&self) -> bool {
        true
    }

    fn config(&self) -> &Config {
        &self.config
    }

    fn stop(&self) -> Option<Stop> {
        Some(self.stop.clone())
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.send(Command::Reset, &[]).map(|_| ())
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        // Checked first, so that an illegal list leaves the core's position alone.
        Position::from_moves(&Tables::new(&self.config), moves)?;
        self.new_game()?;
        moves.iter().try_for_each(|&cell| self.play(cell))
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.session.face().position().check(cell)?;
        let point = self.config.geometry().point(cell);
        match self.send(Command::Place, &[point.x as u32, point.y as u32])? {
            Some(Status::Done | Status::MoverWins | Status::MoverDraws) => Ok(()),
            Some(Status::GameOver) => Err(IllegalMove::GameOver.into()),
            other => Err(self.failed(format!("answered {other:?} to a legal move"))),
        }
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        let built = self.config.levels;
        let levels = levels.unwrap_or(built);
        if levels == 0 || levels > built {
            return Err(EngineError::Levels { asked: levels, built });
        }
        if self.session.face().levels() != levels {
            self.send(Command::Levels, &[levels as u32])?;
        }
        match self.searched()? {
            Some(Status::GameOver) => {
                return Ok(Decision { cell: None, score: 0, nodes: 0, cycles: None });
            }
            Some(Status::Move | Status::EngineWins | Status::EngineDraws) => {}
            other => return Err(self.failed(format!("answered {other:?} to a search"))),
        }
        let cell = self.session.face().position().moves().last().copied();
        let cycles = self.session.search_cycles().map_err(|f| self.failed(f))?;
        let [score, _] = self.session.read(selector::GAME).map_err(|f| self.failed(f))?;
        // The root itself is not counted by the core.
        let mut nodes = 1;
        for ply in 1..=self.config.max_path() {
            nodes += u64::from(self.session.read(selector::NODES + ply).map_err(|f| self.failed(f))?[0]);
        }
        Ok(Decision { cell, score: score as i32, nodes, cycles: Some(cycles) })
    }
}
