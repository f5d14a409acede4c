// SPDX-License-Identifier: MIT OR Apache-2.0
//! The longest chain of operators between registers: what a synthesizer has to work with, before it does.

use super::circuit::Circuit;
use super::net::{Id, Net, Op};

/// A chain of operators between an input or a register and an output or a register.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Operators on it; wiring counts for nothing, whatever is chosen, added or compared for one, whatever its width.
    pub operators: usize,
    /// Named signals along it, the first one first.
    pub signals: Vec<String>,
}

impl Circuit {
    /// The longest chain of operators of it and all below.
    pub fn longest_chain(&self) -> Chain {
        longest(&self.net().flattened())
    }
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
        if node.op == Op::Reg {
            continue;
        }
        let deepest = node.args.iter().copied().max_by_key(|arg| depth[*arg as usize]);
        before[id as usize] = deepest;
        depth[id as usize] = deepest.map_or(0, |arg| depth[arg as usize]) + usize::from(!wiring);
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
