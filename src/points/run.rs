// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is missing in a results file, what must be built to measure it, and its measurement.

use super::measure::{Library, search};
use super::point::{Area, Figures, Point};
use super::results::Results;
use super::subject::{Subject, What};
use crate::Found;
use crate::cmd::area::{CACHE_FOLDER, Estimate, estimate, ns};
use crate::cmd::measure::progress_bar;
use crate::recorded::core_sha256;
use ::area::synthesis;
use ::area::timing::TimingError;
use ::area::tool::Cache;
use anyhow::Context;
use engine_model::Config;
use serde_json::json;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

/// The subjects that the results do not hold as they are now. Also of the others what cannot be measured is said at once.
pub fn missing<'a>(
    subjects: &'a [Subject],
    library: &Library,
    results: &Results,
) -> anyhow::Result<Vec<&'a Subject>> {
    let mut missing = Vec::new();
    for subject in subjects {
        if let What::Search { set, .. } = subject.what {
            library.positions(&subject.config, set)?;
        }
        if !library.holds(results, subject, &core_sha256(&subject.config)?)? {
            missing.push(subject);
        }
    }
    Ok(missing)
}

/// Measures subjects one after the other and keeps each point as soon as it is there; the inner error is a fault found.
pub fn measure_all(
    missing: &[&Subject],
    library: &Library,
    results: &mut Results,
    yosys: Option<&str>,
) -> anyhow::Result<Result<(), String>> {
    for (index, &subject) in missing.iter().enumerate() {
        eprintln!("{} of {}: {}", index + 1, missing.len(), subject.label());
        let figures = match measure(subject, library, yosys)? {
            Ok(figures) => figures,
            Err(fault) => return Ok(Err(fault)),
        };
        let point = Point {
            config: subject.config.clone(),
            tengen: env!("CARGO_PKG_VERSION").into(),
            core_sha256: core_sha256(&subject.config)?,
            figures,
        };
        results.put(subject, point)?;
    }
    Ok(Ok(()))
}

/// Tells the points of the cores as they are emitted now from those of earlier ones.
pub fn fresh(points: &[Point]) -> impl Fn(&Point) -> bool + use<> {
    // By all parameters: a name may have meant another configuration when a point was measured.
    let mut now: HashMap<String, Option<String>> = HashMap::new();
    for point in points {
        let config = &point.config;
        now.entry(config.to_toml()).or_insert_with(|| core_sha256(config).ok());
    }
    move |point| {
        now.get(&point.config.to_toml()).is_some_and(|core| core.as_ref() == Some(&point.core_sha256))
    }
}

/// Tells a fault that measuring has found.
pub fn report_fault(config: &str, fault: &str, json: bool) -> anyhow::Result<Found> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "config": config, "mismatches": 1, "fault": fault }))?;
    } else {
        writeln!(out, "fault: {fault}")?;
    }
    Ok(Found::Fault)
}

/// Measures a subject; the inner error is a fault found.
fn measure(
    subject: &Subject,
    library: &Library,
    yosys: Option<&str>,
) -> anyhow::Result<Result<Figures, String>> {
    match subject.what {
        What::Search { levels, set } => {
            let known = library.positions(&subject.config, set)?;
            let bar = progress_bar(known.moves.len());
            let measured = search(&subject.config, levels, &known, &|row, by, done| {
                bar.set_message(format!("{row}: {by}"));
                bar.set_position(done as u64);
            });
            bar.finish_and_clear();
            Ok(measured.map(|search| Figures::Search(search.into())).map_err(|fault| fault.to_string()))
        }
        What::Area => match taken(&subject.config, yosys) {
            // A loop is a fault of the core, not of the call.
            Err(error) if error.is::<TimingError>() => Ok(Err(format!("{error:#}"))),
            result => Ok(Ok(Figures::Area(result?))),
        },
    }
}

fn taken(config: &Config, yosys: Option<&str>) -> anyhow::Result<Area> {
    let emission = hdl::emit_engine(config)?;
    let Estimate { utilisation, timing, version } =
        estimate(&emission, &synthesis::yosys(yosys), &Cache::new(CACHE_FOLDER))?;
    let total = &utilisation.total;
    Ok(Area {
        synthesis: version,
        lut: total.lut(),
        ff: total.ff,
        carry4: total.carry4,
        lutram: total.lutram,
        bram: total.bram(),
        dsp: total.dsp,
        path_ns: timing.longest().map(|path| ns(path.ps)),
    })
}

/// The configurations to be simulated that this build does not hold, each once.
pub fn unbuilt(missing: &[&Subject]) -> Vec<Config> {
    let mut configs: Vec<Config> = Vec::new();
    for subject in missing {
        let simulated = matches!(subject.what, What::Search { .. });
        if simulated && cosim::model(&subject.config, false).is_none() && !configs.contains(&subject.config) {
            configs.push(subject.config.clone());
        }
    }
    configs
}

/// Writes configurations as files to this folder and prints their paths, one a line: what `./tengen` adds to the build.
pub fn write_configurations(folder: &Path, configs: &[Config]) -> anyhow::Result<Found> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut out = std::io::stdout().lock();
    for config in configs {
        let file = folder.join(format!("{}.toml", config.name));
        let text = config.to_toml();
        // What has not changed is not touched: the build looks at the time.
        if std::fs::read_to_string(&file).ok().as_ref() != Some(&text) {
            std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
        writeln!(out, "{}", file.display())?;
    }
    Ok(Found::Nothing)
}
