// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen regress`: plans run once, resume, merge, and say what is wrong with them.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PLAN: &str = r#"
title = "A short one"
about = "Three runs."
moves = 4
seeds = [1, 2]
back_pressure = 0.2
[[run]]
config = "tictactoe"
face = "axis"
[[run]]
config = "gomoku7"
seeds = [1]
face = "ahb"
"#;

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("regress-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("plan.toml"), PLAN).unwrap();
    folder
}

fn regress(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command
        .current_dir(folder)
        .args(["regress", "plan.toml", "--out", "out"])
        .args(arguments)
        .output()
        .unwrap()
}

fn printed(output: &Output) -> String {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_package_is_shown_to_others_tools() {
    let folder = place("tools");
    let plan = r#"
title = "Tools"
about = "One core."
[[bench]]
config = "tictactoe"
faces = ["apb"]
tools = ["icarus"]
icarus_clocks = 3000
[[random]]
configurations = 1
side = 4
seed = 5
sample = 0
sample_cells = 16
sample_levels = 2
"#;
    std::fs::write(folder.join("plan.toml"), plan).unwrap();
    let page = printed(&regress(&folder, &["--threads", "1"]));
    assert!(
        page.contains("| tictactoe-apb | icarus | ") && page.contains("| random000 | lint | clean |"),
        "{page}"
    );
    assert!(page.contains("\n2 checks, 0 failed.") && page.contains("Icarus Verilog version"), "{page}");
    assert!(printed(&regress(&folder, &["--json"])).contains("\"ran\":0"));
    // A tool that is not there is no fault of the core.
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(&folder)
        .env("PATH", "/nowhere")
        .args(["regress", "plan.toml", "--out", "other"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && told.contains("no such program; apt-get install"), "{told}");
}

#[test]
fn a_plan_is_run_once_and_shards_give_the_same_report() {
    let whole = place("whole");
    let page = printed(&regress(&whole, &["--report", "page.md"]));
    assert!(page.starts_with("# A short one\n\nWritten by `tengen regress plan.toml`; Verilator "), "{page}");
    assert!(page.contains("| gomoku7-ahb | 1 | 4 of 4 |") && page.contains("\n3 jobs, "), "{page}");
    assert!(page.contains(" 0 mismatches."), "{page}");
    assert_eq!(std::fs::read_to_string(whole.join("page.md")).unwrap(), page);

    // Job by job, each by a program of its own, as a scheduler would.
    let shards = place("shards");
    let commands = printed(&regress(&shards, &["--list"]));
    let names: Vec<&str> = commands.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(names, ["tictactoe.1", "tictactoe.2", "gomoku7-ahb.1"]);
    let early = regress(&shards, &["--merge"]);
    let told = String::from_utf8_lossy(&early.stderr).into_owned();
    assert!(
        early.status.code() == Some(2) && told.contains("have not run on today's core: tictactoe.1"),
        "{told}"
    );
    for name in names.iter().rev() {
        printed(&regress(&shards, &["--job", name]));
    }
    // What a killed run left behind is not taken for an outcome.
    std::fs::write(shards.join("out/tictactoe.1.json.77.part"), "{").unwrap();
    assert_eq!(printed(&regress(&shards, &["--merge"])), page, "byte for byte");

    // A damaged outcome is played again, the others stay; a changed job is another one.
    std::fs::write(shards.join("out/tictactoe.2.json"), "{").unwrap();
    let object: serde_json::Value = serde_json::from_str(&printed(&regress(&shards, &["--json"]))).unwrap();
    assert_eq!((&object["ran"], &object["kept"], &object["mismatches"]), (&1.into(), &2.into(), &0.into()));
    std::fs::write(shards.join("plan.toml"), PLAN.replace("moves = 4", "moves = 5")).unwrap();
    assert!(printed(&regress(&shards, &["--json"])).contains("\"ran\":3"));
}

#[test]
fn wrong_plans_and_words_are_told() {
    let folder = place("wrong");
    for (plan, arguments, part) in [
        (
            PLAN.to_string(),
            &["--job", "nothing.1"][..],
            "plan.toml has no job \"nothing.1\": it has tictactoe.1",
        ),
        (PLAN.replace("gomoku7", "gomoku8"), &[], "run gomoku8: no configuration \"gomoku8\""),
        (PLAN.replace("moves = 4", "move = 4"), &[], "unknown field `move`"),
        (
            "title = \"T\"\nabout = \"\"\nmoves = 1\nseeds = []\nback_pressure = 0\n".into(),
            &[],
            "it has no [[run]]",
        ),
    ] {
        std::fs::write(folder.join("plan.toml"), plan).unwrap();
        let output = regress(&folder, arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.contains(part), "{told}");
    }
    assert!(!folder.join("out").exists(), "nothing is left behind");
}
