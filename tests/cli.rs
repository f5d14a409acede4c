// SPDX-License-Identifier: MIT OR Apache-2.0
//! The binary from outside: what it prints, what it writes, how it ends.
#![allow(missing_docs)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A core whose model with waveforms is compiled in half a minute.
const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cosim/rtl-tests/small.toml");

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the binary has been built")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the binary ends by itself")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = tengen(arguments);
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "one JSON object on stdout and nothing else: {text}");
    serde_json::from_str(&text).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn configs_lists_the_configurations() {
    let output = tengen(&["configs"]);
    assert_eq!(code(&output), 0);
    insta::assert_snapshot!("configs", stdout(&output));
    let object = json(&["configs", "--json"]);
    assert_eq!(object["configs"].as_array().unwrap().len(), engine_model::named::NAMED.len());
    assert_eq!(object["configs"][0]["parameters"]["columns"], 15);
}

#[test]
fn help_names_every_verb() {
    let output = tengen(&["--help"]);
    assert_eq!(code(&output), 0);
    insta::assert_snapshot!("help", stdout(&output));
}

#[test]
fn random_configurations_are_files_that_can_be_generated() {
    let out = folder("random");
    let path = out.to_str().unwrap();
    let arguments = ["configs", "--random", "3", "--side", "5", "--levels", "2", "--out", path];
    let output = tengen(&arguments);
    assert_eq!(code(&output), 0);
    let files: Vec<String> = stdout(&output).lines().map(String::from).collect();
    assert_eq!(files.len(), 3);
    for file in &files {
        let package = folder("random-package");
        json(&["generate", "--config", file, "--out", package.to_str().unwrap(), "--json"]);
        assert!(package.join("component.xml").exists());
    }
    let again = std::fs::read_to_string(&files[2]).unwrap();
    tengen(&arguments);
    assert_eq!(std::fs::read_to_string(&files[2]).unwrap(), again);
    let wrong = tengen(&["configs", "--random", "3", "--side", "21", "--out", path]);
    assert_eq!(code(&wrong), 2);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--side 21: must be 3 to 20"));
}

#[test]
fn generate_twice_gives_the_same_bytes() {
    for face in ["axis", "axil", "ahb", "apb"] {
        let (first, second) =
            (folder(&format!("generate-{face}")), folder(&format!("generate-{face}/elsewhere/again")));
        let [a, b] = [&first, &second].map(|out| {
            let out = out.to_str().unwrap();
            json(&["generate", "--config", "gomoku7", "--face", face, "--out", out, "--json"])["files"]
                .clone()
        });
        assert_eq!(a, b);
        let files = a.as_array().unwrap();
        assert_eq!(files.last().unwrap()["path"], "manifest.json");
        for file in files {
            let path = file["path"].as_str().unwrap();
            assert_eq!(std::fs::read(first.join(path)).unwrap(), std::fs::read(second.join(path)).unwrap());
        }
    }
    let first = folder("generate-sheet");
    assert_eq!(code(&tengen(&["generate", "--config", "gomoku7", "--out", first.to_str().unwrap()])), 0);
    insta::assert_snapshot!("data_sheet", std::fs::read_to_string(first.join("doc/datasheet.md")).unwrap());
    let readme = std::fs::read_to_string(first.join("README.md")).unwrap();
    insta::assert_snapshot!("generated_readme", readme);
}

