// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults put into a circuit on purpose: a circuit, a signal of it, a change of what it is made of.

use super::circuit::Circuit;
use super::expression::{expression, plain_names};
use super::net::{Id, Item, Net, Node, Op, Statement, Step};
use super::select::{Selector, add, plane};
use std::sync::Arc;

/// What a fault makes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// No bit is set.
    Zeros,
    /// Every bit is.
    Ones,
    /// Its complement.
    Not,
    /// Its own first operand: the others of the operator count for nothing.
    First,
    /// The same operands, all of them, under another operator.
    Operator(Operator),
    /// Another signal or expression of the circuit.
    Signal(&'static str),
    /// It, and another one.
    And(&'static str),
    /// It, and not another one.
    AndNot(&'static str),
    /// It, or another one.
    Or(&'static str),
    /// One less.
    OneLess,
    /// A register that reset does not act on.
    NoReset,
}

/// Operators that a fault may put in the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `|`
    Or,
    /// `!=`
    Differs,
    /// `>=`
    AtLeast,
}

/// One fault. In texts `*` stands for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Name.
    pub name: &'static str,
    /// Kind of the circuit.
    pub circuit: &'static str,
    /// Signals of it whose drivers change: wires, registers, outputs, a child's inputs as `child.port`.
    pub signals: &'static [&'static str],
    /// Operands within the drivers, as they are printed; none is the whole driver.
    pub operands: &'static [&'static str],
    /// What becomes of each.
    pub change: Change,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (signals, operands) = (self.signals.join(", "), self.operands.join(", "));
        let of = if operands.is_empty() { String::new() } else { format!("{operands} of ") };
        write!(out, "in {}: {of}{signals} becomes {:?}", self.circuit, self.change)
    }
}

/// Why a fault cannot be put into a circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// No circuit of this kind.
    #[error("{0}: there is no circuit {1}")]
    NoCircuit(&'static str, &'static str),
    /// No such signal, or no such operand of it.
    #[error("{0}: {1} has no {2} in {3:?}")]
    NotFound(&'static str, &'static str, String, &'static [&'static str]),
}

/// Whether a text is of a form in which `*` stands for anything.
fn is_like(form: &str, text: &str) -> bool {
    let mut parts = form.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

impl Circuit {
    /// The circuit with all faults, of which a further input `select` chooses one by its number, from 1; 0 is none. `top` is what its
    /// module will be called: every module below sees the input by its hierarchical name.
    pub fn with_faults(mut self, faults: &[Fault], top: &str, select: &str) -> Result<Circuit, FaultError> {
        let selector = Selector::new(top, select, faults.len());
        for (index, fault) in faults.iter().enumerate() {
            let choice = Choice { fault, selector: &selector, number: index + 1 };
            if !self.spoil(&choice)? {
                return Err(FaultError::NoCircuit(fault.name, fault.circuit));
            }
        }
        self.ports.push(selector.port("Chooses a fault"));
        Ok(self)
    }

    /// Puts one into every circuit of its kind; whether there is one.
    fn spoil(&mut self, choice: &Choice) -> Result<bool, FaultError> {
        let mut found = false;
        for (_, child) in &mut self.children {
            found |= child.spoil(choice)?;
        }
        if self.kind == choice.fault.circuit {
            choice.apply(Arc::make_mut(&mut self.net))?;
            found = true;
        }
        Ok(found)
    }
}

/// A fault and how it is chosen.
struct Choice<'a> {
    fault: &'a Fault,
    selector: &'a Selector,
    number: usize,
}

