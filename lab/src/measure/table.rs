// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report as tables of text, laid out once for terminal and browser.

use super::software::{REPEATED_BELOW, REPEATS};
use super::{Measured, Report};
use crate::clock::Clock;

/// A table: the first column is left-aligned, the others hold figures.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows, with units.
    pub title: String,
    /// Head of each column.
    pub head: Vec<String>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Without rows.
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        Table {
            title: title.into(),
            head: head.iter().map(|text| text.to_string()).collect(),
            rows: Vec::new(),
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

/// The whole report as text.
pub fn text(report: &Report) -> String {
    let mut text = format!(
        "{}: the core against software on {} positions of {}\n",
        report.config, report.positions, report.positions_source
    );
    for table in tables(report) {
        text.push_str(&table.text());
    }
    text.push('\n');
    for note in notes(report) {
        text.push_str(&format!("{note}\n"));
    }
    text
}

/// All tables of a report.
pub fn tables(report: &Report) -> Vec<Table> {
    let mut tables = vec![cycles(report), clocks(report), nodes(report), software(report)];
    if !report.targets.is_empty() {
        tables.push(targets(report));
    }
    tables
}

/// How the figures came about.
pub fn notes(report: &Report) -> Vec<String> {
    let mut notes = vec![
        format!("Core: {}, untraced as it ships; cycles by its own counter.", report.machine.simulator),
        format!(
            "Software: {}, {} core{}{}; {}.",
            report.machine.processor,
            report.machine.cores,
            if report.machine.cores == 1 { "" } else { "s" },
            report.machine.load.map_or_else(String::new, |load| format!(", load {load:.1} before the run")),
            report.machine.compiler()
        ),
        format!(
            "Times: wall clock, best of {REPEATS} searches (one only where it takes over {} s, and of naive); building \
             tables is not counted. Every decision and score equals the core's and the model's.",
            REPEATED_BELOW.as_secs_f64()
        ),
        "Speed-up: time of the software over time of the core at the clock, all positions together; p10, median \
         and p90 position by position."
            .into(),
    ];
    if report.machine.compilation.debug_assertions {
        notes.push(
            "This build checks as it computes, which makes its software slower: figures to quote come from a release \
             build (`./tengen measure`)."
                .into(),
        );
    }
    for engine in report.engines() {
        let mut all = report.rows.iter().flat_map(|measured| &measured.software);
        if let Some(software) = all.find(|software| software.engine == engine) {
            notes.push(format!("{engine}: {}.", software.algorithm));
        }
    }
    notes
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// A count with its thousands apart.
pub fn count(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time with three digits and a unit.
pub fn time(seconds: f64) -> String {
    let (figure, unit) = match seconds {
        s if s < 1e-3 => (s * 1e6, "us"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(figure))
}

/// A figure with three digits or, from 1,000 on, all of them.
pub fn three_digits(figure: f64) -> String {
    match figure {
        f if f < 10.0 => format!("{f:.2}"),
        f if f < 100.0 => format!("{f:.1}"),
        f => count(f),
    }
}

fn cycles(report: &Report) -> Table {
    let mut table = Table::new("Clock cycles per move", &["search", "width", "mean", "median", "p95", "max"]);
    let clocks = report.clocks();
    table.head.extend(clocks.iter().map(|clock| format!("mean at {clock}")));
    for Measured { row, hardware, .. } in &report.rows {
        let cycles = hardware.cycles();
        let mut cells = vec![row.label(), row.width()];
        cells.extend([cycles.mean, cycles.median, cycles.p95, cycles.max].map(count));
        cells.extend(clocks.iter().map(|clock| time(clock.seconds(cycles.mean))));
        table.rows.push(cells);
    }
    table
}

fn clocks(report: &Report) -> Table {
    let mut table = Table::new(
        "Evaluator: passes per move, and where the clocks go, % (what is not busy is a bubble); cancelled and order, % of passes",
        &[
            "search",
            "passes",
            "busy",
            "order",
            "first child",
            "context",
            "miss",
            "starved",
            "cancelled",
            "for order",
        ],
    );
    for Measured { row, hardware, .. } in &report.rows {
        let mut cells = vec![row.label(), count(hardware.passes().mean)];
        cells.extend(hardware.clocks().map(|share| percent(share.share)));
        cells.extend([hardware.cancelled(), hardware.orders()].map(percent));
        table.rows.push(cells);
    }
    table
}

fn nodes(report: &Report) -> Table {
    let nodes: Vec<Vec<f64>> = report.rows.iter().map(|measured| measured.hardware.nodes_per_ply()).collect();
    let plies = nodes.iter().map(Vec::len).max().unwrap_or(0);
    let mut table = Table::new("Nodes evaluated at each ply, mean", &["search"]);
    table.head.extend((1..=plies).map(|ply| ply.to_string()));
    for (Measured { row, .. }, nodes) in report.rows.iter().zip(&nodes) {
        let mut cells = vec![row.label()];
        cells.extend((0..plies).map(|ply| nodes.get(ply).map_or_else(|| "-".into(), |&nodes| count(nodes))));
        table.rows.push(cells);
    }
    table
}

fn software(report: &Report) -> Table {
    let mut table = Table::new(
        format!(
            "Software on the same positions, and how many times as fast the core is (p10 to p90 at {})",
            report.clock
        ),
        &["search", "engine", "threads", "nodes", "mean", "median", "max"],
    );
    let clocks = report.clocks();
    table.head.extend(clocks.iter().map(|clock| format!("at {clock}")));
    table.head.extend(["p10", "median", "p90"].map(String::from));
    for measured in &report.rows {
        for software in &measured.software {
            let seconds = software.spread();
            let at = |clock: Clock| software.speedup(&measured.hardware, clock);
            let nodes = super::statistics::mean(software.nodes.iter().map(|&nodes| nodes as f64));
            let mut cells = vec![
                measured.row.label(),
                software.engine.into(),
                software.threads.to_string(),
                count(nodes),
            ];
            cells.extend([seconds.mean, seconds.median, seconds.max].map(time));
            cells.extend(clocks.iter().map(|&clock| times(at(clock).total)));
            let each = at(report.clock).each;
            cells.extend([each.p10, each.median, each.p90].map(times));
            table.rows.push(cells);
        }
    }
    table
}

fn times(ratio: f64) -> String {
    format!("{}x", three_digits(ratio))
}

fn targets(report: &Report) -> Table {
    let mut table = Table::new("Must and aim", &["what", "value", "must", "aim", "verdict"]);
    for judged in &report.targets {
        let mut cells = vec![judged.target.what.to_string()];
        cells.extend([judged.value, judged.target.must, judged.target.aim].map(three_digits));
        cells.push(judged.target.verdict(judged.value));
        table.rows.push(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_as_text() {
        assert_eq!([0.0, 999.0, 1234.4, 1234567.0].map(count), ["0", "999", "1,234", "1,234,567"]);
        assert_eq!([20e-6, 1.5e-3, 0.25, 12.0].map(time), ["20.0 us", "1.50 ms", "250 ms", "12.0 s"]);
        assert_eq!(percent(0.4567), "45.7");
    }

    #[test]
    fn tables_are_aligned() {
        let mut table = Table::new("title", &["name", "figure"]);
        table.rows.push(vec!["a".into(), "12345678".into()]);
        assert_eq!(table.text(), "\ntitle\n  name    figure\n  a     12345678\n");
    }
}
