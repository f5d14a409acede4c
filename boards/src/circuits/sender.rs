// SPDX-License-Identifier: MIT OR Apache-2.0
//! From replies to bytes.

use super::crc32::{check_bytes, crc32};
use super::session::{Message, SEND};
use super::{ADDRESS, BYTE};
use driver::frame::{CRC_BYTES, HEADER_BYTES, REPLY, SYNC, VERSION};
use hdl::stream::Status;
use kit::{Circuit, Module, States, any_of, cat, when};

kit::states! {
    /// Its states.
    pub enum State {
        /// Nothing is sent.
        Idle = "IDLE",
        /// A frame's header, and the code behind it.
        Head = "HEAD",
        /// The memory looks up a byte.
        Fetch = "FETCH",
        /// It is sent.
        Body = "PAYLOAD",
        /// The check is sent.
        Check = "CHECK",
        /// The memory looks up the lower byte of a number.
        Lower = "LOWER",
        /// It looks up the upper one.
        Upper = "UPPER",
        /// That is there.
        Number = "NUMBER",
        /// A digit is counted.
        Digit = "DIGIT",
        /// It is sent.
        Print = "PRINT",
        /// The end of a line is sent.
        LineEnd = "LINE_END",
    }
}

/// Bits of a number that is printed, and of its decimal digits' places.
const NUMBER: usize = 2 * BYTE;
/// What a decimal digit counts, by its place.
const POWERS: [u64; 5] = [10_000, 1000, 100, 10, 1];
/// Bits of a place.
const PLACE: usize = 3;
/// Bits of a decimal digit.
const DIGIT: usize = 4;

