// SPDX-License-Identifier: MIT OR Apache-2.0
//! The trait that the model, the simulated RTL and a board implement alike.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use crate::config::Config;
use crate::geometry::Cell;
use crate::position::{IllegalMove, Position, Tables};
use crate::search::Search;
pub use crate::stop::Stop;
use std::sync::Arc;

/// Levels of the first search under a limit, and from one to the next: 2, 4, 6, ... as the search contract has it.
pub const DEEPENING_STEP: usize = 2;

/// Levels of the searches that a limit lets go through, down to `levels`.
pub fn deepening(levels: usize) -> impl Iterator<Item = usize> {
    (1..=levels.div_ceil(DEEPENING_STEP)).map(move |step| levels.min(step * DEEPENING_STEP))
}

/// What an engine answers to a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The move, or `None` when the game is over.
    pub cell: Option<Cell>,
    /// Score for the side that moves, half-points (0 when the game is over).
    pub score: i32,
    /// Nodes visited.
    pub nodes: u64,
    /// Clock cycles, where the backend has a clock.
    pub cycles: Option<u64>,
}

/// Why a backend could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The move cannot be played; the position is unchanged.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The engine was built for fewer levels.
    #[error("{asked} levels asked for: this engine has 1 to {built}")]
    Levels {
        /// Levels asked for.
        asked: usize,
        /// Levels built.
        built: usize,
    },
    /// Its [`Stop`] was set before the search had come to its end: the position is as before.
    #[error("the search was stopped")]
    Stopped,
    /// The backend broke its own protocol or stopped answering.
    #[error("{backend}: {reason}")]
    Backend {
        /// Which backend.
        backend: String,
        /// What happened and what to do.
        reason: String,
    },
}

/// The plies that a score tells, if it is within `most` of a win's: as in [`Engine::decided`].
pub fn plies_of(score: i32, win: i32, most: i32) -> Option<i32> {
    let plies = win - score.abs();
    (plies <= most).then_some(plies * score.signum())
}

/// A Gomoku engine, whatever it is made of. It holds one game.
pub trait Engine {
    /// Name for reports.
    fn name(&self) -> String;
    /// The configuration it plays.
    fn config(&self) -> &Config;
    /// Levels of a search that is not told how many.
    fn levels(&self) -> usize {
        self.config().levels
    }
    /// Levels to which searches under a time limit may deepen.
    fn deepest(&self) -> usize {
        self.levels()
    }
    /// By how many levels searches under a time limit deepen.
    fn step(&self) -> usize {
        DEEPENING_STEP
    }
    /// Ends a running search with [`EngineError::Stopped`] once it is set; none: a search cannot be ended.
    fn stop(&self) -> Option<Stop> {
        None
    }
    /// What a score of a search says of the game's end: the side to move wins with so many moves of both sides (1: with its next one);
    /// negative: it loses; nothing if the score says neither.
    fn decided(&self, score: i32) -> Option<i32> {
        let config = self.config();
        // Rule 4 sees a win three moves beyond the last node.
        plies_of(score, config.scoring().win_score, config.max_path() as i32 + 3)
    }
    /// Whether its decisions and scores are those of the search contract, as [`Search`] gives them.
    fn keeps_contract(&self) -> bool {
        false
    }
    /// Starts a new game.
    fn new_game(&mut self) -> Result<(), EngineError>;
    /// Sets the position reached by `moves` from the empty board; on an error the position is unchanged.
    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError>;
    /// Plays a move for the side to move.
    fn play(&mut self, cell: Cell) -> Result<(), EngineError>;
    /// Chooses a move for the side to move with `levels` levels (`None` = as built) and plays it.
    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError>;
    /// The engine has lost the game of these moves as `side` (0 moved first): it is over, or the opponent completes a line next. Who
    /// learns takes lessons, and answers how many.
    fn lost(&mut self, moves: &[Cell], side: usize) -> Result<usize, EngineError> {
        let _ = (moves, side);
        Ok(0)
    }
}

/// The golden model as an engine.
pub struct ModelEngine {
    tables: Arc<Tables>,
    position: Position,
    stop: Stop,
}

impl ModelEngine {
    /// An engine of a checked configuration, at the empty board.
    pub fn new(config: &Config) -> ModelEngine {
        let tables = Tables::new(config);
        ModelEngine { position: Position::new(&tables), tables, stop: Stop::default() }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl Engine for ModelEngine {
    fn name(&self) -> String {
        "model".to_string()
    }

    fn keeps_contract(&self) -> bool {
        true
    }

    fn config(&self) -> &Config {
        &self.tables.config
    }

    fn stop(&self) -> Option<Stop> {
        Some(self.stop.clone())
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.position = Position::new(&self.tables);
        Ok(())
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        self.position = Position::from_moves(&self.tables, moves)?;
        Ok(())
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        Ok(self.position.play(cell)?)
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        let built = self.tables.config.levels;
        let levels = levels.unwrap_or(built);
        if levels == 0 || levels > built {
            return Err(EngineError::Levels { asked: levels, built });
        }
        let mut search = Search::new(&mut self.position, levels).stopped_by(&self.stop);
        let decision = search.decide();
        let nodes = search.counters.nodes();
        if search.was_stopped() {
            return Err(EngineError::Stopped);
        }
        if let Some(decision) = decision {
            self.position.place(decision.cell);
        }
        Ok(Decision {
            cell: decision.map(|d| d.cell),
            score: decision.map_or(0, |d| d.score),
            nodes,
            cycles: None,
        })
    }
}
