// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measured points: figures of one configuration each, kept in a file and measured again only when something has changed.
//!
//! - [`subject`]: what can be measured; [`point`], [`results`]: a measured point, and the file of all.
//! - [`measure`], [`positions`]: searches, on the frozen set or on positions made for a board.

pub mod measure;
pub mod point;
pub mod positions;
pub mod results;
pub mod subject;
