// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hardware against software on the same positions in one run. Computes; prints nothing.
//!
//! - [`hardware`]: cycles, passes and lost clocks by the core's own counters.
//! - [`board`]: the same of a board on a line, with the time of its requests.
//! - [`software`]: times of the software engines for the same decisions.
//! - [`throughput`]: positions a second of all processor cores, each searching its own.
//! - [`machine`]: what the software ran on and how it was compiled.
//! - [`table`], [`json`], [`html`], [`plots`]: a report for a terminal, for programs, for a browser.

pub mod board;
pub mod hardware;
pub mod html;
pub mod json;
pub mod machine;
pub mod plots;
mod row;
pub mod software;
pub mod table;
pub mod throughput;

use crate::targets::{BUSY_4, BUSY_8, CYCLES_4, CYCLES_8, SPEEDUP_4, Target};
use board::OnBoard;
use engine_model::Cell;
use figures::clock::{self, Clock};
use figures::html::Origin;
use hardware::Hardware;
use machine::Machine;
pub use row::{MeasureFault, Progress, Row};
use software::Software;
use throughput::Throughput;

/// A row with everything measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The row.
    pub row: Row,
    /// The core.
    pub hardware: Hardware,
    /// The software engines.
    pub software: Vec<Software>,
    /// The fastest of them on all processor cores, each with its own position.
    pub throughput: Throughput,
}

impl Measured {
    /// The software engine with one thread that takes the least time.
    pub fn best_single_core(&self) -> Option<&Software> {
        let total = |software: &&Software| software.seconds.iter().sum::<f64>();
        let single = self.software.iter().filter(|software| software.threads == 1);
        single.min_by(|a, b| total(a).total_cmp(&total(b)))
    }
}

/// A target and what was measured of it.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// The target.
    pub target: Target,
    /// The value measured.
    pub value: f64,
}

/// Everything measured in one run.
#[derive(Clone, Debug)]
pub struct Report {
    /// Name of the configuration asked for.
    pub config: String,
    /// Where the positions come from.
    pub positions_source: String,
    /// The command, when and where.
    pub origin: Origin,
    /// Number of positions.
    pub positions: usize,
    /// The stated clock.
    pub clock: Clock,
    /// Rows.
    pub rows: Vec<Measured>,
    /// Targets that apply.
    pub targets: Vec<Judged>,
    /// What the software ran on.
    pub machine: Machine,
    /// The board that was measured; none: the core was simulated, and its clock is assumed.
    pub board: Option<OnBoard>,
}

impl Report {
    /// What the clocks are of.
    pub fn label(&self) -> String {
        match &self.board {
            Some(board) => {
                let through = if board.pseudo_terminal { " through a pseudo-terminal" } else { "" };
                format!("measured on {}{through} at {}", board.name, board.clock)
            }
            None => "simulated, at an assumed clock".into(),
        }
    }

    /// The clocks speeds are given at, rising: the usual ones and the stated one.
    pub fn clocks(&self) -> Vec<Clock> {
        let mut clocks = clock::USUAL.to_vec();
        if !clocks.contains(&self.clock) {
            clocks.push(self.clock);
        }
        clocks.sort_by(|a, b| a.hz.total_cmp(&b.hz));
        clocks
    }

    /// The software engines of all rows, each once.
    pub fn engines(&self) -> Vec<&'static str> {
        let mut engines = Vec::new();
        for software in self.rows.iter().flat_map(|measured| &measured.software) {
            if !engines.contains(&software.engine) {
                engines.push(software.engine);
            }
        }
        engines
    }

    /// The place of an engine among [`Self::engines`]: its colour.
    pub fn place_of(&self, engine: &str) -> usize {
        self.engines().iter().position(|known| *known == engine).unwrap_or(0)
    }
}

/// Measures the software beside what the core was measured to take, which is not to disturb it; `timing` is told when that begins and ends.
pub fn beside(
    rows: Vec<(Row, Hardware)>,
    positions: &[Vec<Cell>],
    naive: bool,
    progress: Progress,
    timing: &mut dyn FnMut(bool),
) -> Result<Vec<Measured>, MeasureFault> {
    timing(true);
    let measure = |(row, hardware): (Row, Hardware)| {
        let software = software::measure(&row, positions, &hardware, naive, progress)?;
        let throughput = throughput::measure(&row, positions, &hardware, progress)?;
        Ok(Measured { row, hardware, software, throughput })
    };
    let measured = rows.into_iter().map(measure).collect();
    timing(false);
    measured
}

/// The targets these rows have a figure for.
pub fn judge(rows: &[Measured]) -> Vec<Judged> {
    let mut judged = Vec::new();
    let at = |levels| rows.iter().find(|measured| measured.row.levels == levels);
    if let Some(measured) = at(4) {
        judged.push(Judged { target: CYCLES_4, value: measured.hardware.cycles().mean });
        judged.push(Judged { target: BUSY_4, value: 100.0 * measured.hardware.busy() });
        if let Some(software) = measured.best_single_core() {
            let [_, fast] = clock::USUAL;
            let value = software.speedup(&measured.hardware, fast).total;
            judged.push(Judged { target: SPEEDUP_4, value });
        }
    }
    if let Some(measured) = at(8) {
        judged.push(Judged { target: CYCLES_8, value: measured.hardware.cycles().mean });
        judged.push(Judged { target: BUSY_8, value: 100.0 * measured.hardware.busy() });
    }
    judged
}
