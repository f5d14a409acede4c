// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page, from outside: its server as a user starts it, and what a real browser shows.
#![allow(missing_docs)]

mod browser;
mod lecture;
mod positions;
mod reports;
mod seen;
mod server;
#[path = "../virtual_board/mod.rs"]
mod virtual_board;
