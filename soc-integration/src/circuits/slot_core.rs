// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine behind its register file.

use super::register_file::{ACCESS, AccessPorts, register_file, shown};
use super::reset_synchroniser::reset_synchroniser;
use crate::Face;
use hdl::Layout;
use hdl::circuits::face::engine::engine_that_shows;
use hdl::kit::{Body, Circuit, Direction};

/// Name of every face's module, behind the prefix.
pub const SLOT: &str = "slot";

/// Puts a [`slot_core`] into the body of a face as `core`; with an asynchronous reset the core's comes from a
/// `reset_synchroniser` called `reset`.
pub(super) fn mount(circuit: &mut Circuit, body: &mut Body, layout: &Layout, face: Face) {
    let (clock, reset) = face.clock_and_reset();
    let mut core_reset = reset;
    if face.resets_at_any_time() {
        body.drive("reset$aclk", clock);
        body.drive("reset$asynchronous", reset);
        circuit.child("reset", reset_synchroniser());
        core_reset = "reset$aresetn";
    }
    body.drive("core$aclk", clock);
    body.drive("core$aresetn", core_reset);
    circuit.child("core", slot_core(layout));
}

/// Drives the core's access.
pub(super) fn access(body: &mut Body, signals: AccessPorts<&str>) {
    for (port, signal) in signals.fields() {
        body.drive(&format!("core${port}"), signal);
    }
}

/// The engine behind its register file.
///
/// Ports: `aclk`, `aresetn`; the accesses of `register_file`; `interrupt`. A read's data comes in the same clock; an
/// access a clock of either kind. Reset empties the game and clears every register.
pub fn slot_core(layout: &Layout) -> Circuit {
    let mut circuit = Circuit::new(
        "slot_core",
        "The engine behind its register file.\n\
         One read and one write a clock, no wait; reset empties the game and clears every register.",
    );
    circuit.clocked(true);
    circuit.inputs(&ACCESS.fields());
    circuit.outputs(&[("read_data", 32), ("interrupt", 1)]);
    let names = shown();
    let engine = engine_that_shows(layout, &names);
    let mut body = Body::new();
    for child in ["registers", "engine"] {
        for port in ["aclk", "aresetn"] {
            body.drive(&format!("{child}${port}"), port);
        }
    }
    for (port, _) in ACCESS.fields() {
        body.drive(&format!("registers${port}"), port);
    }
    body.drive("registers$answer_waits", "engine$interrupt");
    body.drive("read_data", "registers$read_data");
    body.drive("interrupt", "registers$interrupt");
    for port in engine.ports() {
        let (name, stream) = (&port.name, port.name.contains("_axis_"));
        match port.direction {
            Direction::Input if stream => body.drive(&format!("engine${name}"), format!("registers${name}")),
            Direction::Output if stream || names.contains(&name.as_str()) => {
                body.drive(&format!("registers${name}"), format!("engine${name}"));
            }
            _ => {}
        }
    }
    circuit.child("registers", register_file(layout));
    circuit.child("engine", engine);
    circuit.set_body(body.finish());
    circuit
}
