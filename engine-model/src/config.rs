// SPDX-License-Identifier: MIT OR Apache-2.0
//! One engine configuration: the game, the search and the hardware parameters, checked as a whole.

use crate::geometry::Geometry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest number of columns or rows.
pub const MAX_SIDE: usize = 20;
/// Fewest stones in a row that win.
pub const MIN_IN_A_ROW: usize = 3;
/// Largest number of levels.
pub const MAX_LEVELS: usize = 10;
/// Largest extension budget of one root-to-node line, both sides together.
pub const MAX_EXTENSIONS: usize = 8;
/// Most nodes under search at one level.
pub const MAX_CONTEXTS: usize = 64;
/// Most moves searched beside the first: with it they are as many children as the core counts of a node in flight.
pub const MAX_AHEAD: usize = 30;
/// Fewest entries of a transposition table.
pub const MIN_TRANSPOSITIONS: usize = 16;
/// Most entries of a transposition table.
pub const MAX_TRANSPOSITIONS: usize = 1 << 16;
/// Largest gain up to which moves may be alike to the core, in points.
pub const MAX_LOW_GAIN: usize = MAX_LINE_GAIN as usize;
/// Largest gain of a cell along one line, in points: what a signed lane of 16 bits holds. A line has k windows through a cell, so
/// no window score exceeds a k-th of it.
pub const MAX_LINE_GAIN: u32 = i16::MAX as u32;
/// Largest value that an entry of a window score table can have at all.
pub const MAX_WINDOW_SCORE: u32 = MAX_LINE_GAIN / MIN_IN_A_ROW as u32;
/// Largest four-three bonus, in half-points.
pub const MAX_BONUS: u32 = 4095;

/// Highest clock that a core may be meant for, in MHz.
pub const MAX_CLOCK_MHZ: u32 = 1000;
/// Longest name.
pub const MAX_NAME: usize = 40;
/// What a name looks like.
const NAME_PATTERN: &str = "^[A-Za-z][A-Za-z0-9_-]*$";

/// Which of the static rules 2 to 6 of the search contract (docs/search-contract.md, section 5) are switched on; 0 and 1 always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleSet {
    /// The side that can complete a row wins; everything else is searched (rules 0 and 1).
    None,
    /// Also: a threat to complete a row must be answered, and two of them are a loss (rules 2 and 3).
    Forced,
    /// Also: a move that threatens to complete a row in two places at once wins (rule 4).
    Double,
    /// Also: if the opponent has a move of the kind of rule 4, only moves that may stop it or make a four are searched (restriction of rule 6).
    Restricted,
}

/// What a leaf is worth (docs/search-contract.md, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeafKind {
    /// 2 E: twice the window scores of the side to move minus the opponent's, in half-points, plus B.
    Potential,
    /// The same plus G, the largest gain of a candidate: in half-points that is half of what the next move would add, which evens out the advantage of being to move.
    HalfGain,
}

/// Which exact bounds prune moves just above the leaves. None of them changes a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoundKind {
    /// Nothing is pruned by a bound. With `rules` = none, no value of `bound` prunes anything.
    None,
    /// A move is pruned if even its whole gain cannot raise alpha.
    Gain,
    /// The same; and two levels above the leaves a move is pruned if the opponent's best reply refutes it. This takes effect only with 3 levels or
    /// more, without a beam at the last two levels, with the whole board evaluated in one cycle (rows_per_clock = rows), and with rule 4 or a
    /// four_three_bonus of 0.
    Answer,
    /// The same; and all moves of a node are pruned if its first move is certain to reach beta. The core then needs circuits for a second set of gains.
    Reply,
}

