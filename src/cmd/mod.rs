// SPDX-License-Identifier: MIT OR Apache-2.0
//! One file per subcommand: parse, call, print.

pub mod area;
#[cfg(all(feature = "simulate", unix))]
pub mod board;
pub mod brain;
pub mod configs;
#[cfg(feature = "simulate")]
pub mod cosim;
#[cfg(feature = "simulate")]
mod cosim_slot;
#[cfg(feature = "simulate")]
pub mod curves;
#[cfg(feature = "simulate")]
pub mod explore;
pub mod firmware;
pub mod generate;
pub mod learn;
pub mod r#match;
#[cfg(feature = "simulate")]
pub mod measure;
pub mod openings;
#[cfg(feature = "simulate")]
pub mod original;
pub mod play;
pub mod report;
pub mod slot;
pub mod solve;
pub mod tactics;
