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
    for tool in ["sh", "dirname", "find", "sed", "sort", "tail", "id", "env"] {
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

/// What `./tengen configs` prints with only these on the path, the second of two folders.
fn run(name: &str, clang: &[&str]) -> String {
    let tools = folder(name, &[&TOOLS[..], &["apt-get", "apt-cache"], clang].concat());
    let empty = tools.join("empty");
    std::fs::create_dir(&empty).unwrap();
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tengen"))
        .arg("configs")
        .env("PATH", std::env::join_paths([empty, tools]).unwrap())
        .env_remove("CXX")
        .output()
        .unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && said.contains("cargo run"), "{said}");
    said
}

#[test]
fn what_is_there_is_not_installed() {
    for clang in ["clang++", "clang++-22"] {
        let said = run(clang, &[clang]);
        assert!(!said.contains("apt-get") && !said.contains("installing"), "{said}");
    }
}

#[test]
fn a_missing_clang_is_the_newest_there_is() {
    let said = run("none", &[]);
    let install = said.lines().find(|line| line.contains("apt-get install")).expect(&said);
    assert!(install.ends_with(" clang-101"), "{said}");
}
