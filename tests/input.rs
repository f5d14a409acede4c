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
    refused(&["cosim", "--config", &file(&place, "bytes.toml", [0xff, 0xfe, 0])], "bytes.toml");
    // A comma is a character like others.
    let text = include_str!("../configs/tictactoe.toml");
    let comma = file(&place, "a,b.toml", text);
    let output = tengen(&["cosim", "--config", &comma, "--moves", "2"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What of a configuration's text a program may write in its own way: marks, ends of lines, charsets, quotes, where the base stands.
#[test]
fn configurations_of_other_editors() {
    let place = folder("editors");
    let name_of = |text: &[u8]| {
        let config = file(&place, "mine.toml", text);
        let out = place.join("out");
        let _ = std::fs::remove_dir_all(&out);
        let output = tengen(&["solve", "0,0", "--config", &config, "--best", "1", "--json"]);
        assert!(output.status.success(), "{text:?}: {}", String::from_utf8_lossy(&output.stderr));
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        object["config"].as_str().unwrap().to_string()
    };
    for text in [
        &b"\xef\xbb\xbfbase = \"gomoku7\"\r\nname = \"mine\"\r\n"[..],
        b"\"base\" = \"gomoku7\"\nname = \"mine\"\n",
        b"'base' = \"gomoku7\"\rname = \"mine\"\r",
        b"base = \"gomoku7\" # Jos\xe9\nname = \"mine\"\n",
        b"name = \"mine\"\nwindow_scores = [\n  0, 1,\n  8, 64,\n]\nbase = \"gomoku7\"\n",
    ] {
        assert_eq!(name_of(text), "mine", "{}", String::from_utf8_lossy(text));
    }
    // A mistake is still told with its line.
    let wrong = file(&place, "wrong.toml", "name = \"mine\"\n\"base\" = \"gomoku7\"\nlevels = \"four\"\n");
    refused(&["solve", "0,0", "--config", &wrong], "line 3");
}

/// One game in the forms and charsets that programs write, for every verb that takes games.
#[test]
fn games_of_other_programs() {
    let place = folder("programs-games");
    let position = |text: &[u8]| {
        let game = file(&place, "game", text);
        let output = tengen(&["solve", &game, "--levels", "1", "--best", "1", "--json"]);
        assert!(output.status.success(), "{text:?}: {}", String::from_utf8_lossy(&output.stderr));
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        object["position"].as_str().unwrap().to_string()
    };
    for text in [
        &b"\xef\xbb\xbf7,7 8,6\r\n"[..],
        b"7,7\t8,6\r",
        b"0,0,\t1,-1",
        b"0,0,1,-1",
        b"h8i9",
        b"(;GM[4]CA[ISO-8859-1]SZ[15]PB[Jos\xe9];B[hh];W[ig])",
        b"(;GM[4]SZ[15]PB[Jos\xe9];b[hh];w[ig])",
        b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,0\r\nS\xf8ren\r\nother\r\n-1\r\n",
    ] {
        assert_eq!(position(text), "7,7 8,6", "{}", String::from_utf8_lossy(text));
    }
    let output = tengen(&["solve", "H8 i9", "--levels", "1", "--best", "1", "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["position"], "7,7 8,6");
    let both = file(&place, "both", "7,7, 8,8, 6,6");
    for verb in [&["solve", &both][..], &["openings", &both], &["cosim", "--games", &both]] {
        refused(verb, "from the corner (h8 i7 g9) or from the centre (no game of this board)");
    }
}

/// What keeps a simulation from being compiled is named, before anything is compiled.
#[test]
fn what_keeps_a_model_from_being_compiled_is_named() {
    let place = folder("cannot-compile");
    let run = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command
            .args(["cosim", "--config", "tictactoe", "--moves", "1"])
            .env("TENGEN_CACHE", place.join("cache"));
        variables.iter().for_each(|(name, value)| {
            command.env(name, value);
        });
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{variables:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let told = run(&[("VERILATOR_ROOT", "/nonexistent")]);
    assert!(told.contains("no include/verilated.h in Verilator's root /nonexistent"), "{told}");
    let told = run(&[("CXX", "no-such-launcher g++"), ("VERILATOR_ROOT", "")]);
    assert!(told.contains("`no-such-launcher`"), "{told}");
    let told = run(&[("CXX", "\"g++")]);
    assert!(told.contains("a quote of CXX has no end"), "{told}");
    // A file system without locks.
    let source = file(
        &place,
        "nolock.c",
        "#include <errno.h>\nint flock(int fd, int how) { (void)fd; (void)how; errno = ENOSYS; return -1; }\n",
    );
    let library = place.join("nolock.so");
    let library = library.to_str().unwrap();
    assert!(
        Command::new("cc").args(["-shared", "-fPIC", &source, "-o", library]).status().unwrap().success()
    );
    let told = run(&[("LD_PRELOAD", library)]);
    assert!(told.contains("has no file locks") && told.contains("TENGEN_CACHE"), "{told}");
}

/// Compilers are words as a shell splits them.
#[test]
fn a_compiler_may_have_a_launcher() {
    let place = folder("launcher");
    let little = file(&place, "little.toml", engine_model::sample::little(1).to_toml());
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["cosim", "--config", &little, "--moves", "1"])
        .env("TENGEN_CACHE", place.join("cache"))
        .env("CXX", "env LAUNCHED='by a launcher' c++ -m64")
        .env("VERILATOR_ROOT", "")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // The root as Verilator tells it itself, which on Debian has no program; a compiler that is nothing but blanks is none.
    let root = Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]).output().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["cosim", "--config", &little, "--moves", "1"])
        .env("TENGEN_CACHE", place.join("other"))
        .env("CXX", " ")
        .env("VERILATOR_ROOT", String::from_utf8(root.stdout).unwrap().trim())
        .output()
        .unwrap();
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
    // The way out that is told is one, and told only where it is.
    let passed = file(&place, "passed.sgf", "(;GM[4]SZ[15];B[hh];W[])");
    refused(
        &["solve", &passed],
        "move 2 is a pass, which Gomoku does not have: end the game before it (--moves 1)",
    );
    let before = fed(&["solve", &passed, "--moves", "1", "--levels", "2"], b"");
    assert!(before.status.success(), "{}", String::from_utf8_lossy(&before.stderr));
    let openings = fed(&["openings", &passed], b"");
    let error = String::from_utf8_lossy(&openings.stderr);
    assert!(error.contains("move 2 is a pass") && !error.contains("--moves"), "{error}");
    let halved = file(&place, "halved.sgf", b"(;GM[4]CA[johab]PB[\x88\x5c];B[hh])");
    refused(&["solve", &halved], "the charset \"johab\" is not known here");
}

#[test]
fn a_byte_that_is_no_text_does_not_end_a_game() {
    let output = fed(&["play", "--config", "tictactoe"], b"\xff\xfe\n0,0\nmoves\nquit\n");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("a3 "), "{said}");
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
        (&["--clock", "1Hz"], "from 1 kHz to 4 GHz"),
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
