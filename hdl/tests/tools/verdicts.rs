// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks by outside tools that have passed are not run again while nothing they depend on has changed.
#![allow(dead_code, reason = "a test program uses what it needs")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a check, unless it has passed before with the same `inputs`, by the same version of each tool in `tools`, in the same words:
/// `what` names it and holds its arguments, `source` is the text of the program that makes it. A tool is given with the argument that
/// prints its version.
///
/// What has passed stands in `target/tmp/verdicts`, a file each: without that folder everything runs.
///
/// # Panics
/// If a tool is missing, or as the check does; then nothing is remembered.
pub fn once(what: &str, source: &str, tools: &[[&str; 2]], inputs: &[Vec<u8>], check: impl FnOnce()) {
    let mut hasher = DefaultHasher::new();
    (what, source, include_str!("verdicts.rs")).hash(&mut hasher);
    for [tool, version] in tools {
        let output = Command::new(tool).arg(version).output();
        let output = output.unwrap_or_else(|e| panic!("cannot run {tool}: {e}; ./tengen test installs it"));
        (tool, output.stdout, output.stderr).hash(&mut hasher);
    }
    inputs.hash(&mut hasher);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verdicts");
    let passed = folder.join(format!("{:016x}", hasher.finish()));
    if passed.exists() {
        println!("as before: {what}");
        return;
    }
    check();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(passed, what).unwrap();
}

/// The files in a folder that a command's arguments name, and those that a list among them (`.f`) names.
pub fn named(folder: &Path, arguments: &[&str]) -> Vec<Vec<u8>> {
    let read = |file: &str| std::fs::read(folder.join(file)).ok();
    let mut contents = Vec::new();
    for argument in arguments {
        let Some(text) = read(argument) else { continue };
        if argument.ends_with(".f") {
            contents.extend(String::from_utf8_lossy(&text).lines().filter_map(|line| read(line.trim())));
        }
        contents.push(text);
    }
    assert!(!contents.is_empty(), "no file of {} is named: {arguments:?}", folder.display());
    contents
}

/// All files of a folder and of those in it, by their paths.
pub fn all(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let contents = |path: PathBuf| {
        let name = path.file_name().unwrap().as_encoded_bytes().to_vec();
        let inside = if path.is_dir() { all(&path) } else { vec![std::fs::read(&path).unwrap()] };
        std::iter::once(name).chain(inside)
    };
    paths.into_iter().flat_map(contents).collect()
}
