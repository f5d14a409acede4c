// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutants: every small change that a netlist allows, found without being told. A check that plays on with one in place does not look
//! there.

use super::circuit::Circuit;
use super::expression::{expression, plain_names};
use super::net::{Id, Item, Net, Op, Place, Use, uses};
use super::print::roots;
use super::select::{Selector, add, constant, plane};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Where {
    /// A node without a name, wherever it is used.
    Node(Id),
    /// What drives a wire.
    Wire(Id),
    /// What drives a child's input.
    Pin(usize, String),
    /// A condition or a value at the clock's edge, by its number.
    Use(usize),
    /// What reset does to a register.
    Reset(Id),
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Becomes {
    Zeros,
    Ones,
    Not,
    Flipped(usize),
    Operator(Op),
    Operand(usize),
    Swapped,
    OneMore,
    /// The register keeps its value.
    Held(Id),
    NoReset,
}

/// One change of one circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    circuit: String,
    /// Nodes of the circuit: others of its name may have another netlist.
    nodes: usize,
    signal: String,
    text: String,
    kind: &'static str,
    place: Place,
    at: Where,
    becomes: Becomes,
}

impl Mutant {
    /// What kind of change it is, in words.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Name of the circuit.
    pub fn circuit(&self) -> &str {
        &self.circuit
    }
}

impl std::fmt::Display for Mutant {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const LONGEST: usize = 60;
        let Mutant { circuit, signal, kind, place, .. } = self;
        let mut text: String = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((cut, _)) = text.char_indices().nth(LONGEST) {
            text.truncate(cut);
            text.push_str("..");
        }
        write!(out, "{circuit}: {text} of {signal}: {kind} ({}:{})", place.file(), place.line())
    }
}

impl Circuit {
    /// Every mutant of it and of all below, each circuit once, in an order that depends on nothing else.
    pub fn mutants(&self) -> Vec<Mutant> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        self.gather(&mut found, &mut seen);
        found
    }

    fn gather(&self, found: &mut Vec<Mutant>, seen: &mut BTreeSet<(String, usize)>) {
        for (_, child) in &self.children {
            child.gather(found, seen);
        }
        if seen.insert((self.kind.clone(), self.net.nodes.len())) {
            found.extend(of_net(&self.kind, &self.net));
        }
    }

    /// The circuit with mutants, of which a further input `select` chooses one by its number, from 1; 0 is none. `top` is what its
    /// module will be called.
    pub fn with_mutants(mut self, mutants: &[Mutant], top: &str, select: &str) -> Circuit {
        let selector = Selector::new(top, select, mutants.len());
        self.mutate(mutants, &selector);
        self.ports.push(selector.port("Chooses a mutant"));
        self
    }

    fn mutate(&mut self, mutants: &[Mutant], selector: &Selector) {
        for (_, child) in &mut self.children {
            child.mutate(mutants, selector);
        }
        let (kind, nodes) = (&self.kind, self.net.nodes.len());
        let own = (1..).zip(mutants).filter(|(_, mutant)| mutant.circuit == *kind && mutant.nodes == nodes);
        let own: Vec<(usize, &Mutant)> = own.collect();
        if !own.is_empty() {
            let net = Arc::make_mut(&mut self.net);
            let sound = net.clone();
            own.iter().for_each(|(number, mutant)| apply(net, &sound, mutant, selector, *number));
        }
    }
}

/// What a value without knowledge of its operator may become.
fn of_value(width: usize, id: Id) -> Vec<(&'static str, Becomes)> {
    match width {
        0 => Vec::new(),
        1 => vec![("stuck at 0", Becomes::Zeros), ("stuck at 1", Becomes::Ones), ("inverted", Becomes::Not)],
        _ => {
            vec![("stuck at 0", Becomes::Zeros), ("one bit inverted", Becomes::Flipped(id as usize % width))]
        }
    }
}

