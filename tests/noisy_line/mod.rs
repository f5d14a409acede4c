// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial line that disturbs what it carries.

use driver::BoardError;
use driver::transport::{Connector, Port, Transport};

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
