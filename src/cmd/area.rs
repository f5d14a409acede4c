// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen area`: what the core takes of a device, and its longest paths.

mod fitted;
mod routed;

use crate::configs::load;
use crate::found::{self, Found};
use crate::progress::Progress;
use anyhow::{Context, bail, ensure};
use area::delay::ns;
use area::fit;
use area::route::Family;
use area::synthesis::{self, Core};
use area::timing::{self, Timing, TimingError};
use area::tool::{Cache, Tool};
use area::utilisation::{self, Counts, Utilisation, XC7A200T};
use area::{artix7, netlist::Design};
use engine_model::Config;
use hdl::Emission;
use kit::Chain;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `area`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE", default_value = "gomoku15")]
    config: String,
    /// Yosys to synthesise with
    #[arg(long, value_name = "PATH")]
    yosys: Option<String>,
    /// Place and route for another family instead (takes long; the pip packages are named in docs/area.md), or, with xc7, ask your
    /// own nextpnr-xilinx whether the core fits your part
    #[arg(long, value_name = "FAMILY")]
    route: Option<RouteFamily>,
    /// With --route xc7: nextpnr-xilinx's database of the part, as openXC7 makes it (xc7a100t.bin, for example)
    #[arg(long, value_name = "FILE")]
    chipdb: Option<PathBuf>,
    /// With --route xc7: the nextpnr-xilinx, else the one of that name on the search path
    #[arg(long, value_name = "PATH")]
    nextpnr: Option<String>,
    /// Without any tool, within a second: the longest chain of operators between registers, of each circuit and of the whole core
    #[arg(long, conflicts_with_all = ["yosys", "route"])]
    chains: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The longest chains of operators.
fn chains(config: &Config, as_json: bool) -> anyhow::Result<Found> {
    let engine = hdl::engine(config);
    let mut chains: Vec<(String, Chain)> = engine.chains().into_iter().collect();
    chains.sort_by_key(|(_, chain)| std::cmp::Reverse(chain.operators));
    chains.insert(0, ("whole core".into(), engine.longest_chain()));
    let mut out = std::io::stdout().lock();
    if as_json {
        let rows = chains.iter().map(|(circuit, chain)| {
            json!({ "circuit": circuit, "operators": chain.operators, "signals": chain.signals })
        });
        writeln!(out, "{}", json!({ "config": config.name, "chains": rows.collect::<Vec<_>>() }))?;
        return Ok(Found::Nothing);
    }
    writeln!(
        out,
        "{}: operators one behind the other between registers; how long each takes only `tengen area` estimates",
        config.name
    )?;
    let width = chains.iter().map(|(circuit, _)| circuit.len()).max().unwrap_or(0);
    for (circuit, Chain { operators, signals }) in &chains {
        writeln!(out, "  {circuit:width$} {operators:4}  {}", ends(signals))?;
    }
    Ok(Found::Nothing)
}

/// Signals along a chain, those in the middle left out of a long one.
fn ends(signals: &[String]) -> String {
    const SHOWN: usize = 3;
    match signals.len() {
        0..=7 => signals.join(" > "),
        count => {
            let (first, last) = (&signals[..SHOWN], &signals[count - SHOWN..]);
            format!("{} > .. {} more > {}", first.join(" > "), count - 2 * SHOWN, last.join(" > "))
        }
    }
}

/// Families with an open place-and-route.
#[derive(Clone, Copy, clap::ValueEnum)]
enum RouteFamily {
    /// Lattice ECP5-85K
    Ecp5,
    /// Gowin GW5AST-138C
    Gowin,
    /// A part of Xilinx's 7 series, by nextpnr-xilinx: whether the core packs, places and routes; no clock
    Xc7,
}

/// The database of the part, which only `--route xc7` asks for.
fn chipdb(arguments: &Arguments) -> anyhow::Result<Option<&Path>> {
    let fits = matches!(arguments.route, Some(RouteFamily::Xc7));
    if !fits && (arguments.chipdb.is_some() || arguments.nextpnr.is_some()) {
        bail!("--chipdb and --nextpnr belong to --route xc7");
    }
    let Some(chipdb) = &arguments.chipdb else {
        ensure!(
            !fits,
            "--route xc7 needs --chipdb FILE, nextpnr-xilinx's database of your part: openXC7 makes it; none comes with tengen"
        );
        return Ok(None);
    };
    ensure!(chipdb.is_file(), "there is no database {}: openXC7 makes it of a part's name", chipdb.display());
    Ok(Some(chipdb))
}

