// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a lockstep session can find.

use crate::bench::BenchError;
use crate::described;
use crate::scoreboard::Mismatch;
use hdl::face_model::{Answer, Expected};

/// What a lockstep session can find.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// RTL and model disagree.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The streams misbehave.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// An answer is wrong.
    #[error("cycle {cycle}, answer to word {word:#010x} with data {arguments:?}: expected {}, got {}", described::expected(*expected), described::got(*got))]
    Answer {
        /// Cycle.
        cycle: u64,
        /// Control word.
        word: u32,
        /// Data words.
        arguments: Vec<u32>,
        /// What the protocol says.
        expected: Expected,
        /// What came.
        got: Option<Answer>,
    },
    /// Under a limit only these searches may have decided.
    #[error("levels of the decision under a limit: expected one of {allowed:?}, got {got}")]
    Levels {
        /// Levels of the searches that are gone through.
        allowed: Vec<usize>,
        /// What the core says.
        got: u32,
    },
    /// The core's own counters differ from what came by.
    #[error("{counter} of the last search: the trace shows {expected}, the core counts {got}")]
    Counter {
        /// Which counter.
        counter: String,
        /// Seen on the trace outputs.
        expected: u64,
        /// Read from the core.
        got: u64,
    },
}

impl Fault {
    /// Clocks since power-up when it was seen, where that says more than when the run ended.
    pub fn cycle(&self) -> Option<u64> {
        match self {
            Fault::Mismatch(mismatch) => Some(mismatch.cycle),
            Fault::Answer { cycle, .. } => Some(*cycle),
            Fault::Bench(error) => Some(error.cycle()),
            Fault::Levels { .. } | Fault::Counter { .. } => None,
        }
    }
}
