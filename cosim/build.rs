// SPDX-License-Identifier: MIT OR Apache-2.0
//! Emits, verilates and links every configuration named in TENGEN_CONFIGS (names or files, separated by commas), as it
//! ships and with trace outputs; one that ends in `:untraced` as it ships only, in `:traced` with trace outputs only, in
//! `:ahb`, `:apb` or `:axil` its slot.

use engine_model::Config;
use soc_integration::Face;
use std::path::{Path, PathBuf};
use verilate::{Port, Source, Toolchain};

const DEFAULT_CONFIGS: &str = "gomoku15,gomoku7,tictactoe,gomoku7:ahb,gomoku7:apb,gomoku7:axil";
/// Ends an entry of which no traced model is wanted: half the time to build.
const UNTRACED: &str = "untraced";
/// Ends an entry of which only the traced model is wanted.
const TRACED: &str = "traced";
/// What a plain entry stands for.
const CORE: [Kind; 2] = [Kind::Core { trace: false }, Kind::Core { trace: true }];

/// What to build of a configuration.
#[derive(Clone, Copy)]
enum Kind {
    Core { trace: bool },
    Slot(Face),
}

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
        // The last colon: paths may hold one too.
        let (entry, kinds) = match entry.rsplit_once(':') {
            Some((entry, UNTRACED)) => (entry, vec![Kind::Core { trace: false }]),
            Some((entry, TRACED)) => (entry, vec![Kind::Core { trace: true }]),
            Some((before, face)) => match Face::from_name(face) {
                Some(face) => (before, vec![Kind::Slot(face)]),
                None => (entry, CORE.to_vec()),
            },
            None => (entry, CORE.to_vec()),
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
        for kind in kinds {
            let mut source = kind.source(&config)?;
            if sources.iter().any(|s: &Source| (&s.config, &s.face) == (&source.config, &source.face)) {
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

impl Kind {
    fn source(self, config: &Config) -> Result<Source, Box<dyn std::error::Error>> {
        let name = config.name.replace('-', "_");
        let (config, name, emission, face, clock) = match self {
            Kind::Core { trace } => {
                let config = Config { trace, ..config.clone() };
                let name = if trace { format!("{name}_traced") } else { name };
                let emission = hdl::emit_engine(&config)?;
                (config, name, emission, "axis", "aclk")
            }
            Kind::Slot(face) => {
                let config = Config { trace: false, ..config.clone() };
                let emission = soc_integration::emit_slot(&config, face)?;
                (config, format!("{name}_{}", face.name()), emission, face.name(), face.clock_and_reset().0)
            }
        };
        let port = |p: &hdl::kit::Port| Port {
            name: p.name.clone(),
            width: p.width,
            input: p.direction == hdl::kit::Direction::Input,
        };
        Ok(Source {
            name,
            top: emission.top,
            ports: emission.ports.iter().map(port).collect(),
            clock: clock.to_string(),
            face: face.to_string(),
            waves: true,
            verilog: emission.verilog,
            config: config.to_toml(),
        })
    }
}
