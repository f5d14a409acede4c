// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a text, of whatever form, holds no game.

use engine_model::Geometry;
use engine_model::notation::{NotationError, quoted};

/// Why a text holds no game of the board.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// It is none of the forms' text.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// It is no SGF.
    #[error("it is no SGF: {0}")]
    Sgf(String),
    /// It is deeper than any game.
    #[error(
        "game {game} has more than {most} moves and variations within each other: no game of this board is so long"
    )]
    Deep {
        /// Which game, from 1.
        game: usize,
        /// How many are read.
        most: usize,
    },
    /// It is no PSQ.
    #[error("line {line}: {:?} is not x,y,milliseconds with x and y from 1", quoted(text))]
    Psq {
        /// Line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// It is of another board.
    #[error("the game is of a board of {columns} x {rows}, not {} x {}: name its configuration with --config", .board.0, .board.1)]
    OtherBoard {
        /// Columns of the game.
        columns: usize,
        /// Rows of the game.
        rows: usize,
        /// Columns and rows that were asked for.
        board: (usize, usize),
    },
    /// One of several games.
    #[error("game {game}: {error}")]
    OfGame {
        /// Which one, from 1.
        game: usize,
        /// What is wrong with it.
        error: Box<GameError>,
    },
    /// A place is not one of the board's.
    #[error("move {number}: {:?} is no cell of the board", quoted(text))]
    Outside {
        /// Which move, from 1.
        number: usize,
        /// What stands there.
        text: String,
    },
    /// A side passes.
    #[error("move {number} is a pass, which Gomoku does not have: end the game before it")]
    Pass {
        /// Which move, from 1.
        number: usize,
    },
    /// Lines of a PSQ may be moves or players' names.
    #[error(
        "line {line}: {:?} can be read as moves ({as_move}) or as players' names: a PSQ ends with two names and a number, each on \
        a line of its own; complete its end, or take out what stands behind the moves",
        quoted(text)
    )]
    MoveOrName {
        /// The first one, from 1.
        line: usize,
        /// The lines, blanks between.
        text: String,
        /// The moves for people.
        as_move: String,
    },
    /// A node of an SGF says two things of which a reader takes one.
    #[error(
        "{first}{second} in one node can be read as two moves or as the second in the first one's place: begin a node for each \
        move ({first};{second})"
    )]
    TwoMovesOfNode {
        /// A property with its value.
        first: String,
        /// The one behind it.
        second: String,
    },
    /// A node of an SGF takes stones away.
    #[error(
        "{property} takes stones off the board, which no game does: it can be read as a position without them or as the game \
        before it; write the position with AB and AW, or end the game before that node"
    )]
    TakenAway {
        /// The property with its values.
        property: String,
    },
    /// A colour moves twice, or stones are set up that no game leads to.
    #[error("move {number}: it is not that colour's turn; sides take turns")]
    Turn {
        /// Which move, from 1.
        number: usize,
    },
}

/// What is wanted of a text's games: others may be anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The only one, from 0; else all.
    pub game: Option<usize>,
    /// So many moves of each; else all.
    pub moves: Option<usize>,
}

impl GameError {
    /// The move that is a pass, from 1, if that is what is wrong.
    pub fn pass(&self) -> Option<usize> {
        match self {
            GameError::Pass { number } => Some(*number),
            GameError::OfGame { error, .. } => error.pass(),
            _ => None,
        }
    }

    /// The size that a text names must be the board's.
    pub(crate) fn unless_board(columns: usize, rows: usize, geometry: &Geometry) -> Result<(), GameError> {
        let board = (geometry.columns, geometry.rows);
        if (columns, rows) == board { Ok(()) } else { Err(GameError::OtherBoard { columns, rows, board }) }
    }
}
