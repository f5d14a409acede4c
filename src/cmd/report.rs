// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen report`: Vivado's reports as the figures that `tengen area` estimates.

use crate::configs::{NAMED, load};
use crate::found::Found;
use anyhow::{Context, bail};
use lab::recorded::recorded;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use vivado::recorded::Area;
use vivado::reports::{Stage, Timing, Utilisation, timing, utilisation};

/// Arguments of `report`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with the reports that tcl/synth_ooc.tcl or tcl/wujian100.tcl wrote
    #[arg(long, value_name = "DIR")]
    vivado: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A utilisation report and the timing report beside it.
struct Run {
    utilisation: Utilisation,
    timing: Option<Timing>,
    stage: Stage,
}

impl Run {
    fn met(&self) -> bool {
        self.timing.as_ref().is_none_or(Timing::met)
    }

    /// What was asked of the clock, and whether it is met.
    fn verdict(&self) -> String {
        let Some(timing) = &self.timing else { return "no timing report beside it".into() };
        let hold = timing.hold_ns.map_or_else(String::new, |slack| format!(", hold {slack:+.3} ns"));
        if timing.met() {
            return format!("MET: {:.3} ns asked, slack {:+.3} ns{hold}", timing.period_ns, timing.slack_ns);
        }
        format!(
            "NOT MET: {:.3} ns asked, slack {:+.3} ns at {} endpoints, worst path {:.3} ns{hold}",
            timing.period_ns,
            timing.slack_ns,
            timing.failing,
            timing.path_ns()
        )
    }

    /// The estimate of the same core, if it is a named one and has been measured.
    fn estimate(&self) -> Option<Area> {
        let name = self.utilisation.head.design.strip_suffix("_engine")?;
        let config = NAMED.iter().map(|(known, _)| *known).find(|known| known.replace('-', "_") == name)?;
        recorded(&load(config).ok()?).ok()?.areas.into_iter().next()
    }
}

/// Part of a report's file name, and what takes its place in the timing report's.
const UTILISATION: &str = "utilization";
const TIMING: &str = "timing";

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let folder = &arguments.vivado;
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rpt") && name.contains(UTILISATION) {
            names.push(name);
        }
    }
    names.sort();
    if names.is_empty() {
        bail!(
            "no report named *{UTILISATION}*.rpt in {}: write them with tcl/synth_ooc.tcl of a generated package",
            folder.display()
        );
    }
    let mut runs = Vec::new();
    for name in &names {
        let taken = read(&folder.join(name), utilisation)?;
        let beside = folder.join(name.replace(UTILISATION, TIMING));
        let reached = if beside.exists() { Some(read(&beside, timing)?) } else { None };
        // Older reports do not tell their stage: their name does.
        let stage =
            taken.head.stage.unwrap_or(if name.contains("routed") { Stage::Route } else { Stage::Synthesis });
        runs.push(Run { utilisation: taken, timing: reached, stage });
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let reports: Vec<Value> = runs.iter().map(object).collect();
        let met = runs.iter().all(Run::met);
        writeln!(out, "{}", json!({ "reports": reports, "met": met }))?;
        return Ok(if met { Found::Nothing } else { Found::Fault });
    }
    writeln!(
        out,
        "{:<28} {:<15} {:>7} {:>6} {:>7} {:>7} {:>7} {:>6} {:>5} {:>8} {:>8}",
        "design", "stage", "LUT", "%", "FF", "CARRY4", "LUTRAM", "BRAM", "DSP", "path, ns", "MHz"
    )?;
    for run in &runs {
        let Utilisation { head, lut, lutram, ff, carry4, carry8, bram, dsp, available_lut } =
            &run.utilisation;
        let carry4 = if *carry8 > 0 { format!("{carry8} C8") } else { carry4.to_string() };
        let share = 100.0 * *lut as f64 / (*available_lut).max(1) as f64;
        let (path, clock) = run.timing.as_ref().map_or(("-".into(), "-".into()), |timing| {
            (format!("{:.3}", timing.path_ns()), format!("{:.1}", timing.fmax_hz() / 1e6))
        });
        writeln!(
            out,
            "{:<28} {:<15} {lut:>7} {share:>6.1} {ff:>7} {carry4:>7} {lutram:>7} {bram:>6} {dsp:>5} {path:>8} {clock:>8}",
            head.design,
            run.stage.name(),
        )?;
        if let Some(Area { lut, ff, carry4, lutram, bram, dsp, path_ns, .. }) = run.estimate() {
            let path = path_ns.map_or_else(|| "-".into(), |path| format!("{path:.3}"));
            writeln!(
                out,
                "{:<28} {:<15} {lut:>7} {:>6} {ff:>7} {carry4:>7} {lutram:>7} {bram:>6} {dsp:>5} {path:>8}",
                "", "tengen area", ""
            )?;
        }
        writeln!(out, "  {}", run.verdict())?;
    }
    if runs.iter().any(|run| run.utilisation.carry8 > 0) {
        writeln!(out, "C8: carry chains of eight bits (CARRY8), which this family has instead of CARRY4")?;
    }
    let head = &runs[0].utilisation.head;
    writeln!(out, "\nVivado {}, {}", head.version, head.device)?;
    Ok(if runs.iter().all(Run::met) { Found::Nothing } else { Found::Fault })
}

fn read<T>(path: &Path, parse: fn(&str) -> Result<T, vivado::reports::ReportError>) -> anyhow::Result<T> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&String::from_utf8_lossy(&bytes)).with_context(|| path.display().to_string())
}

fn object(run: &Run) -> Value {
    let Utilisation { head, lut, lutram, ff, carry4, carry8, bram, dsp, .. } = &run.utilisation;
    json!({
        "config": head.design,
        "family": head.device,
        "source": "vivado",
        "stage": run.stage.name(),
        "version": head.version,
        "lut": lut,
        "ff": ff,
        "carry4": carry4,
        "carry8": carry8,
        "lutram": lutram,
        "bram": bram,
        "dsp": dsp,
        "path_ns": run.timing.as_ref().map(Timing::path_ns),
        "fmax_hz": run.timing.as_ref().map(|timing| timing.fmax_hz().round()),
        "period_ns": run.timing.as_ref().map(|timing| timing.period_ns),
        "slack_ns": run.timing.as_ref().map(|timing| timing.slack_ns),
        "hold_ns": run.timing.as_ref().and_then(|timing| timing.hold_ns),
        "failing_endpoints": run.timing.as_ref().map(|timing| timing.failing),
        "met": run.timing.as_ref().map(Timing::met),
        "modules": [],
    })
}
