// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file of learned positions, and an engine that keeps one.
//!
//! A line that names the format, then a line a position: a CRC-32 in hexadecimal, a blank, a JSON object. Positions are only ever
//! appended, as they are found: what a crash leaves is a line cut off, which does not count and harms no other. Files can be put
//! together with `cat`.

use crc::{CRC_32_ISO_HDLC, Crc};
use engine_model::notation::{format_game, parse_game};
use engine_model::{Cell, Config, Decision, Engine, EngineError, Geometry, Stop};
use players::pvs::Pvs;
use players::pvs::lessons::Lesson;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Over the object's bytes.
const CHECK: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
/// The first line, but for the version.
const FORMAT: &str = "tengen learned positions, version ";
/// The version that is written and read.
pub const VERSION: u32 = 1;

/// What is wrong with a file of learned positions.
#[derive(Debug, thiserror::Error)]
pub enum LearnedError {
    /// It cannot be read or written.
    #[error("cannot {action} learned positions {}: {reason}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// It is not one.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What it is.
        reason: FormatError,
    },
}

/// Why a text is no file of learned positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Another version's.
    #[error("it is of version {0}, this tengen reads version {VERSION}")]
    Version(String),
    /// Something else's.
    #[error("it is no file of learned positions: its first line is not {:?}", header().trim_end())]
    Foreign,
}

/// The first line.
fn header() -> String {
    format!("{FORMAT}{VERSION}\n")
}

/// What a file holds.
#[derive(Debug, Default)]
pub struct Learned {
    /// Its positions in their order; of several about the same the nearest end counts.
    pub lessons: Vec<Lesson>,
    /// Lines that do not count, by number from 1: cut off or changed.
    pub damaged: Vec<usize>,
}

/// A position as the object of a line.
pub fn object(lesson: &Lesson) -> Value {
    let Lesson { columns, rows, in_a_row, stones, plies } = lesson;
    let geometry = Geometry::new(*columns, *rows, *in_a_row, 1);
    let mut object = json!({
        "columns": columns,
        "rows": rows,
        "in_a_row": in_a_row,
        "first": format_game(&stones[0], &geometry),
        "second": format_game(&stones[1], &geometry),
        "to_move": (["first", "second"][lesson.to_move()]),
    });
    object[if *plies > 0 { "wins_in" } else { "loses_in" }] = json!(plies.abs());
    object
}

/// The position of an object, if it is one that can be.
fn lesson(object: &Value) -> Option<Lesson> {
    let number = |key: &str| object[key].as_u64().and_then(|number| usize::try_from(number).ok());
    let (columns, rows, in_a_row) = (number("columns")?, number("rows")?, number("in_a_row")?);
    let side = 1..=engine_model::config::MAX_SIDE;
    if !(side.contains(&columns) && side.contains(&rows) && (1..=columns.max(rows)).contains(&in_a_row)) {
        return None;
    }
    let geometry = Geometry::new(columns, rows, in_a_row, 1);
    let cells = |key: &str| -> Option<Vec<Cell>> {
        let mut cells = parse_game(object[key].as_str()?, 1, &geometry).ok()?;
        cells.sort_unstable();
        Some(cells)
    };
    let stones = [cells("first")?, cells("second")?];
    let apart = stones[0].iter().all(|cell| !stones[1].contains(cell));
    let turns = stones[0].len() == stones[1].len() || stones[0].len() == stones[1].len() + 1;
    let plies = match (number("wins_in"), number("loses_in")) {
        (Some(plies), None) => plies as i64,
        (None, Some(plies)) => -(plies as i64),
        _ => return None,
    };
    let most = (columns * rows) as i64;
    let possible = apart && turns && plies != 0 && plies.abs() <= most;
    possible.then_some(Lesson { columns, rows, in_a_row, stones, plies: plies as i32 })
}

/// A position as a line.
fn line(lesson: &Lesson) -> String {
    let text = object(lesson).to_string();
    format!("{:08x} {text}\n", CHECK.checksum(text.as_bytes()))
}

fn of_line(line: &str) -> Option<Lesson> {
    let (check, text) = line.split_once(' ')?;
    let right = u32::from_str_radix(check, 16).ok()? == CHECK.checksum(text.as_bytes());
    right.then(|| serde_json::from_str(text).ok()).flatten().as_ref().and_then(lesson)
}

/// Reads a file's text.
pub fn parse(text: &[u8]) -> Result<Learned, FormatError> {
    let header = header();
    let mut learned = Learned::default();
    if !text.starts_with(header.as_bytes()) {
        // What a crash leaves of the very first write.
        if header.as_bytes().starts_with(text) {
            return Ok(learned);
        }
        let first = String::from_utf8_lossy(text.split(|byte| *byte == b'\n').next().unwrap_or_default());
        return Err(match first.strip_prefix(FORMAT) {
            Some(version) => FormatError::Version(version.into()),
            None => FormatError::Foreign,
        });
    }
    let mut number = 0;
    for bytes in text.split_inclusive(|byte| *byte == b'\n') {
        number += 1;
        let line = String::from_utf8_lossy(bytes);
        // Whether it is whole, the check says, with or without the line's end.
        match of_line(line.trim_end_matches('\n')) {
            Some(lesson) => learned.lessons.push(lesson),
            None if line == header || line == "\n" => {}
            None => learned.damaged.push(number),
        }
    }
    Ok(learned)
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Learned, LearnedError> {
    let file = |reason| LearnedError::File { action: "read", path: path.into(), reason };
    parse_at(path, &std::fs::read(path).map_err(file)?)
}

fn parse_at(path: &Path, text: &[u8]) -> Result<Learned, LearnedError> {
    parse(text).map_err(|reason| LearnedError::Format { path: path.into(), reason })
}

/// The file, there and at a line's beginning, so that positions can be appended.
fn append_to(path: &Path, text: &[u8]) -> std::io::Result<File> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let header = header();
    if !text.starts_with(header.as_bytes()) {
        // A part of it may stand there.
        file.write_all(&header.as_bytes()[text.len()..])?;
    } else if !text.ends_with(b"\n") {
        file.write_all(b"\n")?;
    }
    file.sync_data()?;
    Ok(file)
}

