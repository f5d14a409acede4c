// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits, one per file; a file's name is its circuit's and its Verilog module's. (`axis_register` brings the
//! register it is made of; `node_tag` holds expressions that several circuits share.)

pub mod axis_register;
pub mod best_cell;
pub mod board_slices;
pub mod candidates;
pub mod cell_gains;
pub mod cell_threats;
pub mod command_face;
pub mod engine;
pub mod evaluator;
pub mod game_controller;
mod group_tree;
pub mod largest_gain;
pub mod late_choice;
pub mod level_controller;
mod level_free;
mod level_offers;
mod level_rows;
mod level_windows;
pub mod move_picker;
pub mod move_store;
pub mod node_builder;
pub mod node_outcome;
pub mod node_tag;
pub mod request_queue;
pub mod root_board;
pub mod search_core;
mod search_counters;
mod search_requests;
mod search_results;
pub mod set_choice;
pub mod value_above;
pub mod visit_choice;
pub mod visits;
pub mod window_flags;

/// Names of the four directions, in the order of [`engine_model::geometry::DIRECTIONS`].
pub const DIRECTION_NAMES: [&str; 4] = ["row", "column", "diagonal", "antidiagonal"];
