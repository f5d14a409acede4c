// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes that fit one block RAM of every family.

use super::{ADDRESS, BYTE};
use kit::{Circuit, Module, when};

/// One write port, one read port, a byte a clock each.
///
/// `write`, `write_address`, `write_data`; `read_address` in, `read_data` out a clock later. Latency 1, initiation interval 1; no reset:
/// a byte is unknown until it is written. A read of the address that is written in the same clock shows the byte of before.
pub fn byte_memory() -> Circuit {
    let m = Module::new(
        "byte_memory",
        "A block RAM of bytes: one write port, one read port.\nLatency 1, initiation interval 1; no reset.",
        false,
    );
    let (write, address, data) =
        (m.input("write", 1), m.input("write_address", ADDRESS), m.input("write_data", BYTE));
    let read_address = m.input("read_address", ADDRESS);
    let bytes = m.memory("bytes", BYTE, 1 << ADDRESS);
    m.at_edge([when(write, [bytes.write(address, data)])]);
    let read = m.read_register("read_data", bytes, read_address);
    m.output("read_data", read);
    m.circuit()
}
