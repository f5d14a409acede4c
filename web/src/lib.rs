// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page and its server: play the engine, watch the core search.
//!
//! - [`server`]: what is served, to whom; one connection a tab.
//! - [`message`]: what a page may ask.
//! - [`backends`]: the engines and configurations behind it, which whoever starts the server brings.
//! - `state`: what all connections share; `tab`: one of them; `work`: the threads that search; `cancel`: how a request is given up.
//! - `place`: positions that a page names; `answers`: what takes an engine or a simulated core.
//! - [`recording`]: a search of the core, clock by clock, as the page reads it.
//! - `kept`: games in a folder; `waveforms`: waveforms that were asked for; [`pages`]: what the page is made of.

mod answers;
pub mod backends;
mod cancel;
mod kept;
pub mod message;
pub mod pages;
mod place;
pub mod recording;
pub mod server;
mod state;
mod tab;
mod waveforms;
mod work;

pub use backends::{Backends, Offer};
pub use server::{BindError, Options, Server};
