// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board as an [`Engine`], by whichever protocol it speaks.

use crate::answers::{Identity, status};
use crate::board::{Board, Limits};
use crate::error::BoardError;
use crate::original::{Answer, OriginalBoard};
use crate::session::{Patience, Session};
use crate::transport::Connector;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Decision, Engine, EngineError, Point, Position, Stop};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Protocol of the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// The framed one if the board speaks it, else the original one.
    #[default]
    Auto,
    /// Frames with sequence number and check.
    Framed,
    /// Eight bytes, two lines.
    Original,
}

/// A board that was found.
pub enum AnyBoard {
    /// It speaks the framed protocol.
    Framed(Board),
    /// It speaks only the original one.
    Original(OriginalBoard),
}

/// Times that a board is asked by a frame before the original protocol is tried.
const PROBES: u32 = 3;

/// Finds out what a board speaks. Nothing moves on it.
pub fn connect(
    mut connector: Box<dyn Connector>,
    patience: Patience,
    protocol: Protocol,
) -> Result<AnyBoard, BoardError> {
    match protocol {
        Protocol::Framed => Ok(AnyBoard::Framed(Board::connect(connector, patience)?)),
        Protocol::Original => Ok(AnyBoard::Original(OriginalBoard::connect(connector, patience)?)),
        Protocol::Auto => {
            // Opened once to tell at once what is wrong with the port.
            drop(connector.open()?);
            let probing = Patience { tries: PROBES, ..patience };
            let mut session = Session::open(connector, probing)?;
            match session.hello() {
                Ok(_) => {
                    session.patience = patience;
                    Ok(AnyBoard::Framed(Board::over(session)?))
                }
                Err(crate::session::Broken::Error(
                    error @ (BoardError::NoAnswer { .. } | BoardError::Garbled { .. }),
                )) => {
                    if let Some(torn) = session.torn() {
                        return Err(torn);
                    }
                    session.patience = patience;
                    OriginalBoard::over(session).map(AnyBoard::Original).map_err(|_| error)
                }
                Err(crate::session::Broken::Error(error)) => Err(error),
                Err(crate::session::Broken::Line(error)) => {
                    session.patience = patience;
                    session.reopen(&error)?;
                    Ok(AnyBoard::Framed(Board::over(session)?))
                }
                Err(crate::session::Broken::Session) => Err(BoardError::Lost),
            }
        }
    }
}

/// What a board would say of itself if its core were the one of `config`.
fn with_core_of(identity: &Identity, config: &Config) -> Identity {
    Identity {
        columns: config.columns,
        rows: config.rows,
        in_a_row: config.in_a_row,
        levels: config.levels,
        contexts: config.contexts,
        extensions: config.extensions,
        ..identity.clone()
    }
}

impl AnyBoard {
    /// The protocol it speaks.
    pub fn protocol(&self) -> Protocol {
        match self {
            AnyBoard::Framed(_) => Protocol::Framed,
            AnyBoard::Original(_) => Protocol::Original,
        }
    }

    /// Whether its core could be the one of `config`, as far as it tells.
    pub fn holds(&self, config: &Config) -> bool {
        match self {
            AnyBoard::Framed(board) => *board.identity() == with_core_of(board.identity(), config),
            AnyBoard::Original(_) => true,
        }
    }

    /// An error that names both where its core is not the one of `config`, as far as it tells.
    pub fn must_hold(&self, config: &Config) -> Result<(), BoardError> {
        let AnyBoard::Framed(board) = self else { return Ok(()) };
        if self.holds(config) {
            return Ok(());
        }
        let wanted = format!("{}: {}", config.name, with_core_of(board.identity(), config));
        Err(BoardError::OtherCore { port: board.name(), found: board.identity().to_string(), wanted })
    }

    /// The board as an engine of `config`, in the game that is on it; by the original protocol, which cannot tell it, in a new
    /// one.
    pub fn engine(mut self, config: &Config) -> Result<BoardEngine, BoardError> {
        self.must_hold(config)?;
        let tables = Tables::new(config);
        let position = match &mut self {
            AnyBoard::Framed(board) => {
                let cells = board.moves().iter().map(|point| tables.geometry.cell(point.x, point.y));
                let cells: Option<Vec<Cell>> = cells.collect();
                let what = || BoardError::Nonsense { what: format!("the moves {:?}", board.moves()) };
                Position::from_moves(&tables, &cells.ok_or_else(what)?).map_err(|_| what())?
            }
            AnyBoard::Original(board) => {
                board.new_game()?;
                Position::new(&tables)
            }
        };
        Ok(BoardEngine { position, pending: None, tables, board: self })
    }
}

/// A board with the game that is played on it.
pub struct BoardEngine {
    board: AnyBoard,
    tables: Arc<Tables>,
    position: Position,
    /// In the original protocol: a move that the board will be told with the next search.
    pending: Option<Point>,
}

impl BoardEngine {
    /// The board.
    pub fn board(&mut self) -> &mut AnyBoard {
        &mut self.board
    }

    /// Set it, from any thread, to stop a search.
    pub fn canceller(&self) -> Arc<AtomicBool> {
        match &self.board {
            AnyBoard::Framed(board) => board.canceller(),
            AnyBoard::Original(board) => board.canceller(),
        }
    }

    fn failed(&self, error: BoardError) -> EngineError {
        match error {
            BoardError::Illegal(illegal) => EngineError::Illegal(illegal),
            BoardError::Cancelled => EngineError::Stopped,
            BoardError::Levels { asked, built } => EngineError::Levels { asked, built },
            other => EngineError::Backend { backend: self.name(), reason: other.to_string() },
        }
    }

