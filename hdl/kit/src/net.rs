// SPDX-License-Identifier: MIT OR Apache-2.0
//! The netlist behind a module: what is printed, checked and simulated.

use super::value::Value;
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::Arc;

/// Number of a node in its netlist.
pub(super) type Id = u32;
/// A line of the Rust source.
pub(super) type Place = &'static Location<'static>;

/// What a node computes of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Input,
    /// A number.
    Const,
    /// A constant plane, a bit a cell.
    Plane,
    /// Its one operand, under a name; without operands it has not been driven yet.
    Wire,
    Reg,
    /// A signal that is not of this module, by its hierarchical name.
    Outside,
    /// An output of a child instance: of which one.
    Child(usize),
    Not,
    /// Whether a bit is set.
    Any,
    /// Whether all bits are.
    All,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    Gt,
    Ge,
    Le,
    SignedLt,
    SignedGt,
    Mux,
    /// The operand whose code, from the second on, the first one is; the last of none: under a name.
    Table,
    /// Bits from this one on.
    Slice(usize),
    /// The first operand highest.
    Cat,
    /// The operand so many times.
    Repeat(usize),
    /// Toward higher bits by a number of places.
    Up(usize),
    /// Toward lower bits.
    Down(usize),
    /// The first operand toward higher bits by as many places as the second says.
    UpBy,
    /// Toward lower bits.
    DownBy,
    /// The bit of the first operand with the number that the second is.
    Pick,
    /// The entry of a memory at an address, as it is now.
    Read(usize),
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub op: Op,
    pub args: Vec<Id>,
    pub width: usize,
    /// Of inputs, wires and registers.
    pub name: Option<String>,
    /// Of a constant; of a register, what reset sets it to.
    pub value: Option<Value>,
    /// Of a table, one for each operand but the first and the last.
    pub codes: Vec<u64>,
    /// Where it was written.
    pub place: Place,
    /// Of a register: where this is set, reset leaves it as it is (a fault).
    pub kept: Option<Id>,
    /// Pipeline stage, in clocks from where counting began; none for what does not change or belongs to no stage.
    pub stage: Option<i32>,
}

/// What happens at a clock's edge.
#[derive(Clone, Debug)]
pub struct Statement(pub(super) Step);

#[derive(Clone, Debug)]
pub(super) enum Step {
    Set {
        register: Id,
        value: Id,
        place: Place,
    },
    Write {
        memory: usize,
        address: Id,
        value: Id,
        place: Place,
    },
    When {
        test: Id,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// The arm whose value `on` is, each given by the constants that lead to it; else the last.
    Match {
        on: Id,
        arms: Vec<(Vec<Id>, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
}

/// What stands in the printed body, in the order of its description.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Comment(String),
    /// Names of values, from 0.
    States(&'static [&'static str]),
    /// A wire with its value, or one whose value stands below.
    Wire(Id),
    Declaration(Id),
    Drive(Id),
    Table(Id),
    Register(Id),
    Memory(usize),
    /// A register that an asynchronous signal clears, with an attribute; what it becomes.
    Released(Id, Id, Option<&'static str>),
    Release(Id, Id, Id),
    /// A child's input: number of the instance, port.
    Connect(usize, String),
    Edge(Vec<Statement>),
}

/// Words that are read at once and written at the clock's edge.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub name: String,
    pub width: usize,
    pub depth: usize,
    /// Whether, where, what.
    pub writes: Vec<(Id, Id, Id)>,
}

/// A child.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub name: String,
    pub net: Arc<Net>,
    /// Its inputs: width, and what drives them.
    pub inputs: BTreeMap<String, (usize, Option<Id>)>,
    /// Its outputs.
    pub outputs: BTreeMap<String, Id>,
    /// Pipeline stage that its own stage 0 has here, once an input tells.
    pub offset: Option<i32>,
    pub place: Place,
}

/// All of a module.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// Name of the clock.
    pub(super) clock: String,
    /// The reset, active low.
    pub(super) reset: Option<Id>,
    pub(super) nodes: Vec<Node>,
    /// What a register becomes at the next edge.
    pub(super) next: BTreeMap<Id, Id>,
    /// Ports that the module drives.
    pub(super) outputs: Vec<(String, Id)>,
    pub(super) memories: Vec<Memory>,
    pub(super) instances: Vec<Instance>,
    pub(super) items: Vec<Item>,
}

