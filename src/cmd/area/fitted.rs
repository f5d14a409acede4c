// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen area --route xc7`: whether the core packs, places and routes on the user's part, by the user's nextpnr-xilinx.

use super::routed::{cells_object, cells_text, ports};
use crate::progress::Progress;
use area::fit::{Fit, Step, fit};
use area::synthesis::Core;
use area::tool::{Cache, Tool};
use engine_model::Config;
use hdl::Emission;
use serde_json::{Value, json};
use std::path::Path;

/// Asks for a core and the part of a database, or takes the answer from the cache: whether it fits, one JSON object, and text.
pub(super) fn fitted(
    config: &Config,
    emission: &Emission,
    chipdb: &Path,
    tools: (&Tool, &Tool),
    cache: &Cache,
) -> anyhow::Result<(bool, Value, String)> {
    let bar = Progress::of("Yosys, then nextpnr-xilinx");
    let core = Core { verilog: &emission.verilog, top: &emission.top };
    let fit = fit(core, &ports(emission), chipdb, tools, cache, &mut |step| bar.say(step))?;
    drop(bar);
    // The part is in the database; its file's name says which, if it says anything.
    let part = chipdb.file_stem().unwrap_or_default().to_string_lossy();
    Ok((fit.reached == Step::Routed, object(config, &part, &fit), text(config, &part, &fit)))
}

fn object(config: &Config, part: &str, fit: &Fit) -> Value {
    json!({
        "config": config.name,
        "family": "xc7",
        "device": part,
        "source": "fit",
        "packs": fit.reached >= Step::Packed,
        "places": fit.reached >= Step::Placed,
        "routes": fit.reached >= Step::Routed,
        "why": fit.why,
        "path_ns": null,
        "fmax_hz": null,
        "utilisation": cells_object(&fit.utilisation),
    })
}

fn text(config: &Config, part: &str, fit: &Fit) -> String {
    let answer = |step: Step| match fit.reached {
        reached if reached >= step => "yes",
        reached if reached as u8 + 1 == step as u8 => "no",
        _ => "not tried",
    };
    let mut text = format!(
        "{} on the part of {part}, by nextpnr-xilinx, with a harness of one register per port bit\n\n  \
         packs   {}\n  places  {}\n  routes  {}\n",
        config.name,
        answer(Step::Packed),
        answer(Step::Placed),
        answer(Step::Routed)
    );
    if let Some(why) = &fit.why {
        text += &format!("\nIt stopped at: {why}\n");
    }
    if !fit.utilisation.is_empty() {
        text += &format!("\n{}", cells_text(&fit.utilisation));
    }
    text + "\nNo clock: the program knows no wire delays of the part. `tengen area` estimates one, the packaged scripts have Vivado tell it.\n"
}
