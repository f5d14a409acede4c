// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a netlist clock by clock, without any tool: single circuits are tested with it.

use super::net::{Id, Net, Node, Op};
use std::collections::BTreeMap;

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

/// A value of any width: words, the lowest first, no bit set above the width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    words: Vec<u64>,
    width: usize,
}

impl Value {
    /// A number of so many bits; what does not fit is cut off.
    pub fn new(width: usize, words: &[u64]) -> Value {
        let mut value = Value { words: words.to_vec(), width };
        value.words.resize(width.div_ceil(WORD), 0);
        if let (Some(last), 1..) = (value.words.last_mut(), width % WORD) {
            *last &= (1 << (width % WORD)) - 1;
        }
        value
    }

    /// Its words, the lowest first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The lowest 64 bits.
    pub fn low(&self) -> u64 {
        self.words.first().copied().unwrap_or(0)
    }

    /// A field of at most 64 bits.
    pub fn field(&self, low: usize, width: usize) -> u64 {
        self.slice(low, width).low()
    }

    fn any(&self) -> bool {
        self.words.iter().any(|word| *word != 0)
    }

    fn bit(&self, at: usize) -> bool {
        self.words[at / WORD] >> (at % WORD) & 1 == 1
    }

    /// 64 bits from one on.
    fn from(&self, low: usize) -> u64 {
        let (word, shift) = (low / WORD, low % WORD);
        let at = |index: usize| self.words.get(index).copied().unwrap_or(0);
        let high = if shift == 0 { 0 } else { at(word + 1) << (WORD - shift) };
        at(word) >> shift | high
    }

    fn slice(&self, low: usize, width: usize) -> Value {
        let words: Vec<u64> = (0..width.div_ceil(WORD)).map(|index| self.from(low + index * WORD)).collect();
        Value::new(width, &words)
    }

    fn each(&self, other: &Value, of: impl Fn(u64, u64) -> u64) -> Value {
        let words: Vec<u64> = self.words.iter().zip(&other.words).map(|(a, b)| of(*a, *b)).collect();
        Value::new(self.width, &words)
    }

    /// The sum, `carry` being 0 or 1.
    fn sum(&self, other: impl Iterator<Item = u64>, mut carry: bool) -> Value {
        let add = |(a, b): (&u64, u64)| {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            sum
        };
        let words: Vec<u64> = self.words.iter().zip(other).map(add).collect();
        Value::new(self.width, &words)
    }

    fn less(&self, other: &Value) -> bool {
        self.words.iter().rev().lt(other.words.iter().rev())
    }

    fn signed_less(&self, other: &Value) -> bool {
        let sign = |value: &Value| value.bit(value.width - 1);
        if sign(self) == sign(other) { self.less(other) } else { sign(self) }
    }

    fn put(&mut self, low: usize, part: &Value) {
        for (index, word) in part.words.iter().enumerate() {
            let (at, shift) = ((low + index * WORD) / WORD, (low + index * WORD) % WORD);
            self.words[at] |= word << shift;
            if shift > 0 && at + 1 < self.words.len() {
                self.words[at + 1] |= word >> (WORD - shift);
            }
        }
    }
}

/// Side by side, the first one highest.
fn joined<'a>(width: usize, parts: impl Iterator<Item = &'a Value>) -> Value {
    let mut value = Value::new(width, &[]);
    let mut high = width;
    for part in parts {
        high -= part.width;
        value.put(high, part);
    }
    value
}

/// A module that runs: inputs are set, outputs and every other named signal read.
///
/// What a register holds at power-up is 0; Verilator and a reset tell what a circuit makes of another.
#[derive(Clone, Debug)]
pub struct Simulator {
    net: Net,
    order: Vec<Id>,
    values: Vec<Value>,
    names: BTreeMap<String, Id>,
}

impl Simulator {
    /// Of a netlist that has been checked.
    pub(super) fn new(net: &Net) -> Simulator {
        let values = net.nodes.iter().map(|node| match node.op {
            Op::Const => Value::new(node.width, &[node.value.unwrap_or(0)]),
            _ => Value::new(node.width, &[]),
        });
        let names = net.nodes.iter().enumerate();
        let names = names.filter_map(|(id, node)| Some((node.name.clone()?, id as Id)));
        let mut simulator = Simulator {
            order: net.order().unwrap_or_default(),
            values: values.collect(),
            names: names.collect(),
            net: net.clone(),
        };
        simulator.settle();
        simulator
    }

    fn id(&self, name: &str) -> Option<Id> {
        self.names.get(name).copied()
    }

    /// Sets an input, the lowest word first; false if there is none of this name.
    #[must_use = "an input that is not there is not set"]
    pub fn set(&mut self, input: &str, words: &[u64]) -> bool {
        let Some(id) = self.id(input).filter(|id| self.net.node(*id).op == Op::Input) else { return false };
        self.values[id as usize] = Value::new(self.net.node(id).width, words);
        self.settle();
        true
    }

    /// The value of a port, wire or register.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.id(name).map(|id| &self.values[id as usize])
    }

    fn settle(&mut self) {
        for index in 0..self.order.len() {
            let id = self.order[index];
            if let Some(value) = self.computed(self.net.node(id)) {
                self.values[id as usize] = value;
            }
        }
    }

    /// The next rising edge of the clock.
    pub fn tick(&mut self) {
        let next: Vec<(Id, Value)> = self
            .net
            .next
            .iter()
            .map(|(register, next)| (*register, self.values[*next as usize].clone()))
            .collect();
        for (register, value) in next {
            self.values[register as usize] = value;
        }
        self.settle();
    }

    fn computed(&self, node: &Node) -> Option<Value> {
        let arg = |index: usize| &self.values[node.args[index] as usize];
        let flag = |set: bool| Value::new(1, &[u64::from(set)]);
        Some(match node.op {
            Op::Input | Op::Const | Op::Reg => return None,
            Op::Wire => arg(0).clone(),
            Op::Not => arg(0).each(arg(0), |word, _| !word),
            Op::Any => flag(arg(0).any()),
            Op::And => arg(0).each(arg(1), |a, b| a & b),
            Op::Or => arg(0).each(arg(1), |a, b| a | b),
            Op::Xor => arg(0).each(arg(1), |a, b| a ^ b),
            Op::Add => arg(0).sum(arg(1).words.iter().copied(), false),
            Op::Sub => arg(0).sum(arg(1).words.iter().map(|word| !word), true),
            Op::Eq => flag(arg(0) == arg(1)),
            Op::Ne => flag(arg(0) != arg(1)),
            Op::Lt => flag(arg(0).less(arg(1))),
            Op::Ge => flag(!arg(0).less(arg(1))),
            Op::SignedLt => flag(arg(0).signed_less(arg(1))),
            Op::Mux => if arg(0).any() { arg(1) } else { arg(2) }.clone(),
            Op::Table => {
                let on = arg(0).low();
                let at = node.codes.iter().position(|code| *code == on).unwrap_or(node.codes.len());
                arg(1 + at).clone()
            }
            Op::Slice(low) => arg(0).slice(low, node.width),
            Op::Cat => joined(node.width, node.args.iter().map(|id| &self.values[*id as usize])),
            Op::Repeat(count) => joined(node.width, std::iter::repeat_n(arg(0), count)),
        })
    }
}
