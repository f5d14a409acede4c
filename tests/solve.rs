// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen solve` and `tengen tactics` from outside.
#![allow(missing_docs)]

use serde_json::Value;
use std::process::{Command, Output};

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().expect("the binary has been built")
}

fn text(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(tengen(&[arguments, &["--json"]].concat()))).unwrap()
}

#[test]
fn a_position_of_any_form_by_any_engine() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (sgf, psq) = (folder.join("solve.sgf"), folder.join("solve.psq"));
    std::fs::write(&sgf, "(;GM[4]SZ[15];B[hh];W[ii];B[gg];W[jj])").unwrap();
    std::fs::write(&psq, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n7,7,0\n10,10,0\na\nb\n-1\n").unwrap();
    let moves = "7,7 8,8 6,6 9,9";
    let of = |position: &str| json(&["solve", position]);
    let first = of(moves);
    assert_eq!(first["position"], moves);
    for path in [&sgf, &psq] {
        let other = of(path.to_str().unwrap());
        assert_eq!((&other["moves"], &other["line"]), (&first["moves"], &first["line"]));
    }
    assert_eq!(first["iterations"].as_array().unwrap().len(), 2, "levels 2 and 4");
    assert_eq!(first["moves"][0]["move"], first["iterations"][1]["move"]);
    assert_eq!(first["moves"].as_array().unwrap().len(), 5);
    for engine in ["greedy", "five-tuple", "line-shape", "pvs", "contract"] {
        let found = json(&["solve", moves, "--engine", engine, "--levels", "2", "--best", "2"]);
        assert!(found["iterations"][0]["nodes"].as_u64().unwrap() > 0, "{engine}: {found}");
        assert_eq!(found["moves"].as_array().unwrap().len(), 2, "{engine}");
    }
    let shorter = json(&["solve", moves, "--moves", "2", "--best", "1"]);
    assert_eq!(
        (&shorter["position"], shorter["moves"].as_array().unwrap().len()),
        (&Value::from("7,7 8,8"), 0)
    );
}

#[test]
fn the_simulated_core_says_what_the_model_says() {
    let of = |engine: &str| json(&["solve", "3,3 2,2", "--engine", engine, "--config", "gomoku7"]);
    let (model, rtl) = (of("model"), of("rtl"));
    assert_eq!((&model["moves"], &model["line"]), (&rtl["moves"], &rtl["line"]));
    assert!(rtl["iterations"][0]["cycles"].as_u64().unwrap() > 50);
}

#[test]
fn what_is_no_position_is_refused() {
    for (arguments, part) in [
        (&["7,7 7,7"][..], "is played twice"),
        (&["no-such-file"], "neither moves like h8 i9 or 7,7 8,6 nor a file"),
        (&["7,7 0,0 8,7 0,2 9,7 0,4 10,7 0,6 11,7"], "--moves 8 is its last open position"),
        (&["7,7", "--game", "2"], "--game 2: POSITION holds 1"),
        (&["7,7", "--moves", "2"], "--moves 2: the game has 1"),
        (&["7,7", "--levels", "5"], "5 levels asked for: this engine has 1 to 4"),
        (&["7,7", "--engine", "nobody"], "no engine \"nobody\""),
    ] {
        let output = tengen(&[&["solve"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn the_most_even_openings_are_kept() {
    let file = "positions/openings_freestyle15.txt";
    let judge = ["--config", "gomoku15", "--levels", "2"];
    let all = json(&[&["openings", file], &judge[..]].concat());
    let mut scores: Vec<i64> =
        all["openings"].as_array().unwrap().iter().map(|one| one["score"].as_i64().unwrap().abs()).collect();
    assert_eq!(scores.len(), 12);
    let kept = text(tengen(&[&["openings", file, "--keep", "4", "--threads", "2"], &judge[..]].concat()));
    let whole = std::fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let (mut places, mut worst) = (Vec::new(), 0);
    for line in kept.lines().skip(1) {
        let place = lines.iter().position(|other| other.trim() == line).expect("a line of the file");
        places.push(place);
        worst = worst.max(scores[place]);
    }
    assert!(places.len() == 4 && places.is_sorted(), "{places:?}");
    scores.sort_unstable();
    assert_eq!(worst, scores[3]);
    let wrong = tengen(&["openings", file, "--keep", "13"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("--keep 13: "));
}

#[test]
fn the_even_openings_for_matches_are_some_of_the_three_hundred() {
    let lines = |file: &str| -> Vec<String> {
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(String::from).collect()
    };
    let (even, all) = (lines("positions/openings_even_100.txt"), lines("positions/openings_300.txt"));
    assert_eq!(even.len(), 100);
    let places: Vec<usize> =
        even.iter().map(|line| all.iter().position(|other| other == line).expect("one of them")).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn public_tactics_are_proved_and_mostly_kept() {
    let found = json(&["tactics"]);
    assert_eq!(found["positions"].as_array().unwrap().len(), 29);
    assert_eq!(found["won"], 28, "{found}");
    assert!(found["kept"].as_u64().unwrap() >= 20, "{found}");
    let shown = text(tengen(&["tactics", "--engine", "pvs", "--levels", "2", "--proof-levels", "4"]));
    assert!(shown.contains("quintet-vcf_counter ") && shown.contains("proved wins, "), "{shown}");
    let wrong = tengen(&["tactics", "Cargo.toml"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("Cargo.toml: line 1: not a JSON object"));
}
