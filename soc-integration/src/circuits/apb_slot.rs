// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as an APB slave with the ports of wujian100's `apb_dummy_top`.

use super::register_file::{AccessPorts, LANES, NUMBER_BITS, WORD};
use super::slot_core::{SLOT, mount};
use crate::Face;
use hdl::Layout;
use kit::{Circuit, Module};

/// APB slave without `pready` in front of [`slot_core`](super::slot_core::slot_core): it takes the place of an `apb_dummy_top` by its name alone.
///
/// As there: out `intr` (level); `paddr`, `pclk`, `penable`, `pprot`; out `prdata`; `psel`, `pwdata`, `pwrite`,
/// `presetn` (asynchronous, active low; synchronised inside). Every access is of a word and happens in its enable phase,
/// which must last one clock, as wujian100's do: each clock of a longer one would be an access. In reset and for three
/// clocks after it accesses are lost.
pub fn apb_slot(layout: &Layout) -> Circuit {
    let m = Module::combinational(
        SLOT,
        "APB slave, without pready, with the ports of wujian100's apb_dummy_top.\n\
         Accesses are of words, in a one-clock enable phase; presetn is asynchronous, active low and synchronised inside.",
    );
    let (paddr, pclk, penable) = (m.input("paddr", WORD), m.input("pclk", 1), m.input("penable", 1));
    m.input("pprot", 3);
    let (psel, pwdata) = (m.input("psel", 1), m.input("pwdata", WORD));
    let (pwrite, presetn) = (m.input("pwrite", 1), m.input("presetn", 1));
    let core = mount(&m, layout, Face::Apb, pclk, presetn);
    let number = paddr.bits(2..NUMBER_BITS + 2);
    let access = AccessPorts {
        write: psel & penable & pwrite,
        write_number: number,
        write_lanes: m.constant(LANES, (1usize << LANES) - 1),
        write_data: pwdata,
        read: psel & penable & !pwrite,
        read_number: number,
        read_lane_0: m.bit(true),
    };
    access.drive(core);
    m.output("prdata", core.get("read_data"));
    m.output("intr", core.get("interrupt"));
    m.circuit()
}
