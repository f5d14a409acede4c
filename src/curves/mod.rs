// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cost curves: what a search costs against what is changed, from measured points that are kept in a file.
//!
//! - [`plan`]: which configurations a curve asks for, and which points belong to it.
//! - [`point`], [`results`]: a measured point, and the file of all.
//! - [`measure`], [`positions`]: a configuration measured, on the frozen set or on positions made for its board.
//! - [`tables`], [`plots`], [`page`]: the curves as tables, as pictures, and as sections of a page.

pub mod measure;
pub mod page;
pub mod plan;
pub mod plots;
pub mod point;
pub mod positions;
pub mod results;
pub mod tables;
