// SPDX-License-Identifier: MIT OR Apache-2.0
//! A fault in words, and its waveform.

use crate::lockstep::{FaultReport, Plan, run};
use crate::models::Model;
use crate::waves::{Views, write_views};
use engine_model::notation::{format_game, squares};
use engine_model::position::Tables;
use hdl::Layout;
use std::path::Path;

/// Configuration, seed, moves and the first fault.
pub fn describe(plan: &Plan, report: &FaultReport) -> String {
    let tables = Tables::new(&plan.config);
    format!(
        "fault: {}\nconfiguration: {}, seed {}, game {}, engine move {}\nmoves: {} ({})\n",
        report.fault,
        plan.config.name,
        plan.seed,
        report.game,
        report.engine_move,
        format_game(&report.moves, &tables.geometry),
        squares(&report.moves, &tables.geometry)
    )
}

/// Plays the game of a fault again and writes a waveform of the move it happened in to `file`, with what viewers need beside
/// it.
pub fn leave_waveform(
    plan: &Plan,
    report: &FaultReport,
    model: &'static Model,
    file: &Path,
) -> std::io::Result<Views> {
    std::fs::write(file, "")?;
    let waves = Some((file.to_path_buf(), report.engine_move));
    run(&Plan { only_game: Some(report.game), waves, ..plan.clone() }, model, &mut |_| {});
    write_views(file, &Layout::new(&plan.config), Some(report.cycle))
}
