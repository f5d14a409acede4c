// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a match needs from outside, and what it tells.
//!
//! - [`program`]: somebody's program as an engine, by the Gomocup protocol; [`lines`]: lines from whoever may send anything.
//! - [`learned`]: the file of learned positions, and an engine that keeps one.
//! - [`report`]: a match as text and JSON; [`page`]: as a page with plots.
//!
//! Processes and files, but no printing and no arguments: those are the command line's.

pub mod learned;
pub mod lines;
pub mod page;
pub mod program;
mod replay;
pub mod report;
