// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arrows between the crates, as ARCHITECTURE.md draws them.
#![allow(missing_docs)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What each crate may depend on within the workspace, tests and build scripts included.
const ARROWS: [(&str, &[&str]); 13] = [
    ("engine-model", &[]),
    ("arena", &["engine-model"]),
    ("players", &["engine-model"]),
    ("driver", &["engine-model"]),
    ("hdl", &["engine-model"]),
    ("soc-integration", &["engine-model", "hdl", "driver"]),
    ("area", &[]),
    ("vivado", &["engine-model", "hdl", "soc-integration"]),
    ("verilate", &[]),
    ("cosim", &["engine-model", "hdl", "soc-integration", "verilate"]),
    ("rtl-tests", &["engine-model", "hdl", "soc-integration", "cosim"]),
    ("lab", &["engine-model", "players", "hdl", "soc-integration", "area", "vivado", "cosim"]),
    (
        "tengen",
        &[
            "engine-model",
            "arena",
            "driver",
            "hdl",
            "soc-integration",
            "area",
            "vivado",
            "cosim",
            "lab",
            "players",
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
