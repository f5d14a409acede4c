// SPDX-License-Identifier: MIT OR Apache-2.0
//! Takes the C interfaces to Verilator's runtime out of the crate `verilated`, for the runtime that models share.
//!
//! The crate itself would compile Verilator's runtime into the program: then the program could be built only where
//! Verilator is, and would run the models of that one version only. So its sources are compiled beside the models
//! instead, with the Verilator that made them, and cargo is asked where they are.

use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: [&str; 2] = ["verilated_shim.cpp", "verilatedvcdc_shim.cpp"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=Cargo.toml");
    if let Err(message) = copy() {
        println!("cargo::error={}", message.replace('\n', " | "));
        std::process::exit(1);
    }
}

fn copy() -> Result<(), String> {
    let variable = |name: &str| std::env::var(name).map_err(|error| format!("{name}: {error}"));
    let (cargo, target, out) = (variable("CARGO")?, variable("TARGET")?, variable("OUT_DIR")?);
    let manifest = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let metadata = |offline: &[&str]| {
        Command::new(&cargo)
            .args(["metadata", "--format-version", "1", "--features", "runtime-sources"])
            .args(["--filter-platform", &target, "--manifest-path"])
            .arg(&manifest)
            .args(offline)
            .output()
            .map_err(|error| format!("cannot run {cargo}: {error}"))
    };
    // Without a look at the registry, if all is there.
    let mut output = metadata(&["--offline"])?;
    if !output.status.success() {
        output = metadata(&[])?;
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let folder = crate_folder(&said).ok_or_else(|| {
        let error = String::from_utf8_lossy(&output.stderr);
        format!("cargo does not find the crate verilated; `cargo fetch` once, with network. {error}")
    })?;
    for source in SOURCES {
        let from = folder.join("src").join(source);
        std::fs::copy(&from, Path::new(&out).join(source))
            .map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(())
}

/// Folder of the crate, from cargo's description of the packages: a JSON parser would be compiled for this one path.
fn crate_folder(metadata: &str) -> Option<PathBuf> {
    let mut paths = metadata.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let manifest = paths.find(|path| {
        let mut parts = path.rsplit(['/', '\\']).filter(|part| !part.is_empty());
        parts.next() == Some("Cargo.toml") && parts.next().is_some_and(|name| name.starts_with("verilated-"))
    })?;
    Path::new(&manifest.replace("\\\\", "\\")).parent().map(Path::to_path_buf)
}
