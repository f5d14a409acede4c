// SPDX-License-Identifier: MIT OR Apache-2.0
//! `./tengen`: it installs what is missing, and nothing that is there. Every tool is a stand-in that says that it was called.
#![allow(missing_docs)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `./tengen configs` wants, but for a Clang.
const TOOLS: [&str; 5] = ["cargo", "cc", "verilator", "g++", "sudo"];

/// A folder of stand-ins; those of the system that a shell script needs are links.
fn folder(name: &str, tools: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("launcher-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let system = std::env::var_os("PATH").unwrap();
    for tool in ["sh", "dirname", "find", "sed", "sort", "tail", "id", "env", "xargs", "mktemp", "cat", "rm"]
    {
        let real = std::env::split_paths(&system).map(|folder| folder.join(tool)).find(|file| file.is_file());
        std::os::unix::fs::symlink(real.expect("it is on the path"), folder.join(tool)).unwrap();
    }
    for tool in tools {
        let script = match *tool {
            "sudo" => "exec \"$@\"".to_string(),
            "apt-cache" => "echo clang-9; echo clang-14; echo clang-101; echo clang-format-200".into(),
            _ => format!("echo {tool} \"$@\""),
        };
        let file = folder.join(tool);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// What `./tengen VERB` prints with only these on the path, the second of two folders.
fn run(name: &str, verb: &str, further: &[&str]) -> String {
    let tools = folder(name, &[&TOOLS[..], &["apt-get", "apt-cache"], further].concat());
    let empty = tools.join("empty");
    std::fs::create_dir(&empty).unwrap();
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tengen"))
        .arg(verb)
        .env("PATH", std::env::join_paths([empty, tools]).unwrap())
        .env_remove("CXX")
        .output()
        .unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn what_is_there_is_not_installed() {
    for clang in ["clang++", "clang++-22"] {
        let said = run(clang, "configs", &[clang]);
        assert!(
            said.contains("cargo run") && !said.contains("apt-get") && !said.contains("installing"),
            "{said}"
        );
    }
}

#[test]
fn a_missing_clang_is_the_newest_there_is() {
    let said = run("none", "configs", &[]);
    let install = said.lines().find(|line| line.contains("apt-get install")).expect(&said);
    assert!(install.ends_with(" clang-101"), "{said}");
}

/// The programs of tests are run in groups, by their first letters. `case` of the shell matches as cargo does.
#[test]
fn each_program_of_tests_is_in_one_group() {
    let needed = [
        "clang++",
        "riscv64-unknown-elf-gcc",
        "yosys",
        "iverilog",
        "tclsh",
        "make",
        "chromium",
        "chromedriver",
    ];
    let said = run("test", "test", &needed);
    let lines = || said.lines().filter(|line| line.starts_with("cargo test"));
    let of_line = |line| str::split(line, " --test ").skip(1).collect::<Vec<_>>();
    let lines_groups: Vec<Vec<&str>> = lines().map(of_line).filter(|groups| !groups.is_empty()).collect();
    let groups = lines_groups.concat();
    assert!(lines_groups.len() > 1, "{said}");
    assert_eq!(lines().filter(|line| line.contains("--lib --bins")).count(), 1, "{said}");
    let programs = programs();
    let mut found = vec![0; groups.len()];
    let mut of_root = std::collections::BTreeSet::new();
    assert!(programs.contains(&("tengen".into(), "launcher".into())), "{programs:?}");
    let script = "for group in $1; do case $2 in $group) echo $group ;; esac; done";
    for (package, program) in programs {
        let matches =
            Command::new("sh").args(["-fc", script, "sh", &groups.join(" "), &program]).output().unwrap();
        let matches = String::from_utf8(matches.stdout).unwrap();
        assert_eq!(matches.lines().count(), 1, "{program}: {matches:?}");
        let group = groups.iter().position(|group| *group == matches.trim()).unwrap();
        found[group] += 1;
        if package == "tengen" {
            of_root.insert(groups[group]);
        }
    }
    // A group without a program is an error of cargo's.
    assert!(found.iter().all(|programs| *programs > 0), "{groups:?}: {found:?}");
    // What a line compiles has the features that all its programs ask for together: with fewer it would be compiled once more.
    for line in lines_groups {
        assert!(line.iter().any(|group| of_root.contains(group)), "{line:?}: none of the root");
    }
}

/// Every program of tests in the workspace and before it its package, by cargo's own list.
fn programs() -> Vec<(String, String)> {
    let listed = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let text = |name: &serde_json::Value| name.as_str().unwrap().to_string();
    let targets = listed["packages"].as_array().unwrap().iter().flat_map(|package| {
        package["targets"].as_array().unwrap().iter().map(move |target| (package, target))
    });
    let tests = targets.filter(|(_, target)| target["kind"] == serde_json::json!(["test"]));
    tests.map(|(package, target)| (text(&package["name"]), text(&target["name"]))).collect()
}
