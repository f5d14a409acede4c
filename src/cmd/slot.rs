// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen slot`: where a peripheral goes in wujian100, and the one line that puts it there.

use crate::configs::load_distinct;
use crate::found::Found;
use serde_json::json;
use soc_integration::slots::{EMPTY_SLOT, SDK_VECTORS, SLOT_FILE, SLOTS};
use soc_integration::{Face, top_name};
use std::io::Write;

/// Arguments of `slot`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Low-speed slot of the SoC
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..SLOTS.len() as i64))]
    slot: u8,
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE", default_value = "gomoku15")]
    config: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let config = load_distinct(&arguments.config)?;
    let top = top_name(&config, Face::Ahb);
    let slot = &SLOTS[usize::from(arguments.slot)];
    let (before, after) = slot.change(&top);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let object = json!({
            "slot": arguments.slot,
            "config": config.name,
            "module": top,
            "base": slot.base,
            "bytes": slot.bytes,
            "interrupt": slot.interrupt,
            "file": SLOT_FILE,
            "before": before,
            "after": after,
        });
        writeln!(out, "{object}")?;
        return Ok(Found::Nothing);
    }
    writeln!(out, "slot {}: {} in place of {EMPTY_SLOT}", arguments.slot, top)?;
    writeln!(out, "  base address  0x{:08x}, 0x{:x} bytes", slot.base, slot.bytes)?;
    writeln!(out, "  interrupt     {} of the CLIC, level, active high", slot.interrupt)?;
    if !slot.fits_sdk() {
        writeln!(out, "                the vendor SDK's tables end at {}: enlarge them", SDK_VECTORS - 1)?;
    }
    writeln!(out, "  {SLOT_FILE}\n    - {before}\n    + {after}")?;
    writeln!(out, "  the files     ./tengen generate --config {} --face ahb --out DIR", arguments.config)?;
    Ok(Found::Nothing)
}
