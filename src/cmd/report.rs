// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen report`: Vivado's reports as the figures that `tengen area` estimates.

use crate::configs::{NAMED, load};
use crate::found::Found;
use anyhow::{Context, bail};
use lab::recorded::recorded;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use vivado::Face;
use vivado::package::{self, MANIFEST};
use vivado::recorded::Area;
use vivado::reports::{
    Head, Kind, Listed, Name, Paired, Stage, Timing, Utilisation, kind, paired, timing, utilisation,
};

/// Arguments of `report`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with Vivado's reports: of tcl/synth_ooc.tcl or tcl/wujian100.tcl, or of a project's run (impl_1)
    #[arg(long, value_name = "DIR")]
    vivado: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is known of a design at one stage: a utilisation report, a timing report, or both.
struct Run {
    utilisation: Option<Utilisation>,
    timing: Option<Timing>,
    /// Of the utilisation report, as its head says, else its name.
    utilisation_stage: Option<Stage>,
    /// The furthest of both reports: a project's utilisation is of the placed design, its timing of the routed one. `None`: one of them tells
    /// none.
    stage: Option<Stage>,
}

impl Run {
    fn head(&self) -> &Head {
        let of_timing = || self.timing.as_ref().map(|timing| &timing.head);
        self.utilisation.as_ref().map(|taken| &taken.head).or_else(of_timing).expect("a run has a report")
    }

    /// `None`: that is unknown.
    fn met(&self) -> Option<bool> {
        let met = self.timing.as_ref().and_then(Timing::met);
        met.filter(|met| !met || self.head().unknown().is_none())
    }

    /// Why nothing is known of its timing, if so.
    fn unknown(&self) -> Option<String> {
        match &self.timing {
            _ if self.met().is_some() => None,
            Some(timing) => timing.unknown().or_else(|| self.head().unknown()),
            None => Some("no timing report of this design beside it that can be read".into()),
        }
    }

    fn stage_name(&self) -> String {
        let head = self.head();
        let state = || head.state.as_ref().filter(|_| head.stage.is_none());
        let state = || state().map(|state| format!("unknown ({state})"));
        self.stage.map(|stage| stage.name().to_string()).or_else(state).unwrap_or_else(|| "unknown".into())
    }

    /// What was asked of the clock, and whether it is met.
    fn verdict(&self) -> String {
        let unknown = || format!("UNKNOWN: {}", self.unknown().unwrap_or_default());
        let Some(timing) = &self.timing else { return unknown() };
        let asked = match timing.period_ns {
            Some(period) => format!("{period:.3} ns asked"),
            None => "worst path between two clocks".to_string(),
        };
        let checks = timing.checks().into_iter().filter_map(|(name, check)| {
            let at = match check.failing {
                Some(failing) if check.met() == Some(false) => format!(" at {failing} endpoints"),
                _ => String::new(),
            };
            let name = if name == "setup" { "slack" } else { name };
            check.slack_ns.map(|slack| format!("{name} {slack:+.3} ns{at}"))
        });
        let clocks = format!("clock {}", timing.worst.join(" and "));
        let checks = checks.chain([clocks]).collect::<Vec<_>>().join(", ");
        match self.met() {
            Some(true) => format!("MET: {asked}, {checks}"),
            Some(false) => {
                let path = timing.path_ns().map(|path| format!(", worst path {path:.3} ns"));
                format!("NOT MET: {asked}, {checks}{}", path.unwrap_or_default())
            }
            None => format!("{} ({asked}, {checks})", unknown()),
        }
    }

    /// The estimate of the same core, if it is a named one and has been measured: its package's manifest, in the folder of the reports or above
    /// it, says that it is. A name alone does not, as a core of today and one of another tengen may share it.
    fn estimate(&self, folder: &Path) -> Option<Area> {
        let top = &self.head().design;
        let name = top.strip_suffix("_engine")?;
        let config = NAMED.iter().map(|(known, _)| *known).find(|known| known.replace('-', "_") == name)?;
        let config = load(config).ok()?;
        let folder = std::path::absolute(folder).ok()?;
        let read = |folder: &Path| std::fs::read_to_string(folder.join(MANIFEST)).ok();
        let manifest = folder.ancestors().take(MANIFEST_ABOVE).find_map(read)?;
        let of_package = package::hash_of(&manifest, &format!("rtl/{top}.v"))?;
        let is_same = of_package == package::sha256(&package::emission(&config, Face::Axis).verilog);
        recorded(&config).ok()?.areas.into_iter().next().filter(|_| is_same)
    }
}

