// SPDX-License-Identifier: MIT OR Apache-2.0
//! The buses of a slot.

/// How a peripheral is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// AHB-Lite slave with the ports of wujian100's `ahb_dummy_top`.
    Ahb,
    /// APB slave without pready, with the ports of wujian100's `apb_dummy_top`.
    Apb,
    /// AXI4-Lite slave.
    Axil,
}

impl Face {
    /// All of them.
    pub const ALL: [Face; 3] = [Face::Ahb, Face::Apb, Face::Axil];

    /// Short name, as in module names and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Face::Ahb => "ahb",
            Face::Apb => "apb",
            Face::Axil => "axil",
        }
    }

    /// The face with this name.
    pub fn from_name(name: &str) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.name() == name)
    }

    /// Clock and reset of its top module.
    pub fn clock_and_reset(self) -> (&'static str, &'static str) {
        match self {
            Face::Ahb => ("hclk", "hrst_b"),
            Face::Apb => ("pclk", "presetn"),
            Face::Axil => ("aclk", "aresetn"),
        }
    }

    /// Whether its reset may come and go at any time, so that it is synchronised inside.
    pub fn resets_at_any_time(self) -> bool {
        self != Face::Axil
    }
}
