// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the payloads of replies hold: one table for the driver, the firmware's header and the documents.

use crate::frame::NONCE_BYTES;
use engine_model::config::{MAX_EXTENSIONS, MAX_LEVELS};

/// One number of a payload, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name, lower case.
    pub name: &'static str,
    /// Bytes of one number.
    pub bytes: usize,
    /// How many numbers.
    pub count: usize,
    /// What it says.
    pub description: &'static str,
}

const fn part(name: &'static str, bytes: usize, description: &'static str) -> Part {
    Part { name, bytes, count: 1, description }
}

/// Beginning of every reply.
pub const HEAD: &[Part] = &[
    part("code", 1, "0, a code of this protocol (table below), or an error status of the core"),
    part("over", 1, "0: the game goes on; 1: it is over by a row of k stones; 2: it is over by a full board"),
    part("stones", 2, "moves of the game"),
    part("digest", 4, "CRC-32 of the moves, each as one byte x and one byte y"),
];
/// After the head of a reply to Hello.
pub const HELLO: &[Part] = &[
    part("nonce", NONCE_BYTES, "as in the request"),
    part("firmware", 4, "version of the firmware: major << 16, minor << 8, patch"),
    part("clock", 4, "clock of the SoC in Hz"),
    part("slot", 1, "slot that the core is in"),
    part("levels", 1, "levels of a search whose request gives 0"),
    part("max_payload", 2, "longest payload, in bytes, that the board accepts"),
    part("identity", 4, "the core's register ID"),
    part("version", 4, "the core's register VERSION"),
    part("configuration", 4, "the core's register CONFIGURATION"),
    part(
        "hardware",
        4,
        "second word that the core's command Read answers for selector 1: levels in use, contexts, extensions, trace",
    ),
];
/// After the head of a reply to Search.
pub const SEARCH: &[Part] = &[
    part("status", 1, "status of the core's answer; MoverWins or MoverDraws if the move sent ended the game"),
    part("x", 1, "column of the move"),
    part("y", 1, "row of the move"),
    part("level", 1, "levels of the search that the move comes from"),
    part("score", 4, "score for the engine in half-points, signed"),
    part("cycles", 8, "clock cycles of the core, all iterations together"),
    part("nodes", 8, "nodes visited, without the root, all iterations together"),
];
/// After the head of a reply to Play.
pub const PLAY: &[Part] = &[part("status", 1, "the core's status: Done, MoverWins or MoverDraws")];
/// After the head of a reply to TakeBack.
pub const TAKE_BACK: &[Part] =
    &[part("x", 1, "column of the move taken back"), part("y", 1, "row of the move taken back")];
/// After the head of a refused Position.
pub const REFUSED: &[Part] = &[part("index", 2, "which move was refused, from 0")];
/// After the head of a reply to Counters: the slot's registers of these names, in their order.
pub const COUNTERS: &[Part] = &[
    part("cycles", 8, "CYCLES_LOW and CYCLES_HIGH"),
    part("passes", 4, "PASSES"),
    part("stale", 4, "STALE"),
    part("orders", 4, "ORDERS"),
    part("waits_order", 4, "WAITS_ORDER"),
    part("waits_first", 4, "WAITS_FIRST"),
    part("waits_context", 4, "WAITS_CONTEXT"),
    part("misses", 4, "MISSES"),
    Part { name: "nodes", bytes: 4, count: MAX_LEVELS + MAX_EXTENSIONS, description: "NODES, by ply from 1" },
];

/// All of them by name, with the place they begin at.
pub fn all() -> [(&'static str, usize, &'static [Part]); 7] {
    let body = bytes(HEAD);
    [
        ("head", 0, HEAD),
        ("hello", body, HELLO),
        ("search", body, SEARCH),
        ("play", body, PLAY),
        ("take_back", body, TAKE_BACK),
        ("refused", body, REFUSED),
        ("counters", body, COUNTERS),
    ]
}

/// Bytes of a layout.
pub fn bytes(layout: &[Part]) -> usize {
    layout.iter().map(|part| part.bytes * part.count).sum()
}

/// Bytes before a part of a layout.
///
/// # Panics
/// If the layout has no such part.
pub fn offset(layout: &[Part], name: &str) -> usize {
    let index = layout.iter().position(|part| part.name == name);
    bytes(&layout[..index.unwrap_or_else(|| panic!("no part {name}"))])
}

/// Bytes read by a layout.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    layout: &'static [Part],
    bytes: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts, if there are bytes enough, and the bytes behind them.
    pub fn split(layout: &'static [Part], payload: &'a [u8]) -> Option<(Parts<'a>, &'a [u8])> {
        let (bytes, rest) = payload.split_at_checked(bytes(layout))?;
        Some((Parts { layout, bytes }, rest))
    }

    /// The numbers of a part.
    ///
    /// # Panics
    /// If the layout has no such part.
    pub fn list(&self, name: &str) -> Vec<u64> {
        let from = offset(self.layout, name);
        let part = self.layout.iter().find(|part| part.name == name);
        let (size, count) = part.map_or((1, 0), |part| (part.bytes, part.count));
        let numbers = self.bytes[from..from + size * count].chunks(size);
        numbers
            .map(|bytes| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
            .collect()
    }

    /// The number of a part.
    ///
    /// # Panics
    /// If the layout has no such part.
    pub fn get(&self, name: &str) -> u64 {
        self.list(name)[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{MAX_MOVES, MAX_PAYLOAD};

    #[test]
    fn parts_are_read_where_they_stand() {
        let bytes = [0x81, 2, 0x34, 0x12, 4, 3, 2, 1, 9];
        let (head, rest) = Parts::split(HEAD, &bytes).unwrap();
        assert_eq!((head.get("code"), head.get("over")), (0x81, 2));
        assert_eq!((head.get("stones"), head.get("digest")), (0x1234, 0x0102_0304));
        assert_eq!(rest, [9]);
        assert!(Parts::split(HEAD, &bytes[..7]).is_none());
    }

    #[test]
    fn every_reply_fits_a_frame() {
        assert!(all().iter().all(|(_, begin, layout)| begin + bytes(layout) <= MAX_PAYLOAD));
        assert!(bytes(HEAD) + 2 * MAX_MOVES <= MAX_PAYLOAD);
    }
}
