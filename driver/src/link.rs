// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board without a processor: frames whose payload is a script, words of the core's streams that hardware passes on in order.
//!
//! A script is a row of operations, a byte each with what belongs to it. What they take is the reply's payload, behind
//! [`Code::Scripted`](crate::frame::Code::Scripted):
//!
//! | operation | bytes behind it | what it does | bytes in the reply |
//! |---|---|---|---|
//! | [`COMMAND`] + command | | a word for the control stream | |
//! | [`DATA_BYTE`] | 1 | a word for the data stream | |
//! | [`DATA_WORD`] | 4, little-endian | the same | |
//! | [`TAKE_HALF`] | | the next word of an answer, waiting for it | its lower 2, little-endian |
//! | [`TAKE_WORD`] | | the same | 4, little-endian |
//! | [`DROP`] | | the same | |
//! | [`OWN`] + 0, 1, 2 | | CRC-32 of the board's name, rate of the line, clock of the core in Hz | 4, little-endian |
//! | [`PLACE`] | a number of stones, x and y of each | Place for one after the other; what is not `Done` ends the script | 1: the last status |
//!
//! A script that ends within an operation ends there, and one with a word that the idle core does not take ends too.
//!
//! Whatever the registers of a slot tell, the streams tell by their selectors. A word that does not come, since the core has nothing to
//! do, is all ones. A Hello's payload comes back as it is. Frames, sequence numbers and codes are those of the
//! [framed protocol](crate::frame).

/// Bytes of the memory of a request's payload, and of a reply's: a block RAM of 18 Kbit or half of one of 36.
pub const MEMORY_BYTES: usize = 2048;
/// Longest payload of a reply behind its code, in bytes.
pub const MAX_READ: usize = MEMORY_BYTES - 1;

/// A word for the control stream.
pub const COMMAND: u8 = 0x80;
/// A byte for the data stream, as a word.
pub const DATA_BYTE: u8 = 0x40;
/// A word for the data stream.
pub const DATA_WORD: u8 = 0x41;
/// Takes a word, of which the lower half is told.
pub const TAKE_HALF: u8 = 0x21;
/// Takes a word.
pub const TAKE_WORD: u8 = 0x22;
/// Takes a word that is not told.
pub const DROP: u8 = 0x20;
/// A number of the hardware's own.
pub const OWN: u8 = 0x10;
/// How many of these there are.
pub const OWN_NUMBERS: usize = 3;
/// Places stones.
pub const PLACE: u8 = 0x60;
/// Most stones of one [`PLACE`].
pub const MOST_STONES: usize = u8::MAX as usize;

/// Most words of answers that scripts leave in a core: two each of the answer that is presented, of the one behind it, and of two
/// commands that wait.
pub const LEFT_WORDS: usize = 8;

/// Words of the core's control stream that a driver uses; a test of the co-simulation compares them with the stream protocol.
#[allow(missing_docs)]
pub mod command {
    pub const RESET: u8 = 0;
    pub const SEARCH: u8 = 3;
    pub const LEVELS: u8 = 4;
    pub const TAKE_BACK: u8 = 5;
    pub const READ: u8 = 6;
    pub const ABORT: u8 = 7;
    pub const LIMIT: u8 = 8;
}

/// Selectors of the command Read that a driver uses, compared likewise.
#[allow(missing_docs)]
pub mod selector {
    pub const IDENTITY: u8 = 0;
    pub const CONFIGURATION: u8 = 1;
    pub const GAME: u8 = 2;
    pub const CYCLES: u8 = 3;
    pub const PASSES: u8 = 4;
    pub const ORDERS: u8 = 5;
    pub const WAITS: u8 = 6;
    pub const MISSES: u8 = 7;
    pub const LIMIT: u8 = 8;
    pub const NODES: u8 = 16;
    pub const ROWS: u8 = 64;
}

/// A script in the making, with how much its reply will hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    bytes: Vec<u8>,
    reads: usize,
}

impl Script {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes of its reply behind the code, if nothing ends it before.
    pub fn reads(&self) -> usize {
        self.reads
    }

    /// Whether it and its reply fit the hardware's memories.
    pub fn fits(&self) -> bool {
        self.bytes.len() <= MEMORY_BYTES && self.reads <= MAX_READ
    }

