// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests of visits that wait for the node builder.

use kit::{Circuit, Module, when};

/// Requests that can wait, the one shown included.
pub const DEPTH: usize = 8;

/// First in, first out, with the oldest entry in a register. What is pushed into an empty queue is shown in the next
/// clock. Whoever pushes sees to it that no more than [`DEPTH`] entries wait.
///
/// `clear` drops everything; `push` with `in_data` of `width` bits; `out_valid` with `out_data`, which `pop` takes away.
/// Latency 1, initiation interval 1; reset and `clear` empty the queue.
///
/// Three requests, taken one behind the other:
#[doc = concat!("```text\n", include_str!("../../../tests/snapshots/waves__request_queue.snap"), "\n```")]
pub fn request_queue(width: usize) -> Circuit {
    let m = Module::new(
        "request_queue",
        "Requests of visits on their way to the node builder, first in, first out.\n\
         Latency 1, initiation interval 1; reset and clear empty the queue.",
        true,
    );
    let (clear, push) = (m.input("clear", 1), m.input("push", 1));
    let (in_data, pop) = (m.input("in_data", width), m.input("pop", 1));
    let bits = DEPTH.trailing_zeros() as usize;
    let waiting = m.memory("waiting", width, DEPTH);
    let [head, tail] = ["head", "tail"].map(|name| m.control(name, bits, 0));
    let out_valid = m.control("out_valid", 1, 0);
    let out_data = m.register("out_data", width);
    let empty = m.wire("empty", head.is(tail));
    let shows = m.wire("shows", !out_valid | pop);
    let enters = m.wire("enters", push & !(shows & empty));
    let leaves = m.wire("leaves", shows & !empty);
    m.at_edge([when(clear, [head.set(0), tail.set(0), out_valid.set(false)]).otherwise([
        when(shows, [out_valid.set(push | !empty)]),
        when(enters, [tail.set(tail + 1)]),
        when(leaves, [head.set(head + 1)]),
    ])]);
    m.at_edge([when(enters, [waiting.write(tail, in_data)])]);
    m.at_edge([when(shows, [out_data.set(empty.mux(in_data, waiting.read(head)))])]);
    m.output("out_valid", out_valid);
    m.output("out_data", out_data);
    m.circuit()
}
