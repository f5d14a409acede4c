// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delays of an Artix-7 of speed grade -1, slow corner. Every number stands here once; `docs/area.md` shows them.
//!
//! Cells have the delays of the vendor's timing files as far as they are public; the wires between them, unknown before
//! placement, grow with the logarithm of the fan-out.

use crate::delay::{Delays, Net, PinName, logarithmic};
use crate::netlist::Cell;
use crate::primitive::Primitive;

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `specify` blocks of Yosys' `xilinx/cells_sim.v`, taken there from Project X-Ray's timing database.
    Yosys,
    /// Public Vivado timing reports of routed Artix-7 and Zynq-7000 designs, speed grade -1.
    Reports,
    /// Least squares over [`ROUTED_NETS`].
    Fit,
}

impl Source {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Source::Yosys => "Yosys `xilinx/cells_sim.v` (Project X-Ray)",
            Source::Reports => "public Vivado reports, -1",
            Source::Fit => "fit over `ROUTED_NETS`",
        }
    }
}

/// One number of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// What takes that long.
    pub what: &'static str,
    /// How long, in picoseconds.
    pub ps: u32,
    /// Where the number comes from.
    pub source: Source,
}

const fn delay(what: &'static str, ps: u32, source: Source) -> Delay {
    Delay { what, ps, source }
}

/// Register: clock to output.
pub const CLOCK_TO_Q: Delay = delay("register: clock to Q", 456, Source::Reports);
/// Register: setup of data.
pub const SETUP_D: Delay = delay("register: setup of D", 0, Source::Yosys);
/// Register: setup of enable.
pub const SETUP_CE: Delay = delay("register: setup of CE", 109, Source::Yosys);
/// Register: setup of set and reset.
pub const SETUP_SR: Delay = delay("register: setup of R, S, CLR, PRE", 404, Source::Yosys);
/// LUT, any input; also reading a LUT memory, and a signal that needs a LUT to enter a carry chain.
pub const LUT: Delay =
    delay("LUT, inverter: input to output; LUT memory: address to output", 124, Source::Reports);
/// `MUXF7` data.
pub const MUXF7_I: Delay = delay("MUXF7: I0, I1 to O", 223, Source::Yosys);
/// `MUXF7` select.
pub const MUXF7_S: Delay = delay("MUXF7: S to O", 296, Source::Yosys);
/// `MUXF8` data.
pub const MUXF8_I: Delay = delay("MUXF8: I0, I1 to O", 104, Source::Yosys);
/// `MUXF8` select.
pub const MUXF8_S: Delay = delay("MUXF8: S to O", 273, Source::Yosys);
/// LUT memory: write to output.
pub const LUTRAM_CLOCK: Delay = delay("LUT memory: clock to output", 1190, Source::Yosys);
/// LUT memory: setup of data.
pub const LUTRAM_DATA: Delay = delay("LUT memory: setup of data", 461, Source::Yosys);
/// LUT memory: setup of write address.
pub const LUTRAM_ADDRESS: Delay = delay("LUT memory: setup of write address", 362, Source::Yosys);
/// LUT memory: setup of write enable.
pub const LUTRAM_WE: Delay = delay("LUT memory: setup of WE", 654, Source::Yosys);
/// Shift register: clock to output.
pub const SRL_CLOCK: Delay = delay("shift register: clock to Q", 1472, Source::Yosys);
/// Shift register: setup of data.
pub const SRL_D: Delay = delay("shift register: setup of D", 173, Source::Yosys);
/// Block RAM without output register.
pub const BRAM_CLOCK: Delay = delay("block RAM: clock to output", 2454, Source::Yosys);
/// Block RAM with output register.
pub const BRAM_REGISTERED: Delay =
    delay("block RAM with output register: clock to output", 882, Source::Yosys);
/// Block RAM: setup of data.
pub const BRAM_DATA: Delay = delay("block RAM: setup of data", 737, Source::Yosys);
/// Block RAM: setup of everything else.
pub const BRAM_ADDRESS: Delay = delay("block RAM: setup of address, enables", 566, Source::Yosys);
/// DSP with output register.
pub const DSP_CLOCK: Delay = delay("DSP48E1 with PREG: clock to P", 329, Source::Yosys);
/// DSP without output register.
pub const DSP_CLOCK_THROUGH: Delay =
    delay("DSP48E1 without PREG: clock to P, through the multiplier", 3935, Source::Yosys);
