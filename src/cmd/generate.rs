// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen generate`: the IP core as files.

use crate::Found;
use crate::configs::load;
use crate::faces::FaceName;
use anyhow::Context;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `generate`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE")]
    config: String,
    /// How the core is reached
    #[arg(long, value_enum, default_value_t = FaceName::Axis)]
    face: FaceName,
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
    let package = match arguments.face.slot() {
        None => hdl::package::files(&config)?,
        Some(face) => soc_integration::package::files(&config, face)?,
    };
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
        let digest: String =
            Sha256::digest(file.text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        text.push_str(&format!(
            "  {:<28} {:>7} lines  {}\n",
            file.path,
            file.text.lines().count(),
            file.purpose
        ));
        listed.push(json!({ "path": file.path, "sha256": digest }));
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
