// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden model of the engine: board and rules of any (m,n,k) game, the static evaluation, the search contract
//! (docs/search-contract.md).
//!
//! Everything here is a pure function of its arguments: no file, port, clock or printing. The RTL, the
//! co-simulation and the command line take their tables, widths and expected answers from this crate.
//!
//! - [`config`]: a configuration and the widths that follow from it.
//! - [`geometry`]: cells, directions, windows, the centre-first rank.
//! - [`scoring`]: window scores, gains and the score of a win.
//! - [`position`]: a game position with incrementally kept counts and gains.
//! - [`evaluation`]: what the evaluator says of one node: rule outcome, best cell, leaf value.
//! - [`search`]: the fast search (alpha-beta in static order, exact bounds above leaves).
//! - [`plain`]: the deliberately plain reference, which shares nothing with the fast path.
//! - [`sample`]: legal configurations at random, for tests.
//! - [`notation`]: moves and games as text.
//! - [`engine`]: the [`engine::Engine`] trait that every backend implements.
//! - [`codes!`]: enumerations of a protocol's codes.

mod codes;
pub mod config;
pub mod engine;
pub mod evaluation;
pub mod geometry;
pub mod minimax;
pub mod named;
pub mod notation;
pub mod plain;
pub mod position;
pub mod sample;
pub mod scoring;
pub mod search;
mod stop;

pub use config::{BoundKind, Config, ConfigError, LeafKind, RuleSet};
pub use engine::{Decision, Engine, EngineError, ModelEngine, Stop};
pub use evaluation::{NodeEvaluation, Outcome};
pub use geometry::{Cell, Geometry, Point};
pub use position::{IllegalMove, Position};
