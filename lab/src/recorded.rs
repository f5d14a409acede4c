// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was measured of a core, from the results that `curves`, `explore` and `record` keep in the sources.

use area::utilisation::XC7A200T;
use engine_model::Config;
use engine_model::named::named;
use serde_json::{Map, Value};
use vivado::package::sha256;
use vivado::recorded::{Area, Recorded, Searches};

/// The results files of `curves` and `explore`: a point each line.
const RESULTS: [&str; 3] = [
    include_str!("../../docs/curves/results.jsonl"),
    include_str!("../../docs/explore/gomoku7/results.jsonl"),
    include_str!("../../docs/explore/gomoku15/results.jsonl"),
];

/// The results file of `record area`: what the verb printed is an entry of each line.
const AREA: &str = include_str!("../../docs/results/area.jsonl");

/// Why nothing can be looked up.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// A results file is damaged.
    #[error("a results file in docs/ is damaged: {0}")]
    Results(#[from] serde_json::Error),
}

/// Hash of the core's Verilog as it is emitted now.
pub fn core_sha256(config: &Config) -> String {
    sha256(&hdl::emit_engine(config).verilog)
}

/// Hashes of the named configurations' cores, `HASH  NAME` a line: a test holds them to what is emitted.
const CORES: &str = include_str!("../cores.sha256");

/// The hash of a named configuration's core without emitting it; emits that of another.
pub fn known_sha256(config: &Config) -> String {
    let listed = CORES.lines().filter_map(|line| line.split_once("  "));
    let mut listed = listed.filter(|(_, name)| *name == config.name);
    match (listed.next(), named(&config.name)) {
        (Some((hash, _)), Some(of)) if of == *config => hash.into(),
        _ => core_sha256(config),
    }
}

/// The figures of this very core: same parameters, same Verilog.
pub fn recorded(config: &Config) -> Result<Recorded, RecordedError> {
    recorded_of(&core_sha256(config))
}

/// The figures of the core of this hash.
pub fn recorded_of(core: &str) -> Result<Recorded, RecordedError> {
    let mut recorded = Recorded::default();
    let of_it = |text: &'static str| text.lines().filter(|line| line.contains(core));
    for line in RESULTS.iter().flat_map(|text| of_it(text)) {
        let point: Value = serde_json::from_str(line)?;
        if point["core_sha256"].as_str() != Some(core) {
            continue;
        }
        match point["kind"].as_str() {
            Some("search") => recorded.searches.extend(searches(&point)),
            Some("area") => recorded.areas.extend(area(&point)),
            _ => {}
        }
    }
    for line in of_it(AREA) {
        let mut entry: Value = serde_json::from_str(line)?;
        let is_this = |cores: &Map<String, Value>| cores.values().any(|sha256| sha256.as_str() == Some(core));
        if entry["cores"].as_object().is_some_and(is_this) {
            recorded.areas.extend(area(&entry["result"].take()));
        }
    }
    recorded.areas.sort_by(|a, b| a.synthesis.cmp(&b.synthesis));
    recorded.areas.dedup_by(|a, b| a.synthesis == b.synthesis);
    recorded.searches.sort_by_key(|search| (search.levels, search.set.clone()));
    recorded.searches.dedup_by_key(|search| (search.levels, search.set.clone()));
    Ok(recorded)
}

/// LUTs of this very core: an estimate for an Artix-7, by the first of the programs that mapped it; `None` where it has not been measured.
pub fn recorded_luts(config: &Config) -> Result<Option<u64>, RecordedError> {
    Ok(recorded_of(&known_sha256(config))?.areas.first().map(|area| area.lut))
}

fn searches(point: &Value) -> Option<Searches> {
    let cycles = |key: &str| point["cycles"][key].as_f64();
    Some(Searches {
        levels: point["levels"].as_u64()?,
        positions: point["positions"]["count"].as_u64()?,
        set: match point["positions"]["set"].as_str()? {
            "frozen" => "of real games".into(),
            other => other.into(),
        },
        mean: cycles("mean")?,
        median: cycles("median")?,
        p95: cycles("p95")?,
        max: cycles("max")?,
        busy: point["busy"].as_f64()?,
        simulator: point["simulator"].as_str()?.into(),
    })
}

fn area(point: &Value) -> Option<Area> {
    let cells = |key: &str| point[key].as_u64();
    Some(Area {
        lut: cells("lut")?,
        ff: cells("ff")?,
        carry4: cells("carry4")?,
        lutram: cells("lutram")?,
        bram: point["bram"].as_f64()?,
        dsp: cells("dsp")?,
        path_ns: point["path_ns"].as_f64(),
        synthesis: point["synthesis"].as_str()?.into(),
        device: (XC7A200T.name.into(), XC7A200T.lut, XC7A200T.ff),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::named::NAMED;
    use vivado::recorded::short;

    /// `UPDATE_EXPECT=1 cargo test -p lab` writes the list anew.
    #[test]
    fn the_list_of_cores_is_of_todays() {
        let line = |(name, _): &(&str, &str)| format!("{}  {name}\n", core_sha256(&named(name).unwrap()));
        let today: String = NAMED.iter().map(line).collect();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/cores.sha256"), &today).unwrap();
        } else {
            assert_eq!(CORES, today, "UPDATE_EXPECT=1 cargo test -p lab writes it anew");
        }
    }

    #[test]
    fn the_main_core_has_figures_and_another_has_none() {
        let config = named("gomoku15").unwrap();
        let found = recorded(&config).unwrap();
        let full = found.searches.iter().find(|search| search.levels == config.levels as u64).unwrap();
        assert!(full.positions >= 100 && full.mean > 1000.0, "{found:?}");
        // Two mappers, each once: what they differ by is the estimate's uncertainty.
        let programs: Vec<&str> = found.areas.iter().map(|area| short(&area.synthesis)).collect();
        assert_eq!(programs, ["Yosys 0.23", "Yosys 0.70"]);
        // The hash is of the core: other registers, other figures.
        let other = Config { contexts: 7, ..config };
        assert_eq!(recorded(&other).unwrap(), Recorded::default());
    }
}
