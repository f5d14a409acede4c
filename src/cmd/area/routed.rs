// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen area --route`: the core placed and routed on another family, and the delay model beside the routed paths.

use crate::progress::Progress;
use area::comparison::{Comparison, Pair};
use area::delay::ns;
use area::route::{self, Family, Routed, Timed};
use area::synthesis::Core;
use area::tool::{Cache, Tool};
use engine_model::Config;
use figures::statistics::Distribution;
use hdl::Emission;
use kit::Direction;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Places and routes a core, or takes the result from the cache: one JSON object, and text.
pub(super) fn routed(
    config: &Config,
    emission: &Emission,
    family: Family,
    yosys: &Tool,
    cache: &Cache,
) -> anyhow::Result<(Value, String)> {
    let ports = ports(emission);
    let bar = Progress::of("Yosys");
    let core = Core { verilog: &emission.verilog, top: &emission.top };
    let routed = route::route(core, &ports, family, yosys, cache, &mut |step| bar.say(step))?;
    drop(bar);
    Ok((routed_object(config, family, &routed), routed_text(config, family, &routed)))
}

/// The core's ports, for a harness.
pub(super) fn ports(emission: &Emission) -> Vec<route::Port> {
    let port = |port: &kit::Port| route::Port {
        name: port.name.clone(),
        width: port.width,
        output: port.direction == Direction::Output,
    };
    emission.ports.iter().map(port).collect()
}

/// A table of cells used.
pub(super) fn cells_text(utilisation: &[(String, u64, u64)]) -> String {
    let mut text = format!("  {:<20} {:>9} {:>9} {:>6}\n", "cell", "used", "of", "%");
    for (name, used, available) in utilisation {
        let percent = 100.0 * *used as f64 / (*available).max(1) as f64;
        // Writing into a String cannot fail.
        let _ = writeln!(text, "  {name:<20} {used:>9} {available:>9} {percent:>6.1}");
    }
    text
}

/// The same as an object.
pub(super) fn cells_object(utilisation: &[(String, u64, u64)]) -> Value {
    let cell = |(name, used, available): &(String, u64, u64)| {
        (name.clone(), json!({ "used": used, "available": available }))
    };
    Value::Object(utilisation.iter().map(cell).collect())
}

fn routed_object(config: &Config, family: Family, routed: &Routed) -> Value {
    let cells = family.cells(routed);
    let comparison = routed.comparison.as_ref().map(comparison_object);
    json!({
        "comparison": comparison,
        "config": config.name,
        "family": family.name(),
        "device": family.device(),
        "source": "routed",
        "lut": cells.lut,
        "lut_unit": family.lut_unit(),
        "ff": cells.ff,
        "carry4": null,
        "lutram": cells.lutram,
        "bram": cells.bram,
        "dsp": cells.dsp,
        "path_ns": 1e9 / routed.fmax_hz,
        "fmax_hz": routed.fmax_hz.round(),
        "placed_hz": routed.placed_hz.map(f64::round),
        "routed_hz": routed.routed_hz.round(),
        "registers_timed": routed.timed.registers,
        "registers": routed.timed.of,
        "modules": [],
        "utilisation": cells_object(&routed.utilisation),
    })
}

fn routed_text(config: &Config, family: Family, routed: &Routed) -> String {
    let mut text = format!(
        "{} on {}: routed, with a harness of one register per port bit\n\n{}",
        config.name,
        family.device(),
        cells_text(&routed.utilisation)
    );
    // Writing into a String cannot fail.
    let cells = family.cells(routed);
    let _ = writeln!(text, "  {} in all ({})", cells.lut, family.lut_unit());
    let placed = routed.placed_hz.map_or("-".into(), |placed| format!("{:.1}", placed / 1e6));
    let of = if family.routed_clock_is_whole() {
        format!("after routing; {placed} MHz by estimated wires after placement")
    } else {
        format!("the lower of {placed} MHz after placement and {:.1} after routing", routed.routed_hz / 1e6)
    };
    let _ = writeln!(
        text,
        "\nClock: {:.1} MHz (path {:.3} ns), {of}. Another family: no figure for an Artix-7.",
        routed.fmax_hz / 1e6,
        1e9 / routed.fmax_hz,
    );
    let Timed { registers, of } = routed.timed;
    let share = 100.0 * registers as f64 / of.max(1) as f64;
    let _ = writeln!(
        text,
        "It speaks of {registers} of {of} registers ({share:.0} %): of those whose data input nextpnr has timed."
    );
    if registers < of {
        text.push_str(
            "What ends in the others it left out, so this is no clock that the core is known to reach.\n",
        );
    }
    if let Some(comparison) = &routed.comparison {
        text.push_str(&comparison_text(comparison));
    }
    text
}

/// The paths that are told of, with a name each.
fn shown(comparison: &Comparison) -> [(&'static str, &[Pair]); 2] {
    [("all", &comparison.pairs), ("longest tenth", comparison.long())]
}

/// How far the estimates lie above the routed paths, in per cent of these.
fn errors(pairs: &[Pair]) -> Distribution {
    Distribution::of(pairs.iter().map(|pair| 100.0 * pair.error()))
}

fn comparison_object(comparison: &Comparison) -> Value {
    let paths = |(name, pairs): (&str, &[Pair])| {
        (name.replace(' ', "_"), json!({ "paths": pairs.len(), "error_percent": errors(pairs) }))
    };
    let mut object: Map<String, Value> = shown(comparison).into_iter().map(paths).collect();
    object.insert("longest_estimated_ns".into(), json!(ns(comparison.longest_estimated())));
    object.insert("longest_routed_ns".into(), json!(ns(comparison.longest_routed())));
    Value::Object(object)
}

fn comparison_text(comparison: &Comparison) -> String {
    let mut text = String::from(
        "\nThe estimate of each path of the core, before placement and by this family's delays, beside the routed path into the same pin:\n",
    );
    for (name, pairs) in shown(comparison) {
        let Distribution { p10, median, p90, .. } = errors(pairs);
        let count = pairs.len();
        let _ = writeln!(
            text,
            "  {name:<13} {count:>6} paths: off by {median:+.0} % (median), {p10:+.0} to {p90:+.0} % for eight of ten"
        );
    }
    let _ = writeln!(
        text,
        "  the longest: {:.2} ns estimated, {:.2} ns routed",
        ns(comparison.longest_estimated()),
        ns(comparison.longest_routed())
    );
    text
}
