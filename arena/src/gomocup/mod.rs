// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Gomocup protocol (Piskvork): a manager's lines in, a brain's lines out.
//!
//! Source: <https://plastovicka.github.io/protocl2en.htm>. Coordinates are `x,y` from 0, as everywhere here.
//!
//! - [`command`]: a line of the manager's as a command, or why it is none.
//! - [`limits`]: what the manager allows, and how long a move may take of it.
//! - [`session`]: a brain around any [`engine_model::Engine`].

pub mod command;
pub mod limits;
pub mod session;
mod thinking;