impl Choice<'_> {
    fn missing(&self, what: &str) -> FaultError {
        let Fault { name, circuit, signals, .. } = *self.fault;
        FaultError::NotFound(name, circuit, what.to_string(), signals)
    }

    fn is_meant(&self, name: &str) -> bool {
        self.fault.signals.iter().any(|form| is_like(form, name))
    }

    fn apply(&self, net: &mut Net) -> Result<(), FaultError> {
        if self.fault.change == Change::NoReset {
            let chosen = self.selector.chosen(net, self.number);
            let registers = (0..net.nodes.len()).filter(|&id| {
                let node = &net.nodes[id];
                node.op == Op::Reg && node.name.as_deref().is_some_and(|name| self.is_meant(name))
            });
            let registers: Vec<usize> = registers.collect();
            registers.iter().for_each(|&id| net.nodes[id].kept = Some(chosen));
            return if registers.is_empty() { Err(self.missing("register")) } else { Ok(()) };
        }
        let mut hits = vec![0; self.fault.operands.len().max(1)];
        let mut items = std::mem::take(&mut net.items);
        for item in &mut items {
            match item {
                Item::Wire(id) | Item::Drive(id) if self.is_meant(&plain(net.name(*id))) => {
                    let driver = net.node(*id).args[0];
                    let driver = self.changed(net, driver, &mut hits)?;
                    net.nodes[*id as usize].args[0] = driver;
                }
                Item::Connect(instance, port) => {
                    let child = &net.instances[*instance];
                    let driver = child.inputs.get(port).and_then(|(_, driver)| *driver);
                    if let (true, Some(driver)) = (self.is_meant(&format!("{}.{port}", child.name)), driver) {
                        let driver = self.changed(net, driver, &mut hits)?;
                        if let Some((_, to)) = net.instances[*instance].inputs.get_mut(port) {
                            *to = Some(driver);
                        }
                    }
                }
                Item::Edge(statements) => self.edge(net, statements, &mut hits)?,
                _ => {}
            }
        }
        net.items = items;
        match hits.iter().position(|hits| *hits == 0) {
            Some(place) => Err(self.missing(self.fault.operands.get(place).unwrap_or(&"driver"))),
            None => Ok(()),
        }
    }

    /// Values and conditions of registers that are meant.
    fn edge(
        &self,
        net: &mut Net,
        statements: &mut [Statement],
        hits: &mut [usize],
    ) -> Result<(), FaultError> {
        for Statement(step) in statements {
            match step {
                Step::Set { register, value, .. } if self.is_meant(net.name(*register)) => {
                    *value = self.changed(net, *value, hits)?;
                }
                Step::Set { .. } | Step::Write { .. } => {}
                Step::When { test, then, otherwise } => {
                    let mut inside = Statement::targets(then);
                    inside.extend(Statement::targets(otherwise));
                    let meant = inside.iter().any(|(register, _)| self.is_meant(net.name(*register)));
                    // A condition is one of a fault only if an operand is named: the driver is what is set.
                    if meant && !self.fault.operands.is_empty() {
                        *test = self.changed(net, *test, hits)?;
                    }
                    self.edge(net, then, hits)?;
                    self.edge(net, otherwise, hits)?;
                }
                Step::Match { arms, otherwise, .. } => {
                    for (_, block) in arms {
                        self.edge(net, block, hits)?;
                    }
                    self.edge(net, otherwise, hits)?;
                }
            }
        }
        Ok(())
    }

    /// An expression with its operands changed where the fault is chosen.
    fn changed(&self, net: &mut Net, id: Id, hits: &mut [usize]) -> Result<Id, FaultError> {
        let text = plain(&expression(net, id));
        let place = match self.fault.operands {
            [] => Some(0),
            operands => operands.iter().position(|form| is_like(form, &text)),
        };
        if let Some(place) = place {
            hits[place] += 1;
            let chosen = self.selector.chosen(net, self.number);
            let spoiled = self.spoiled(net, id)?;
            return Ok(add(net, Op::Mux, &[chosen, spoiled, id], net.node(id).width));
        }
        let node = net.node(id).clone();
        if node.name.is_some() {
            return Ok(id);
        }
        let mut args = node.args.clone();
        for arg in &mut args {
            *arg = self.changed(net, *arg, hits)?;
        }
        if args == node.args {
            return Ok(id);
        }
        net.nodes.push(Node { args, ..node });
        Ok(net.nodes.len() as Id - 1)
    }

    /// What the fault makes of a node.
    fn spoiled(&self, net: &mut Net, id: Id) -> Result<Id, FaultError> {
        let node = net.node(id).clone();
        let width = node.width;
        let other = |net: &Net, text: &str| {
            let place = (0..net.nodes.len() as Id).find(|&id| plain(&expression(net, id)) == text);
            place.ok_or_else(|| self.missing(text))
        };
        Ok(match self.fault.change {
            Change::Zeros => plane(net, width, &[]),
            Change::Ones => plane(net, width, &vec![u64::MAX; width.div_ceil(64)]),
            Change::Not if node.op == Op::Not && node.name.is_none() => node.args[0],
            Change::Not => add(net, Op::Not, &[id], width),
            Change::First => *node.args.first().ok_or_else(|| self.missing("operand"))?,
            Change::Signal(text) => other(net, text)?,
            Change::And(text) => {
                let other = other(net, text)?;
                add(net, Op::And, &[id, other], width)
            }
            Change::AndNot(text) => {
                let other = other(net, text)?;
                let not = add(net, Op::Not, &[other], width);
                add(net, Op::And, &[id, not], width)
            }
            Change::Or(text) => {
                let other = other(net, text)?;
                add(net, Op::Or, &[id, other], width)
            }
            Change::OneLess => {
                let one = plane(net, width, &[1]);
                add(net, Op::Sub, &[id, one], width)
            }
            Change::Operator(operator) => {
                let op = match (operator, node.op) {
                    (Operator::Or, _) => Op::Or,
                    (Operator::Differs, _) => Op::Ne,
                    (Operator::AtLeast, _) => Op::Ge,
                };
                let args = chain(net, &node);
                let first = args[0];
                args[1..].iter().fold(first, |left, right| add(net, op, &[left, *right], width))
            }
            Change::NoReset => id,
        })
    }
}

/// The operands of a chain of one operator.
fn chain(net: &Net, node: &Node) -> Vec<Id> {
    let first = net.node(node.args[0]);
    let mut args = match first.op == node.op && first.name.is_none() {
        true => chain(net, first),
        false => vec![node.args[0]],
    };
    args.extend(&node.args[1..]);
    args
}

/// A text with children's ports as they are printed.
fn plain(text: &str) -> String {
    plain_names(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(is_like("take_*", "take_0_n2") && is_like("a", "a") && is_like("e_*[2]", "e_12[2]"));
        assert!(!is_like("take_*", "stake_0") && !is_like("a", "ab") && !is_like("e_*[2]", "e_12[3]"));
    }
}