/// Where netlists and routed results are kept.
pub const CACHE_FOLDER: &str = "target/area";

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let config = load(&arguments.config)?;
    let chipdb = chipdb(arguments)?;
    if arguments.chains {
        return chains(&config, arguments.json);
    }
    let emission = hdl::emit_engine(&config);
    let yosys = synthesis::yosys(arguments.yosys.as_deref());
    let cache = Cache::new(CACHE_FOLDER);
    let mut found = Found::Nothing;
    let (object, text) = match arguments.route {
        None => match estimated(&config, &emission, &yosys, &cache) {
            // A loop is a fault of the core, not of the call.
            Err(error) if error.is::<TimingError>() => {
                say!("fault: {}", found::message(&error));
                return Ok(Found::Fault);
            }
            result => result?,
        },
        Some(RouteFamily::Ecp5) => routed::routed(&config, &emission, Family::Ecp5, &yosys, &cache)?,
        Some(RouteFamily::Gowin) => routed::routed(&config, &emission, Family::Gowin, &yosys, &cache)?,
        Some(RouteFamily::Xc7) => {
            let nextpnr = fit::nextpnr(arguments.nextpnr.as_deref());
            let chipdb = chipdb.expect("it has been asked for");
            let (fits, object, text) =
                fitted::fitted(&config, &emission, chipdb, (&yosys, &nextpnr), &cache)?;
            if !fits {
                found = Found::Fault;
            }
            (object, text)
        }
    };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{object}")?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(found)
}

/// What Yosys made of a core.
pub struct Estimate {
    /// Cells.
    pub utilisation: Utilisation,
    /// Paths.
    pub timing: Timing,
    /// The Yosys.
    pub version: String,
}

/// Synthesises a core, or takes its netlist from the cache.
pub fn estimate(emission: &Emission, yosys: &Tool, cache: &Cache) -> anyhow::Result<Estimate> {
    let bar = Progress::of("Yosys");
    let core = Core { verilog: &emission.verilog, top: &emission.top };
    let netlist = synthesis::netlist(core, yosys, cache, &mut |pass| bar.say(pass));
    bar.say("counting cells, adding up paths");
    let design = Design::from_json(&netlist?)
        .with_context(|| format!("the netlist kept in {CACHE_FOLDER}: delete it to have it made anew"))?;
    let utilisation = utilisation::count(&design);
    let timing = timing::analyse(&design, &artix7::Artix7)?;
    Ok(Estimate { utilisation, timing, version: synthesis::version(yosys)? })
}

fn estimated(
    config: &Config,
    emission: &Emission,
    yosys: &Tool,
    cache: &Cache,
) -> anyhow::Result<(Value, String)> {
    let Estimate { utilisation, timing, version } = estimate(emission, yosys, cache)?;
    Ok((
        estimate_object(config, &utilisation, &timing, &version),
        estimate_text(config, &utilisation, &timing, &version),
    ))
}

fn counts_object(counts: &Counts) -> Value {
    json!({
        "lut": counts.lut(),
        "luts": counts.luts,
        "inverters": counts.inverters,
        "ff": counts.ff,
        "carry4": counts.carry4,
        "muxf": counts.muxf,
        "lutram": counts.lutram,
        "bram": counts.bram(),
        "dsp": counts.dsp,
    })
}

fn path_object(path: &timing::Path) -> Value {
    let wire = |wire: &timing::Wire| json!({ "net": wire.net, "fan_out": wire.fan_out, "ns": ns(wire.ps) });
    let place =
        |place: &timing::Place| json!({ "register": place.name, "module": place.module, "pin": place.pin });
    let stages = path.stages.iter().map(|stage| {
        json!({
            "net": wire(&stage.wire), "cell": stage.cell, "module": stage.module, "through": stage.through,
            "ns": ns(stage.ps), "arrival_ns": ns(stage.arrival_ps),
        })
    });
    json!({
        "ns": ns(path.ps),
        "start": place(&path.start),
        "end": place(&path.end),
        "levels": path.levels(),
        "launch_ns": ns(path.launch_ps),
        "stages": stages.collect::<Vec<_>>(),
        "last_net": wire(&path.last),
        "setup_ns": ns(path.setup_ps),
    })
}

