// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as an AHB-Lite slave with the ports of wujian100's `ahb_dummy_top` and `hready_in`.

use super::register_file::{AccessPorts, LANES, NUMBER_BITS, WORD};
use super::slot_core::{SLOT, mount};
use crate::Face;
use hdl::Layout;
use kit::{Circuit, Module, cat};

/// Sizes of a transfer, as on `hsize`.
const BYTE: u64 = 0;
const HALFWORD: u64 = 1;

/// AHB-Lite slave in front of [`slot_core`](super::slot_core::slot_core): it takes the place of an `ahb_dummy_top` by one line, which
/// names it and ties `hready_in` high, as the SoC's matrix holds no address phase.
///
/// As there: `haddr`, `hclk`, `hprot`, `hrst_b` (asynchronous, active low; synchronised inside), `hsel`, `hsize`,
/// `htrans`, `hwdata`, `hwrite`; out `hrdata`, `hready`, `hresp`, `intr` (level); beyond them `hready_in`, the bus's HREADY: while it
/// is low an address phase goes on. No wait states, no error responses: a transfer takes an address and a data phase, one a
/// clock. Halves and words count from the aligned address. In reset and for three clocks after it transfers are lost.
pub fn ahb_slot(layout: &Layout) -> Circuit {
    let m = Module::combinational(
        SLOT,
        "AHB-Lite slave with the ports of wujian100's ahb_dummy_top, and hready_in.\n\
         No wait states, no error responses; hrst_b is asynchronous, active low and synchronised inside.",
    );
    let (haddr, hclk) = (m.input("haddr", WORD), m.input("hclk", 1));
    m.input("hprot", 4);
    let (hready_in, hrst_b, hsel) = (m.input("hready_in", 1), m.input("hrst_b", 1), m.input("hsel", 1));
    let (hsize, htrans) = (m.input("hsize", 3), m.input("htrans", 2));
    let (hwdata, hwrite) = (m.input("hwdata", WORD), m.input("hwrite", 1));
    let core = mount(&m, layout, Face::Ahb, hclk, hrst_b);
    m.comment("Data phase of the transfer whose address came a clock ago.");
    let transfer = m.cleared("transfer", hsel & htrans.bit(1) & hready_in);
    let writes = m.delayed("writes", hwrite);
    let number = m.delayed("number", haddr.bits(2..NUMBER_BITS + 2));
    let byte = m.constant(LANES, 1).up_by(haddr.bits(0..2));
    let half = cat([haddr.bit(1).times(LANES / 2), (!haddr.bit(1)).times(LANES / 2)]);
    let all = m.constant(LANES, (1usize << LANES) - 1);
    let lanes = m.delayed("lanes", hsize.is(BYTE).mux(byte, hsize.is(HALFWORD).mux(half, all)));
    let access = AccessPorts {
        write: transfer & writes,
        write_number: number,
        write_lanes: lanes,
        write_data: hwdata,
        read: transfer & !writes,
        read_number: number,
        read_lane_0: lanes.bit(0),
    };
    access.drive(core);
    m.output("hrdata", core.get("read_data"));
    m.output("hready", m.bit(true));
    m.output("hresp", m.zero(2));
    m.output("intr", core.get("interrupt"));
    m.circuit()
}
