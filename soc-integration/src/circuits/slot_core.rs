// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine behind its register file.

use super::register_file::{ACCESS, register_file, shown};
use super::reset_synchroniser::reset_synchroniser;
use crate::Face;
use hdl::Layout;
use hdl::circuits::face::engine::engine_that_shows;
use kit::{Circuit, Direction, Instance, Module, Sig};

/// Name of every face's module, behind the prefix.
pub const SLOT: &str = "slot";

/// A [`slot_core`] as the child `core` of a face; with an asynchronous reset the core's comes from a `reset_synchroniser` called
/// `reset`. Registers of the face follow its clock and the core's reset.
pub(super) fn mount<'m>(
    m: &'m Module,
    layout: &Layout,
    face: Face,
    clock: Sig<'m>,
    reset: Sig<'m>,
) -> Instance<'m> {
    m.clocked_by(clock);
    let mut core_reset = reset;
    if face.resets_at_any_time() {
        let synchroniser = m.child("reset", reset_synchroniser());
        synchroniser.drive("asynchronous", reset);
        synchroniser.drive_once("aclk", clock);
        core_reset = synchroniser.get("aresetn");
    }
    m.reset_by(core_reset);
    let core = m.child("core", slot_core(layout));
    core.drive_once("aclk", clock);
    core.drive_once("aresetn", core_reset);
    core
}

/// The engine behind its register file.
///
/// The accesses of `register_file`; `interrupt`. A read's data comes in the same clock; an access a clock of either kind. Reset
/// empties the game and clears every register.
pub fn slot_core(layout: &Layout) -> Circuit {
    let m = Module::new(
        "slot_core",
        "The engine behind its register file.\n\
         One read and one write a clock, no wait; reset empties the game and clears every register.",
        true,
    );
    let access = ACCESS.inputs(&m);
    let names = shown();
    let registers = m.child("registers", register_file(layout));
    let engine = engine_that_shows(layout, &names);
    let ports = engine.ports().to_vec();
    let engine = m.child("engine", engine);
    access.drive(registers);
    registers.drive("answer_waits", engine.get("interrupt"));
    m.output("read_data", registers.get("read_data"));
    m.output("interrupt", registers.get("interrupt"));
    for port in &ports {
        let (name, stream) = (port.name.as_str(), port.name.contains("_axis_"));
        match port.direction {
            Direction::Input if stream => engine.drive(name, registers.get(name)),
            Direction::Output if stream || names.contains(&name) => registers.drive(name, engine.get(name)),
            _ => {}
        }
    }
    m.circuit()
}
