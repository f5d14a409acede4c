// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's side of a serial line to a board.
//!
//! - [`frame`]: the framed protocol's bytes; [`layout`]: what its replies hold.
//! - [`transport`]: serial ports, and the trait that a test's line implements.
//! - [`board`]: a board by the framed protocol: retries, resynchronisation, reconnection.
//! - [`original`]: a board by the original protocol of eight bytes and two lines.
//! - [`engine`]: either as an [`engine_model::Engine`], found out by itself.
//!
//! It knows nothing of RTL or registers.

pub mod board;
pub mod engine;
pub mod error;
pub mod frame;
pub mod layout;
pub mod original;
mod session;
pub mod transport;

pub use error::BoardError;
pub use session::{LineStatistics, Patience};