/// DSP: setup of input, through the multiplier.
pub const DSP_SETUP: Delay = delay("DSP48E1: setup of input, through the multiplier", 3723, Source::Yosys);
/// A wire to one place.
pub const NET_BASE: Delay = delay("net with one load", 557, Source::Fit);
/// What each doubling of the fan-out adds.
pub const NET_DOUBLING: Delay = delay("net: added by each doubling of its fan-out", 114, Source::Fit);

/// All single numbers; [`CARRY4`] has the rest.
pub const ALL: [Delay; 24] = [
    CLOCK_TO_Q,
    SETUP_D,
    SETUP_CE,
    SETUP_SR,
    LUT,
    MUXF7_I,
    MUXF7_S,
    MUXF8_I,
    MUXF8_S,
    LUTRAM_CLOCK,
    LUTRAM_DATA,
    LUTRAM_ADDRESS,
    LUTRAM_WE,
    SRL_CLOCK,
    SRL_D,
    BRAM_CLOCK,
    BRAM_REGISTERED,
    BRAM_DATA,
    BRAM_ADDRESS,
    DSP_CLOCK,
    DSP_CLOCK_THROUGH,
    DSP_SETUP,
    NET_BASE,
    NET_DOUBLING,
];

/// An input of `CARRY4` and its delays to `O[0..4]` and `CO[0..4]`, in picoseconds ([`Source::Yosys`]); 0: no path.
pub struct CarryInput {
    /// Port.
    pub port: &'static str,
    /// Bit of the port.
    pub bit: usize,
    /// To the sums.
    pub o: [u32; 4],
    /// To the carries.
    pub co: [u32; 4],
}

const fn carry(port: &'static str, bit: usize, o: [u32; 4], co: [u32; 4]) -> CarryInput {
    CarryInput { port, bit, o, co }
}

/// `CARRY4`.
pub const CARRY4: [CarryInput; 10] = [
    carry("CI", 0, [222, 334, 239, 313], [271, 157, 228, 114]),
    carry("CYINIT", 0, [482, 598, 584, 642], [536, 494, 592, 580]),
    carry("DI", 0, [0, 407, 556, 615], [379, 465, 540, 526]),
    carry("DI", 1, [0, 0, 537, 596], [0, 445, 520, 507]),
    carry("DI", 2, [0, 0, 0, 438], [0, 0, 356, 398]),
    carry("DI", 3, [0, 0, 0, 0], [0, 0, 0, 385]),
    carry("S", 0, [223, 400, 523, 582], [340, 433, 512, 508]),
    carry("S", 1, [0, 205, 558, 618], [0, 469, 548, 528]),
    carry("S", 2, [0, 0, 226, 330], [0, 0, 292, 378]),
    carry("S", 3, [0, 0, 0, 227], [0, 0, 0, 380]),
];

/// Fan-out and delay in picoseconds of the routed nets between slices on the critical paths of public reports: three
/// VexiiRiscv systems of some 53,000 registers on Artix-7, and a SHA-256 core on Zynq-7000; the speed grade follows from
/// their LUT delay of 0.124 ns. Nets inside a slice and fan-outs above 100 are left out: the latter are control nets
/// whose one critical load stands near.
pub const ROUTED_NETS: [(u32, u32); 35] = [
    (7, 715),
    (1, 575),
    (2, 489),
    (5, 602),
    (3, 570),
    (3, 303),
    (4, 553),
    (2, 517),
    (2, 642),
    (1, 263),
    (13, 1283),
    (1, 295),
    (1, 764),
    (1, 472),
    (3, 1159),
    (3, 455),
    (15, 996),
    (7, 1135),
    (5, 423),
    (2, 574),
    (1, 584),
    (2, 777),
    (2, 985),
    (7, 824),
    (1, 615),
    (7, 1162),
    (4, 622),
    (1, 1281),
    (1, 295),
    (1, 1084),
    (6, 756),
    (4, 1111),
    (4, 836),
    (62, 1326),
    (1, 440),
];

