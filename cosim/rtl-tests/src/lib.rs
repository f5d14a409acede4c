// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models for the RTL tests: every circuit alone, and the engine with one fault each. The tests are in `tests/`.

pub mod contexts;
pub mod faults;
pub mod level_events;
pub mod stimulus;

/// The verilated circuits and faulty engines of this package.
#[allow(missing_docs)]
mod models {
    use cosim::dut::{Model, PortInfo};
    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}

pub use models::{MODELS, VERILATOR_VERSION};

use cosim::dut::Model;
use engine_model::Config;

/// The model with this name.
pub fn model(name: &str) -> &'static Model {
    MODELS.iter().find(|m| m.name == name).unwrap_or_else(|| panic!("no model {name}"))
}

/// Configuration of a model.
pub fn config_of(model: &Model) -> Config {
    Config::from_toml(model.config).expect("the build script wrote a checked configuration")
}
