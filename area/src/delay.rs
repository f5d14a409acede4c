// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a delay model says of a family's cells, and of the wires between them, which nobody knows before placement.

use crate::netlist::Cell;
use crate::primitive::Primitive;

/// One bit of a pin of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinName<'a> {
    /// Port.
    pub port: &'a str,
    /// Bit of it.
    pub bit: usize,
}

/// A net, as far as the delay of its wires depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Net<'a> {
    /// What drives it and from which port; `None`: an input of the design.
    pub from: Option<(Primitive, &'a str)>,
    /// Its loads, clocks not counted.
    pub fan_out: u32,
    /// Those of them that are the data of a register.
    pub registers: u32,
}

/// The delays of a family, in picoseconds.
pub trait Delays {
    /// Through a cell from an input to an output; `None` if there is no combinational path.
    fn arc(&self, primitive: Primitive, cell: &Cell, from: PinName<'_>, to: PinName<'_>) -> Option<u32>;

    /// From the clock to an output; `None` if the output is not clocked.
    fn launch(&self, primitive: Primitive, cell: &Cell, output: &str) -> Option<u32>;

    /// How long an input must stand before the clock; `None` if it is no clocked input.
    fn setup(&self, primitive: Primitive, cell: &Cell, input: &str) -> Option<u32>;

    /// Along a net into a port of a cell; 0 inside a slice.
    fn wire(&self, net: Net<'_>, into: Primitive, port: &str) -> u32;
}

/// A wire that costs `base` with one load and `doubling` more each time its loads double.
pub fn logarithmic(base: u32, doubling: u32, fan_out: u32) -> u32 {
    base + (f64::from(doubling) * f64::from(fan_out.max(1)).log2()).round() as u32
}

/// Picoseconds as nanoseconds.
pub fn ns(ps: u32) -> f64 {
    f64::from(ps) / 1000.0
}
