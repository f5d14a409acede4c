// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every report begins with, and why one cannot be read.

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
    /// After placement.
    Placement,
    /// After placement and physical optimisation.
    PlacementOptimised,
    /// After routing.
    Route,
    /// After routing and physical optimisation.
    RouteOptimised,
}

impl Stage {
    /// As reports of ours name it, physical optimisation or not.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Synthesis => "post-synthesis",
            Stage::Optimisation => "post-opt",
            Stage::Placement | Stage::PlacementOptimised => "post-placement",
            Stage::Route | Stage::RouteOptimised => "post-route",
        }
    }

    /// The stage that a `Design State` tells; `None` for one that is not known here, a partly placed or routed design among them.
    pub(super) fn of_state(state: &str) -> Option<Stage> {
        match state.to_ascii_lowercase().trim_start_matches("fully ") {
            "synthesized" => Some(Stage::Synthesis),
            "optimized" => Some(Stage::Optimisation),
            "placed" => Some(Stage::Placement),
            "physopt postplace" => Some(Stage::PlacementOptimised),
            "routed" => Some(Stage::Route),
            "physopt postroute" => Some(Stage::RouteOptimised),
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

impl Head {
    /// Why nothing can be said of the design, if so: its state is named, and is none that is known here.
    pub fn unknown(&self) -> Option<String> {
        let state = self.state.as_ref().filter(|_| self.stage.is_none())?;
        Some(format!("the design's state is {state:?}, which tells no stage that is complete"))
    }
}
