// SPDX-License-Identifier: MIT OR Apache-2.0
//! What other people's flows want beside the core: pready and pslverr on an APB, a peripheral of LiteX, an example for cocotb.

use crate::Face;
use crate::bench::filled;
use engine_model::Config;
use hdl::Emission;
use hdl::kit::{Direction, Port};
use hdl::package::File;
use hdl::stream::{Command, IDENTITY, selector};
use soc_integration::Face as Bus;
use soc_integration::register_map::{WINDOW_BYTES, registers};
use std::fmt::Write;

/// The files for a face.
pub fn files(config: &Config, face: Face, emission: &Emission) -> Vec<File> {
    let file = |path: String, purpose: &'static str, text: String| vec![File { path, purpose, text }];
    match face {
        Face::Axis => file(
            "sim/test_stream.py".into(),
            "example for cocotb: a game over the streams",
            stream_test(config, emission),
        ),
        Face::Slot(Bus::Axil) => file(
            "litex/tengen_litex.py".into(),
            "the core as a peripheral of LiteX, registers by name",
            litex(emission),
        ),
        Face::Slot(Bus::Apb) => file(
            format!("rtl/{}.v", apb_wrapper(emission)),
            "the slot with pready and pslverr, for interconnects that want them",
            with_ready(emission),
        ),
        Face::Slot(Bus::Ahb) => Vec::new(),
    }
}

/// Name of the module around an APB slot.
pub fn apb_wrapper(emission: &Emission) -> String {
    format!("{}_ready", emission.top)
}

/// An APB slot of wujian100's ports, and the two that APB3 added: it never waits and refuses nothing.
fn with_ready(emission: &Emission) -> String {
    let top = &emission.top;
    let port = |port: &Port| {
        let direction = if port.direction == Direction::Input { "input" } else { "output" };
        let range = if port.width == 1 { String::new() } else { format!("[{}:0] ", port.width - 1) };
        format!("  {direction} wire {range}{},\n", port.name)
    };
    let connect = |port: &Port| format!("    .{0}({0})", port.name);
    let ports: String = emission.ports.iter().map(port).collect();
    let connections: Vec<String> = emission.ports.iter().map(connect).collect();
    format!(
        "// {top} with pready and pslverr: every access takes two clocks, none is refused.\n\
         // SPDX-License-Identifier: MIT OR Apache-2.0\n\n`timescale 1ns / 1ps\n\n\
         module {wrapper} (\n{ports}  output wire pready,\n  output wire pslverr\n);\n  assign pready = 1'b1;\n  assign pslverr = 1'b0;\n  \
         {top} slot (\n{}\n  );\nendmodule\n",
        connections.join(",\n"),
        wrapper = apb_wrapper(emission),
    )
}

fn litex(emission: &Emission) -> String {
    let mut table = String::new();
    for register in registers() {
        // Writing into a String cannot fail.
        let _ = writeln!(
            table,
            "    \"{}\": {:#05x},  # {}",
            register.name, register.offset, register.description
        );
    }
    let names =
        [("TOP", emission.top.clone()), ("REGISTERS", table), ("WINDOW", format!("{WINDOW_BYTES:#x}"))];
    filled(include_str!("../py/litex.py"), &names)
}

fn stream_test(config: &Config, emission: &Emission) -> String {
    let number = |command: Command| (command as u32).to_string();
    let names = [
        ("TOP", emission.top.clone()),
        ("RESET", number(Command::Reset)),
        ("PLAY", number(Command::Play)),
        ("SEARCH", number(Command::Search)),
        ("READ", number(Command::Read)),
        ("IDENTITY_SELECTOR", selector::IDENTITY.to_string()),
        ("GAME_SELECTOR", selector::GAME.to_string()),
        ("IDENTITY", format!("{IDENTITY:#x}")),
        ("COLUMNS", config.columns.to_string()),
        ("ROWS", config.rows.to_string()),
    ];
    filled(include_str!("../py/stream_test.py"), &names)
}
