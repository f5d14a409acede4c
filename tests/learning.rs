// SPDX-License-Identifier: MIT OR Apache-2.0
//! Learning from outside: a brain that loses a line, is ended, loses its file's end, and does not lose the line for long.
#![allow(missing_docs)]

use engine_model::{Cell, Config, Engine, Geometry, ModelEngine, Position};
use players::opponents::greedy;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

fn tengen() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
}

/// A brain through pipes.
struct Brain {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Brain {
    fn start(file: &Path) -> Brain {
        let mut child = tengen()
            .args(["brain", "--engine", "pvs", "--levels", "2", "--learn"])
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Brain { child, input, output: BufReader::new(output) }
    }

    /// Sends a line; the first answer that is no message, and the messages before it.
    fn ask(&mut self, line: &str) -> (String, Vec<String>) {
        writeln!(self.input, "{line}").unwrap();
        let mut messages = Vec::new();
        loop {
            let mut answer = String::new();
            assert!(self.output.read_line(&mut answer).unwrap() > 0, "{line}: the brain is gone");
            let answer = answer.trim_end();
            if !answer.starts_with("MESSAGE") {
                return (answer.into(), messages);
            }
            messages.push(answer.into());
        }
    }

    fn end(mut self) {
        writeln!(self.input, "END").unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

fn config() -> Config {
    Config::from_toml(include_str!("../configs/gomoku15.toml")).unwrap()
}

/// A game of the brain, who moves second, against a line and, where the game leaves it, `greedy`. The manager says nothing of the
/// winning move, as managers do.
fn game(brain: &mut Brain, line: &mut Vec<Cell>, write_line: bool) -> Option<usize> {
    let config = config();
    let geometry: Geometry = config.geometry();
    let tables = engine_model::position::Tables::new(&config);
    let (mut model, mut otherwise) = (ModelEngine::new(&config), greedy(&config));
    let mut position = Position::new(&tables);
    loop {
        let moves = position.moves().to_vec();
        let cell = match line.get(moves.len()) {
            _ if write_line => {
                model.set_position(&moves).unwrap();
                model.search(None).unwrap().cell.unwrap()
            }
            Some(cell) if line.starts_with(&moves) => *cell,
            _ => {
                otherwise.set_position(&moves).unwrap();
                otherwise.search(None).unwrap().cell.unwrap()
            }
        };
        position.play(cell).unwrap();
        if position.is_over() {
            break;
        }
        let (answer, _) = brain.ask(&format!("TURN {}", geometry.point(cell)));
        let (x, y) = answer.split_once(',').unwrap_or_else(|| panic!("{answer}"));
        position.play(geometry.cell(x.parse().unwrap(), y.parse().unwrap()).unwrap()).unwrap();
        if position.is_over() {
            break;
        }
    }
    if write_line {
        *line = position.moves().to_vec();
    }
    position.winner()
}

/// Games until the line does not win any more; there is one at least.
fn games_lost(brain: &mut Brain, line: &mut Vec<Cell>) -> usize {
    let mut lost = 0;
    loop {
        assert_eq!(brain.ask("START 15").0, "OK");
        if game(brain, line, false) != Some(0) {
            return lost;
        }
        lost += 1;
        assert!(lost <= 3, "the line wins for ever");
    }
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learning");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_lost_line_is_not_lost_again_after_a_restart_and_a_torn_file() {
    let folder = folder();
    let file = folder.join("learned");
    let mut line = Vec::new();
    let mut brain = Brain::start(&file);
    assert_eq!(brain.ask("START 15").0, "OK");
    assert_eq!(game(&mut brain, &mut line, true), Some(0), "the model wins against a fresh brain");
    let (_, messages) = brain.ask("RESTART");
    assert!(messages.iter().any(|message| message.starts_with("MESSAGE learnt ")), "{messages:?}");
    let lost = games_lost(&mut brain, &mut line);
    println!("lost {lost} more games in the same session");
    brain.end();

    // Another process, the same file: the line does not win its first game.
    let mut brain = Brain::start(&file);
    assert_eq!(games_lost(&mut brain, &mut line), 0, "a restart forgets nothing");
    brain.end();

    // The file as a crash leaves it, at every third of its last lesson.
    let text = std::fs::read(&file).unwrap();
    let last = text[..text.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for part in 0..3 {
        let torn = folder.join(format!("torn-{part}"));
        std::fs::write(&torn, &text[..last + (text.len() - last) * part / 3]).unwrap();
        let mut brain = Brain::start(&torn);
        let lost = games_lost(&mut brain, &mut line);
        println!("torn at {part} thirds of the last lesson: lost {lost}");
        brain.end();
        let mut brain = Brain::start(&torn);
        assert_eq!(games_lost(&mut brain, &mut line), 0);
        brain.end();
    }

    // A file that holds the first lesson only: everything else is learnt again.
    let header = text.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let first = header + text[header..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let torn = folder.join("first");
    std::fs::write(&torn, &text[..first + 20]).unwrap();
    let mut brain = Brain::start(&torn);
    games_lost(&mut brain, &mut line);
    brain.end();
    let shown = tengen().args(["learn", "show", "--brief"]).arg(&torn).output().unwrap();
    assert_eq!(shown.status.code(), Some(1), "a torn line is a fault that is told");
    assert!(String::from_utf8(shown.stdout).unwrap().contains("cut off or changed, and left out: line 3"));
}

#[test]
fn what_was_learnt_is_shown() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learning-show");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("learned");
    let mut brain = Brain::start(&file);
    // White has lost: black has four with both ends open, and the manager leaves.
    let lines = "START 15\nBOARD\n4,7,2\n0,0,1\n5,7,2\n14,0,1\n6,7,2\n0,14,1\n7,7,2\nDONE";
    for line in lines.lines().filter(|line| *line != "DONE") {
        writeln!(brain.input, "{line}").unwrap();
    }
    assert_eq!(brain.ask("DONE").0, "OK", "the answer to START");
    let (answer, _) = brain.ask("ABOUT");
    assert!(answer.contains(','), "{answer}");
    drop(brain.input);
    brain.child.wait().unwrap();
    let show = |arguments: &[&str]| {
        let output = tengen().args(["learn", "show"]).arg(&file).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = show(&[]);
    assert!(text.contains("15 x 15, 5 in a row, 8 stones: X to move wins in 1 move\n"), "{text}");
    assert!(text.contains("  8  .  .  .  .  X  X  X  X"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&show(&["--json"])).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["positions"][0]["wins_in"], 1);
    assert_eq!(json["positions"][1]["loses_in"], 2, "{json}");
    let wrong = tengen().args(["learn", "show", "Cargo.toml"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("it is no file of learned positions"));
}

#[test]
fn a_game_in_the_terminal_teaches_too_and_looking_writes_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learning-play");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let (file, missing) = (folder.join("learned"), folder.join("missing"));
    // The model wins against a shallow engine.
    let output = tengen()
        .args(["play", "--engine", "pvs", "--against", "model", "--levels", "2", "--learn"])
        .arg(&file)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("pvs has learnt "), "{said}");
    let before = std::fs::read(&file).unwrap();
    let solve = |file: &Path| {
        tengen()
            .args(["solve", "7,7", "--engine", "pvs", "--best", "1", "--learn"])
            .arg(file)
            .output()
            .unwrap()
    };
    assert!(solve(&file).status.success());
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(solve(&missing).status.code(), Some(2));
    assert!(!missing.exists());
}

#[test]
fn only_who_learns_takes_a_file() {
    for arguments in [
        &["brain", "--learn", "x"][..],
        &["brain", "--engine", "five-tuple", "--learn", "x"],
        &["brain", "--engine", "rtl", "--learn", "x"],
        &["brain", "--engine", "/dev/null", "--learn", "x"],
        &["solve", "7,7", "--learn", "x"],
        &["brain", "--engine", "pvs", "--learn", "Cargo.toml"],
    ] {
        let output = tengen().args(arguments).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("does not learn, pvs does") || said.contains("no file of learned"), "{said}");
    }
    assert!(!Path::new("x").exists());
}
