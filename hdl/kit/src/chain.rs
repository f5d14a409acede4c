// SPDX-License-Identifier: MIT OR Apache-2.0
//! The longest chain of operators between registers: what a synthesizer has to work with, before it does.

use super::circuit::Circuit;
use super::net::{Id, Net, Op};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A chain of operators between an input or a register and an output or a register.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Operators on it; wiring counts for nothing, whatever is chosen, added or compared for one, whatever its width; what may be joined
    /// in any order counts as a tree.
    pub operators: usize,
    /// Named signals along it, the first one first.
    pub signals: Vec<String>,
}

impl Circuit {
    /// The longest chain of operators of it and all below.
    pub fn longest_chain(&self) -> Chain {
        longest(&self.net().flattened())
    }

    /// The longest within each circuit's own netlist, its children's inputs and outputs being ends, by the circuit's name: the longest of
    /// those that share one.
    pub fn chains(&self) -> BTreeMap<String, Chain> {
        let mut chains = BTreeMap::new();
        self.gather_chains(&mut chains);
        chains
    }

    fn gather_chains(&self, chains: &mut BTreeMap<String, Chain>) {
        for (_, child) in self.children() {
            child.gather_chains(chains);
        }
        let (chain, known) = (longest(self.net()), chains.entry(self.kind().to_string()).or_default());
        if chain.operators > known.operators {
            *known = chain;
        }
    }
}

/// Operands of a node; of a chain of one operator without names, which may be joined in any order, those of all.
fn operands(net: &Net, id: Id) -> Vec<Id> {
    let node = net.node(id);
    if !matches!(node.op, Op::And | Op::Or | Op::Xor) {
        return node.args.clone();
    }
    let (mut found, mut open) = (Vec::new(), node.args.clone());
    while let Some(arg) = open.pop() {
        let part = net.node(arg);
        match part.op == node.op && part.name.is_none() {
            true => open.extend(&part.args),
            false => found.push(arg),
        }
    }
    found
}

/// Depth of a tree of operators over operands of some depths: the two shallowest first; all at once if they are no more than three.
fn joined(depths: impl Iterator<Item = usize>) -> usize {
    let mut heap: BinaryHeap<Reverse<usize>> = depths.map(Reverse).collect();
    if heap.len() <= 3 {
        return heap.into_iter().map(|Reverse(depth)| depth).max().unwrap_or(0) + 1;
    }
    while let (Some(Reverse(_)), Some(Reverse(deeper))) = (heap.pop(), heap.pop()) {
        if heap.is_empty() {
            return deeper + 1;
        }
        heap.push(Reverse(deeper + 1));
    }
    0
}

fn longest(net: &Net) -> Chain {
    let order = net.order().unwrap_or_default();
    let mut depth = vec![0_usize; net.nodes.len()];
    let mut before: Vec<Option<Id>> = vec![None; net.nodes.len()];
    for &id in &order {
        let node = net.node(id);
        let wiring = matches!(
            node.op,
            Op::Input
                | Op::Const
                | Op::Plane
                | Op::Wire
                | Op::Reg
                | Op::Child(_)
                | Op::Outside
                | Op::Slice(_)
                | Op::Cat
                | Op::Repeat(_)
                | Op::Up(_)
                | Op::Down(_)
        );
        if matches!(node.op, Op::Reg | Op::Child(_)) {
            continue;
        }
        let operands = operands(net, id);
        before[id as usize] = operands.iter().copied().max_by_key(|arg| depth[*arg as usize]);
        let depths = operands.iter().map(|arg| depth[*arg as usize]);
        depth[id as usize] = if wiring { depths.max().unwrap_or(0) } else { joined(depths) };
    }
    let Some(mut at) = order.iter().copied().max_by_key(|id| depth[*id as usize]) else {
        return Chain::default();
    };
    let operators = depth[at as usize];
    let mut signals = Vec::new();
    loop {
        signals.extend(net.node(at).name.clone());
        match before[at as usize] {
            Some(next) => at = next,
            None => break,
        }
    }
    signals.reverse();
    Chain { operators, signals }
}
