// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vivado's utilisation and timing reports as figures. Text in; the formats are those of UG949 and of reports in public
//! repositories, from 2018.3 on.

/// Why a report cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportError {
    /// Line, from 1; one behind the last where something is missing.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
}

impl std::fmt::Display for ReportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for ReportError {}

/// How far a design had come when the report was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// After synthesis: nets have no lengths yet.
    Synthesis,
    /// After placement.
    Placement,
    /// After routing.
    Route,
}

impl Stage {
    /// As reports of ours name it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Synthesis => "post-synthesis",
            Stage::Placement => "post-placement",
            Stage::Route => "post-route",
        }
    }
}

/// Head of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Version of Vivado, as `2020.2`.
    pub version: String,
    /// Name of the design.
    pub design: String,
    /// Device, as `7a200tfbg484-2`.
    pub device: String,
    /// State of the design, if the report says it.
    pub stage: Option<Stage>,
}

/// What a design takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Utilisation {
    /// Head of the report.
    pub head: Head,
    /// LUTs, those used as memory too.
    pub lut: u64,
    /// Of these as memory.
    pub lutram: u64,
    /// Registers.
    pub ff: u64,
    /// Carry chains of four bits.
    pub carry4: u64,
    /// Carry chains of eight bits, which later families have instead.
    pub carry8: u64,
    /// Block RAM tiles.
    pub bram: f64,
    /// DSP slices.
    pub dsp: u64,
    /// LUTs of the device.
    pub available_lut: u64,
}

/// What a design reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Head of the report.
    pub head: Head,
    /// Worst slack of setup in ns; negative: the clock is missed.
    pub slack_ns: f64,
    /// Endpoints whose setup fails.
    pub failing: u64,
    /// Worst slack of hold in ns, if the report tells it.
    pub hold_ns: Option<f64>,
    /// Period of the clock with the least slack, or of the only one, in ns.
    pub period_ns: f64,
}

impl Timing {
    /// Whether setup and hold are met.
    pub fn met(&self) -> bool {
        self.slack_ns >= 0.0 && self.hold_ns.is_none_or(|slack| slack >= 0.0)
    }

    /// Longest path in ns: period - slack.
    pub fn path_ns(&self) -> f64 {
        self.period_ns - self.slack_ns
    }

    /// Highest clock in Hz.
    pub fn fmax_hz(&self) -> f64 {
        1e9 / self.path_ns()
    }
}

