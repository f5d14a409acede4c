// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why there is no simulation, and what to do.

use std::io;
use std::path::PathBuf;

/// Why a model could not be compiled or loaded.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerilateError {
    /// A tool is missing.
    #[error(
        "cannot run `{tool}`: {reason}. A simulation needs Verilator and a C++ compiler: `./tengen` installs them; on Debian: apt-get install verilator clang"
    )]
    Missing {
        /// Tool.
        tool: String,
        /// What the system said.
        reason: String,
    },
    /// Verilator's root is none.
    #[error(
        "there is no include/verilated.h in Verilator's root {}: unset VERILATOR_ROOT, or name the folder that has it",
        root.display()
    )]
    Root {
        /// The folder.
        root: PathBuf,
    },
    /// A tool failed.
    #[error("`{tool}` failed for {model}:\n{output}{}", hint(output))]
    Failed {
        /// Tool.
        tool: String,
        /// Model.
        model: String,
        /// The end of what it printed.
        output: String,
    },
    /// The cache cannot be written.
    #[error(
        "cannot write the model cache {path}: {reason}. Set TENGEN_CACHE to a folder that can be written"
    )]
    Cache {
        /// File or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The disk is full.
    #[error(
        "no space left for the model cache {path}: `tengen models --clean` empties it, TENGEN_CACHE names another folder"
    )]
    NoSpace {
        /// File or folder.
        path: PathBuf,
    },
    /// The file system has no locks.
    #[error(
        "the file system of the model cache {path} has no file locks ({reason}), so that two programs would compile into one folder: set \
         TENGEN_CACHE to a folder on a local disk"
    )]
    NoLocks {
        /// The lock's file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// What lies there cannot be run.
    #[error(
        "the model cache {path} is on a file system mounted noexec, from which no library can be loaded: set TENGEN_CACHE to a folder on another"
    )]
    NoExec {
        /// The folder.
        path: PathBuf,
    },
    /// There is no place for a cache.
    #[error("there is no folder for compiled models (no home folder is known): set TENGEN_CACHE to one")]
    NoFolder,
    /// A library that has just been compiled cannot be used.
    #[error("{path} cannot be loaded: {reason}. Delete the folder it is in and try again")]
    Load {
        /// The library.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
}

/// What helps against what a tool printed.
fn hint(output: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| output.contains(word));
    if says(&["lz4.h", "-llz4", "LZ4_"]) {
        "\nThe writer of FST of Verilator 5.048 and later needs LZ4: on Debian apt-get install liblz4-dev; or name the waveform FILE.vcd"
    } else if says(&["zlib.h", "-lz"]) {
        "\nThe writer of FST needs zlib: on Debian apt-get install zlib1g-dev; or name the waveform FILE.vcd"
    } else {
        ""
    }
}

/// What the system says of a full disk, in the output of tools.
const FULL: &str = "No space left on device";
/// Of a tool's output, so many characters at its end are shown.
const SHOWN: usize = 4000;

impl VerilateError {
    /// A file of the cache could not be read or written.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> VerilateError {
        let path = path.into();
        move |reason| match reason.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => VerilateError::NoSpace { path },
            _ => VerilateError::Cache { path, reason: reason.to_string() },
        }
    }

    /// A tool ended with an error after it printed `output`; it wrote into the cache.
    pub(crate) fn tool(tool: &str, model: &str, folder: &std::path::Path, output: &str) -> VerilateError {
        if output.contains(FULL) {
            return VerilateError::NoSpace { path: folder.into() };
        }
        let skipped = output.chars().count().saturating_sub(SHOWN);
        let output = output.chars().skip(skipped).collect();
        VerilateError::Failed { tool: tool.into(), model: model.into(), output }
    }
}
