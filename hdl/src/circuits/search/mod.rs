// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search around evaluator and levels: nodes are built, asked for, kept and counted; results find their way.

pub mod beam_picker;
mod core;
mod first_cells;
pub mod move_picker;
pub mod move_store;
pub mod node_builder;
pub mod node_tag;
pub mod request_queue;
pub mod root_board;
mod search_arrivals;
pub mod search_core;
pub mod search_counters;
mod search_requests;
mod search_results;
pub mod transposition_table;
mod transpositions;
pub mod visit_choice;
mod visit_stage;
pub mod visits;
pub mod words;