impl Net {
    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn name(&self, id: Id) -> &str {
        self.node(id).name.as_deref().unwrap_or("an expression")
    }

    /// What an item computes: a signal, a child's input, of what happens at an edge the first register.
    pub(super) fn subject(&self, item: &Item) -> Option<String> {
        match item {
            Item::Wire(id) | Item::Drive(id) | Item::Table(id) => Some(self.name(*id).into()),
            Item::Connect(instance, port) => Some(format!("{}.{port}", self.instances[*instance].name)),
            Item::Edge(statements) => {
                let first = Statement::targets(statements).first().map(|(register, _)| *register);
                Some(first.map_or_else(|| "a memory".into(), |register| self.name(register).to_string()))
            }
            _ => None,
        }
    }

    /// Pipeline stage of a port.
    pub(super) fn port_stage(&self, port: &str) -> Option<i32> {
        let output = self.outputs.iter().find(|(name, _)| name == port).map(|(_, id)| *id);
        let input = || self.nodes.iter().position(|n| n.op == Op::Input && n.name.as_deref() == Some(port));
        let id = output.or_else(|| input().map(|id| id as Id))?;
        self.node(id).stage
    }

    /// What a node's value follows from in the same clock. A child's outputs follow its inputs where its own netlist says so.
    fn depends(&self, id: Id, through: &[BTreeMap<String, Vec<String>>]) -> Vec<Id> {
        let node = self.node(id);
        match node.op {
            Op::Reg => Vec::new(),
            Op::Child(instance) => {
                let child = &self.instances[instance];
                let port = child.outputs.iter().find(|(_, output)| **output == id).map(|(port, _)| port);
                let inputs = port.and_then(|port| through[instance].get(port));
                inputs.into_iter().flatten().filter_map(|input| child.inputs.get(input)?.1).collect()
            }
            _ => node.args.clone(),
        }
    }

    /// For each output the inputs that it follows without a register between.
    pub(super) fn through(&self) -> BTreeMap<String, Vec<String>> {
        let below: Vec<_> = self.instances.iter().map(|instance| instance.net.through()).collect();
        let mut found = BTreeMap::new();
        for (name, id) in &self.outputs {
            let (mut stack, mut seen, mut inputs) = (vec![*id], vec![false; self.nodes.len()], Vec::new());
            while let Some(id) = stack.pop() {
                if std::mem::replace(&mut seen[id as usize], true) {
                    continue;
                }
                if self.node(id).op == Op::Input {
                    inputs.push(self.name(id).to_string());
                }
                stack.extend(self.depends(id, &below));
            }
            found.insert(name.clone(), inputs);
        }
        found
    }

