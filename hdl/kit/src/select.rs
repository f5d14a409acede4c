// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of which an input of the top module chooses one, or none: every module below sees it by its hierarchical name.

use super::net::{Id, Net, Node, Op};
use super::port::{Direction, Port};
use super::value::Value;

/// The input that chooses.
pub(super) struct Selector {
    input: String,
    path: String,
    width: usize,
}

impl Selector {
    /// An input `input` of the module `top` that tells so many changes from each other and from none.
    pub fn new(top: &str, input: &str, count: usize) -> Selector {
        let width = (usize::BITS - count.leading_zeros()).max(1) as usize;
        Selector { input: input.into(), path: format!("{top}.{input}"), width }
    }

    /// The port that it is.
    pub fn port(&self, about: &str) -> Port {
        Port { name: self.input.clone(), width: self.width, direction: Direction::Input, about: about.into() }
    }

    /// Whether a change is chosen: by its number, from 1.
    pub fn chosen(&self, net: &mut Net, number: usize) -> Id {
        let select = add(net, Op::Outside, &[], self.width);
        net.nodes[select as usize].name = Some(self.path.clone());
        let number = constant(net, self.width, number as u64);
        add(net, Op::Eq, &[select, number], 1)
    }
}

/// A further node.
pub(super) fn add(net: &mut Net, op: Op, args: &[Id], width: usize) -> Id {
    net.nodes.push(Node {
        op,
        args: args.to_vec(),
        width,
        name: None,
        value: None,
        codes: Vec::new(),
        place: std::panic::Location::caller(),
        stage: None,
        kept: None,
    });
    net.nodes.len() as Id - 1
}

/// A number of at most 64 bits.
pub(super) fn constant(net: &mut Net, width: usize, value: u64) -> Id {
    let constant = add(net, Op::Const, &[], width);
    net.nodes[constant as usize].value = Some(Value::new(width, &[value]));
    constant
}

/// A constant vector from its words, the lowest first.
pub(super) fn plane(net: &mut Net, width: usize, words: &[u64]) -> Id {
    let plane = add(net, Op::Plane, &[], width);
    net.nodes[plane as usize].value = Some(Value::new(width, words));
    plane
}
