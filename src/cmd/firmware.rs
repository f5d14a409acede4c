// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen firmware`: builds the firmware for wujian100.

use crate::found::Found;
use crate::progress::Progress;
use anyhow::bail;
use driver::transport::DEFAULT_BAUD;
use figures::clock::Clock;
use serde_json::json;
use soc_integration::firmware::{Image, Options, build_with};
use soc_integration::slots::SLOTS;
use soc_integration::wujian100::{CLOCK_HZ, ISRAM, rate};
use std::io::Write;
use std::path::PathBuf;

/// What a firmware is built for.
#[derive(clap::Args)]
pub struct Target {
    /// Low-speed slot that the core is in
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..SLOTS.len() as i64))]
    pub slot: u8,
    /// Clock of the SoC
    #[arg(long, value_name = "FREQUENCY", default_value_t = Clock { hz: f64::from(CLOCK_HZ) })]
    pub clock: Clock,
    /// Rate of the serial line; else 115200, or as many as the adapter of a board without a processor carries
    #[arg(long, value_name = "BAUD")]
    pub baud: Option<u32>,
}

impl Target {
    /// The target as the build takes it.
    pub fn options(&self) -> anyhow::Result<Options> {
        if self.clock.hz < 1000.0 || self.clock.hz > f64::from(u32::MAX) {
            bail!("--clock {}: the firmware runs from 1 kHz to 4 GHz", self.clock);
        }
        Ok(Options {
            slot: self.slot.into(),
            clock_hz: self.clock.hz as u32,
            baud: self.baud.unwrap_or(DEFAULT_BAUD),
        })
    }
}

/// Arguments of `firmware`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// Prefix of the RISC-V tools, as riscv-none-elf-; else TENGEN_RISCV_PREFIX, else the first of the usual ones that is there
    #[arg(long, value_name = "PREFIX")]
    tools: Option<String>,
    /// Folder for sources, tengen.elf, tengen.bin and tengen.pat
    #[arg(long, value_name = "DIR", default_value = "build/firmware")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The largest functions' stacks that are shown.
const SHOWN_STACKS: usize = 5;

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let options = arguments.target.options()?;
    let bar = Progress::of("building the firmware");
    let Image { divider, code, data, mut stacks, files, .. } =
        build_with(&arguments.out, options, arguments.tools.as_deref())?;
    drop(bar);
    stacks.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    stacks.truncate(SHOWN_STACKS);
    let baud = rate(options.clock_hz, divider);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let files: Vec<_> = files.iter().map(|file| arguments.out.join(file)).collect();
        let object = json!({
            "out": arguments.out, "files": files, "slot": options.slot, "clock_hz": options.clock_hz, "baud": baud.round(),
            "code_bytes": code, "data_bytes": data,
        });
        writeln!(out, "{object}")?;
        return Ok(Found::Nothing);
    }
    let slot = &SLOTS[options.slot];
    writeln!(out, "firmware for slot {} (0x{:08x}, interrupt {})", options.slot, slot.base, slot.interrupt)?;
    writeln!(out, "  code and constants {:>6} bytes of {}", code, ISRAM.1)?;
    writeln!(out, "  variables          {data:>6} bytes")?;
    let error = 100.0 * (baud / f64::from(options.baud) - 1.0);
    writeln!(
        out,
        "  serial line        {baud:>6.0} baud at {} (asked for {}: {error:+.1} %)",
        arguments.target.clock, options.baud
    )?;
    let largest: Vec<String> = stacks.iter().map(|(name, bytes)| format!("{name} {bytes}")).collect();
    writeln!(out, "  largest frames     {} bytes", largest.join(", "))?;
    for file in files {
        writeln!(out, "  {}", arguments.out.join(file).display())?;
    }
    Ok(Found::Nothing)
}
