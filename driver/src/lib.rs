// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's side of a serial line to a board.
//!
//! - [`frame`]: the framed protocol's bytes; [`layout`]: what its replies hold.
//! - [`transport`]: serial ports, and the trait that a test's line implements.
//! - `answers`: what a board is asked for and answers. [`board`]: a board by the framed protocol: retries, resynchronisation, reconnection; `batch`, many positions at once.
//! - [`link`]: the scripts of a board without a processor; `host` does for it what firmware does elsewhere.
//! - [`original`]: a board by the original protocol of eight bytes and two lines.
//! - [`engine`]: either as an [`engine_model::Engine`], found out by itself.
//!
//! It knows nothing of RTL or registers.

mod answers;
mod batch;
pub mod board;
pub mod engine;
pub mod error;
pub mod frame;
mod host;
pub mod layout;
pub mod link;
pub mod original;
mod session;
pub mod transport;

pub use error::BoardError;
pub use host::Hardware;
pub use session::{LineStatistics, Patience};