    /// Another one behind it.
    pub fn append(&mut self, other: &Script) {
        self.bytes.extend(&other.bytes);
        self.reads += other.reads;
    }

    fn take(&mut self, operation: u8, bytes: usize) -> &mut Script {
        self.bytes.push(operation);
        self.reads += bytes;
        self
    }

    fn data(&mut self, byte: u8) -> &mut Script {
        self.bytes.extend([DATA_BYTE, byte]);
        self
    }

    fn command(&mut self, command: u8) -> &mut Script {
        self.bytes.push(COMMAND | command);
        self
    }

    /// The hardware's own numbers.
    pub fn own(&mut self) -> &mut Script {
        for number in 0..OWN_NUMBERS {
            self.take(OWN | number as u8, 4);
        }
        self
    }

    /// Empties the board; no answer.
    pub fn reset(&mut self) -> &mut Script {
        self.command(command::RESET)
    }

    /// Ends a command whose arguments are missing, and drops the answers that another program's script has left.
    pub fn drain(&mut self) -> &mut Script {
        self.abort();
        for _ in 0..LEFT_WORDS {
            self.take(DROP, 0);
        }
        self
    }

    /// Ends a command whose arguments are missing, by an answer that it would not have; nothing where there is none.
    pub fn abort(&mut self) -> &mut Script {
        self.command(command::ABORT)
    }

    /// A command with an argument of a byte, if it has one, and the two halves of its answer.
    pub fn answered(&mut self, command: u8, argument: Option<u8>) -> &mut Script {
        if let Some(byte) = argument {
            self.data(byte);
        }
        self.command(command).take(TAKE_HALF, 2).take(TAKE_HALF, 2)
    }

    /// The limit of searches from now on, in clock cycles, and the two halves of its answer.
    pub fn limit(&mut self, cycles: u32) -> &mut Script {
        self.bytes.push(DATA_WORD);
        self.bytes.extend(cycles.to_le_bytes());
        self.answered(command::LIMIT, None)
    }

    /// Words of information: the first, the second or both.
    pub fn information(&mut self, selector: u8, first: bool, second: bool) -> &mut Script {
        self.data(selector).command(command::READ);
        for wanted in [first, second] {
            if wanted {
                self.take(TAKE_WORD, 4)
            } else {
                self.take(DROP, 0)
            };
        }
        self
    }

    /// Nodes by ply, from the root's moves on.
    pub fn nodes(&mut self, plies: usize) -> &mut Script {
        for ply in 1..=plies {
            self.information(selector::NODES + ply as u8, true, false);
        }
        self
    }

    /// Stones for the side to move, as many statuses as [`MOST_STONES`] go into them.
    pub fn place(&mut self, stones: &[u8]) -> &mut Script {
        for some in stones.chunks(2 * MOST_STONES) {
            self.bytes.extend([PLACE, (some.len() / 2) as u8]);
            self.bytes.extend(some);
            self.reads += 1;
        }
        self
    }
}

/// What a script has read, taken from the front.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a>(pub &'a [u8]);

impl Read<'_> {
    /// So many bytes as a number; `None` if the script ended before.
    pub fn number(&mut self, bytes: usize) -> Option<u64> {
        let (number, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(number.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A word.
    pub fn word(&mut self) -> Option<u32> {
        self.number(4).map(|word| word as u32)
    }

    /// An answer: its status, and the byte of each word.
    pub fn answer(&mut self) -> Option<(u8, u8, u8)> {
        let (first, second) = (self.number(2)?, self.number(2)?);
        Some(((first >> 8) as u8, first as u8, second as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_bytes_in_order() {
        let mut script = Script::default();
        script.reset().place(&[7, 7, 8, 8]).answered(command::SEARCH, None).information(
            selector::GAME,
            false,
            true,
        );
        let expected = [0x80, 0x60, 2, 7, 7, 8, 8, 0x83, 0x21, 0x21, 0x40, 2, 0x86, 0x20, 0x22];
        assert_eq!((script.bytes(), script.reads()), (&expected[..], 1 + 4 + 4));
        let mut read = Read(&[0x10, 7, 0x01, 6, 0x01, 1, 2, 0, 0]);
        assert_eq!(read.number(1), Some(0x10));
        assert_eq!((read.answer(), read.word(), read.word()), (Some((1, 7, 6)), Some(0x201), None));
    }
}
