// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen generate`: the IP core as files.

use crate::boards::{AnyBoard, Chosen, chosen_config, load_board, too_large};
use crate::configs::load_distinct;
use crate::faces::FaceName;
use crate::found::Found;
use anyhow::{Context, bail};
use boards::values::Family;
use boards::zynq::Zynq;
use hdl::package::File;
use lab::recorded::recorded;
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use vivado::Face;
use vivado::package::{self, Format, MANIFEST, files, hash_of, manifest_of, sha256};

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
    /// Configuration: a name (see `tengen configs`) or a .toml file; with --board, else the one that fits it
    #[arg(long, value_name = "NAME|FILE", required_unless_present = "board")]
    config: Option<String>,
    /// Instead of an IP core a whole design for a board (see `tengen boards`, or a .toml file): top level, pins, a Makefile to the bitstream
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["face", "format"])]
    board: Option<String>,
    /// With --board: bits a second of its serial line; else as many as its adapter carries
    #[arg(long, value_name = "BAUD", requires = "board", value_parser = clap::value_parser!(u32).range(1..))]
    baud: Option<u32>,
    /// How the core is reached
    #[arg(long, value_enum, default_value_t = FaceName::Axis)]
    face: FaceName,
    /// For whom: everybody, FuseSoC, or Vivado as well
    #[arg(long, value_enum, default_value_t = FormatName::Vivado)]
    format: FormatName,
    /// Folder to write to; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write into a folder that holds something else too, or files that were changed by hand
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Takes a package of before away; what else is in the folder is left alone, and refused unless it is asked for.
fn make_room(folder: &Path, force: bool) -> anyhow::Result<()> {
    let shown = folder.display();
    // What cannot be listed cannot be made either, which says why.
    if std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none()) {
        return Ok(());
    }
    let manifest = std::fs::read_to_string(folder.join(MANIFEST)).ok();
    let Some(files) = manifest.as_deref().and_then(package::listed) else {
        if force {
            return Ok(());
        }
        bail!("{shown} is neither empty nor a package: name another folder, or write into it with --force");
    };
    let manifest = manifest.unwrap_or_default();
    let is_changed = |file: &&String| {
        // Bytes that are no text are not what was written.
        let bytes = std::fs::read(folder.join(file));
        bytes.is_ok_and(|bytes| hash_of(&manifest, file) != Some(sha256(&String::from_utf8_lossy(&bytes))))
    };
    if let Some(changed) = files.iter().find(is_changed).filter(|_| !force) {
        bail!(
            "{}: changed since it was generated: keep a copy and write over it with --force, or name another folder",
            folder.join(changed).display()
        );
    }
    for file in files.iter().map(String::as_str).chain([MANIFEST]) {
        let path = folder.join(file);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot replace {}", path.display()));
            }
            _ => {}
        }
        // Only folders that are empty now go.
        if let Some(parent) = path.parent().filter(|parent| *parent != folder) {
            let _ = std::fs::remove_dir(parent);
        }
    }
    Ok(())
}

/// What is written, what it is called, and what it is of.
struct Written {
    files: Vec<File>,
    title: String,
    about: Value,
}

fn core(arguments: &Arguments, name: &str) -> anyhow::Result<Written> {
    let config = load_distinct(name)?;
    let face = arguments.face.slot().map_or(Face::Axis, Face::Slot);
    let files = files(&config, face, arguments.format.into(), &recorded(&config)?);
    Ok(Written { files, title: config.name.clone(), about: json!({ "config": config.name }) })
}

fn warn(of: Option<String>) {
    if let Some(of) = of {
        say!("warning: {of}");
    }
}

/// A Zynq's folder: the core's package with registers, and what makes an overlay of it.
fn overlay(arguments: &Arguments, board: &Zynq) -> anyhow::Result<Written> {
    if arguments.baud.is_some() {
        bail!("board {} has no serial line: --baud says nothing of it", board.name);
    }
    let config = chosen_config(arguments.config.as_deref(), &board.config, &board.name)?;
    warn(too_large(&config, &board.name, board.luts, Family::Xc7)?);
    let face = Face::Slot(soc_integration::Face::Axil);
    let about = json!({ "board": board.name, "config": config.name });
    let mut files = files(&config, face, Format::Vivado, &recorded(&config)?);
    files.retain(|file| file.path != MANIFEST);
    files.extend(board.files(&config, &package::emission(&config, face).top));
    Ok(Written { title: format!("{} on {}", config.name, board.title), ..with_manifest(files, about) })
}

/// Files with the manifest of them.
fn with_manifest(mut files: Vec<File>, about: Value) -> Written {
    let manifest = manifest_of(about.clone(), &files);
    files.push(File {
        path: MANIFEST.into(),
        purpose: "what this is, with a hash of every file",
        text: manifest,
    });
    Written { files, title: String::new(), about }
}

fn design(arguments: &Arguments, name: &str) -> anyhow::Result<Written> {
    if let AnyBoard::Zynq(board) = load_board(name)? {
        return overlay(arguments, &board);
    }
    let chosen = Chosen::new(name, arguments.config.as_deref(), arguments.baud)?;
    let board = &chosen.board;
    warn(too_large(&chosen.config, &board.name, board.luts, board.family)?);
    let about = json!({ "board": board.name, "config": chosen.config.name, "baud": chosen.baud });
    let title = format!("{} on {}", chosen.config.name, board.title);
    Ok(Written { title, ..with_manifest(chosen.files()?, about) })
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let written = match (&arguments.board, &arguments.config) {
        (Some(board), _) => design(arguments, board)?,
        (None, config) => core(arguments, config.as_deref().unwrap_or_default())?,
    };
    make_room(&arguments.out, arguments.force)?;
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the folder {}", arguments.out.display()))?;
    let mut listed = Vec::new();
    let mut text = format!("{}: {}\n", written.title, arguments.out.display());
    for file in &written.files {
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
        let mut object = written.about;
        object["out"] = arguments.out.display().to_string().into();
        object["files"] = listed.into();
        writeln!(out, "{object}")?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(Found::Nothing)
}
