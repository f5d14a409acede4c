// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hierarchy unfolded: every primitive of every instance, and the nets between them.

use crate::netlist::{Bit, Cell, Design, Kind, Module, NetName};
use crate::primitive::Primitive;

/// A module at its place in the hierarchy.
#[derive(Clone, Debug)]
pub struct Instance<'a> {
    /// Path from the top, separated by dots; empty for the top.
    pub path: String,
    /// Name of the module.
    pub module_name: &'a str,
    /// The module.
    pub module: &'a Module,
}

/// One bit of a pin.
#[derive(Clone, Copy, Debug)]
pub struct FlatPin<'a> {
    /// Port.
    pub port: &'a str,
    /// Bit of it.
    pub bit: usize,
    /// Whether it drives its net.
    pub output: bool,
    /// Net of the whole design; `None` for a constant.
    pub net: Option<u32>,
    /// The same within the module.
    pub local: Bit,
}

/// A primitive.
#[derive(Clone, Debug)]
pub struct FlatCell<'a> {
    /// Index of its instance.
    pub instance: u32,
    /// What it is.
    pub primitive: Primitive,
    /// Its entry in the module.
    pub cell: &'a Cell,
    /// Its pins, bit by bit.
    pub pins: Vec<FlatPin<'a>>,
}

/// An unfolded design.
#[derive(Clone, Debug)]
pub struct Flat<'a> {
    /// Instances, parents before children.
    pub instances: Vec<Instance<'a>>,
    /// Primitives.
    pub cells: Vec<FlatCell<'a>>,
    /// Number of nets.
    pub nets: usize,
    /// Nets that leave the top module.
    pub outputs: Vec<u32>,
}

/// Nets that turn out to be one.
struct Union(Vec<u32>);

impl Union {
    fn find(&mut self, mut net: u32) -> u32 {
        while self.0[net as usize] != net {
            let parent = self.0[net as usize];
            self.0[net as usize] = self.0[parent as usize];
            net = parent;
        }
        net
    }

    fn fresh(&mut self, count: usize) -> u32 {
        let first = self.0.len() as u32;
        self.0.extend((0..count as u32).map(|i| first + i));
        first
    }
}

/// Unfolds a design.
pub fn unfold(design: &Design) -> Flat<'_> {
    let mut union = Union(Vec::new());
    let mut instances = Vec::new();
    let mut cells: Vec<FlatCell<'_>> = Vec::new();
    // Net 0 of each instance in the numbering of the whole design.
    let mut bases: Vec<u32> = Vec::new();
    let top = &design.modules[&design.top];
    instances.push(Instance { path: String::new(), module_name: design.top.as_str(), module: top });
    bases.push(union.fresh(top.nets.len()));
    let mut index = 0;
    while index < instances.len() {
        let (module, base): (&Module, u32) = (instances[index].module, bases[index]);
        let path = instances[index].path.clone();
        for cell in &module.cells {
            match &cell.kind {
                Kind::Primitive(primitive) => cells.push(FlatCell {
                    instance: index as u32,
                    primitive: *primitive,
                    cell,
                    pins: pins(cell, base),
                }),
                Kind::Instance(child_name) => {
                    let child = &design.modules[child_name];
                    let child_base = union.fresh(child.nets.len());
                    for pin in &cell.pins {
                        let Some(port) = child.ports.iter().find(|port| port.port == pin.port) else {
                            continue;
                        };
                        for (outside, inside) in pin.bits.iter().zip(&port.bits) {
                            if let (Bit::Net(outside), Bit::Net(inside)) = (outside, inside) {
                                let (a, b) = (union.find(base + outside), union.find(child_base + inside));
                                union.0[b as usize] = a;
                            }
                        }
                    }
                    let dot = if path.is_empty() { "" } else { "." };
                    instances.push(Instance {
                        path: format!("{path}{dot}{}", cell.name),
                        module_name: child_name,
                        module: child,
                    });
                    bases.push(child_base);
                }
            }
        }
        index += 1;
    }
    for cell in &mut cells {
        for pin in &mut cell.pins {
            pin.net = pin.net.map(|net| union.find(net));
        }
    }
    let outputs = top
        .ports
        .iter()
        .filter(|port| port.output)
        .flat_map(|port| &port.bits)
        .filter_map(|bit| match bit {
            Bit::Net(net) => Some(*net),
            Bit::Constant => None,
        })
        .collect::<Vec<u32>>()
        .into_iter()
        .map(|net| union.find(net))
        .collect();
    Flat { instances, cells, nets: union.0.len(), outputs }
}

fn pins(cell: &Cell, base: u32) -> Vec<FlatPin<'_>> {
    let bits =
        cell.pins.iter().flat_map(|pin| pin.bits.iter().enumerate().map(move |(bit, net)| (pin, bit, *net)));
    bits.map(|(pin, bit, local)| FlatPin {
        port: &pin.port,
        bit,
        output: pin.output,
        net: match local {
            Bit::Net(net) => Some(base + net),
            Bit::Constant => None,
        },
        local,
    })
    .collect()
}

impl Flat<'_> {
    /// The name of the net at a pin within the module of its cell; `None` for a constant.
    pub fn net_name(&self, cell: &FlatCell<'_>, pin: &FlatPin<'_>) -> Option<&NetName> {
        match pin.local {
            Bit::Net(net) => self.instances[cell.instance as usize].module.nets.get(net as usize),
            Bit::Constant => None,
        }
    }

    /// Name of the vector that a cell's first output drives: what a register is called in the source.
    pub fn vector_name(&self, cell: &FlatCell<'_>) -> String {
        let output = cell.pins.iter().find(|pin| pin.output);
        let name = output.and_then(|pin| self.net_name(cell, pin));
        name.map_or_else(|| cell.cell.name.clone(), |name| name.name.clone())
    }

    /// Which cells some output of the top module depends on, given the cell and pin that drive each net.
    pub fn live(&self, driver: &[Option<(u32, u32)>]) -> Vec<bool> {
        let mut live = vec![false; self.cells.len()];
        let mut nets = self.outputs.clone();
        while let Some(net) = nets.pop() {
            let Some((cell, _)) = driver[net as usize] else { continue };
            if !std::mem::replace(&mut live[cell as usize], true) {
                let pins = &self.cells[cell as usize].pins;
                nets.extend(pins.iter().filter(|pin| !pin.output).filter_map(|pin| pin.net));
            }
        }
        live
    }
}
