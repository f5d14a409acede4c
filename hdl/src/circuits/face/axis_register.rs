// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Stream input register (skid buffer).

use kit::{Circuit, Module, when};

/// Bits of a beat.
const BEAT: usize = 32;

/// Takes a beat a clock into one register, and one more into a spare while the first is waiting, so that `s_tready` is
/// a register. `flush` drops what is held. `s_tdata`, `s_tvalid`, `s_tready` outside, `m_tdata`, `m_tvalid`, `m_tready` inside.
/// Latency 1, initiation interval 1; reset empties it and keeps `s_tready` low.
///
/// Two beats wait while nobody takes one, a third comes when they move up:
#[doc = concat!("```text\n", include_str!("../../../tests/snapshots/waves__axis_register.snap"), "\n```")]
pub fn axis_register() -> Circuit {
    let m = Module::new(
        "axis_register",
        "AXI4-Stream input register: a beat, and a spare one while it waits.\n\
         Latency 1, initiation interval 1; reset empties it and keeps s_tready low.",
        true,
    );
    let (flush, data) = (m.input("flush", 1), m.input("s_tdata", BEAT));
    let (comes, taken) = (m.input("s_tvalid", 1), m.input("m_tready", 1));
    let [running, main_full, spare_full] =
        ["running_q", "main_full_q", "spare_full_q"].map(|name| m.control(name, 1, 0));
    let [main, spare] = ["main_q", "spare_q"].map(|name| m.control(name, BEAT, 0));
    let arrives = m.wire("arrives", comes & running);
    m.comment("The first place is free in the next clock: the spare beat moves up, else a new one comes in.");
    let moves = when(
        taken | !main_full,
        [when(spare_full, [main.set(spare), main_full.set(true), spare_full.set(false)])
            .otherwise([main.set(data), main_full.set(arrives)])],
    )
    .else_when(arrives & !spare_full, [spare_full.set(true)]);
    m.comment("Whether the spare beat counts is known late; it may be there in any case.");
    m.at_edge([
        running.set(true),
        when(!spare_full, [spare.set(data)]),
        moves,
        when(flush, [main_full.set(false), spare_full.set(false)]),
    ]);
    m.output("s_tready", !spare_full & running);
    m.output("m_tdata", main);
    m.output("m_tvalid", main_full);
    m.circuit()
}
