// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine as a memory-mapped peripheral.
//!
//! - [`register_map`]: the one definition of its registers; decoder, C header, SVD and documents are projections of it.
//! - [`circuits`]: the register file and its faces: AHB-Lite (wujian100's dummy slot), APB, AXI4-Lite.
//! - [`package`]: the files of a generated slot.
//! - [`projections`]: the register map as C header, SVD file and Markdown table; the serial protocols and the SoC's numbers.
//! - [`slots`]: wujian100's places for a peripheral: address, interrupt, instance; [`wujian100`]: what else of it is used.
//! - [`firmware`]: the firmware's sources, and how they are built.
//! - [`soc`]: the virtual board: processor, memory, UART, timer and interrupts, around somebody's slot.

pub mod circuits;
mod face;
pub mod firmware;
pub mod package;
pub mod projections;
pub mod register_map;
pub mod slots;
pub mod soc;
pub mod wujian100;

pub use face::Face;

use engine_model::Config;
use hdl::{Emission, Layout};

/// Waivers for `verilator --lint-only -Wall` of a slot, beside [`hdl::package::lint_waivers`], each with its reason.
pub const LINT_WAIVERS: &str = include_str!("../lint/waivers.vlt");

/// The configuration of the core in a slot: without trace outputs, which no bus leads to, whatever `config` says. Answers of a slot
/// are this configuration's: a read of `CONFIGURATION` tells whether a core is traced.
pub fn behind_bus(config: &Config) -> Config {
    Config { trace: false, ..config.clone() }
}

/// Emits the peripheral of a checked configuration; the top module is `NAME_FACE_slot`. All its modules carry that
/// prefix, so that it may stand in a project beside the bare core and beside other slots. The core in it is that of [`behind_bus`].
pub fn emit_slot(config: &Config, face: Face) -> Emission {
    let config = &behind_bus(config);
    let layout = Layout::new(config);
    let circuit = match face {
        Face::Ahb => circuits::ahb_slot::ahb_slot(&layout),
        Face::Apb => circuits::apb_slot::apb_slot(&layout),
        Face::Axil => circuits::axil_slot::axil_slot(&layout),
    };
    hdl::emit::emit(&circuit, &format!("{}_{}", config.name, face.name()), config)
}

/// Name of the slot's top module, without emitting it.
pub fn top_name(config: &Config, face: Face) -> String {
    format!("{}_{}_{}", config.name, face.name(), circuits::slot_core::SLOT).replace('-', "_")
}
