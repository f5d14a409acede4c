// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values with names in a board's file.

use serde::Deserialize;

/// Family of a board's FPGA, and with it the tools that make its bitstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Lattice ECP5: Yosys, nextpnr-ecp5, ecppack.
    Ecp5,
    /// Gowin: Yosys, nextpnr-himbaechel, gowin_pack.
    Gowin,
    /// Xilinx 7 series: Vivado.
    Xc7,
}

impl Family {
    /// Its name in a board's file.
    pub fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ecp5",
            Family::Gowin => "gowin",
            Family::Xc7 => "xc7",
        }
    }
}

/// What an open flow maps the design for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mapping {
    /// Delay: the family's own synthesis.
    #[default]
    Speed,
    /// LUTs: ABC recovers area over several rounds, on ECP5 without carry chains, which cost more than the LUTs they save where operands
    /// are short. A part that is nearly full needs it; the clock is lower.
    Area,
}

/// A resistor at a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pull {
    /// To the supply.
    Up,
    /// To ground.
    Down,
}

/// Pins by which a Gowin part is configured, which a design uses as its own; [`Freed::name`] is what the tools call them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Freed {
    /// Of JTAG, by which the board is loaded.
    Jtag,
    /// Of the port by which another chip configures this one.
    Sspi,
    /// Of the flash.
    Mspi,
    /// READY.
    Ready,
    /// DONE.
    Done,
    /// RECONFIG_N.
    Reconfign,
    /// Of the parallel port, D00 to D31.
    Cpu,
    /// Of I2C.
    I2c,
}

impl Freed {
    /// The option of gowin_pack without its dashes.
    pub fn name(self) -> &'static str {
        match self {
            Freed::Jtag => "jtag_as_gpio",
            Freed::Sspi => "sspi_as_gpio",
            Freed::Mspi => "mspi_as_gpio",
            Freed::Ready => "ready_as_gpio",
            Freed::Done => "done_as_gpio",
            Freed::Reconfign => "reconfign_as_gpio",
            Freed::Cpu => "cpu_as_gpio",
            Freed::I2c => "i2c_as_gpio",
        }
    }

    /// Whether nextpnr-himbaechel-gowin 0.11.1 has an option of this name too; gowin_pack then asks for both or none.
    pub fn is_routed(self) -> bool {
        matches!(self, Freed::Sspi | Freed::I2c)
    }
}

/// A placer of nextpnr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placer {
    /// Analytic, by wirelengths (HeAP): nextpnr's usual one.
    Heap,
    /// Electrostatic, by wirelengths and densities at once: better for the largest cores on large parts.
    Static,
}

impl Placer {
    /// Its name for nextpnr.
    pub fn name(self) -> &'static str {
        match self {
            Placer::Heap => "heap",
            Placer::Static => "static",
        }
    }
}

/// Standard of a pin: those that every family has. nextpnr accepts any word for a Gowin pin; the packer then fails without naming the pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Standard {
    /// 3.3 V.
    Lvcmos33,
    /// 2.5 V.
    Lvcmos25,
    /// 1.8 V.
    Lvcmos18,
    /// 1.5 V.
    Lvcmos15,
    /// 1.2 V.
    Lvcmos12,
}

impl Standard {
    /// As constraints of every family call it.
    pub fn name(self) -> &'static str {
        match self {
            Standard::Lvcmos33 => "LVCMOS33",
            Standard::Lvcmos25 => "LVCMOS25",
            Standard::Lvcmos18 => "LVCMOS18",
            Standard::Lvcmos15 => "LVCMOS15",
            Standard::Lvcmos12 => "LVCMOS12",
        }
    }
}
