// SPDX-License-Identifier: MIT OR Apache-2.0
//! The FuseSoC core file (CAPI2): lint, simulation and synthesis of the package by `fusesoc`.

use crate::bench;
use crate::identity::{LIBRARY, PART, VENDOR};
use engine_model::Config;
use std::fmt::Write;

/// The core file. `waivers` are the lint waivers' files, `constraints` the constraint files.
pub fn text(config: &Config, top: &str, waivers: &[&str], constraints: &[&str]) -> String {
    let list = |files: &[&str]| {
        files.iter().fold(String::new(), |mut text, file| {
            let _ = writeln!(text, "      - {file}");
            text
        })
    };
    let mut text = format!(
        "CAPI=2:\n# SPDX-License-Identifier: MIT OR Apache-2.0\n\n\
         name: \"{VENDOR}:{LIBRARY}:{top}:{version}\"\n\
         description: \"Gomoku search engine, {columns} x {rows}, {k} in a row, {levels} levels\"\n\n\
         filesets:\n\
         \x20 rtl:\n    files:\n      - rtl/{top}.v\n    file_type: verilogSource-2001\n\
         \x20 waivers:\n    files:\n{waivers}    file_type: vlt\n\
         \x20 bench:\n    files:\n      - sim/tb_{top}.v: {{file_type: verilogSource-2001}}\n      - sim/games.hex: {{file_type: user, copyto: games.hex}}\n",
        version = hdl::VERSION,
        columns = config.columns,
        rows = config.rows,
        k = config.in_a_row,
        levels = config.levels,
        waivers = list(waivers),
    );
    if !constraints.is_empty() {
        let _ = write!(text, "  constraints:\n    files:\n{}    file_type: xdc\n", list(constraints));
    }
    // Quoted: YAML would read a number.
    let optimisation = format!("-MAKEFLAGS OPT_FAST={}", bench::OPTIMISATION);
    let options = bench::VERILATOR.split(' ').chain(optimisation.split(' '));
    let verilator: Vec<String> = options.map(|option| format!("\"{option}\"")).collect();
    let constrained = if constraints.is_empty() { "" } else { ", constraints" };
    let _ = write!(
        text,
        "\ntargets:\n\
         \x20 default:\n    filesets: [rtl]\n    toplevel: {top}\n\
         \x20 lint:\n    flow: lint\n    filesets: [waivers, rtl]\n    toplevel: {top}\n\
         \x20   flow_options:\n      tool: verilator\n      verilator_options: [-Wall]\n\
         \x20 sim:\n    flow: sim\n    filesets: [rtl, bench]\n    toplevel: {bench}\n    parameters: [max_cycles, search_clocks]\n\
         \x20   flow_options:\n      tool: icarus\n      iverilog_options: [-g2001]\n\
         \x20     mode: binary\n      verilator_options: [{verilator}]\n\
         \x20 synth:\n    flow: vivado\n    filesets: [rtl{constrained}]\n    toplevel: {top}\n\
         \x20   flow_options:\n      part: {PART}\n      synth: vivado\n      pnr: none\n\n\
         parameters:\n\
         \x20 max_cycles:\n    datatype: int\n    paramtype: plusarg\n    description: Stop the simulation after so many clocks\n\
         \x20 search_clocks:\n    datatype: int\n    paramtype: plusarg\n    description: Clocks that the searches take in all, else it fails\n",
        bench = bench::TOP,
        verilator = verilator.join(", "),
    );
    text
}
