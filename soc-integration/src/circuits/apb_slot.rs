// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as an APB slave with the ports of wujian100's `apb_dummy_top`.

use super::register_file::{AccessPorts, NUMBER_BITS};
use super::slot_core::{SLOT, access, mount};
use crate::Face;
use hdl::Layout;
use hdl::kit::{Body, Circuit};

/// APB slave without `pready` in front of [`slot_core`](super::slot_core::slot_core): it takes the place of an `apb_dummy_top` by its name alone.
///
/// Ports, as there: out `intr` (level); `paddr`, `pclk`, `penable`, `pprot`; out `prdata`; `psel`, `pwdata`, `pwrite`,
/// `presetn` (asynchronous, active low; synchronised inside). Every access is of a word and happens in its enable phase,
/// which must last one clock, as wujian100's do: each clock of a longer one would be an access. In reset and for three
/// clocks after it accesses are lost.
pub fn apb_slot(layout: &Layout) -> Circuit {
    let mut circuit = Circuit::new(
        SLOT,
        "APB slave, without pready, with the ports of wujian100's apb_dummy_top.\n\
         Accesses are of words, in a one-clock enable phase; presetn is asynchronous, active low and synchronised inside.",
    );
    circuit.inputs(&[
        ("paddr", 32),
        ("pclk", 1),
        ("penable", 1),
        ("pprot", 3),
        ("psel", 1),
        ("pwdata", 32),
        ("pwrite", 1),
        ("presetn", 1),
    ]);
    circuit.outputs(&[("prdata", 32), ("intr", 1)]);
    let mut body = Body::new();
    mount(&mut circuit, &mut body, layout, Face::Apb);
    let number = format!("paddr[{}:2]", NUMBER_BITS + 1);
    access(
        &mut body,
        AccessPorts {
            write: "psel & penable & pwrite",
            write_number: &number,
            write_lanes: "4'd15",
            write_data: "pwdata",
            read: "psel & penable & ~pwrite",
            read_number: &number,
            read_lane_0: "1'b1",
        },
    );
    body.drive("prdata", "core$read_data");
    body.drive("intr", "core$interrupt");
    circuit.set_body(body.finish());
    circuit
}
