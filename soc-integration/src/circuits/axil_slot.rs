// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as an AXI4-Lite slave.

use super::register_file::{AccessPorts, NUMBER_BITS};
use super::slot_core::{SLOT, access, mount};
use crate::Face;
use crate::register_map::WINDOW_BYTES;
use hdl::Layout;
use hdl::kit::{Body, Circuit};

/// AXI4-Lite slave in front of [`slot_core`](super::slot_core::slot_core).
///
/// Ports: `aclk`, `aresetn` (synchronous, active low); `s_axil_*` with 32 data bits and as many address bits as the window
/// has; out `interrupt` (level). No output of the bus depends on an input of the same clock. A write is taken the clock
/// after address and data are both there and the last response has been taken; a read when the last data has been taken.
/// The response comes a clock later and is always OKAY: one write and one read every second clock at most. A read of an
/// address that is not a multiple of four shows its register and takes no word away. Nothing is taken in reset.
pub fn axil_slot(layout: &Layout) -> Circuit {
    let address = WINDOW_BYTES.trailing_zeros() as usize;
    let mut circuit = Circuit::new(
        SLOT,
        "AXI4-Lite slave: the response a clock after the access, always OKAY.\n\
         aresetn is synchronous and active low.",
    );
    circuit.clocked(true);
    circuit.inputs(&[
        ("s_axil_awaddr", address),
        ("s_axil_awprot", 3),
        ("s_axil_awvalid", 1),
        ("s_axil_wdata", 32),
        ("s_axil_wstrb", 4),
        ("s_axil_wvalid", 1),
        ("s_axil_bready", 1),
        ("s_axil_araddr", address),
        ("s_axil_arprot", 3),
        ("s_axil_arvalid", 1),
        ("s_axil_rready", 1),
    ]);
    circuit.outputs(&[
        ("s_axil_awready", 1),
        ("s_axil_wready", 1),
        ("s_axil_bresp", 2),
        ("s_axil_bvalid", 1),
        ("s_axil_arready", 1),
        ("s_axil_rdata", 32),
        ("s_axil_rresp", 2),
        ("s_axil_rvalid", 1),
        ("interrupt", 1),
    ]);
    let mut body = Body::new();
    mount(&mut circuit, &mut body, layout, Face::Axil);
    body.raw(
        "
// Taken in the clock after it is asked for: no output depends on an input of the same clock.
reg write;
wire read = s_axil_arvalid & s_axil_arready;
always @(posedge aclk)
  if (!aresetn) begin
    write <= 1'b0;
    s_axil_bvalid <= 1'b0;
    s_axil_arready <= 1'b0;
    s_axil_rvalid <= 1'b0;
  end else begin
    write <= s_axil_awvalid & s_axil_wvalid & ~write & ~(s_axil_bvalid & ~s_axil_bready);
    s_axil_bvalid <= write | (s_axil_bvalid & ~s_axil_bready);
    s_axil_arready <= ~read & ~(s_axil_rvalid & ~s_axil_rready);
    s_axil_rvalid <= read | (s_axil_rvalid & ~s_axil_rready);
  end
always @(posedge aclk) if (read) s_axil_rdata <= core$read_data;
",
    );
    let number = |channel: &str| format!("s_axil_{channel}addr[{}:2]", NUMBER_BITS + 1);
    access(
        &mut body,
        AccessPorts {
            write: "write",
            write_number: &number("aw"),
            write_lanes: "s_axil_wstrb",
            write_data: "s_axil_wdata",
            read: "read",
            read_number: &number("ar"),
            read_lane_0: "s_axil_araddr[1:0] == 2'd0",
        },
    );
    for (port, value) in [
        ("s_axil_awready", "write"),
        ("s_axil_wready", "write"),
        ("s_axil_bresp", "2'd0"),
        ("s_axil_rresp", "2'd0"),
        ("interrupt", "core$interrupt"),
    ] {
        body.drive(port, value);
    }
    circuit.set_body(body.finish());
    circuit
}
