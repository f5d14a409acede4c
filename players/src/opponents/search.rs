// SPDX-License-Identifier: MIT OR Apache-2.0
//! Alpha-beta to a fixed depth over a judged board.

use super::board::{Board, Judge};
use engine_model::config::Config;
use engine_model::engine::{Decision, Engine, EngineError, Stop, plies_of};
use engine_model::geometry::Cell;
use engine_model::position::{IllegalMove, Position, Tables};
use std::sync::Arc;

/// A won game: more than any judge's value. A win after fewer moves is worth more.
pub const WIN: i32 = 1_000_000_000;
/// Above this a value is a win in so many moves.
pub const WINS: i32 = WIN - 1_000;
/// Deepest search that is possible.
pub const MOST: usize = 20;

/// In which order moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// From the centre outward.
    CentreOut,
    /// What changes most first, then from the centre outward.
    Urgent,
}

/// What an opponent does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) name: &'static str,
    /// Levels unless told otherwise.
    pub(super) depth: usize,
    /// Deeper searches are still the algorithm's.
    pub(super) searches: bool,
    /// All empty cells are moves, not only those next to stones.
    pub(super) whole_board: bool,
    pub(super) order: Order,
}

/// An engine that searches to a fixed depth. The configuration gives the game (columns, rows, number in a row), nothing else.
pub struct Opponent {
    plan: Plan,
    tables: Arc<Tables>,
    /// The referee: what is legal, who has won.
    position: Position,
    board: Board,
    nodes: u64,
    stop: Stop,
    stopped: bool,
}

/// Nodes between two looks at the stop flag.
const LOOK: u64 = 256;

impl Opponent {
    pub(super) fn new(config: &Config, plan: Plan, judge: Box<dyn Judge>) -> Opponent {
        let tables = Tables::new(config);
        let board = Board::new(config, judge);
        Opponent {
            plan,
            position: Position::new(&tables),
            tables,
            board,
            nodes: 0,
            stop: Stop::default(),
            stopped: false,
        }
    }

    fn ordered(&self) -> Vec<Cell> {
        let mut cells = self.board.candidates(self.plan.whole_board);
        if self.plan.order == Order::Urgent {
            cells.sort_by_cached_key(|cell| std::cmp::Reverse(self.board.urgency(*cell)));
        }
        cells
    }

    /// The first of the best moves and its value for the mover.
    fn best(&mut self, depth: usize) -> Option<(Cell, i32)> {
        let mut best: Option<(Cell, i32)> = None;
        for cell in self.ordered() {
            let alpha = best.map_or(-WIN, |(_, value)| value);
            let value = self.after(cell, depth, 0, alpha, WIN);
            if best.is_none_or(|(_, known)| value > known) {
                best = Some((cell, value));
            }
            if self.stopped {
                break;
            }
        }
        best
    }

    /// Value for the mover of playing a cell with `depth` levels left, at `ply` moves from the root.
    fn after(&mut self, cell: Cell, depth: usize, ply: i32, alpha: i32, beta: i32) -> i32 {
        let won = self.board.place(cell);
        self.nodes += 1;
        self.stopped |= self.nodes.is_multiple_of(LOOK) && self.stop.is_set();
        let value = if won {
            WIN - (ply + 1)
        } else if self.board.is_full() {
            0
        } else if depth == 1 {
            -self.board.value()
        } else {
            -self.value(depth - 1, ply + 1, -beta, -alpha)
        };
        self.board.remove();
        value
    }

    /// Value for the mover, fail-soft.
    fn value(&mut self, depth: usize, ply: i32, alpha: i32, beta: i32) -> i32 {
        let mut best = -WIN;
        for cell in self.ordered() {
            best = best.max(self.after(cell, depth, ply, alpha.max(best), beta));
            if best >= beta || self.stopped {
                break;
            }
        }
        best
    }

    fn follow(&mut self) {
        let moves = self.position.moves();
        let common = moves.iter().zip(self.board.moves()).take_while(|(a, b)| a == b).count();
        while self.board.moves().len() > common {
            self.board.remove();
        }
        for &cell in &moves[common..] {
            self.board.place(cell);
        }
    }
}

impl Engine for Opponent {
    fn name(&self) -> String {
        self.plan.name.to_string()
    }

    fn config(&self) -> &Config {
        &self.tables.config
    }

    fn levels(&self) -> usize {
        self.plan.depth
    }

    fn deepest(&self) -> usize {
        if self.plan.searches { MOST } else { self.plan.depth }
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
        self.follow();
        Ok(())
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.position.play(cell).map_err(|illegal: IllegalMove| EngineError::from(illegal))?;
        self.follow();
        Ok(())
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        let depth = levels.unwrap_or(self.plan.depth);
        if !(1..=MOST).contains(&depth) {
            return Err(EngineError::Levels { asked: depth, built: MOST });
        }
        if self.position.is_over() {
            return Ok(Decision { cell: None, score: 0, nodes: 0, cycles: None });
        }
        (self.nodes, self.stopped) = (0, false);
        let (cell, score) = self.best(depth).expect("a game that goes on has an empty cell");
        if self.stopped {
            return Err(EngineError::Stopped);
        }
        self.play(cell)?;
        Ok(Decision { cell: Some(cell), score, nodes: self.nodes, cycles: None })
    }
}
