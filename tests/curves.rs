// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen curves` from outside, over small cores.
#![allow(missing_docs)]

mod little;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn curves(out: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("curves")
        .args(arguments)
        .args(["--out", out.to_str().unwrap()])
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the binary has been built")
}

fn json(out: &Path, arguments: &[&str]) -> Value {
    let output = curves(out, &[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "one JSON object on stdout and nothing else: {text}");
    serde_json::from_str(&text).unwrap()
}

/// An empty place for a run: the folder of its curves does not exist yet.
fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("curves")
}

fn lines(out: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const LEVELS: [&str; 9] =
    ["--config", "gomoku7", "--only", "levels", "candidates", "--limit", "3", "--levels", "2"];

#[test]
fn a_sweep_is_measured_once_and_drawn_from_its_file() {
    let out = place("curves-sweep");
    let object = json(&out, &LEVELS);
    assert_eq!((&object["config"], &object["mismatches"]), (&"gomoku7".into(), &0.into()));
    assert_eq!((&object["measured"], &object["kept"]), (&2.into(), &0.into()));
    let levels = &object["curves"][0];
    assert_eq!((&levels["curve"], &levels["axis"]), (&"levels".into(), &"levels searched".into()));
    // What was measured for the other curve stands on this one too: 2 levels and, of the same core, all 3.
    let points = levels["series"][0]["points"].as_array().unwrap();
    assert_eq!(points.iter().map(|point| point["value"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(3)]);
    for point in points {
        let mean = |of: &str| point[of]["mean"].as_f64().unwrap();
        assert!((point["busy"].as_f64().unwrap() - mean("passes") / mean("cycles")).abs() < 1e-9, "{point}");
        assert_eq!((&point["current"], &point["positions"]["count"]), (&true.into(), &3.into()));
    }
    for line in lines(&out) {
        assert_eq!(line["kind"], "search");
        assert_eq!(line["config"]["columns"], 7);
        assert_eq!(line["each"]["stones"], Value::from(vec![14; 3]));
        for key in ["candidates", "cycles"] {
            assert!(
                line["each"][key].as_array().unwrap().iter().all(|figure| figure.as_u64() > Some(0)),
                "{line}"
            );
        }
    }
    // The text between the sections is the writer's, the sections are the command's.
    let page = out.with_extension("md");
    let drawn = std::fs::read_to_string(&page).unwrap();
    assert!(
        drawn.contains("](curves/levels.svg)")
            && drawn.contains("Not measured yet: `./tengen curves --only area`")
    );
    std::fs::write(&page, drawn.replace("## levels", "My own words.").replace("| gomoku7", "| old")).unwrap();
    let html = out.with_extension("html");
    let again = json(&out, &[&LEVELS[..], &["3", "--html", html.to_str().unwrap()]].concat());
    // Cycles and the busy share against levels and, by the same points, against contexts; cycles against candidates.
    let html = std::fs::read_to_string(html).unwrap();
    assert_eq!(html.matches("data-chart=").count(), 5, "{html}");
    assert_eq!((&again["measured"], &again["kept"]), (&0.into(), &2.into()));
    assert_eq!(std::fs::read_to_string(&page).unwrap(), drawn.replace("## levels", "My own words."));
    for curve in ["levels", "candidates"] {
        let picture = std::fs::read_to_string(out.join(format!("{curve}.svg"))).unwrap();
        assert!(picture.starts_with("<svg") && !picture.contains("currentColor"), "{curve}");
    }
    // Other positions: measured again, in the place of the old.
    let fewer = ["--config", "gomoku7", "--only", "candidates", "--limit", "2"];
    assert_eq!((&json(&out, &fewer)["measured"], lines(&out).len()), (&1.into(), 2));
    // Another core: marked until it is measured again.
    let mut old = lines(&out);
    assert_eq!(old[0]["levels"], 2);
    old[0]["core_sha256"] = "0".into();
    let text: String = old.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(out.join("results.jsonl"), text).unwrap();
    let marked = json(&out, &fewer);
    assert_eq!((&marked["measured"], &marked["kept"]), (&0.into(), &1.into()));
    assert_eq!(marked["curves"][0]["series"][0]["points"][0]["current"], false);
    assert!(std::fs::read_to_string(&page).unwrap().contains("of an earlier core"));
    assert_eq!(json(&out, &LEVELS)["measured"], 2);
    assert!(!std::fs::read_to_string(&page).unwrap().contains("of an earlier core"));
}

#[test]
fn contexts_boards_and_areas_are_points_too() {
    let out = place("curves-kinds");
    let object = json(
        &out,
        &[
            "--config",
            little::file(),
            "--only",
            "contexts",
            "board",
            "area",
            "--contexts",
            "2",
            "--sizes",
            "3",
            "--limit",
            "2",
        ],
    );
    // One core: its search is on both curves.
    assert_eq!(object["measured"], 2);
    for curve in [1, 2, 4] {
        let points = &object["curves"][curve]["series"][0]["points"];
        assert_eq!(points.as_array().unwrap().len(), 1, "{}", object["curves"][curve]);
    }
    let area = &object["curves"][4]["series"][0]["points"][0];
    assert_eq!(area["value"], 3);
    assert!(area["lut"].as_u64() > Some(0) && area["ff"].as_u64() > Some(0), "{area}");
    assert!(area["synthesis"].as_str().unwrap().starts_with("Yosys"));
}

#[test]
fn wrong_input_is_refused_with_what_to_do() {
    let out = place("curves-wrong");
    let page = out.with_extension("md");
    for (arguments, part) in [
        (vec!["--only", "speed"], "invalid value 'speed'"),
        (vec!["--limit", "0"], "0 is not in"),
        (vec!["--only", "contexts", "--contexts", "99"], "--contexts 99: contexts = 99: must be 1 to 64"),
        (vec!["--only", "area", "--sizes", "4"], "--sizes 4: in_a_row = 5: must be 3 to 4"),
        (vec!["--only", "levels", "--levels", "9"], "--levels 9: levels = 9: must be 1 to 8"),
        (vec!["--deep", "gomoku7"], "--deep gomoku7: plays another game than gomoku15"),
        (vec!["--deep", "gomoku15"], "has the name of the configuration that is varied"),
        (vec!["--config", "tictactoe", "--only", "candidates"], "ask for fewer with --limit"),
        (
            vec!["--config", "tictactoe", "--only", "area", "--sizes", "3", "--yosys", "./no-such-yosys"],
            "install it",
        ),
    ] {
        let output = curves(&out, &arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(&page, "# Mine\n").unwrap();
    let few = ["--config", "gomoku7", "--only", "candidates", "--limit", "1"];
    let output = curves(&out, &few);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && text.contains("the page has no section source"), "{text}");
    std::fs::remove_file(&page).unwrap();
    std::fs::write(out.join("results.jsonl"), "{\"config\": 1}\nno JSON\n").unwrap();
    let output = curves(&out, &few);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && text.contains("line 2 is not JSON"), "{text}");
}
