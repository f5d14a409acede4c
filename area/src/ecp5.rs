// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delays of a Lattice ECP5 of speed grade 8. They are not shown as anybody's clock: a core that has been routed on an ECP5 tells by
//! them how far an estimate of this kind lies from what place-and-route makes of the same netlist ([`crate::comparison`]).
//!
//! Cells have the delays of Project Trellis' database, slowest corner, as nextpnr 0.11.1 writes them with `--sdf`.

use crate::delay::{Delays, Net, PinName, logarithmic};
use crate::netlist::Cell;
use crate::primitive::Primitive;

/// `TRELLIS_FF`: clock to Q.
pub const CLOCK_TO_Q: u32 = 395;
/// `TRELLIS_FF`: setup of LSR; DI, M and CE: nothing.
pub const SETUP_LSR: u32 = 287;
/// `LUT4`, and reading `TRELLIS_DPR16X4`.
pub const LUT: u32 = 180;
/// `PFUMX`: ALUT, BLUT.
pub const PFUMX_DATA: u32 = 126;
/// `PFUMX` and `L6MUX21`: select.
pub const SELECT: u32 = 193;
/// `L6MUX21`: D0, D1.
pub const L6MUX21_DATA: u32 = 180;
/// `CCU2C`: A, B of either bit to the carry.
pub const INTO_CARRY: u32 = 355;
/// `CCU2C`: carry in to carry out.
pub const ALONG_CARRY: u32 = 56;
/// `CCU2C`: carry in to the sum of either bit.
pub const CARRY_TO_SUM: [u32; 2] = [328, 293];
/// `TRELLIS_DPR16X4`: setup of WRE.
pub const SETUP_WRE: u32 = 266;
/// `DP16KD` without output register: clock to DOA, DOB.
pub const BLOCK_RAM_CLOCK: u32 = 4263;
/// `DP16KD`: setup of data.
pub const BLOCK_RAM_DATA: u32 = 179;
/// `DP16KD`: setup of address, enables.
pub const BLOCK_RAM_ADDRESS: u32 = 202;
/// A wire with one load. With [`NET_DOUBLING`] the least squares, in steps of 50 and 25 ps, over the arrivals at the clocked pins of
/// gomoku7's core as `./tengen area --config gomoku7 --route ecp5` routed it; other cores are what it is checked on.
pub const NET_BASE: u32 = 650;
/// What each doubling of its loads adds.
pub const NET_DOUBLING: u32 = 100;

/// An ECP5, speed grade 8.
#[derive(Clone, Copy, Debug)]
pub struct Ecp5;

impl Delays for Ecp5 {
    fn arc(&self, primitive: Primitive, _: &Cell, from: PinName<'_>, to: PinName<'_>) -> Option<u32> {
        match primitive {
            Primitive::Lut(_) => Some(LUT),
            Primitive::MuxF7 => Some(if from.port == "C0" { SELECT } else { PFUMX_DATA }),
            Primitive::MuxF8 => Some(if from.port == "SD" { SELECT } else { L6MUX21_DATA }),
            Primitive::LutRam(_) => (from.port == "RAD").then_some(LUT),
            Primitive::Carry2 => carry(from.port, to.port),
            _ => None,
        }
    }

    fn launch(&self, primitive: Primitive, _: &Cell, _: &str) -> Option<u32> {
        match primitive {
            Primitive::Register => Some(CLOCK_TO_Q),
            Primitive::BlockRam(_) => Some(BLOCK_RAM_CLOCK),
            _ => None,
        }
    }

    fn setup(&self, primitive: Primitive, _: &Cell, input: &str) -> Option<u32> {
        if primitive.is_clock(input) {
            return None;
        }
        match (primitive, input) {
            (Primitive::Register, "LSR") => Some(SETUP_LSR),
            (Primitive::Register, _) => Some(0),
            (Primitive::LutRam(_), "WRE") => Some(SETUP_WRE),
            (Primitive::LutRam(_), "DI" | "WAD") => Some(0),
            (Primitive::BlockRam(_), data) if data.starts_with("DI") => Some(BLOCK_RAM_DATA),
            (Primitive::BlockRam(_), _) => Some(BLOCK_RAM_ADDRESS),
            _ => None,
        }
    }

    fn wire(&self, net: Net<'_>, into: Primitive, port: &str) -> u32 {
        let from = net.from.map(|(primitive, _)| primitive);
        let routed = logarithmic(NET_BASE, NET_DOUBLING, net.fan_out);
        match (into, port) {
            (Primitive::Carry2, "CIN") if from == Some(Primitive::Carry2) => 0,
            // What begins or leaves a chain goes through one more element of it.
            (Primitive::Carry2, "CIN") => routed + INTO_CARRY,
            _ if matches!(net.from, Some((Primitive::Carry2, "COUT"))) => CARRY_TO_SUM[0] + routed,
            (Primitive::MuxF7, "ALUT" | "BLUT") if matches!(from, Some(Primitive::Lut(_))) => 0,
            (Primitive::MuxF8, "D0" | "D1") if matches!(from, Some(Primitive::MuxF7 | Primitive::MuxF8)) => 0,
            // A register stands in the slice of what computes its value, if it is the only one to take it.
            (Primitive::Register, "DI") if net.registers == 1 && from != Some(Primitive::Register) => 0,
            _ => routed,
        }
    }
}

/// Through a `CCU2C`, whose ports end in the bit they are of.
fn carry(from: &str, to: &str) -> Option<u32> {
    let bit = |port: &str| usize::from(port.ends_with('1'));
    match (from, to) {
        ("CIN", "COUT") => Some(ALONG_CARRY),
        ("CIN", sum) => Some(CARRY_TO_SUM[bit(sum)]),
        (_, "COUT") => Some(INTO_CARRY),
        (_, sum) if bit(from) == bit(sum) => Some(LUT),
        (_, "S1") => Some(INTO_CARRY + CARRY_TO_SUM[1]),
        _ => None,
    }
}