/// Every parameter of an engine; a configuration file gives each of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name, also the prefix of the emitted module: letters, digits, `-` and `_`, starting with a letter.
    #[schemars(regex(pattern = NAME_PATTERN), length(max = MAX_NAME))]
    pub name: String,
    /// Columns of the board.
    #[schemars(range(min = 1, max = MAX_SIDE))]
    pub columns: usize,
    /// Rows of the board.
    #[schemars(range(min = 1, max = MAX_SIDE))]
    pub rows: usize,
    /// Stones in a row that win; longer rows win as well.
    #[schemars(range(min = MIN_IN_A_ROW, max = MAX_SIDE))]
    pub in_a_row: usize,
    /// Depth of the search in moves of both sides together.
    #[schemars(range(min = 1, max = MAX_LEVELS))]
    pub levels: usize,
    /// Beam of each level, the root first: how many moves of a node are searched, in static order; 0 means all. The last number holds for
    /// all deeper levels.
    #[schemars(length(min = 1, max = MAX_LEVELS), inner(range(min = 0, max = MAX_SIDE * MAX_SIDE)))]
    pub beam: Vec<usize>,
    /// How many forced replies on a path cost no level (rule 3).
    #[schemars(range(min = 0, max = MAX_EXTENSIONS))]
    pub extensions: usize,
    /// A candidate is an empty square with a stone at most this many columns and at most this many rows away.
    #[schemars(range(min = 1, max = 2))]
    pub candidate_radius: usize,
    /// Which static rules decide a node without searching its children.
    pub rules: RuleSet,
    /// Value of a leaf.
    pub leaf: LeafKind,
    /// Scores of a window (in_a_row squares of a line) in which one side alone has 0, 1, 2, ... stones, in points. The first is 0, none is below
    /// the one before, and the last one multiplied by in_a_row is at most 32767.
    #[schemars(length(min = MIN_IN_A_ROW, max = MAX_SIDE), inner(range(min = 0, max = MAX_WINDOW_SCORE)))]
    pub window_scores: Vec<u32>,
    /// Bonus of a leaf whose side to move has a four-three square (B in section 3 of the contract), in half-points.
    #[schemars(range(min = 0, max = MAX_BONUS))]
    pub four_three_bonus: u32,
    /// Contexts of each level: the number of nodes that the core searches there at the same time (half as many again, rounded up, at the last level; one at
    /// the root). More contexts make the core faster and larger.
    #[schemars(range(min = 1, max = MAX_CONTEXTS))]
    pub contexts: usize,
    /// Speculation at the root: the number of further moves whose search begins before the value of the first move is known, in cycles in which the evaluator
    /// would idle. Unless it is 0, the first move, all replies to it, and the first move that survives a reply also begin at once, and beside children in
    /// flight others begin later. A larger number means fewer stalls and more nodes evaluated in vain.
    #[serde(default, skip_serializing_if = "is_none")]
    #[schemars(range(min = 0, max = MAX_AHEAD), extend("default" = 0))]
    pub ahead: usize,
    /// When the core chooses which context to visit next, moves that gain less than this number of points count as equal; others are compared by the upper
    /// bits of their gain, and low_gain itself is rounded down to these bits. A good value is the gain of a move that decides little.
    #[serde(default, skip_serializing_if = "is_none")]
    #[schemars(range(min = 0, max = MAX_LOW_GAIN), extend("default" = 0))]
    pub low_gain: usize,
    /// Entries of a transposition table in block RAM, a power of two, or none (0): what a node was worth ends others with the same stones. No decision
    /// changes. This takes effect only with 4 levels or more, no extensions, moves ahead, the whole board evaluated in one cycle (rows_per_clock =
    /// rows) and no floor (bound other than "reply").
    #[serde(default, skip_serializing_if = "is_none")]
    #[schemars(range(min = 0, max = MAX_TRANSPOSITIONS), extend("default" = 0))]
    pub transpositions: usize,
    /// Rows of the board that the evaluator looks at in a cycle: all, or fewer for a smaller and slower core.
    #[schemars(range(min = 1, max = MAX_SIDE))]
    pub rows_per_clock: usize,
    /// Which exact bounds prune moves just above the leaves.
    pub bound: BoundKind,
    /// Whether the core has outputs named trace_...; a core for hardware has none. Co-simulation, which compares them, adds them by itself.
    pub trace: bool,
    /// Clock frequency that the core is meant for, in MHz: for documentation and constraints, and what `tengen measure` assumes without --clock.
    #[schemars(range(min = 1, max = MAX_CLOCK_MHZ))]
    pub clock_mhz: u32,
}

