// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the time of a move goes on the board: the core, the processor around it, the serial line. Counted in clocks of
//! the virtual board.

use super::{Interrupts, Pace, Paused, Slot, Soc};
use crate::firmware::{BuildError, Options, STACK_TOP, build};
use crate::wujian100::{divider, fastest_rate, rate};
use driver::frame::{Decoder, Frame, Kind, NONCE_BYTES};
use driver::layout::{HEAD, Parts, SEARCH};
use driver::original;
use driver::transport::BYTE_BITS;
use engine_model::{Cell, Config};
use figures::statistics::mean;
use figures::table::Table;
use std::path::Path;

/// Clocks in which everything but a search must be done.
const PATIENCE: u64 = 100_000_000;

/// What ends a measurement.
#[derive(Debug, thiserror::Error)]
pub enum LatencyError {
    /// There is no firmware.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A position without a last move to tell the board.
    #[error("position {0} has no move: leave it out")]
    Empty(usize),
    /// It works on and on.
    #[error("the virtual board does not come to rest within {PATIENCE} clocks")]
    Restless,
    /// The processor met what it cannot do.
    #[error("the virtual board trapped: {0}")]
    Trapped(String),
    /// The answer is not that of a sound board.
    #[error("the virtual board answered {0}")]
    Answer(String),
}

/// Clocks of one move.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The core's own, by its counter.
    core: u64,
    /// From the last byte of the request to the first of the reply, but for the core's.
    around: u64,
    /// Bytes of request and reply.
    bytes: usize,
}

/// What a run over some positions found.
pub struct Latency {
    framed: Vec<Move>,
    original: Vec<Move>,
    interrupts: Interrupts,
    stack: u32,
    slowest: u32,
}

/// A board under the clock.
struct Bench {
    soc: Soc,
    sequence: u8,
}

impl Bench {
    /// Sends bytes and runs until the answer has gone out; what it said, and the clocks from the last byte in to the first
    /// byte out.
    fn exchange(&mut self, bytes: &[u8]) -> Result<(Vec<u8>, u64), LatencyError> {
        self.soc.send(bytes);
        let begin = self.soc.clock();
        let (mut asked, mut answered) = (None, None);
        loop {
            let paused = self.soc.run(1, 0);
            if asked.is_none() && !self.soc.sending() {
                asked = Some(self.soc.clock());
            }
            if asked.is_some() && answered.is_none() && self.soc.answering() {
                answered = Some(self.soc.clock());
            }
            if paused == Paused::Asleep {
                break;
            }
            if self.soc.clock() - begin > PATIENCE {
                return Err(LatencyError::Restless);
            }
        }
        if let Some(trap) = self.soc.traps().first() {
            return Err(LatencyError::Trapped(trap.clone()));
        }
        let clocks = answered.zip(asked).map_or(0, |(answered, asked)| answered - asked);
        Ok((self.soc.receive(), clocks))
    }

    fn ask(&mut self, kind: Kind, payload: &[u8]) -> Result<(Frame, u64, usize), LatencyError> {
        self.sequence = self.sequence.wrapping_add(1);
        let request = Frame::request(self.sequence, kind, payload).encode();
        let (said, clocks) = self.exchange(&request)?;
        let frame = Decoder::default().push(&said).ok_or_else(|| LatencyError::Answer("no frame".into()))?;
        let code = Parts::split(HEAD, &frame.payload).map(|(head, _)| head.get("code"));
        if code != Some(0) {
            return Err(LatencyError::Answer(format!("{kind:?} with code {code:?}")));
        }
        Ok((frame, clocks, request.len() + said.len()))
    }

    fn original(&mut self, x: u32, y: u32) -> Result<(Vec<u8>, u64, usize), LatencyError> {
        let command = original::encode(x, y);
        let (said, clocks) = self.exchange(&command)?;
        let bytes = command.len() + said.len();
        Ok((said, clocks, bytes))
    }
}

