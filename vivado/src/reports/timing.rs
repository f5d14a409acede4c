// SPDX-License-Identifier: MIT OR Apache-2.0
//! `report_timing_summary`: three checks, what the report says of them in words, and the clock of the worst path.

use super::head::{Head, ReportError};
use super::lines::Lines;

/// One of the three checks of a timing summary. `None`: the report does not tell it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Check {
    /// Worst slack in ns; negative: it fails.
    pub slack_ns: Option<f64>,
    /// Endpoints that fail.
    pub failing: Option<u64>,
}

impl Check {
    /// Whether it is met; `None`: not told, or slack and endpoints contradict each other.
    pub fn met(&self) -> Option<bool> {
        match (self.slack_ns?, self.failing) {
            (slack, _) if slack < 0.0 => Some(false),
            (_, Some(0)) => Some(true),
            _ => None,
        }
    }
}

/// The sentence below the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// All constraints are met.
    Met,
    /// The design has none: slacks are of nothing that was asked.
    NoConstraints,
    /// Some are not met.
    NotMet,
}

impl Sentence {
    /// Vivado's words.
    const WORDS: [(&str, Sentence); 3] = [
        ("All user specified timing constraints are met.", Sentence::Met),
        ("Timing constraints are not met.", Sentence::NotMet),
        ("There are no user specified timing constraints.", Sentence::NoConstraints),
    ];
}

/// What a design reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Head of the report.
    pub head: Head,
    /// Setup: data arrives in time (WNS).
    pub setup: Check,
    /// Hold: data stays long enough (WHS).
    pub hold: Check,
    /// Pulse width: clocks are high and low long enough, and not too fast for the cells they drive (WPWS).
    pub pulse_width: Check,
    /// The sentence below the summary. `None`: there is none that is known.
    pub sentence: Option<Sentence>,
    /// Clocks or path groups with the worst setup slack, in the report's order, as `aclk` or `aclk to EHS`.
    pub worst: Vec<String>,
    /// Period in ns of the clock with the worst setup slack; of several, the shortest. `None`: the path runs between two clocks.
    pub period_ns: Option<f64>,
}

