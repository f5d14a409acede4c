// SPDX-License-Identifier: MIT OR Apache-2.0
//! The game that a brain plays: its moves, whose stones are its own, and what of it may be learnt.

use super::command::{Place, Stone};
use super::thinking::{place, within};
use engine_model::notation::alternating;
use engine_model::position::Tables;
use engine_model::{Cell, Engine, Position};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Longest time to learn from a game.
const LESSON: Duration = Duration::from_secs(2);
/// Most games that wait to be learnt from.
const MOST_ENDED: usize = 16;
/// Three stones of a swap2 opening, as steps from the centre: to the search of gomoku15 the side to move is four half-points
/// better off on 15 x 15, to that of gomoku15-deep neither is.
const SWAP2_OPENING: [(isize, isize); 3] = [(0, 0), (1, 0), (0, 3)];

/// A game under way.
pub(super) struct Game {
    pub(super) engine: Box<dyn Engine>,
    pub(super) tables: Arc<Tables>,
    pub(super) moves: Vec<Cell>,
    /// Which stones are the brain's: those of the side that moved first (0) or second (1); not yet known on an empty board.
    pub(super) own: Option<usize>,
    /// Games that may be lost, with the brain's side, for the engine to learn from.
    pub(super) ended: Vec<(Vec<Cell>, usize)>,
    /// The game that the engine was shown last.
    pub(super) shown: Vec<Cell>,
}

impl Game {
    pub(super) fn text(&self, cell: Cell) -> String {
        place(&self.tables, cell).to_string()
    }

    pub(super) fn cell(&self, place: Place) -> Result<Cell, String> {
        let (columns, rows) = (self.tables.geometry.columns, self.tables.geometry.rows);
        self.tables
            .geometry
            .cell(place.x, place.y)
            .ok_or_else(|| format!("{place} is outside the {columns} x {rows} board"))
    }

    pub(super) fn cells(&self, places: &[Place]) -> Result<Vec<Cell>, String> {
        places.iter().map(|place| self.cell(*place)).collect()
    }

    /// The position of these moves, or why it is none.
    pub(super) fn position(&self, moves: &[Cell]) -> Result<Position, String> {
        Position::from_moves(&self.tables, moves).map_err(|illegal| illegal.to_string())
    }

    /// Takes a position over, if it is one and the game goes on.
    pub(super) fn replace(&mut self, moves: Vec<Cell>, own: usize) -> Result<(), String> {
        if self.position(&moves)?.is_over() {
            return Err("the game of this position is over".into());
        }
        (self.moves, self.own) = (moves, Some(own));
        Ok(())
    }

    /// Whose turn it is: the side that moved first (0) or second (1).
    pub(super) fn to_move(&self) -> usize {
        self.moves.len() % 2
    }

    /// A move of the side to move, if it is legal.
    pub(super) fn played(&self, place: Place) -> Result<Vec<Cell>, String> {
        let cell = self.cell(place)?;
        let mut moves = self.moves.clone();
        moves.push(cell);
        self.position(&moves)?;
        Ok(moves)
    }

    /// The whole game, if this move of the opponent's wins it.
    pub(super) fn lost_by(&self, place: Place) -> Option<Vec<Cell>> {
        let own = self.own.filter(|own| *own != self.to_move())?;
        let moves = self.played(place).ok()?;
        (self.position(&moves).ok()?.winner() == Some(1 - own)).then_some(moves)
    }

    /// Keeps a game to learn from, once, if its last position can be lost: the opponent is to move, or has moved last.
    pub(super) fn put_by(&mut self, moves: Vec<Cell>) {
        let Some(own) = self.own.filter(|_| !moves.is_empty() && !self.shown.starts_with(&moves)) else {
            return;
        };
        self.shown.clone_from(&moves);
        self.ended.push((moves, own));
        if self.ended.len() > MOST_ENDED {
            self.ended.remove(0);
        }
    }

    /// Shows the engine the games that have ended: those that are lost teach it.
    pub(super) fn learn(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        for (moves, side) in std::mem::take(&mut self.ended) {
            let engine = &mut self.engine;
            let result = match engine.stop() {
                Some(stop) => within(&stop, LESSON, &AtomicBool::new(false), || engine.lost(&moves, side)),
                None => engine.lost(&moves, side),
            };
            match result {
                Ok(0) => {}
                Ok(lessons) => said.push(format!("MESSAGE learnt {lessons} positions of a lost game")),
                // The game goes on all the same: only the lesson is lost.
                Err(error) => {
                    let reason = error.to_string().replace(['\n', '\r'], " ");
                    said.push(format!("MESSAGE nothing learnt: {reason}"));
                }
            }
        }
        said
    }

    pub(super) fn opponents(&mut self, place: Place) -> Result<(), String> {
        let own = self.own.unwrap_or(1 - self.to_move());
        if own == self.to_move() {
            return Err(format!("TURN {place}: the brain is to move, not its opponent; send BOARD"));
        }
        let moves = self.played(place)?;
        self.replace(moves, own)
    }

    pub(super) fn own_move(&mut self, place: Place) -> Result<(), String> {
        if self.own.is_some_and(|own| own != self.to_move()) {
            return Err(format!("PLAY {place}: the opponent is to move, not the brain; send BOARD"));
        }
        let moves = self.played(place)?;
        self.own = Some(self.to_move());
        self.moves = moves;
        Ok(())
    }

    pub(super) fn own_stone(&mut self, cell: Cell) {
        self.own = Some(self.to_move());
        self.moves.push(cell);
    }

    pub(super) fn take_back(&mut self, place: Place) -> Result<(), String> {
        let cell = self.cell(place)?;
        if self.moves.last() != Some(&cell) {
            return Err(format!("TAKEBACK {place}: not the last move"));
        }
        self.moves.pop();
        if self.moves.is_empty() {
            self.own = None;
        }
        Ok(())
    }

    /// A position from its stones. Their order need not be the game's: each side's are played as they come.
    pub(super) fn set(&mut self, stones: &[Stone]) -> Result<(), String> {
        let mut of_side: [Vec<Cell>; 2] = [Vec::new(), Vec::new()];
        for (place, field) in stones {
            let side = match field {
                Some(1) => 0,
                Some(2) => 1,
                Some(3) => return Err(format!("{place},3: this brain plays no continuous game")),
                _ => return Err(format!("{place}: a field of 1 (own) or 2 (the opponent's) is missing")),
            };
            let cell = self.cell(*place)?;
            of_side[side].push(cell);
        }
        let [own, others] = of_side;
        let first = match others.len().checked_sub(own.len()) {
            Some(0) => 0,
            Some(1) => 1,
            _ => {
                return Err(format!(
                    "{} own stones and {} of the opponent's: the brain is not to move",
                    own.len(),
                    others.len()
                ));
            }
        };
        let (leading, following) = if first == 0 { (own, others) } else { (others, own) };
        let moves = alternating(&leading, &following);
        if moves.is_empty() {
            (self.moves, self.own) = (moves, None);
            return Ok(());
        }
        self.replace(moves, first)
    }

    pub(super) fn swap2_opening(&self) -> Result<String, String> {
        let (x, y) = (self.tables.geometry.columns / 2, self.tables.geometry.rows / 2);
        let place = |(dx, dy): (isize, isize)| {
            let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
            self.tables.geometry.cell(x, y).map(|_| Place { x, y }.to_string())
        };
        let places: Option<Vec<String>> = SWAP2_OPENING.into_iter().map(place).collect();
        places.map(|places| places.join(" ")).ok_or_else(|| "the board is too small for swap2".into())
    }
}
