// SPDX-License-Identifier: MIT OR Apache-2.0
//! A verilated top level with a serial line: bytes go in and come out at its pins, bit by bit.

use crate::dut::{Dut, PortId};
use crate::models::Model;
use driver::BoardError;
use driver::transport::{Connector, Transport};
use soc_integration::soc::terminal::{Terminal, TerminalError};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Start, eight data bits, stop.
const BITS: usize = 10;
/// Clocks that reset is held at a top level that has one.
const RESET_CLOCKS: u64 = 8;

/// A top level whose ports are `rx` and `tx` beside its clock.
pub struct Line {
    dut: Dut,
    rx: PortId,
    tx: PortId,
    /// Clocks a bit: the rate need not divide the clock.
    clocks_per_bit: f64,
    /// What is still to be sent, and the byte that is: its ten bits, and the clock it began in.
    waiting: VecDeque<u8>,
    sending: Option<(u32, f64)>,
    /// What has come, and the byte that is coming: its bits so far, and the clock it began in.
    come: Vec<u8>,
    coming: Option<(u32, usize, f64)>,
    /// Bytes whose stop bit was missing.
    broken: u64,
}

impl Line {
    /// A top level from power-up. Its clock runs at `clock_hz` by its own account, the line at `baud`: any other rate than the one it
    /// was built for is a wrong one.
    pub fn new(model: &'static Model, clock_hz: u32, baud: u32, seed: u32) -> Line {
        let mut dut = Dut::new(model, seed);
        let (rx, tx) = (dut.port("rx"), dut.port("tx"));
        dut.set_word(rx, 1);
        let clocks_per_bit = f64::from(clock_hz) / f64::from(baud);
        let mut line = Line {
            dut,
            rx,
            tx,
            clocks_per_bit,
            waiting: VecDeque::new(),
            sending: None,
            come: Vec::new(),
            coming: None,
            broken: 0,
        };
        line.reset();
        line
    }

    /// Resets the top level, if it has an input for it.
    pub fn reset(&mut self) {
        if let Some(aresetn) = self.dut.find("aresetn") {
            self.dut.set_word(aresetn, 0);
            self.run(RESET_CLOCKS);
            self.dut.set_word(aresetn, 1);
        }
    }

    /// An output of at most 32 bits.
    pub fn output(&self, name: &str) -> u32 {
        self.dut.get_word(self.dut.port(name))
    }

    /// Bytes for its `rx`, behind those that wait already.
    pub fn send(&mut self, bytes: &[u8]) {
        self.waiting.extend(bytes);
    }

    /// Bytes of its `tx` since this was last asked.
    pub fn receive(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.come)
    }

    /// Bytes that came without a stop bit.
    pub fn broken(&self) -> u64 {
        self.broken
    }

    /// Sets an input of at most 32 bits.
    pub fn input(&mut self, name: &str, value: u32) {
        let port = self.dut.port(name);
        self.dut.set_word(port, value);
    }

    /// Whether nothing is on the line, to either side.
    pub fn is_quiet(&self) -> bool {
        self.waiting.is_empty() && self.sending.is_none() && self.coming.is_none()
    }

    /// Clocks so far.
    pub fn clock(&self) -> u64 {
        self.dut.cycle()
    }

    /// So many clocks.
    pub fn run(&mut self, clocks: u64) {
        for _ in 0..clocks {
            let now = self.dut.cycle() as f64;
            self.drive(now);
            self.dut.tick();
            self.sample(now + 1.0);
        }
    }

    fn drive(&mut self, now: f64) {
        if let Some((bits, begun)) = self.sending {
            let bit = ((now - begun) / self.clocks_per_bit) as usize;
            if bit < BITS {
                self.dut.set_word(self.rx, bits >> bit & 1);
                return;
            }
            self.sending = None;
        }
        if let Some(byte) = self.waiting.pop_front() {
            self.sending = Some((1 << (BITS - 1) | u32::from(byte) << 1, now));
            self.dut.set_word(self.rx, 0);
        }
    }

    fn sample(&mut self, now: f64) {
        let level = self.dut.get_word(self.tx);
        match &mut self.coming {
            None if level == 0 => self.coming = Some((0, 0, now)),
            None => {}
            Some((bits, count, begun)) => {
                // In the middle of each bit.
                let due = *begun + (*count as f64 + 0.5) * self.clocks_per_bit;
                if now >= due {
                    *bits |= level << *count;
                    *count += 1;
                    if *count == BITS {
                        let byte = (*bits >> 1) as u8;
                        match *bits >> (BITS - 1) {
                            1 => self.come.push(byte),
                            _ => self.broken += 1,
                        }
                        self.coming = None;
                    }
                }
            }
        }
    }
}

/// Time between two looks at a terminal while something happens.
const LOOK_TIME: Duration = Duration::from_millis(2);
/// Clocks between two looks at the time.
const STEP_CLOCKS: u64 = 200;
/// Time between two looks while nothing does.
const NAP: Duration = Duration::from_millis(1);

/// Runs a top level on a terminal until `stop` says so. Its clock stands still while nothing can happen: when `rests` says so and it has been
/// silent for `silence` clocks.
pub fn serve(
    line: &mut Line,
    terminal: &mut Terminal,
    silence: u64,
    rests: impl Fn(&Line) -> bool,
    mut stop: impl FnMut() -> bool,
) -> Result<(), TerminalError> {
    let (mut wait, mut quiet_since) = (Duration::ZERO, line.clock());
    while !stop() {
        let bytes = terminal.receive(wait)?;
        line.send(&bytes);
        let working = Instant::now();
        wait = Duration::ZERO;
        while working.elapsed() < LOOK_TIME {
            if !line.is_quiet() || !rests(line) {
                quiet_since = line.clock();
            } else if line.clock() > quiet_since + silence {
                wait = NAP;
                break;
            }
            line.run(STEP_CLOCKS);
        }
        terminal.send(&line.receive())?;
    }
    Ok(())
}

/// Clocks that pass between two looks of a driver at its line.
const LOOK_CLOCKS: u64 = 2_000;

/// A line as a driver's port: its clock runs while the driver waits. Clones are the same line.
#[derive(Clone)]
pub struct Port {
    line: Arc<Mutex<Line>>,
    baud: u32,
    /// Clocks between two looks at the line.
    look: u64,
}

impl Port {
    /// A port of this line, for a driver that is told this rate.
    pub fn new(line: Line, baud: u32) -> Port {
        Port { line: Arc::new(Mutex::new(line)), baud, look: LOOK_CLOCKS }
    }

    /// The same behind an adapter that hands bytes over so many clocks apart.
    pub fn handing_over_every(self, clocks: u64) -> Port {
        Port { look: clocks, ..self }
    }

    /// The line, while no driver uses it.
    pub fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Port {
    fn receive(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let look = self.look;
        let mut line = self.line();
        line.run(look);
        let count = line.come.len().min(bytes.len());
        for (to, byte) in bytes.iter_mut().zip(line.come.drain(..count)) {
            *to = byte;
        }
        Ok(count)
    }

    fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.line().send(bytes);
        Ok(())
    }
}

impl Connector for Port {
    fn name(&self) -> String {
        "simulated line".into()
    }

    fn baud(&self) -> u32 {
        self.baud
    }

    fn open(&mut self) -> Result<Box<dyn Transport>, BoardError> {
        Ok(Box::new(self.clone()))
    }
}
