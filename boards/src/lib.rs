// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards that people own: the engine with a serial line in hardware, on a board's pins.
//!
//! - [`circuits`]: the line: bytes, frames, scripts, replies.
//! - [`board`]: what a board is, [`values`]: the values with names in its file; [`pll`]: the core's clock from the board's.
//! - [`top`]: the top level of a board; [`project`]: the files around it, to a bitstream.

pub mod board;
pub mod circuits;
pub mod pll;
pub mod project;
pub mod top;
pub mod values;
pub mod zynq;

use circuits::executor::Constants;
use circuits::link::link;
use circuits::uart::Rate;
use engine_model::Config;
use hdl::{Emission, Layout};

/// Emits the engine of a checked configuration behind a serial line; the top module is `NAME_link`.
pub fn emit_link(config: &Config, constants: Constants, rate: Rate) -> Emission {
    let config = &soc_integration::behind_bus(config);
    let circuit = link(&Layout::new(config), constants, rate);
    hdl::emit::emit(&circuit, &config.name, config)
}
