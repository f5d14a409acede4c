// SPDX-License-Identifier: MIT OR Apache-2.0
//! The framed protocol's layout: one definition for the driver, the firmware's header and the documents.
//!
//! ```text
//! sync  version  sequence  kind  length (2)  payload (length)  CRC-32 (4)
//! ```
//!
//! Every number is little-endian. The CRC is CRC-32/ISO-HDLC (polynomial 0x04c11db7 reflected, as in Ethernet) over all
//! bytes between sync and CRC. [`Decoder`] finds frames in a stream of bytes, whatever lies between them; the firmware's
//! decoder follows the same rules.

use crc::{CRC_32_ISO_HDLC, Crc};
use engine_model::codes;
use engine_model::config::MAX_SIDE;

/// First byte of every frame. No command of the original protocol begins with it.
pub const SYNC: u8 = 0xa5;
/// Version of the protocol, second byte of every frame.
pub const VERSION: u8 = 1;
/// Bytes before the payload.
pub const HEADER_BYTES: usize = 6;
/// Bytes after the payload.
pub const CRC_BYTES: usize = 4;
/// Moves of the longest game.
pub const MAX_MOVES: usize = MAX_SIDE * MAX_SIDE;
/// Bytes of the longest payload: every move of a game and what else a reply carries.
pub const MAX_PAYLOAD: usize = 2 * MAX_MOVES + 64;
/// Bytes of the longest payload of any board: hardware has memories of this size.
pub const LONGEST_PAYLOAD: usize = crate::link::MEMORY_BYTES;
/// Bytes of the longest frame that firmware understands.
pub const MAX_FRAME: usize = HEADER_BYTES + MAX_PAYLOAD + CRC_BYTES;
/// Added to a request's kind in its reply.
pub const REPLY: u8 = 0x80;
/// Bytes of a Hello's nonce. They make the frame two commands of the original protocol long, so that a reader of eight bytes
/// each, which knows no frames and no silence, is where it was; what it reads are numbers beyond any board.
pub const NONCE_BYTES: usize = 6;
/// Silence, in milliseconds, after which the firmware gives up what it has of a command and listens anew. Longer than
/// what a USB adapter keeps a byte back for.
pub const GAP_MS: u32 = 50;
/// What a host sends first, before it is silent for longer than the gap: a receiver that has begun a byte by itself finds the start
/// of the next one after it, whatever it has heard. As many as a command of the original protocol: who counts bytes keeps its count.
pub const WAKE: [u8; 8] = [0xff; 8];

codes! {
    /// What a request asks for.
    Kind {
        /// nonce (6): begins a session, whatever the sequence number; a running search is aborted, the position stays
        Hello = 0x01,
        /// nothing: empties the board
        NewGame = 0x02,
        /// x, y of every move from the empty board: sets the position; on an error the position stays as it was
        Position = 0x03,
        /// x, y: plays a move for the side to move
        Play = 0x04,
        /// levels (0 = as built), limit (4: clock cycles, 0 = none), optionally x, y: plays the move x, y if it is given, searches,
        /// plays the move found
        Search = 0x05,
        /// nothing: takes the last move back
        TakeBack = 0x06,
        /// nothing: the counters of the last search
        Counters = 0x07,
        /// nothing: the moves of the game
        Moves = 0x08,
        /// nothing; has the sequence number of the search to stop: the reply to the Search then says Aborted, and Abort itself has no reply
        Abort = 0x09,
        /// operations that a board without a processor carries out in order; firmware knows none
        Script = 0x0a,
    }
}

codes! {
    /// First byte of a reply's payload. Codes below 0xa0 are the core's own statuses.
    Code {
        /// done; what the request asked for follows
        Ok = 0x00,
        /// this request is being carried out; its reply follows later
        Busy = 0xa0,
        /// no session: begin one with Hello (the board has been started anew)
        NoSession = 0xa1,
        /// neither the last sequence number nor the next: begin a session anew
        Sequence = 0xa2,
        /// the payload has a wrong length
        BadLength = 0xa3,
        /// unknown kind of request
        UnknownKind = 0xa4,
        /// the request has another version of the protocol; the reply has the board's own version
        BadVersion = 0xa5,
        /// the core did not answer; it has been reset, and the position has been set again if that was possible
        CoreSilent = 0xa6,
        /// another request (a search) is being carried out
        Running = 0xa7,
            /// done by a board without a processor: the bytes that the script returns follow; for a Hello, the payload of the request
        Scripted = 0xa8,
    }
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Version of the protocol.
    pub version: u8,
    /// Number of the request that it is, or answers.
    pub sequence: u8,
    /// Kind of request, + [`REPLY`] in a reply.
    pub kind: u8,
    /// What it carries, at most [`LONGEST_PAYLOAD`] bytes; firmware takes [`MAX_PAYLOAD`].
    pub payload: Vec<u8>,
}

const CRC32: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// CRC-32/ISO-HDLC of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    CRC32.checksum(bytes)
}

impl Frame {
    /// A request of this version.
    pub fn request(sequence: u8, kind: Kind, payload: &[u8]) -> Frame {
        Frame { version: VERSION, sequence, kind: kind as u8, payload: payload.to_vec() }
    }

