// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every file of a package, as texts: writing them is the caller's business.

pub use crate::identity::{Format, LIBRARY, PART, VENDOR, sha256};

use crate::recorded::Recorded;
use crate::{Face, bench, beside, core_file, data_sheet, diagram, ip_xact, readme, stimulus, tcl, wujian100};
use engine_model::Config;
use hdl::package::File;
use hdl::{Emission, Layout};
use serde_json::{Value, json};
use std::path::{Component, Path};

/// Engine moves recorded for the test bench.
const RECORDED_MOVES: usize = 50;
/// Seed of their opponents.
const RECORDED_SEED: u64 = 1;

/// The emission behind a face.
pub fn emission(config: &Config, face: Face) -> Emission {
    match face {
        Face::Axis => hdl::emit_engine(config),
        Face::Slot(face) => soc_integration::emit_slot(config, face),
    }
}

/// Every file of a package of a checked configuration, its README first and its manifest last. `recorded` is what was measured of
/// this very core, for the data sheet.
pub fn files(config: &Config, face: Face, format: Format, recorded: &Recorded) -> Vec<File> {
    // Everything in the package is of the core that ships: its answers tell whether it is traced.
    let config = &match face {
        Face::Axis => config.clone(),
        Face::Slot(_) => soc_integration::behind_bus(config),
    };
    let emission = emission(config, face);
    let mut files = match face {
        Face::Axis => hdl::package::files(config),
        Face::Slot(face) => soc_integration::package::files(config, face),
    };
    let top = &emission.top;
    let file = |path: String, purpose: &'static str, text: String| File { path, purpose, text };
    if face == Face::Axis {
        let text = soc_integration::projections::c_header::stream_codes();
        files.push(file("sw/tengen_stream.h".into(), "codes of commands and answers for C", text));
    }
    let layout = Layout::new(config);
    let drawing = diagram::svg(&layout, face);
    files.push(file(
        "doc/datasheet.md".into(),
        "data sheet: ports, latency, area, registers, commands, limits",
        data_sheet::text(config, face, &emission, "block.svg", recorded),
    ));
    files.push(file("doc/block.svg".into(), "its block diagram", drawing));
    let exchanges = stimulus::record(config, RECORDED_MOVES, RECORDED_SEED);
    files.push(file(
        format!("sim/tb_{top}.v"),
        "self-checking test bench",
        bench::text(face, &layout, &emission, &exchanges),
    ));
    files.push(file("sim/games.hex".into(), "recorded games for it", stimulus::memory(&exchanges)));
    files.push(file("sim/Makefile".into(), "runs it: make icarus, make verilator", bench::makefile(top)));
    files.extend(beside::files(config, face, &emission));
    if format != Format::Plain {
        let ending = |suffix: &str| -> Vec<&str> {
            files.iter().map(|file| file.path.as_str()).filter(|path| path.ends_with(suffix)).collect()
        };
        let text = core_file::text(config, top, &ending(".vlt"), &ending(".xdc"));
        files.push(file(format!("{top}.core"), "FuseSoC: lint, sim, synth", text));
    }
    if format == Format::Vivado {
        let ooc = format!("constraints/{top}_ooc.xdc");
        let constraints: Vec<&str> = files
            .iter()
            .map(|file| file.path.as_str())
            .filter(|path| path.ends_with(".xdc"))
            .chain([ooc.as_str()])
            .collect();
        let synthesis = tcl::synthesis(&emission, &constraints);
        let gui = format!("xgui/{top}_v{}.tcl", ip_xact::version().replace('.', "_"));
        // The constraints of synthesis alone are none of a design's.
        let component = ip_xact::text(config, face, &emission, &files, &gui);
        files.push(file(
            ooc,
            "clock and delays for synthesis alone",
            tcl::out_of_context(config, face, &emission),
        ));
        files.push(file("tcl/synth_ooc.tcl".into(), "out-of-context synthesis, reports", synthesis));
        files.push(file(
            "tcl/package_ip.tcl".into(),
            "packs the core anew by Vivado",
            tcl::packaging(face, &emission),
        ));
        if face == Face::Slot(soc_integration::Face::Axil) {
            files.push(file(
                "pynq/overlay.tcl".into(),
                "a Zynq overlay with it by Vivado, for PYNQ",
                tcl::overlay(config, &emission),
            ));
        }
        if face == Face::Slot(soc_integration::Face::Ahb) {
            for (path, purpose, script) in [
                (
                    "tcl/wujian100.tcl",
                    "wujian100_open with it by Vivado, to a bitstream",
                    wujian100::vivado_alone(&emission),
                ),
                (
                    "tcl/wujian100_synplify.tcl",
                    "wujian100_open with it, a project for Synplify",
                    wujian100::synplify_project(&emission),
                ),
                (
                    "tcl/wujian100_netlist.tcl",
                    "Synplify's netlist, to a bitstream",
                    wujian100::netlist(&emission),
                ),
            ] {
                files.push(file(path.into(), purpose, script));
            }
        }
        files.push(file(gui, "customisation page", tcl::gui()));
        files.push(file("component.xml".into(), "IP-XACT: the folder is a Vivado IP repository", component));
    }
    let mut text = readme::text(config, face, format, &emission, &files);
    let first = file(readme::PATH.into(), "how to use it, what is in the folder", String::new());
    files.insert(0, first);
    text.push_str(&readme::contents(&files));
    files[0].text = text;
    let manifest = manifest(config, face, &files);
    files.push(file(MANIFEST.into(), "what this is, with a hash of every file", manifest));
    files
}

/// Name of a package's manifest.
pub const MANIFEST: &str = "manifest.json";

/// The files that a manifest names, if it is one of ours; every path lies within the package.
pub fn listed(manifest: &str) -> Option<Vec<String>> {
    let object: Value = serde_json::from_str(manifest).ok()?;
    if object["generator"] != GENERATOR {
        return None;
    }
    let path = |file: &Value| Some(file["path"].as_str()?.to_string());
    let paths: Vec<String> = object["files"].as_array()?.iter().map(path).collect::<Option<_>>()?;
    let within =
        |path: &String| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    paths.iter().all(within).then_some(paths)
}

/// The hash that a manifest of ours has of a file.
pub fn hash_of(manifest: &str, path: &str) -> Option<String> {
    let object: Value = serde_json::from_str(manifest).ok()?;
    let file = object["files"].as_array()?.iter().find(|file| file["path"] == path)?;
    Some(file["sha256"].as_str()?.to_string())
}

/// Who writes packages.
const GENERATOR: &str = "tengen";

/// Configuration, version and a hash of every other file.
fn manifest(config: &Config, face: Face, files: &[File]) -> String {
    manifest_of(json!({ "name": config.name, "face": face.name(), "configuration": config.to_toml() }), files)
}

/// The manifest of a folder of ours: what is said of it, the version, and a hash of every file.
pub fn manifest_of(mut about: Value, files: &[File]) -> String {
    let listed: Vec<_> = files
        .iter()
        .map(|file| json!({ "path": file.path, "purpose": file.purpose, "sha256": sha256(&file.text) }))
        .collect();
    about["generator"] = GENERATOR.into();
    about["version"] = hdl::VERSION.into();
    about["files"] = listed.into();
    format!("{about:#}\n")
}
