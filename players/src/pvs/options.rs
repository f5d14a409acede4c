// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may be chosen of the engine.

/// Deepest search that is possible.
pub const MOST: usize = crate::opponents::MOST;

/// What may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Levels unless told otherwise.
    pub depth: usize,
    /// Moves lie within so many cells of the stones' rectangle.
    pub margin: usize,
    /// Bytes of the transposition table; 0: none.
    pub table_bytes: usize,
    /// Moves that cut before are searched earlier.
    pub history: bool,
    /// Threads.
    pub threads: usize,
    /// One of at most so many best moves is played; 1: always the best.
    pub choices: usize,
    /// A move is as good as the best if its value is at most so much lower, in the evaluation's points.
    pub near: i32,
    /// Which of them it is: the same seed makes the same choice in the same position.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            depth: 4,
            margin: 1,
            table_bytes: 16 << 20,
            history: true,
            threads: 1,
            choices: 1,
            near: 0,
            seed: 0,
        }
    }
}
