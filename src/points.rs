// SPDX-License-Identifier: MIT OR Apache-2.0
//! Points of a results file that are missing: found, measured with a bar, and kept.

use crate::cmd::area::{CACHE_FOLDER, Estimate, estimate};
use crate::found::{self, Found};
use crate::progress::Progress;
use ::area::delay::ns;
use ::area::synthesis;
use ::area::timing::TimingError;
use ::area::tool::Cache;
use cosim::Kind;
use cosim::models::{Wanted, load, model};
use engine_model::Config;
use lab::points::measure::{Library, search};
use lab::points::point::{Area, Figures, Point};
use lab::points::results::Results;
use lab::points::subject::{Subject, What};
use lab::recorded::core_sha256;
use serde_json::json;
use std::collections::HashMap;
use std::io::Write;

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
        if !library.holds(results, subject, &core_sha256(&subject.config))? {
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
        say!("{} of {}: {}", index + 1, missing.len(), subject.label());
        let figures = match measure(subject, library, yosys)? {
            Ok(figures) => figures,
            Err(fault) => return Ok(Err(fault)),
        };
        let point = Point {
            config: subject.config.clone(),
            tengen: env!("CARGO_PKG_VERSION").into(),
            core_sha256: core_sha256(&subject.config),
            figures,
        };
        results.put(subject, point)?;
    }
    Ok(Ok(()))
}

/// Tells the points of the cores as they are emitted now from those of earlier ones.
pub fn fresh(points: &[Point]) -> impl Fn(&Point) -> bool + use<> {
    // By all parameters: a name may have meant another configuration when a point was measured.
    let mut now: HashMap<String, String> = HashMap::new();
    for point in points {
        let config = &point.config;
        now.entry(config.to_toml()).or_insert_with(|| core_sha256(config));
    }
    move |point| now.get(&point.config.to_toml()).is_some_and(|core| *core == point.core_sha256)
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
            let shipped = model(&subject.config, Kind::Core)?;
            let bar = Progress::counted(known.moves.len() as u64, "positions");
            let measured = search(&subject.config, levels, shipped, &known, &|row, by, done| {
                bar.say(format!("{row}: {by}"));
                bar.set(done as u64);
            });
            drop(bar);
            Ok(measured.map(|search| Figures::Search(search.into())).map_err(|fault| fault.to_string()))
        }
        What::Area => match taken(&subject.config, yosys) {
            // A loop is a fault of the core, not of the call.
            Err(error) if error.is::<TimingError>() => Ok(Err(found::message(&error))),
            result => Ok(Ok(Figures::Area(result?))),
        },
    }
}

fn taken(config: &Config, yosys: Option<&str>) -> anyhow::Result<Area> {
    let emission = hdl::emit_engine(config);
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

/// Gets the simulations of what is to be searched ready, at the same time.
pub fn prepare(missing: &[&Subject]) -> anyhow::Result<()> {
    let searches = missing.iter().filter(|subject| matches!(subject.what, What::Search { .. }));
    let wanted: Vec<Wanted> = searches.map(|subject| Wanted::new(&subject.config, Kind::Core)).collect();
    if !wanted.is_empty() {
        load(&wanted)?;
    }
    Ok(())
}
