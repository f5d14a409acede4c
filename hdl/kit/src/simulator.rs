// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a netlist clock by clock, without any tool: single circuits are tested with it.

use super::net::{Id, Net, Node, Op};
use super::value::Value;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

/// A module that runs: inputs are set, outputs and every other named signal read.
///
/// What a register holds at power-up is 0 until [`Simulator::scramble`] says otherwise.
#[derive(Clone, Debug)]
pub struct Simulator {
    net: Net,
    order: Vec<Id>,
    /// All values side by side, and where each node's words begin.
    words: Vec<u64>,
    begins: Vec<usize>,
    names: BTreeMap<String, Id>,
    memories: Vec<Vec<Value>>,
    /// Of each node, and of each memory, the places in `order` of what computes with it.
    users: Vec<Vec<usize>>,
    readers: Vec<Vec<usize>>,
    /// A bit for each place in `order`: something in front of it has changed since it was computed.
    due: Vec<u64>,
    /// Words that are kept while others are computed.
    before: Vec<u64>,
}

impl Simulator {
    /// Of a netlist that has been checked and holds all below it.
    pub(super) fn new(net: &Net) -> Simulator {
        let (mut words, mut begins) = (Vec::new(), Vec::new());
        for node in &net.nodes {
            begins.push(words.len());
            let count = node.width.div_ceil(WORD);
            match (&node.value, node.op) {
                (Some(value), Op::Const | Op::Plane) => words.extend(&value.words()[..count]),
                _ => words.resize(words.len() + count, 0),
            }
        }
        let names = net.nodes.iter().enumerate();
        let names = names.filter_map(|(id, node)| Some((node.name.clone()?, id as Id)));
        let order = net.order().unwrap_or_default();
        let (mut users, mut readers) =
            (vec![Vec::new(); net.nodes.len()], vec![Vec::new(); net.memories.len()]);
        for (place, id) in order.iter().enumerate() {
            let node = net.node(*id);
            node.args.iter().for_each(|arg| users[*arg as usize].push(place));
            if let Op::Read(memory) = node.op {
                readers[memory].push(place);
            }
        }
        let mut simulator = Simulator {
            // Everything; bits behind the last place mean nothing.
            due: vec![u64::MAX; order.len().div_ceil(WORD)],
            order,
            users,
            readers,
            words,
            begins,
            names: names.collect(),
            memories: net.memories.iter().map(|m| vec![Value::new(m.width, &[]); m.depth]).collect(),
            net: net.clone(),
            before: Vec::new(),
        };
        simulator.settle();
        simulator
    }

    fn id(&self, name: &str) -> Option<Id> {
        self.names.get(name).copied()
    }

    /// Bits of a port, wire or register.
    pub fn width(&self, name: &str) -> Option<usize> {
        self.id(name).map(|id| self.net.node(id).width)
    }

    /// Names of all that can be read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Puts anything into every register and memory, word by word: what power-up may leave.
    pub fn scramble(&mut self, mut any: impl FnMut() -> u64) {
        for id in self.net.next.keys().copied().collect::<Vec<_>>() {
            let width = self.net.node(id).width;
            let words: Vec<u64> = (0..width.div_ceil(WORD)).map(|_| any()).collect();
            self.put(id, Value::new(width, &words).words());
        }
        for word in self.memories.iter_mut().flatten() {
            let words: Vec<u64> = (0..word.width().div_ceil(WORD)).map(|_| any()).collect();
            *word = Value::new(word.width(), &words);
        }
        self.readers.iter().for_each(|readers| note(&mut self.due, readers));
    }

    /// Sets an input, the lowest word first; false if there is none of this name. What follows from it follows when something is read
    /// or the clock rises.
    #[must_use = "an input that is not there is not set"]
    pub fn set(&mut self, input: &str, words: &[u64]) -> bool {
        let Some(id) = self.id(input).filter(|id| self.net.node(*id).op == Op::Input) else { return false };
        self.put(id, Value::new(self.net.node(id).width, words).words());
        true
    }

    /// The value of a port, wire or register; below a child `child.signal`.
    pub fn get(&mut self, name: &str) -> Option<Value> {
        self.settle();
        self.id(name).map(|id| self.value(id))
    }

    /// Where a node's words are.
    fn range(&self, id: Id) -> Range<usize> {
        let begin = self.begins[id as usize];
        begin..begin + self.net.node(id).width.div_ceil(WORD)
    }

    fn value(&self, id: Id) -> Value {
        Value::new(self.net.node(id).width, &self.words[self.range(id)])
    }

