// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilated RTL and golden model in lockstep.
//!
//! - [`dut`]: one instance of a verilated model, port by port.
//! - [`axis`]: AXI4-Stream source, sink and monitor with seeded idle and back-pressure.
//! - [`bench`]: the engine core between them: commands in, answers and trace events out.
//! - [`bus`]: the engine in a slot between bus-functional masters: AHB-Lite, APB, AXI4-Lite.
//! - [`trace`]: what the `trace_*` outputs say, decoded.
//! - [`scoreboard`]: every node, return and decision against the model.
//! - [`report`]: a fault in words, and its waveform's save file.
//! - [`rtl_engine`]: the simulated core as an [`engine_model::Engine`].
//! - [`lockstep`]: games played in lockstep, with statistics and the replay of a mismatch.

pub mod axis;
pub mod bench;
pub mod bus;
pub mod dut;
pub mod lockstep;
pub mod measure;
pub mod report;
pub mod rtl_engine;
pub mod scoreboard;
pub mod trace;

/// The models this build holds: per configuration one without trace outputs and one with (`_traced`).
#[allow(missing_docs)]
mod models {
    use crate::dut::{Model, PortInfo};
    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}

pub use models::{MODELS, VERILATOR_VERSION};

use dut::Model;
use engine_model::Config;
use soc_integration::Face;

/// The linked model of a configuration.
pub fn model(config: &Config, traced: bool) -> Option<&'static Model> {
    let wanted = Config { trace: traced, ..config.clone() }.to_toml();
    MODELS.iter().find(|model| model.config == wanted && model.face == AXIS)
}

/// The linked slot of a configuration.
pub fn slot(config: &Config, face: Face) -> Option<&'static Model> {
    let wanted = Config { trace: false, ..config.clone() }.to_toml();
    MODELS.iter().find(|model| model.config == wanted && model.face == face.name())
}

/// [`Model::face`] of the bare core.
pub const AXIS: &str = "axis";

/// The configurations whose core this build holds.
pub fn configs() -> Vec<Config> {
    configs_of(AXIS)
}

/// The configurations that this build holds with a face.
pub fn configs_of(face: &str) -> Vec<Config> {
    MODELS
        .iter()
        .filter(|model| model.face == face)
        .filter_map(|model| Config::from_toml(model.config).ok())
        .filter(|config| !config.trace)
        .collect()
}
