// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program where its sources are not: what it comes with is there, and what needs the sources says so before it begins.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder outside of every git checkout.
fn elsewhere(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn tengen(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(arguments).current_dir(folder).env("GIT_CEILING_DIRECTORIES", "/");
    command.output().expect("the binary has been built")
}

/// What it says on standard output and standard error, and its exit code.
fn said(folder: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = tengen(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn positions_and_openings_are_inside_the_program() {
    let folder = elsewhere("shipped");
    let openings = "positions/openings_300.txt";
    for arguments in [
        &["tactics", "--levels", "2"][..],
        &["openings", "./positions/openings_freestyle15.txt", "--config", "gomoku15", "--levels", "2"],
        &["match", "fast:gomoku15@1", "fast:gomoku15@1", "--openings", openings, "--games", "2"],
        &["solve", "positions/midgame_120.txt", "--game", "3", "--levels", "1"],
    ] {
        let (_, error, code) = said(&folder, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {error}");
    }
    // A file of one's own of that name goes before it.
    std::fs::create_dir(folder.join("positions")).unwrap();
    std::fs::write(folder.join(openings), "nonsense\n").unwrap();
    let (_, error, code) = said(
        &folder,
        &["match", "fast:gomoku15@1", "fast:gomoku15@1", "--openings", openings, "--games", "2"],
    );
    assert!(code == Some(2) && error.contains("\"nonsense\" is not a move"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_recording_needs_git_and_a_folder_before_it_runs_anything() {
    let folder = elsewhere("record");
    let (_, error, code) = said(&folder, &["record", "results.jsonl", "--", "configs"]);
    assert!(code == Some(2) && error.contains("run it in their git checkout"), "{error}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (_, error, code) = said(root, &["record", "target/no/such/results.jsonl", "--", "configs"]);
    assert!(code == Some(2) && error.contains("there is no folder target/no/such"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_would_be_misunderstood_is_asked_for() {
    let folder = elsewhere("asked");
    let (_, error, code) = said(&folder, &["explore", "--config", "tictactoe"]);
    assert!(
        code == Some(2) && error.contains("say what to vary, for example --vary contexts=4,8,16"),
        "{error}"
    );
    let (_, error, code) = said(&folder, &["measure", "--clock", "50"]);
    assert!(
        code == Some(2) && error.contains("50 would be 50 hertz: write the unit, 50MHz or 50Hz"),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_was_asked_for_is_named_when_it_is_written() {
    let folder = elsewhere("written");
    let game = [
        "match",
        "fast:gomoku15@1",
        "fast:gomoku15@1",
        "--openings",
        "positions/openings_300.txt",
        "--games",
        "2",
    ];
    let (_, error, code) = said(&folder, &[&game[..], &["--html", "a.html", "--sgf", "a.sgf"]].concat());
    assert!(
        code == Some(0) && error.contains("a.html: written\n") && error.contains("a.sgf: written\n"),
        "{error}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn verbs_stand_in_groups() {
    let (help, _, _) = said(Path::new("."), &["--help"]);
    let groups: Vec<&str> =
        help.lines().filter(|line| !line.starts_with(' ') && line.ends_with(':')).collect();
    assert_eq!(groups, ["Make:", "Check:", "Play:", "Measure:", "Keep:", "Options:"]);
    assert!(help.contains("\n  generate     Write the IP core"), "{help}");
}