/// What a node may become.
fn of_node(net: &Net, id: Id) -> Vec<(&'static str, Becomes)> {
    let node = net.node(id);
    let width = |arg: usize| net.node(node.args[arg]).width;
    let operator = |op| ("another operator", Becomes::Operator(op));
    let operand = |number| ("an operand left out", Becomes::Operand(number));
    let mut found = match node.op {
        Op::Const if node.width > 0 => return vec![("a number one more", Becomes::OneMore)],
        Op::Plane if node.width > 0 => {
            return vec![("one bit inverted", Becomes::Flipped(id as usize % node.width))];
        }
        Op::Not => return Vec::new(), // What it is of is inverted.
        Op::And => vec![operator(Op::Or), operand(0), operand(1)],
        Op::Or => vec![operator(Op::And), operand(0), operand(1)],
        Op::Xor => vec![operator(Op::Or), operand(0), operand(1)],
        Op::Add => vec![operator(Op::Sub), operand(0)],
        Op::Sub => vec![operator(Op::Add), operand(0)],
        Op::Lt => vec![operator(Op::Le)],
        Op::Le => vec![operator(Op::Lt)],
        Op::Gt => vec![operator(Op::Ge)],
        Op::Ge => vec![operator(Op::Gt)],
        Op::SignedLt => vec![("unsigned", Becomes::Operator(Op::Lt))],
        Op::SignedGt => vec![("unsigned", Becomes::Operator(Op::Gt))],
        Op::Any if width(0) > 1 => vec![operator(Op::All)],
        Op::All if width(0) > 1 => vec![operator(Op::Any)],
        Op::Mux => vec![
            ("choices swapped", Becomes::Swapped),
            ("one choice alone", Becomes::Operand(1)),
            ("one choice alone", Becomes::Operand(2)),
        ],
        Op::UpBy | Op::DownBy => vec![("no shift", Becomes::Operand(0))],
        Op::Up(by) if by > 1 => vec![("shifted by one less", Becomes::Operator(Op::Up(by - 1)))],
        Op::Down(by) if by > 1 => vec![("shifted by one less", Becomes::Operator(Op::Down(by - 1)))],
        Op::Slice(low) => {
            let up = (low + node.width < width(0)).then_some(low + 1);
            let places = [up, low.checked_sub(1)].into_iter().flatten();
            places.map(|low| ("a slice one further", Becomes::Operator(Op::Slice(low)))).collect()
        }
        _ => Vec::new(),
    };
    found.extend(of_value(node.width, id));
    found
}

fn of_net(circuit: &str, net: &Net) -> Vec<Mutant> {
    let mut found = Vec::new();
    let mut tell = |signal: &str, id: Id, at: Where, kind, becomes| {
        let text = plain_names(&expression(net, id));
        let signal = plain_names(signal);
        let place = net.node(id).place;
        found.push(Mutant {
            circuit: circuit.into(),
            nodes: net.nodes.len(),
            signal,
            text,
            kind,
            place,
            at,
            becomes,
        });
    };
    let mut seen = vec![false; net.nodes.len()];
    for item in &net.items {
        if let Item::Register(id) = item
            && net.node(*id).value.is_some()
        {
            tell(net.name(*id), *id, Where::Reset(*id), "not reset", Becomes::NoReset);
        }
        let Some(signal) = net.subject(item) else { continue };
        let mut open = roots(net, item);
        // A name alone has no node of its own to change; those at an edge are there below.
        if let (Item::Wire(_) | Item::Drive(_) | Item::Connect(..), [root]) = (item, &open[..])
            && net.node(*root).name.is_some()
        {
            let at = match item {
                Item::Connect(instance, port) => Where::Pin(*instance, port.clone()),
                Item::Wire(id) | Item::Drive(id) => Where::Wire(*id),
                _ => continue,
            };
            for (kind, becomes) in of_value(net.node(*root).width, *root) {
                tell(&signal, *root, at.clone(), kind, becomes);
            }
        }
        while let Some(id) = open.pop() {
            if net.node(id).name.is_some() || std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            for (kind, becomes) in of_node(net, id) {
                tell(&signal, id, Where::Node(id), kind, becomes);
            }
            open.extend(&net.node(id).args);
        }
    }
    let mut items = net.items.clone();
    for (number, (used, id)) in uses(&mut items).enumerate() {
        let named = net.node(*id).name.is_some();
        match used {
            Use::Test | Use::Word if named => {
                for (kind, becomes) in of_value(net.node(*id).width, *id) {
                    tell("an edge", *id, Where::Use(number), kind, becomes);
                }
            }
            Use::Test | Use::Word => {}
            Use::Value(register) => {
                let name = net.name(register);
                tell(name, *id, Where::Use(number), "a value not taken", Becomes::Held(register));
                if named {
                    for (kind, becomes) in of_value(net.node(*id).width, *id) {
                        tell(name, *id, Where::Use(number), kind, becomes);
                    }
                }
            }
        }
    }
    found
}

