// SPDX-License-Identifier: MIT OR Apache-2.0
//! The results file: one point a line, each subject once.

use super::point::Point;
use super::subject::Subject;
use engine_model::notation::plain_lines;
use std::path::{Path, PathBuf};

/// Its name in the folder of a command that keeps one.
pub const RESULTS: &str = "results.jsonl";

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// It cannot be read.
    #[error("cannot read {file}")]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {file}")]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line is no JSON.
    #[error("{file}: line {line} is not JSON ({reason}): delete the line, and its point is measured again")]
    Line {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: serde_json::Error,
    },
}

/// The points of a results file.
#[derive(Debug)]
pub struct Results {
    file: PathBuf,
    points: Vec<Point>,
    elsewhere: Vec<Point>,
    /// Lines of another version's form, which no configuration of today can use.
    pub foreign: usize,
}

impl Results {
    /// Reads the file; one that does not exist holds no point.
    pub fn read(file: &Path) -> Result<Results, ResultsError> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(source) if source.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(ResultsError::Read { file: file.into(), source }),
        };
        let mut results =
            Results { file: file.into(), points: Vec::new(), elsewhere: Vec::new(), foreign: 0 };
        for (index, line) in plain_lines(&text)
            .trim_start_matches('\u{feff}')
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let value: serde_json::Value = serde_json::from_str(line)
                .map_err(|reason| ResultsError::Line { file: file.into(), line: index + 1, reason })?;
            match serde_json::from_value(value) {
                Ok(point) => results.points.push(point),
                Err(_) => results.foreign += 1,
            }
        }
        Ok(results)
    }

    /// All points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The point of a subject, perhaps of an earlier state of it.
    pub fn of(&self, subject: &Subject) -> Option<&Point> {
        self.points.iter().chain(&self.elsewhere).find(|point| subject.names(point))
    }

    /// Knows these points too, without keeping them in its own file; its own come first.
    pub fn also(&mut self, other: Results) {
        self.elsewhere.extend(other.points);
    }

    /// Puts every point of another file in the place of an earlier one of the same subject, and saves; `fresh` tells points of
    /// today's cores, which no other point replaces. How many came in.
    pub fn join(&mut self, other: Results, fresh: &dyn Fn(&Point) -> bool) -> Result<usize, ResultsError> {
        let mut joined = 0;
        for point in other.points {
            let known = self.points.iter().find(|known| known.same_subject(&point));
            if known.is_some_and(|known| fresh(known) && !fresh(&point)) {
                continue;
            }
            self.place(|known| known.same_subject(&point), point.clone());
            joined += 1;
        }
        self.save()?;
        Ok(joined)
    }

    /// Puts a point in the place of the subject's earlier one and saves the file, which is never left half written.
    pub fn put(&mut self, subject: &Subject, point: Point) -> Result<(), ResultsError> {
        self.place(|known| subject.names(known), point);
        self.save()
    }

    fn place(&mut self, same: impl Fn(&Point) -> bool, point: Point) {
        match self.points.iter_mut().find(|known| same(known)) {
            Some(place) => *place = point,
            None => self.points.push(point),
        }
    }

    fn save(&self) -> Result<(), ResultsError> {
        let mut text = String::new();
        for point in &self.points {
            text.push_str(&serde_json::to_string(point).expect("a point holds only plain values"));
            text.push('\n');
        }
        let new = self.file.with_extension("new");
        std::fs::write(&new, text)
            .and_then(|()| std::fs::rename(&new, &self.file))
            .map_err(|source| ResultsError::Write { file: self.file.clone(), source })
    }
}
