// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers and memories of a module: what they become at the clock's edge.

use super::error::Mistake;
use super::module::Module;
use super::net::{Id, Item, Memory as Words, Op, Place, Statement, Step};
use super::sig::{Operand, Sig};
use std::panic::Location;

/// A memory of a module: read at once, written at the clock's edge.
#[derive(Clone, Copy)]
pub struct Memory<'m> {
    module: &'m Module,
    number: usize,
    width: usize,
}

impl<'m> Memory<'m> {
    /// The entry at an address, as it is now.
    #[track_caller]
    pub fn read(self, address: Sig<'m>) -> Sig<'m> {
        let of = &self.module.so_far;
        Sig { of, id: of.node(Op::Read(self.number), &[address.id], self.width, None), width: self.width }
    }

    /// At the edge the entry becomes that.
    #[track_caller]
    pub fn write(self, address: Sig<'m>, value: impl Operand<'m>) -> Statement {
        let value = value.of_width(&self.module.so_far, self.width).id;
        let place = Location::caller();
        Statement(Step::Write { memory: self.number, address: address.id, value, place })
    }
}

impl Module {
    /// What happens at the clock's edge. A register is set in one such block, and all of a block have a reset or none has; a memory
    /// is written where nothing is reset.
    #[track_caller]
    pub fn at_edge(&self, statements: impl IntoIterator<Item = Statement>) {
        self.edge(statements.into_iter().collect(), false);
    }

    /// The same of a machine whose control registers are reset and whose data registers meanwhile stay as they are.
    #[track_caller]
    pub fn machine(&self, statements: impl IntoIterator<Item = Statement>) {
        self.edge(statements.into_iter().collect(), true);
    }

    #[track_caller]
    fn edge(&self, statements: Vec<Statement>, mixed: bool) {
        let targets = Statement::targets(&statements);
        let reset = |id: Id| self.so_far.net.borrow().node(id).value.clone();
        let has_reset = match mixed {
            true => targets.iter().any(|&(id, _)| reset(id).is_some()),
            false => targets.first().is_some_and(|&(id, _)| reset(id).is_some()),
        };
        let mut done: Vec<Id> = Vec::new();
        for &(id, place) in &targets {
            if done.contains(&id) {
                continue;
            }
            done.push(id);
            let register = self.signal(id);
            if !mixed && reset(id).is_some() != has_reset {
                let (signal, other) = (register.text(), self.signal(targets[0].0).text());
                self.wrong(place, Mistake::Reset { signal, has: reset(id).is_some(), other });
            }
            let mut next = self.next(&statements, register, register);
            if let (true, Some(aresetn)) = (has_reset, self.aresetn.get()) {
                let held = reset(id).map_or(register, |value| self.constant_of(value));
                next = self.signal(aresetn).mux(next, held);
            }
            if self.so_far.net.borrow_mut().next.insert(id, next.id).is_some() {
                self.wrong(place, Mistake::DrivenTwice { signal: register.text() });
            }
        }
        self.writes(&statements, None, has_reset);
        self.item(Item::Edge(statements));
    }

    fn constant_of(&self, value: super::value::Value) -> Sig<'_> {
        let width = value.width();
        Sig { of: &self.so_far, id: self.so_far.node(Op::Const, &[], width, Some(value)), width }
    }