#[test]
fn a_slot_comes_with_what_mounts_it() {
    let out = folder("generate-slot");
    let arguments =
        ["generate", "--config", "tictactoe", "--face", "ahb", "--out", out.to_str().unwrap(), "--json"];
    let object = json(&arguments);
    let paths: Vec<&str> =
        object["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    for path in [
        "rtl/tictactoe_ahb_slot.v",
        "sw/tengen_regs.h",
        "sw/tengen.c",
        "sw/tengen.svd",
        "doc/datasheet.md",
        "README.md",
    ] {
        assert!(paths.contains(&path), "{paths:?}");
    }
    insta::assert_snapshot!(
        "slot_data_sheet",
        std::fs::read_to_string(out.join("doc/datasheet.md")).unwrap()
    );
    insta::assert_snapshot!("generated_slot_readme", std::fs::read_to_string(out.join("README.md")).unwrap());
    let where_to = tengen(&["slot", "--slot", "2", "--config", "tictactoe"]);
    assert_eq!(code(&where_to), 0);
    insta::assert_snapshot!("slot", stdout(&where_to));
    let slot = json(&["slot", "--slot", "0", "--json"]);
    assert_eq!((&slot["base"], &slot["interrupt"]), (&0x4020_0000.into(), &46.into()));
}

#[test]
fn cosim_plays_through_a_slot() {
    for face in ["ahb", "apb", "axil"] {
        let object = json(&["cosim", "--face", face, "--config", "gomoku7", "--moves", "40", "--json"]);
        assert_eq!((&object["face"], &object["mismatches"]), (&face.into(), &0.into()));
        assert!(object["moves"].as_u64().unwrap() >= 40);
    }
}

#[test]
fn a_configuration_file_is_as_good_as_a_name() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/gomoku7.toml");
    let object = json(&["cosim", "--config", file, "--moves", "5", "--json"]);
    assert_eq!(object["config"], "gomoku7");
}

#[test]
fn cosim_reports_its_keys() {
    let object = json(&["cosim", "--config", "gomoku7", "--moves", "30", "--seed", "4", "--json"]);
    for key in ["config", "simulator", "seed", "moves", "nodes_compared", "mismatches", "cycles_per_second"] {
        assert!(!object[key].is_null(), "{key} is missing in {object}");
    }
    for key in ["mean", "median", "max"] {
        assert!(object["cycles"][key].as_f64().unwrap() > 0.0);
    }
    assert_eq!(object["mismatches"], 0);
    assert_eq!(object["moves"], 30);
    // The search's fingerprint: changes when, and only when, a decision does.
    assert_eq!(object["decisions"], "8d43000ba160cb47");
    assert_eq!(object["seed"], 4);
}

/// What a disagreement looks like, for anybody: the node, both sides' words, the board, a waveform, the command that shows it again.
#[test]
fn a_fault_that_is_put_in_is_shown() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("injected");
    std::fs::create_dir_all(&place).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).current_dir(&place).output();
        let output = output.unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    };
    let (code, said) = run(&["cosim", "--inject", "tie_between_groups"]);
    assert_eq!(code, Some(1), "{said}");
    for part in [
        "node [",
        "best: expected",
        "     a  b  c  d  e\n",
        "moves: 0,1 (a4)\n",
        "replay: ./tengen cosim --inject tie_between_groups",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // The command that it names shows it again.
    let replay = said.lines().find_map(|line| line.strip_prefix("replay: ./tengen ")).unwrap();
    let (code, again) = run(&replay.split(' ').collect::<Vec<_>>());
    let fault = |said: &str| said.lines().find(|line| line.starts_with("fault: ")).unwrap().to_string();
    assert_eq!((code, fault(&again)), (Some(1), fault(&said)));
    let (code, said) = run(&["cosim", "--inject", "list"]);
    assert!(code == Some(0) && said.contains("tie_between_groups") && said.lines().count() > 40, "{said}");
    let (code, said) = run(&["cosim", "--inject", "nothing"]);
    assert!(code == Some(2) && said.contains("`tengen cosim --inject list` names them"), "{said}");
}

#[test]
fn cosim_is_the_same_for_the_same_seed() {
    let run = |seed: &str| {
        let object = json(&["cosim", "--config", "gomoku7", "--moves", "40", "--seed", seed, "--json"]);
        (object["decisions"].clone(), object["cycles"].clone(), object["nodes_compared"].clone())
    };
    assert_eq!(run("9"), run("9"));
    assert_ne!(run("9"), run("10"));
}

