// SPDX-License-Identifier: MIT OR Apache-2.0
//! One file per subcommand: parse, call, print.

pub mod area;
#[cfg(unix)]
pub mod board;
pub mod boards;
pub mod brain;
pub mod completions;
pub mod configs;
pub mod cosim;
mod cosim_slot;
pub mod curves;
pub mod explore;
pub mod firmware;
pub mod generate;
pub mod learn;
pub mod r#match;
pub mod measure;
pub mod models;
pub mod openings;
pub mod original;
pub mod play;
pub mod record;
pub mod regress;
pub mod report;
pub mod slot;
pub mod solve;
pub mod tactics;
pub mod web;
