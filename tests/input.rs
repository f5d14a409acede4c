// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bad input of every kind: a sentence that says what to do, exit code 2, and nothing lost.
#![allow(missing_docs)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap()
}

/// Runs with this on standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("input").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

fn refused(arguments: &[&str], part: &str) {
    let output = tengen(arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(told.contains(part) && told.len() < 1_000, "{arguments:?}: {}", &told[..told.len().min(2_000)]);
    assert!(output.stdout.is_empty() && !told.contains("panicked"), "{arguments:?}: {told}");
}

#[test]
fn configurations() {
    let place = folder("configurations");
    refused(&["cosim", "--config", &file(&place, "empty.toml", "")], "it ends without name, columns");
    refused(
        &["cosim", "--config", &file(&place, "bytes.toml", [0xff, 0xfe, 0])],
        "cannot read configuration",
    );
    // A comma is a character like others.
    let text = include_str!("../configs/tictactoe.toml");
    let comma = file(&place, "a,b.toml", text);
    let output = tengen(&["cosim", "--config", &comma, "--moves", "2"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn games() {
    let place = folder("games");
    let long = file(&place, "long.sgf", format!("(;GM[4]{})", ";B[hh];W[hi]".repeat(100_000)));
    refused(&["solve", &long], "more than 1000 moves");
    let nested = file(&place, "nested.sgf", format!("(;GM[4]{}", "(;B[hh]".repeat(100_000)));
    refused(&["solve", &nested], "more than 1000 moves");
    let line = file(&place, "line.txt", "x".repeat(10_000_000));
    refused(&["solve", &line], "is not a move");
    refused(&["cosim", "--games", &line], "is not a move");
    refused(&["solve", "7,7", "--levels", "99"], "99 levels asked for: this engine has 1 to 4");
    refused(&["tactics", &file(&place, "empty.jsonl", "\n")], "holds no position");
}

#[test]
fn a_byte_that_is_no_text_does_not_end_a_game() {
    let output = fed(&["play", "--config", "tictactoe"], b"\xff\xfe\n0,0\nmoves\nquit\n");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("0,0 "), "{said}");
}

#[test]
fn a_program_that_does_not_exist_has_not_lost() {
    let openings = file(&folder("programs"), "openings", "0,0\n");
    refused(
        &["match", "gomoku15", "brain:/no/such/program", "--openings", &openings],
        "/no/such/program: cannot be started",
    );
}

#[test]
fn who_waits_is_told_what_for() {
    let folder = folder("waiting");
    let openings = file(&folder, "openings", "0,0\n");
    let script = file(&folder, "slow", "sleep 4\n");
    let engine = format!("brain:sh {script}");
    let output = tengen(&["match", "fast:gomoku15", &engine, "--openings", &openings]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.starts_with("... getting both sides ready: "), "{told}");
}

#[test]
fn wrong_usage_of_a_board_builds_nothing() {
    let folder = folder("board");
    let cache = folder.join("cache");
    for (arguments, part) in [
        (&["--help"][..], ""),
        (&["--slot", "99"], "99 is not in"),
        (&["--clock", "1"], "from 1 kHz to 4 GHz"),
        (&["--firmware", "missing"], "cannot read missing"),
        (&["--latency", "1", "--positions", "missing"], "cannot read missing"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        let output = command.arg("board").args(arguments).env("TENGEN_CACHE", &cache).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), part.is_empty(), "{told}");
        assert!(told.contains(part) && !told.contains("compiling") && !cache.exists(), "{told}");
    }
}

#[test]
fn a_package_replaces_a_package_and_nothing_else() {
    let place = folder("packages");
    let out = place.join("core");
    let out_text = out.to_str().unwrap();
    let generate = |config: &str, more: &[&str]| {
        tengen(&[&["generate", "--config", config, "--out", out_text][..], more].concat())
    };
    assert!(generate("tictactoe", &["--face", "ahb"]).status.success());
    let own = out.join("notes.txt");
    std::fs::write(&own, "mine").unwrap();
    assert!(out.join("rtl/tictactoe_ahb_slot.v").is_file());
    // Nothing of the other core is left, and what is no file of the package stays.
    assert!(generate("gomoku7", &["--format", "plain"]).status.success());
    assert!(!out.join("rtl/tictactoe_ahb_slot.v").exists() && !out.join("tcl").exists());
    assert!(out.join("rtl/gomoku7_engine.v").is_file());
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "mine");
    // A folder of somebody else's.
    let other = place.join("other");
    std::fs::create_dir_all(&other).unwrap();
    let readme = file(&other, "README.md", "theirs");
    let other_text = other.to_str().unwrap();
    refused(&["generate", "--config", "gomoku7", "--out", other_text], "neither empty nor a package");
    assert_eq!(std::fs::read_to_string(&readme).unwrap(), "theirs");
    // A manifest that names files elsewhere is none of ours.
    let manifest = r#"{ "generator": "tengen", "files": [{ "path": "../core/notes.txt" }] }"#;
    std::fs::write(other.join("manifest.json"), manifest).unwrap();
    refused(&["generate", "--config", "gomoku7", "--out", other_text], "neither empty nor a package");
    assert!(own.is_file());
    assert!(tengen(&["generate", "--config", "gomoku7", "--out", other_text, "--force"]).status.success());
    assert!(other.join("rtl/gomoku7_engine.v").is_file());
}
