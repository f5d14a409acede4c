// SPDX-License-Identifier: MIT OR Apache-2.0
//! A level of the search: its contexts, what each asks for next, their windows and returns.

pub mod late_choice;
pub mod level_controller;
mod level_free;
mod level_offers;
mod level_rows;
mod level_windows;
pub mod value_above;
pub mod words;
