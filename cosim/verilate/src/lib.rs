// SPDX-License-Identifier: MIT OR Apache-2.0
//! Build-script helper: runs Verilator over Verilog text, compiles the result with a plain C interface around it, and
//! writes the Rust table that `cosim` reads. Libraries are cached under the workspace's target directory by a hash of
//! text, flags and Verilator version, so that all profiles and packages share them.

mod shim;

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// One port of a model's top module.
#[derive(Clone, Debug)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Width in bits.
    pub width: usize,
    /// Whether the bench drives it.
    pub input: bool,
}

/// One Verilog design to be simulated.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name in the table.
    pub name: String,
    /// Top module.
    pub top: String,
    /// Ports of the top module, the clock among them.
    pub ports: Vec<Port>,
    /// Name of its clock.
    pub clock: String,
    /// How it is reached: `axis` or a bus.
    pub face: String,
    /// Whether it can write waveforms, which takes a third of the time to compile.
    pub waves: bool,
    /// Verilog text.
    pub verilog: String,
    /// Configuration as TOML, for the reader of the table.
    pub config: String,
}

/// Why a model could not be built.
#[derive(Debug, thiserror::Error)]
pub enum VerilateError {
    /// A tool is missing.
    #[error(
        "cannot run `{tool}`: {reason}. `./tengen` installs what is missing; on Debian: apt-get install verilator clang make"
    )]
    Missing {
        /// Tool.
        tool: String,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A tool failed.
    #[error("`{tool}` failed for {model}:\n{output}")]
    Failed {
        /// Tool.
        tool: String,
        /// Model.
        model: String,
        /// What it printed.
        output: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {reason}")]
    File {
        /// File.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
}

fn file_error(path: &Path) -> impl FnOnce(std::io::Error) -> VerilateError + '_ {
    move |reason| VerilateError::File { path: path.to_path_buf(), reason }
}

/// Flags of every model: power-up state and unknowns are random. C++ comes in files of some size: each of them costs
/// the time to read the model's header, a megabyte with gomoku15.
const FLAGS: [&str; 10] = [
    "--cc",
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "--output-split",
    "40000",
    "-Wno-fatal",
    "-Wno-lint",
    "-O3",
];

/// Flags of a model with waveforms.
const WAVE_FLAGS: [&str; 3] = ["--trace", "--trace-max-width", "2048"];

/// Code of waveforms runs for a few moves after a fault, if ever: it is not worth optimising.
const WAVE_RULE: &str =
    "$(patsubst %.cpp,%.o,$(notdir $(wildcard *__Trace__*.cpp))): override OPT_FAST = $(OPT_SLOW)\n";

/// The Verilator in use.
pub struct Toolchain {
    verilator: String,
    version: String,
    root: PathBuf,
    cache: PathBuf,
    compiler: Compiler,
}

/// The C++ compiler of models and its options.
struct Compiler {
    program: String,
    /// What it says of itself.
    version: String,
    /// Of what runs in every clock.
    fast: String,
    /// Of what runs once.
    slow: String,
}

impl Compiler {
    /// The one that `CXX` names; else Clang, if it is there, whose models run faster than GCC's (docs/verification.md);
    /// else the system's.
    fn find() -> Result<Compiler, VerilateError> {
        let version = |program: &str| run(Command::new(program).arg("--version"), "--version");
        let chosen = |variable| std::env::var(variable).ok().filter(|value| !value.is_empty());
        let (program, version) = match chosen("CXX") {
            Some(named) => (named.clone(), version(&named)?),
            None => match version("clang++") {
                Ok(text) => ("clang++".to_string(), text),
                Err(_) => ("c++".to_string(), version("c++")?),
            },
        };
        let clang = version.contains("clang");
        // Verilator nests deeper than Clang expects of a program.
        let nesting = if clang { " -fbracket-depth=4096" } else { "" };
        let optimise =
            chosen("TENGEN_SIM_OPT").unwrap_or_else(|| if clang { "-O2".into() } else { "-O1".into() });
        Ok(Compiler { program, version, fast: format!("{optimise}{nesting}"), slow: format!("-O0{nesting}") })
    }
}

/// Verilator's flags for a model.
fn flags(source: &Source) -> Vec<&'static str> {
    let waves = if source.waves { &WAVE_FLAGS[..] } else { &[] };
    FLAGS.iter().chain(waves).copied().collect()
}

fn run(command: &mut Command, model: &str) -> Result<String, VerilateError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|reason| VerilateError::Missing { tool: tool.clone(), reason })?;
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        Ok(text)
    } else {
        Err(VerilateError::Failed { tool, model: model.into(), output: text })
    }
}

impl Toolchain {
    /// Finds the Verilator on the path, the same that the `verilated` crate finds; `cache` is the shared folder.
    pub fn find(cache: PathBuf) -> Result<Toolchain, VerilateError> {
        for variable in ["VERILATOR_ROOT", "CXX", "TENGEN_SIM_OPT"] {
            println!("cargo:rerun-if-env-changed={variable}");
        }
        let verilator = "verilator".to_string();
        let version = run(Command::new(&verilator).arg("--version"), "--version")?.trim().to_string();
        let root = match std::env::var("VERILATOR_ROOT") {
            Ok(root) => root,
            Err(_) => run(Command::new(&verilator).args(["--getenv", "VERILATOR_ROOT"]), "--getenv")?,
        };
        let compiler = Compiler::find()?;
        Ok(Toolchain { verilator, version, root: PathBuf::from(root.trim()), cache, compiler })
    }