    fn put(&mut self, id: Id, value: &[u64]) {
        let range = self.range(id);
        if self.words[range.clone()] != *value {
            self.words[range].copy_from_slice(value);
            note(&mut self.due, &self.users[id as usize]);
        }
    }

    /// Makes everything follow from inputs and registers. What nothing has changed in front of is not computed again: in most clocks that
    /// is most of a circuit.
    pub fn settle(&mut self) {
        for at in 0..self.due.len() {
            // What one node changes may be in the same word, behind it.
            while self.due[at] != 0 {
                let bit = self.due[at].trailing_zeros() as usize;
                self.due[at] &= self.due[at] - 1;
                let Some(&id) = self.order.get(at * WORD + bit) else { continue };
                let range = self.range(id);
                self.before.clear();
                self.before.extend_from_slice(&self.words[range.clone()]);
                let node = &self.net.nodes[id as usize];
                compute(node, id, &self.begins, &mut self.words, &self.memories, &self.net);
                if self.before != self.words[range] {
                    note(&mut self.due, &self.users[id as usize]);
                }
            }
        }
    }

    /// The next rising edge of the clock.
    pub fn tick(&mut self) {
        self.settle();
        // What all registers become, before any of them does.
        let mut next = std::mem::take(&mut self.before);
        next.clear();
        for of in self.net.next.values() {
            next.extend_from_slice(&self.words[self.range(*of)]);
        }
        let mut writes = Vec::new();
        for (number, memory) in self.net.memories.iter().enumerate() {
            for (test, address, value) in &memory.writes {
                if self.words[self.begins[*test as usize]] & 1 == 1 {
                    writes.push((number, self.value(*address).low() as usize, self.value(*value)));
                }
            }
        }
        for (number, address, value) in writes {
            if let Some(word) = self.memories[number].get_mut(address) {
                *word = value;
                note(&mut self.due, &self.readers[number]);
            }
        }
        let mut rest = &next[..];
        for register in self.net.next.keys().copied().collect::<Vec<_>>() {
            let (value, later) = rest.split_at(self.range(register).len());
            self.put(register, value);
            rest = later;
        }
        self.before = next;
    }
}

/// Sets bits.
fn note(bits: &mut [u64], places: &[usize]) {
    for place in places {
        bits[place / WORD] |= 1 << (place % WORD);
    }
}

