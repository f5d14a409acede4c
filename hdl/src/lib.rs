// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as rust-hdl circuits, and their emission as Verilog-2001.
//!
//! [`layout`] fixes every width from a configuration, [`circuits`] holds one circuit per file, built with [`kit`], [`emit`] prints them, [`stream`] is the protocol on the
//! core's streams, [`face_model`] what it answers by the book, [`package`] puts an emission together with its file list, [`document`] tells of it.

pub mod circuits;
pub mod document;
pub mod emit;
pub mod face_model;
pub mod grouping;
pub mod layout;
pub mod package;
pub mod records;
pub mod stream;

pub use emit::Emission;
pub use layout::Layout;

use engine_model::Config;

/// Version of the emission, as written into every header.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Emits the engine of a checked configuration. The top module is `NAME_engine`.
pub fn emit_engine(config: &Config) -> Emission {
    emit::emit(&engine(config), &config.name, config)
}

/// The engine of a checked configuration, as it is emitted.
pub fn engine(config: &Config) -> kit::Circuit {
    circuits::face::engine::engine(&Layout::new(config))
}