/// Why a configuration cannot be built; the message names the value and the nearest possible one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The text is not a configuration.
    #[error("not a configuration: {0}")]
    Syntax(String),
    /// Parameters are missing, and no other configuration is named that has them.
    #[error("line {line}: it ends without {}: add them, or begin with base = \"gomoku15\" to take from there what is not named", .fields.join(", "))]
    Missing {
        /// The last line.
        line: usize,
        /// What is missing.
        fields: Vec<String>,
    },
    /// The configuration that this one begins from cannot be had.
    #[error("base = {0:?}: {1}")]
    Base(String, String),
    /// The name cannot be used in Verilog.
    #[error(
        "name {0:?}: must start with a letter and hold only letters, digits, '-' and '_' (at most {MAX_NAME})"
    )]
    Name(String),
    /// A number is out of its range.
    #[error("{field} = {value}: must be {low} to {high}; the nearest is {}", (*.value).clamp(*.low, *.high))]
    Range {
        /// Field of the configuration.
        field: &'static str,
        /// Value found.
        value: usize,
        /// Smallest legal value.
        low: usize,
        /// Largest legal value.
        high: usize,
    },
    /// The score table has the wrong length.
    #[error(
        "window_scores has {found} entries: {expected} are needed, one for each of 0 to in_a_row - 1 stones"
    )]
    ScoreCount {
        /// Entries found.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
    /// The score table starts above 0 or falls.
    #[error("window_scores {0:?}: the first must be 0 and none may be smaller than the one before")]
    ScoreOrder(Vec<u32>),
    /// The beam list is empty or too long.
    #[error("beam has {0} entries: 1 to {1} are possible (the last one repeats)")]
    Beam(usize, usize),
    /// The entries of the transposition table cannot be numbered.
    #[error(
        "transpositions = {entries}: must be 0 (none) or a power of two from {MIN_TRANSPOSITIONS} to {MAX_TRANSPOSITIONS}; \
         the nearest is {nearest}"
    )]
    Transpositions {
        /// Entries asked for.
        entries: usize,
        /// The nearest number of entries that is possible.
        nearest: usize,
    },
    /// The four-three pattern does not exist for this k.
    #[error("four_three_bonus = {0} needs in_a_row >= 4: set it to 0")]
    Bonus(u32),
}

/// A TOML text without one of its keys, lines as they were: blanks take the place of key and value.
fn without(text: &str, key: &str) -> Result<String, toml::de::Error> {
    let table = toml::de::DeTable::parse(text)?;
    let found = table.get_ref().iter().find(|(name, _)| name.get_ref() == key);
    let Some((name, value)) = found else { return Ok(text.into()) };
    // The key is the first of its line; what its span leaves out of it is a quote.
    let start = text[..name.span().start].rfind('\n').map_or(0, |end| end + 1);
    let blank: String = text[start..value.span().end].chars().filter(|c| *c == '\n').collect();
    Ok(format!("{}{blank}{}", &text[..start], &text[value.span().end..]))
}

/// Whether a number is 0: said of a parameter that may be left out.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde's form.
fn is_none(number: &usize) -> bool {
    *number == 0
}

fn in_range(field: &'static str, value: usize, low: usize, high: usize) -> Result<(), ConfigError> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(ConfigError::Range { field, value, low, high }) }
}

impl Config {
    /// Reads and checks a configuration file's text, which names every parameter.
    pub fn from_toml(text: &str) -> Result<Config, ConfigError> {
        Config::from_toml_with(text, &mut |_| Err("a file of its own names every parameter".into()))
    }

