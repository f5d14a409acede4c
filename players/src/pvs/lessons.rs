// SPDX-License-Identifier: MIT OR Apache-2.0
//! Learning from lost games: the replay finds the decision that lost, and what led from there to the end is known from then on.
//!
//! Backwards from the end: after the loser's last move the winner had a win. In the loser's position before that move the engine
//! says what it would play, now that this is known; a second opinion ([`Prover`]) refutes it if it can, and the engine is asked
//! again. If no move stands, the position is lost, and the winner had won one move earlier; if one does, the decision that lost is
//! found: it is not made again, for the position after it is known. A loss counts only if a search of every empty cell, or the
//! second opinion with all cells within two of a stone, sees no way out. What is known goes before the evaluation in every search,
//! also where the position comes about in another order of moves or turned and mirrored.

use super::root::deepen;
use super::search::{Searcher, Shared};
use super::table::Table;
use super::{Options, Pvs};
use crate::hash::{key_of, mix};
use crate::opponents::{WIN, WINS};
use crate::prover::Prover;
use engine_model::config::Config;
use engine_model::engine::Engine;
use engine_model::geometry::{Cell, Geometry, Point};
use engine_model::position::Position;
use std::collections::HashMap;
use std::sync::Arc;

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

/// Levels of the second opinion, and how far from stones its moves lie: every cell that makes a four of five lies so near.
const JUDGE_LEVELS: usize = 6;
const JUDGE_RADIUS: usize = 2;
/// Deepest search of what would be played in a replay.
const DEEPEST: usize = 6;
/// Moves of one position that are refuted before it is left as it is.
const MOST_REFUTED: usize = 64;
/// Bytes of the table under a search of the whole board.
const WHOLE_TABLE: usize = 1 << 20;

impl Lesson {
    /// Of the position after these moves.
    fn of(geometry: &Geometry, moves: &[Cell], plies: i32) -> Lesson {
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
    fn knows(&self, lesson: &Lesson) -> bool {
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

impl Pvs {
    /// Replays a game that `loser` (0 moved first) has lost, on the board or because its opponent is to move and can complete a
    /// line; of any other game there is nothing to learn. Every new lesson is learnt and given to `taken` as it is found. The
    /// engine's own position stays. Moves that are no game teach nothing; the stop flag ends it early.
    pub fn replay(&mut self, moves: &[Cell], loser: usize, taken: &mut dyn FnMut(&Lesson)) {
        let Some(mut moves) = self.to_the_end(moves, loser) else { return };
        let kept = self.position.clone();
        let config = Config { candidate_radius: JUDGE_RADIUS, ..self.tables.config.clone() };
        let mut judge = Prover::new(&config, JUDGE_LEVELS);
        // Plies in which the winner wins from after the loser's move.
        let mut wins_in = 1;
        // The winner's last move goes, and each time a move of either side.
        moves.pop();
        while !moves.is_empty() && !self.stop.is_set() {
            self.note(&moves, wins_in, taken);
            moves.pop();
            if self.set_position(&moves).is_err() {
                break;
            }
            let Some(loses_in) = self.refuted(&moves, &mut judge, taken) else { break };
            self.note(&moves, -loses_in, taken);
            wins_in = loses_in + 1;
            moves.pop();
        }
        self.position = kept;
    }

    /// What the engine would play now, refuted and asked again, until a move stands; if none does, the plies in which it loses.
    fn refuted(&mut self, moves: &[Cell], judge: &mut Prover, taken: &mut dyn FnMut(&Lesson)) -> Option<i32> {
        if let Some(plies) = judge.plies(moves) {
            return (plies < 0).then_some(-plies);
        }
        let depth = self.searched.unwrap_or(self.options.depth).min(DEEPEST);
        for _ in 0..MOST_REFUTED {
            let found = self.found(depth).filter(|found| !found.stopped)?;
            if found.value < -WINS {
                // No move of its own stands: whether one does that it would not look at, the whole board says.
                return self.loses_on_the_whole_board(depth);
            }
            let after = [moves, &[found.cell]].concat();
            let wins_in = judge.plies(&after).filter(|plies| *plies > 0)?;
            self.note(&after, wins_in, taken);
        }
        None
    }

    /// The plies in which the side to move loses, if a search of every empty cell sees that it does.
    fn loses_on_the_whole_board(&self, depth: usize) -> Option<i32> {
        let margin = self.tables.config.columns.max(self.tables.config.rows);
        let options = Options { margin, threads: 1, ..self.options.clone() };
        let shared = Shared {
            table: Arc::new(Table::new(WHOLE_TABLE)),
            memory: self.memory.clone(),
            stop: self.stop.clone(),
        };
        let mut searchers = [Searcher::new(&self.tables.config, &options, shared, &self.position)];
        let (_, found) = deepen(&mut searchers, depth, &self.stop)?;
        (!found.stopped && found.value < -WINS).then_some(WIN + found.value)
    }

    fn note(&mut self, moves: &[Cell], plies: i32, taken: &mut dyn FnMut(&Lesson)) {
        let lesson = Lesson::of(&self.tables.geometry, moves, plies);
        debug_assert!(plies.abs() < WIN - WINS);
        if !self.memory.knows(&lesson) {
            self.learn(&lesson);
            taken(&lesson);
        }
    }

    /// The game up to the winner's last move, if `loser` has lost it.
    fn to_the_end(&self, moves: &[Cell], loser: usize) -> Option<Vec<Cell>> {
        let mut moves = moves.to_vec();
        let position = Position::from_moves(&self.tables, &moves).ok()?;
        match position.winner() {
            Some(winner) => (winner != loser).then_some(moves),
            None => {
                let winner = position.side_to_move();
                let last = position.completing_cell(winner)?;
                moves.push(last);
                (winner != loser).then_some(moves)
            }
        }
    }
}
