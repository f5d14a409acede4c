// SPDX-License-Identifier: MIT OR Apache-2.0
//! Principal variation search over five-tuples: iterative deepening, aspiration windows, a transposition table, history and
//! killers, on one core or several; it may choose among moves that are nearly as good, and it learns from the games it loses.
//!
//! The algorithm is that of a parallel Gobang of 2006 (principal variation search, history heuristic, a table under all threads,
//! the stones' rectangle, wins worth more the sooner they come, a random choice of near-equals, the replay of lost games); its
//! evaluation is [`Tuples`](super::opponents::tuples). Entries of the table count only at the very depth that is asked for, so
//! that the score of a search is the minimax value of its depth, whatever the table, the order of moves or the threads do. Which
//! of equal moves is played is the same every time too: the first in the order of the root, or the seed's choice.

pub mod lessons;
mod memory;
mod options;
mod root;
mod search;
mod table;

use super::hash::mix;
use super::opponents::{WIN, WINS};
use engine_model::config::Config;
use engine_model::engine::{Decision, Engine, EngineError, Stop, plies_of};
use engine_model::geometry::Cell;
use engine_model::position::{Position, Tables};
use memory::{Lesson, Memory};
pub use options::{MOST, Options};
use root::{Found, choose, deepen};
use search::Searcher;
use std::sync::Arc;
use table::Table;

/// The engine. The configuration gives the game (columns, rows, number in a row), nothing else.
pub struct Pvs {
    options: Options,
    tables: Arc<Tables>,
    position: Position,
    table: Arc<Table>,
    memory: Arc<Memory>,
    stop: Stop,
    /// Levels of the last search that came to its end.
    searched: Option<usize>,
}

impl Pvs {
    /// An engine at the empty board.
    pub fn new(config: &Config, options: Options) -> Pvs {
        let tables = Tables::new(config);
        let margin = options.margin.min(config.columns.max(config.rows));
        let options = Options { margin, ..options };
        let table = Arc::new(Table::new(options.table_bytes));
        let memory = Arc::new(Memory::new(&tables.geometry));
        let position = Position::new(&tables);
        Pvs { options, position, tables, table, memory, stop: Stop::default(), searched: None }
    }

    /// What it has learnt.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Takes a lesson of whatever source: from now on the position has this value. A lesson of another game is left out and told.
    pub fn learn(&mut self, lesson: &Lesson) -> bool {
        Arc::make_mut(&mut self.memory).add(lesson)
    }

    /// The best move to a depth (brought into 1 to [`MOST`]), its value and the nodes it took; nothing when the game is over. A
    /// search that is stopped answers the last depth it has completed, at least the first.
    pub fn best(&mut self, depth: usize) -> Option<(Cell, i32, u64)> {
        self.found(depth).map(|found| (found.cell, found.value, found.nodes))
    }

    fn found(&mut self, depth: usize) -> Option<Found> {
        let depth = depth.clamp(1, MOST);
        if self.position.is_over() {
            return None;
        }
        let threads = self.options.threads.max(1);
        let mut searchers: Vec<Searcher> = (0..threads)
            .map(|_| {
                let shared = search::Shared {
                    table: self.table.clone(),
                    memory: self.memory.clone(),
                    stop: self.stop.clone(),
                };
                Searcher::new(&self.tables.config, &self.options, shared, &self.position)
            })
            .collect();
        let (order, mut found) = deepen(&mut searchers, depth, &self.stop)?;
        if self.options.choices > 1 {
            let random = mix(self.options.seed ^ searchers[0].key());
            choose(&mut searchers[0], &order, &mut found, &self.options, random);
        }
        Some(found)
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

    fn deepest(&self) -> usize {
        MOST
    }

    fn step(&self) -> usize {
        1
    }

    fn decided(&self, score: i32) -> Option<i32> {
        plies_of(score, WIN, WIN - WINS)
    }

    fn stop(&self) -> Option<Stop> {
        Some(self.stop.clone())
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
        let Some(found) = self.found(depth) else {
            return Ok(Decision { cell: None, score: 0, nodes: 0, cycles: None });
        };
        if found.stopped {
            return Err(EngineError::Stopped);
        }
        self.searched = Some(depth);
        self.play(found.cell)?;
        Ok(Decision { cell: Some(found.cell), score: found.value, nodes: found.nodes, cycles: None })
    }
}
