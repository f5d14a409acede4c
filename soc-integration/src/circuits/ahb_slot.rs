// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as an AHB-Lite slave with the ports of wujian100's `ahb_dummy_top` and `hready_in`.

use super::register_file::{AccessPorts, NUMBER_BITS};
use super::slot_core::{SLOT, access, mount};
use crate::Face;
use hdl::Layout;
use hdl::kit::{Body, Circuit};

/// AHB-Lite slave in front of [`slot_core`](super::slot_core::slot_core): it takes the place of an `ahb_dummy_top` by one line, which
/// names it and ties `hready_in` high, as the SoC's matrix holds no address phase.
///
/// Ports, as there: `haddr`, `hclk`, `hprot`, `hrst_b` (asynchronous, active low; synchronised inside), `hsel`, `hsize`,
/// `htrans`, `hwdata`, `hwrite`; out `hrdata`, `hready`, `hresp`, `intr` (level); beyond them `hready_in`, the bus's HREADY: while it
/// is low an address phase goes on. No wait states, no error responses: a transfer takes an address and a data phase, one a
/// clock. Halves and words count from the aligned address. In reset and for three clocks after it transfers are lost.
pub fn ahb_slot(layout: &Layout) -> Circuit {
    let mut circuit = Circuit::new(
        SLOT,
        "AHB-Lite slave with the ports of wujian100's ahb_dummy_top, and hready_in.\n\
         No wait states, no error responses; hrst_b is asynchronous, active low and synchronised inside.",
    );
    circuit.inputs(&[
        ("haddr", 32),
        ("hclk", 1),
        ("hprot", 4),
        ("hready_in", 1),
        ("hrst_b", 1),
        ("hsel", 1),
        ("hsize", 3),
        ("htrans", 2),
        ("hwdata", 32),
        ("hwrite", 1),
    ]);
    circuit.outputs(&[("hrdata", 32), ("hready", 1), ("hresp", 2), ("intr", 1)]);
    let mut body = Body::new();
    mount(&mut circuit, &mut body, layout, Face::Ahb);
    body.comment("Data phase of the transfer whose address came a clock ago.");
    body.raw(format!(
        "
reg transfer, writes;
reg [{top}:0] number;
reg [3:0] lanes;
always @(posedge hclk)
  if (!reset$aresetn) transfer <= 1'b0;
  else transfer <= hsel & htrans[1] & hready_in;
always @(posedge hclk) begin
  writes <= hwrite;
  number <= haddr[{high}:2];
  lanes <= (hsize == 3'd0) ? 4'd1 << haddr[1:0] : (hsize == 3'd1) ? {{{{2{{haddr[1]}}}}, {{2{{~haddr[1]}}}}}} : 4'd15;
end
",
        top = NUMBER_BITS - 1,
        high = NUMBER_BITS + 1,
    ));
    access(
        &mut body,
        AccessPorts {
            write: "transfer & writes",
            write_number: "number",
            write_lanes: "lanes",
            write_data: "hwdata",
            read: "transfer & ~writes",
            read_number: "number",
            read_lane_0: "lanes[0]",
        },
    );
    body.drive("hrdata", "core$read_data");
    body.drive("hready", "1'b1");
    body.drive("hresp", "2'd0");
    body.drive("intr", "core$interrupt");
    circuit.set_body(body.finish());
    circuit
}
