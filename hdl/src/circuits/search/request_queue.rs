// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests of visits that wait for the node builder.

use crate::kit::{Circuit, constant};

/// Requests that can wait, the one shown included.
pub const DEPTH: usize = 8;

/// First in, first out, with the oldest entry in a register. What is pushed into an empty queue is shown in the next
/// clock. Whoever pushes sees to it that no more than [`DEPTH`] entries wait.
///
/// Ports: `aclk`, `aresetn`; `clear` drops everything; `push` with `in_data` of `width` bits; `out_valid` with
/// `out_data`, which `pop` takes away. Latency 1, initiation interval 1; reset and `clear` empty the queue.
pub fn request_queue(width: usize) -> Circuit {
    let mut circuit = Circuit::new(
        "request_queue",
        "Requests of visits on their way to the node builder, first in, first out.\n\
         Latency 1, initiation interval 1; reset and clear empty the queue.",
    );
    circuit.clocked(true);
    circuit.inputs(&[("clear", 1), ("push", 1), ("in_data", width), ("pop", 1)]);
    circuit.outputs(&[("out_valid", 1), ("out_data", width)]);
    let bits = DEPTH.trailing_zeros() as usize;
    circuit.set_body(format!(
        "reg [{high}:0] waiting [0:{last}];
reg [{index_high}:0] head, tail;
wire empty = (head == tail);
wire shows = ~out_valid | pop;
wire enters = push & ~(shows & empty);
wire leaves = shows & ~empty;
always @(posedge aclk)
  if (!aresetn | clear) begin
    head <= {zero};
    tail <= {zero};
    out_valid <= 1'b0;
  end else begin
    if (shows) out_valid <= push | ~empty;
    if (enters) tail <= tail + {one};
    if (leaves) head <= head + {one};
  end
always @(posedge aclk) if (enters) waiting[tail] <= in_data;
always @(posedge aclk) if (shows) out_data <= empty ? in_data : waiting[head];
",
        high = width - 1,
        last = DEPTH - 1,
        index_high = bits - 1,
        zero = constant(bits, 0),
        one = constant(bits, 1),
    ));
    circuit
}