/// Searches each position on a board around a slot (the core with an AHB-Lite face), its last move being the one that the board is told, by both protocols.
pub fn measure(
    slot: Box<dyn Slot>,
    config: &Config,
    options: Options,
    folder: &Path,
    positions: &[Vec<Cell>],
    mut progress: impl FnMut(usize),
) -> Result<Latency, LatencyError> {
    let image = build(folder, options)?;
    let mut bench = Bench { soc: Soc::new(&image.bytes, slot, options.slot, Pace::Fast), sequence: 0 };
    bench.exchange(&[])?;
    bench.ask(Kind::Hello, &[0; NONCE_BYTES])?;
    let geometry = config.geometry();
    let (mut framed, mut original) = (Vec::new(), Vec::new());
    for (index, moves) in positions.iter().enumerate() {
        let bytes: Vec<u8> = moves
            .iter()
            .flat_map(|&cell| {
                let point = geometry.point(cell);
                [point.x as u8, point.y as u8]
            })
            .collect();
        let (before, last) = bytes.split_at(bytes.len().saturating_sub(2));
        let [x, y] = *last else {
            return Err(LatencyError::Empty(index + 1));
        };
        bench.ask(Kind::Position, before)?;
        let (frame, clocks, count) = bench.ask(Kind::Search, &[0, 0, 0, 0, 0, x, y])?;
        let core = core_cycles(&frame)?;
        framed.push(Move { core, around: clocks.saturating_sub(core), bytes: count });
        bench.ask(Kind::Position, before)?;
        let (said, clocks, count) = bench.original(x.into(), y.into())?;
        if !matches!(original::decode(&said), Some(Ok(answer)) if answer.status <= 2) {
            return Err(LatencyError::Answer(format!("{:?}", String::from_utf8_lossy(&said))));
        }
        original.push(Move { core, around: clocks.saturating_sub(core), bytes: count });
        progress(index + 1);
    }
    let stack = bench.soc.lowest_stack().map_or(0, |lowest| STACK_TOP.saturating_sub(lowest));
    Ok(Latency { framed, original, interrupts: bench.soc.interrupts(), stack, slowest: options.baud })
}

fn core_cycles(frame: &Frame) -> Result<u64, LatencyError> {
    let body = Parts::split(HEAD, &frame.payload).and_then(|(_, body)| Parts::split(SEARCH, body));
    let (search, _) = body.ok_or_else(|| LatencyError::Answer("too short a reply to Search".into()))?;
    Ok(search.get("cycles"))
}

impl Latency {
    /// One line for each clock, protocol and rate.
    pub fn table(&self, clocks_hz: &[u32]) -> Table {
        let mut table = Table::new(
            "Time of a move, microseconds (means)",
            &[
                "clock, protocol",
                "baud",
                "core, clocks",
                "core",
                "processor, clocks",
                "processor",
                "line",
                "move",
            ],
        );
        for &clock in clocks_hz {
            for (name, moves) in [("framed", &self.framed), ("original", &self.original)] {
                let fastest = fastest_rate(clock);
                for baud in [self.slowest, fastest] {
                    let Some(divider) = divider(clock, baud) else { continue };
                    let figure = |of: &dyn Fn(&Move) -> f64| mean(moves.iter().map(of));
                    let micros = |clocks: f64| clocks * 1e6 / f64::from(clock);
                    let core = figure(&|m| m.core as f64);
                    let around = figure(&|m| m.around as f64);
                    let line =
                        figure(&|m| m.bytes as f64) * f64::from(BYTE_BITS) * 1e6 / rate(clock, divider);
                    let whole = micros(core) + micros(around) + line;
                    table.rows.push(vec![
                        format!("{} MHz, {name}", clock / 1_000_000),
                        format!("{:.0}", rate(clock, divider)),
                        format!("{core:.0}"),
                        format!("{:.1}", micros(core)),
                        format!("{around:.0}"),
                        format!("{:.1}", micros(around)),
                        format!("{line:.0}"),
                        format!("{whole:.0}"),
                    ]);
                }
            }
        }
        table
    }

    /// Positions searched.
    pub fn positions(&self) -> usize {
        self.framed.len()
    }

    /// What was seen of interrupts.
    pub fn interrupts(&self) -> Interrupts {
        self.interrupts
    }

    /// Most bytes of stack.
    pub fn stack(&self) -> u32 {
        self.stack
    }

    /// What else the run showed, in words.
    pub fn notes(&self) -> String {
        format!(
            "{} positions. Interrupts: {} taken, longest wait {} clocks, longest handler {} clocks. Stack: {} bytes at most.",
            self.framed.len(),
            self.interrupts.taken,
            self.interrupts.longest_wait,
            self.interrupts.longest_handler,
            self.stack
        )
    }
}
