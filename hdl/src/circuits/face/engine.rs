// SPDX-License-Identifier: MIT OR Apache-2.0
//! The IP core: three AXI4-Streams, an interrupt, and the trace where the configuration asks for it.

use super::command_face::command_face;
use crate::circuits::search::search_core::search_core;
use crate::layout::Layout;
use kit::{Circuit, Direction, Module, Port};

/// The streams' bit on the `interrupt` output is `m_axis_data_tvalid` itself: level, high while an answer waits.
///
/// `s_axis_control`, `s_axis_data` (32 bits, slave), `m_axis_data` (32 bits with tlast, master); `interrupt`; the `trace_*` outputs of
/// `search_core`. `aresetn` is synchronous, active low.
pub fn engine(layout: &Layout) -> Circuit {
    engine_that_shows(layout, &[])
}

/// The engine with some of the search core's outputs (`idle`, counters) and of what the face drives in it (`limit`) as ports of its
/// own, for a register file.
pub fn engine_that_shows(layout: &Layout, shown: &[&str]) -> Circuit {
    let m = Module::new(
        "engine",
        "Gomoku engine: commands and moves in, moves out, over AXI4-Stream.\n\
         aresetn is synchronous and active low; interrupt is high while an answer waits.",
        true,
    );
    let (face, core) = (command_face(layout), search_core(layout));
    let (face_ports, core_ports) = (face.ports().to_vec(), core.ports().to_vec());
    let (face, core) = (m.child("face", face), m.child("core", core));
    let is_stream = |port: &Port| port.name.contains("_axis_");
    let own = |port: &Port| ["aclk", "aresetn"].contains(&port.name.as_str());
    for port in face_ports.iter().filter(|port| is_stream(port) && port.direction == Direction::Input) {
        face.drive(&port.name, m.input(&port.name, port.width));
    }
    let output = |port: &Port| port.direction == Direction::Output;
    for port in face_ports.iter().filter(|port| output(port)) {
        if is_stream(port) || shown.contains(&port.name.as_str()) {
            m.output(&port.name, face.get(&port.name));
        }
    }
    m.output("interrupt", face.get("m_axis_data_tvalid"));
    for port in core_ports.iter().filter(|port| !own(port)) {
        let (name, is_trace) = (port.name.as_str(), port.name.starts_with("trace_"));
        match port.direction {
            Direction::Input => core.drive(name, face.get(name)),
            Direction::Output if is_trace => _ = m.output(name, core.get(name)),
            Direction::Output => {
                face.drive(name, core.get(name));
                if shown.contains(&name) {
                    m.output(name, core.get(name));
                }
            }
        }
    }
    m.circuit()
}
