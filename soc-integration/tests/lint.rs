// SPDX-License-Identifier: MIT OR Apache-2.0
//! Emitted slots are clean in Verilator and Icarus Verilog: alone, and all four of the SoC filled.
#![allow(missing_docs)]

#[path = "../../hdl/tests/tools/mod.rs"]
mod tools;

use engine_model::{Config, sample};
use soc_integration::slots::SLOTS;
use soc_integration::{Face, emit_slot};
use std::path::{Path, PathBuf};
use tools::{clean, elaborates, shipped};

/// A folder with the waivers that the slot of this configuration ships with.
fn folder(name: &str, config: &Config) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("slot-lint-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("waivers.vlt"), hdl::package::lint_waivers(config)).unwrap();
    std::fs::write(folder.join("slot_waivers.vlt"), soc_integration::LINT_WAIVERS).unwrap();
    folder
}

fn verilator_and_icarus(folder: &Path, files: &[&str], top: &str) {
    let mut arguments = vec!["--lint-only", "-Wall", "waivers.vlt", "slot_waivers.vlt", "--top-module", top];
    arguments.extend(files);
    clean(folder, "verilator", &arguments);
    let mut arguments = vec!["-g2001", "-Wall", "-Wno-timescale", "-t", "null", "-s", top];
    arguments.extend(files);
    clean(folder, "iverilog", &arguments);
}

#[test]
fn every_face_and_every_size() {
    for (name, faces) in
        [("gomoku15", &[Face::Axil][..]), ("gomoku7", &Face::ALL), ("tictactoe-tiny", &[Face::Apb])]
    {
        let config = shipped(name);
        let folder = folder(name, &config);
        for &face in faces {
            let emission = emit_slot(&config, face);
            let file = format!("{}.v", emission.top);
            std::fs::write(folder.join(&file), &emission.verilog).unwrap();
            verilator_and_icarus(&folder, &[&file], &emission.top);
        }
    }
}

#[test]
fn ports_are_those_of_the_module_they_replace_and_those_tied_there() {
    let declared = |face: Face| -> Vec<String> {
        let ports = emit_slot(&shipped("tictactoe"), face).ports;
        let mut names: Vec<String> =
            ports.iter().map(|p| format!("{:?} {} {}", p.direction, p.width, p.name)).collect();
        names.sort();
        names
    };
    let ahb = [
        "Input 1 hclk",
        "Input 1 hready_in",
        "Input 1 hrst_b",
        "Input 1 hsel",
        "Input 1 hwrite",
        "Input 2 htrans",
        "Input 3 hsize",
        "Input 32 haddr",
        "Input 32 hwdata",
        "Input 4 hprot",
        "Output 1 hready",
        "Output 1 intr",
        "Output 2 hresp",
        "Output 32 hrdata",
    ];
    assert_eq!(declared(Face::Ahb), ahb);
    let apb = [
        "Input 1 pclk",
        "Input 1 penable",
        "Input 1 presetn",
        "Input 1 psel",
        "Input 1 pwrite",
        "Input 3 pprot",
        "Input 32 paddr",
        "Input 32 pwdata",
        "Output 1 intr",
        "Output 32 prdata",
    ];
    assert_eq!(declared(Face::Apb), apb);
}

/// The four places of the SoC filled, two of them with the same configuration, wired as there.
#[test]
fn all_four_slots_filled() {
    // gomoku7's waivers are enough for all of them.
    let folder = folder("four", &shipped("gomoku7"));
    let names = ["gomoku15-small", "gomoku7", "tictactoe-tiny", "gomoku7"];
    let mut files = Vec::new();
    let mut instances = String::new();
    for (slot, name) in SLOTS.iter().zip(names) {
        let emission = emit_slot(&shipped(name), Face::Ahb);
        let file = format!("{}.v", emission.top);
        std::fs::write(folder.join(&file), &emission.verilog).unwrap();
        let (_, line) = slot.change(&emission.top);
        let n = files.len();
        instances += &format!(
            "  {line}.haddr(haddr), .hclk(hclk), .hprot(hprot), .hrst_b(hrst_b), .hsel(hsel[{n}]), .hsize(hsize), \
             .htrans(htrans), .hwdata(hwdata), .hwrite(hwrite), .hrdata(hrdata[{}:{}]), .hready(hready[{n}]), \
             .hresp(hresp[{}:{}]), .intr(intr[{n}]));\n",
            32 * n + 31,
            32 * n,
            2 * n + 1,
            2 * n,
        );
        files.push(file);
    }
    let top = format!(
        "module four_slots(input wire [31:0] haddr, input wire hclk, input wire [3:0] hprot, input wire hrst_b, \
         input wire [3:0] hsel, input wire [2:0] hsize, input wire [1:0] htrans, input wire [31:0] hwdata, input wire hwrite, \
         output wire [127:0] hrdata, output wire [3:0] hready, output wire [7:0] hresp, output wire [3:0] intr);\n{instances}endmodule\n"
    );
    std::fs::write(folder.join("four_slots.v"), top).unwrap();
    files.sort();
    files.dedup();
    files.push("four_slots.v".into());
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    verilator_and_icarus(&folder, &files, "four_slots");
}

/// Synthesis of the core is hdl's business and takes minutes: here latches, double drivers and loops are looked for.
#[test]
fn yosys_elaborates_every_face() {
    let config = Config { trace: true, ..sample::little(2) };
    let folder = folder("synthesis", &config);
    for face in Face::ALL {
        let emission = emit_slot(&config, face);
        let (top, file) = (&emission.top, format!("{}.v", emission.top));
        std::fs::write(folder.join(&file), &emission.verilog).unwrap();
        elaborates(&folder, &file, top, "");
        // Nothing is left of trace outputs that no bus leads to.
        assert_eq!(emission.verilog, emit_slot(&sample::little(2), face).verilog);
        assert_eq!(*top, soc_integration::top_name(&config, face));
    }
}