#[test]
fn cosim_starts_from_real_games() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/midgame_120.txt");
    let object = json(&["cosim", "--config", "gomoku15", "--moves", "4", "--games", games, "--json"]);
    assert_eq!(object["mismatches"], 0);
    assert_eq!(object["decisions"], "3df249d8c75988c0");
}

#[test]
fn the_original_test_bench_is_replayed() {
    let object = json(&["original", "--json"]);
    assert_eq!(object["worse"], false);
    assert_eq!(object["positions"].as_array().unwrap().len(), 4);
    assert!(!object["game"].as_array().unwrap().is_empty());
}

#[test]
fn a_match_of_core_and_model_is_one_game_twice() {
    let out = folder("match-rtl");
    std::fs::create_dir_all(&out).unwrap();
    let openings = out.join("openings.txt");
    std::fs::write(&openings, "0,0\n0,0, 1,1\n").unwrap();
    let openings = openings.to_str().unwrap();
    let object = json(&["match", "rtl:gomoku7", "gomoku7", "--openings", openings, "--json"]);
    assert_eq!(object["games"], 4);
    assert_eq!(object["distinct_games"], 2);
    assert_eq!(object["elo"]["value"], 0.0);
    assert!(object["spent"]["a"]["cycles"]["median"].as_f64().unwrap() > 0.0);
    // The core runs ahead of what it knows, so it looks at more nodes.
    let nodes = |player: &str| object["spent"][player]["nodes"]["mean"].as_f64().unwrap();
    assert!(nodes("a") >= nodes("b") && nodes("b") > 0.0);
}

/// Midgame positions of gomoku7, none decided.
const GOMOKU7_POSITIONS: &str = "3,3 3,2 2,3 4,3\n3,3 4,2 2,2\n3,3 3,2 4,4 2,2 4,3 2,3\n";