/// Principal variation search with a file of what it has learnt.
pub struct Learner {
    pvs: Pvs,
    path: PathBuf,
    journal: Journal,
    damaged: Vec<usize>,
}

/// The file, and what is to be appended to it.
struct Journal {
    file: File,
    /// Lines that are not in the file, or not whole.
    unsaved: String,
    /// The last write failed: a part of a line may stand at the end.
    torn: bool,
}

impl Journal {
    fn write(&mut self) -> std::io::Result<()> {
        if self.torn {
            self.file.write_all(b"\n")?;
        }
        self.torn = true;
        self.file.write_all(self.unsaved.as_bytes())?;
        self.torn = false;
        self.unsaved.clear();
        Ok(())
    }
}

impl Learner {
    /// Reads the file, or begins one.
    pub fn open(mut pvs: Pvs, path: &Path) -> Result<Learner, LearnedError> {
        let cannot = |reason| LearnedError::File { action: "write", path: path.into(), reason };
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(cannot(error)),
        };
        let learned = parse_at(path, &text)?;
        for lesson in &learned.lessons {
            pvs.learn(lesson);
        }
        let file = append_to(path, &text).map_err(cannot)?;
        let journal = Journal { file, unsaved: String::new(), torn: false };
        Ok(Learner { pvs, path: path.into(), journal, damaged: learned.damaged })
    }

    /// Lines of the file that do not count, by number from 1.
    pub fn damaged(&self) -> &[usize] {
        &self.damaged
    }
}

impl Engine for Learner {
    fn name(&self) -> String {
        self.pvs.name()
    }

    fn config(&self) -> &Config {
        self.pvs.config()
    }

    fn levels(&self) -> usize {
        self.pvs.levels()
    }

    fn deepest(&self) -> usize {
        self.pvs.deepest()
    }

    fn step(&self) -> usize {
        self.pvs.step()
    }

    fn decided(&self, score: i32) -> Option<i32> {
        self.pvs.decided(score)
    }

    fn stop(&self) -> Option<Stop> {
        self.pvs.stop()
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.pvs.new_game()
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        self.pvs.set_position(moves)
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.pvs.play(cell)
    }

    fn search(&mut self, levels: Option<usize>) -> Result<Decision, EngineError> {
        self.pvs.search(levels)
    }

    fn lost(&mut self, moves: &[Cell], side: usize) -> Result<usize, EngineError> {
        let (mut lessons, mut result) = (0, Ok(()));
        let Learner { pvs, journal, .. } = self;
        pvs.replay(moves, side, &mut |lesson| {
            lessons += 1;
            journal.unsaved.push_str(&line(lesson));
            if result.is_ok() {
                // As it is found: whoever ends the program loses the rest only.
                result = journal.write();
            }
        });
        result.and_then(|()| self.journal.file.sync_data()).map_err(|error| EngineError::Backend {
            backend: "pvs".into(),
            reason: format!("cannot write learned positions {}: {error}", self.path.display()),
        })?;
        Ok(lessons)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Vec<Lesson> {
        [(vec![112, 113], vec![97], 5), (vec![0, 7], vec![1, 224], -4)]
            .into_iter()
            .map(|(first, second, plies)| Lesson {
                columns: 15,
                rows: 15,
                in_a_row: 5,
                stones: [first, second],
                plies,
            })
            .collect()
    }

    fn text() -> String {
        header() + &some().iter().map(line).collect::<String>()
    }

    #[test]
    fn what_is_written_is_read() {
        let learned = parse(text().as_bytes()).unwrap();
        assert_eq!((learned.lessons, learned.damaged.len()), (some(), 0));
        // Two files one after the other.
        assert_eq!(parse((text() + &text()).as_bytes()).unwrap().lessons.len(), 4);
    }

    #[test]
    fn a_file_cut_off_anywhere_loses_what_was_cut_and_goes_on() {
        let folder = std::env::temp_dir().join(format!("tengen-learned-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, text) = (folder.join("cut"), text());
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let config = engine_model::named::named("gomoku15").unwrap();
        for length in 0..=text.len() {
            // With the line's end or without.
            let whole = ends[1..].iter().filter(|end| **end - 1 <= length).count();
            std::fs::write(&path, &text[..length]).unwrap();
            let mut learner = Learner::open(Pvs::new(&config, Default::default()), &path).unwrap();
            assert_eq!(learner.pvs.memory().is_empty(), whole == 0, "{length}");
            // What is appended then is whole.
            learner.journal.unsaved = line(&some()[1]);
            learner.journal.write().unwrap();
            let learned = read(&path).unwrap();
            assert_eq!(learned.lessons.last(), some().last(), "{length}");
            assert_eq!(learned.lessons.len(), whole + 1, "{length}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let text = text();
        let header = text.find('\n').unwrap() + 1;
        for at in header..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let learned = parse(&bytes).unwrap();
            assert!(!learned.damaged.is_empty() && learned.lessons.len() < 2, "{at}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        for (text, part) in [
            ("tengen learned positions, version 2\n", "it is of version 2, this tengen reads version 1"),
            ("{\"game\":1}\n", "it is no file of learned positions"),
            ("tengen learned positions, version 17", "it is of version 17"),
        ] {
            let message = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
