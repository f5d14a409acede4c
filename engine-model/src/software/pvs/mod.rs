// SPDX-License-Identifier: MIT OR Apache-2.0
//! Principal variation search over five-tuples: iterative deepening, aspiration windows, a transposition table, history and
//! killers, on one core or several.
//!
//! The algorithm is that of a parallel Gobang of 2006 (principal variation search, history heuristic, a table under all threads,
//! the stones' rectangle, wins worth more the sooner they come); its evaluation is [`Tuples`](super::opponents::tuples). Entries of
//! the table count only at the very depth that is asked for, so that the score of a search is the minimax value of its depth,
//! whatever the table, the order of moves or the threads do. Which of equal moves is played is the same every time too: the
//! first in the order of the root.

mod search;
mod table;

use crate::config::Config;
use crate::engine::{Decision, Engine, EngineError};
use crate::geometry::Cell;
use crate::position::{Position, Tables};
use search::Searcher;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use table::Table;

/// Deepest search that is possible.
pub const MOST: usize = super::opponents::MOST;

/// What may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Levels unless told otherwise.
    pub depth: usize,
    /// Moves lie within so many cells of the stones' rectangle.
    pub margin: usize,
    /// Bytes of the transposition table; 0: none.
    pub table_bytes: usize,
    /// Moves that cut before are searched earlier.
    pub history: bool,
    /// Threads.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { depth: 4, margin: 1, table_bytes: 16 << 20, history: true, threads: 1 }
    }
}

/// The engine. The configuration gives the game (columns, rows, number in a row), nothing else.
pub struct Pvs {
    options: Options,
    tables: Arc<Tables>,
    position: Position,
    table: Arc<Table>,
    stop: Arc<AtomicBool>,
}

impl Pvs {
    /// An engine at the empty board.
    pub fn new(config: &Config, options: Options) -> Pvs {
        let tables = Tables::new(config);
        let margin = options.margin.min(config.columns.max(config.rows));
        let options = Options { margin, ..options };
        let table = Arc::new(Table::new(options.table_bytes));
        Pvs { options, position: Position::new(&tables), tables, table, stop: Arc::default() }
    }

    /// Set from another thread, it ends the running search with the last depth it has completed.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// The best move to a depth (brought into 1 to [`MOST`]), its value and the nodes it took; nothing when the game is over.
    pub fn best(&mut self, depth: usize) -> Option<(Cell, i32, u64)> {
        let depth = depth.clamp(1, MOST);
        if self.position.is_over() {
            return None;
        }
        self.stop.store(false, Ordering::Relaxed);
        let threads = self.options.threads.max(1);
        let mut searchers: Vec<Searcher> = (0..threads)
            .map(|_| {
                Searcher::new(
                    &self.tables.config,
                    &self.options,
                    self.table.clone(),
                    self.stop.clone(),
                    &self.position,
                )
            })
            .collect();
        search::deepen(&mut searchers, depth, &self.stop)
    }
}

impl Engine for Pvs {
    fn name(&self) -> String {
        "pvs".to_string()
    }

    fn config(&self) -> &Config {
        &self.tables.config
    }

    fn levels(&self) -> usize {
        self.options.depth
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.set_position(&[])
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        self.position = Position::from_moves(&self.tables, moves)?;
        Ok(())
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        Ok(self.position.play(cell)?)
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        let depth = levels.unwrap_or(self.options.depth);
        if !(1..=MOST).contains(&depth) {
            return Err(EngineError::Levels { asked: depth, built: MOST });
        }
        let Some((cell, score, nodes)) = self.best(depth) else {
            return Ok(Decision { cell: None, score: 0, nodes: 0, cycles: None });
        };
        self.play(cell)?;
        Ok(Decision { cell: Some(cell), score, nodes, cycles: None })
    }
}
