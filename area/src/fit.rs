// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a core packs, places and routes on a part of Xilinx's 7 series, by openXC7's nextpnr-xilinx.
//!
//! Program and database are the user's. The program knows no wire delays, one delay for every register and one speed grade: the clock
//! that it names is none of the part's, and is not read.

use crate::route::{HARNESS_FILE, HARNESS_PINS, Port, RouteError, SEED, harness, packed_cells};
use crate::synthesis::{CORE_FILE, Core, NETLIST_FILE, synthesise, version};
use crate::tool::{Cache, Tool, ToolError, write};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How far the core came. Every step needs the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Its cells are no cells of the part.
    Read,
    /// They became cells of the part.
    Packed,
    /// Each has a place.
    Placed,
    /// Every net has its wires.
    Routed,
}

/// What the program said of a core on a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// How far it came.
    pub reached: Step,
    /// Why it came no further, in the program's words.
    pub why: Option<String>,
    /// Cells used and available by the program's names, once packed.
    pub utilisation: Vec<(String, u64, u64)>,
}

/// nextpnr-xilinx as this program, or by its name.
pub fn nextpnr(program: Option<&str>) -> Tool {
    Tool {
        program: program.unwrap_or("nextpnr-xilinx").into(),
        advice: "install openXC7's nextpnr-xilinx, or name it with --nextpnr",
    }
}

/// What the program says, kept.
const LOG_FILE: &str = "place_and_route.log";
/// Constraints of the harness' pins: a standard each; the program chooses where.
const PINS_FILE: &str = "pins.xdc";
/// First line of a log of a run that came to its end.
const WHOLE: &str = "routed";

fn script(top: &str) -> String {
    // Cells that only name scopes are unknown to the program.
    format!(
        "read_verilog {CORE_FILE} {HARNESS_FILE}\nsynth_xilinx -family xc7 -flatten -top {top}_harness\n\
         delete t:$scopeinfo\nwrite_json {NETLIST_FILE}\n"
    )
}

fn pins() -> String {
    let pin = |pin: &str| format!("set_property IOSTANDARD LVCMOS33 [get_ports {pin}]\n");
    HARNESS_PINS.map(pin).concat()
}

/// Packs, places and routes a core by the database of a part, or takes the answer from the cache. `step` is told what is going on.
pub fn fit(
    core: Core<'_>,
    ports: &[Port],
    chipdb: &Path,
    (yosys, nextpnr): (&Tool, &Tool),
    cache: &Cache,
    step: &mut dyn FnMut(&str),
) -> Result<Fit, RouteError> {
    let harness = harness(core.top, ports)?;
    let (script, pins) = (script(core.top), pins());
    let nextpnr_version = nextpnr.version("--version")?;
    let file = |source| ToolError::File { path: chipdb.to_path_buf(), source };
    let database = std::path::absolute(chipdb).map_err(file)?;
    let hash = hash(&database).map_err(file)?;
    let arguments = format!("--json {NETLIST_FILE} --xdc {PINS_FILE} --seed {SEED} --timing-allow-fail");
    let name = format!("{}-xc7", core.top);
    let yosys_version = version(yosys)?;
    let key = [core.verilog, &harness, &script, &yosys_version];
    let netlist = cache.get(&name, &key, NETLIST_FILE, &mut |work| {
        write(work, HARNESS_FILE, &harness)?;
        synthesise(work, core, &script, yosys, step)
    })?;
    let netlist = String::from_utf8_lossy(&netlist);
    let key = [&*netlist, &pins, &arguments, &hash, &nextpnr_version];
    let log = cache.get(&name, &key, LOG_FILE, &mut |work| {
        write(work, NETLIST_FILE, &netlist)?;
        write(work, PINS_FILE, &pins)?;
        let mut all: Vec<String> = arguments.split(' ').map(String::from).collect();
        all.extend(["--chipdb".into(), database.to_string_lossy().into_owned()]);
        let mut said = String::new();
        let run = nextpnr.run(&all, work, &mut |line| {
            line.strip_prefix("Info: ").into_iter().for_each(&mut *step);
            said.push_str(line);
            said.push('\n');
        });
        match run {
            Ok(_) => write(work, LOG_FILE, &format!("{WHOLE}\n{said}")),
            // That the core does not fit is an answer; that the program could not begin is none.
            Err(ToolError::Failed { .. }) if begun(&said) => write(work, LOG_FILE, &format!("\n{said}")),
            Err(error) => Err(error),
        }
    })?;
    Ok(read_log(&String::from_utf8_lossy(&log)))
}

/// Whether the program came to the core itself.
fn begun(said: &str) -> bool {
    said.lines().any(|line| line.starts_with("Info: Packing "))
}

fn hash(file: &Path) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    let (mut file, mut part) = (File::open(file)?, vec![0; 1 << 20]);
    loop {
        match file.read(&mut part)? {
            0 => break,
            read => digest.update(&part[..read]),
        }
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads a kept log. Utilisation is printed once packing is done, and clocks are routed first of all.
fn read_log(log: &str) -> Fit {
    let (first, said) = log.split_once('\n').unwrap_or((log, ""));
    let lines = || said.lines().filter_map(|line| line.strip_prefix("Info: "));
    let mut utilisation = packed_cells(said);
    let packed = lines().any(|line| line.trim() == "Device utilisation:");
    let placed = lines().any(|line| line.starts_with("Routing global clocks"));
    let reached = match (first == WHOLE, placed, packed) {
        (true, _, _) => Step::Routed,
        (_, true, _) => Step::Placed,
        (_, _, true) => Step::Packed,
        _ => Step::Read,
    };
    utilisation.retain(|(_, used, _)| *used > 0);
    let why = said.lines().find_map(|line| line.strip_prefix("ERROR: ")).map(String::from);
    Fit { reached, why: why.filter(|_| reached < Step::Routed), utilisation }
}

#[cfg(test)]
mod tests {
    use super::{Step, begun, read_log};

    const PACKED: &str = "Info: Packing constants..\nInfo: Device utilisation:\n\
                          Info: \t          SLICE_LUTX:   812/41600     1%\nInfo: \t           SLICE_FFX:    40/41600     0%\n\
                          Info: \t             BSCAN:      0/    4     0%\n\nInfo: Placed 6 cells based on constraints.\n";

    #[test]
    fn a_log_tells_how_far_a_core_came() {
        let routed =
            read_log(&format!("routed\n{PACKED}Info: Routing global clocks...\nInfo: Running router2...\n"));
        assert_eq!((routed.reached, routed.why), (Step::Routed, None));
        let cells = [("SLICE_LUTX".to_string(), 812, 41600), ("SLICE_FFX".to_string(), 40, 41600)];
        assert_eq!(routed.utilisation, cells);
        let full =
            "ERROR: Unable to find legal placement for all cells, design is probably at utilisation limit.\n";
        let packed = read_log(&format!("\n{PACKED}{full}"));
        assert_eq!(packed.reached, Step::Packed);
        assert!(packed.why.unwrap().starts_with("Unable to find legal placement"));
        let placed =
            read_log(&format!("\n{PACKED}Info: Routing global clocks...\nERROR: Failed to route arc 0\n"));
        assert_eq!(placed.reached, Step::Placed);
        let unknown = "Info: Packing constants..\nERROR: cell type 'X' is unsupported\n";
        assert_eq!(read_log(&format!("\n{unknown}")).reached, Step::Read);
        assert!(begun(unknown) && !begun("ERROR: Unable to read chipdb xc7a35t.bin\n"));
    }
}
