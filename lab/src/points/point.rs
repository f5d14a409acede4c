// SPDX-License-Identifier: MIT OR Apache-2.0
//! A measured point: one line of the results file.

use engine_model::Config;
use figures::statistics::Distribution;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was measured, of what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Configuration.
    pub config: Config,
    /// Version of this program.
    pub tengen: String,
    /// Hash of the core's Verilog.
    pub core_sha256: String,
    /// The figures.
    #[serde(flatten)]
    pub figures: Figures,
}

impl Point {
    /// Whether both are figures of one kind, of configurations of one name, for the same levels and kind of positions.
    pub fn same_subject(&self, other: &Point) -> bool {
        let same = match (&self.figures, &other.figures) {
            (Figures::Search(a), Figures::Search(b)) => {
                (a.levels, a.positions.set) == (b.levels, b.positions.set)
            }
            (Figures::Area(_), Figures::Area(_)) => true,
            _ => false,
        };
        same && self.config.name == other.config.name
    }
}

/// Figures by kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Figures {
    /// Of searches.
    Search(Box<Search>),
    /// Of synthesis.
    Area(Area),
}

/// Searches of a set of positions. Keys as in the report of `measure`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Search {
    /// Levels searched.
    pub levels: usize,
    /// Width in words.
    pub width: String,
    /// The positions.
    pub positions: Positions,
    /// The simulator.
    pub simulator: String,
    /// Clock cycles of a search.
    pub cycles: Distribution,
    /// Passes of a search through the evaluator.
    pub passes: Distribution,
    /// Clocks the evaluator needs for a pass.
    pub clocks_per_pass: u64,
    /// Share of the clocks in which it works.
    pub busy: f64,
    /// The other clocks by cause.
    pub bubbles: BTreeMap<String, f64>,
    /// Share of the passes whose result was dropped.
    pub cancelled_of_passes: f64,
    /// Share of the passes that asked for further moves in order.
    pub orders_of_passes: f64,
    /// Position by position.
    pub each: Each,
}

/// Figures of each position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Each {
    /// Stones on the board.
    pub stones: Vec<usize>,
    /// Moves at the root, before any beam.
    pub candidates: Vec<usize>,
    /// Clock cycles.
    pub cycles: Vec<u64>,
}

/// Which positions a figure is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Positions {
    /// Their kind.
    pub set: Set,
    /// How many.
    pub count: usize,
    /// Hash of their moves.
    pub sha256: String,
}

/// Kinds of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// The frozen set of real games.
    Frozen,
    /// Made by the model, by seed.
    SelfPlay,
}

impl Set {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Set::Frozen => "frozen",
            Set::SelfPlay => "self-play",
        }
    }
}

/// What the core takes of a device, and its longest path: estimates, keys as in the report of `area`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Area {
    /// The synthesis program.
    pub synthesis: String,
    /// LUTs.
    pub lut: u64,
    /// Registers.
    pub ff: u64,
    /// Carry chains.
    pub carry4: u64,
    /// LUTs used as memory.
    pub lutram: u64,
    /// Block RAMs.
    pub bram: f64,
    /// Multipliers.
    pub dsp: u64,
    /// Longest path from register to register.
    pub path_ns: Option<f64>,
}
