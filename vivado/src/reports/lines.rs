// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report by lines: its head, the rows of its tables, and errors that name the place.

use super::head::{Head, ReportError, Stage};

/// A report by lines, with errors that name the place.
pub(super) struct Lines<'a> {
    pub lines: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    /// Of a text.
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().collect() }
    }

    /// An error at a line and column, both from 0.
    pub fn error(&self, line: usize, column: usize, what: impl Into<String>) -> ReportError {
        ReportError { line: line + 1, column: column + 1, what: what.into() }
    }

    /// The report ends without something.
    pub fn missing(&self, what: &str) -> ReportError {
        self.error(
            self.lines.len(),
            0,
            format!("the report ends without {what}: is it whole, and the right one?"),
        )
    }

    /// Value behind `| key :` in the head.
    pub fn head_value(&self, key: &str) -> Option<&'a str> {
        self.lines.iter().find_map(|line| {
            let (name, value) = line.strip_prefix('|')?.split_once(':')?;
            (name.trim() == key).then(|| value.trim())
        })
    }

    /// The report's head.
    pub fn head(&self) -> Result<Head, ReportError> {
        let tool = self
            .head_value("Tool Version")
            .ok_or_else(|| self.missing("its head (| Tool Version : Vivado ...)"))?;
        let version = tool
            .split_whitespace()
            .find_map(|word| word.strip_prefix("v."))
            .or_else(|| tool.split_whitespace().skip_while(|word| *word != "Vivado").nth(1));
        let Some(version) = version.filter(|version| version.starts_with(|c: char| c.is_ascii_digit()))
        else {
            let line = self.lines.iter().position(|line| line.contains("Tool Version")).unwrap_or(0);
            return Err(self.error(line, 0, format!("no version of Vivado in {tool:?}")));
        };
        let state = self.head_value("Design State").map(String::from);
        let stage = state.as_deref().and_then(Stage::of_state);
        let device = self.head_value("Device").unwrap_or_default().to_string();
        let design = self.head_value("Design").unwrap_or_default().to_string();
        Ok(Head { version: version.to_string(), design, device, state, stage })
    }

    /// A row of a table by its first cell: its line, and the cells behind with their columns.
    pub fn row(&self, names: &[&str]) -> Option<(usize, Vec<(usize, &'a str)>)> {
        self.lines.iter().enumerate().find_map(|(number, line)| {
            let inside = line.trim_end().strip_prefix('|')?.strip_suffix('|')?;
            let mut column = 1;
            let mut cells = Vec::new();
            for cell in inside.split('|') {
                cells.push((column, cell));
                column += cell.len() + 1;
            }
            // Footnotes are stars behind the name.
            let first = cells.first()?.1.trim().trim_end_matches('*');
            names.contains(&first).then(|| (number, cells.split_off(1)))
        })
    }

    /// A cell as a number.
    pub fn number(&self, line: usize, cell: (usize, &str)) -> Result<f64, ReportError> {
        let text = cell.1.trim();
        let indent = cell.1.len() - cell.1.trim_start().len();
        text.trim_start_matches('<')
            .parse()
            .map_err(|_| self.error(line, cell.0 + indent, format!("{text:?} is not a number")))
    }

    /// Used and available of a row; the last two numbers but the percentage.
    pub fn used(&self, names: &[&str]) -> Result<Option<(f64, f64)>, ReportError> {
        let Some((line, cells)) = self.row(names) else {
            return Ok(None);
        };
        let [used, .., available, _] = cells[..] else {
            return Err(self.error(line, 0, format!("the row of {} is cut off", names[0])));
        };
        let available = if available.1.trim().is_empty() { 0.0 } else { self.number(line, available)? };
        Ok(Some((self.number(line, used)?, available)))
    }

    /// How many cells of a primitive the design has.
    pub fn primitive(&self, name: &str) -> Result<u64, ReportError> {
        match self.row(&[name]) {
            Some((line, cells)) if !cells.is_empty() => Ok(self.number(line, cells[0])? as u64),
            _ => Ok(0),
        }
    }
}
