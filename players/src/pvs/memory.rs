// SPDX-License-Identifier: MIT OR Apache-2.0
//! What has been learnt: positions whose end is known, in all their symmetries.

use crate::hash::{key_of, mix};
use engine_model::geometry::{Cell, Geometry, Point};
use std::collections::HashMap;

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Columns of the board.
    pub columns: usize,
    /// Rows of the board.
    pub rows: usize,
    /// Stones in a row that win.
    pub in_a_row: usize,
    /// Stones of the side that moved first and of the other one, in ascending order of cells; who has fewer, or as many and
    /// moved first, is to move.
    pub stones: [Vec<Cell>; 2],
    /// The side to move wins with so many moves of both sides, its own last one counted (1: at once); negative: it loses.
    pub plies: i32,
}

impl Lesson {
    /// Of the position after these moves.
    pub(super) fn of(geometry: &Geometry, moves: &[Cell], plies: i32) -> Lesson {
        let Geometry { columns, rows, in_a_row, .. } = *geometry;
        let stones = [0, 1].map(|side| {
            let mut cells: Vec<Cell> = moves.iter().skip(side).step_by(2).copied().collect();
            cells.sort_unstable();
            cells
        });
        Lesson { columns, rows, in_a_row, stones, plies }
    }

    /// The side to move: the one that moved first (0) or the other one (1).
    pub fn to_move(&self) -> usize {
        usize::from(self.stones[0].len() > self.stones[1].len())
    }
}

/// Everything learnt about one game, by key.
#[derive(Clone, Debug)]
pub struct Memory {
    columns: usize,
    rows: usize,
    in_a_row: usize,
    plies: HashMap<u64, i32>,
    /// Lessons taken.
    lessons: u64,
}

impl Memory {
    /// Nothing yet, of a board's game.
    pub fn new(geometry: &Geometry) -> Memory {
        let Geometry { columns, rows, in_a_row, .. } = *geometry;
        Memory { columns, rows, in_a_row, plies: HashMap::new(), lessons: 0 }
    }

    /// Positions known, those that differ by symmetry only counted each.
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// Turned over the keys of a transposition table, this makes it forget what it found before the last lesson.
    pub(super) fn salt(&self) -> u64 {
        if self.lessons == 0 { 0 } else { mix(self.lessons) }
    }

    /// What is known of the position with this key: as in [`Lesson::plies`].
    pub(super) fn get(&self, key: u64) -> Option<i32> {
        if self.plies.is_empty() { None } else { self.plies.get(&key).copied() }
    }

    /// Takes a lesson in all its symmetries; false: it is of another game.
    pub(super) fn add(&mut self, lesson: &Lesson) -> bool {
        if (lesson.columns, lesson.rows, lesson.in_a_row) != (self.columns, self.rows, self.in_a_row) {
            return false;
        }
        self.lessons += 1;
        for turn in 0..8 {
            let Some(key) = self.key(lesson, turn) else { continue };
            // The nearest end that is known: a win at the latest, a loss at the latest.
            let known = self.plies.entry(key).or_insert(lesson.plies);
            if known.signum() != lesson.plies.signum() || known.abs() > lesson.plies.abs() {
                *known = lesson.plies;
            }
        }
        true
    }

    /// Whether a lesson says nothing new.
    pub(super) fn knows(&self, lesson: &Lesson) -> bool {
        let known = self.key(lesson, 0).and_then(|key| self.get(key));
        known
            .is_some_and(|known| known.signum() == lesson.plies.signum() && known.abs() <= lesson.plies.abs())
    }

    /// The key of a lesson's position, turned.
    fn key(&self, lesson: &Lesson, turn: usize) -> Option<u64> {
        (0..2).try_fold(0, |key, side| {
            let mut cells = lesson.stones[side].iter();
            cells.try_fold(key, |key, &cell| self.turned(cell, turn).map(|cell| key ^ key_of(cell, side)))
        })
    }

    /// A cell on the board mirrored and turned in one of eight ways; a board that is not square has four.
    fn turned(&self, cell: Cell, turn: usize) -> Option<Cell> {
        let (columns, rows) = (self.columns, self.rows);
        let Point { x, y } = Point { x: usize::from(cell) % columns, y: usize::from(cell) / columns };
        let (x, y) = match turn & 3 {
            0 => (x, y),
            1 => (columns - 1 - x, y),
            2 => (x, rows - 1 - y),
            _ => (columns - 1 - x, rows - 1 - y),
        };
        match turn & 4 {
            0 => Some((y * columns + x) as Cell),
            _ if columns == rows => Some((x * columns + y) as Cell),
            _ => None,
        }
    }
}
