// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packaged files run by themselves: the test bench of every face in Icarus Verilog passes, and fails when an answer is
//! altered; the manifest has every file.
#![allow(missing_docs)]

mod common;
#[path = "../../hdl/tests/tools/verdicts.rs"]
mod verdicts;

use common::write;
use engine_model::{Config, sample};
use hdl::Layout;
use std::path::Path;
use std::process::Command;
use vivado::Face;
use vivado::package::{Format, emission, files, sha256};
use vivado::recorded::Recorded;
use vivado::{bench, stimulus};

fn config(name: &str) -> Config {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../configs/{name}.toml"));
    Config::from_toml(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// `make icarus` with arguments for the test bench: whether it passed, and what it said.
fn icarus(folder: &Path, arguments: &str) -> (bool, String) {
    let output = Command::new("make")
        .args(["-s", "icarus", &format!("ARGS={arguments}")])
        .current_dir(folder.join("sim"))
        .output()
        .expect("make and iverilog");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

/// The simulator that all of these run in.
const ICARUS: [&str; 2] = ["iverilog", "-V"];

/// A check of a package in a folder, unless it has passed before.
fn once(what: &str, tools: &[[&str; 2]], folder: &Path, check: impl FnOnce()) {
    verdicts::once(what, include_str!("package.rs"), tools, &verdicts::all(folder), check);
}

/// How many answers a run compared that passed and was stopped before its end.
fn compared(text: &str) -> usize {
    let answers = text.split("PASS: stopped after ").nth(1).and_then(|rest| rest.split(' ').nth(2));
    answers.and_then(|answers| answers.parse().ok()).unwrap_or_else(|| panic!("no answers: {text}"))
}

#[test]
fn the_test_bench_of_every_face_passes_by_itself() {
    // At once, and not to the end: half a minute each, of one core.
    const CLOCKS: usize = 12_000;
    std::thread::scope(|scope| {
        for face in Face::ALL {
            scope.spawn(move || {
                // A core in a slot is without trace outputs, and answers so, whatever is asked for.
                let trace = face != Face::Axis;
                let config = Config { levels: 2, contexts: 4, trace, ..config("gomoku7") };
                let package = files(&config, face, Format::Plain, &Recorded::default());
                let folder = write(&format!("bench-{}", face.name()), &package);
                once(face.name(), &[ICARUS], &folder, || {
                    let (good, text) = icarus(&folder, &format!("+max_cycles={CLOCKS}"));
                    assert!(good && compared(&text) >= 150, "{}: {text}", face.name());
                });
            });
        }
    });
}

#[test]
fn it_fails_when_an_answer_is_altered_or_missing() {
    // Sliced: passes take longer, and beside a search more clocks go by.
    let sliced = Config { rows_per_clock: 1, ..smallest("altered") };
    sliced.check().unwrap();
    let package = files(&sliced, Face::Axis, Format::Plain, &Recorded::default());
    let folder = write("altered", &package);
    shorten(&folder, &sliced, 8);
    once("altered", &[ICARUS], &folder, || fails_when_altered(&folder));
}

fn fails_when_altered(folder: &Path) {
    let (good, text) = icarus(folder, "");
    assert!(good && text.contains("PASS: ") && !text.contains("stopped"), "{text}");
    let clocks =
        text.lines().find_map(|line| line.strip_suffix(" clocks")?.rsplit(' ').next()?.parse::<u64>().ok());
    let clocks = clocks.unwrap_or_else(|| panic!("no clocks: {text}"));
    let games = std::fs::read_to_string(folder.join("sim/games.hex")).unwrap();
    // The second word of the first move's answer.
    let mut altered: Vec<String> = games.lines().map(String::from).collect();
    let line = altered.iter_mut().find(|line| line.starts_with("00000001 00000902")).unwrap();
    let flipped = if line.ends_with('0') { '1' } else { '0' };
    line.pop();
    line.push(flipped);
    std::fs::write(folder.join("sim/altered.hex"), altered.join("\n")).unwrap();
    // Held to the clocks that it took it passes; to others, it tells that too.
    let held = |games: &str, clocks: u64| icarus(folder, &format!("{games}+search_clocks={clocks}"));
    let ((passes, own), (good, text)) = std::thread::scope(|scope| {
        let own = scope.spawn(|| held("", clocks));
        let other = held("+games=altered.hex ", clocks + 1);
        (own.join().unwrap(), other)
    });
    assert!(passes && own.contains("PASS: "), "{own}");
    assert!(!good && text.contains("FAIL: ") && text.contains(", 1 wrong"), "{text}");
    assert!(text.contains(&format!("took {clocks} clocks, not {}", clocks + 1)), "{text}");
    let (good, text) = icarus(folder, "+games=altered.hex +max_cycles=8000");
    assert!(!good && text.contains("FAIL: ") && text.contains(", 1 wrong"), "stopped early: {text}");
    let (good, text) = icarus(folder, "+games=nothing.hex");
    assert!(!good && text.contains("name their file with +games=FILE"), "{text}");
    for number in ["max_cycles=0x1000", "search_clocks=0x10", "search_clocks=0"] {
        let (good, text) = icarus(folder, &format!("+{number}"));
        assert!(!good && text.contains("in decimal") && !text.contains("PASS"), "{number}: {text}");
    }
    let (good, text) = icarus(folder, "+max_cycles=300");
    assert!(good && text.contains("PASS: stopped after"), "{text}");
}

/// Puts a shorter record of games in the place of a package's, for its test bench to play to the end.
fn shorten(folder: &Path, config: &Config, moves: usize) {
    let exchanges = stimulus::record(config, moves, 1);
    let emission = emission(config, Face::Axis);
    let bench = bench::text(Face::Axis, &Layout::new(config), &emission, &exchanges);
    std::fs::write(folder.join(format!("sim/tb_{}.v", emission.top)), bench).unwrap();
    std::fs::write(folder.join("sim/games.hex"), stimulus::memory(&exchanges)).unwrap();
}

/// Gates of a larger one take for ever in Icarus Verilog.
fn smallest(name: &str) -> Config {
    Config { name: name.into(), ..sample::little(1) }
}

#[test]
fn a_netlist_plays_the_recorded_games() {
    let package = files(&smallest("netlist"), Face::Axis, Format::Plain, &Recorded::default());
    let folder = write("netlist", &package);
    once("netlist", &[ICARUS, ["yosys", "-V"]], &folder, || netlist_plays(&folder));
}

fn netlist_plays(folder: &Path) {
    let top = "netlist_engine";
    let script = format!("read_verilog rtl/{top}.v; synth -top {top}; write_verilog -noattr sim/netlist.v");
    let run = |program: &str, arguments: &[&str], place: &Path| {
        let output = Command::new(program).args(arguments).current_dir(place).output().expect(program);
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {text}");
        text
    };
    run("yosys", &["-q", "-p", &script], folder);
    let sim = folder.join("sim");
    let bench = format!("tb_{top}.v");
    run("iverilog", &["-g2001", "-s", "tb", "-o", "netlist.vvp", &bench, "netlist.v"], &sim);
    // A minute of one core.
    let text = run("vvp", &["-N", "netlist.vvp", "+max_cycles=12000"], &sim);
    assert!(compared(&text) >= 250, "{text}");
}

#[test]
fn the_manifest_has_every_file_and_two_packages_are_the_same() {
    for face in Face::ALL {
        let package = files(&config("tictactoe"), face, Format::Vivado, &Recorded::default());
        assert_eq!(package, files(&config("tictactoe"), face, Format::Vivado, &Recorded::default()));
        let (manifest, others) = package.split_last().unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest.text).unwrap();
        let listed: Vec<(&str, &str)> = manifest["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| (file["path"].as_str().unwrap(), file["sha256"].as_str().unwrap()))
            .collect();
        assert_eq!(listed.len(), others.len());
        for (file, (path, hash)) in others.iter().zip(listed) {
            assert_eq!((file.path.as_str(), sha256(&file.text).as_str()), (path, hash));
        }
    }
}