#[test]
fn measure_reports_figures_that_fit_together() {
    let out = folder("measure");
    std::fs::create_dir_all(&out).unwrap();
    let (positions, page) = (out.join("positions.txt"), out.join("report.html"));
    std::fs::write(&positions, GOMOKU7_POSITIONS).unwrap();
    let object = json(&[
        "measure",
        "--config",
        "gomoku7",
        "--positions",
        positions.to_str().unwrap(),
        "--levels",
        "gomoku7",
        "gomoku7@2",
        "--clock",
        "50MHz",
        "--html",
        page.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!((&object["config"], &object["positions"]), (&"gomoku7".into(), &3.into()));
    assert_eq!((&object["clock_hz"], &object["mismatches"]), (&50e6.into(), &0.into()));
    assert_eq!(object["clocks_hz"].as_array().unwrap().len(), 3);
    let levels = object["levels"].as_array().unwrap();
    assert_eq!(levels.iter().map(|row| row["levels"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 2]);
    for row in levels {
        let figure = |of: &str, key: &str| row[of][key].as_f64().unwrap();
        let (mean, passes) = (figure("cycles", "mean"), figure("passes", "mean"));
        assert!(0.0 < passes && passes <= mean, "{row}");
        for (less, more) in [("median", "p95"), ("p95", "max")] {
            assert!(figure("cycles", less) <= figure("cycles", more), "{row}");
        }
        let busy = row["busy"].as_f64().unwrap();
        assert!((busy - passes / mean).abs() < 1e-9, "a pass takes one clock here: {row}");
        let bubbles: f64 =
            row["bubbles"].as_object().unwrap().values().map(|share| share.as_f64().unwrap()).sum();
        assert!((busy + bubbles - 1.0).abs() < 1e-9, "every clock has its cause: {row}");
        assert!(row["cancelled_of_passes"].as_f64().unwrap() <= 1.0);
        let throughput = &row["throughput"];
        assert!(
            throughput["threads"].as_u64().unwrap() >= 1 && throughput["engine"] == "fast",
            "{throughput}"
        );
        let best = throughput["positions_per_second"].as_f64().unwrap();
        let rounds = throughput["rounds"].as_array().unwrap();
        assert!(best > 0.0 && rounds.len() == 20, "{throughput}");
        let nodes: f64 =
            row["nodes_per_ply"].as_array().unwrap().iter().map(|nodes| nodes.as_f64().unwrap()).sum();
        assert!(0.0 < nodes && nodes <= passes, "{row}");
        let retired =
            row["occupancy"]["passes"].as_array().unwrap().iter().map(|passes| passes.as_u64().unwrap());
        assert!(retired.sum::<u64>() as f64 <= figure("passes", "max"), "{row}");
    }
    let software = object["software"].as_array().unwrap();
    let engines: Vec<&str> = software.iter().map(|engine| engine["engine"].as_str().unwrap()).collect();
    assert!(engines.starts_with(&["naive", "incremental", "fast"]), "{engines:?}");
    for engine in software {
        assert!(engine["seconds"]["median"].as_f64() <= engine["seconds"]["max"].as_f64());
        let row = levels.iter().find(|row| row["levels"] == engine["levels"]).unwrap();
        let core = row["cycles"]["mean"].as_f64().unwrap() / object["clock_hz"].as_f64().unwrap();
        let ratio = engine["seconds"]["mean"].as_f64().unwrap() / core;
        let speedup = engine["speedup"].as_f64().unwrap();
        assert!((ratio / speedup - 1.0).abs() < 1e-9, "{engine}");
        // Twice the clock, twice the speed.
        let at = |index: usize| engine["speedups"][index]["total"].as_f64().unwrap();
        assert!((at(2) / at(1) - 2.0).abs() < 1e-9, "{engine}");
    }
    assert!(object["targets"].as_array().unwrap().is_empty(), "they speak of gomoku15");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.matches("data-chart=").count() == 5,
        "all charts are inside"
    );
    assert!(
        !page.contains("src=") && !page.contains("<link") && !page.contains("@import"),
        "and what draws them"
    );
}

#[test]
fn cosim_writes_a_waveform_when_asked() {
    let out = folder("waves");
    std::fs::create_dir_all(&out).unwrap();
    let file = out.join("move.fst");
    let object =
        json(&["cosim", "--config", SMALL, "--moves", "3", "--waves", file.to_str().unwrap(), "--json"]);
    assert_eq!(object["mismatches"], 0);
    assert!(std::fs::metadata(&file).unwrap().len() > 1000);
    assert!(std::fs::read_to_string(out.join("move.gtkw")).unwrap().contains("core.level_1.alpha"));
    // The head of an FST: block 0, of 329 bytes.
    assert_eq!(std::fs::read(&file).unwrap()[..9], [0, 0, 0, 0, 0, 0, 0, 1, 73]);
}

#[test]
fn a_configuration_never_seen_before_plays_at_once() {
    let folder = folder("unseen");
    std::fs::create_dir_all(&folder).unwrap();
    let (file, cache) = (folder.join("mine.toml"), folder.join("cache"));
    let shipped = include_str!("../configs/tictactoe.toml");
    std::fs::write(&file, shipped.replace("tictactoe", "mine").replace("levels = 9", "levels = 2")).unwrap();
    // An empty cache and an empty folder: neither cargo nor a checkout is there.
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(arguments)
            .current_dir(&folder)
            .env("TENGEN_CACHE", &cache)
            .env_remove("CARGO")
            .output()
            .unwrap()
    };
    let play = ["cosim", "--config", "mine.toml", "--moves", "20", "--face", "ahb"];
    let output = run(&play);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(code(&output), 0, "{told}");
    assert!(told.contains("compiling mine behind ahb registers (once)"), "{told}");
    assert!(!String::from_utf8_lossy(&run(&play).stderr).contains("compiling"), "once");
    let models: Value = serde_json::from_str(&stdout(&run(&["models", "--json"]))).unwrap();
    let titles: Vec<&str> =
        models["models"].as_array().unwrap().iter().map(|model| model["title"].as_str().unwrap()).collect();
    assert!(titles.len() == 2 && titles.contains(&"mine behind ahb registers"), "{titles:?}");
    assert!(stdout(&run(&["models", "--clean"])).starts_with("2 models removed"));
    assert!(stdout(&run(&["models"])).contains(": 0 models, 0.0 MB"));
}

#[test]
fn a_shell_and_man_are_served() {
    assert!(stdout(&tengen(&["completions", "bash"])).contains("complete -F _tengen"));
    assert!(stdout(&tengen(&["manual"])).contains(".TH tengen 1"));
}

#[test]
fn wrong_input_is_refused_with_what_to_do() {
    let games = folder("wrong").join("games.txt");
    std::fs::create_dir_all(games.parent().unwrap()).unwrap();
    std::fs::write(&games, "7,7 8,x\n").unwrap();
    let (ended, waves) = (games.with_file_name("ended.txt"), games.with_file_name("late.fst"));
    std::fs::write(&ended, "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0\n").unwrap();
    let config = games.with_file_name("bad.toml");
    let shipped = include_str!("../configs/gomoku7.toml");
    std::fs::write(&config, shipped.replace("columns = 7", "columns = 70")).unwrap();
    for (arguments, part) in [
        (
            vec!["cosim", "--config", "nothing"],
            "use one of gomoku15, gomoku15-bare, gomoku15-deep, gomoku15-deep10, gomoku15-fifth, gomoku15-half, gomoku15-small, gomoku15-third, gomoku15-tiny, gomoku7, gomoku7-tiny, tictactoe, tictactoe-tiny, or a file",
        ),
        (vec!["cosim", "--config", "missing.toml"], "cannot read configuration missing.toml"),
        (vec!["cosim", "--config", config.to_str().unwrap()], "columns = 70: must be 1 to 20"),
        (vec!["cosim", "--moves", "0"], "0 is not in"),
        (vec!["cosim", "--back-pressure", "1.5"], "must be at least 0 and below 1"),
        (vec!["cosim", "--games", games.to_str().unwrap()], "line 1: \"8,x\" is not a move"),
        (vec!["cosim", "--games", ended.to_str().unwrap()], "game 1 has ended: nothing is left to play"),
        (
            vec!["cosim", "--config", SMALL, "--waves", waves.to_str().unwrap(), "--at-move", "5000"],
            "--at-move 5000: the game has only",
        ),
        (vec!["measure", "--clock", "fast"], "\"fast\" is not a clock: write for example 100MHz"),
        (vec!["measure", "--limit", "0"], "0 is not in"),
        (vec!["measure", "--positions", "nowhere.txt"], "cannot read nowhere.txt"),
        (vec!["measure", "--positions", games.to_str().unwrap()], "line 1: \"8,x\" is not a move"),
        (vec!["measure", "--positions", ended.to_str().unwrap()], "position 1 has ended"),
        (vec!["measure", "--levels", "gomoku15@9"], "9 levels asked for: this engine has 1 to 4"),
        (vec!["measure", "--levels", "gomoku7"], "plays another game than gomoku15"),
        (vec!["generate", "--config", "gomoku7"], "--out"),
        (vec!["generate", "--config", "gomoku7", "--out", "/dev/null/x"], "cannot make the folder"),
        (vec!["slot", "--slot", "4"], "4 is not in 0..4"),
        (vec!["cosim", "--face", "ahb", "--untraced"], "cannot be used with"),
        (vec!["frobnicate"], "unrecognized subcommand"),
    ] {
        let output = tengen(&arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), 2, "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn whoever_does_not_read_standard_error_ends_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unread");
    std::fs::create_dir_all(&folder).unwrap();
    // A changed core is emitted under another name, which is told on standard error.
    let config = folder.join("changed.toml");
    std::fs::write(&config, "base = \"gomoku7\"\ncontexts = 2\n").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["generate", "--format", "plain", "--config"])
        .arg(&config)
        .arg("--out")
        .arg(folder.join("out"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
