// SPDX-License-Identifier: MIT OR Apache-2.0
//! Emitted cores are clean in Verilator, Icarus Verilog and Yosys: the shipped ones and random legal configurations.
//!
//! Yosys elaborates gomoku7 here and synthesises a small core: gomoku15 takes it a quarter of an hour and more, which is for
//! `./tengen area`.
#![allow(missing_docs)]

mod tools;

use engine_model::sample::{self, Most};
use engine_model::{BoundKind, Config, LeafKind, RuleSet};
use std::path::{Path, PathBuf};
use tools::{clean, elaborates, shipped};

/// Writes the package of a configuration; returns its folder.
fn write(config: &Config) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lint-{}", config.name));
    for file in hdl::package::files(config) {
        let path = folder.join(file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file.text).unwrap();
    }
    folder
}

fn verilator_and_icarus(config: &Config) {
    config.check().unwrap();
    let folder = write(config);
    let (list, top) = (format!("{}.f", config.name), format!("{}_engine", config.name.replace('-', "_")));
    clean(
        &folder,
        "verilator",
        &["--lint-only", "-Wall", "lint/waivers.vlt", "-f", &list, "--top-module", &top],
    );
    clean(&folder, "iverilog", &["-g2001", "-Wall", "-t", "null", "-f", &list]);
}

#[test]
fn shipped_cores() {
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        verilator_and_icarus(&Config { trace: false, ..shipped(name) });
    }
}

#[test]
fn a_core_with_trace_outputs() {
    verilator_and_icarus(&Config { trace: true, name: "traced".into(), ..shipped("gomoku7") });
}

#[test]
fn a_small_core_synthesises() {
    let gomoku7 = Config { name: "elaborated".into(), ..shipped("gomoku7") };
    elaborates(&write(&gomoku7), "rtl/elaborated_engine.v", "elaborated_engine", "");
    let top = "little_engine";
    let synthesis = format!("synth_xilinx -family xc7 -top {top}; check -assert");
    elaborates(&write(&sample::little(2)), &format!("rtl/{top}.v"), top, &synthesis);
}

#[test]
fn the_largest_core() {
    let config = Config {
        name: "largest".into(),
        columns: 20,
        rows: 20,
        in_a_row: 7,
        levels: 10,
        beam: vec![10, 10, 6],
        extensions: 8,
        candidate_radius: 2,
        window_scores: vec![0, 1, 5, 20, 100, 1000, 4681],
        four_three_bonus: 4095,
        ..shipped("gomoku15")
    };
    verilator_and_icarus(&config);
}

/// gomoku7 on a smaller board: what depends on rules and bounds is as there, and a tool reads it in a third of the time.
fn smaller(name: &str, bound: BoundKind) -> Config {
    let (columns, rows) = (6, 5);
    Config {
        name: name.into(),
        bound,
        columns,
        rows,
        rows_per_clock: rows,
        contexts: 4,
        ..shipped("gomoku7")
    }
}

#[test]
fn floors_of_slices_and_of_one_context() {
    let config = smaller("floors", BoundKind::Reply);
    verilator_and_icarus(&Config { contexts: 1, ..config.clone() });
    verilator_and_icarus(&Config { rows_per_clock: 2, ..config });
}

#[test]
fn replies_by_rules_and_with_one_context() {
    let config = Config { beam: vec![0], ..smaller("replies", BoundKind::Answer) };
    verilator_and_icarus(&Config { contexts: 1, ..config.clone() });
    verilator_and_icarus(&Config { four_three_bonus: 0, ..config.clone() });
    let forced = Config { rules: RuleSet::Forced, ..config.clone() };
    verilator_and_icarus(&Config { four_three_bonus: 0, leaf: LeafKind::Potential, ..forced.clone() });
    verilator_and_icarus(&forced);
    verilator_and_icarus(&Config {
        in_a_row: 3,
        window_scores: vec![0, 1, 4],
        four_three_bonus: 0,
        ..config.clone()
    });
    verilator_and_icarus(&Config { window_scores: vec![0, 0, 0, 1], ..config });
}

#[test]
fn moves_ahead_of_one_level_or_with_one_context() {
    let config = Config { beam: vec![0], ahead: 1, ..smaller("ahead", BoundKind::Answer) };
    verilator_and_icarus(&Config { contexts: 1, levels: 4, ..config.clone() });
    verilator_and_icarus(&Config { levels: 1, extensions: 0, bound: BoundKind::Gain, ..config });
}

#[test]
fn transpositions_with_and_without_a_beam_or_contexts() {
    let config = Config { extensions: 0, ahead: 1, transpositions: 16, ..smaller("table", BoundKind::Gain) };
    verilator_and_icarus(&Config { contexts: 1, levels: 5, ..config.clone() });
    verilator_and_icarus(&Config { levels: 4, beam: vec![0], bound: BoundKind::Answer, ..config });
}

#[test]
fn a_floor_that_nobody_asks_for() {
    let config = Config { name: "no-floor".into(), bound: BoundKind::Reply, ..shipped("tictactoe") };
    verilator_and_icarus(&Config { levels: 2, beam: vec![2], ..config });
}

#[test]
fn what_has_passed_is_asked_again_if_anything_differs() {
    // Of this run alone.
    let now = format!("{:?}", std::time::SystemTime::now());
    let runs = std::cell::Cell::new(0);
    let once = |what: &str, source: &str, input: &str, passes: bool| {
        let inputs = [now.clone().into_bytes(), input.into()];
        let check = || {
            runs.set(runs.get() + 1);
            assert!(passes, "on purpose");
        };
        let asked = || tools::verdicts::once(what, source, &[["verilator", "--version"]], &inputs, check);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(asked)).is_ok()
    };
    assert!(!once("what", "source", "input", false), "it fails");
    assert!(once("what", "source", "input", true), "a failure is not remembered");
    assert!(once("what", "source", "input", false) && runs.get() == 2, "what has passed is not asked again");
    for [what, source, input] in
        [["that", "source", "input"], ["what", "text", "input"], ["what", "source", "file"]]
    {
        assert!(!once(what, source, input, false), "{what}, {source}, {input}");
    }
}

#[test]
fn random_configurations() {
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..12 {
        let name = format!("random{round}");
        let config = sample::configuration(&name, Most::SMALL, |range| rng.usize(range));
        println!("{}", config.to_toml());
        verilator_and_icarus(&Config { trace: rng.bool(), ..config });
    }
}
