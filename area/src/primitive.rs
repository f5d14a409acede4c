// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cells that Yosys maps to: those of Xilinx's 7 series, and of Lattice's ECP5 by the same words.

/// What a library cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Primitive {
    /// Look-up table with this many inputs, 1 to 6.
    Lut(u8),
    /// Inverter: a LUT with one input unless the vendor's tool absorbs it.
    Inverter,
    /// Edge-triggered register.
    Register,
    /// Four bits of a carry chain.
    Carry4,
    /// Two bits of a carry chain with their LUTs: ECP5's `CCU2C`.
    Carry2,
    /// Multiplexer of two LUTs of a slice; ECP5's `PFUMX`.
    MuxF7,
    /// Multiplexer of two `MuxF7` of a slice; ECP5's `L6MUX21`.
    MuxF8,
    /// Memory in LUTs; how many.
    LutRam(u8),
    /// Shift register in one LUT.
    ShiftRegister,
    /// Block RAM; 1 for 18 Kbit, 2 for 36 Kbit.
    BlockRam(u8),
    /// DSP48E1.
    Dsp,
    /// Clock or pad buffer.
    Buffer,
    /// Source of a constant.
    Constant,
}

impl Primitive {
    /// The primitive of this library name; `None` if it is none that we know.
    pub fn from_name(name: &str) -> Option<Primitive> {
        Some(match name {
            "LUT1" => Primitive::Lut(1),
            "LUT2" => Primitive::Lut(2),
            "LUT3" => Primitive::Lut(3),
            "LUT4" => Primitive::Lut(4),
            "LUT5" => Primitive::Lut(5),
            "LUT6" => Primitive::Lut(6),
            "INV" => Primitive::Inverter,
            "FDRE" | "FDSE" | "FDCE" | "FDPE" | "FDRE_1" | "FDSE_1" | "FDCE_1" | "FDPE_1" => {
                Primitive::Register
            }
            "TRELLIS_FF" => Primitive::Register,
            "CARRY4" => Primitive::Carry4,
            "CCU2C" => Primitive::Carry2,
            "MUXF7" | "PFUMX" => Primitive::MuxF7,
            "MUXF8" | "L6MUX21" => Primitive::MuxF8,
            "RAM16X1S" | "RAM32X1S" | "RAM64X1S" => Primitive::LutRam(1),
            "RAM16X1D" | "RAM32X1D" | "RAM64X1D" | "RAM128X1S" => Primitive::LutRam(2),
            "RAM32M" | "RAM64M" | "RAM128X1D" | "RAM256X1S" | "TRELLIS_DPR16X4" => Primitive::LutRam(4),
            "SRL16E" | "SRLC16E" | "SRLC32E" => Primitive::ShiftRegister,
            "RAMB18E1" | "DP16KD" => Primitive::BlockRam(1),
            "RAMB36E1" => Primitive::BlockRam(2),
            "DSP48E1" => Primitive::Dsp,
            "BUFG" | "IBUF" | "OBUF" => Primitive::Buffer,
            "VCC" | "GND" => Primitive::Constant,
            _ => return None,
        })
    }

    /// Whether this input pin is the data of a register.
    pub fn is_register_data(self, port: &str) -> bool {
        self == Primitive::Register && matches!(port, "D" | "DI")
    }

    /// Whether this input pin is a clock.
    pub fn is_clock(self, port: &str) -> bool {
        match self {
            Primitive::Register => matches!(port, "C" | "CLK"),
            Primitive::ShiftRegister => port == "CLK",
            Primitive::LutRam(_) => matches!(port, "WCLK" | "WCK"),
            Primitive::BlockRam(_) => {
                matches!(port, "CLKARDCLK" | "CLKBWRCLK" | "REGCLKARDRCLK" | "REGCLKB" | "CLKA" | "CLKB")
            }
            Primitive::Dsp => port == "CLK",
            _ => false,
        }
    }
}
