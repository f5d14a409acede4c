// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models for the RTL tests: every circuit alone, and an engine with faults to choose from. The tests are in `tests/`.

pub mod contexts;
pub mod faults;
pub mod inject;
pub mod level_events;
pub mod stimulus;

/// The verilated circuits and engines of this package.
#[allow(missing_docs)]
mod models {
    use cosim::dut::{Model, PortInfo};
    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}

pub use models::{MODELS, VERILATOR_VERSION};

use cosim::dut::Model;
use engine_model::Config;
use std::sync::LazyLock;

/// The model with this name.
pub fn model(name: &str) -> &'static Model {
    MODELS.iter().find(|m| m.name == name).unwrap_or_else(|| panic!("no model {name}"))
}

/// The engine with a fault of [`faults::FAULTS`], or with none.
pub fn faulty(name: Option<&str>) -> &'static Model {
    // By the value that selects it.
    static CHOICES: LazyLock<Vec<Model>> = LazyLock::new(|| {
        let choice = |select| Model { tied: Some((inject::SELECT, select)), ..*model(faults::MODEL) };
        (0..=faults::FAULTS.len() as u32).map(choice).collect()
    });
    let place = |name| faults::FAULTS.iter().position(|f| f.name == name);
    let select = name.map_or(0, |name| 1 + place(name).unwrap_or_else(|| panic!("no fault {name}")));
    &CHOICES[select]
}

/// Configuration of a model.
pub fn config_of(model: &Model) -> Config {
    Config::from_toml(model.config).expect("the build script wrote a checked configuration")
}
