// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits, one per file; a file's name is its circuit's and its Verilog module's, a folder's that of the part of the
//! core it is in. (`axis_register` brings the register it is made of; `words` and `node_tag` hold what several circuits share.)

pub mod evaluator;
pub mod face;
pub mod level;
pub mod search;

/// Names of the four directions, in the order of [`engine_model::geometry::DIRECTIONS`].
pub const DIRECTION_NAMES: [&str; 4] = ["row", "column", "diagonal", "antidiagonal"];
