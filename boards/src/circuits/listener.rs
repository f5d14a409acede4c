// SPDX-License-Identifier: MIT OR Apache-2.0
//! From bytes to commands: frames, and the eight bytes of the original protocol.

use super::crc32::{CRC, RESIDUE, crc32};
use super::{ADDRESS, BYTE};
use driver::frame::{CRC_BYTES, HEADER_BYTES, SYNC, VERSION};
use driver::link::MEMORY_BYTES;
use driver::original::COMMAND_BYTES;
use kit::{Circuit, Module, States, cat, when};

kit::states! {
    /// Its states.
    pub enum State {
        /// Any command may begin.
        Listen = "LISTEN",
        /// A frame has begun.
        Header = "HEADER",
        /// Its payload comes.
        Payload = "PAYLOAD",
        /// Its check comes.
        Check = "CHECK",
        /// The check is compared.
        Judge = "JUDGE",
        /// A command of the original protocol has begun.
        Command = "COMMAND",
        /// Something else came: a frame or silence is waited for.
        Noise = "NOISE",
    }
}

kit::record! {
    /// A frame whose check is right.
    pub struct FramePorts {
        /// There is one, for a clock; what is beside it stays until the next byte comes.
        frame,
        /// Whether it is of the version that is spoken here.
        frame_current,
        /// Whether all of its payload is in the memory.
        frame_stored,
        /// Its sequence number.
        frame_sequence,
        /// Its kind.
        frame_kind,
        /// Bytes of its payload.
        frame_length,
    }
}

/// Widths of a frame's parts.
pub const FRAME: FramePorts<usize> = FramePorts {
    frame: 1,
    frame_current: 1,
    frame_stored: 1,
    frame_sequence: BYTE,
    frame_kind: BYTE,
    frame_length: ADDRESS + 1,
};

/// Largest number of the original protocol.
const LARGEST: u64 = driver::original::NEW_GAME as u64;

/// Tells commands from noise, by the rules of the protocols.
///
/// In `data` with `valid`, a byte for a clock; `holds` while the memory is in use. Out [`FramePorts`], the payload as `store`,
/// `store_address`, the byte itself being `data`; `command` for a clock with `command_x` and `command_y`. A first byte up to
/// 99 begins a command of the original protocol, the sync byte a frame; behind anything else only a frame or `gap` clocks of silence is
/// listened to. A frame is told ten clocks behind its last byte. Reset listens anew.
pub fn listener(gap: u64) -> Circuit {
    let m = Module::new(
        "listener",
        "Bytes of a line to commands: frames with a right check, or eight bytes of the original protocol.\n\
         A byte every nine clocks at most; reset listens anew.",
        true,
    );
    let (data, valid, holds) = (m.input("data", BYTE), m.input("valid", 1), m.input("holds", 1));
    m.states::<State>();
    let state = m.control("state", State::BITS, State::Listen);
    let gap_bits = gap.ilog2() as usize + 1;
    let silence = m.control("silence", gap_bits, 0);
    let count = m.control("count", COMMAND_BYTES.ilog2() as usize, 0);
    let [version, sequence, kind] =
        ["version", "sequence_number", "kind"].map(|name| m.control(name, BYTE, 0));
    let length = m.control("length", 2 * BYTE, 0);
    let address = m.control("address", ADDRESS + 1, 0);
    let stored = m.control("stored", 1, 0);
    let [x, y] = ["x", "y"].map(|name| m.control(name, BYTE, 0));

    let crc = m.child("crc", crc32());
    let is_sync = m.wire("is_sync", data.is(u64::from(SYNC)));
    let begins = m.wire(
        "begins",
        valid & is_sync & (state.is(State::Listen) | state.is(State::Noise) | state.is(State::Command)),
    );
    let within = state.is(State::Header) | state.is(State::Payload) | state.is(State::Check);
    crc.drive("start", begins);
    crc.drive("take", valid & within);
    crc.drive("octet", data);
    let judges = m.wire("judges", state.is(State::Judge) & !crc.get("busy"));
    let good = m.wire("good", judges & crc.get("remainder").is(RESIDUE));

    m.comment("A number of the original protocol: a byte up to 99 and three of zero.");
    let small = m.wire("up_to_99", data.at_most(LARGEST));
    let fits = m.wire("fits", (count.bits(0..2).is(0) & small) | data.is(0));
    let last_of = |bytes: usize| count.is(bytes - 1);
    let payload_ends = m.wire("payload_ends", (address + 1).is(length.bits(0..ADDRESS + 1)));
    let announced = m.wire("announced", cat([data, length.bits(0..BYTE)]));
    let silent = m.wire("silent", silence.is(gap));
    let command = m.wire("command_ends", valid & state.is(State::Command) & fits & last_of(COMMAND_BYTES));

    let header = count.matches(
        [
            (0u64, vec![version.set(data)]),
            (1, vec![sequence.set(data)]),
            (2, vec![kind.set(data)]),
            (3, vec![length.set(cat([m.zero(BYTE), data]))]),
        ],
        [
            length.set(announced),
            count.set(0),
            when(announced.is(0), [state.set(State::Check)])
                .else_when(announced.at_most(MEMORY_BYTES), [state.set(State::Payload)])
                .otherwise([state.set(State::Noise)]),
        ],
    );
    let byte = state.matches(
        [
            (State::Header, vec![count.set(count + 1), header]),
            (State::Payload, vec![address.set(address + 1), when(payload_ends, [state.set(State::Check)])]),
            (State::Check, vec![count.set(count + 1), when(last_of(CRC_BYTES), [state.set(State::Judge)])]),
            (
                State::Command,
                vec![
                    count.set(count + 1),
                    when(count.is(0), [x.set(data)]),
                    when(count.is(COMMAND_BYTES / 2), [y.set(data)]),
                    when(!fits, [state.set(State::Noise)])
                        .else_when(last_of(COMMAND_BYTES), [state.set(State::Listen)]),
                ],
            ),
            (State::Noise, vec![]),
        ],
        [
            count.set(1),
            x.set(data),
            when(small, [state.set(State::Command)]).otherwise([state.set(State::Noise)]),
        ],
    );
    debug_assert_eq!(HEADER_BYTES, 6);
    m.at_edge([
        when(valid, [silence.set(0), byte]).otherwise([
            when(!silent, [silence.set(silence + 1)]),
            when(silent, [state.set(State::Listen), count.set(0)]),
            when(judges, [when(good, [state.set(State::Listen)]).otherwise([state.set(State::Noise)])]),
        ]),
        when(begins, [state.set(State::Header), count.set(0), address.set(0), stored.set(true)]),
        when(holds, [stored.set(false)]),
    ]);
    let of_payload = m.wire("of_payload", valid & state.is(State::Payload));
    m.output("store", of_payload & !holds);
    m.output("store_address", address.bits(0..ADDRESS));
    FramePorts {
        frame: good,
        frame_current: version.is(u64::from(VERSION)),
        frame_stored: stored,
        frame_sequence: sequence,
        frame_kind: kind,
        frame_length: length.bits(0..ADDRESS + 1),
    }
    .outputs(&m);
    let command = m.cleared("command", command);
    m.output("command", command);
    m.output("command_x", x);
    m.output("command_y", y);
    debug_assert_eq!(CRC, CRC_BYTES * BYTE);
    m.circuit()
}