/// Folders that are looked through for a package's manifest, from that of the reports upwards.
const MANIFEST_ABOVE: usize = 3;

/// Reports of one kind: of each its parsed text, the parts of its name and its stage.
struct Reports<T> {
    parsed: Vec<Option<T>>,
    listed: Vec<Listed>,
}

impl<T> Reports<T> {
    fn new() -> Reports<T> {
        Reports { parsed: Vec::new(), listed: Vec::new() }
    }

    fn push(&mut self, file: &str, kind: Kind, report: T, head: &Head) {
        let name = Name::new(file, kind).unwrap_or(Name { top: head.design.clone(), suffix: String::new() });
        // A state that is not known is not guessed from the name.
        let stage = if head.state.is_some() { head.stage } else { name.stage() };
        self.parsed.push(Some(report));
        self.listed.push(Listed { name, stage, design: head.design.clone() });
    }

    fn take(&mut self, place: Option<usize>) -> (Option<T>, Option<Stage>) {
        place.map_or((None, None), |place| (self.parsed[place].take(), self.listed[place].stage))
    }
}

/// What a folder holds.
struct Folder {
    runs: Vec<Run>,
    /// Reports that are broken, and how.
    broken: Vec<String>,
}

fn read(folder: &PathBuf) -> anyhow::Result<Folder> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.to_ascii_lowercase().ends_with(".rpt") && entry.path().is_file() {
            files.push((name, entry.path()));
        }
    }
    files.sort();
    let (mut utilisations, mut timings) = (Reports::new(), Reports::new());
    let mut broken = Vec::new();
    for (name, path) in files {
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = arena::text::decode(&bytes).with_context(|| path.display().to_string())?;
        let read = match kind(&name, &text) {
            Some(Kind::Utilisation) => utilisation(&text).map(|report| {
                let head = report.head.clone();
                utilisations.push(&name, Kind::Utilisation, report, &head);
            }),
            Some(Kind::Timing) => timing(&text).map(|report| {
                let head = report.head.clone();
                timings.push(&name, Kind::Timing, report, &head);
            }),
            None => Ok(()),
        };
        if let Err(error) = read {
            broken.push(format!("{}: {error}", path.display()));
        }
    }
    let pairs = paired(&utilisations.listed, &timings.listed);
    let run = |Paired { utilisation, timing }| {
        let (taken, utilisation_stage) = utilisations.take(utilisation);
        let (timing, timed) = timings.take(timing);
        let stage = match (&taken, &timing) {
            // Of two reports one of which is of an unknown stage nothing is known.
            (Some(_), Some(_)) => utilisation_stage.zip(timed).map(|(a, b)| a.max(b)),
            (Some(_), None) => utilisation_stage,
            (None, _) => timed,
        };
        Run { utilisation: taken, timing, utilisation_stage, stage }
    };
    Ok(Folder { runs: pairs.into_iter().map(run).collect(), broken })
}

impl Folder {
    /// Whether every design is met at the furthest stage that there are reports of; `None`: that is unknown. What an earlier stage says is
    /// superseded.
    fn met(&self) -> Option<bool> {
        // What synthesis alone says counts where nothing later is there; an unknown stage may be the last.
        let is_last = |run: &&Run| {
            let same = self.runs.iter().filter(|other| other.head().design == run.head().design);
            run.stage.is_none() || same.filter_map(|other| other.stage).max() == run.stage
        };
        let last: Vec<Option<bool>> = self.runs.iter().filter(is_last).map(Run::met).collect();
        if last.contains(&Some(false)) {
            return Some(false);
        }
        let all = last.iter().all(|met| *met == Some(true));
        (all && self.broken.is_empty() && !self.runs.is_empty()).then_some(true)
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let folder = read(&arguments.vivado)?;
    if folder.runs.is_empty() && folder.broken.is_empty() {
        bail!(
            "no report of report_utilization or report_timing_summary (*.rpt) in {}: write them with tcl/synth_ooc.tcl of a generated package",
            arguments.vivado.display()
        );
    }
    let met = folder.met();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let reports: Vec<Value> = folder.runs.iter().map(object).collect();
        writeln!(out, "{}", json!({ "reports": reports, "met": met, "broken": folder.broken }))?;
    } else if !folder.runs.is_empty() {
        table(&folder, &arguments.vivado, &mut out)?;
    }
    if !folder.broken.is_empty() {
        bail!("{}", folder.broken.join("\n"));
    }
    Ok(if met == Some(true) { Found::Nothing } else { Found::Fault })
}

