// SPDX-License-Identifier: MIT OR Apache-2.0
//! Learning from lost games: the replay finds the decision that lost, and what led from there to the end is known from then on.
//!
//! Backwards from the end: after the loser's last move the winner had a win. In the loser's position before that move the engine
//! says what it would play, now that this is known; a second opinion ([`Prover`]) refutes it if it can, and the engine is asked
//! again. If no move stands, the position is lost, and the winner had won one move earlier; if one does, the decision that lost is
//! found: it is not made again, for the position after it is known. A loss counts only if a search of every empty cell, or the
//! second opinion with all cells within two of a stone, sees no way out. What is known goes before the evaluation in every search,
//! also where the position comes about in another order of moves or turned and mirrored.

use super::Pvs;
pub use super::memory::{Lesson, Memory};
use super::options::Options;
use super::root::deepen;
use super::search::{Searcher, Shared};
use super::table::Table;
use crate::opponents::{WIN, WINS};
use crate::prover::Prover;
use engine_model::config::Config;
use engine_model::engine::Engine;
use engine_model::geometry::Cell;
use engine_model::position::Position;
use std::sync::Arc;

/// Levels of the second opinion, and how far from stones its moves lie: every cell that makes a four of five lies so near.
const JUDGE_LEVELS: usize = 6;
const JUDGE_RADIUS: usize = 2;
/// Deepest search of what would be played in a replay.
const DEEPEST: usize = 6;
/// Moves of one position that are refuted before it is left as it is.
const MOST_REFUTED: usize = 64;
/// Bytes of the table under a search of the whole board.
const WHOLE_TABLE: usize = 1 << 20;

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