    fn point(&self, cell: Cell) -> Point {
        self.tables.geometry.point(cell)
    }

    /// Chooses a move as the board does by itself, within limits.
    pub fn search_within(&mut self, limits: Limits) -> Result<Decision, EngineError> {
        let over = Decision { cell: None, score: 0, nodes: 0, cycles: None };
        if self.position.is_over() {
            return Ok(over);
        }
        let found = match &mut self.board {
            AnyBoard::Framed(board) => match board.search(limits).map_err(|e| self.failed(e))? {
                None => return Err(self.failed(BoardError::Lost)),
                // The root counts as everywhere else.
                Some(found) => (found.point, found.score, found.nodes + 1, Some(found.cycles)),
            },
            AnyBoard::Original(board) => {
                if limits != Limits::default() && limits.levels != Some(self.tables.config.levels) {
                    return Err(self.failed(BoardError::Original { what: "choose levels or limits" }));
                }
                if self.pending.is_none() && self.position.stones() > 0 {
                    return Err(self.failed(BoardError::Original { what: "search twice in a row" }));
                }
                let first = Point { x: self.tables.config.columns, y: self.tables.config.rows };
                let answer = board.turn(self.pending.unwrap_or(first)).map_err(|e| self.failed(e))?;
                self.pending = None;
                let config = &self.tables.config;
                let point = move_of(&answer, config.columns, config.rows).map_err(|e| self.failed(e))?;
                (point, 0, 0, None)
            }
        };
        let (point, score, nodes, cycles) = found;
        let cell = self.tables.geometry.cell(point.x, point.y);
        let played = cell.map(|cell| self.position.play(cell));
        match (cell, played) {
            (Some(cell), Some(Ok(()))) => Ok(Decision { cell: Some(cell), score, nodes, cycles }),
            _ => {
                Err(self.failed(BoardError::Nonsense { what: format!("the move {point}, which is illegal") }))
            }
        }
    }
}

impl Engine for BoardEngine {
    fn name(&self) -> String {
        match &self.board {
            AnyBoard::Framed(board) => format!("board {}", board.name()),
            AnyBoard::Original(board) => format!("board {}", board.name()),
        }
    }

    fn keeps_contract(&self) -> bool {
        true
    }

    fn config(&self) -> &Config {
        &self.tables.config
    }

    /// A board that knows frames gives a search up; in the original protocol it would search on.
    fn stop(&self) -> Option<Stop> {
        match &self.board {
            AnyBoard::Framed(board) => Some(board.canceller().into()),
            AnyBoard::Original(_) => None,
        }
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        match &mut self.board {
            AnyBoard::Framed(board) => board.new_game(),
            AnyBoard::Original(board) => board.new_game(),
        }
        .map_err(|error| self.failed(error))?;
        self.position = Position::new(&self.tables);
        self.pending = None;
        Ok(())
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        let position = Position::from_moves(&self.tables, moves)?;
        match &mut self.board {
            AnyBoard::Framed(board) => {
                let points: Vec<Point> = moves.iter().map(|&cell| self.tables.geometry.point(cell)).collect();
                board.set_position(&points).map_err(|error| self.failed(error))?;
            }
            AnyBoard::Original(board) => {
                let ([] | [_]) = moves else {
                    return Err(self.failed(BoardError::Original { what: "set a position of several moves" }));
                };
                board.new_game().map_err(|error| self.failed(error))?;
                self.pending = moves.first().map(|&cell| self.tables.geometry.point(cell));
            }
        }
        self.position = position;
        Ok(())
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.position.check(cell)?;
        let point = self.point(cell);
        match &mut self.board {
            AnyBoard::Framed(board) => board.play(point).map(|_| ()),
            AnyBoard::Original(_) if self.pending.is_some() => {
                Err(BoardError::Original { what: "play for both sides" })
            }
            AnyBoard::Original(_) => {
                self.pending = Some(point);
                Ok(())
            }
        }
        .map_err(|error| self.failed(error))?;
        self.position.play(cell).map_err(EngineError::from)
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        let built = self.tables.config.levels;
        match levels {
            Some(asked) if asked == 0 || asked > built => Err(EngineError::Levels { asked, built }),
            levels => self.search_within(Limits { levels, cycles: None }),
        }
    }
}

/// The move that an answer in the original protocol brings, to a legal move on a board of this size.
fn move_of(answer: &Answer, columns: usize, rows: usize) -> Result<Point, BoardError> {
    let other = |what: String| Err(BoardError::OtherSize { what, columns, rows });
    let Answer { status, x, y } = *answer;
    match u8::try_from(status) {
        Ok(status::MOVE..=status::ENGINE_DRAWS) if x < columns && y < rows => Ok(Point { x, y }),
        Ok(status::MOVE..=status::ENGINE_DRAWS) => other(format!("the move {x},{y}")),
        Ok(status::OUTSIDE) => other("that a move is outside its board".into()),
        _ => Err(BoardError::Nonsense { what: format!("status 0x{status:02x} to a legal move") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_a_board_of_another_size_says_so() {
        let told = |status, x, y| move_of(&Answer { status, x, y }, 7, 6).map_err(|error| error.to_string());
        assert_eq!(told(0, 6, 5), Ok(Point { x: 6, y: 5 }));
        assert_eq!(told(1, 0, 0), Ok(Point { x: 0, y: 0 }));
        for (status, x, y) in [(0, 7, 5), (0, 6, 6), (0x82, 3, 3)] {
            let error = told(status, x, y).unwrap_err();
            assert!(error.contains("hardly one of 7 x 6") && error.contains("--config"), "{error}");
        }
        assert!(told(0x81, 3, 3).unwrap_err().contains("status 0x81 to a legal move"));
    }
}
