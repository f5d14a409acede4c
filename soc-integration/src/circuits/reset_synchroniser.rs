// SPDX-License-Identifier: MIT OR Apache-2.0
//! From an asynchronous reset to the core's synchronous one.

use kit::{Circuit, Module, cat};

/// A reset that begins at once and ends with the clock.
///
/// `asynchronous` (active low, at any time) in; out `aresetn` (active low), high three clock edges after `asynchronous` has gone
/// high. The third register is the one that drives the core: a synthesizer may copy it, which ASYNC_REG forbids for the two before it.
pub fn reset_synchroniser() -> Circuit {
    let m = Module::new(
        "reset_synchroniser",
        "An asynchronous active-low reset, released by the clock three edges later.",
        false,
    );
    let asynchronous = m.input("asynchronous", 1);
    let released = m.released("released", 2, asynchronous, Some("ASYNC_REG = \"TRUE\""));
    m.release(released, cat([released.bit(0), m.bit(true)]));
    let running = m.released("running", 1, asynchronous, None);
    m.release(running, released.bit(1));
    m.output("aresetn", running);
    m.circuit()
}
