// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial line that disturbs what it carries.

use driver::BoardError;
use driver::transport::{Connector, Port, Transport};
use std::time::{Duration, Instant};

/// A line that flips, drops or doubles one byte in a hundred, both ways.
pub struct Noisy {
    pub port: Port,
    pub seed: u64,
}

struct NoisyLine {
    line: Box<dyn Transport>,
    rng: fastrand::Rng,
    kept: Vec<u8>,
}

impl NoisyLine {
    fn disturb(rng: &mut fastrand::Rng, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in bytes {
            match rng.u32(0..300) {
                0 => out.push(byte ^ 1 << rng.u32(0..8)),
                1 => {}
                2 => out.extend([byte, byte]),
                _ => out.push(byte),
            }
        }
        out
    }
}

impl Transport for NoisyLine {
    fn receive(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let mut clean = [0; 128];
        let count = self.line.receive(&mut clean)?;
        self.kept.extend(NoisyLine::disturb(&mut self.rng, &clean[..count]));
        let given = self.kept.len().min(bytes.len());
        bytes[..given].copy_from_slice(&self.kept[..given]);
        self.kept.drain(..given);
        Ok(given)
    }

    fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let disturbed = NoisyLine::disturb(&mut self.rng, bytes);
        self.line.send(&disturbed)
    }
}

impl Connector for Noisy {
    fn name(&self) -> String {
        self.port.path.clone()
    }

    fn baud(&self) -> u32 {
        self.port.baud
    }

    fn open(&mut self) -> Result<Box<dyn Transport>, BoardError> {
        self.seed += 1;
        let rng = fastrand::Rng::with_seed(self.seed);
        Ok(Box::new(NoisyLine { line: self.port.open()?, rng, kept: Vec::new() }))
    }
}

/// A line whose bytes from the board come one by one, some time apart.
#[derive(Clone)]
pub struct Slow {
    pub port: Port,
    pub apart: Duration,
}

struct SlowLine {
    line: Box<dyn Transport>,
    apart: Duration,
    kept: std::collections::VecDeque<u8>,
    last: Instant,
}

impl Transport for SlowLine {
    fn receive(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let mut came = [0; 128];
        let count = self.line.receive(&mut came)?;
        self.kept.extend(&came[..count]);
        if self.last.elapsed() < self.apart {
            return Ok(0);
        }
        let Some(byte) = self.kept.pop_front() else { return Ok(0) };
        (bytes[0], self.last) = (byte, Instant::now());
        Ok(1)
    }

    fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.line.send(bytes)
    }
}

impl Connector for Slow {
    fn name(&self) -> String {
        self.port.path.clone()
    }

    fn baud(&self) -> u32 {
        self.port.baud
    }

    fn open(&mut self) -> Result<Box<dyn Transport>, BoardError> {
        let (line, apart) = (self.port.open()?, self.apart);
        Ok(Box::new(SlowLine { line, apart, kept: Default::default(), last: Instant::now() }))
    }
}
