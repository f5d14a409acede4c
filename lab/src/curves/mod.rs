// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cost curves: what a search costs against what is changed, from measured points that are kept in a file.
//!
//! - [`plan`]: which configurations a curve asks for, and which points belong to it.
//! - [`tables`], [`plots`], [`page`]: the curves as tables, as pictures, and as sections of a page.

pub mod html;
pub mod page;
pub mod plan;
pub mod plots;
pub mod tables;