/// A report by lines, with errors that name the place.
struct Lines<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().collect() }
    }

    fn error(&self, line: usize, column: usize, what: impl Into<String>) -> ReportError {
        ReportError { line: line + 1, column: column + 1, what: what.into() }
    }

    fn missing(&self, what: &str) -> ReportError {
        self.error(
            self.lines.len(),
            0,
            format!("the report ends without {what}: is it whole, and the right one?"),
        )
    }

    /// Value behind `| key :` in the head.
    fn head_value(&self, key: &str) -> Option<&'a str> {
        self.lines.iter().find_map(|line| {
            let (name, value) = line.strip_prefix('|')?.split_once(':')?;
            (name.trim() == key).then(|| value.trim())
        })
    }

    fn head(&self) -> Result<Head, ReportError> {
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
        let stage = match self.head_value("Design State") {
            Some(state) if state.contains("Routed") => Some(Stage::Route),
            Some(state) if state.contains("Placed") => Some(Stage::Placement),
            Some(state) if state.contains("Synthesized") => Some(Stage::Synthesis),
            _ => None,
        };
        let device = self.head_value("Device").unwrap_or_default().to_string();
        let design = self.head_value("Design").unwrap_or_default().to_string();
        Ok(Head { version: version.to_string(), design, device, stage })
    }

    /// A row of a table by its first cell: its line, and the cells behind with their columns.
    fn row(&self, names: &[&str]) -> Option<(usize, Vec<(usize, &'a str)>)> {
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

    fn number(&self, line: usize, cell: (usize, &str)) -> Result<f64, ReportError> {
        let text = cell.1.trim();
        let indent = cell.1.len() - cell.1.trim_start().len();
        text.trim_start_matches('<')
            .parse()
            .map_err(|_| self.error(line, cell.0 + indent, format!("{text:?} is not a number")))
    }

    /// Used and available of a row; the last two numbers but the percentage.
    fn used(&self, names: &[&str]) -> Result<Option<(f64, f64)>, ReportError> {
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
    fn primitive(&self, name: &str) -> Result<u64, ReportError> {
        match self.row(&[name]) {
            Some((line, cells)) if !cells.is_empty() => Ok(self.number(line, cells[0])? as u64),
            _ => Ok(0),
        }
    }
}

/// Reads `report_utilization`.
pub fn utilisation(text: &str) -> Result<Utilisation, ReportError> {
    let lines = Lines::new(text);
    let head = lines.head()?;
    let need = |names: &[&str]| {
        lines.used(names)?.ok_or_else(|| lines.missing(&format!("a row {}", names.join(" or "))))
    };
    let (lut, available_lut) = need(&["Slice LUTs", "CLB LUTs"])?;
    let (ff, _) = need(&["Slice Registers", "CLB Registers"])?;
    let lutram = lines.used(&["LUT as Memory"])?.map_or(0.0, |(used, _)| used);
    let (bram, _) = need(&["Block RAM Tile"])?;
    let (dsp, _) = need(&["DSPs"])?;
    // The last table ends as it begins, with a rule.
    let (primitives, _) = lines.row(&["Ref Name"]).ok_or_else(|| lines.missing("its table of primitives"))?;
    let mut below = lines.lines[primitives + 1..].iter();
    if below.next().is_none_or(|rule| !below.any(|line| line == rule)) {
        return Err(lines.missing("the end of its table of primitives"));
    }
    Ok(Utilisation {
        head,
        lut: lut as u64,
        lutram: lutram as u64,
        ff: ff as u64,
        carry4: lines.primitive("CARRY4")?,
        carry8: lines.primitive("CARRY8")?,
        bram,
        dsp: dsp as u64,
        available_lut: available_lut as u64,
    })
}

/// Reads `report_timing_summary`.
pub fn timing(text: &str) -> Result<Timing, ReportError> {
    let lines = Lines::new(text);
    let head = lines.head()?;
    let summary = lines
        .lines
        .iter()
        .position(|line| line.trim_start().starts_with("WNS(ns)"))
        .ok_or_else(|| lines.missing("the design timing summary (WNS(ns) ...)"))?;
    let figures = lines.lines.get(summary + 2).ok_or_else(|| lines.missing("the figures below WNS(ns)"))?;
    let slack = figures.split_whitespace().next().unwrap_or_default();
    let column = figures.len() - figures.trim_start().len();
    if slack == "NA" {
        return Err(lines.error(
            summary + 2,
            column,
            "no path has a constraint: give the clock a create_clock",
        ));
    }
    let slack_ns: f64 = slack
        .parse()
        .map_err(|_| lines.error(summary + 2, column, format!("{slack:?} is not a slack in ns")))?;
    // WNS TNS failing total WHS ...
    let words: Vec<&str> = figures.split_whitespace().collect();
    let failing = match words.get(2).map(|word| word.parse()) {
        Some(Ok(failing)) => failing,
        _ => {
            return Err(lines.error(summary + 2, column, "no number of failing endpoints behind the slacks"));
        }
    };
    let hold_ns = words.get(4).and_then(|word| word.parse().ok());
    let period_ns = period(&lines, slack_ns)?;
    Ok(Timing { head, slack_ns, failing, hold_ns, period_ns })
}

/// The period of the clock whose own slack is the worst: from the clock summary and the intra-clock table.
fn period(lines: &Lines, slack_ns: f64) -> Result<f64, ReportError> {
    let title = |name: &str| lines.lines.iter().position(|line| line.trim_matches(['|', ' ']) == name);
    let rows = |from: usize| {
        // Below the rule of dashes, down to an empty line.
        let begin =
            lines.lines[from..].iter().position(|line| line.starts_with("-----")).map(|at| from + at + 1);
        begin.into_iter().flat_map(move |begin| {
            (begin..lines.lines.len()).take_while(|line| !lines.lines[*line].trim().is_empty())
        })
    };
    let clocks = title("Clock Summary").ok_or_else(|| lines.missing("the clock summary"))?;
    let after = lines.lines[clocks..]
        .iter()
        .position(|line| line.starts_with("Clock"))
        .map_or(clocks, |at| clocks + at);
    let mut periods = Vec::new();
    for line in rows(after) {
        let words: Vec<&str> = lines.lines[line].split_whitespace().collect();
        // Name, waveform in braces, period, frequency.
        let [name, .., period, _] = words[..] else {
            return Err(lines.error(line, 0, "a clock without period and frequency"));
        };
        let period: f64 = period.parse().map_err(|_| {
            let column = lines.lines[line].find(period).unwrap_or(0);
            lines.error(line, column, format!("{period:?} is not a period in ns"))
        })?;
        periods.push((name, period));
    }
    let intra = title("Intra Clock Table");
    let worst = intra.and_then(|from| {
        let after = lines.lines[from..].iter().position(|line| line.starts_with("Clock"))? + from;
        rows(after).find_map(|line| {
            let mut words = lines.lines[line].split_whitespace();
            let (name, slack) = (words.next()?, words.next()?);
            (slack.parse::<f64>().ok()? == slack_ns).then_some(name)
        })
    });
    let found = match (worst, periods.as_slice()) {
        (Some(name), _) => periods.iter().find(|(known, _)| *known == name),
        (None, [only]) => Some(only),
        _ => None,
    };
    found.map(|(_, period)| *period).ok_or_else(|| lines.missing("the clock of the worst slack"))
}
