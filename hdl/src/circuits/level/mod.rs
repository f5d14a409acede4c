// SPDX-License-Identifier: MIT OR Apache-2.0
//! One level of the search, and the parts it is made of.

mod contexts;
pub mod late_choice;
pub mod level_controller;
mod level_cuts;
mod level_free;
mod level_offers;
mod level_return;
mod level_rows;
mod level_windows;
mod offer_choice;
pub mod ports;
pub mod value_above;
mod window_follow;
pub mod words;
