// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as an AXI4-Lite slave.

use super::register_file::{AccessPorts, LANES, NUMBER_BITS, WORD};
use super::slot_core::{SLOT, slot_core};
use crate::register_map::WINDOW_BYTES;
use hdl::Layout;
use kit::{Circuit, Module, when};

/// AXI4-Lite slave in front of [`slot_core`].
///
/// `s_axil_*` with 32 data bits and as many address bits as the window
/// has; out `interrupt` (level). No output of the bus depends on an input of the same clock. A write is taken the clock
/// after address and data are both there and the last response has been taken; a read when the last data has been taken.
/// The response comes a clock later and is always OKAY: one write and one read every second clock at most. A read of an
/// address that is not a multiple of four shows its register and takes no word away. Nothing is taken in reset.
pub fn axil_slot(layout: &Layout) -> Circuit {
    let address = WINDOW_BYTES.trailing_zeros() as usize;
    let m = Module::new(
        SLOT,
        "AXI4-Lite slave: the response a clock after the access, always OKAY.\n\
         aresetn is synchronous and active low.",
        true,
    );
    let port = |name: &str, width| m.input(&format!("s_axil_{name}"), width);
    let awaddr = port("awaddr", address);
    port("awprot", 3);
    let (awvalid, wdata, wstrb) = (port("awvalid", 1), port("wdata", WORD), port("wstrb", LANES));
    let (wvalid, bready, araddr) = (port("wvalid", 1), port("bready", 1), port("araddr", address));
    port("arprot", 3);
    let (arvalid, rready) = (port("arvalid", 1), port("rready", 1));
    let core = m.child("core", slot_core(layout));
    m.comment("Taken in the clock after it is asked for: no output depends on an input of the same clock.");
    let control = |name: &str| m.control(name, 1, 0);
    let (write, bvalid) = (control("write"), control("s_axil_bvalid"));
    let (arready, rvalid) = (control("s_axil_arready"), control("s_axil_rvalid"));
    let read = m.wire("read", arvalid & arready);
    let (b_waits, r_waits) = (bvalid & !bready, rvalid & !rready);
    m.at_edge([
        write.set(awvalid & wvalid & !write & !b_waits),
        bvalid.set(write | b_waits),
        arready.set(!read & !r_waits),
        rvalid.set(read | r_waits),
    ]);
    let rdata = m.register("s_axil_rdata", WORD);
    m.at_edge([when(read, [rdata.set(core.get("read_data"))])]);
    let access = AccessPorts {
        write,
        write_number: awaddr.bits(2..NUMBER_BITS + 2),
        write_lanes: wstrb,
        write_data: wdata,
        read,
        read_number: araddr.bits(2..NUMBER_BITS + 2),
        read_lane_0: araddr.bits(0..2).is(0),
    };
    access.drive(core);
    m.output("s_axil_awready", write);
    m.output("s_axil_wready", write);
    m.output("s_axil_bresp", m.zero(2));
    m.output("s_axil_bvalid", bvalid);
    m.output("s_axil_arready", arready);
    m.output("s_axil_rdata", rdata);
    m.output("s_axil_rresp", m.zero(2));
    m.output("s_axil_rvalid", rvalid);
    m.output("interrupt", core.get("interrupt"));
    m.circuit()
}