/// Longest path in nanoseconds and the clock it allows; null where no path runs between registers.
fn clock(timing: &Timing) -> (Option<f64>, Option<f64>) {
    let path_ns = timing.longest().map(|path| ns(path.ps));
    (path_ns, path_ns.map(|ns| (1e9 / ns).round()))
}

fn estimate_object(config: &Config, utilisation: &Utilisation, timing: &Timing, version: &str) -> Value {
    let (path_ns, fmax_hz) = clock(timing);
    let modules = utilisation.modules.iter().map(|module| {
        let mut object = counts_object(&module.own);
        object["name"] = json!(module.name);
        object["instances"] = json!(module.instances);
        object["longest_path_ns"] = json!(timing.modules.get(&module.name).copied().map(ns));
        object["with_children"] = counts_object(&module.with_children);
        object
    });
    let groups = timing.groups.iter().map(|group| {
        json!({
            "module": group.module, "register": group.register, "pin": group.pin,
            "endpoints": group.endpoints, "path": path_object(&group.worst),
        })
    });
    let loads = timing.loads.iter().map(|load| {
        json!({ "net": load.net, "module": load.module, "driver": load.driver, "fan_out": load.fan_out })
    });
    let total = &utilisation.total;
    let percent = |count: f64, of: u64| 100.0 * count / of as f64;
    let mut object = counts_object(total);
    let rest = json!({
        "config": config.name,
        "family": "xc7",
        "source": "estimate",
        "path_ns": path_ns,
        "fmax_hz": fmax_hz,
        "modules": modules.collect::<Vec<_>>(),
        "synthesis": version,
        "device": XC7A200T.name,
        "percent": {
            "lut": percent((total.lut() + total.lutram) as f64, XC7A200T.lut),
            "ff": percent(total.ff as f64, XC7A200T.ff),
            "carry4": percent(total.carry4 as f64, XC7A200T.carry4()),
            "bram": percent(total.bram(), XC7A200T.bram),
            "dsp": percent(total.dsp as f64, XC7A200T.dsp),
        },
        "endpoints": timing.endpoints,
        "dead_cells": timing.dead_cells,
        "endpoints_by_ns": timing.histogram,
        "worst_endpoints": groups.collect::<Vec<_>>(),
        "fan_out": loads.collect::<Vec<_>>(),
    });
    if let (Value::Object(object), Value::Object(rest)) = (&mut object, rest) {
        object.extend(rest);
    }
    object
}

fn estimate_text(config: &Config, utilisation: &Utilisation, timing: &Timing, version: &str) -> String {
    let mut text = String::new();
    let total = &utilisation.total;
    // Writing into a String cannot fail.
    let _ = writeln!(
        text,
        "{} for {}, mapped by {version}: estimate, before packing",
        config.name, XC7A200T.name
    );
    let width = utilisation.modules.iter().map(|module| module.name.len()).max().unwrap_or(0).max(8);
    let _ = writeln!(
        text,
        "\n  {:<width$} {:>5} {:>8} {:>8} {:>8} {:>7} {:>7} {:>6} {:>5} {:>6} {:>7}",
        "module", "inst", "LUT each", "LUT", "FF", "CARRY4", "LUTRAM", "BRAM", "DSP", "% LUT", "path ns"
    );
    for module in &utilisation.modules {
        let all = module.own.times(module.instances);
        let _ = writeln!(
            text,
            "  {:<width$} {:>5} {:>8} {:>8} {:>8} {:>7} {:>7} {:>6} {:>5} {:>6.1} {:>7}",
            module.name,
            module.instances,
            module.own.lut(),
            all.lut(),
            all.ff,
            all.carry4,
            all.lutram,
            all.bram(),
            all.dsp,
            100.0 * all.lut() as f64 / total.lut().max(1) as f64,
            timing.modules.get(&module.name).map_or_else(|| "-".into(), |ps| format!("{:.2}", ns(*ps))),
        );
    }
    let _ = writeln!(
        text,
        "  {:<width$} {:>5} {:>8} {:>8} {:>8} {:>7} {:>7} {:>6} {:>5}",
        "estimate, total",
        "",
        "",
        total.lut(),
        total.ff,
        total.carry4,
        total.lutram,
        total.bram(),
        total.dsp
    );
    let percent = |count: f64, of: u64| format!("{:.1}", 100.0 * count / of as f64);
    let _ = writeln!(
        text,
        "  {:<width$} {:>5} {:>8} {:>8} {:>8} {:>7} {:>7} {:>6} {:>5}",
        format!("% of {}", XC7A200T.name),
        "",
        "",
        percent(total.lut() as f64, XC7A200T.lut),
        percent(total.ff as f64, XC7A200T.ff),
        percent(total.carry4 as f64, XC7A200T.carry4()),
        percent(total.lutram as f64, XC7A200T.lut),
        percent(total.bram(), XC7A200T.bram),
        percent(total.dsp as f64, XC7A200T.dsp),
    );
    let _ = writeln!(
        text,
        "  A module's row is its own cells in all its instances; its path is the longest that ends in it. Besides: {} \
         MUXF7/8, {} inverters; {} cells that no output depends on.",
        total.muxf, total.inverters, timing.dead_cells
    );
    if let Some(path) = timing.longest() {
        longest_path(&mut text, path);
        worst_endpoints(&mut text, timing);
    } else {
        text.push_str("\nNo path runs from register to register.\n");
    }
    text.push_str("\nLargest fan-outs (loads, clocks not counted)\n");
    for load in &timing.loads {
        let _ = writeln!(text, "  {:>6}  {} ({} in {})", load.fan_out, load.net, load.driver, load.module);
    }
    text
}

