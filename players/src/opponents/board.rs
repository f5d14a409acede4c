// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stones, cells next to them, and who judges a position.

use engine_model::config::Config;
use engine_model::geometry::{Cell, DIRECTIONS, Geometry};

/// Values positions; it follows the board stone by stone.
pub trait Judge: Send {
    /// A stone of `side` (0 moved first) now stands on `cell`.
    fn placed(&mut self, cell: Cell, side: usize);
    /// It is gone: the last one first.
    fn removed(&mut self, cell: Cell, side: usize);
    /// How much better side 0 stands than side 1.
    fn balance(&self) -> i32;
    /// How much changes on an empty cell, whoever plays there: larger first in an order.
    fn urgency(&self, cell: Cell) -> i32;
}

/// A board under a judge.
pub struct Board {
    /// Geometry with candidates at distance 1.
    pub geometry: Geometry,
    judge: Box<dyn Judge>,
    owner: Vec<Option<usize>>,
    /// Stones next to each cell.
    near: Vec<u8>,
    moves: Vec<Cell>,
}

impl Board {
    /// The empty board.
    pub fn new(config: &Config, judge: Box<dyn Judge>) -> Board {
        let geometry = Geometry::new(config.columns, config.rows, config.in_a_row, 1);
        let cells = geometry.cells();
        Board { geometry, judge, owner: vec![None; cells], near: vec![0; cells], moves: Vec::new() }
    }

    /// The side to move.
    pub fn to_move(&self) -> usize {
        self.moves.len() % 2
    }

    /// Stones on the board, in the order they came.
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// Whether no cell is empty.
    pub fn is_full(&self) -> bool {
        self.moves.len() == self.owner.len()
    }

    /// Whether a cell is empty.
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.owner[usize::from(cell)].is_none()
    }

    /// Puts the mover's stone on an empty cell; whether that completes a line.
    pub fn place(&mut self, cell: Cell) -> bool {
        let side = self.to_move();
        self.owner[usize::from(cell)] = Some(side);
        for &neighbour in &self.geometry.neighbours[usize::from(cell)] {
            self.near[usize::from(neighbour)] += 1;
        }
        self.moves.push(cell);
        self.judge.placed(cell, side);
        self.completes(cell, side)
    }

    /// Takes the last stone back.
    pub fn remove(&mut self) {
        let Some(cell) = self.moves.pop() else { return };
        let side = self.to_move();
        self.owner[usize::from(cell)] = None;
        for &neighbour in &self.geometry.neighbours[usize::from(cell)] {
            self.near[usize::from(neighbour)] -= 1;
        }
        self.judge.removed(cell, side);
    }

    /// Whether a line of `side` goes through a cell.
    fn completes(&self, cell: Cell, side: usize) -> bool {
        let point = self.geometry.point(cell);
        let run = |dx: isize, dy: isize| {
            (1..)
                .take_while(|step| {
                    let x = point.x.checked_add_signed(dx * step);
                    let y = point.y.checked_add_signed(dy * step);
                    let there = x.zip(y).and_then(|(x, y)| self.geometry.cell(x, y));
                    there.is_some_and(|cell| self.owner[usize::from(cell)] == Some(side))
                })
                .count()
        };
        DIRECTIONS.iter().any(|&(dx, dy)| 1 + run(dx, dy) + run(-dx, -dy) >= self.geometry.in_a_row)
    }

    /// Empty cells next to stones, or all of them, from the centre outward; on the empty board the one in the centre.
    pub fn candidates(&self, whole_board: bool) -> Vec<Cell> {
        if self.moves.is_empty() {
            return self.geometry.by_rank[..1].to_vec();
        }
        let wanted = |cell: &Cell| self.is_empty(*cell) && (whole_board || self.near[usize::from(*cell)] > 0);
        let found: Vec<Cell> = self.geometry.by_rank.iter().copied().filter(wanted).collect();
        if found.is_empty() && !whole_board { self.candidates(true) } else { found }
    }

    /// How much better the mover stands.
    pub fn value(&self) -> i32 {
        if self.to_move() == 0 { self.judge.balance() } else { -self.judge.balance() }
    }

    /// How much changes on a cell.
    pub fn urgency(&self, cell: Cell) -> i32 {
        self.judge.urgency(cell)
    }
}
