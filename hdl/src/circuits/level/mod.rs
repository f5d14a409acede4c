// SPDX-License-Identifier: MIT OR Apache-2.0
//! One level of the search, and the parts it is made of.

mod contexts;
pub mod late_choice;
pub mod level_controller;
mod level_free;
mod level_offers;
mod level_rows;
mod level_windows;
pub mod ports;
pub mod value_above;
pub mod words;
