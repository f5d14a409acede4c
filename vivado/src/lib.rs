// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core as a package that its user can drop in: text in, text out.
//!
//! - [`package`]: every file of a package, and its manifest; [`readme`]: what its user reads first.
//! - [`data_sheet`], [`diagram`]: its data sheet with a block diagram; [`recorded`]: the measured figures in it.
//! - [`stimulus`], [`mod@bench`]: recorded games, and the Verilog test bench that plays them.
//! - [`core_file`]: the FuseSoC core file (CAPI2).
//! - [`reports`]: utilisation and timing reports read back.
//! - [`ip_xact`]: component.xml; [`tcl`]: scripts and constraints for Vivado; [`wujian100`]: scripts that put the slot
//!   into the SoC.

pub mod bench;
mod beside;
pub mod core_file;
pub mod data_sheet;
pub mod diagram;
mod identity;
pub mod ip_xact;
pub mod package;
pub mod readme;
pub mod recorded;
pub mod reports;
pub mod stimulus;
pub mod tcl;
pub mod wujian100;

/// How the core in a package is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// AXI4-Stream: the bare core.
    Axis,
    /// Registers on a bus.
    Slot(soc_integration::Face),
}

impl Face {
    /// All of them.
    pub const ALL: [Face; 4] = [
        Face::Axis,
        Face::Slot(soc_integration::Face::Axil),
        Face::Slot(soc_integration::Face::Ahb),
        Face::Slot(soc_integration::Face::Apb),
    ];

    /// Clock and reset of the top module.
    pub fn clock_and_reset(self) -> (&'static str, &'static str) {
        match self {
            Face::Axis => ("aclk", "aresetn"),
            Face::Slot(face) => face.clock_and_reset(),
        }
    }

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Face::Axis => "axis",
            Face::Slot(face) => face.name(),
        }
    }
}
