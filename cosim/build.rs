// SPDX-License-Identifier: MIT OR Apache-2.0
//! Emits, verilates and links every configuration named in TENGEN_CONFIGS (names or files, separated by commas), as it
//! ships and with trace outputs; one that ends in `:untraced` as it ships only.

use engine_model::Config;
use std::path::{Path, PathBuf};
use verilate::{Port, Source, Toolchain};

const DEFAULT_CONFIGS: &str = "gomoku15,gomoku7,tictactoe";
/// Ends an entry of which no traced model is wanted: half the time to build.
const UNTRACED: &str = ":untraced";

fn main() {
    println!("cargo:rerun-if-env-changed=TENGEN_CONFIGS");
    if let Err(message) = build() {
        println!("cargo::error={}", message.to_string().replace('\n', " | "));
        std::process::exit(1);
    }
}

fn build() -> Result<(), Box<dyn std::error::Error>> {
    let out_dir = PathBuf::from(std::env::var("OUT_DIR")?);
    let toolchain = Toolchain::find(verilate::cache_folder(&out_dir))?;
    let wanted = std::env::var("TENGEN_CONFIGS").unwrap_or_else(|_| DEFAULT_CONFIGS.into());
    let mut sources = Vec::new();
    for entry in wanted.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let (entry, traces) = match entry.strip_suffix(UNTRACED) {
            Some(entry) => (entry, &[false][..]),
            None => (entry, &[false, true][..]),
        };
        let file = if entry.ends_with(".toml") {
            PathBuf::from(entry)
        } else {
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs").join(format!("{entry}.toml"))
        };
        println!("cargo:rerun-if-changed={}", file.display());
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let config = Config::from_toml(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        // What ships has no trace; what is checked node by node has.
        for &trace in traces {
            let mut source = source(&Config { trace, ..config.clone() })?;
            if sources.iter().any(|s: &Source| s.config == source.config) {
                continue;
            }
            // Another configuration of the same name, for example an edited copy.
            let same_name = sources.iter().filter(|s| s.name.starts_with(&source.name)).count();
            if same_name > 0 {
                source.name = format!("{}_variant{same_name}", source.name);
            }
            sources.push(source);
        }
    }
    toolchain.build(&sources, &out_dir.join("models.rs"))?;

    // The `verilated` crate's list of runtime files ends before Verilator 5's thread support.
    let include = toolchain.include();
    cc::Build::new()
        .cpp(true)
        .std("gnu++17")
        .flag("-faligned-new")
        .include(&include)
        .include(include.join("vltstd"))
        .file(include.join("verilated_threads.cpp"))
        .warnings(false)
        .cargo_metadata(false)
        .compile("verilated_threads");
    println!("cargo:rustc-link-search=native={}", out_dir.display());
    println!("cargo:rustc-link-lib=static:+whole-archive=verilated_threads");
    Ok(())
}

fn source(config: &Config) -> Result<Source, Box<dyn std::error::Error>> {
    let emission = hdl::emit_engine(config)?;
    let suffix = if config.trace { "_traced" } else { "" };
    Ok(Source {
        name: format!("{}{suffix}", config.name.replace('-', "_")),
        top: emission.top,
        ports: emission
            .ports
            .iter()
            .map(|p| Port {
                name: p.name.clone(),
                width: p.width,
                input: p.direction == hdl::kit::Direction::Input,
            })
            .collect(),
        verilog: emission.verilog,
        config: config.to_toml(),
    })
}