/// Sends what the session says: a frame with its check, or two decimal lines.
///
/// In [`super::session::SendPorts`], `length` (bytes of the reply behind its code), `reply` (the byte of the reply's memory at
/// `reply_address` a clock ago), `ready` of a transmitter; out `data` with `valid`, `idle`. What it is told while it is not idle is
/// lost. Reset ends what is being sent.
pub fn sender() -> Circuit {
    let m = Module::new(
        "sender",
        "Replies to bytes: a frame with its check, or two decimal lines.\nReset ends what is being sent.",
        true,
    );
    m.states::<State>();
    m.states::<Message>();
    let told = SEND.inputs(&m);
    let (length, reply, ready) = (m.input("length", ADDRESS), m.input("reply", BYTE), m.input("ready", 1));
    let state = m.control("state", State::BITS, State::Idle);
    let [code, sequence, kind] = ["code", "sequence_number", "kind"].map(|name| m.control(name, BYTE, 0));
    let index = m.control("index", 3, 0);
    let [address, left] = ["address", "left"].map(|name| m.control(name, ADDRESS, 0));
    let [second, shown, interrupted] = ["second", "shown", "interrupted"].map(|name| m.control(name, 1, 0));
    let number = m.control("number", NUMBER, 0);
    let (place, digit) = (m.control("place", PLACE, 0), m.control("digit", DIGIT, 0));
    let at = |what: State| state.is(what);
    let byte = |value: u64| m.constant(BYTE, value);

    let crc = m.child("crc", crc32());
    let begins = m.wire("begins", at(State::Idle) & told.send);
    m.comment("The code counts as well.");
    let payload = m.wire("payload", left.zero_extend(2 * BYTE) + 1);
    let head = [
        byte(SYNC.into()),
        byte(VERSION.into()),
        sequence,
        cat([m.bit(REPLY == 0x80), kind.bits(0..BYTE - 1)]),
        payload.bits(0..BYTE),
        payload.bits(BYTE..2 * BYTE),
        code,
    ];
    let last_of_head = HEADER_BYTES;
    let head =
        m.table("head", index, head.into_iter().enumerate().map(|(place, byte)| (place as u64, byte)), 0);
    let check = check_bytes(crc.get("remainder"));
    let check = check.into_iter().enumerate().map(|(place, byte)| (place as u64, byte));
    let check = m.table("check", index.bits(0..2), check, 0);
    let data = m.table(
        "data",
        state,
        [
            (State::Head as u64, head),
            (State::Body as u64, reply),
            (State::Check as u64, check),
            (State::Print as u64, cat([m.constant(BYTE - DIGIT, 3), digit])),
        ],
        u64::from(b'\n'),
    );
    let framed = m.wire("framed", any_of([at(State::Head), at(State::Body)]));
    let checks = at(State::Check) & !crc.get("busy");
    let valid = m.wire("valid", any_of([framed, checks, at(State::Print), at(State::LineEnd)]));
    let taken = m.wire("taken", valid & ready);
    let of_sync = m.wire("of_sync", at(State::Head) & index.is(0));
    crc.drive("start", begins);
    crc.drive("take", taken & framed & !of_sync);
    crc.drive("octet", data);

    m.comment("Of an answer the second word comes first.");
    let of_number = any_of([at(State::Lower), at(State::Upper)]);
    let number_address = cat([m.zero(ADDRESS - 2), !second, at(State::Upper)]);
    m.output("reply_address", of_number.mux(number_address, address));
    let powers = POWERS.iter().enumerate().map(|(place, power)| (place as u64, m.constant(NUMBER, *power)));
    let power = m.table("power", place, powers, 1u64);
    let (units, counts) = (place.is(POWERS.len() - 1), m.wire("counts", number.at_least(power)));
    let prints = m.wire("prints", digit.any() | shown | units);
    let go = |to: State| state.set(to);
    let interruption = u64::from(Status::Interrupted as u32) << BYTE;
    let line =
        || when(interrupted, [number.set(interruption), go(State::Digit)]).otherwise([go(State::Lower)]);
    let fresh = || [place.set(0), digit.set(0), shown.set(false)];
    let body = when(left.is(0), [go(State::Check)]).otherwise([go(State::Fetch)]);
    let run = state.matches(
        [
            (
                State::Head,
                vec![when(taken, [index.set(index + 1), when(index.is(last_of_head), [index.set(0), body])])],
            ),
            (State::Fetch, vec![go(State::Body)]),
            (
                State::Body,
                vec![when(
                    taken,
                    [
                        address.set(address + 1),
                        left.set(left - 1),
                        when(left.is(1), [go(State::Check)]).otherwise([go(State::Fetch)]),
                    ],
                )],
            ),
            (
                State::Check,
                vec![when(taken, [index.set(index + 1), when(index.is(CRC_BYTES - 1), [go(State::Idle)])])],
            ),
            (State::Lower, vec![go(State::Upper)]),
            (State::Upper, vec![number.set(cat([m.zero(BYTE), reply])), go(State::Number)]),
            (State::Number, vec![number.set(cat([reply, number.bits(0..BYTE)])), go(State::Digit)]),
            (
                State::Digit,
                vec![
                    when(counts, [number.set(number - power), digit.set(digit + 1)])
                        .else_when(prints, [go(State::Print)])
                        .otherwise([place.set(place + 1)]),
                ],
            ),
            (
                State::Print,
                vec![when(
                    taken,
                    [
                        shown.set(true),
                        digit.set(0),
                        place.set(place + 1),
                        when(units, [go(State::LineEnd)]).otherwise([go(State::Digit)]),
                    ],
                )],
            ),
            (
                State::LineEnd,
                vec![when(
                    taken,
                    fresh()
                        .into_iter()
                        .chain([second.set(true), when(second, [go(State::Idle)]).otherwise([line()])]),
                )],
            ),
        ],
        [when(
            told.send,
            fresh().into_iter().chain([
                code.set(told.send_code),
                sequence.set(told.send_sequence),
                kind.set(told.send_kind),
                left.set(told.send_message.is(Message::Reply).mux(length, 0)),
                address.set(0),
                index.set(0),
                second.set(false),
                interrupted.set(told.send_message.is(Message::Interrupted)),
                when(
                    told.send_message.is(Message::Interrupted),
                    [number.set(interruption), go(State::Digit)],
                )
                .else_when(told.send_message.is(Message::Lines), [go(State::Lower)])
                .otherwise([go(State::Head)]),
            ]),
        )],
    );
    m.at_edge([run]);
    m.output("data", data);
    m.output("valid", valid);
    m.output("idle", at(State::Idle));
    m.circuit()
}
