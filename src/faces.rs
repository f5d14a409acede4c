// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of the core's faces on the command line.

use soc_integration::Face;

/// The core's face, or that of a slot around it.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FaceName {
    /// AXI4-Stream: the bare core
    Axis,
    /// AXI4-Lite slave with registers
    Axil,
    /// AHB-Lite slave with the ports of wujian100's ahb_dummy_top
    Ahb,
    /// APB slave with the ports of wujian100's apb_dummy_top
    Apb,
}

impl FaceName {
    /// The slot's face; none for the bare core.
    pub fn slot(self) -> Option<Face> {
        match self {
            FaceName::Axis => None,
            FaceName::Axil => Some(Face::Axil),
            FaceName::Ahb => Some(Face::Ahb),
            FaceName::Apb => Some(Face::Apb),
        }
    }
}
