// SPDX-License-Identifier: MIT OR Apache-2.0
//! What decides in a circuit: the conditions of its multiplexers and of its registers, each under a name, so that a count of changes by
//! signal tells which of them never were, or always.

use super::circuit::Circuit;
use super::expression::{expression, plain_names};
use super::net::{Id, Item, Net, Node, Op, Place, Use, uses};
use super::print::roots;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its circuit's name.
    pub circuit: String,
    /// Its signal, one bit.
    pub signal: String,
    /// What it is, as it is printed.
    pub text: String,
    /// A signal that it decides.
    pub of: String,
    /// Where it was written.
    pub place: Place,
}

impl std::fmt::Display for Choice {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Choice { circuit, text, of, place, .. } = self;
        write!(out, "{circuit}: {text} for {of} ({}:{})", place.file(), place.line())
    }
}

impl Circuit {
    /// The same circuit with a name for every condition in it and below, and what they are, each circuit's once.
    pub fn with_named_choices(mut self) -> (Circuit, Vec<Choice>) {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        self.name_choices(&mut found, &mut seen);
        (self, found)
    }

    fn name_choices(&mut self, found: &mut Vec<Choice>, seen: &mut BTreeSet<(String, usize)>) {
        for (_, child) in &mut self.children {
            child.name_choices(found, seen);
        }
        let new = seen.insert((self.kind.clone(), self.net.nodes.len()));
        let choices = named(&self.kind, Arc::make_mut(&mut self.net));
        if new {
            found.extend(choices);
        }
    }
}

/// Names under which conditions are printed, as they are met.
#[derive(Default)]
struct Names {
    wires: BTreeMap<Id, Id>,
    /// Those that are not declared yet.
    new: Vec<Id>,
}

impl Names {
    /// The signal of a condition: itself, if it has a name.
    fn of(&mut self, net: &mut Net, test: Id) -> Id {
        if net.node(test).name.is_some() {
            return test;
        }
        if let Some(wire) = self.wires.get(&test) {
            return *wire;
        }
        let free = |name: &String| net.nodes.iter().all(|node| node.name.as_ref() != Some(name));
        let name = (self.wires.len() + 1..).map(|number| format!("choice_{number}")).find(free);
        let below = net.node(test).clone();
        net.nodes.push(Node {
            op: Op::Wire,
            args: vec![test],
            name,
            value: None,
            codes: Vec::new(),
            ..below
        });
        let wire = net.nodes.len() as Id - 1;
        self.wires.insert(test, wire);
        self.new.push(wire);
        wire
    }
}

/// Whether it follows from numbers alone.
fn is_constant(net: &Net, id: Id) -> bool {
    let node = net.node(id);
    match node.op {
        Op::Const | Op::Plane => true,
        _ => {
            !node.args.is_empty() && node.name.is_none() && node.args.iter().all(|arg| is_constant(net, *arg))
        }
    }
}

/// Gives the conditions of a circuit names.
fn named(circuit: &str, net: &mut Net) -> Vec<Choice> {
    let (mut found, mut told, mut seen) = (Vec::new(), BTreeSet::new(), vec![false; net.nodes.len()]);
    let mut names = Names::default();
    for item in std::mem::take(&mut net.items) {
        let mut item = [item];
        let of = net.subject(&item[0]).unwrap_or_default();
        let mut tell = |net: &Net, test: Id, wire: Id| {
            if told.insert(wire) {
                found.push(Choice {
                    circuit: circuit.into(),
                    signal: plain_names(net.name(wire)),
                    text: plain_names(&expression(net, test)),
                    of: plain_names(&of),
                    place: net.node(test).place,
                });
            }
        };
        let mut open = roots(net, &item[0]);
        while let Some(id) = open.pop() {
            // What was named meanwhile is further on in the list of nodes.
            if net.node(id).name.is_some() || std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            open.extend(net.node(id).args.clone());
            if net.node(id).op == Op::Mux && !is_constant(net, net.node(id).args[0]) {
                let test = net.node(id).args[0];
                let wire = names.of(net, test);
                net.nodes[id as usize].args[0] = wire;
                tell(net, test, wire);
            }
        }
        for (used, id) in uses(&mut item) {
            if used == Use::Test && !is_constant(net, *id) {
                let test = *id;
                *id = names.of(net, test);
                tell(net, test, *id);
            }
        }
        // Conditions may be parts of each other, in any order.
        net.items.extend(names.new.iter().map(|wire| Item::Declaration(*wire)));
        net.items.extend(names.new.drain(..).map(Item::Drive));
        net.items.extend(item);
    }
    found
}
