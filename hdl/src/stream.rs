// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stream protocol: command words, answer statuses, selectors. RTL, co-simulation and documents use these.

use engine_model::codes;

/// Words of every answer.
pub const ANSWER_WORDS: usize = 2;
/// First word of the identification: "TENG".
pub const IDENTITY: u32 = 0x5445_4e47;

codes! {
    /// Words of the control stream; all other bits of the word must be 0.
    Command {
        /// empties the board at once, whatever runs; drops accepted data words; no answer
        Reset = 0,
        /// data x, y: plays the opponent's move, searches, plays and answers the engine's; x, y = columns, rows: the
        /// engine moves first
        Play = 1,
        /// data x, y: plays a move for the side to move without a search
        Place = 2,
        /// searches for the side to move, plays and answers the move
        Search = 3,
        /// data n: searches with n levels from now on, also after Reset (1 to the built number); answers n and the
        /// built number
        Levels = 4,
        /// takes the last move back; answers it
        TakeBack = 5,
        /// data selector: answers two words of information
        Read = 6,
        /// stops a search that runs or has been asked for, whose answer then is `Aborted`; otherwise ignored
        Abort = 7,
        /// data clocks: searches from now on, also after Reset, go through 2, 4, 6, ... levels and answer the last that was
        /// complete within so many clocks, the first in any case; 0: no limit
        Limit = 8,
    }
}

codes! {
    /// Bits 15:8 of both words of an answer; bits 7:0 hold x and y where there is a move, else 0.
    Status {
        /// the engine's move
        Move = 0x00,
        /// the engine's move, which wins
        EngineWins = 0x01,
        /// the engine's move, which fills the board: a draw
        EngineDraws = 0x02,
        /// done (Place, Levels, Limit, TakeBack)
        Done = 0x10,
        /// the move just played wins
        MoverWins = 0x11,
        /// the move just played fills the board: a draw
        MoverDraws = 0x12,
        /// the cell is occupied
        Occupied = 0x81,
        /// the cell is outside the board
        Outside = 0x82,
        /// the game is over
        GameOver = 0x83,
        /// unknown command word
        UnknownCommand = 0x84,
        /// a new control word came before the arguments were complete; those already taken are dropped
        Interrupted = 0x85,
        /// argument out of range
        BadArgument = 0x86,
        /// there is no move to take back
        NoMove = 0x87,
        /// the search was aborted; the position is the one it searched
        Aborted = 0x88,
    }
}

impl Command {
    /// Number of data words it takes.
    pub fn arguments(self) -> usize {
        match self {
            Command::Play | Command::Place => 2,
            Command::Levels | Command::Limit | Command::Read => 1,
            Command::Reset | Command::Search | Command::TakeBack | Command::Abort => 0,
        }
    }
}

/// Selectors of [`Command::Read`].
pub mod selector {
    /// Identity and version (major << 16 | minor << 8 | patch).
    pub const IDENTITY: usize = 0;
    /// columns | rows << 8 | k << 16 | built levels << 24; levels in use | contexts << 8 | extensions << 16 | trace
    /// << 24.
    pub const CONFIGURATION: usize = 1;
    /// Score of the last decision (signed half-points); stones | over << 16 (1 a line, 2 a full board).
    pub const GAME: usize = 2;
    /// Clock cycles of the last search, low and high word.
    pub const CYCLES: usize = 3;
    /// Evaluator passes of the last search; results dropped as stale.
    pub const PASSES: usize = 4;
    /// Passes for order among them; clocks in which nothing was issued because one of them was waited for.
    pub const ORDERS: usize = 5;
    /// Clocks in which nothing was issued because a first child, a free context was waited for.
    pub const WAITS: usize = 6;
    /// Clocks lost to a visit that found no move; 0.
    pub const MISSES: usize = 7;
    /// Clocks within which a search ends, 0: no limit; levels of the last decision.
    pub const LIMIT: usize = 8;
    /// + ply, from 1: nodes evaluated at that ply in the last search; 0.
    pub const NODES: usize = 16;
    /// + row: stones of the side that moved first, of the other side, bit x = column x.
    pub const ROWS: usize = 64;

    /// All of them by name.
    pub const ALL: [(&str, usize); 11] = [
        ("IDENTITY", IDENTITY),
        ("CONFIGURATION", CONFIGURATION),
        ("GAME", GAME),
        ("CYCLES", CYCLES),
        ("PASSES", PASSES),
        ("ORDERS", ORDERS),
        ("WAITS", WAITS),
        ("MISSES", MISSES),
        ("LIMIT", LIMIT),
        ("NODES", NODES),
        ("ROWS", ROWS),
    ];
}

/// The version word.
pub fn version_word() -> u32 {
    let mut parts = env!("CARGO_PKG_VERSION").split('.').map(|p| p.parse::<u32>().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next() << 16) | (next() << 8) | next()
}
