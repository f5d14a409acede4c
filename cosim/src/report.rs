// SPDX-License-Identifier: MIT OR Apache-2.0
//! A fault in words, and the GTKWave save file that opens its waveform.

use crate::lockstep::{FaultReport, Plan, run};
use crate::models::Model;
use engine_model::position::Tables;
use hdl::Layout;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Configuration, seed, moves and the first fault.
pub fn describe(plan: &Plan, report: &FaultReport) -> String {
    let tables = Tables::new(&plan.config);
    let moves: Vec<String> =
        report.moves.iter().map(|&cell| tables.geometry.point(cell).to_string()).collect();
    format!(
        "fault: {}\nconfiguration: {}, seed {}, game {}, engine move {}\nmoves: {}\n",
        report.fault,
        plan.config.name,
        plan.seed,
        report.game,
        report.engine_move,
        moves.join(" ")
    )
}

/// Plays the game of a fault again and writes a waveform of the move it happened in to `file`, with a save file beside
/// it; returns the save file's name.
pub fn leave_waveform(
    plan: &Plan,
    report: &FaultReport,
    model: &'static Model,
    file: &Path,
) -> std::io::Result<PathBuf> {
    std::fs::write(file, "")?;
    let waves = Some((file.to_path_buf(), report.engine_move));
    run(&Plan { only_game: Some(report.game), waves, ..plan.clone() }, model, &mut |_| {});
    write_save_file(file, &Layout::new(&plan.config))
}

/// Signals worth seeing first: the streams, the game, each level, the node that is built and the one that retires.
/// Names are those in the VCD, below the top module.
pub fn signals(layout: &Layout) -> Vec<(String, usize)> {
    let mut signals: Vec<(String, usize)> = Vec::new();
    let mut add = |name: String, width: usize| signals.push((name, width));
    for (name, width) in [("aclk", 1), ("aresetn", 1), ("interrupt", 1)] {
        add(name.into(), width);
    }
    for stream in ["s_axis_control", "s_axis_data", "m_axis_data"] {
        for (signal, width) in [("tdata", 32), ("tvalid", 1), ("tready", 1)] {
            add(format!("{stream}_{signal}"), width);
        }
    }
    for (signal, width) in [
        ("state", 4),
        ("score", layout.value_bits),
        ("decided_cell", layout.cell_bits),
        ("generation", hdl::layout::GENERATION_BITS),
    ] {
        add(format!("core.game.{signal}"), width);
    }
    for level in 1..=layout.config.levels {
        let name = hdl::circuits::search::words::level_name(level);
        for signal in ["offer", "offer_due", "done"] {
            add(format!("core.{name}.{signal}"), 1);
        }
        for row in 0..layout.contexts_at(level) {
            for (signal, width) in [
                ("active", 1),
                ("alpha", layout.value_bits),
                ("limit", layout.value_bits),
                ("has_moves", 1),
                ("order_pending", 1),
                ("generation", hdl::layout::GENERATION_BITS),
            ] {
                add(format!("core.{name}.{signal}_{row}"), width);
            }
        }
    }
    for (signal, width) in [("valid", 1), ("tag", layout.tag.width())] {
        add(format!("core.builder.{signal}"), width);
    }
    for (signal, width) in
        [("result_valid", 1), ("result_tag", layout.tag.width()), ("result", layout.result.width())]
    {
        add(format!("core.evaluate.{signal}"), width);
    }
    signals
}

/// Writes `FILE.gtkw` beside the waveform; returns its name.
pub fn write_save_file(waves: &Path, layout: &Layout) -> std::io::Result<PathBuf> {
    let save = waves.with_extension("gtkw");
    let file = waves.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let top = format!("TOP.{}_engine", layout.config.name.replace('-', "_"));
    let mut text = format!("[dumpfile] \"{file}\"\n[timestart] 0\n[sst_expanded] 1\n");
    let mut group = String::new();
    for (name, width) in signals(layout) {
        let of = name.rsplit_once('.').map_or("streams", |(group, _)| group).to_string();
        if of != group {
            let _ = writeln!(text, "@200\n-{of}");
            group = of;
        }
        // 28: binary; 420: signed decimal; 22: hexadecimal.
        let signed = name.ends_with("alpha") || name.ends_with("beta") || name.ends_with("score");
        let format = if width == 1 {
            "28"
        } else if signed {
            "420"
        } else {
            "22"
        };
        let range = if width == 1 { String::new() } else { format!("[{}:0]", width - 1) };
        let _ = writeln!(text, "@{format}\n{top}.{name}{range}");
    }
    std::fs::write(&save, text)?;
    Ok(save)
}