impl Timing {
    /// The checks by name.
    pub fn checks(&self) -> [(&'static str, Check); 3] {
        [("setup", self.setup), ("hold", self.hold), ("pulse width", self.pulse_width)]
    }

    /// Whether every check is met; `None`: that is unknown ([`Timing::unknown`] says why).
    pub fn met(&self) -> Option<bool> {
        let checks = self.checks().map(|(_, check)| check.met());
        if checks.contains(&Some(false)) {
            return Some(false);
        }
        let met = !checks.contains(&None) && self.sentence == Some(Sentence::Met);
        (met && self.head.unknown().is_none()).then_some(true)
    }

    /// Why nothing can be said of the timing, if so.
    pub fn unknown(&self) -> Option<String> {
        if self.met().is_some() {
            return None;
        }
        let untold = self.checks().into_iter().find(|(_, check)| check.met().is_none());
        Some(match untold {
            Some((name, Check { slack_ns: None, .. })) => format!("the report tells no {name} slack"),
            Some((name, Check { failing: Some(failing), .. })) => {
                format!("no {name} slack is negative, yet {failing} endpoints fail")
            }
            Some((name, _)) => format!("the report does not tell at how many endpoints {name} fails"),
            None => match (self.sentence, self.head.unknown()) {
                (Some(Sentence::NotMet), _) => {
                    "its sentence says that constraints are not met, its slacks that they are".into()
                }
                (Some(Sentence::NoConstraints), _) => {
                    "the design has no timing constraints: give its clock a create_clock".into()
                }
                (None, _) => {
                    "no sentence of the report says that the constraints are met: is it whole?".into()
                }
                (Some(Sentence::Met), state) => state?,
            },
        })
    }

    /// Longest path in ns: period - slack; `None` for a path between two clocks.
    pub fn path_ns(&self) -> Option<f64> {
        Some(self.period_ns? - self.setup.slack_ns?)
    }

    /// Highest clock in Hz.
    pub fn fmax_hz(&self) -> Option<f64> {
        self.path_ns().map(|path| 1e9 / path)
    }
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
    let at = summary + 2;
    let figures = lines.lines.get(at).ok_or_else(|| lines.missing("the figures below WNS(ns)"))?;
    let column = figures.len() - figures.trim_start().len();
    let words: Vec<&str> = figures.split_whitespace().collect();
    // Without a constraint a slack is not available, or endless.
    let is_untold = |text: &str| text == "NA" || text.parse::<f64>().is_ok_and(|slack| !slack.is_finite());
    if words.first().is_some_and(|first| is_untold(first)) {
        return Err(lines.error(at, column, "no path has a constraint: give the clock a create_clock"));
    }
    // Of each check that the header names: slack, total, failing endpoints, all endpoints.
    let header = lines.lines[summary];
    let mut groups = words.chunks(4);
    let mut check = |name: &str| -> Result<Check, ReportError> {
        let group = if header.contains(name) { groups.next().unwrap_or_default() } else { &[] };
        let (slack, failing) = (group.first().copied(), group.get(2).copied());
        let number = |text: &str, what: &str| {
            text.parse::<f64>().map_err(|_| lines.error(at, column, format!("{text:?} is not {what}")))
        };
        let told = |text: Option<&'_ str>| text.filter(|text| !is_untold(text)).map(String::from);
        Ok(Check {
            slack_ns: told(slack).map(|text| number(&text, "a slack in ns")).transpose()?,
            failing: told(failing)
                .map(|text| number(&text, "a number of endpoints"))
                .transpose()?
                .map(|n| n as u64),
        })
    };
    let (setup, hold, pulse_width) = (check("WNS(ns)")?, check("WHS(ns)")?, check("WPWS(ns)")?);
    let Check { slack_ns: Some(slack_ns), failing: Some(_) } = setup else {
        return Err(lines.error(at, column, "no number of failing endpoints behind the slacks"));
    };
    // The worst of them: whoever puts reports together has several.
    let says = |words: &str| lines.lines.iter().any(|line| line.trim() == words);
    let said = Sentence::WORDS.into_iter().filter(|(words, _)| says(words)).map(|(_, sentence)| sentence);
    let sentence = said.max_by_key(|sentence| *sentence as u8);
    let periods = periods(&lines)?;
    let mut worst = Vec::new();
    let mut shortest: Option<f64> = None;
    for (clocks, _) in slacks(&lines).into_iter().filter(|(_, slack)| *slack == slack_ns) {
        let period =
            |clock: &String| periods.iter().find(|(name, _)| name == clock).map(|(_, period)| *period);
        let one = clocks.iter().all(|clock| *clock == clocks[0]);
        if let Some(period) = period(&clocks[0]).filter(|_| one) {
            shortest = Some(shortest.map_or(period, |known| known.min(period)));
        }
        worst.push(if one { clocks[0].clone() } else { clocks.join(" to ") });
    }
    if let ([], [(name, period)]) = (&worst[..], &periods[..]) {
        (worst, shortest) = (vec![name.clone()], Some(*period));
    }
    if worst.is_empty() {
        return Err(lines.missing("the clock of the worst slack"));
    }
    Ok(Timing { head, setup, hold, pulse_width, sentence, worst, period_ns: shortest })
}

/// Lines of the table with this title: from the one below its rule of dashes to an empty one; first the rule itself.
fn table(lines: &Lines, title: &str) -> Option<(usize, std::ops::Range<usize>)> {
    let from = lines.lines.iter().position(|line| line.trim_matches(['|', ' ']) == title)?;
    // The title has a rule of its own, as wide as the page, and a box.
    let rule = (from + 1..lines.lines.len())
        .find(|line| lines.lines[*line].starts_with("----") && lines.lines[*line].contains(' '))?;
    let end = (rule + 1..lines.lines.len()).find(|line| lines.lines[*line].trim().is_empty());
    Some((rule, rule + 1..end.unwrap_or(lines.lines.len())))
}

/// The clocks and their periods in ns.
fn periods(lines: &Lines) -> Result<Vec<(String, f64)>, ReportError> {
    let (_, rows) = table(lines, "Clock Summary").ok_or_else(|| lines.missing("the clock summary"))?;
    rows.map(|line| {
        let words: Vec<&str> = lines.lines[line].split_whitespace().collect();
        // Name, waveform in braces, period, frequency.
        let [name, .., period, _] = words[..] else {
            return Err(lines.error(line, 0, "a clock without period and frequency"));
        };
        let number = period.parse().map_err(|_| {
            let column = lines.lines[line].find(period).unwrap_or(0);
            lines.error(line, column, format!("{period:?} is not a period in ns"))
        })?;
        Ok((name.to_string(), number))
    })
    .collect()
}

/// Worst setup slack of every clock, pair of clocks and path group, with its clocks.
fn slacks(lines: &Lines) -> Vec<(Vec<String>, f64)> {
    let mut found = Vec::new();
    // Title, and the columns before the slack; the last of them are the clocks.
    for (title, names, clocks) in
        [("Intra Clock Table", 1, 1), ("Inter Clock Table", 2, 2), ("Other Path Groups Table", 3, 2)]
    {
        let Some((rule, rows)) = table(lines, title) else { continue };
        let columns = spans(lines.lines[rule]);
        for row in rows {
            let line = lines.lines[row];
            let words = spans(line);
            // A row without paths of a kind leaves these columns blank: then the place of a word tells its column.
            let slack = if words.len() == columns.len() {
                words.get(names)
            } else {
                let Some(column) = columns.get(names) else { continue };
                words.iter().find(|word| word.start < column.end && word.end > column.start)
            };
            let Some(Ok(slack)) = slack.map(|word| line[word.clone()].parse::<f64>()) else { continue };
            let clocks = words.get(names - clocks..names).unwrap_or_default();
            found.push((clocks.iter().map(|word| line[word.clone()].to_string()).collect(), slack));
        }
    }
    found
}

/// Where the words of a line stand.
fn spans(line: &str) -> Vec<std::ops::Range<usize>> {
    let start = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    line.split_whitespace().map(|word| start(word)..start(word) + word.len()).collect()
}
