// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was measured of a core, for its data sheet. Measuring is not this crate's business.

/// The figures of one core; empty if nobody has measured it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// Searches, by levels.
    pub searches: Vec<Searches>,
    /// Area and longest path, by each synthesis program that has mapped it.
    pub areas: Vec<Area>,
}

/// Clock cycles of searches of a set of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Searches {
    /// Levels searched.
    pub levels: u64,
    /// Positions searched.
    pub positions: u64,
    /// Their kind.
    pub set: String,
    /// Mean.
    pub mean: f64,
    /// Median.
    pub median: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Longest.
    pub max: f64,
    /// Share of the clocks in which the evaluator works.
    pub busy: f64,
    /// The simulator.
    pub simulator: String,
}

/// An estimate of what the core takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// LUTs.
    pub lut: u64,
    /// Registers.
    pub ff: u64,
    /// Carry chains.
    pub carry4: u64,
    /// LUTs used as memory.
    pub lutram: u64,
    /// Block RAMs of 36 kbit.
    pub bram: f64,
    /// Multipliers.
    pub dsp: u64,
    /// Longest path from register to register.
    pub path_ns: Option<f64>,
    /// The synthesis program and its version.
    pub synthesis: String,
    /// A device to compare with: name, LUTs, registers.
    pub device: (String, u64, u64),
}

/// A program's name and version without what stands behind them in brackets.
pub fn short(synthesis: &str) -> &str {
    synthesis.split(" (").next().unwrap_or(synthesis)
}