    /// Verilator's version line.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Verilates and compiles one model, or finds it in the cache; returns the folder with `libNAME.a`.
    fn library(&self, source: &Source) -> Result<PathBuf, VerilateError> {
        let shim = shim::text(source);
        let mut hash = Sha256::new();
        let flags = format!("{} {WAVE_RULE}", flags(source).join(" "));
        let compiler = &self.compiler;
        for part in [
            &source.name,
            &source.verilog,
            &shim,
            &flags,
            &self.version,
            &compiler.program,
            &compiler.version,
            &compiler.fast,
            &compiler.slow,
        ] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let digest: String = hash.finalize().iter().take(12).fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let folder = self.cache.join(format!("{}-{digest}", source.name));
        let library = folder.join(format!("lib{}.a", source.name));
        if library.exists() {
            return Ok(folder);
        }
        // Built aside and moved into place, so that a build that is cut off leaves nothing half done behind.
        let work = self.cache.join(format!("{}-{digest}.{}", source.name, std::process::id()));
        let _ = std::fs::remove_dir_all(&work);
        std::fs::create_dir_all(&work).map_err(file_error(&work))?;
        if let Err(error) = self.compile(source, &shim, &work) {
            let _ = std::fs::remove_dir_all(&work);
            return Err(error);
        }
        if std::fs::rename(&work, &folder).is_err() && !library.exists() {
            return Err(file_error(&folder)(std::io::Error::other(
                "cannot move the built model into the cache",
            )));
        }
        Ok(folder)
    }

    /// Verilates and compiles one model in the folder `work`, which then holds `libNAME.a`.
    fn compile(&self, source: &Source, shim: &str, work: &Path) -> Result<(), VerilateError> {
        let rtl = work.join(format!("{}.v", source.top));
        std::fs::write(&rtl, &source.verilog).map_err(file_error(&rtl))?;
        let shim_file = work.join("shim.cpp");
        std::fs::write(&shim_file, shim).map_err(file_error(&shim_file))?;
        let prefix = shim::prefix(&source.name);
        run(
            Command::new(&self.verilator)
                .args(flags(source))
                .args(["--prefix", &prefix, "--top-module", &source.top, "--Mdir"])
                .arg(work)
                .arg(&rtl),
            &source.name,
        )?;
        let rules = work.join("model.mk");
        std::fs::write(&rules, format!("include {prefix}.mk\n{WAVE_RULE}")).map_err(file_error(&rules))?;
        let compiler = &self.compiler;
        let variables =
            [("CXX", &compiler.program), ("OPT_FAST", &compiler.fast), ("OPT_SLOW", &compiler.slow)];
        run(
            Command::new("make")
                .args(["-s", "-C"])
                .arg(work)
                .args(["-f", "model.mk"])
                .args(variables.map(|(name, value)| format!("{name}={value}")))
                // PyPI's wheel leaves this unset and then cannot use its own precompiled header.
                .arg("CFG_CXXFLAGS_PCH_I=-include")
                .arg(format!("{prefix}__ALL.a"))
                .env_remove("MAKEFLAGS")
                .env_remove("CXXFLAGS"),
            &source.name,
        )?;
        let object = work.join("shim.o");
        let include = self.root.join("include");
        run(
            Command::new(&compiler.program)
                .args(["-std=gnu++17", "-O1", "-fPIC", "-faligned-new"])
                .args(if source.waves { &["-DVM_TRACE=1", "-DVM_TRACE_VCD=1"][..] } else { &[] })
                .args(["-c", "-I"])
                .arg(&include)
                .arg("-I")
                .arg(include.join("vltstd"))
                .arg("-I")
                .arg(work)
                .arg(&shim_file)
                .arg("-o")
                .arg(&object),
            &source.name,
        )?;
        let built = work.join(format!("{prefix}__ALL.a"));
        run(Command::new("ar").arg("q").arg(&built).arg(&object), &source.name)?;
        let named = work.join(format!("lib{}.a", source.name));
        std::fs::rename(&built, &named).map_err(file_error(&named))?;
        Ok(())
    }

    /// Builds every model, tells cargo to link them with Verilator's thread support (which the `verilated` crate leaves
    /// out), and writes the table of models to `table`.
    pub fn build(&self, sources: &[Source], table: &Path) -> Result<(), VerilateError> {
        std::fs::create_dir_all(&self.cache).map_err(file_error(&self.cache))?;
        let mut text = shim::table_head(&self.version);
        // One model a core at a time: a model's own make is not parallel.
        let next = std::sync::atomic::AtomicUsize::new(0);
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let built: Vec<Mutex<Option<Result<PathBuf, VerilateError>>>> =
            sources.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some((source, slot)) = {
                        let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        sources.get(index).zip(built.get(index))
                    } {
                        let result = self.library(source);
                        *slot.lock().expect("no worker panics while it holds a slot") = Some(result);
                    }
                });
            }
        });
        for (source, slot) in sources.iter().zip(built) {
            let result = slot.into_inner().expect("no worker panics while it holds a slot");
            let folder = result.expect("every model has been tried")?;
            println!("cargo:rustc-link-search=native={}", folder.display());
            println!("cargo:rustc-link-lib=static={}", source.name);
            text.push_str(&shim::table_entry(source));
        }
        text.push_str(&shim::table_tail(sources));
        println!("cargo:rustc-link-lib=stdc++");
        std::fs::write(table, text).map_err(file_error(table))
    }

    /// Folder with Verilator's runtime sources.
    pub fn include(&self) -> PathBuf {
        self.root.join("include")
    }
}

/// The shared cache folder for a build script: `target/verilated` of the workspace, from the script's `OUT_DIR`.
pub fn cache_folder(out_dir: &Path) -> PathBuf {
    // OUT_DIR is target/PROFILE/build/PACKAGE-HASH/out.
    out_dir.ancestors().nth(4).unwrap_or(out_dir).join("verilated")
}
