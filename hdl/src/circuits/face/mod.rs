// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the core shows the world: streams, commands, the game, the engine that joins all.

pub mod axis_register;
pub mod command_face;
pub mod engine;
pub mod game_controller;
mod game_passes;
