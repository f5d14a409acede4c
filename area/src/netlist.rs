// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mapped netlist as Yosys' `write_json` writes it.
//!
//! Kept are the modules below the top; the library's own (black boxes) are known by [`Primitive`].

use crate::primitive::Primitive;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// More cells and nets than this in the unfolded design are refused: far beyond every device of the family.
pub const LARGEST: u64 = 50_000_000;

/// Why a netlist cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetlistError {
    /// Not the JSON that `write_json` writes.
    #[error("the netlist is not Yosys JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// No module is marked as the top one.
    #[error("the netlist has no top module")]
    NoTop,
    /// A cell that is neither a module of the design nor a primitive we know.
    #[error(
        "cell {cell} of module {module} is a {kind}: neither a module of the netlist nor a known primitive of the 7 series or the ECP5"
    )]
    UnknownCell {
        /// Module that holds it.
        module: String,
        /// Its name.
        cell: String,
        /// Its type.
        kind: String,
    },
    /// A module that contains itself.
    #[error("module {0} contains itself")]
    Recursive(String),
    /// An instance whose pins do not fit the ports of its module.
    #[error("instance {instance} in module {module}: port {port} does not fit its module")]
    Port {
        /// Module that holds the instance.
        module: String,
        /// The instance.
        instance: String,
        /// The port.
        port: String,
    },
    /// More than [`LARGEST`].
    #[error("the unfolded netlist has more than {LARGEST} cells and nets")]
    TooLarge,
}

/// One bit of a pin or port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bit {
    /// A net of the module, counted from 0.
    Net(u32),
    /// A constant, or nothing.
    Constant,
}

/// A pin of a cell, or a port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Name.
    pub port: String,
    /// Whether it drives its bits (seen from inside the cell or module).
    pub output: bool,
    /// Bits, least significant first.
    pub bits: Vec<Bit>,
}

/// What a cell is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A library cell.
    Primitive(Primitive),
    /// An instance of a module of the design.
    Instance(String),
}

/// A cell of a module.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Name within the module.
    pub name: String,
    /// Name of its type.
    pub type_name: String,
    /// What it is.
    pub kind: Kind,
    /// Its pins.
    pub pins: Vec<Pin>,
    /// Parameters whose value is a bit string, as numbers; wider than 64 bits: left out.
    pub parameters: BTreeMap<String, u64>,
}

/// A module of the design.
#[derive(Clone, Debug)]
pub struct Module {
    /// Ports.
    pub ports: Vec<Pin>,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Name of each net.
    pub nets: Vec<NetName>,
}

/// Best name of a net: what its author called it, if anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetName {
    /// Name of the vector.
    pub name: String,
    /// Bit of it; `None` for a vector of one bit.
    pub bit: Option<u32>,
    /// Whether it is Yosys' own name, which says nothing to a reader.
    pub hidden: bool,
}

