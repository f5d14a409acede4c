// SPDX-License-Identifier: MIT OR Apache-2.0
//! `report_utilization`: what a design takes.

use super::head::{Head, ReportError};
use super::lines::Lines;

/// What a design takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Utilisation {
    /// Head of the report.
    pub head: Head,
    /// LUTs, those used as memory too.
    pub lut: u64,
    /// Of these as memory.
    pub lutram: u64,
    /// Registers.
    pub ff: u64,
    /// Carry chains of four bits.
    pub carry4: u64,
    /// Carry chains of eight bits, which later families have instead.
    pub carry8: u64,
    /// Block RAM tiles.
    pub bram: f64,
    /// DSP slices.
    pub dsp: u64,
    /// LUTs of the device.
    pub available_lut: u64,
}

/// Reads `report_utilization`.
pub fn utilisation(text: &str) -> Result<Utilisation, ReportError> {
    let lines = Lines::new(text);
    let head = lines.head()?;
    let need = |names: &[&str]| {
        lines.used(names)?.ok_or_else(|| lines.missing(&format!("a row {}", names.join(" or "))))
    };
    let (lut, available_lut) = need(&["Slice LUTs", "CLB LUTs"])?;
    let (ff, _) = need(&["Slice Registers", "CLB Registers"])?;
    let lutram = lines.used(&["LUT as Memory"])?.map_or(0.0, |(used, _)| used);
    let (bram, _) = need(&["Block RAM Tile"])?;
    let (dsp, _) = need(&["DSPs"])?;
    // The last table ends as it begins, with a rule.
    let (primitives, _) = lines.row(&["Ref Name"]).ok_or_else(|| lines.missing("its table of primitives"))?;
    let mut below = lines.lines[primitives + 1..].iter();
    if below.next().is_none_or(|rule| !below.any(|line| line == rule)) {
        return Err(lines.missing("the end of its table of primitives"));
    }
    Ok(Utilisation {
        head,
        lut: lut as u64,
        lutram: lutram as u64,
        ff: ff as u64,
        carry4: lines.primitive("CARRY4")?,
        carry8: lines.primitive("CARRY8")?,
        bram,
        dsp: dsp as u64,
        available_lut: available_lut as u64,
    })
}
