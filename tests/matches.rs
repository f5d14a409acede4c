// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen match` from outside: what it prints, what it keeps, what it refuses. Needs no simulation.
#![allow(missing_docs)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const OPENINGS: &str = "0,0\n0,0, 1,0\n0,0, 1,1\n0,0, 1,0, 0,-1\n";

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).arg("match").args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = tengen(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "one JSON object on stdout and nothing else: {text}");
    serde_json::from_str(&text).unwrap()
}

/// A fresh folder with a file of openings for gomoku7.
fn folder(name: &str) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let openings = folder.join("openings.txt");
    std::fs::write(&openings, OPENINGS).unwrap();
    (folder, openings.to_str().unwrap().to_string())
}

/// What does not depend on the clock on the wall.
fn timeless(mut object: Value) -> Value {
    for side in ["a", "b"] {
        object["spent"][side]["seconds"] = Value::Null;
    }
    object
}

#[test]
fn a_match_reports_its_keys_and_is_reproducible() {
    let (_, openings) = folder("match-keys");
    let run = |threads| {
        timeless(json(&["gomoku7", "model:gomoku7@1", "--openings", &openings, "--threads", threads]))
    };
    let object = run("1");
    assert_eq!(object["a"], "model:gomoku7");
    assert_eq!(object["b"], "model:gomoku7@1");
    assert_eq!(object["games"], 8);
    let count = |key: &str| object[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 8);
    assert!(count("wins") > count("losses"), "{object}");
    let elo = |key: &str| object["elo"][key].as_f64().unwrap();
    assert!(elo("low") < elo("value") && elo("value") < elo("high"), "{object}");
    assert_eq!(object["forfeits"], 0);
    assert!(object["spent"]["a"]["nodes"]["mean"].as_f64().unwrap() > 1.0);
    assert!(object["spent"]["a"]["cycles"].is_null());
    assert_eq!(run("3"), object);
}

