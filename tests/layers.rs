// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arrows between the crates, as ARCHITECTURE.md draws them.
#![allow(missing_docs)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What each crate may depend on within the workspace, tests and build scripts included.
const ARROWS: [(&str, &[&str]); 18] = [
    ("engine-model", &[]),
    ("arena", &["engine-model"]),
    ("figures", &[]),
    ("players", &["engine-model"]),
    ("tournament", &["engine-model", "arena", "players", "figures"]),
    ("driver", &["engine-model"]),
    ("kit", &[]),
    ("hdl", &["engine-model", "kit"]),
    ("soc-integration", &["engine-model", "kit", "hdl", "driver", "figures"]),
    ("boards", &["engine-model", "kit", "hdl", "driver", "soc-integration"]),
    ("area", &[]),
    ("vivado", &["engine-model", "kit", "hdl", "soc-integration"]),
    ("verilate", &[]),
    ("cosim", &["engine-model", "kit", "hdl", "driver", "soc-integration", "boards", "verilate"]),
    ("rtl-tests", &["engine-model", "kit", "hdl", "soc-integration", "cosim"]),
    (
        "lab",
        &[
            "engine-model",
            "figures",
            "players",
            "driver",
            "hdl",
            "soc-integration",
            "area",
            "vivado",
            "cosim",
        ],
    ),
    ("web", &["engine-model", "arena", "figures", "hdl", "cosim", "lab"]),
    (
        "tengen",
        &[
            "engine-model",
            "arena",
            "figures",
            "tournament",
            "driver",
            "kit",
            "hdl",
            "soc-integration",
            "boards",
            "area",
            "vivado",
            "cosim",
            "rtl-tests",
            "lab",
            "players",
            "web",
        ],
    ),
];

#[test]
fn crates_depend_only_downward() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages: BTreeMap<&str, &Value> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (package["name"].as_str().unwrap(), package))
        .collect();
    let members: BTreeSet<&str> = packages.keys().copied().collect();
    assert_eq!(members, ARROWS.iter().map(|(name, _)| *name).collect());
    for (name, allowed) in ARROWS {
        for dependency in packages[name]["dependencies"].as_array().unwrap() {
            let dependency = dependency["name"].as_str().unwrap();
            assert!(
                !members.contains(dependency) || allowed.contains(&dependency),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

/// Lines of a file that one can still read as a whole.
const LONGEST_FILE: usize = 500;

/// The files of the repository with one of these endings, with their texts.
fn files(endings: &[&str]) -> Vec<(String, String)> {
    let listed =
        Command::new("git").arg("ls-files").current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    let named = listed.lines().filter(|file| endings.iter().any(|end| file.ends_with(end)));
    // Without one that is removed but not yet committed.
    let files: Vec<_> =
        named.filter_map(|file| Some((file.to_string(), std::fs::read_to_string(file).ok()?))).collect();
    assert!(files.len() > 100, "{} files", files.len());
    files
}

#[test]
fn files_are_short() {
    for (file, text) in files(&[".rs", ".c", ".h", ".S"]) {
        let lines = text.lines().count();
        assert!(lines <= LONGEST_FILE, "{file} has {lines} lines, more than {LONGEST_FILE}");
    }
}

/// `./tengen test` runs none: a crate takes seconds to be asked for them. An example belongs into a test.
#[test]
fn documentation_has_no_examples_to_compile() {
    for (file, text) in files(&[".rs"]) {
        let fences = text.lines().filter_map(|line| {
            let comment = line.trim_start();
            comment.strip_prefix("///").or(comment.strip_prefix("//!"))?.trim().strip_prefix("```")
        });
        for language in fences.step_by(2) {
            assert_eq!(language, "text", "{file}: an example that nobody compiles");
        }
    }
}
