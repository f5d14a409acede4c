// SPDX-License-Identifier: MIT OR Apache-2.0
//! One game between two engines, under a referee that trusts neither.

use engine_model::position::Tables;
use engine_model::{Cell, Engine, EngineError, IllegalMove, Position};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// A side of the board. Black places the first stone, be it the opening's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colour {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Colour {
    /// The side to move of a position.
    pub fn to_move(position: &Position) -> Colour {
        if position.side_to_move() == 0 { Colour::Black } else { Colour::White }
    }

    /// The opponent.
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

/// Why an engine loses without losing on the board.
#[derive(Debug, thiserror::Error)]
pub enum ForfeitReason {
    /// It was given a legal position and refused it, or failed while searching.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// Its move cannot be played.
    #[error("illegal move: {0}")]
    Illegal(#[from] IllegalMove),
    /// It answered that the game is over.
    #[error("answered no move although the game is not over")]
    NoMove,
}

/// How a game ended.
#[derive(Debug)]
pub enum Ending {
    /// A line was completed.
    Line {
        /// Whose line.
        winner: Colour,
    },
    /// The board is full: a draw.
    Full,
    /// The cap on moves was reached: a draw.
    MoveCap,
    /// An engine failed: the other one wins.
    Forfeit {
        /// Who failed.
        by: Colour,
        /// How.
        reason: ForfeitReason,
    },
}

impl Ending {
    /// The winner, or `None` of a draw.
    pub fn winner(&self) -> Option<Colour> {
        match self {
            Ending::Line { winner } => Some(*winner),
            Ending::Full | Ending::MoveCap => None,
            Ending::Forfeit { by, .. } => Some(by.other()),
        }
    }
}

/// What one side spent in a game, one entry per search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Nodes visited.
    pub nodes: Vec<u64>,
    /// Clock cycles; empty where the backend has no clock.
    pub cycles: Vec<u64>,
    /// Wall time of all searches, seconds.
    pub seconds: f64,
}

/// A finished game.
#[derive(Debug)]
pub struct Game {
    /// Every legal move, the opening's included.
    pub moves: Vec<Cell>,
    /// How it ended.
    pub ending: Ending,
    /// What black spent.
    pub black: Effort,
    /// What white spent.
    pub white: Effort,
}

/// One of the two engines of a game.
pub struct Player<'a> {
    /// The engine.
    pub engine: &'a mut dyn Engine,
    /// Levels of its searches; `None` = as built.
    pub levels: Option<usize>,
}

/// Plays one game from `opening`. A game that reaches `max_moves` moves, the opening's included, is a draw.
///
/// The referee's own position decides what is legal and who has won. Whoever breaks a rule, fails, or refuses a legal
/// position or move forfeits. An opening that is no legal game ends it at once, as the fault of black.
pub fn play_game<'a>(
    tables: &Arc<Tables>,
    opening: &[Cell],
    black: Player<'a>,
    white: Player<'a>,
    max_moves: Option<usize>,
) -> Game {
    let mut table = Table {
        position: Position::new(tables),
        seats: [black, white].map(|player| Seat { player, effort: Effort::default() }),
    };
    let ending = table.play(opening, max_moves);
    let moves = table.position.moves().to_vec();
    let [black, white] = table.seats.map(|seat| seat.effort);
    Game { moves, ending, black, white }
}

struct Seat<'a> {
    player: Player<'a>,
    effort: Effort,
}

struct Table<'a> {
    position: Position,
    seats: [Seat<'a>; 2],
}

impl<'a> Table<'a> {
    fn seat(&mut self, colour: Colour) -> &mut Seat<'a> {
        &mut self.seats[colour as usize]
    }

    fn play(&mut self, opening: &[Cell], max_moves: Option<usize>) -> Ending {
        for &cell in opening {
            if let Err(illegal) = self.position.play(cell) {
                return Ending::Forfeit { by: Colour::Black, reason: illegal.into() };
            }
        }
        for by in [Colour::Black, Colour::White] {
            if let Err(error) = self.seat(by).player.engine.set_position(opening) {
                return Ending::Forfeit { by, reason: error.into() };
            }
        }
        loop {
            if let Some(winner) = self.position.winner() {
                let winner = if winner == 0 { Colour::Black } else { Colour::White };
                return Ending::Line { winner };
            }
            if self.position.is_full() {
                return Ending::Full;
            }
            if max_moves.is_some_and(|cap| self.position.stones() >= cap) {
                return Ending::MoveCap;
            }
            let mover = Colour::to_move(&self.position);
            let cell = match self.seat(mover).search() {
                Ok(cell) => cell,
                Err(reason) => return Ending::Forfeit { by: mover, reason },
            };
            if let Err(illegal) = self.position.play(cell) {
                return Ending::Forfeit { by: mover, reason: illegal.into() };
            }
            if !self.position.is_over()
                && let Err(error) = self.seat(mover.other()).player.engine.play(cell)
            {
                return Ending::Forfeit { by: mover.other(), reason: error.into() };
            }
        }
    }
}

impl Seat<'_> {
    fn search(&mut self) -> Result<Cell, ForfeitReason> {
        let begin = Instant::now();
        let decision = self.player.engine.search(self.player.levels);
        self.effort.seconds += begin.elapsed().as_secs_f64();
        let decision = decision?;
        let cell = decision.cell.ok_or(ForfeitReason::NoMove)?;
        self.effort.nodes.push(decision.nodes);
        self.effort.cycles.extend(decision.cycles);
        Ok(cell)
    }
}
