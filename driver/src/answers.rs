// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a board is asked for and what it tells, whatever carries it.

use engine_model::Point;

/// What a board says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Version of the firmware: major, minor, patch.
    pub firmware: [u8; 3],
    /// Version of the core: major, minor, patch.
    pub core: [u8; 3],
    /// Clock of the SoC in Hz.
    pub clock_hz: u32,
    /// Slot that the core is in.
    pub slot: u8,
    /// Columns of the board.
    pub columns: usize,
    /// Rows of the board.
    pub rows: usize,
    /// Stones in a row that win.
    pub in_a_row: usize,
    /// Levels built.
    pub levels: usize,
    /// Contexts in flight per level.
    pub contexts: usize,
    /// Extensions.
    pub extensions: usize,
}

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} x {}, {} in a row, {} levels, {} contexts, {} extensions",
            self.columns, self.rows, self.in_a_row, self.levels, self.contexts, self.extensions
        )
    }
}

/// How a game stands after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Open,
    /// The side that moved last has a line.
    Line,
    /// The board is full.
    Full,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move.
    pub point: Point,
    /// Score for the side that moved, half-points.
    pub score: i32,
    /// Levels of the search that it comes from.
    pub level: usize,
    /// Clock cycles of the core.
    pub cycles: u64,
    /// Nodes but for the root.
    pub nodes: u64,
    /// How the game stands.
    pub outcome: Outcome,
}

/// What a search among many found: what of a [`Found`] every position of a batch is worth asking for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The move.
    pub point: Point,
    /// Score for the side that moved, half-points.
    pub score: i32,
    /// Clock cycles of the core, modulo 2^32.
    pub cycles: u32,
}

impl From<Found> for Solved {
    fn from(found: Found) -> Solved {
        Solved { point: found.point, score: found.score, cycles: found.cycles as u32 }
    }
}

/// Counters of the last search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Clock cycles.
    pub cycles: u64,
    /// Evaluator passes.
    pub passes: u32,
    /// Results among them that were dropped as stale.
    pub stale: u32,
    /// Passes that asked for further moves in order.
    pub orders: u32,
    /// Clocks without a pass while one of those was waited for.
    pub waits_order: u32,
    /// Clocks without a pass while siblings waited for a first child.
    pub waits_first: u32,
    /// Clocks without a pass while moves waited for a free context.
    pub waits_context: u32,
    /// Clocks lost to a visit that found no move.
    pub misses: u32,
    /// Nodes by ply, from the root's moves on.
    pub nodes: Vec<u32>,
}

/// Limits of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Levels; `None`: as built.
    pub levels: Option<usize>,
    /// Clock cycles of the core. With a limit the board searches 2, 4, 6, ... levels and answers the last search that it
    /// completed; the first is always completed.
    pub cycles: Option<u32>,
}

/// Statuses of the core in a reply, as the stream protocol has them.
#[allow(missing_docs)]
pub mod status {
    pub const MOVE: u8 = 0x00;
    pub const ENGINE_WINS: u8 = 0x01;
    pub const ENGINE_DRAWS: u8 = 0x02;
    pub const DONE: u8 = 0x10;
    pub const MOVER_WINS: u8 = 0x11;
    pub const MOVER_DRAWS: u8 = 0x12;
    pub const OCCUPIED: u8 = 0x81;
    pub const OUTSIDE: u8 = 0x82;
    pub const GAME_OVER: u8 = 0x83;
    pub const BAD_ARGUMENT: u8 = 0x86;
    pub const NO_MOVE: u8 = 0x87;
    pub const ABORTED: u8 = 0x88;
}
