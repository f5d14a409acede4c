// SPDX-License-Identifier: MIT OR Apache-2.0
//! Emitted cores are clean in Verilator, Icarus Verilog and Yosys: the shipped ones and random legal configurations.
//!
//! Yosys reads, checks and elaborates one core here, and synthesises the smallest in `tests/area.rs`: gomoku15 takes it a
//! quarter of an hour and more, which is for `./tengen area`.
#![allow(missing_docs)]

mod tools;

use engine_model::Config;
use engine_model::sample::{self, Most};
use std::path::{Path, PathBuf};
use std::process::Command;
use tools::{clean, shipped};

/// Writes the package of a configuration; returns its folder.
fn write(config: &Config) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lint-{}", config.name));
    for file in hdl::package::files(config).unwrap() {
        let path = folder.join(file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file.text).unwrap();
    }
    folder
}

fn verilator_and_icarus(config: &Config) {
    let folder = write(config);
    let (list, top) = (format!("{}.f", config.name), format!("{}_engine", config.name.replace('-', "_")));
    clean(
        &folder,
        "verilator",
        &["--lint-only", "-Wall", "lint/waivers.vlt", "-f", &list, "--top-module", &top],
    );
    clean(&folder, "iverilog", &["-g2001", "-Wall", "-Wno-timescale", "-t", "null", "-f", &list]);
}

#[test]
fn shipped_cores() {
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        verilator_and_icarus(&shipped(name));
    }
    verilator_and_icarus(&Config { trace: true, ..shipped("gomoku15") });
}

#[test]
fn yosys_finds_no_latch_and_no_loop() {
    let folder = write(&Config { name: "yosys".into(), ..shipped("gomoku7") });
    let script = "read_verilog rtl/yosys_engine.v; prep -top yosys_engine; check -assert; \
                  select -assert-none t:$dlatch t:$dlatchsr t:$adlatch; select -assert-any t:$mem_v2";
    let output = Command::new("yosys").args(["-q", "-p", script]).current_dir(&folder).output();
    let output = output.expect("./tengen test installs yosys");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !text.contains("ERROR"), "{text}");
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
    config.check().unwrap();
    verilator_and_icarus(&config);
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
