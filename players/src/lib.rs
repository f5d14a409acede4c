// SPDX-License-Identifier: MIT OR Apache-2.0
//! Software engines to measure the core against: the same search contract, three ways of computing it.
//!
//! - [`NaiveEngine`]: recounts the whole board at every node, tries moves from the centre outward.
//! - [`IncrementalEngine`]: the golden model's search, counts kept move by move.
//! - [`FastEngine`]: line-pattern tables, vector scans, leaves computed from their parent; on one core or several.
//! - [`prover`]: who wins, proved with threats far beyond what a search of all moves sees.
//! - [`opponents`], [`pvs`]: algorithms of other people, to play against; they do not keep the contract;
//!   [`roster`] names them.
//!
//! The first three give the decision and score of [`engine_model::search::Search`]; they differ in time and in nodes visited.

mod compilation;
mod fast;
mod hash;
mod incremental;
mod naive;
pub mod opponents;
pub mod prover;
pub mod pvs;
pub mod roster;

pub use compilation::{COMPILATION, Compilation};
pub use fast::FastEngine;
pub use incremental::IncrementalEngine;
pub use naive::NaiveEngine;

use engine_model::geometry::Cell;
use engine_model::position::IllegalMove;
use engine_model::search::RootDecision;

/// What a software engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoftwareResult {
    /// Move and score, or `None` when the game is over.
    pub decision: Option<RootDecision>,
    /// Nodes evaluated, the root included.
    pub nodes: u64,
}

/// A software engine that holds one position and searches it.
pub trait SoftwareEngine {
    /// Short name for tables.
    fn name(&self) -> &'static str;

    /// The algorithm in one line.
    fn describe(&self) -> String;

    /// Sets the position reached by `moves` from the empty board; on an error the position is unchanged.
    fn set_position(&mut self, moves: &[Cell]) -> Result<(), IllegalMove>;

    /// Searches the position with `levels` levels, brought into 1 to the configuration's own number.
    fn decide(&mut self, levels: usize) -> SoftwareResult;
}
