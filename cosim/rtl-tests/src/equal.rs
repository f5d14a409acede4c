// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether two emissions are the same circuits: module by module, proved by Yosys in every clock, from any state that agrees.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// What became of one module's proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The texts are the same.
    Same,
    /// Proved.
    Equal,
    /// Not proved; the end of what Yosys said.
    Unproved(String),
    /// Only one side has it.
    OneSided,
}

/// Why nothing could be said.
#[derive(Debug, thiserror::Error)]
pub enum EqualError {
    /// Yosys does not run.
    #[error("cannot run yosys: install it (./tengen test does)")]
    Yosys(#[source] std::io::Error),
    /// A file cannot be written.
    #[error("cannot write into {0}")]
    File(String, #[source] std::io::Error),
}

/// Depth of the induction, in clocks.
const DEPTH: usize = 5;

/// Modules of a text by name, each whole.
fn modules(verilog: &str) -> BTreeMap<&str, String> {
    let mut modules = BTreeMap::new();
    let mut open: Option<(&str, String)> = None;
    for line in verilog.lines() {
        if let Some(rest) = line.strip_prefix("module ") {
            open = Some((rest.split([' ', '(']).next().unwrap_or(rest), String::new()));
        }
        if let Some((name, text)) = &mut open {
            text.push_str(line);
            text.push('\n');
            if line.starts_with("endmodule") {
                modules.insert(*name, std::mem::take(text));
                open = None;
            }
        }
    }
    modules
}

/// A module's text without comments and layout.
fn plain(text: &str) -> String {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Modules of which a text has instances.
fn children<'a>(text: &str, modules: &BTreeMap<&'a str, String>) -> Vec<&'a str> {
    let instance = |name: &str| {
        text.lines().any(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(name) && words.nth(1).is_some_and(|word| word.starts_with('('))
        })
    };
    modules.keys().copied().filter(|name| instance(name)).collect()
}

/// A module's ports alone: what is inside is proved by itself.
fn black_box(text: &str) -> String {
    let ports = text.split_once(");").map_or(text, |(ports, _)| ports);
    format!("(* blackbox *)\n{});\nendmodule\n", ports.replace("output reg", "output wire"))
}

/// The verdicts on every module of two texts, or on those whose names contain one of `only`. `folder` takes Yosys's files.
///
/// Children count as black boxes whose pins are compared; a child that only one side has is taken into its parent.
pub fn compare(
    old: &str,
    new: &str,
    only: &[String],
    folder: &Path,
) -> Result<BTreeMap<String, Verdict>, EqualError> {
    let (old, new) = (modules(old), modules(new));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let asked = |name: &&str| only.is_empty() || only.iter().any(|part| name.contains(part));
    let mut verdicts = BTreeMap::new();
    std::fs::create_dir_all(folder)
        .map_err(|source| EqualError::File(folder.display().to_string(), source))?;
    for name in names.into_iter().filter(asked) {
        let verdict = match (old.get(name), new.get(name)) {
            (Some(gold), Some(gate)) if plain(gold) == plain(gate) => Verdict::Same,
            (Some(_), Some(_)) => prove(name, &old, &new, folder)?,
            _ => Verdict::OneSided,
        };
        verdicts.insert(name.to_string(), verdict);
    }
    Ok(verdicts)
}

/// Yosys's verdict on a module that both sides have.
fn prove(
    name: &str,
    old: &BTreeMap<&str, String>,
    new: &BTreeMap<&str, String>,
    folder: &Path,
) -> Result<Verdict, EqualError> {
    let mut script = String::new();
    for (side, ours, others) in [("gold", old, new), ("gate", new, old)] {
        let (mut text, mut boxes, mut flattens) = (ours[name].clone(), Vec::new(), false);
        for child in children(&ours[name], ours) {
            if others.contains_key(child) {
                text.push_str(&black_box(&ours[child]));
                boxes.push(format!("t:{child}"));
            } else {
                text.push_str(&ours[child]);
                flattens = true;
            }
        }
        let file = format!("{name}_{side}.v");
        std::fs::write(folder.join(&file), text).map_err(|source| EqualError::File(file.clone(), source))?;
        let flatten = if flattens { "flatten; " } else { "" };
        let expose =
            if boxes.is_empty() { String::new() } else { format!("expose -evert {}; ", boxes.join(" ")) };
        script.push_str(&format!(
            "read_verilog {file}; hierarchy -top {name}; {flatten}proc; memory_map; opt_clean; {expose}\
             rename {name} {side}; design -stash {side}; "
        ));
    }
    script.push_str(&format!(
        "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; equiv_make gold gate equal; \
         hierarchy -top equal; opt -share_all; equiv_simple; equiv_simple -seq {DEPTH}; equiv_induct -seq {DEPTH}; \
         equiv_status -assert"
    ));
    let output = Command::new("yosys").args(["-q", "-p", &script]).current_dir(folder).output();
    let output = output.map_err(EqualError::Yosys)?;
    if output.status.success() {
        return Ok(Verdict::Equal);
    }
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    Ok(Verdict::Unproved(said.lines().last().unwrap_or("nothing").to_string()))
}
