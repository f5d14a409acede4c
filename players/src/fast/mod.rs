// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast engine: what the same search costs a processor when the program is written for it.

mod board;
mod ceilings;
mod lanes;
mod patterns;
mod pool;
mod root;
mod search;

use super::{SoftwareEngine, SoftwareResult};
use engine_model::config::Config;
use engine_model::engine::{Decision, Engine, EngineError};
use engine_model::geometry::Cell;
use engine_model::position::{IllegalMove, Position, Tables};
use root::{Root, RootSearch};

/// Alpha-beta over line-pattern tables with vector scans; leaves are computed from their parent's board.
pub struct FastEngine {
    position: Position,
    root: Box<dyn RootSearch>,
    threads: usize,
    vector: bool,
}

/// Lines of a board in all four directions.
fn lines(columns: usize, rows: usize) -> usize {
    columns + rows + 2 * (columns + rows - 1)
}

/// Picks the smallest board type that holds the configuration.
fn root_of(config: &Config, vector: bool, threads: usize) -> Box<dyn RootSearch> {
    let (cells, lines) = (config.columns * config.rows, lines(config.columns, config.rows));
    let narrow = config.scoring().max_gain <= i16::MAX.into();
    match (narrow, cells, lines) {
        (true, ..=64, ..=72) => Box::new(Root::<i16, 64, 1, 72>::new(config, vector, threads)),
        (true, ..=240, ..=96) => Box::new(Root::<i16, 240, 4, 96>::new(config, vector, threads)),
        (true, ..) => Box::new(Root::<i16, 400, 7, 118>::new(config, vector, threads)),
        (false, ..) => Box::new(Root::<i32, 400, 7, 118>::new(config, vector, threads)),
    }
}

impl FastEngine {
    /// The engine of a checked configuration at the position after `moves`, searching on `threads` threads (at least
    /// one; decision and score do not depend on the number).
    pub fn new(config: &Config, moves: &[Cell], threads: usize) -> Result<FastEngine, IllegalMove> {
        FastEngine::build(config, moves, threads, true)
    }

    /// The same without run-time selection of vector instructions.
    pub fn portable(config: &Config, moves: &[Cell], threads: usize) -> Result<FastEngine, IllegalMove> {
        FastEngine::build(config, moves, threads, false)
    }

    fn build(
        config: &Config,
        moves: &[Cell],
        threads: usize,
        vector: bool,
    ) -> Result<FastEngine, IllegalMove> {
        let position = Position::from_moves(&Tables::new(config), moves)?;
        let threads = threads.max(1);
        let mut root = root_of(config, vector, threads);
        root.set(moves);
        Ok(FastEngine { position, root, threads, vector })
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl SoftwareEngine for FastEngine {
    fn name(&self) -> &'static str {
        if self.threads == 1 { "fast" } else { "fast-all-cores" }
    }

    fn describe(&self) -> String {
        format!(
            "alpha-beta in static order over copied boards, line-pattern tables, {} scans, exact bounds above \
             leaves, which are computed from their parent, {} thread{}",
            if self.vector { "vector" } else { "portable" },
            self.threads,
            if self.threads == 1 { "" } else { "s" },
        )
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), IllegalMove> {
        self.position = Position::from_moves(self.position.tables(), moves)?;
        self.root.set(moves);
        Ok(())
    }

    fn decide(&mut self, levels: usize) -> SoftwareResult {
        if self.position.is_over() {
            return SoftwareResult { decision: None, nodes: 0 };
        }
        let levels = levels.clamp(1, self.position.tables().config.levels);
        self.root.decide(levels)
    }
}

impl Engine for FastEngine {
    fn name(&self) -> String {
        SoftwareEngine::name(self).into()
    }

    fn keeps_contract(&self) -> bool {
        true
    }

    fn config(&self) -> &Config {
        &self.position.tables().config
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.position = Position::new(self.position.tables());
        self.root.set(&[]);
        Ok(())
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        Ok(SoftwareEngine::set_position(self, moves)?)
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.position.play(cell)?;
        self.root.set(self.position.moves());
        Ok(())
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        let built = self.config().levels;
        let levels = levels.unwrap_or(built);
        if levels == 0 || levels > built {
            return Err(EngineError::Levels { asked: levels, built });
        }
        let SoftwareResult { decision, nodes } = self.decide(levels);
        if let Some(decision) = decision {
            self.position.place(decision.cell);
            self.root.set(self.position.moves());
        }
        Ok(Decision {
            cell: decision.map(|d| d.cell),
            score: decision.map_or(0, |d| d.score),
            nodes,
            cycles: None,
        })
    }
}