fn table(folder: &Folder, place: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:<28} {:<15} {:>7} {:>6} {:>7} {:>7} {:>7} {:>6} {:>5} {:>8} {:>8}",
        "design", "stage", "LUT", "%", "FF", "CARRY4", "LUTRAM", "BRAM", "DSP", "path, ns", "MHz"
    )?;
    for run in &folder.runs {
        let timing = run.timing.as_ref();
        let path = timing.and_then(Timing::path_ns).map_or("-".into(), |path| format!("{path:.3}"));
        let clock =
            timing.and_then(Timing::fmax_hz).map_or("-".into(), |clock| format!("{:.1}", clock / 1e6));
        let [lut, share, ff, carry, lutram, bram, dsp] = match &run.utilisation {
            Some(taken) => [
                taken.lut.to_string(),
                format!("{:.1}", 100.0 * taken.lut as f64 / taken.available_lut.max(1) as f64),
                taken.ff.to_string(),
                if taken.carry8 > 0 { format!("{} C8", taken.carry8) } else { taken.carry4.to_string() },
                taken.lutram.to_string(),
                taken.bram.to_string(),
                taken.dsp.to_string(),
            ],
            None => [const { String::new() }; 7].map(|_| "-".into()),
        };
        writeln!(
            out,
            "{:<28} {:<15} {lut:>7} {share:>6} {ff:>7} {carry:>7} {lutram:>7} {bram:>6} {dsp:>5} {path:>8} {clock:>8}",
            run.head().design,
            run.stage_name(),
        )?;
        if let Some(Area { lut, ff, carry4, lutram, bram, dsp, path_ns, .. }) = run.estimate(place) {
            let path = path_ns.map_or_else(|| "-".into(), |path| format!("{path:.3}"));
            writeln!(
                out,
                "{:<28} {:<15} {lut:>7} {:>6} {ff:>7} {carry4:>7} {lutram:>7} {bram:>6} {dsp:>5} {path:>8}",
                "", "tengen area", ""
            )?;
        }
        writeln!(out, "  {}", run.verdict())?;
        if let Some(stage) = run.utilisation_stage.filter(|stage| run.stage.is_some_and(|run| run != *stage))
        {
            writeln!(out, "  area: {}", stage.name())?;
        }
    }
    if folder.runs.iter().any(|run| run.utilisation.as_ref().is_some_and(|taken| taken.carry8 > 0)) {
        writeln!(out, "C8: carry chains of eight bits (CARRY8), which this family has instead of CARRY4")?;
    }
    let head = folder.runs[0].head();
    writeln!(out, "\nVivado {}, {}", head.version, head.device)?;
    Ok(())
}

fn object(run: &Run) -> Value {
    let head = run.head();
    let taken = run.utilisation.as_ref();
    let timing = run.timing.as_ref();
    json!({
        "config": head.design,
        "family": head.device,
        "source": "vivado",
        "stage": run.stage.map(Stage::name),
        "utilisation_stage": run.utilisation_stage.map(Stage::name),
        "state": head.state,
        "version": head.version,
        "lut": taken.map(|taken| taken.lut),
        "ff": taken.map(|taken| taken.ff),
        "carry4": taken.map(|taken| taken.carry4),
        "carry8": taken.map(|taken| taken.carry8),
        "lutram": taken.map(|taken| taken.lutram),
        "bram": taken.map(|taken| taken.bram),
        "dsp": taken.map(|taken| taken.dsp),
        "path_ns": timing.and_then(Timing::path_ns),
        "fmax_hz": timing.and_then(Timing::fmax_hz).map(f64::round),
        "period_ns": timing.and_then(|timing| timing.period_ns),
        "worst": timing.map(|timing| &timing.worst),
        "slack_ns": timing.and_then(|timing| timing.setup.slack_ns),
        "failing_endpoints": timing.and_then(|timing| timing.setup.failing),
        "hold_ns": timing.and_then(|timing| timing.hold.slack_ns),
        "hold_failing_endpoints": timing.and_then(|timing| timing.hold.failing),
        "pulse_width_ns": timing.and_then(|timing| timing.pulse_width.slack_ns),
        "pulse_width_failing_endpoints": timing.and_then(|timing| timing.pulse_width.failing),
        "met": run.met(),
        "unknown": run.unknown(),
        "modules": [],
    })
}
