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

/// What a model can write waveforms as; to write them it takes longer to compile and a little longer to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waves {
    /// Value change dump, a text that every viewer reads.
    Vcd,
    /// GTKWave's fast signal trace, some twenty times smaller; its writer needs zlib.
    Fst,
}

impl Waves {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Waves::Vcd => "vcd",
            Waves::Fst => "fst",
        }
    }

    /// The format of a file by its name's ending.
    pub fn of(file: &std::path::Path) -> Option<Waves> {
        let ending = file.extension()?.to_str()?;
        [Waves::Vcd, Waves::Fst].into_iter().find(|waves| waves.ending() == ending)
    }
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
    /// What it can write waveforms as, if it can.
    pub waves: Option<Waves>,
    /// Whether it counts how often each bit of each signal changes: it compiles several times as long.
    pub coverage: bool,
    /// Verilog text.
    pub verilog: String,
}