    /// Its bytes on the line. A payload beyond [`LONGEST_PAYLOAD`] is cut there.
    pub fn encode(&self) -> Vec<u8> {
        let payload = &self.payload[..self.payload.len().min(LONGEST_PAYLOAD)];
        let mut bytes = vec![SYNC, self.version, self.sequence, self.kind];
        bytes.extend((payload.len() as u16).to_le_bytes());
        bytes.extend(payload);
        bytes.extend(crc32(&bytes[1..]).to_le_bytes());
        bytes
    }
}

/// Finds frames in a stream of bytes. What does not belong to one is counted and dropped; after a broken frame the search
/// goes on behind its first byte, so that a frame swallowed by another's length is still found.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    buffer: Vec<u8>,
    dropped: u64,
}

/// What the buffer begins with.
enum Front {
    Frame(Frame, usize),
    Partial,
    Noise,
}

impl Decoder {
    /// Bytes that belonged to no frame, since this was last asked.
    pub fn take_dropped(&mut self) -> u64 {
        std::mem::take(&mut self.dropped)
    }

    /// Whether part of a frame has come.
    pub fn partial(&self) -> bool {
        !self.buffer.is_empty()
    }

    fn front(&self) -> Front {
        let buffer = &self.buffer;
        if buffer[0] != SYNC {
            return Front::Noise;
        }
        if buffer.len() < HEADER_BYTES {
            return Front::Partial;
        }
        let length = usize::from(u16::from_le_bytes([buffer[4], buffer[5]]));
        if length > LONGEST_PAYLOAD {
            return Front::Noise;
        }
        let end = HEADER_BYTES + length;
        let Some(crc) = buffer.get(end..end + CRC_BYTES) else {
            return Front::Partial;
        };
        if crc != crc32(&buffer[1..end]).to_le_bytes() {
            return Front::Noise;
        }
        let payload = buffer[HEADER_BYTES..end].to_vec();
        let frame = Frame { version: buffer[1], sequence: buffer[2], kind: buffer[3], payload };
        Front::Frame(frame, end + CRC_BYTES)
    }

    fn drop_front(&mut self) {
        self.buffer.remove(0);
        self.dropped += 1;
    }

    /// The next frame among the bytes so far, `bytes` coming last.
    pub fn push(&mut self, bytes: &[u8]) -> Option<Frame> {
        self.buffer.extend(bytes);
        while !self.buffer.is_empty() {
            match self.front() {
                Front::Frame(frame, bytes) => {
                    self.buffer.drain(..bytes);
                    return Some(frame);
                }
                Front::Partial => return None,
                Front::Noise => self.drop_front(),
            }
        }
        None
    }

    /// Whether a frame has begun that is not whole: its first byte is there, which no other protocol's answers hold.
    pub fn is_within(&self) -> bool {
        self.buffer.first() == Some(&SYNC)
    }

    /// After silence: what has come of a frame will not be completed. The next frame behind its first byte, if any.
    pub fn gap(&mut self) -> Option<Frame> {
        while !self.buffer.is_empty() {
            self.drop_front();
            if let Some(frame) = self.push(&[]) {
                return Some(frame);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(sequence: u8, payload: &[u8]) -> Frame {
        Frame::request(sequence, Kind::Play, payload)
    }

    #[test]
    fn the_check_value_is_the_catalogues() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn frames_are_found_between_anything() {
        let mut decoder = Decoder::default();
        let wanted = frame(7, &[1, 2, SYNC, 4]);
        let mut bytes = vec![0, SYNC, 9, 9];
        bytes.extend(wanted.encode());
        // The false start swallows the frame until the silence.
        let found = decoder.push(&bytes).or_else(|| decoder.gap());
        assert_eq!(found, Some(wanted));
        assert_eq!(decoder.take_dropped(), 4);
        assert!(!decoder.partial());
    }

    #[test]
    fn a_byte_at_a_time_is_enough() {
        let mut decoder = Decoder::default();
        let wanted = frame(1, &[0; 300]);
        let bytes = wanted.encode();
        let (last, first) = bytes.split_last().unwrap();
        assert!(first.iter().all(|byte| decoder.push(&[*byte]).is_none()));
        assert_eq!(decoder.push(&[*last]), Some(wanted));
    }

    #[test]
    fn no_damaged_frame_is_accepted() {
        let bytes = frame(1, &[3, 4]).encode();
        for index in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[index] ^= 1 << bit;
                let mut decoder = Decoder::default();
                assert_eq!(decoder.push(&damaged).or_else(|| decoder.gap()), None, "byte {index} bit {bit}");
            }
        }
    }

    #[test]
    fn a_probe_leaves_readers_of_eight_bytes_where_they_were() {
        let probe = Frame::request(7, Kind::Hello, &[0; NONCE_BYTES]).encode();
        assert_eq!(probe.len() % crate::original::COMMAND_BYTES, 0);
    }

    #[test]
    fn kinds_leave_the_reply_bit_free() {
        assert!(Kind::ALL.iter().all(|(kind, _)| (*kind as u8) & REPLY == 0));
    }
}
