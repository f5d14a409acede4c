// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exploration of parameters: what each combination costs in cycles and in area, and which of them nothing beats in both.
//!
//! - [`plan`]: parameters and their values as text, and the configurations they make.
//! - [`front`]: points with both figures, and the Pareto front of each search.
//! - [`output`]: the points as a table, a picture and a page.

pub mod front;
pub mod html;
pub mod output;
pub mod plan;
