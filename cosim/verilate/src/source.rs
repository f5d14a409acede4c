// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be simulated: Verilog text and the ports of its top module.

use serde::{Deserialize, Serialize};

/// One port of a model's top module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Width in bits.
    pub width: usize,
    /// Whether the bench drives it.
    pub input: bool,
}

/// One Verilog design to be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name in the cache: a C identifier.
    pub name: String,
    /// What a person calls it.
    pub title: String,
    /// Top module.
    pub top: String,
    /// Ports of the top module, the clock among them.
    pub ports: Vec<Port>,
    /// Whether it can write waveforms, which takes longer to compile and a little longer to run.
    pub waves: bool,
    /// Verilog text.
    pub verilog: String,
}
