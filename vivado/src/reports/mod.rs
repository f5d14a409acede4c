// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vivado's utilisation and timing reports as figures. Text in; the formats are those of UG949 and of reports in public
//! repositories, from 2018.3 on.
//!
//! A verdict has three values: met, not met, and unknown. What a report does not say is never taken for success.

mod lines;
mod pairs;
mod timing;

pub use pairs::{Kind, Name, Paired, kind, paired};
pub use timing::{Check, Timing, timing};

use lines::Lines;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// After synthesis: nets have no lengths yet.
    Synthesis,
    /// After logic optimisation, before placement.
    Optimisation,
    /// After placement, with or without physical optimisation.
    Placement,
    /// After routing, with or without physical optimisation.
    Route,
}

impl Stage {
    /// As reports of ours name it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Synthesis => "post-synthesis",
            Stage::Optimisation => "post-opt",
            Stage::Placement => "post-placement",
            Stage::Route => "post-route",
        }
    }

    /// The stage that a `Design State` tells; `None` for one that is not known here, a partly placed or routed design among them.
    fn of_state(state: &str) -> Option<Stage> {
        match state.to_ascii_lowercase().trim_start_matches("fully ") {
            "synthesized" => Some(Stage::Synthesis),
            "optimized" => Some(Stage::Optimisation),
            "placed" | "physopt postplace" => Some(Stage::Placement),
            "routed" | "physopt postroute" => Some(Stage::Route),
            _ => None,
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
    /// State of the design in Vivado's words, if the report says it.
    pub state: Option<String>,
    /// The same as a stage, if it is a known one.
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