    /// The same for a text that may say `base = "..."`: what it does not name is as in that configuration, which `find` knows.
    pub fn from_toml_with(
        text: &str,
        find: &mut dyn FnMut(&str) -> Result<Config, String>,
    ) -> Result<Config, ConfigError> {
        let syntax = |error: toml::de::Error| ConfigError::Syntax(error.to_string());
        let mut named: toml::Table = toml::from_str(text).map_err(syntax)?;
        let config: Config = match named.remove("base") {
            None => {
                let schema = Config::schema();
                let fields = schema["required"].as_array().into_iter().flatten().filter_map(|f| f.as_str());
                let missing: Vec<String> =
                    fields.filter(|field| !named.contains_key(*field)).map(String::from).collect();
                if !missing.is_empty() {
                    let line = text.lines().count().max(1);
                    return Err(ConfigError::Missing { line, fields: missing });
                }
                toml::from_str(text).map_err(syntax)?
            }
            Some(base) => {
                let base = base.as_str().ok_or_else(|| ConfigError::Syntax("base is no text".into()))?;
                let found = find(base).map_err(|reason| ConfigError::Base(base.into(), reason))?;
                // What is wrong with a line is told with it: the file's lines are read before those of the base.
                let rest: String = toml::Table::try_from(&found)
                    .expect("a configuration holds only plain values")
                    .into_iter()
                    .filter(|(name, _)| !named.contains_key(name))
                    .map(|(name, value)| format!("{name} = {value}\n"))
                    .collect();
                toml::from_str(&format!("{}\n{rest}", without(text, "base").map_err(syntax)?))
                    .map_err(syntax)?
            }
        };
        config.check()?;
        Ok(config)
    }

