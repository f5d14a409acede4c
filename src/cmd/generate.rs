// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen generate`: the IP core as files.

use crate::configs::load;
use crate::faces::FaceName;
use crate::found::Found;
use anyhow::Context;
use lab::recorded::recorded;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use vivado::Face;
use vivado::package::{Format, files, sha256};

/// A format on the command line.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FormatName {
    /// Everything, for Vivado too
    Vivado,
    /// Without what only Vivado reads
    Fusesoc,
    /// Verilog, documents, software, test bench
    Plain,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Vivado => Format::Vivado,
            FormatName::Fusesoc => Format::FuseSoc,
            FormatName::Plain => Format::Plain,
        }
    }
}

/// Arguments of `generate`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE")]
    config: String,
    /// How the core is reached
    #[arg(long, value_enum, default_value_t = FaceName::Axis)]
    face: FaceName,
    /// For whom: everybody, FuseSoC, or Vivado as well
    #[arg(long, value_enum, default_value_t = FormatName::Vivado)]
    format: FormatName,
    /// Folder to write to; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let config = load(&arguments.config)?;
    let face = arguments.face.slot().map_or(Face::Axis, Face::Slot);
    let package = files(&config, face, arguments.format.into(), &recorded(&config)?)?;
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the folder {}", arguments.out.display()))?;
    let mut listed = Vec::new();
    let mut text = format!("{}: {}\n", config.name, arguments.out.display());
    for file in &package {
        let path = arguments.out.join(&file.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("cannot make the folder {}", parent.display()))?;
        }
        std::fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
        text.push_str(&format!(
            "  {:<28} {:>7} lines  {}\n",
            file.path,
            file.text.lines().count(),
            file.purpose
        ));
        listed.push(json!({ "path": file.path, "sha256": sha256(&file.text) }));
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let folder = arguments.out.display().to_string();
        writeln!(out, "{}", json!({ "config": config.name, "out": folder, "files": listed }))?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(Found::Nothing)
}
