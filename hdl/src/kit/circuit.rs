// SPDX-License-Identifier: MIT OR Apache-2.0
//! A rust-hdl block with run-time ports.

use rust_hdl::prelude::*;
use std::collections::BTreeMap;

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

struct Child {
    name: String,
    kind: String,
    block: Box<dyn Block>,
    kinds: BTreeMap<String, String>,
}

/// A circuit: ports, children and a body of Verilog text. Its simulator is Verilator; rust-hdl's own simulator
/// cannot run it and says so.
pub struct Circuit {
    kind: String,
    summary: String,
    ports: Vec<Port>,
    children: Vec<Child>,
    body: String,
}

impl Circuit {
    /// A circuit whose module is called `kind`; `summary` (one line each for purpose, latency, interval, reset)
    /// becomes the module's comment.
    pub fn new(kind: &str, summary: &str) -> Circuit {
        Circuit {
            kind: kind.to_string(),
            summary: summary.to_string(),
            ports: Vec::new(),
            children: Vec::new(),
            body: String::new(),
        }
    }

    /// Adds an input.
    pub fn input(&mut self, name: impl Into<String>, width: usize) {
        self.ports.push(Port { name: name.into(), width, direction: Direction::Input });
    }

    /// Adds an output; the body drives it.
    pub fn output(&mut self, name: impl Into<String>, width: usize) {
        self.ports.push(Port { name: name.into(), width, direction: Direction::Output });
    }

    /// Adds several inputs.
    pub fn inputs(&mut self, ports: &[(&str, usize)]) {
        ports.iter().for_each(|&(name, width)| self.input(name, width));
    }

    /// Adds several outputs; the body drives them.
    pub fn outputs(&mut self, ports: &[(&str, usize)]) {
        ports.iter().for_each(|&(name, width)| self.output(name, width));
    }

    /// Adds the clock and, with `reset`, the synchronous active-low reset.
    pub fn clocked(&mut self, reset: bool) {
        self.input("aclk", 1);
        if reset {
            self.input("aresetn", 1);
        }
    }

    /// Adds an instance of a circuit; the body sees its ports as `name$port`.
    pub fn child(&mut self, name: &str, circuit: Circuit) {
        let kinds = circuit.kinds_below();
        let kind = circuit.kind.clone();
        self.children.push(Child { name: name.to_string(), kind, block: Box::new(circuit), kinds });
    }

    /// Adds an instance of an ordinary rust-hdl block, to be called `kind` in the Verilog; `below` names its own
    /// children's modules.
    pub fn block_child(
        &mut self,
        name: &str,
        kind: &str,
        block: impl Block + 'static,
        below: &[(&str, &str)],
    ) {
        self.children.push(Child {
            name: name.to_string(),
            kind: kind.to_string(),
            block: Box::new(block),
            kinds: below.iter().map(|(path, kind)| (path.to_string(), kind.to_string())).collect(),
        });
    }

    /// Sets the body.
    pub fn set_body(&mut self, text: String) {
        self.body = text;
    }

    /// Module name.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Ports in order of declaration.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Instance paths below this circuit (`child$grandchild`) with their module names.
    pub fn kinds_below(&self) -> BTreeMap<String, String> {
        let mut kinds = BTreeMap::new();
        for child in &self.children {
            kinds.insert(child.name.clone(), child.kind.clone());
            for (path, kind) in &child.kinds {
                kinds.insert(format!("{}${path}", child.name), kind.clone());
            }
        }
        kinds
    }
}

impl Logic for Circuit {
    fn update(&mut self) {
        panic!("{}: run-time circuits are simulated by Verilator, not by rust-hdl", self.kind)
    }
    fn hdl(&self) -> Verilog {
        let summary: String = self.summary.lines().map(|l| format!("// {l}\n")).collect();
        Verilog::Custom(format!("{summary}{}", self.body))
    }
}

impl Block for Circuit {
    fn connect_all(&mut self) {
        for child in &mut self.children {
            child.block.connect_all();
        }
    }
    fn update_all(&mut self) {
        self.update();
    }
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        for port in &self.ports {
            probe.visit_atom(&port.name, port);
        }
        for child in &self.children {
            child.block.accept(&child.name, probe);
        }
        probe.visit_end_scope(name, self);
    }
}
