// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen brain` from outside: lines in, lines out, and its end.
#![allow(missing_docs)]

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

fn brain(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("brain")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary has been built")
}

/// Everything a brain says to a text, after which its input ends.
fn said(arguments: &[&str], text: &[u8]) -> Output {
    let mut child = brain(arguments);
    child.stdin.take().unwrap().write_all(text).unwrap();
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(String::from).collect()
}

#[test]
fn a_session_through_pipes() {
    let text = b"ABOUT\r\nSTART 15\r\nTURN 7,7\r\n\xff\xfe\r\nEND\r\nTURN 0,0\r\n";
    let said = lines(&said(&[], text));
    assert!(said[0].starts_with("name=\"tengen model gomoku15\", version="), "{said:?}");
    assert_eq!(said[1], "OK");
    assert!(said[2].starts_with("MESSAGE levels 4, score "), "{said:?}");
    assert!(said[3].split_once(',').is_some_and(|(x, y)| x.parse::<u8>().is_ok() && y.parse::<u8>().is_ok()));
    assert!(said[4].starts_with("UNKNOWN command"));
    assert_eq!(said.len(), 5, "END ends it: {said:?}");
}

/// A script's END comes in its turn: the simulated core takes its time for each of the moves before.
#[test]
fn a_scripts_end_waits_for_the_commands_before_it() {
    let moves = b"RECTSTART 7,6\nTURN 3,3\nRESTART\nTURN 2,2\nRESTART\nTURN 4,4\nEND\n";
    let said = lines(&said(&["--engine", "rtl", "--config", "gomoku7"], moves));
    let answers =
        said.iter().filter(|line| line.split_once(',').is_some_and(|(x, _)| x.parse::<u8>().is_ok()));
    assert_eq!(answers.count(), 3, "{said:?}");
}

#[test]
fn boards_of_other_sizes() {
    let large = lines(&said(&[], b"START 20\nBEGIN\nRECTSTART 19,6\nBEGIN\nSTART 3\nTURN 1,1\n"));
    assert_eq!((large[0].as_str(), large[3].as_str()), ("OK", "OK"));
    assert!(large[6].starts_with("ERROR no board of 3 x 3: in_a_row = 5"), "{large:?}");
    assert_eq!(large[7], "ERROR no board: send START first");
    let small = lines(&said(&["--config", "tictactoe"], b"START 3\nTURN 1,1\n"));
    assert_eq!(small[0], "OK");
    assert!(small[1].starts_with("MESSAGE levels 9, score 0,"), "{small:?}");
}

#[test]
fn the_simulated_core_plays_the_models_moves() {
    let text = b"RECTSTART 7,6\nTURN 3,3\nTAKEBACK 3,2\nRESTART\nBOARD\n3,3,1\n2,2,2\nDONE\nSTART 15\n";
    let moves = |engine: &str| -> Vec<String> {
        let said = lines(&said(&["--engine", engine, "--config", "gomoku7"], text));
        said.into_iter().filter(|line| !line.starts_with("MESSAGE") && !line.starts_with("ERROR")).collect()
    };
    let rtl = lines(&said(&["--engine", "rtl", "--config", "gomoku7"], text));
    assert!(rtl.iter().any(|line| line.contains(", cycles ")), "{rtl:?}");
    assert!(rtl.last().unwrap().starts_with("ERROR ") && rtl.last().unwrap().contains("plays on 7 x 6 only"));
    // The model takes any board, so its last answer is OK.
    let model = moves("model");
    assert_eq!(moves("rtl"), model[..model.len() - 1]);
}

#[test]
fn end_ends_a_search_too() {
    // Ten levels full width: nobody waits for that.
    let config = include_str!("../configs/gomoku15.toml").replace("levels = 4", "levels = 10");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless.toml");
    std::fs::write(&file, config).unwrap();
    let mut child = brain(&["--config", file.to_str().unwrap()]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"START 15\nTURN 7,7\nEND\n").unwrap();
    // The input stays open: it is END that ends it.
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "OK\n");
}

#[test]
fn wrong_arguments_are_refused() {
    for (arguments, part) in [
        (&["--levels", "5"][..], "--levels 5: model with gomoku15 has 1 to 4"),
        (&["--config", "nothing"], "no configuration \"nothing\""),
        (&["--engine", "nothing"], "no engine \"nothing\": use model, rtl,"),
    ] {
        let output = said(arguments, b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(part));
    }
    let told = lines(&said(&["--engine", "/no/such/port"], b"START 15\n"));
    assert!(told[0].starts_with("ERROR ") && told[0].contains("no such port"), "{told:?}");
}
