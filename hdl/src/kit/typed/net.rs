// SPDX-License-Identifier: MIT OR Apache-2.0
//! The netlist behind a typed module: what is printed, checked and simulated.

use std::collections::BTreeMap;
use std::panic::Location;

/// Number of a node in its netlist.
pub(super) type Id = u32;

/// What a node computes of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Input,
    Const,
    /// Its one operand, under a name; without operands it has not been driven yet.
    Wire,
    Reg,
    Not,
    /// Whether a bit is set.
    Any,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    Ge,
    SignedLt,
    Mux,
    /// The operand whose code, from the second on, the first one is; the last of none: under a name.
    Table,
    /// Bits from this one on.
    Slice(usize),
    /// The first operand highest.
    Cat,
    /// The operand so many times.
    Repeat(usize),
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
    pub value: Option<u64>,
    /// Of a table, one for each operand but the first and the last.
    pub codes: Vec<u64>,
    /// Where it was written.
    pub place: &'static Location<'static>,
}

/// What happens at a clock's edge.
#[derive(Clone, Debug)]
pub struct Statement(pub(super) Step);

#[derive(Clone, Debug)]
pub(super) enum Step {
    Set { register: Id, value: Id, place: &'static Location<'static> },
    When { test: Id, then: Vec<Statement>, otherwise: Vec<Statement> },
}

/// What stands in the printed body, in the order of its description.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Comment(String),
    /// A wire with its value, or one whose value stands below.
    Wire(Id),
    Declaration(Id),
    Drive(Id),
    Table(Id),
    Register(Id),
    Edge(Vec<Statement>),
}

/// All of a module.
#[derive(Clone, Debug, Default)]
pub(super) struct Net {
    pub nodes: Vec<Node>,
    /// What a register becomes at the next edge.
    pub next: BTreeMap<Id, Id>,
    /// Ports that the module drives.
    pub outputs: Vec<(String, Id)>,
    pub items: Vec<Item>,
}

impl Net {
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn name(&self, id: Id) -> &str {
        self.node(id).name.as_deref().unwrap_or("an expression")
    }

    /// Nodes that registers and outputs need, operands first; or the names on a combinational loop, in the direction of the signal.
    pub fn order(&self) -> Result<Vec<Id>, (Id, Vec<String>)> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let roots = self.outputs.iter().map(|(_, id)| *id);
        let roots = roots.chain(self.next.iter().flat_map(|(register, next)| [*register, *next]));
        let (mut order, mut state) = (Vec::new(), vec![NEW; self.nodes.len()]);
        for root in roots {
            let mut stack = vec![(root, 0)];
            while let Some((id, next)) = stack.pop() {
                if next == 0 {
                    if state[id as usize] == DONE {
                        continue;
                    }
                    state[id as usize] = OPEN;
                }
                let node = self.node(id);
                let args = if node.op == Op::Reg { &[][..] } else { &node.args };
                let Some(&arg) = args.get(next) else {
                    state[id as usize] = DONE;
                    order.push(id);
                    continue;
                };
                stack.push((id, next + 1));
                if state[arg as usize] == OPEN {
                    let from = stack.iter().position(|(id, _)| *id == arg).unwrap_or(0);
                    let on_it = std::iter::once(arg).chain(stack[from..].iter().rev().map(|(id, _)| *id));
                    let names = on_it.filter_map(|id| self.node(id).name.clone());
                    return Err((arg, names.collect()));
                }
                stack.push((arg, 0));
            }
        }
        Ok(order)
    }
}

impl Statement {
    /// Every register that it may set, with the place where.
    pub(super) fn targets(statements: &[Statement]) -> Vec<(Id, &'static Location<'static>)> {
        let mut found = Vec::new();
        for Statement(step) in statements {
            match step {
                Step::Set { register, place, .. } => found.push((*register, *place)),
                Step::When { then, otherwise, .. } => {
                    found.extend(Statement::targets(then));
                    found.extend(Statement::targets(otherwise));
                }
            }
        }
        found
    }
}
