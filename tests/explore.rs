// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen explore` from outside, over a little core.
#![allow(missing_docs)]

mod little;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn explore(out: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("explore")
        .args(arguments)
        .args(["--out", out.to_str().unwrap()])
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the binary has been built")
}

fn json(out: &Path, arguments: &[&str]) -> Value {
    let output = explore(out, &[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object on stdout and nothing else")
}

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_point_is_measured_once_and_shards_are_joined() {
    let little = ["--config", little::file(), "--vary", "contexts=2", "--limit", "2"];
    let shard = place("explore-shard");
    let object = json(&shard, &[&little[..], &["--shard", "1/1"]].concat());
    assert_eq!((&object["measured"], &object["kept"]), (&2.into(), &0.into()));
    let own = shard.join("shard-1-of-1.jsonl");
    assert_eq!(std::fs::read_to_string(&own).unwrap().lines().count(), 2);
    assert!(!shard.join("results.jsonl").exists() && !shard.join("front.svg").exists());
    // Interrupted after the first figure: only the other one is measured again.
    let text = std::fs::read_to_string(&own).unwrap();
    std::fs::write(&own, text.lines().next().unwrap()).unwrap();
    let object = json(&shard, &[&little[..], &["--shard", "1/1"]].concat());
    assert_eq!((&object["measured"], &object["kept"]), (&1.into(), &1.into()));
    // Joined, from the folder or by name.
    let html = shard.join("page.html");
    let object = json(&shard, &["--merge", "--html", html.to_str().unwrap()]);
    let page = std::fs::read_to_string(html).unwrap();
    assert_eq!(page.matches("data-chart=").count(), 1);
    let [point] = &object["points"].as_array().unwrap()[..] else { panic!("{object}") };
    assert_eq!((&point["config"], &point["front"]), (&"little".into(), &true.into()));
    assert!(point["cycles"]["mean"].as_f64().unwrap() > 0.0 && point["area"]["lut"].as_u64().unwrap() > 500);
    let page = std::fs::read_to_string(shard.join("README.md")).unwrap();
    assert!(page.contains("front.svg") && page.contains("| front |"), "{page}");
    assert!(std::fs::read_to_string(shard.join("front.svg")).unwrap().contains("</svg>"));
    let elsewhere = place("explore-joined");
    json(&elsewhere, &["--merge", own.to_str().unwrap()]);
    // What is joined is not measured again, by nobody's shard either.
    for more in [&[][..], &["--shard", "1/3"]] {
        let object = json(&elsewhere, &[&little[..], more].concat());
        assert_eq!((&object["measured"], &object["kept"]), (&0.into(), &2.into()), "{more:?}");
    }
}

#[test]
fn what_cannot_be_explored_is_told() {
    let out = place("explore-wrong");
    for (arguments, part) in [
        (&["--vary", "contexts"][..], "write a parameter and its values, for example contexts=4,16"),
        (&["--vary", "contexts=0"], "contexts = 0: must be 1 to 64; the nearest is 1"),
        (&["--vary", "colour=1"], "no parameter \"colour\""),
        (&["--shard", "3/2"], "write I/N"),
        (&["--merge"], "no shard-I-of-N.jsonl in"),
        (&["--merge", "nothing.jsonl"], "nothing.jsonl: no such file"),
    ] {
        let output = explore(&out, arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
    assert!(std::fs::read_dir(&out).unwrap().next().is_none(), "nothing is left behind");
}
