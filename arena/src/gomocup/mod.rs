// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Gomocup protocol (Piskvork): a manager's lines in, a brain's lines out.
//!
//! Source: <https://plastovicka.github.io/protocl2en.htm>. Coordinates are `x,y` from 0, as everywhere here.
//!
//! - `analysis`: what managers for analysis ask beyond it, in Yixin's words.
//! - [`command`]: a line of the manager's as a command, or why it is none.
//! - `game`: the game that a brain plays.
//! - [`limits`]: what the manager allows, and how long a move may take of it.
//! - [`session`]: a brain around any [`engine_model::Engine`].

mod analysis;
pub mod command;
mod game;
pub mod limits;
pub mod session;
mod thinking;