/// A wire between slices, in picoseconds.
pub fn net(fan_out: u32) -> u32 {
    logarithmic(NET_BASE.ps, NET_DOUBLING.ps, fan_out)
}

/// An Artix-7, speed grade -1.
#[derive(Clone, Copy, Debug)]
pub struct Artix7;

impl Delays for Artix7 {
    fn arc(&self, primitive: Primitive, cell: &Cell, from: PinName<'_>, to: PinName<'_>) -> Option<u32> {
        match primitive {
            Primitive::Lut(_) | Primitive::Inverter => Some(LUT.ps),
            Primitive::MuxF7 => Some(if from.port == "S" { MUXF7_S.ps } else { MUXF7_I.ps }),
            Primitive::MuxF8 => Some(if from.port == "S" { MUXF8_S.ps } else { MUXF8_I.ps }),
            Primitive::Buffer => Some(0),
            Primitive::Carry4 => {
                let input = CARRY4.iter().find(|input| input.port == from.port && input.bit == from.bit)?;
                let row = if to.port == "O" { &input.o } else { &input.co };
                row.get(to.bit).copied().filter(|ps| *ps > 0)
            }
            Primitive::LutRam(_) => reads(from.port, to.port).then_some(LUT.ps),
            Primitive::ShiftRegister => (from.port.starts_with('A') && to.port == "Q").then_some(LUT.ps),
            Primitive::Dsp => (!is_registered(cell, &["PREG", "MREG", "AREG"])
                && matches!(from.port, "A" | "B" | "C" | "D"))
            .then_some(DSP_SETUP.ps),
            Primitive::Register | Primitive::BlockRam(_) | Primitive::Constant | Primitive::Carry2 => None,
        }
    }

    fn launch(&self, primitive: Primitive, cell: &Cell, output: &str) -> Option<u32> {
        match primitive {
            Primitive::Register => Some(CLOCK_TO_Q.ps),
            Primitive::LutRam(_) => Some(LUTRAM_CLOCK.ps),
            Primitive::ShiftRegister => Some(SRL_CLOCK.ps),
            Primitive::BlockRam(_) => {
                let parameter = if output.starts_with("DOA") || output.starts_with("DOPA") {
                    "DOA_REG"
                } else {
                    "DOB_REG"
                };
                Some(if is_registered(cell, &[parameter]) { BRAM_REGISTERED.ps } else { BRAM_CLOCK.ps })
            }
            Primitive::Dsp if is_registered(cell, &["PREG"]) => Some(DSP_CLOCK.ps),
            Primitive::Dsp if is_registered(cell, &["MREG", "AREG"]) => Some(DSP_CLOCK_THROUGH.ps),
            _ => None,
        }
    }

    fn setup(&self, primitive: Primitive, cell: &Cell, input: &str) -> Option<u32> {
        if primitive.is_clock(input) {
            return None;
        }
        match primitive {
            Primitive::Register => Some(match input {
                "D" => SETUP_D.ps,
                "CE" => SETUP_CE.ps,
                _ => SETUP_SR.ps,
            }),
            Primitive::LutRam(_) => match input {
                "WE" => Some(LUTRAM_WE.ps),
                "D" | "DIA" | "DIB" | "DIC" | "DID" => Some(LUTRAM_DATA.ps),
                // The port that writes: D of a quad memory, A of a dual one.
                _ if input == "ADDRD" || input.starts_with('A') && !input.starts_with("ADDR") => {
                    Some(LUTRAM_ADDRESS.ps)
                }
                _ => None,
            },
            Primitive::ShiftRegister => match input {
                "D" => Some(SRL_D.ps),
                "CE" => Some(SETUP_CE.ps),
                _ => None,
            },
            Primitive::BlockRam(_) => {
                Some(if input.starts_with("DI") { BRAM_DATA.ps } else { BRAM_ADDRESS.ps })
            }
            Primitive::Dsp => is_registered(cell, &["PREG", "MREG", "AREG"]).then_some(DSP_SETUP.ps),
            _ => None,
        }
    }