    /// The configuration as TOML text; a parameter that may be left out is, if it has its default.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration holds only plain values")
    }

    /// The JSON schema of a configuration: names, kinds and ranges. What parameters demand of each other only
    /// [`Config::check`] knows.
    pub fn schema() -> serde_json::Value {
        schemars::schema_for!(Config).to_value()
    }

    /// Every parameter by its name, also those that [`Config::to_toml`] leaves out because they have their default.
    pub fn parameters(&self) -> serde_json::Map<String, serde_json::Value> {
        let plain = serde_json::to_value(self).expect("a configuration holds only plain values");
        let mut parameters = plain.as_object().cloned().unwrap_or_default();
        for (name, property) in Config::schema()["properties"].as_object().into_iter().flatten() {
            parameters.entry(name.as_str()).or_insert_with(|| property["default"].clone());
        }
        parameters
    }

    /// Checks every parameter and their combinations.
    pub fn check(&self) -> Result<(), ConfigError> {
        let name_ok = self.name.len() <= MAX_NAME
            && self.name.starts_with(|c: char| c.is_ascii_alphabetic())
            && self.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if !name_ok {
            return Err(ConfigError::Name(self.name.clone()));
        }
        // Three in a row need a side of three.
        in_range("columns", self.columns, if self.rows < MIN_IN_A_ROW { MIN_IN_A_ROW } else { 1 }, MAX_SIDE)?;
        in_range("rows", self.rows, 1, MAX_SIDE)?;
        in_range("in_a_row", self.in_a_row, MIN_IN_A_ROW, self.columns.max(self.rows))?;
        in_range("levels", self.levels, 1, MAX_LEVELS)?;
        in_range("extensions", self.extensions, 0, MAX_EXTENSIONS)?;
        in_range("candidate_radius", self.candidate_radius, 1, 2)?;
        in_range("contexts", self.contexts, 1, MAX_CONTEXTS)?;
        in_range("ahead", self.ahead, 0, MAX_AHEAD)?;
        in_range("low_gain", self.low_gain, 0, MAX_LOW_GAIN)?;
        let entries = self.transpositions.clamp(MIN_TRANSPOSITIONS, MAX_TRANSPOSITIONS);
        let above = entries.next_power_of_two();
        let nearest = if above - entries <= entries - above / 2 { above } else { above / 2 };
        if self.transpositions > 0 && self.transpositions != nearest {
            return Err(ConfigError::Transpositions { entries: self.transpositions, nearest });
        }
        // The groups of cells that are compared need two cells a clock.
        in_range("rows_per_clock", self.rows_per_clock, if self.columns == 1 { 2 } else { 1 }, self.rows)?;
        in_range("clock_mhz", self.clock_mhz as usize, 1, MAX_CLOCK_MHZ as usize)?;
        in_range("four_three_bonus", self.four_three_bonus as usize, 0, MAX_BONUS as usize)?;
        if self.four_three_bonus > 0 && self.in_a_row < 4 {
            return Err(ConfigError::Bonus(self.four_three_bonus));
        }
        if self.beam.is_empty() || self.beam.len() > self.levels {
            return Err(ConfigError::Beam(self.beam.len(), self.levels));
        }
        let cells = self.columns * self.rows;
        for &beam in &self.beam {
            in_range("beam", beam, 0, cells)?;
        }
        if self.window_scores.len() != self.in_a_row {
            return Err(ConfigError::ScoreCount { found: self.window_scores.len(), expected: self.in_a_row });
        }
        if self.window_scores[0] != 0 || self.window_scores.windows(2).any(|w| w[1] < w[0]) {
            return Err(ConfigError::ScoreOrder(self.window_scores.clone()));
        }
        for &score in &self.window_scores {
            in_range("window_scores", score as usize, 0, MAX_LINE_GAIN as usize / self.in_a_row)?;
        }
        Ok(())
    }

    /// Moves searched at ply `ply` below the root when `levels` are used: 0 = all.
    pub fn beam_at(&self, ply: usize) -> usize {
        self.beam[ply.min(self.beam.len() - 1)]
    }

    /// Whether any level cuts its moves to a beam.
    pub fn has_beam(&self) -> bool {
        (0..self.levels).any(|ply| self.beam_at(ply) > 0)
    }

    /// Whether any level goes through all its moves.
    pub fn has_full_width(&self) -> bool {
        (0..self.levels).any(|ply| self.beam_at(ply) == 0)
    }

    /// Whether moves are dropped by the exact upper bound: asked for, and the rules make it exact.
    pub fn has_bound(&self) -> bool {
        self.bound != BoundKind::None && self.rules >= RuleSet::Forced
    }

    /// Whether the core refutes moves two levels above leaves by the opponent's best reply: asked for, exact, neither there nor a level
    /// below a beam, the board evaluated in one clock, and these nodes no children of the game itself, where ties count. A bonus without
    /// rule 4 would ask for more than the circuits look for.
    pub fn has_ceilings(&self) -> bool {
        let looked_for = self.rules >= RuleSet::Double || self.four_three_bonus == 0;
        let full_width =
            self.levels > 2 && self.beam_at(self.levels - 1) == 0 && self.beam_at(self.levels - 2) == 0;
        self.bound >= BoundKind::Answer
            && self.has_bound()
            && looked_for
            && full_width
            && self.rows_per_clock == self.rows
    }

    /// Whether nodes above leaves are also left by what their first move is worth at least: asked for, exact, and not all of them
    /// children of the root, where ties count.
    pub fn has_floor(&self) -> bool {
        self.bound == BoundKind::Reply && self.has_bound() && self.levels > 2
    }

    /// Whether values of nodes are kept for others with the same stones: asked for, some node above the leaves has such others, a path's
    /// length tells its level, and what a result means is known in time.
    pub fn has_transpositions(&self) -> bool {
        self.transpositions > 0
            && self.levels > 3
            && self.extensions == 0
            && self.ahead > 0
            && self.rows_per_clock == self.rows
            && !self.has_floor()
    }

    /// Most moves on a path: every level and every extension.
    pub fn max_path(&self) -> usize {
        self.levels + self.extensions
    }

    /// The board's cells, windows and ranks.
    pub fn geometry(&self) -> Geometry {
        Geometry::new(self.columns, self.rows, self.in_a_row, self.candidate_radius)
    }
}
