// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a generated slot, as texts: writing them is the caller's business.

use crate::firmware::{DRIVER_HEADER, DRIVER_SOURCE};
use crate::projections::{c_header, markdown, svd};
use crate::slots::{EMPTY_SLOT, SLOT_FILE, SLOTS};
use crate::{Face, LINT_WAIVERS, emit_slot};
use engine_model::Config;
use hdl::Emission;
use hdl::package::File;
use std::fmt::Write;

/// Of the three registers that the reset reaches at any time two carry ASYNC_REG; timing analysis leaves out all.
const RESET_CONSTRAINT: &str = "# The reset may fall and rise at any time; the three registers behind it bring its end to the clock.\n\
    set_false_path -to [get_pins -hierarchical -filter {NAME =~ *reset/released_reg*/CLR || NAME =~ *reset/running_reg*/CLR}]\n";

/// RTL, software and constraints of the slot of a checked configuration.
pub fn files(config: &Config, face: Face) -> Vec<File> {
    let emission = emit_slot(config, face);
    let rtl = format!("rtl/{}.v", emission.top);
    let file = |path: String, purpose: &'static str, text: String| File { path, purpose, text };
    let mut files = vec![
        file(format!("{}.f", emission.top), "file list", format!("{rtl}\n")),
        file(
            "lint/core_waivers.vlt".into(),
            "Verilator lint waivers of the core",
            hdl::package::lint_waivers(config),
        ),
        file("lint/slot_waivers.vlt".into(), "Verilator lint waivers of the slot", LINT_WAIVERS.into()),
        file("sw/tengen_regs.h".into(), "registers and codes for C", c_header::text()),
        file("sw/tengen.h".into(), "driver in C99", DRIVER_HEADER.into()),
        file("sw/tengen.c".into(), "the driver's functions", DRIVER_SOURCE.into()),
        file("sw/example.c".into(), "the core plays against itself, by the driver", EXAMPLE.into()),
        file(rtl, "the slot with the core in it", emission.verilog),
    ];
    if face.resets_at_any_time() {
        files.push(file(
            format!("constraints/{}.xdc", emission.top),
            "the asynchronous reset's path, for Vivado synthesis",
            RESET_CONSTRAINT.into(),
        ));
    }
    let (purpose, text) = match face {
        Face::Ahb => ("registers in wujian100's slots, for debuggers", svd::text()),
        Face::Apb | Face::Axil => ("registers, for debuggers", svd::unmounted()),
    };
    files.push(file("sw/tengen.svd".into(), purpose, text));
    files
}

/// A program by the driver in C.
pub const EXAMPLE: &str = include_str!("../sw/example.c");

/// What a port of a slot is for.
pub fn port_purpose(name: &str) -> &'static str {
    match name {
        "aclk" | "hclk" | "pclk" => "clock; everything is synchronous to its rising edge",
        "aresetn" => "reset, active low, synchronous",
        "hrst_b" | "presetn" => "reset, active low, asynchronous; synchronised inside",
        "intr" | "interrupt" => "level, high while an answer waits and INTERRUPT_ENABLE allows it",
        "haddr" | "paddr" | "s_axil_awaddr" | "s_axil_araddr" => {
            "byte address; bits 11:0 select the register"
        }
        "hsel" | "psel" => "this slave is meant",
        "hsize" => "0 a byte, 1 a half word, 2 a word",
        "htrans" => "bit 1: a transfer",
        "penable" => "second clock of an access",
        "hwrite" | "pwrite" => "write, else read",
        "hwdata" | "pwdata" | "s_axil_wdata" => "data to write",
        "hrdata" | "prdata" | "s_axil_rdata" => "data read",
        "s_axil_wstrb" => "byte lanes to write",
        "hready" => "always 1: no wait states",
        "hready_in" => "HREADY of the bus: while it is low an address phase goes on; tied high in wujian100",
        "hresp" => "always 0: no error responses",
        "hprot" | "pprot" | "s_axil_awprot" | "s_axil_arprot" => "not looked at",
        "s_axil_bresp" | "s_axil_rresp" => "always OKAY",
        _ if name.starts_with("s_axil_") && name.ends_with("valid") => "AXI4-Lite valid",
        _ if name.starts_with("s_axil_") && name.ends_with("ready") => "AXI4-Lite ready",
        _ => "",
    }
}

/// How a slot is mounted.
pub fn mounting(face: Face, emission: &Emission) -> String {
    let top = &emission.top;
    let (_, reset) = face.clock_and_reset();
    let mut text = String::new();
    match face {
        Face::Ahb => {
            let _ = writeln!(
                text,
                "AHB-Lite slave with the ports of wujian100's `{EMPTY_SLOT}` and `hready_in`, HREADY of the bus (`{reset}` is \
                 asynchronous, active low, synchronised inside). Add `rtl/{top}.v` to the project and change one\nline in `{SLOT_FILE}`:\n\n| slot | base | bytes | interrupt | \
                 the line becomes |\n|---|---|---|---|---|"
            );
            for (number, slot) in SLOTS.iter().enumerate() {
                let (_, line) = slot.change(top);
                let _ = writeln!(
                    text,
                    "| {number} | 0x{:08x} | 0x{:x} | {} | `{line}` |",
                    slot.base, slot.bytes, slot.interrupt
                );
            }
        }
        Face::Apb => {
            let _ = writeln!(
                text,
                "APB slave without pready, with the ports of wujian100's `apb_dummy_top` (`{reset}` is asynchronous, active low, \
                 synchronised inside).\nAdd `rtl/{top}.v` to the project and change the module name of one of its instances."
            );
        }
        Face::Axil => {
            let _ = writeln!(
                text,
                "AXI4-Lite slave, ports `s_axil_*`, `interrupt`; `{reset}` is synchronous and active low.\nAdd `rtl/{top}.v` to the \
                 project."
            );
        }
    }
    text
}

/// Registers and the rules of access.
pub fn registers() -> String {
    format!("{}\n{}", markdown::tables(), markdown::rules())
}