/// Bits that are set in the last word of a width.
fn top_mask(width: usize) -> u64 {
    match width % WORD {
        0 => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

/// Up to 64 bits of a value, from one on; none beyond its words.
fn take(words: &[u64], begin: usize, count: usize, low: usize) -> u64 {
    let (word, shift) = (low / WORD, low % WORD);
    let at = |index: usize| if index < count { words[begin + index] } else { 0 };
    match shift {
        0 => at(word),
        _ => at(word) >> shift | at(word + 1) << (WORD - shift),
    }
}

/// Puts up to 64 bits into a value that is 0 there.
fn place(words: &mut [u64], begin: usize, count: usize, low: usize, bits: u64) {
    let (word, shift) = (low / WORD, low % WORD);
    if word < count {
        words[begin + word] |= bits << shift;
    }
    if shift > 0 && word + 1 < count {
        words[begin + word + 1] |= bits >> (WORD - shift);
    }
}

/// Sets a node's words to what it computes.
fn compute(node: &Node, id: Id, begins: &[usize], words: &mut [u64], memories: &[Vec<Value>], net: &Net) {
    let (to, width) = (begins[id as usize], node.width);
    let count = width.div_ceil(WORD);
    let begin = |index: usize| begins[node.args[index] as usize];
    let width_of = |index: usize| net.node(node.args[index]).width;
    let count_of = |index: usize| width_of(index).div_ceil(WORD);
    let each = |words: &mut [u64], of: fn(u64, u64) -> u64| {
        let (a, b) = (begin(0), begin(node.args.len() - 1));
        (0..count).for_each(|i| words[to + i] = of(words[a + i], words[b + i]));
        words[to + count - 1] &= top_mask(width);
    };
    let copy = |words: &mut [u64], from: usize| (0..count).for_each(|i| words[to + i] = words[from + i]);
    let add = |words: &mut [u64], turned: u64, carry: bool| {
        let (a, b) = (begin(0), begin(1));
        let mut carry = carry;
        for i in 0..count {
            let (sum, first) = words[a + i].overflowing_add(words[b + i] ^ turned);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            words[to + i] = sum;
        }
        words[to + count - 1] &= top_mask(width);
    };
    let less = |words: &[u64], a: usize, b: usize| {
        let order = (0..count_of(0)).rev().map(|i| words[a + i].cmp(&words[b + i]));
        order.into_iter().find(|order| order.is_ne()).is_some_and(|order| order.is_lt())
    };
    let signed_less = |words: &[u64], a: usize, b: usize| {
        let (last, shift) = (count_of(0) - 1, (width_of(0) - 1) % WORD);
        let [x, y] = [a, b].map(|begin| words[begin + last] >> shift & 1);
        if x == y { less(words, a, b) } else { x > y }
    };
    let moved = |words: &mut [u64], up: bool, places: usize| {
        let from = begin(0);
        for i in 0..count {
            words[to + i] = 0;
        }
        for i in 0..count {
            match up {
                true if i * WORD + places < width => {
                    place(words, to, count, i * WORD + places, words[from + i])
                }
                false => words[to + i] = take(words, from, count, i * WORD + places),
                true => {}
            }
        }
        words[to + count - 1] &= top_mask(width);
    };
    // The value of a number of places, saturated: what is moved that far is gone.
    let places = |words: &[u64]| match words[begin(1)..begin(1) + count_of(1)].split_first() {
        Some((low, high)) if high.iter().all(|word| *word == 0) => {
            usize::try_from(*low).unwrap_or(usize::MAX / 2)
        }
        _ => usize::MAX / 2,
    };
    match node.op {
        Op::Input | Op::Const | Op::Plane | Op::Reg | Op::Child(_) | Op::Outside => {}
        Op::Wire => copy(words, begin(0)),
        Op::Not => each(words, |a, _| !a),
        Op::And => each(words, |a, b| a & b),
        Op::Or => each(words, |a, b| a | b),
        Op::Xor => each(words, |a, b| a ^ b),
        Op::Any => words[to] = words[begin(0)..begin(0) + count_of(0)].iter().any(|word| *word != 0).into(),
        Op::All => {
            let (from, last, of) = (begin(0), count_of(0) - 1, width_of(0));
            let full = (0..last).all(|i| words[from + i] == u64::MAX);
            words[to] = u64::from(full && words[from + last] == top_mask(of));
        }
        Op::Add => add(words, 0, false),
        Op::Sub => add(words, u64::MAX, true),
        Op::Eq | Op::Ne => {
            let (a, b, count) = (begin(0), begin(1), count_of(0));
            let same = (0..count).all(|i| words[a + i] == words[b + i]);
            words[to] = u64::from(same == (node.op == Op::Eq));
        }
        Op::Lt => words[to] = less(words, begin(0), begin(1)).into(),
        Op::Gt => words[to] = less(words, begin(1), begin(0)).into(),
        Op::Ge => words[to] = u64::from(!less(words, begin(0), begin(1))),
        Op::Le => words[to] = u64::from(!less(words, begin(1), begin(0))),
        Op::SignedLt => words[to] = signed_less(words, begin(0), begin(1)).into(),
        Op::SignedGt => words[to] = signed_less(words, begin(1), begin(0)).into(),
        Op::Mux => copy(words, if words[begin(0)] & 1 == 1 { begin(1) } else { begin(2) }),
        Op::Table => {
            let on = words[begin(0)];
            let high = words[begin(0) + 1..begin(0) + count_of(0)].iter().any(|word| *word != 0);
            let found = if high { None } else { node.codes.iter().position(|code| *code == on) };
            copy(words, begin(1 + found.unwrap_or(node.codes.len())));
        }
        Op::Slice(low) => {
            let (from, of) = (begin(0), count_of(0));
            (0..count).for_each(|i| words[to + i] = take(words, from, of, low + i * WORD));
            words[to + count - 1] &= top_mask(width);
        }
        Op::Cat | Op::Repeat(_) => {
            (0..count).for_each(|i| words[to + i] = 0);
            let times = if let Op::Repeat(times) = node.op { times } else { 1 };
            let mut low = 0;
            for index in (0..node.args.len()).rev().flat_map(|index| std::iter::repeat_n(index, times)) {
                for i in 0..count_of(index) {
                    place(words, to, count, low + i * WORD, words[begin(index) + i]);
                }
                low += width_of(index);
            }
        }
        Op::Up(by) => moved(words, true, by),
        Op::Down(by) => moved(words, false, by),
        Op::UpBy => moved(words, true, places(words)),
        Op::DownBy => moved(words, false, places(words)),
        Op::Pick => {
            let at = places(words);
            words[to] = if at < width_of(0) { take(words, begin(0), count_of(0), at) & 1 } else { 0 };
        }
        Op::Read(memory) => {
            let word = memories[memory].get(words[begin(0)] as usize);
            (0..count).for_each(|i| words[to + i] = word.map_or(0, |word| word.words()[i]));
        }
    }
}
