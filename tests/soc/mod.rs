// SPDX-License-Identifier: MIT OR Apache-2.0
//! A virtual board in this process, clock by clock: no pseudo-terminal and no real time.
#![allow(dead_code)]

use cosim::bus::attached::AttachedSlot;
use driver::frame::{Decoder, Frame, Kind};
use engine_model::Config;
use soc_integration::Face;
use soc_integration::firmware::{Options, build};
use soc_integration::soc::{Pace, Paused, Slot, Soc};
use std::sync::OnceLock;

pub use soc_integration::wujian100::CLOCK_HZ;
/// A millisecond in clocks.
pub const MILLISECOND: u64 = CLOCK_HZ as u64 / 1000;
/// More than the firmware's idle gap.
pub const GAP: u64 = 2 * driver::frame::GAP_MS as u64 * MILLISECOND;

pub fn config() -> Config {
    Config::from_toml(include_str!("../../configs/gomoku7.toml")).unwrap()
}

pub fn program() -> &'static [u8] {
    static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("tengen-test-firmware-{}", std::process::id()));
        let options = Options { slot: 1, clock_hz: CLOCK_HZ, baud: 115_200 };
        let image = build(&folder, options).expect("gcc-riscv64-unknown-elf builds the firmware");
        std::fs::remove_dir_all(&folder).unwrap();
        image.bytes
    })
}

pub struct Board {
    pub soc: Soc,
    /// Traps that the test made.
    pub traps: usize,
    decoder: Decoder,
    sequence: u8,
}

impl Board {
    pub fn new(pace: Pace) -> Board {
        let model = cosim::models::model(&config(), cosim::Kind::Slot(Face::Ahb)).unwrap();
        Board::around(Box::new(AttachedSlot::new(model, Face::Ahb, 7)), 1, pace)
    }

    /// Something in slot `number`; the firmware looks for the core in slot 1.
    pub fn around(slot: Box<dyn Slot>, number: usize, pace: Pace) -> Board {
        let mut board = Board::with(Soc::new(program(), slot, number, pace));
        assert!(board.text(&[]).is_empty());
        board
    }

    /// A board that has not run yet.
    pub fn with(soc: Soc) -> Board {
        Board { soc, traps: 0, decoder: Decoder::default(), sequence: 0 }
    }

    /// Sends bytes and lets the board run until it sleeps; what it said.
    pub fn text(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.soc.send(bytes);
        self.settle();
        self.soc.receive()
    }

    pub fn settle(&mut self) {
        let begin = self.soc.clock();
        while self.soc.run(10_000, 0) != Paused::Asleep {
            assert!(self.soc.clock() - begin < 200_000_000, "the board does not come to rest");
        }
        assert!(self.soc.traps().len() == self.traps, "{:?}", self.soc.traps());
    }

    /// Lets time pass on a silent line.
    pub fn silence(&mut self, clocks: u64) {
        let end = self.soc.clock() + clocks;
        while self.soc.clock() < end {
            let left = end - self.soc.clock();
            self.soc.run(10_000, left);
        }
        self.settle();
    }

    pub fn frames(&mut self, bytes: &[u8]) -> Vec<Frame> {
        let said = self.text(bytes);
        self.decoded(&said)
    }

    pub fn decoded(&mut self, said: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut next = self.decoder.push(said);
        while let Some(frame) = next {
            frames.push(frame);
            next = self.decoder.push(&[]);
        }
        assert!(!self.decoder.partial() && self.decoder.take_dropped() == 0);
        frames
    }

    /// The next request's bytes.
    pub fn request(&mut self, kind: Kind, payload: &[u8]) -> Vec<u8> {
        self.sequence = self.sequence.wrapping_add(1);
        Frame::request(self.sequence, kind, payload).encode()
    }

    /// Sends a request; the payload of its reply.
    pub fn ask(&mut self, kind: Kind, payload: &[u8]) -> Vec<u8> {
        let bytes = self.request(kind, payload);
        let frames = self.frames(&bytes);
        assert_eq!(frames.len(), 1, "{frames:?}");
        assert_eq!((frames[0].sequence, frames[0].kind), (self.sequence, kind as u8 | driver::frame::REPLY));
        frames[0].payload.clone()
    }

    pub fn hello(&mut self) -> Vec<u8> {
        self.ask(Kind::Hello, &[1, 2, 3, 4, 5, 6])
    }

    pub fn sequence(&self) -> u8 {
        self.sequence
    }

    pub fn moves(&mut self) -> Vec<u8> {
        self.ask(Kind::Moves, &[])[8..].to_vec()
    }
}

/// A slot that answers nothing: the wrong bitstream.
pub struct Dead;

impl Slot for Dead {
    fn read(&mut self, _: u32, _: u32) -> Result<u32, String> {
        Ok(0)
    }

    fn write(&mut self, _: u32, _: u32, _: u32) -> Result<(), String> {
        Ok(())
    }

    fn advance(&mut self, clocks: u64) -> u64 {
        clocks
    }

    fn interrupt(&self) -> bool {
        false
    }

    fn quiet(&self) -> bool {
        true
    }
}
