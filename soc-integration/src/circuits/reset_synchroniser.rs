// SPDX-License-Identifier: MIT OR Apache-2.0
//! From an asynchronous reset to the core's synchronous one.

use hdl::kit::{Body, Circuit};

/// A reset that begins at once and ends with the clock.
///
/// Ports: `aclk`; `asynchronous` (active low, at any time); out `aresetn` (active low), high three clock edges after
/// `asynchronous` has gone high. The third register is the one that drives the core: a synthesizer may copy it, which
/// ASYNC_REG forbids for the two before it.
pub fn reset_synchroniser() -> Circuit {
    let mut circuit = Circuit::new(
        "reset_synchroniser",
        "An asynchronous active-low reset, released by the clock three edges later.",
    );
    circuit.clocked(false);
    circuit.input("asynchronous", 1);
    circuit.output("aresetn", 1);
    let mut body = Body::new();
    body.raw(
        "
(* ASYNC_REG = \"TRUE\" *) reg [1:0] released;
always @(posedge aclk or negedge asynchronous)
  if (!asynchronous) released <= 2'b00;
  else released <= {released[0], 1'b1};
reg running;
always @(posedge aclk or negedge asynchronous)
  if (!asynchronous) running <= 1'b0;
  else running <= released[1];
",
    );
    body.drive("aresetn", "running");
    circuit.set_body(body.finish());
    circuit
}
