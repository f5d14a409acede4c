// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is measured at a time, and what may be wrong with it.

use cosim::lockstep::Fault;
use engine_model::Config;
use engine_model::notation::square;
use engine_model::search::RootDecision;

/// Told what is being measured, by what, and how many positions are done.
pub type Progress<'a> = &'a (dyn Fn(&str, &str, usize) + Sync);

/// A configuration and the levels it searches.
#[derive(Clone, Debug)]
pub struct Row {
    /// The configuration.
    pub config: Config,
    /// Levels searched.
    pub levels: usize,
}

impl Row {
    /// Name for reports.
    pub fn label(&self) -> String {
        format!("{}@{}", self.config.name, self.levels)
    }

    /// Width of the search in words.
    pub fn width(&self) -> String {
        let used = &self.config.beam[..self.config.beam.len().min(self.levels)];
        if used.iter().all(|&beam| beam == 0) {
            return "full width".into();
        }
        let beam: Vec<String> =
            used.iter().map(|&beam| if beam == 0 { "all".into() } else { beam.to_string() }).collect();
        format!("beam {}", beam.join(","))
    }

    /// A decision in words.
    pub(super) fn told(&self, decision: Option<RootDecision>) -> String {
        let Some(RootDecision { cell, score }) = decision else { return "nothing".into() };
        format!("{}, score {score}", square(cell, &self.config.geometry()))
    }

    pub(super) fn rtl_fault(&self, position: usize, fault: &Fault) -> MeasureFault {
        MeasureFault::Rtl { row: self.label(), position: position + 1, fault: fault.to_string() }
    }
}

/// A disagreement: what was measured so far is worth nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureFault {
    /// Core and model disagree.
    #[error("{row}, position {position}: the core differs from the model: {fault}")]
    Rtl {
        /// Row.
        row: String,
        /// Position, from 1.
        position: usize,
        /// What the session found.
        fault: String,
    },
    /// A board decides otherwise than the model.
    #[error("{row}, position {position}: the board decides {got}, the model {expected}")]
    Board {
        /// Row.
        row: String,
        /// Position, from 1.
        position: usize,
        /// The model's decision.
        expected: String,
        /// The board's.
        got: String,
    },
    /// A software engine decides otherwise than core and model.
    #[error("{row}, position {position}: {engine} decides {got}, the core {expected}")]
    Software {
        /// Engine.
        engine: &'static str,
        /// Row.
        row: String,
        /// Position, from 1.
        position: usize,
        /// The core's decision.
        expected: String,
        /// The engine's.
        got: String,
    },
}