fn levels(path: &timing::Path) -> String {
    let levels = path.levels();
    let count: usize = levels.values().sum();
    let kinds: Vec<String> = levels.iter().map(|(cell, count)| format!("{cell}={count}")).collect();
    format!("{count} levels ({})", kinds.join(" "))
}

fn net(wire: &timing::Wire) -> String {
    let name = wire.net.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
    format!("net{name} (fan-out {})", wire.fan_out)
}

fn longest_path(text: &mut String, path: &timing::Path) {
    let wires: u32 = path.stages.iter().map(|stage| stage.wire.ps).sum::<u32>() + path.last.ps;
    let _ = writeln!(
        text,
        "\nLongest register-to-register path, estimate for Artix-7 -1: {:.3} ns, {:.1} MHz; {}; nets {:.0} %",
        ns(path.ps),
        1000.0 / ns(path.ps),
        levels(path),
        100.0 * f64::from(wires) / f64::from(path.ps.max(1)),
    );
    let _ = writeln!(
        text,
        "  {:>7.3} {:>7.3}  {}/{} in {}",
        ns(path.launch_ps),
        ns(path.launch_ps),
        path.start.name,
        path.start.pin,
        path.start.module
    );
    for stage in &path.stages {
        let _ = writeln!(
            text,
            "  {:>7.3} {:>7.3}  {}, {} {} in {}",
            ns(stage.wire.ps + stage.ps),
            ns(stage.arrival_ps),
            net(&stage.wire),
            stage.cell,
            stage.through,
            stage.module
        );
    }
    let _ = writeln!(
        text,
        "  {:>7.3} {:>7.3}  {}, {}/{} in {}",
        ns(path.last.ps + path.setup_ps),
        ns(path.ps),
        net(&path.last),
        path.end.name,
        path.end.pin,
        path.end.module
    );
}

fn worst_endpoints(text: &mut String, timing: &Timing) {
    let lengths: Vec<String> = timing
        .histogram
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(whole_ns, count)| format!("{count} of {whole_ns}-{}", whole_ns + 1))
        .collect();
    let _ = writeln!(text, "\nEndpoints by path length, ns: {}", lengths.join(", "));
    let _ = writeln!(text, "\nWorst endpoints of {} (ns, estimate)", timing.endpoints);
    for group in &timing.groups {
        let _ = writeln!(
            text,
            "  {:>7.3}  {}.{}/{} ({} endpoints) from {} in {}, {}",
            ns(group.worst.ps),
            group.module,
            group.register,
            group.pin,
            group.endpoints,
            group.worst.start.name,
            group.worst.start.module,
            levels(&group.worst)
        );
    }
    let _ = writeln!(
        text,
        "  A net between slices costs {} ps and {} ps more with each doubling of its fan-out.",
        artix7::NET_BASE.ps,
        artix7::NET_DOUBLING.ps
    );
}
