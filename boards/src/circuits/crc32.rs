// SPDX-License-Identifier: MIT OR Apache-2.0
//! The check of a frame, a bit a clock.

use super::BYTE;
use kit::{Circuit, Module, Sig, when};

/// Bits of the check.
pub const CRC: usize = 32;
/// Polynomial of CRC-32/ISO-HDLC, reflected (Ethernet's; RFC 1952, section 8).
const POLYNOMIAL: u64 = 0xedb8_8320;
/// What the register holds behind a message and its own check, before the last inversion.
pub const RESIDUE: u64 = 0xdebb_20e3;

/// CRC-32/ISO-HDLC of the bytes since `start`.
///
/// In `start`, `take` with `octet`; out `remainder` (the register, of which the check is the inverse), `busy` while a byte is taken
/// in. Latency and initiation interval: 8 clocks a byte; a byte that comes while `busy` is lost. Reset ends what is under way.
pub fn crc32() -> Circuit {
    let m = Module::new(
        "crc32",
        "CRC-32/ISO-HDLC of bytes, a bit a clock.\nInitiation interval 8 clocks; reset ends what is under way.",
        true,
    );
    let (start, take, byte) = (m.input("start", 1), m.input("take", 1), m.input("octet", BYTE));
    let remainder = m.control("remainder", CRC, u64::from(u32::MAX));
    let rest = m.control("rest", BYTE, 0);
    let left = m.control("left", BYTE.ilog2() as usize + 1, 0);
    let busy = m.output("busy", left.any());
    let feeds = m.wire("feeds", remainder.bit(0) ^ rest.bit(0));
    let next = m.wire("shifted", remainder.down(1) ^ m.constant(CRC, POLYNOMIAL).only_if(feeds));
    m.at_edge([
        when(busy, [remainder.set(next), rest.set(rest.down(1)), left.set(left - 1)])
            .else_when(take, [rest.set(byte), left.set(BYTE)]),
        when(start, [remainder.set(u64::from(u32::MAX))]),
    ]);
    m.output("remainder", remainder);
    m.circuit()
}

/// The check of a remainder, its first byte on the line first.
pub fn check_bytes(remainder: Sig<'_>) -> [Sig<'_>; CRC / BYTE] {
    std::array::from_fn(|byte| !remainder.bits(byte * BYTE..(byte + 1) * BYTE))
}
