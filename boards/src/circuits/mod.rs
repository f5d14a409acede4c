// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial line in hardware, one circuit a file: bytes, frames, scripts of register accesses, replies.

pub mod byte_memory;
pub mod crc32;
pub mod executor;
pub mod link;
pub mod listener;
pub mod sender;
pub mod session;
pub mod uart;

/// Bits of a byte.
pub const BYTE: usize = 8;
/// Bits of an address of the request's and the reply's memory.
pub const ADDRESS: usize = driver::link::MEMORY_BYTES.ilog2() as usize;