    /// What `register` becomes, `hold` being what it has become so far.
    fn next<'m>(&'m self, statements: &[Statement], register: Sig<'m>, hold: Sig<'m>) -> Sig<'m> {
        statements.iter().fold(hold, |hold, statement| match &statement.0 {
            Step::Set { register: to, value, .. } if *to == register.id => self.signal(*value),
            Step::Set { .. } | Step::Write { .. } => hold,
            Step::When { test, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|block| self.next(block, register, hold));
                self.either(self.signal(*test), then, otherwise)
            }
            Step::Match { on, arms, otherwise } => {
                let otherwise = self.next(otherwise, register, hold);
                arms.iter().rev().fold(otherwise, |otherwise, (values, block)| {
                    let arm = self.next(block, register, hold);
                    self.either(self.is_one(*on, values), arm, otherwise)
                })
            }
        })
    }

    fn either<'m>(&'m self, test: Sig<'m>, then: Sig<'m>, otherwise: Sig<'m>) -> Sig<'m> {
        if then.id == otherwise.id { then } else { test.mux(then, otherwise) }
    }

    fn is_one(&self, on: Id, values: &[Id]) -> Sig<'_> {
        let mut tests = values.iter().map(|value| self.signal(on).is(self.signal(*value)));
        let first = tests.next().unwrap_or_else(|| self.bit(false));
        tests.fold(first, |any, test| any | test)
    }

    /// Notes what memories are written, and where.
    fn writes<'m>(&'m self, statements: &[Statement], test: Option<Sig<'m>>, has_reset: bool) {
        let both = |more: Sig<'m>| test.map_or(more, |test| test & more);
        for Statement(step) in statements {
            match step {
                Step::Set { .. } => {}
                Step::Write { memory, address, value, place } => {
                    let test = test.unwrap_or_else(|| self.bit(true)).id;
                    let mut net = self.so_far.net.borrow_mut();
                    net.memories[*memory].writes.push((test, *address, *value));
                    let signal = net.memories[*memory].name.clone();
                    drop(net);
                    if has_reset {
                        self.wrong(place, Mistake::MemoryReset { signal });
                    }
                }
                Step::When { test, then, otherwise } => {
                    self.writes(then, Some(both(self.signal(*test))), has_reset);
                    if !otherwise.is_empty() {
                        self.writes(otherwise, Some(both(!self.signal(*test))), has_reset);
                    }
                }
                Step::Match { on, arms, otherwise } => {
                    let mut none = self.bit(true);
                    for (values, block) in arms {
                        let here = self.is_one(*on, values);
                        self.writes(block, Some(both(here)), has_reset);
                        none = none & !here;
                    }
                    self.writes(otherwise, Some(both(none)), has_reset);
                }
            }
        }
    }

    /// A memory of `depth` words.
    #[track_caller]
    pub fn memory(&self, name: &str, width: usize, depth: usize) -> Memory<'_> {
        self.so_far.take(name);
        let mut net = self.so_far.net.borrow_mut();
        net.memories.push(Words { name: name.into(), width, depth, writes: Vec::new() });
        let number = net.memories.len() - 1;
        net.items.push(Item::Memory(number));
        Memory { module: self, number, width }
    }

    /// A memory's word at an address, seen a clock later.
    #[track_caller]
    pub fn read_register<'m>(&'m self, name: &str, memory: Memory<'m>, address: Sig<'m>) -> Sig<'m> {
        self.delayed(name, memory.read(address))
    }

    #[track_caller]
    fn follows<'m>(&'m self, register: Sig<'m>, next: Sig<'m>, place: Place) -> Sig<'m> {
        let stage = next.stage().map(|stage| stage + 1);
        self.so_far.net.borrow_mut().nodes[register.id as usize].stage = stage;
        let value = next.of_width(&self.so_far, register.width).id;
        self.at_edge([Statement(Step::Set { register: register.id, value, place })]);
        register
    }

    /// A register that an asynchronous signal, active low, clears at once: what else it becomes says [`Module::release`]. `attribute` is
    /// written before its declaration. The kit's simulator clears it at the clock's edge only.
    #[track_caller]
    pub fn released<'m>(
        &'m self,
        name: &str,
        width: usize,
        asynchronous: Sig<'m>,
        attribute: Option<&'static str>,
    ) -> Sig<'m> {
        let register = self.named(Op::Reg, name, width, &[]);
        self.item(Item::Released(register.id, asynchronous.id, attribute));
        register
    }

    /// What such a register becomes at the edge while nothing clears it.
    #[track_caller]
    pub fn release<'m>(&'m self, register: Sig<'m>, next: Sig<'m>) {
        let value = next.of_width(&self.so_far, register.width);
        let items = self.so_far.net.borrow().items.clone();
        let asynchronous = items.iter().find_map(|item| match item {
            Item::Released(id, asynchronous, _) if *id == register.id => Some(*asynchronous),
            _ => None,
        });
        let Some(asynchronous) = asynchronous else {
            let mistake = Mistake::Kind { signal: register.text(), due: "register that is released" };
            return self.wrong(Location::caller(), mistake);
        };
        let next = self.signal(asynchronous).mux(value, self.zero(register.width));
        self.so_far.net.borrow_mut().next.insert(register.id, next.id);
        self.item(Item::Release(register.id, asynchronous, value.id));
    }

    /// A data register that follows a value: the stage behind it.
    #[track_caller]
    pub fn delayed<'m>(&'m self, name: &str, next: Sig<'m>) -> Sig<'m> {
        let register = self.register(name, next.width);
        self.follows(register, next, Location::caller())
    }

    /// The same under a name that nobody else writes.
    #[track_caller]
    pub fn stage<'m>(&'m self, hint: &str, next: Sig<'m>) -> Sig<'m> {
        self.delayed(&self.so_far.unique(hint), next)
    }

    /// So many data registers in a row.
    #[track_caller]
    pub fn delay<'m>(&'m self, hint: &str, signal: Sig<'m>, count: usize) -> Sig<'m> {
        (0..count).fold(signal, |signal, _| self.stage(hint, signal))
    }

    /// As many data registers as there are stages between a signal and `stage`.
    #[track_caller]
    pub fn delay_to<'m>(&'m self, hint: &str, signal: Sig<'m>, stage: i32) -> Sig<'m> {
        let from = signal.stage().unwrap_or(stage);
        match usize::try_from(stage - from) {
            Ok(clocks) => self.delay(hint, signal, clocks),
            Err(_) => {
                let signal_text = signal.text();
                self.wrong(
                    Location::caller(),
                    Mistake::Late { signal: signal_text, stage: from, due: stage },
                );
                signal
            }
        }
    }

    /// A control register that follows a value and that reset clears.
    #[track_caller]
    pub fn cleared<'m>(&'m self, name: &str, next: Sig<'m>) -> Sig<'m> {
        let register = self.control(name, next.width, 0);
        self.follows(register, next, Location::caller())
    }

    /// The same under a name that nobody else writes.
    #[track_caller]
    pub fn cleared_stage<'m>(&'m self, hint: &str, next: Sig<'m>) -> Sig<'m> {
        self.cleared(&self.so_far.unique(hint), next)
    }
}
