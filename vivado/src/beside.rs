// SPDX-License-Identifier: MIT OR Apache-2.0
//! What other people's flows want beside the core: pready and pslverr on an APB, a peripheral of LiteX, an overlay of PYNQ, an example for
//! cocotb.

use crate::Face;
use crate::bench::filled;
use engine_model::Config;
use hdl::Emission;
use hdl::package::File;
use hdl::stream::{Command, IDENTITY, Status, selector};
use kit::{Direction, Port};
use soc_integration::Face as Bus;
use soc_integration::projections::c_header::upper;
use soc_integration::register_map::{PLIES, Register, STATUS, WINDOW_BYTES, registers};

/// The files for a face.
pub fn files(config: &Config, face: Face, emission: &Emission) -> Vec<File> {
    let file = |path: String, purpose: &'static str, text: String| vec![File { path, purpose, text }];
    match face {
        Face::Axis => file(
            "sim/test_stream.py".into(),
            "example for cocotb: a game over the streams",
            stream_test(config, emission),
        ),
        Face::Slot(Bus::Axil) => [
            (
                "litex/tengen_litex.py",
                "the core as a peripheral of LiteX, registers by name",
                litex(emission),
            ),
            ("pynq/tengen_pynq.py", "the core from Python on a Zynq board with PYNQ", pynq(emission)),
            (
                "pynq/play.ipynb",
                "a notebook: one move, a game, a budget of clocks",
                notebook(config, emission),
            ),
        ]
        .into_iter()
        .map(|(path, purpose, text)| File { path: path.into(), purpose, text })
        .collect(),
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

/// Registers by name, as lines of a Python dictionary.
fn python_registers() -> String {
    let line = |register: Register| {
        format!("    \"{}\": {:#05x},  # {}\n", register.name, register.offset, register.description)
    };
    registers().into_iter().map(line).collect()
}

fn litex(emission: &Emission) -> String {
    let names = [
        ("TOP", emission.top.clone()),
        ("REGISTERS", python_registers()),
        ("WINDOW", format!("{WINDOW_BYTES:#x}")),
    ];
    filled(include_str!("../py/litex.py"), &names)
}

fn pynq(emission: &Emission) -> String {
    let command =
        |(command, _): &(Command, _)| format!("{} = {}", upper(&format!("{command:?}")), *command as u32);
    let commands: Vec<String> = Command::ALL.iter().map(command).collect();
    let status = |(status, _): &(Status, _)| format!("    {:#04x}: \"{status:?}\",\n", *status as u32);
    let statuses: String = Status::ALL.iter().map(status).collect();
    let flag = |name: &str| format!("{:#x}", STATUS.mask(name));
    let names = [
        ("TOP", emission.top.clone()),
        ("REGISTERS", python_registers()),
        ("NODES", PLIES.to_string()),
        ("IDENTITY", format!("{IDENTITY:#x}")),
        ("COMMANDS", commands.join("\n")),
        ("ANSWER", flag("ANSWER")),
        ("CONTROL_ROOM", flag("CONTROL_ROOM")),
        ("DATA_ROOM", flag("DATA_ROOM")),
        ("STATUSES", statuses),
        ("LEAST_ERROR", format!("{:#x}", Status::Occupied as u32)),
        ("SELECT_IDENTITY", selector::IDENTITY.to_string()),
        ("SELECT_GAME", selector::GAME.to_string()),
    ];
    filled(include_str!("../py/pynq.py"), &names)
}

fn notebook(config: &Config, emission: &Emission) -> String {
    let names = [("TOP", emission.top.clone()), ("MHZ", config.clock_mhz.to_string())];
    filled(include_str!("../py/pynq.ipynb"), &names)
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
