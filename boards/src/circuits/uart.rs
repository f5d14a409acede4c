// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes on a serial line: 8 data bits, no parity, one stop bit.

use super::BYTE;
use kit::{Circuit, Module, Sig, cat, when};

/// A rate as a phase that advances by `step` a clock and wraps once a bit: any ratio of clock and rate, whole or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Bits of the phase.
    pub bits: usize,
    /// What it advances by.
    pub step: u64,
}

/// Clocks a bit that a receiver needs to find the middle of bits.
pub const LEAST_CLOCKS: f64 = 6.0;
/// Most that a rate may be off, of itself: a frame of ten bits then ends a twentieth of a bit from where it should.
const OFF: f64 = 0.005;
/// Most bits of a phase.
const MOST_BITS: usize = 24;

impl Rate {
    /// The shortest phase that keeps the rate; `None` if a bit has fewer than [`LEAST_CLOCKS`] clocks.
    pub fn new(clock_hz: u32, baud: u32) -> Option<Rate> {
        let ratio = f64::from(baud) / f64::from(clock_hz);
        if baud == 0 || ratio * LEAST_CLOCKS > 1.0 {
            return None;
        }
        let rate = |bits: usize| Rate { bits, step: (ratio * (1u64 << bits) as f64).round() as u64 };
        (4..=MOST_BITS).map(rate).find(|rate| (rate.ratio() / ratio - 1.0).abs() <= OFF)
    }

    /// The rate in bits a second from which [`Rate::new`] has all up to [`Rate::highest`]: below it half a step of the longest phase is
    /// more than a rate may be off.
    pub fn lowest(clock_hz: u32) -> u32 {
        let least = (f64::from(clock_hz) / (1u64 << MOST_BITS) as f64 / OFF / 2.0).ceil() as u32;
        least.max(1)
    }

    /// Highest rate for a clock, in bits a second.
    pub fn highest(clock_hz: u32) -> u32 {
        (f64::from(clock_hz) / LEAST_CLOCKS) as u32
    }

    /// Bits a clock.
    pub fn ratio(self) -> f64 {
        self.step as f64 / (1u64 << self.bits) as f64
    }
}

/// The phase of a machine: where it stands, and whether a bit ends in this clock.
struct Phase<'m> {
    register: Sig<'m>,
    next: Sig<'m>,
    ends: Sig<'m>,
}

fn phase<'m>(m: &'m Module, rate: Rate) -> Phase<'m> {
    let register = m.control("phase", rate.bits, 0);
    let sum = m.wire("sum", register.zero_extend(rate.bits + 1) + rate.step);
    Phase { register, next: sum.bits(0..rate.bits), ends: sum.bit(rate.bits) }
}

/// Bits of a byte on the line: start, data, stop.
const FRAME: usize = BYTE + 2;
/// Bits of a number of them.
const COUNT: usize = FRAME.ilog2() as usize + 1;

/// Bytes of a line.
///
/// `rx` in, at any time; out `data`, and `valid` for a clock when a byte has come whose stop bit is there. A start is an edge that
/// still stands half a bit later. Latency three clocks behind the middle of the stop bit; a byte may follow at once. Reset waits for the
/// next edge.
pub fn uart_receiver(rate: Rate) -> Circuit {
    let m = Module::new(
        "uart_receiver",
        "Bytes of a serial line, 8N1: data for a clock with valid.\n\
         A byte whose stop bit is missing is dropped; reset waits for the next start.",
        true,
    );
    let rx = m.input("rx", 1);
    m.comment("Two registers for a signal of no clock of ours, a third to see edges.");
    let [first, line, before] = ["rx_first", "rx_line", "rx_before"].map(|name| m.control(name, 1, 1));
    m.at_edge([first.set(rx), line.set(first), before.set(line)]);
    let busy = m.control("busy", 1, 0);
    let count = m.control("count", COUNT, 0);
    let data = m.control("data", BYTE, 0);
    let valid = m.control("valid", 1, 0);
    let phase = phase(&m, rate);
    m.comment("The phase wraps in the middle of bits: it begins with half a bit behind it.");
    let (starts, stops) = (count.is(0), count.is(FRAME - 1));
    m.at_edge([
        valid.set(busy & phase.ends & stops & line),
        when(
            !busy,
            [
                phase.register.set(1u64 << (rate.bits - 1)),
                count.set(0),
                when(before & !line, [busy.set(true)]),
            ],
        )
        .otherwise([
            phase.register.set(phase.next),
            when(
                phase.ends,
                [
                    count.set(count + 1),
                    when((starts & line) | stops, [busy.set(false)])
                        .else_when(!starts, [data.set(cat([line, data.bits(1..BYTE)]))]),
                ],
            ),
        ]),
    ]);
    m.output("data", data);
    m.output("valid", valid);
    m.circuit()
}

/// Bytes on a line.
///
/// In `data` with `valid`, taken when `ready`; out `tx`, 1 while nothing is sent. Initiation interval ten bits of the line. Reset ends
/// what is being sent.
pub fn uart_transmitter(rate: Rate) -> Circuit {
    let m = Module::new(
        "uart_transmitter",
        "Bytes on a serial line, 8N1: taken when ready.\nReset ends what is being sent.",
        true,
    );
    let (data, valid) = (m.input("data", BYTE), m.input("valid", 1));
    let bits = m.control("bits", FRAME, (1u64 << FRAME) - 1);
    let left = m.control("left", COUNT, 0);
    let phase = phase(&m, rate);
    let ready = m.output("ready", left.is(0));
    m.at_edge([when(
        ready,
        [
            phase.register.set(0),
            when(valid, [bits.set(cat([m.bit(true), data, m.bit(false)])), left.set(FRAME)]),
        ],
    )
    .otherwise([
        phase.register.set(phase.next),
        when(phase.ends, [bits.set(cat([m.bit(true), bits.bits(1..FRAME)])), left.set(left - 1)]),
    ])]);
    m.output("tx", bits.bit(0));
    m.circuit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rates_between_the_lowest_and_the_highest_are_kept() {
        for clock_hz in [1_000_000, 25_000_000, 27_000_000, 65_000_000, 100_000_000] {
            let (lowest, highest) = (Rate::lowest(clock_hz), Rate::highest(clock_hz));
            let step = (highest - lowest) as usize / 1000;
            for baud in (lowest..lowest + 2000).chain((lowest..=highest).step_by(step)).chain([highest]) {
                assert!(Rate::new(clock_hz, baud).is_some(), "{baud} at {clock_hz} Hz");
            }
            assert!(Rate::new(clock_hz, highest + 1).is_none() && Rate::new(clock_hz, 0).is_none());
        }
    }
}