    fn wire(&self, net: Net<'_>, into: Primitive, port: &str) -> u32 {
        let from_lut = matches!(net.from, Some((Primitive::Lut(_) | Primitive::Inverter, _)));
        let routed = self::net(net.fan_out);
        match (into, port) {
            (Primitive::Carry4, "CI") if matches!(net.from, Some((Primitive::Carry4, "CO"))) => 0,
            (Primitive::Carry4, "S") if from_lut => 0,
            (Primitive::Carry4, "S") => routed + LUT.ps,
            (Primitive::Carry4, "DI") if from_lut && net.fan_out == 1 => 0,
            (Primitive::MuxF7, "I0" | "I1") if from_lut => 0,
            (Primitive::MuxF8, "I0" | "I1") if matches!(net.from, Some((Primitive::MuxF7, _))) => 0,
            // A register stands in the slice of what computes its value, if it is the only one to take it.
            (Primitive::Register, "D") if net.registers == 1 => match net.from {
                Some((Primitive::MuxF7 | Primitive::MuxF8 | Primitive::Carry4, _)) => 0,
                _ if from_lut => 0,
                _ => routed,
            },
            (Primitive::Buffer, _) => 0,
            _ => routed,
        }
    }
}

/// Whether this address port of a LUT memory reads this output.
fn reads(address: &str, output: &str) -> bool {
    match output {
        "DPO" => address.starts_with("DPRA"),
        "SPO" | "O" => address.starts_with('A'),
        _ => match (address.strip_prefix("ADDR"), output.strip_prefix("DO")) {
            (Some(address), Some(output)) => address == output,
            _ => false,
        },
    }
}

fn is_registered(cell: &Cell, parameters: &[&str]) -> bool {
    parameters.iter().any(|name| cell.parameters.get(*name).is_some_and(|value| *value != 0))
}

/// The model as the tables of `docs/area.md`.
pub fn markdown() -> String {
    let mut text = String::from("| what | ps | source |\n|---|---:|---|\n");
    for number in ALL {
        text.push_str(&format!("| {} | {} | {} |\n", number.what, number.ps, number.source.name()));
    }
    text.push_str(&format!(
        "\nCARRY4, ps, from {}:\n\n| from | O0 | O1 | O2 | O3 | CO0 | CO1 | CO2 | CO3 |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        Source::Yosys.name()
    ));
    for input in &CARRY4 {
        let cells: Vec<String> = input
            .o
            .iter()
            .chain(&input.co)
            .map(|ps| if *ps == 0 { "-".into() } else { ps.to_string() })
            .collect();
        text.push_str(&format!("| {}[{}] | {} |\n", input.port, input.bit, cells.join(" | ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_are_the_fit_over_the_routed_nets() {
        let points: Vec<(f64, f64)> =
            ROUTED_NETS.iter().map(|(fan_out, ps)| (f64::from(*fan_out).log2(), f64::from(*ps))).collect();
        let count = points.len() as f64;
        let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / count;
        let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
        let slope = (mean(&|p| p.0 * p.1) - x * y) / (mean(&|p| p.0 * p.0) - x * x);
        assert_eq!(slope.round() as u32, NET_DOUBLING.ps);
        assert_eq!((y - slope * x).round() as u32, NET_BASE.ps);
        assert_eq!(net(1), NET_BASE.ps);
        assert_eq!(net(8), NET_BASE.ps + 3 * NET_DOUBLING.ps);
        assert_eq!(net(0), net(1));
    }

    #[test]
    fn the_document_shows_the_model() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/area.md");
        let text = std::fs::read_to_string(file).unwrap();
        let (before, rest) = text.split_once("<!-- delay model -->\n").expect("a marker before the table");
        let (shown, after) = rest.split_once("<!-- end -->").expect("a marker after the table");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(file, format!("{before}<!-- delay model -->\n{}<!-- end -->{after}", markdown()))
                .unwrap();
        } else {
            assert_eq!(shown, markdown(), "UPDATE_EXPECT=1 cargo test -p area writes it anew");
        }
    }
}
