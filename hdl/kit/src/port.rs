// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of run-time widths.

use rust_hdl::prelude::*;

/// Direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Driven from outside.
    Input,
    /// Driven by the circuit.
    Output,
}

/// A port of a run-time width: a rust-hdl atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name in the Verilog.
    pub name: String,
    /// Width in bits, at least 1.
    pub width: usize,
    /// Direction.
    pub direction: Direction,
    /// What it is, if its name does not say it.
    pub about: String,
}

impl Atom for Port {
    fn bits(&self) -> usize {
        self.width
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        match self.direction {
            Direction::Input => AtomKind::InputParameter,
            Direction::Output => AtomKind::OutputParameter,
        }
    }
    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: format!("bits{}", self.width), kind: TypeKind::Bits(self.width) }
    }
    fn vcd(&self) -> VCDValue {
        VCDValue::String(String::new())
    }
    fn id(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }
    fn verilog(&self) -> VerilogLiteral {
        false.verilog()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        Vec::new()
    }
}
