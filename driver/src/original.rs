// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board by the original protocol: a command is x and y as 32-bit little-endian numbers, an answer two decimal lines, the
//! core's second word (y) first. It has no check of any kind: use it over short lines, or for firmware that knows no other.

use crate::error::BoardError;
use crate::session::{Patience, Session};
use crate::transport::{Connector, READ_SLICE};
use engine_model::Point;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// x and y of the command that empties the board; no answer.
pub const NEW_GAME: u32 = 99;
/// x and y of the command that lets the engine move first.
pub const ENGINE_FIRST: u32 = 15;
/// x and y of the driver's probe: on no board and no command, so that it is refused and nothing moves.
pub const PROBE: u32 = 98;
/// Bytes of a command.
pub const COMMAND_BYTES: usize = 8;

/// What an answer says beyond its move; 0 for a plain one. The core's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Status of the core.
    pub status: u32,
    /// Column.
    pub x: usize,
    /// Row.
    pub y: usize,
}

/// The bytes of a command.
pub fn encode(x: u32, y: u32) -> [u8; COMMAND_BYTES] {
    let mut bytes = [0; COMMAND_BYTES];
    bytes[..4].copy_from_slice(&x.to_le_bytes());
    bytes[4..].copy_from_slice(&y.to_le_bytes());
    bytes
}

/// The answer in two lines, once both are there; `None` before. Anything else is an error that holds the text.
pub fn decode(text: &[u8]) -> Option<Result<Answer, String>> {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let (first, second) = (lines.next()?, lines.next()?);
    if !second.ends_with(b"\n") {
        return None;
    }
    let number = |line: &[u8]| std::str::from_utf8(line).ok()?.trim().parse::<u32>().ok();
    let answer = match (number(second), number(first)) {
        (Some(x), Some(y)) if x >> 8 == y >> 8 => {
            Ok(Answer { status: x >> 8, x: (x & 0xff) as usize, y: (y & 0xff) as usize })
        }
        _ => Err(String::from_utf8_lossy(text).into_owned()),
    };
    Some(answer)
}

/// A board that is spoken to by the original protocol.
pub struct OriginalBoard {
    session: Session,
    /// A command has failed: what the board holds is not known until a new game.
    lost: bool,
}

impl OriginalBoard {
    /// Opens a line and empties the board.
    pub fn connect(connector: Box<dyn Connector>, patience: Patience) -> Result<OriginalBoard, BoardError> {
        let mut board = OriginalBoard { session: Session::open(connector, patience)?, lost: false };
        board.new_game()?;
        Ok(board)
    }

    /// Whether something answers to this protocol on the line of `session`. Nothing moves.
    pub(crate) fn over(session: Session) -> Result<OriginalBoard, BoardError> {
        let mut board = OriginalBoard { session, lost: true };
        board.listen_anew()?;
        let wait = board.session.patience.reply;
        board.command(PROBE, PROBE, wait)?;
        Ok(board)
    }

    /// Name of the line.
    pub fn name(&self) -> String {
        self.session.name()
    }

    /// Set it, from any thread, to stop waiting. The board searches on: begin a new game.
    pub fn canceller(&self) -> Arc<AtomicBool> {
        self.session.cancel.clone()
    }

    /// Waits until the firmware has given up a command begun by somebody else, and drops what it said.
    fn listen_anew(&mut self) -> Result<(), BoardError> {
        let until = Instant::now() + 2 * self.session.patience.gap;
        while Instant::now() < until {
            let mut bytes = [0; 64];
            if let Err(error) = self.session.line().receive(&mut bytes) {
                self.session.reopen(&error)?;
            }
        }
        Ok(())
    }

    fn gone(&self, error: &std::io::Error) -> BoardError {
        BoardError::Gone { port: self.session.name(), reason: error.to_string(), waited: Duration::ZERO }
    }

    /// Sends a command and waits for its answer.
    fn command(&mut self, x: u32, y: u32, wait: Duration) -> Result<Answer, BoardError> {
        self.session.cancel.store(false, Ordering::Relaxed);
        self.session.line().send(&encode(x, y)).map_err(|error| self.gone(&error))?;
        let (begin, mut text) = (Instant::now(), Vec::new());
        while begin.elapsed() < wait {
            if self.session.cancel.swap(false, Ordering::Relaxed) {
                return Err(BoardError::Cancelled);
            }
            let mut bytes = [0; 64];
            let count = self.session.line().receive(&mut bytes).map_err(|error| self.gone(&error))?;
            text.extend(&bytes[..count]);
            if let Some(answer) = decode(&text) {
                return answer.map_err(|text| BoardError::Nonsense { what: format!("{text:?}") });
            }
        }
        let (port, waited) = (self.session.name(), begin.elapsed());
        Err(if text.is_empty() {
            BoardError::NoAnswer { port, baud: self.session.baud(), waited }
        } else {
            BoardError::Garbled { port, baud: self.session.baud(), bytes: text.len() as u64, waited }
        })
    }

    /// Starts a new game. Nothing answers: the board takes it at once, also in the middle of a search.
    pub fn new_game(&mut self) -> Result<(), BoardError> {
        self.lost = true;
        self.session.cancel.store(false, Ordering::Relaxed);
        self.listen_anew()?;
        if let Err(error) = self.session.line().send(&encode(NEW_GAME, NEW_GAME)) {
            self.session.reopen(&error)?;
            self.session.line().send(&encode(NEW_GAME, NEW_GAME)).map_err(|error| self.gone(&error))?;
        }
        // What was still on its way belongs to the old game.
        std::thread::sleep(4 * READ_SLICE);
        self.listen_anew()?;
        self.lost = false;
        Ok(())
    }

    /// Plays the opponent's move and waits for the engine's; the point (columns, rows) lets the engine move first. After an
    /// error only a new game goes on: nothing tells what the board holds.
    pub fn turn(&mut self, point: Point) -> Result<Answer, BoardError> {
        if self.lost {
            return Err(BoardError::Original { what: "go on after a failed move: begin a new game, or" });
        }
        let number = |n: usize| u32::try_from(n).ok().filter(|n| *n < PROBE);
        let (Some(x), Some(y)) = (number(point.x), number(point.y)) else {
            return Err(BoardError::Original { what: "name a cell that far outside" });
        };
        self.lost = true;
        let wait = self.session.patience.search;
        let answer = self.command(x, y, wait).map_err(|error| match error {
            BoardError::NoAnswer { waited, .. } => BoardError::TooLong { waited },
            error => error,
        })?;
        self.lost = false;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_two_lines_second_word_first() {
        assert_eq!(decode(b"6\n7\n"), Some(Ok(Answer { status: 0, x: 7, y: 6 })));
        assert_eq!(decode(b"33024\r\n33031\r\n"), Some(Ok(Answer { status: 0x81, x: 7, y: 0 })));
        assert_eq!(decode(b"6\n7"), None);
        assert!(decode(b"6\nx\n").unwrap().is_err());
        assert!(decode(b"256\n7\n").unwrap().is_err());
    }

    #[test]
    fn commands_are_two_numbers() {
        assert_eq!(encode(7, 8), [7, 0, 0, 0, 8, 0, 0, 0]);
    }
}
