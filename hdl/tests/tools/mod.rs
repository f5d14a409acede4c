// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lint tests need, those of other crates as well.

pub mod verdicts;

use engine_model::Config;
use std::path::Path;
use std::process::Command;

/// A configuration of `configs/`.
pub fn shipped(name: &str) -> Config {
    let file = format!("{}/../configs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Config::from_toml(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Runs a tool in the folder over the files that its arguments name; it must succeed and say nothing of a warning or error.
pub fn clean(folder: &Path, tool: &str, arguments: &[&str]) {
    let version = if tool == "verilator" { "--version" } else { "-V" };
    let inputs = verdicts::named(folder, arguments);
    let what = format!("{tool} {}", arguments.join(" "));
    verdicts::once(&what, include_str!("mod.rs"), &[[tool, version]], &inputs, || {
        runs_clean(folder, tool, arguments);
    });
}

fn runs_clean(folder: &Path, tool: &str, arguments: &[&str]) {
    let output = Command::new(tool)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|e| panic!("cannot run {tool}: {e}; ./tengen test installs it"));
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let complaint = text.lines().find(|l| l.contains("arning") || l.contains("rror:"));
    assert!(output.status.success() && complaint.is_none(), "{tool} in {}:\n{text}", folder.display());
}

/// Runs Yosys in the folder over the top module of a file: it is elaborated without a latch, a double driver or a loop;
/// then come the `further` commands.
pub fn elaborates(folder: &Path, file: &str, top: &str, further: &str) {
    let script = format!(
        "read_verilog {file}; hierarchy -check -top {top}; proc; opt_clean; check -assert; select -assert-none t:$*latch*; \
         {further}"
    );
    let inputs = verdicts::named(folder, &[file]);
    verdicts::once(&script, include_str!("mod.rs"), &[["yosys", "-V"]], &inputs, || {
        let output = Command::new("yosys").args(["-q", "-p", &script]).current_dir(folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !text.contains("ERROR"), "{text}");
    });
}
