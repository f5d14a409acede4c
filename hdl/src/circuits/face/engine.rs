// SPDX-License-Identifier: MIT OR Apache-2.0
//! The IP core: three AXI4-Streams, an interrupt, and the trace where the configuration asks for it.

use super::command_face::command_face;
use crate::circuits::search::search_core::search_core;
use crate::kit::{Body, Circuit, Direction};
use crate::layout::Layout;

/// The streams' bit on the `interrupt` output is `m_axis_data_tvalid` itself: level, high while an answer waits.
///
/// Ports: `aclk`, `aresetn` (synchronous, active low); `s_axis_control`, `s_axis_data` (32 bits, slave), `m_axis_data`
/// (32 bits with tlast, master); `interrupt`; the `trace_*` outputs of `search_core`.
pub fn engine(layout: &Layout) -> Circuit {
    engine_that_shows(layout, &[])
}

/// The engine with some of the search core's outputs (`idle`, counters) and of what the face drives in it (`limit`) as ports of its
/// own, for a register file.
pub fn engine_that_shows(layout: &Layout, shown: &[&str]) -> Circuit {
    let mut circuit = Circuit::new(
        "engine",
        "Gomoku engine: commands and moves in, moves out, over AXI4-Stream.\n\
         aresetn is synchronous and active low; interrupt is high while an answer waits.",
    );
    circuit.clocked(true);
    let core = search_core(layout);
    let face = command_face(layout);
    let outside = |name: &str| name.contains("_axis_");
    let mut body = Body::new();
    let mut outputs = Vec::new();
    for port in face.ports() {
        if outside(&port.name) {
            match port.direction {
                Direction::Input => {
                    circuit.input(&port.name, port.width);
                    body.drive(&format!("face${}", port.name), &port.name);
                }
                Direction::Output => {
                    circuit.output(&port.name, port.width);
                    body.drive(&port.name, format!("face${}", port.name));
                }
            }
        } else if port.direction == Direction::Output && shown.contains(&port.name.as_str()) {
            circuit.output(&port.name, port.width);
            body.drive(&port.name, format!("face${}", port.name));
        }
    }
    circuit.output("interrupt", 1);
    body.drive("interrupt", "face$m_axis_data_tvalid");
    for child in ["face", "core"] {
        for port in ["aclk", "aresetn"] {
            body.drive(&format!("{child}${port}"), port);
        }
    }
    for port in core.ports() {
        match port.direction {
            Direction::Output if port.name.starts_with("trace_") => outputs.push(port.clone()),
            Direction::Output => {
                body.drive(&format!("face${}", port.name), format!("core${}", port.name));
                if shown.contains(&port.name.as_str()) {
                    outputs.push(port.clone());
                }
            }
            Direction::Input if port.name == "aclk" || port.name == "aresetn" => {}
            Direction::Input => body.drive(&format!("core${}", port.name), format!("face${}", port.name)),
        }
    }
    for port in outputs {
        circuit.output(&port.name, port.width);
        body.drive(&port.name, format!("core${}", port.name));
    }
    circuit.child("face", face);
    circuit.child("core", core);
    circuit.set_body(body.finish());
    circuit
}
