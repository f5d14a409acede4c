// SPDX-License-Identifier: MIT OR Apache-2.0
//! A package shown to others' tools, with nothing but its folder: simulators run its test bench, linters read its Verilog.

use super::error::JobError;
use area::tool::{Tool, ToolError, write};
use engine_model::Config;
use hdl::package::File;
use serde::Deserialize;
use soc_integration::Face;
use std::path::{Path, PathBuf};
use vivado::package::{Format, files};
use vivado::recorded::Recorded;

/// A simulator that runs a package's test bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BenchTool {
    /// Verilator.
    Verilator,
    /// Icarus Verilog: slow on a large board.
    Icarus,
}

const VERILATOR: &str = "verilator";
const ICARUS: &str = "iverilog";

fn tool(program: &str) -> Tool {
    let advice = match program {
        VERILATOR => "apt-get install verilator, or from verilator.org",
        ICARUS => "apt-get install iverilog",
        _ => "apt-get install make",
    };
    Tool { program: program.into(), advice }
}

fn icarus_version() -> Result<String, ToolError> {
    let said = tool(ICARUS).run(&["-V".into()], Path::new("."), &mut |_| {})?;
    Ok(said.lines().next().unwrap_or_default().trim().to_string())
}

impl BenchTool {
    /// Both.
    pub const ALL: [BenchTool; 2] = [BenchTool::Verilator, BenchTool::Icarus];

    /// As the package's Makefile calls it.
    pub fn name(self) -> &'static str {
        match self {
            BenchTool::Verilator => "verilator",
            BenchTool::Icarus => "icarus",
        }
    }

    /// Its version in words.
    pub fn version(self) -> Result<String, ToolError> {
        match self {
            BenchTool::Verilator => tool(VERILATOR).version("--version"),
            BenchTool::Icarus => icarus_version(),
        }
    }
}

/// Both linters in words.
pub fn lint_version() -> Result<String, ToolError> {
    Ok(format!("{}; {}", tool(VERILATOR).version("--version")?, icarus_version()?))
}

fn of_package(face: Option<Face>) -> vivado::Face {
    face.map_or(vivado::Face::Axis, vivado::Face::Slot)
}

fn package(config: &Config, face: Option<Face>) -> Vec<File> {
    files(config, of_package(face), Format::Plain, &Recorded::default())
}

/// All that a tool sees of a package, in one text.
pub fn package_text(config: &Config, face: Option<Face>) -> String {
    let seen = |file: &File| ["rtl/", "sim/", "lint/"].iter().any(|folder| file.path.starts_with(folder));
    let files = package(config, face);
    files.iter().filter(|file| seen(file)).map(|file| format!("{}\n{}\n", file.path, file.text)).collect()
}

/// A package in a folder of its own, which goes with it.
struct Folder {
    path: PathBuf,
    files: Vec<File>,
}

impl Folder {
    /// For the job of this name.
    fn write(job: &str, config: &Config, face: Option<Face>) -> Result<Folder, JobError> {
        let path = std::env::temp_dir().join(format!("tengen-{job}-{}", std::process::id()));
        let folder = Folder { path, files: package(config, face) };
        for file in &folder.files {
            let path = folder.path.join(&file.path);
            let parent = path.parent().unwrap_or(&folder.path).to_path_buf();
            std::fs::create_dir_all(&parent).map_err(|source| ToolError::File { path: parent, source })?;
            write(&folder.path, &file.path, &file.text)?;
        }
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays is a folder among the system's temporary ones.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// What a tool said, or how it failed; a tool that cannot be run is the caller's error.
fn verdict(ran: Result<String, ToolError>) -> Result<Result<String, String>, JobError> {
    match ran {
        Ok(said) => Ok(Ok(said)),
        Err(failed @ ToolError::Failed { .. }) => Ok(Err(failed.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// The last lines of what a tool said.
fn tail(said: &str) -> String {
    const TAIL: usize = 8;
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(TAIL)..].join("\n")
}

/// Runs a package's test bench for a job: what it said in passing, or how it failed.
pub fn bench(
    job: &str,
    config: &Config,
    face: Option<Face>,
    simulator: BenchTool,
    clocks: Option<u64>,
) -> Result<Result<String, String>, JobError> {
    const PASS: &str = "PASS: ";
    let folder = Folder::write(job, config, face)?;
    let mut arguments = vec!["-s".to_string(), simulator.name().to_string()];
    arguments.extend(clocks.map(|clocks| format!("ARGS=+max_cycles={clocks}")));
    let ran = tool("make").run(&arguments, &folder.path.join("sim"), &mut |_| {});
    Ok(verdict(ran)?.and_then(|said| {
        let passed = said.lines().find_map(|line| Some(line[line.find(PASS)? + PASS.len()..].to_string()));
        passed.ok_or_else(|| format!("the test bench did not say {PASS:?}:\n{}", tail(&said)))
    }))
}

/// Lints a package's Verilog for a job: that it is clean, or what was said.
pub fn lint(job: &str, config: &Config, face: Option<Face>) -> Result<Result<String, String>, JobError> {
    let folder = Folder::write(job, config, face)?;
    let named = |ending: &str| -> Vec<String> {
        let paths = folder.files.iter().map(|file| &file.path);
        paths.filter(|path| path.ends_with(ending)).cloned().collect()
    };
    let source = named(".v").into_iter().find(|path| path.starts_with("rtl/")).unwrap_or_default();
    let top = source.trim_start_matches("rtl/").trim_end_matches(".v").to_string();
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<String>>();
    let mut verilator = words(&["--lint-only", "-Wall"]);
    verilator.extend(named(".vlt"));
    verilator.extend(words(&[&source, "--top-module", &top]));
    let icarus = words(&["-g2001", "-Wall", "-Wno-timescale", "-t", "null", "-s", &top, &source]);
    for (program, arguments) in [(VERILATOR, verilator), (ICARUS, icarus)] {
        match verdict(tool(program).run(&arguments, &folder.path, &mut |_| {}))? {
            Ok(said) if said.trim().is_empty() => {}
            Ok(said) => return Ok(Err(format!("{program} says:\n{}", tail(&said)))),
            Err(failed) => return Ok(Err(failed)),
        }
    }
    Ok(Ok("clean".into()))
}