    /// Nodes that registers, memories, children and outputs need, operands first; or the names on a combinational loop, in the
    /// direction of the signal.
    pub(super) fn order(&self) -> Result<Vec<Id>, (Id, Vec<String>)> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let below: Vec<_> = self.instances.iter().map(|instance| instance.net.through()).collect();
        let roots = self.outputs.iter().map(|(_, id)| *id);
        let roots = roots.chain(self.next.iter().flat_map(|(register, next)| [*register, *next]));
        let roots = roots.chain(
            self.memories.iter().flat_map(|memory| memory.writes.iter().flat_map(|w| [w.0, w.1, w.2])),
        );
        let roots = roots.chain(self.instances.iter().flat_map(|i| i.inputs.values().filter_map(|d| d.1)));
        let (mut order, mut state) = (Vec::new(), vec![NEW; self.nodes.len()]);
        for root in roots {
            if state[root as usize] != NEW {
                continue;
            }
            state[root as usize] = OPEN;
            let mut stack = vec![(root, self.depends(root, &below), 0)];
            while let Some((id, args, next)) = stack.pop() {
                let Some(&arg) = args.get(next) else {
                    state[id as usize] = DONE;
                    order.push(id);
                    continue;
                };
                stack.push((id, args, next + 1));
                match state[arg as usize] {
                    NEW => {
                        state[arg as usize] = OPEN;
                        stack.push((arg, self.depends(arg, &below), 0));
                    }
                    OPEN => {
                        let from = stack.iter().position(|(id, ..)| *id == arg).unwrap_or(0);
                        let on_it =
                            std::iter::once(arg).chain(stack[from..].iter().rev().map(|(id, ..)| *id));
                        let names = on_it.filter_map(|id| self.node(id).name.clone());
                        return Err((arg, names.collect()));
                    }
                    _ => {}
                }
            }
        }
        Ok(order)
    }

    /// Everything below as one netlist: children's nodes with their instance's name before their own.
    pub(super) fn flattened(&self) -> Net {
        let mut flat = Net { items: Vec::new(), instances: Vec::new(), ..self.clone() };
        for instance in &self.instances {
            let child = instance.net.flattened();
            let (base, memories) = (flat.nodes.len() as Id, flat.memories.len());
            for mut node in child.nodes {
                node.args.iter_mut().for_each(|arg| *arg += base);
                if let Op::Read(memory) = &mut node.op {
                    *memory += memories;
                }
                if node.op == Op::Input {
                    let driver = node.name.as_ref().and_then(|port| instance.inputs.get(port)?.1);
                    (node.op, node.args) = (Op::Wire, driver.into_iter().collect());
                }
                node.name = node.name.map(|name| format!("{}.{name}", instance.name));
                flat.nodes.push(node);
            }
            flat.next.extend(child.next.iter().map(|(register, next)| (register + base, next + base)));
            for memory in child.memories {
                let name = format!("{}.{}", instance.name, memory.name);
                let writes = memory.writes.iter().map(|w| (w.0 + base, w.1 + base, w.2 + base)).collect();
                flat.memories.push(Memory { name, writes, ..memory });
            }
            for (port, inside) in &child.outputs {
                if let Some(&outside) = instance.outputs.get(port) {
                    let node = &mut flat.nodes[outside as usize];
                    (node.op, node.args) = (Op::Wire, vec![inside + base]);
                }
            }
        }
        flat
    }
}

/// What a node is used for at the clock's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A condition.
    Test,
    /// What a register becomes.
    Value(Id),
    /// An address or a word of a memory.
    Word,
}

/// Conditions and values at clock's edges, in their order.
pub(super) fn uses(items: &mut [Item]) -> impl Iterator<Item = (Use, &mut Id)> {
    items.iter_mut().flat_map(|item| match item {
        Item::Edge(statements) => Statement::uses(statements),
        _ => Vec::new(),
    })
}

impl Statement {
    fn uses(statements: &mut [Statement]) -> Vec<(Use, &mut Id)> {
        let mut found = Vec::new();
        for Statement(step) in statements {
            match step {
                Step::Set { register, value, .. } => found.push((Use::Value(*register), value)),
                Step::Write { address, value, .. } => {
                    found.extend([(Use::Word, address), (Use::Word, value)])
                }
                Step::When { test, then, otherwise } => {
                    found.push((Use::Test, test));
                    found.extend(Statement::uses(then));
                    found.extend(Statement::uses(otherwise));
                }
                Step::Match { arms, otherwise, .. } => {
                    found.extend(arms.iter_mut().flat_map(|(_, block)| Statement::uses(block)));
                    found.extend(Statement::uses(otherwise));
                }
            }
        }
        found
    }

    /// Every register that it may set, with the place where.
    pub(super) fn targets(statements: &[Statement]) -> Vec<(Id, Place)> {
        let mut found = Vec::new();
        for Statement(step) in statements {
            match step {
                Step::Set { register, place, .. } => found.push((*register, *place)),
                Step::Write { .. } => {}
                Step::When { then, otherwise, .. } => {
                    found.extend(Statement::targets(then));
                    found.extend(Statement::targets(otherwise));
                }
                Step::Match { arms, otherwise, .. } => {
                    found.extend(arms.iter().flat_map(|(_, block)| Statement::targets(block)));
                    found.extend(Statement::targets(otherwise));
                }
            }
        }
        found
    }
}