#[test]
fn the_table_is_for_people() {
    let (_, openings) = folder("match-table");
    let output = tengen(&["gomoku7", "gomoku7", "--openings", &openings, "--games", "4"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["model:gomoku7 against model:gomoku7", "4, 2 of them distinct", "Elo             +0, 95 %"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn records_resume_and_merge() {
    let (folder, openings) = folder("match-records");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let play = |more: &[&str]| {
        let sides: &[&str] = &["gomoku7", "gomoku7@2", "--openings", &openings];
        timeless(json(&[sides, more].concat()))
    };
    let whole = play(&["--records", &path("whole.jsonl")]);
    let text = std::fs::read_to_string(path("whole.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 8);

    // An interrupted run: three games and a half.
    let lines: Vec<&str> = text.lines().collect();
    let torn = format!("{}\n{}", lines[..3].join("\n"), &lines[3][..20]);
    std::fs::write(path("torn.jsonl"), torn).unwrap();
    assert_eq!(play(&["--records", &path("torn.jsonl")]), whole);
    let resumed = std::fs::read_to_string(path("torn.jsonl")).unwrap();
    assert_eq!(resumed.lines().count(), 8);
    assert_eq!(resumed.lines().take(3).collect::<Vec<_>>(), lines[..3]);

    // Of another charset, with other ends of lines, or whole but for the last one's end: no game is lost, and none is played again.
    let bytes = std::fs::read(path("whole.jsonl")).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let wide = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for other in [
        text.replace('\n', "\r").into_bytes(),
        text.trim_end().into(),
        text.replace('\n', "\r\n").into(),
        wide,
    ] {
        std::fs::write(path("other.jsonl"), other).unwrap();
        assert_eq!(json(&["--merge", &path("other.jsonl")])["games"], whole["games"]);
        assert_eq!(play(&["--records", &path("other.jsonl")]), whole);
        assert_eq!(std::fs::read(path("other.jsonl")).unwrap(), bytes);
    }
    // Nothing is left to play: the records stay as they are.
    assert_eq!(play(&["--records", &path("whole.jsonl")]), whole);
    assert_eq!(std::fs::read_to_string(path("whole.jsonl")).unwrap(), text);
    assert_eq!(play(&["--records", &path("whole.jsonl"), "--games", "4"])["games"], 4);

    let part = play(&["--shard", "1/2", "--records", &path("1.jsonl")]);
    assert_eq!(part["games"], 4);
    play(&["--shard", "2/2", "--records", &path("2.jsonl")]);
    assert_eq!(timeless(json(&["--merge", &path("1.jsonl"), &path("2.jsonl")])), whole);
    assert_eq!(timeless(json(&["--merge", &path("1.jsonl"), &path("whole.jsonl")])), whole);
}

#[test]
fn a_forfeit_is_a_fault() {
    let (folder, openings) = folder("match-forfeit");
    let file = folder.join("games.jsonl");
    let file = file.to_str().unwrap();
    json(&["gomoku7", "gomoku7", "--openings", &openings, "--games", "2", "--records", file]);
    let text = std::fs::read_to_string(file).unwrap();
    let mut record: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    record["end"] = "forfeit".into();
    record["outcome"] = "win".into();
    record["reason"] = "illegal move".into();
    std::fs::write(file, format!("{record}\n")).unwrap();
    let output = tengen(&["--merge", file]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("game 0: model:gomoku7 forfeits: illegal move"), "{text}");
}

#[test]
fn wrong_input_is_refused_with_what_to_do() {
    let (folder, openings) = folder("match-wrong");
    let path = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_string()
    };
    let bad = path("bad.txt", "0,0\n0,0, 9,0\n");
    let garbage = path("garbage.jsonl", "{}\n");
    let empty = path("empty.jsonl", "");
    let (one, other) = (folder.join("one.jsonl"), folder.join("other.jsonl"));
    let (one, other) = (one.to_str().unwrap(), other.to_str().unwrap());
    json(&["gomoku7@1", "gomoku7@1", "--openings", &openings, "--games", "2", "--records", one]);
    json(&["gomoku7@1", "gomoku7@2", "--openings", &openings, "--games", "2", "--records", other]);
    let moved = path("moved.txt", "1,0\n");
    for (arguments, part) in [
        (vec!["gomoku7"], "required"),
        (vec!["gomoku7", "gomoku7"], "--openings"),
        (vec!["gomoku7", "tictactoe", "--openings", &openings], "both sides must play the same game"),
        (vec!["gomoku7", "robot:x", "--openings", &openings], "no backend \"robot\""),
        (vec!["gomoku7", "gomoku7@9", "--openings", &openings], "9 levels asked for"),
        (vec!["gomoku7", "gomoku7", "--openings", "missing.txt"], "cannot read openings missing.txt"),
        (vec!["gomoku7", "gomoku7", "--openings", &bad], "line 2: move \"9,0\" is outside the 7 x 6 board"),
        (vec!["gomoku7", "gomoku7", "--openings", &openings, "--games", "10"], "must be even and 2 to 8"),
        (vec!["gomoku7", "gomoku7", "--openings", &openings, "--games", "3"], "must be even"),
        (vec!["gomoku7", "gomoku7", "--openings", &openings, "--shard", "3/2"], "write I/N"),
        (vec!["gomoku7", "gomoku7", "--openings", &openings, "--threads", "0"], "0 is not in"),
        (
            vec!["gomoku7", "gomoku7", "--openings", &openings, "--records", &garbage],
            "line 1 is not the record of a game",
        ),
        (vec!["gomoku7", "gomoku7", "--openings", &openings, "--records", one], "is of another match"),
        (vec!["gomoku7@1", "gomoku7@1", "--openings", &moved, "--records", one], "the opening of that game"),
        (vec!["--merge", one, other], "do not belong together"),
        (vec!["--merge", &empty], "there is no game"),
        (vec!["gomoku7", "gomoku7", "--merge", one], "cannot be used with"),
    ] {
        let output = tengen(&arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

/// Our own brain as somebody's program.
fn brain(arguments: &str) -> String {
    format!("brain:'{}' brain {arguments}", env!("CARGO_BIN_EXE_tengen"))
}

#[test]
fn programs_play_by_the_gomocup_protocol() {
    let (_, openings) = folder("match-brains");
    let one = brain("--config gomoku7");
    let other = brain("--config gomoku7 --levels 1");
    // Through pipes it is the same game, move by move; the limit is too wide to end a search.
    let among_us = timeless(json(&["gomoku7", "gomoku7@1", "--openings", &openings]));
    for (a, b, more) in [
        (one.as_str(), "gomoku7@1", &[][..]),
        ("gomoku7", &other, &["--turn", "60000"]),
        (&one, &other, &["--config", "gomoku7", "--threads", "2", "--turn", "60000"]),
    ] {
        let object = json(&[&[a, b, "--openings", &openings][..], more].concat());
        for key in ["games", "wins", "draws", "losses", "distinct_games", "length", "forfeits"] {
            assert_eq!(object[key], among_us[key], "{key} of {a} against {b}");
        }
        let nodes = object["spent"]["a"]["nodes"]["mean"].as_f64().unwrap();
        assert!(nodes > 1.0, "the brain's messages are read: {object}");
    }
}

/// Games of a program that is unusual in this way against a level of the model; the report and what stands beside it.
fn odd(how: &str, openings: &str) -> (Value, String) {
    let brain = format!("brain:sh {}/tests/odd_brain.sh {how}", env!("CARGO_MANIFEST_DIR"));
    let output =
        tengen(&["gomoku7@1", &brain, "--openings", openings, "--games", "2", "--turn", "200", "--json"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap_or(Value::Null), told)
}

#[test]
fn what_a_lenient_manager_accepts_is_no_forfeit() {
    let (_, openings) = folder("match-odd");
    for how in [
        "plain",
        "cr",
        "lower",
        "banner",
        "latin",
        "ready",
        "colon",
        "unknown",
        "ok_to_info",
        "limits",
        "talk",
        "suggest",
        "blank",
        "after",
    ] {
        let (report, told) = odd(how, &openings);
        assert_eq!(report["forfeits"], 0, "{how}: {told}");
        assert_eq!(report["games"], 2, "{how}: {told}");
    }
    let (report, told) = odd("refuses", &openings);
    assert!(report.is_null() && told.contains("ERROR no such board"), "{report} {told}");
}

#[test]
fn what_is_said_instead_of_a_move_is_named() {
    let (_, openings) = folder("match-talk");
    let (report, told) = odd("only_talk", &openings);
    assert_eq!(report["forfeits"], 2, "{told}");
    let fault = report["faults"][0].as_str().unwrap();
    assert!(fault.contains("\"I resign\" instead of a move, and no answer within"), "{fault}");
    // Though it may as well mean one of the limits that no program has to answer.
    let (report, told) = odd("knows_nothing", &openings);
    let fault = report["faults"][0].as_str().unwrap_or_else(|| panic!("{told}"));
    assert!(fault.contains("\"UNKNOWN\" instead of a move, and no answer within"), "{fault}");
}

#[test]
fn a_program_that_fails_forfeits() {
    let (folder, openings) = folder("match-bad-brains");
    // Scripts that answer START, and then what a brain must not.
    for (name, then, part) in [
        ("ends", "exit 3", "it has ended"),
        ("outside", "echo 9,9; cat >/dev/null", "9,9 is outside the 7 x 6 board"),
        ("taken", "echo 3,3; cat >/dev/null", "3,3"),
        ("nonsense", "echo MESSAGE hello; echo hello; cat >/dev/null", "\"hello\" instead of a move"),
        ("error", "echo ERROR no idea; cat >/dev/null", "ERROR no idea"),
        ("silent", "cat >/dev/null", "no answer within 3001 ms"),
    ] {
        let script = folder.join(format!("{name}.sh"));
        let wait = "while read line; do case $line in START*|RECTSTART*) echo OK ;; DONE*|TURN*|BEGIN*) break ;; esac; done";
        std::fs::write(&script, format!("{wait}\n{then}\n")).unwrap();
        let side = format!("brain:sh '{}'", script.display());
        let arguments =
            [&side, "gomoku7@1", "--openings", &openings, "--games", "2", "--turn", "1", "--json"];
        let output = tengen(&arguments);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["forfeits_by"]["a"], 2, "{name}: {object}");
        assert!(object["faults"][0].as_str().unwrap().contains(part), "{name}: {object}");
    }
    for (arguments, part) in [
        (&["brain:/no/such/program", "gomoku7", "--openings", &openings][..], "cannot be started"),
        (&["brain:", "gomoku7", "--openings", &openings], "write brain:PROGRAM ARGUMENTS"),
        (
            &["brain:a", "brain:b", "--openings", &openings],
            "name the game of brain:a and brain:b with --config",
        ),
        (
            &["board:/dev/null", "gomoku7", "--openings", &openings, "--threads", "2"],
            "a board plays one game at a time",
        ),
    ] {
        let output = tengen(arguments);
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
}

#[test]
fn a_clear_result_ends_a_test_and_games_go_out_as_sgf() {
    let (folder, openings) = folder("match-sprt");
    // 72 games, of which a clear result needs fewer.
    let cells = (-3..3).flat_map(|dx| (-3..=2).map(move |dy| (dx, dy))).filter(|cell| *cell != (0, 0));
    let lines: String = cells.take(36).map(|(dx, dy)| format!("0,0, {dx},{dy}\n")).collect();
    std::fs::write(&openings, lines).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let (sgf, html, records) = (file("games.sgf"), file("report.html"), file("games.jsonl"));
    let sides = ["gomoku7", "gomoku7@1", "--openings", &openings, "--sprt", "-200,-100"];
    let more = ["--sgf", &sgf, "--records", &records, "--threads", "2", "--html", &html];
    let object = json(&[&sides[..], &more].concat());
    assert_eq!(object["sprt"]["accepted"], 1, "{object}");
    let games = object["games"].as_u64().unwrap();
    assert!((16..72).contains(&games), "{object}");
    let by_length = object["by_length"].as_array().unwrap();
    let of_classes = by_length
        .iter()
        .flat_map(|class| ["wins", "draws", "losses"].map(|key| class["results"][key].as_u64().unwrap()));
    assert_eq!(of_classes.sum::<u64>(), games);
    let text = std::fs::read_to_string(&sgf).unwrap();
    assert_eq!(text.lines().count() as u64, games);
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("(;FF[4]GM[4]") && first.contains("SZ[7:6]") && first.contains(";B[dd];W[aa]"),
        "{first}"
    );
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.matches("data-chart=").count() == 2 && page.contains("Games by their length"));
    assert!(
        page.contains(&format!("<code>./tengen match gomoku7 gomoku7@1 --openings {openings}")),
        "the command"
    );
    // Every game can be replayed.
    let shown = page.split("id=\"games\">").nth(1).unwrap().split("</script>").next().unwrap();
    let shown: Value = serde_json::from_str(shown).unwrap();
    let board = ["columns", "rows", "in_a_row"].map(|key| shown[key].as_u64());
    assert_eq!(board, [Some(7), Some(6), Some(4)]);
    assert_eq!(page.matches("<tr data-game=").count() as u64, games);
    let kept = std::fs::read_to_string(&records).unwrap();
    let record: Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    let game = &shown["games"][record["game"].as_u64().unwrap() as usize];
    assert_eq!((&game["moves"], &game["game"]), (&record["moves"], &record["game"]));
    // Resumed, nothing is left to play; from the records alone the board must be named.
    let again = json(&[&sides[..], &["--records", &records]].concat());
    assert_eq!(again["games"], object["games"]);
    let merged = json(&["--merge", &records, "--sgf", &sgf, "--config", "gomoku7"]);
    assert_eq!((&merged["games"], &merged["sprt"]), (&object["games"], &Value::Null));
    assert_eq!(std::fs::read_to_string(&sgf).unwrap(), text);
    let output = tengen(&["--merge", &records, "--sgf", &sgf]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("name the board with --config"));
    let output = tengen(&["gomoku7", "gomoku7", "--openings", &openings, "--sprt", "5,5"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("ELO0 5 must be below ELO1 5"));
}
