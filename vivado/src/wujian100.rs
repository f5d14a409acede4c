// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scripts that put the AHB-Lite slot into a checkout of wujian100_open: by Vivado alone, and by the SoC's own flow, Synplify and
//! then Vivado. The checkout stays as it is. Their texts are in `tcl/`, names in capitals between `@` being filled in.

use crate::identity::PART;
use crate::tcl::LICENCE;
use hdl::Emission;
use soc_integration::slots::{EMPTY_SLOT, SLOT_FILE, SLOTS, TIED};
use soc_integration::wujian100::{CLOCK_HZ, ISRAM};

/// The SoC's project for Synplify, in a checkout.
const PROJECT: &str = "fpga synplify wujian100_open_200t_3b.prj";
/// What that project calls its implementation, and with it the folder of its results.
const IMPLEMENTATION: &str = "wujian100_open_200t_3b_rev";

/// Arguments CHECKOUT, SLOT, OUT and FIRMWARE, checked; procedures that change sources in copies.
const SOURCES: &str = include_str!("../tcl/wujian100_sources.tcl");
/// From a design in memory to a bitstream and its reports in OUT.
const IMPLEMENT: &str = include_str!("../tcl/wujian100_implement.tcl");

fn filled(template: &str, emission: &Emission, out: &str) -> String {
    let places: Vec<&str> = SLOTS.iter().map(|slot| slot.instance).collect();
    let names = [
        ("SOURCES", SOURCES.to_string()),
        ("IMPLEMENT", IMPLEMENT.trim_end().to_string()),
        ("IMPLEMENTATION", IMPLEMENTATION.to_string()),
        ("PROJECT", PROJECT.to_string()),
        ("OUT", out.to_string()),
        ("TOP", emission.top.clone()),
        ("PLACES", places.join(" ")),
        ("LAST", (SLOTS.len() - 1).to_string()),
        ("SLOT_FILE", SLOT_FILE.rsplit('/').next().unwrap_or(SLOT_FILE).to_string()),
        ("EMPTY", EMPTY_SLOT.to_string()),
        ("TIED", TIED.to_string()),
        ("ISRAM_WORDS", (ISRAM.1 / 4).to_string()),
        ("PERIOD", format!("{:.3}", 1e9 / f64::from(CLOCK_HZ))),
        ("PART", PART.to_string()),
    ];
    let text = format!("{LICENCE}{template}");
    names.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

/// Builds the SoC with the slot by Vivado alone, from synthesis to a bitstream.
pub fn vivado_alone(emission: &Emission) -> String {
    filled(include_str!("../tcl/wujian100.tcl"), emission, &format!("wujian100_{}", emission.top))
}

/// Writes a project for Synplify: the SoC's own with the slot in it. Any Tcl runs it.
pub fn synplify_project(emission: &Emission) -> String {
    let out = format!("wujian100_{}_synplify", emission.top);
    filled(include_str!("../tcl/wujian100_synplify.tcl"), emission, &out)
}

/// Takes Synplify's netlist to a bitstream.
pub fn netlist(emission: &Emission) -> String {
    filled(include_str!("../tcl/wujian100_netlist.tcl"), emission, "")
}
