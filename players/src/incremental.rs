// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden model's own search as a software engine.

use super::{SoftwareEngine, SoftwareResult};
use engine_model::config::Config;
use engine_model::geometry::Cell;
use engine_model::position::{IllegalMove, Position, Tables};
use engine_model::search::Search;

/// Alpha-beta over incrementally kept window counts: a wrapper of [`Search`].
pub struct IncrementalEngine {
    position: Position,
}

impl IncrementalEngine {
    /// The engine of a checked configuration at the position after `moves`.
    pub fn new(config: &Config, moves: &[Cell]) -> Result<IncrementalEngine, IllegalMove> {
        Ok(IncrementalEngine { position: Position::from_moves(&Tables::new(config), moves)? })
    }
}

impl SoftwareEngine for IncrementalEngine {
    fn name(&self) -> &'static str {
        "incremental"
    }

    fn describe(&self) -> String {
        "alpha-beta in static order, window counts and gains kept move by move, exact bounds one level \
         above the leaves"
            .into()
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), IllegalMove> {
        self.position = Position::from_moves(self.position.tables(), moves)?;
        Ok(())
    }

    fn decide(&mut self, levels: usize) -> SoftwareResult {
        let levels = levels.clamp(1, self.position.tables().config.levels);
        let mut search = Search::new(&mut self.position, levels);
        let decision = search.decide();
        SoftwareResult { decision, nodes: search.counters.nodes() }
    }
}
