// SPDX-License-Identifier: MIT OR Apache-2.0
//! A line of the manager's as a command.

use std::fmt;

/// A cell as the manager writes it; it may lie outside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Column, from 0.
    pub x: usize,
    /// Row, from 0.
    pub y: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A stone on a line: its place, and whose it is (1 own, 2 the opponent's, 3 of a finished line); none with swap2.
pub type Stone = (Place, Option<u32>);

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A new game on a board of this size.
    Start {
        /// Columns.
        columns: usize,
        /// Rows.
        rows: usize,
    },
    /// A new game on the same board.
    Restart,
    /// The opponent's move.
    Turn(Place),
    /// The brain opens.
    Begin,
    /// A position follows, line by line, to [`Command::Done`].
    Board,
    /// The stones of a swap2 opening follow, to [`Command::Done`].
    Swap2Board,
    /// Ends what follows [`Command::Board`] or [`Command::Swap2Board`].
    Done,
    /// A line between: a place, and whose stone it is (1 own, 2 the opponent's, 3 of a finished line); none with swap2.
    Stone(Place, Option<u32>),
    /// A limit or a fact.
    Info {
        /// Its name, in small letters.
        key: String,
        /// The rest of the line.
        value: String,
    },
    /// The brain's own move, chosen by the manager.
    Play(Place),
    /// A move taken back.
    TakeBack(Place),
    /// A position follows, line by line to [`Command::Done`] or on this line: nothing is searched (Yixin's).
    Analyse(Vec<Stone>, bool),
    /// So many best moves of the position are wanted; none is played (Yixin's).
    Best(usize),
    /// The running search ends with what it has (Yixin's).
    Halt,
    /// What a search finds on its way is wanted (Yixin's).
    ShowInfo,
    /// Who are you.
    About,
    /// The end.
    End,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCommand {
    /// Nothing on it: to be ignored.
    Empty,
    /// A word that the protocol does not have, or not of this brain's.
    Unknown(String),
    /// A known word with arguments that are none.
    Malformed(String),
}

/// Longest part of a line that an answer repeats.
const SHOWN: usize = 40;

/// The beginning of a text, printable.
pub(super) fn shown(text: &str) -> String {
    let printable = |letter: char| if letter.is_control() { '?' } else { letter };
    let mut shown: String = text.chars().take(SHOWN).map(printable).collect();
    if text.chars().count() > SHOWN {
        shown.push_str("...");
    }
    shown
}

fn number(text: &str) -> Option<usize> {
    // A sign is no digit: `+3` is none of the protocol's numbers.
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn numbers<const N: usize>(text: &str) -> Option<[usize; N]> {
    let parts: Vec<usize> = text.split(',').map(number).collect::<Option<_>>()?;
    parts.try_into().ok()
}

fn place(text: &str) -> Option<Place> {
    numbers(text).map(|[x, y]| Place { x, y })
}

/// The stones on a line of their own, and whether DONE ends them.
fn listed(text: &str) -> Option<(Vec<Stone>, bool)> {
    let mut stones = Vec::new();
    let mut done = false;
    for word in text.split_whitespace() {
        if done {
            return None;
        }
        if word.eq_ignore_ascii_case("DONE") {
            done = true;
            continue;
        }
        let [x, y, field] = numbers::<3>(word)?;
        stones.push((Place { x, y }, u32::try_from(field).ok()));
    }
    Some((stones, done))
}

/// Reads a line, without its end.
pub fn parse(line: &str) -> Result<Command, NoCommand> {
    let line = line.trim();
    if line.is_empty() {
        return Err(NoCommand::Empty);
    }
    if line.starts_with(|first: char| first.is_ascii_digit()) {
        let stone = match numbers::<3>(line) {
            Some([x, y, field]) => Some(Command::Stone(Place { x, y }, u32::try_from(field).ok())),
            None => place(line).map(|place| Command::Stone(place, None)),
        };
        return stone.ok_or_else(|| NoCommand::Malformed(format!("{}: write x,y or x,y,field", shown(line))));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let malformed = |form: &str| NoCommand::Malformed(format!("{}: write {form}", shown(line)));
    let at = |form: &str| place(rest).ok_or_else(|| malformed(form));
    match word.to_ascii_uppercase().as_str() {
        // Some managers name both sides of a square board.
        "START" => match (number(rest), rest.split_once([' ', '\t', ','])) {
            (Some(size), _) => Ok(Command::Start { columns: size, rows: size }),
            (None, Some((columns, rows))) => match (number(columns), number(rows)) {
                (Some(columns), Some(rows)) => Ok(Command::Start { columns, rows }),
                _ => Err(malformed("START size")),
            },
            (None, None) => Err(malformed("START size")),
        },
        "RECTSTART" => match numbers(rest) {
            Some([columns, rows]) => Ok(Command::Start { columns, rows }),
            None => Err(malformed("RECTSTART width,height")),
        },
        "RESTART" => Ok(Command::Restart),
        "TURN" => Ok(Command::Turn(at("TURN x,y")?)),
        "BEGIN" => Ok(Command::Begin),
        "BOARD" => Ok(Command::Board),
        "SWAP2BOARD" => Ok(Command::Swap2Board),
        "DONE" => Ok(Command::Done),
        "INFO" => {
            let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            Ok(Command::Info { key: key.to_ascii_lowercase(), value: value.trim().into() })
        }
        "PLAY" => Ok(Command::Play(at("PLAY x,y")?)),
        "TAKEBACK" => Ok(Command::TakeBack(at("TAKEBACK x,y")?)),
        "YXBOARD" => {
            let (stones, done) = listed(rest).ok_or_else(|| malformed("YXBOARD x,y,field ... DONE"))?;
            Ok(Command::Analyse(stones, done))
        }
        "YXNBEST" => match number(rest) {
            Some(count) if count > 0 => Ok(Command::Best(count)),
            _ => Err(malformed("YXNBEST count")),
        },
        "YXSTOP" | "STOP" => Ok(Command::Halt),
        "YXSHOWINFO" => Ok(Command::ShowInfo),
        "ABOUT" => Ok(Command::About),
        "END" => Ok(Command::End),
        _ => Err(NoCommand::Unknown(format!("command {}", shown(word)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_managers_write_them() {
        let place = |x, y| Place { x, y };
        for (line, command) in [
            ("START 15", Command::Start { columns: 15, rows: 15 }),
            ("START 15 15", Command::Start { columns: 15, rows: 15 }),
            ("start 15,15\r", Command::Start { columns: 15, rows: 15 }),
            ("RECTSTART 30, 20", Command::Start { columns: 30, rows: 20 }),
            ("turn 10,11\r", Command::Turn(place(10, 11))),
            ("  TAKEBACK 9, 1", Command::TakeBack(place(9, 1))),
            ("7,8,2", Command::Stone(place(7, 8), Some(2))),
            ("7,8", Command::Stone(place(7, 8), None)),
            ("INFO Timeout_Turn 1000", Command::Info { key: "timeout_turn".into(), value: "1000".into() }),
            (
                "INFO folder C:\\my files\\x",
                Command::Info { key: "folder".into(), value: "C:\\my files\\x".into() },
            ),
            ("INFO", Command::Info { key: String::new(), value: String::new() }),
            ("yxboard", Command::Analyse(Vec::new(), false)),
            (
                "YXBOARD 7,8,1 0,1,2 done",
                Command::Analyse(vec![(place(7, 8), Some(1)), (place(0, 1), Some(2))], true),
            ),
            ("YXNBEST 3", Command::Best(3)),
            ("yxstop", Command::Halt),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn what_is_no_command_is_told_apart() {
        for line in ["", "  ", "\r"] {
            assert_eq!(parse(line), Err(NoCommand::Empty));
        }
        for line in [
            "START",
            "START -3",
            "START 99999999999999999999999",
            "TURN 1",
            "TURN 1,2,3",
            "1,2,3,4",
            "3,",
            "YXNBEST 0",
            "YXBOARD 1,2",
        ] {
            assert!(matches!(parse(line), Err(NoCommand::Malformed(_))), "{line}");
        }
        for line in ["HELLO", "YXHASHCLEAR", "\u{1}\u{2}", "天元"] {
            assert!(matches!(parse(line), Err(NoCommand::Unknown(_))), "{line}");
        }
        let Err(NoCommand::Unknown(text)) = parse(&"A".repeat(10_000)) else { panic!() };
        assert!(text.len() < 100);
    }
}
