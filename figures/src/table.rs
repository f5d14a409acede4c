// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables, laid out once for terminal, Markdown and browser.

/// A table: the first column is left-aligned, the others hold figures.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows, with units.
    pub title: String,
    /// Head of each column.
    pub head: Vec<String>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
    /// Words of its head that need explaining, and what they mean.
    pub words: Vec<(String, String)>,
}

impl Table {
    /// Without rows.
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        Table {
            title: title.into(),
            head: head.iter().map(|text| text.to_string()).collect(),
            rows: Vec::new(),
            words: Vec::new(),
        }
    }

    /// As aligned text.
    pub fn text(&self) -> String {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| lines().map(|line| line[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = format!("\n{}\n", self.title);
        for line in lines() {
            text.push_str(&format!("  {:<width$}", line[0], width = widths[0]));
            for (cell, width) in line.iter().zip(&widths).skip(1) {
                text.push_str(&format!("  {cell:>width$}"));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        let longest = self.words.iter().map(|(word, _)| word.chars().count()).max().unwrap_or(0);
        for (word, meaning) in &self.words {
            text.push_str(&format!("  {word:>longest$}: {meaning}\n"));
        }
        text
    }

    /// As Markdown, without its title.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: String = (1..self.head.len()).map(|_| "---:|").collect();
        let rows: String = self.rows.iter().map(|cells| line(cells)).collect();
        format!("{}|---|{rule}\n{rows}", line(&self.head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let mut table = Table::new("title", &["name", "figure"]);
        table.rows.push(vec!["a".into(), "12345678".into()]);
        assert_eq!(table.text(), "\ntitle\n  name    figure\n  a     12345678\n");
        table.words.push(("name".into(), "what it is called".into()));
        assert!(table.text().ends_with("12345678\n  name: what it is called\n"));
    }
}