/// Puts a mutant into a circuit that may have others; `sound` is the circuit without.
fn apply(net: &mut Net, sound: &Net, mutant: &Mutant, selector: &Selector, number: usize) {
    let chosen = selector.chosen(net, number);
    let choice = |net: &mut Net, id: Id, of: Id| {
        let spoiled = spoiled(net, sound, id, of, mutant.becomes);
        add(net, Op::Mux, &[chosen, spoiled, id], net.node(id).width)
    };
    match &mutant.at {
        Where::Reset(id) => net.nodes[*id as usize].kept = Some(chosen),
        Where::Node(id) => {
            // It stays what others use, as a choice; what it was stands behind.
            net.nodes.push(net.node(*id).clone());
            let now = net.nodes.len() as Id - 1;
            let choice = choice(net, now, *id);
            net.nodes[*id as usize] = net.node(choice).clone();
        }
        Where::Wire(id) => {
            let driver = net.node(*id).args[0];
            net.nodes[*id as usize].args[0] = choice(net, driver, sound.node(*id).args[0]);
        }
        Where::Pin(instance, port) => {
            let driver =
                |net: &Net| net.instances[*instance].inputs.get(port).and_then(|(_, driver)| *driver);
            if let (Some(now), Some(of)) = (driver(net), driver(sound)) {
                let choice = choice(net, now, of);
                net.instances[*instance]
                    .inputs
                    .entry(port.clone())
                    .and_modify(|(_, driver)| *driver = Some(choice));
            }
        }
        Where::Use(place) => {
            let mut items = std::mem::take(&mut net.items);
            if let Some((_, id)) = uses(&mut items).nth(*place) {
                *id = choice(net, *id, *id);
            }
            net.items = items;
        }
    }
}

/// What becomes of a value `id`, which without other mutants is the node `of`.
fn spoiled(net: &mut Net, sound: &Net, id: Id, of: Id, becomes: Becomes) -> Id {
    let width = net.node(id).width;
    let operands = || sound.node(of).args.clone();
    match becomes {
        Becomes::Zeros => plane(net, width, &[]),
        Becomes::Ones => plane(net, width, &vec![u64::MAX; width.div_ceil(64)]),
        Becomes::Not => add(net, Op::Not, &[id], width),
        Becomes::Flipped(bit) => {
            let mut words = vec![0; width.div_ceil(64)];
            words[bit / 64] = 1 << (bit % 64);
            let mask = plane(net, width, &words);
            add(net, Op::Xor, &[id, mask], width)
        }
        Becomes::Operator(op) => add(net, op, &operands(), width),
        Becomes::Operand(number) => operands()[number],
        Becomes::Swapped => {
            let [test, set, clear] = operands()[..] else { return id };
            add(net, Op::Mux, &[test, clear, set], width)
        }
        Becomes::OneMore => {
            let value = sound.node(of).value.as_ref().map_or(0, |value| value.low());
            constant(net, width, value.wrapping_add(1))
        }
        Becomes::Held(register) => register,
        Becomes::NoReset => id,
    }
}