impl std::fmt::Display for NetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.bit {
            Some(bit) => write!(f, "{}[{bit}]", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

/// A mapped design.
#[derive(Clone, Debug)]
pub struct Design {
    /// Name of the top module.
    pub top: String,
    /// The modules below the top, and the top.
    pub modules: BTreeMap<String, Module>,
    /// Their names, children before parents.
    pub order: Vec<String>,
}

#[derive(Deserialize)]
struct RawDesign {
    modules: BTreeMap<String, RawModule>,
}

#[derive(Deserialize)]
struct RawModule {
    #[serde(default)]
    attributes: BTreeMap<String, Value>,
    #[serde(default)]
    ports: BTreeMap<String, RawPort>,
    #[serde(default)]
    cells: BTreeMap<String, RawCell>,
    #[serde(default)]
    netnames: BTreeMap<String, RawNet>,
}

#[derive(Deserialize)]
struct RawPort {
    direction: Direction,
    bits: Vec<RawBit>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Input,
    Output,
    Inout,
}

#[derive(Deserialize)]
struct RawCell {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    #[serde(default)]
    port_directions: BTreeMap<String, Direction>,
    connections: BTreeMap<String, Vec<RawBit>>,
}

#[derive(Deserialize)]
struct RawNet {
    #[serde(default)]
    hide_name: u8,
    bits: Vec<RawBit>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawBit {
    Net(u64),
    Constant(#[allow(dead_code, reason = "which constant it is does not matter")] String),
}

impl Design {
    /// Reads a netlist.
    pub fn from_json(text: &[u8]) -> Result<Design, NetlistError> {
        let mut raw: RawDesign = serde_json::from_slice(text)?;
        raw.modules.retain(|_, module| !is_set(module, "blackbox") && !is_set(module, "whitebox"));
        let top = raw.modules.iter().find(|(_, module)| is_set(module, "top"));
        let top = top.map(|(name, _)| name.clone()).ok_or(NetlistError::NoTop)?;
        let mut modules = BTreeMap::new();
        for (name, module) in &raw.modules {
            modules.insert(name.clone(), read_module(name, module, &raw.modules)?);
        }
        let order = children_first(&top, &modules)?;
        modules.retain(|name, _| order.contains(name));
        let design = Design { top, modules, order };
        design.check_ports()?;
        if design.unfolded_size() > LARGEST {
            return Err(NetlistError::TooLarge);
        }
        Ok(design)
    }

    /// How often each module occurs in the unfolded design.
    pub fn instances(&self) -> BTreeMap<&str, u64> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::from([(self.top.as_str(), 1)]);
        for name in self.order.iter().rev() {
            let times = counts.get(name.as_str()).copied().unwrap_or(0);
            for cell in &self.modules[name].cells {
                if let Kind::Instance(child) = &cell.kind {
                    let count = counts.entry(child).or_default();
                    *count = count.saturating_add(times);
                }
            }
        }
        counts
    }

    fn unfolded_size(&self) -> u64 {
        self.instances().iter().fold(0, |sum, (name, times)| {
            let module = &self.modules[*name];
            sum.saturating_add(times.saturating_mul(1 + (module.cells.len() + module.nets.len()) as u64))
        })
    }

    fn check_ports(&self) -> Result<(), NetlistError> {
        for (name, module) in &self.modules {
            for cell in &module.cells {
                let Kind::Instance(child) = &cell.kind else { continue };
                for pin in &cell.pins {
                    let port = self.modules[child].ports.iter().find(|port| port.port == pin.port);
                    if port.is_none_or(|port| port.bits.len() != pin.bits.len()) {
                        return Err(NetlistError::Port {
                            module: name.clone(),
                            instance: cell.name.clone(),
                            port: pin.port.clone(),
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_set(module: &RawModule, attribute: &str) -> bool {
    match module.attributes.get(attribute) {
        Some(Value::String(bits)) => bits.contains('1'),
        Some(Value::Number(number)) => number.as_u64() != Some(0),
        _ => false,
    }
}

/// Renumbers the nets of a module from 0.
#[derive(Default)]
struct Nets(HashMap<u64, u32>);

impl Nets {
    fn bits(&mut self, raw: &[RawBit]) -> Vec<Bit> {
        raw.iter()
            .map(|bit| match bit {
                RawBit::Net(number) => {
                    let next = self.0.len() as u32;
                    Bit::Net(*self.0.entry(*number).or_insert(next))
                }
                RawBit::Constant(_) => Bit::Constant,
            })
            .collect()
    }
}

fn read_module(
    name: &str,
    raw: &RawModule,
    modules: &BTreeMap<String, RawModule>,
) -> Result<Module, NetlistError> {
    let mut nets = Nets::default();
    let ports = raw
        .ports
        .iter()
        .map(|(port, raw)| Pin {
            port: port.clone(),
            output: raw.direction != Direction::Input,
            bits: nets.bits(&raw.bits),
        })
        .collect();
    let mut cells = Vec::with_capacity(raw.cells.len());
    for (cell, raw) in &raw.cells {
        let kind = match Primitive::from_name(&raw.kind) {
            _ if modules.contains_key(&raw.kind) => Kind::Instance(raw.kind.clone()),
            Some(primitive) => Kind::Primitive(primitive),
            None => {
                return Err(NetlistError::UnknownCell {
                    module: name.into(),
                    cell: cell.clone(),
                    kind: raw.kind.clone(),
                });
            }
        };
        let pins = raw
            .connections
            .iter()
            .map(|(port, bits)| Pin {
                port: port.clone(),
                output: raw.port_directions.get(port).is_some_and(|d| *d != Direction::Input),
                bits: nets.bits(bits),
            })
            .collect();
        let number = |value: &Value| u64::from_str_radix(value.as_str()?, 2).ok();
        let parameters = raw.parameters.iter().filter_map(|(p, v)| Some((p.clone(), number(v)?))).collect();
        cells.push(Cell { name: cell.clone(), type_name: raw.kind.clone(), kind, pins, parameters });
    }
    Ok(Module { nets: name_nets(raw, &mut nets), ports, cells })
}

/// Names by preference: given by the author, not a port, of a narrow vector, short.
fn name_nets(raw: &RawModule, nets: &mut Nets) -> Vec<NetName> {
    let mut best: HashMap<u32, (bool, bool, usize, usize, &str, usize)> = HashMap::new();
    for (name, net) in &raw.netnames {
        for (index, bit) in nets.bits(&net.bits).into_iter().enumerate() {
            let Bit::Net(number) = bit else { continue };
            let rank = (
                net.hide_name != 0,
                raw.ports.contains_key(name),
                net.bits.len(),
                name.len(),
                name.as_str(),
                index,
            );
            best.entry(number).and_modify(|known| *known = (*known).min(rank)).or_insert(rank);
        }
    }
    (0..nets.0.len() as u32)
        .map(|number| match best.get(&number) {
            Some((hidden, _, width, _, name, index)) => {
                NetName { name: (*name).into(), bit: (*width > 1).then_some(*index as u32), hidden: *hidden }
            }
            None => NetName { name: format!("net{number}"), bit: None, hidden: true },
        })
        .collect()
}

fn children_first(top: &str, modules: &BTreeMap<String, Module>) -> Result<Vec<String>, NetlistError> {
    /// A module being visited, and the children still to visit.
    struct Visit<'a>(&'a str, Vec<&'a str>);
    let children = |name: &str| -> Vec<&str> {
        let cells = modules[name].cells.iter();
        cells
            .filter_map(|cell| match &cell.kind {
                Kind::Instance(child) => Some(child.as_str()),
                Kind::Primitive(_) => None,
            })
            .collect()
    };
    let mut order: Vec<String> = Vec::new();
    let mut done: HashMap<&str, bool> = HashMap::from([(top, false)]);
    let mut stack = vec![Visit(top, children(top))];
    while let Some(Visit(name, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(child) => match done.get(child) {
                Some(true) => {}
                Some(false) => return Err(NetlistError::Recursive(child.into())),
                None => {
                    done.insert(child, false);
                    stack.push(Visit(child, children(child)));
                }
            },
            None => {
                done.insert(name, true);
                order.push(name.to_string());
                stack.pop();
            }
        }
    }
    Ok(order)
}
