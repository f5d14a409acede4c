// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the evaluator beside the planes, and the stages of its signals.

use kit::{Module, Sig, when};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Tags, valid bits and fill marks beside the planes: registers are made as far as somebody looks. Tags and fill marks move on every
/// clock where a node comes every clock; where a node takes several, every `interval` stages, each register holding them meanwhile.
pub(super) struct Beside<'m> {
    m: &'m Module,
    interval: usize,
    tags: Row<'m>,
    valids: Row<'m>,
    fills: Row<'m>,
}

/// A signal at its stages: the registers so far, the first of them being what comes in.
struct Row<'m> {
    name: &'static str,
    registers: RefCell<Vec<Sig<'m>>>,
    seen: RefCell<BTreeMap<i32, Sig<'m>>>,
}

impl<'m> Row<'m> {
    fn new(name: &'static str, signal: Sig<'m>) -> Row<'m> {
        Row { name, registers: RefCell::new(vec![signal]), seen: RefCell::new(BTreeMap::new()) }
    }

    /// The register of a number, made by `next` of its number and the one before it where it is not there yet.
    fn register(&self, number: usize, next: impl Fn(usize, Sig<'m>) -> Sig<'m>) -> Sig<'m> {
        let mut row = self.registers.borrow_mut();
        while row.len() <= number {
            let register = next(row.len(), row[row.len() - 1]);
            row.push(register);
        }
        row[number]
    }
}

impl<'m> Beside<'m> {
    /// From those at the first stage; at most every `interval` clocks one that is valid.
    pub fn new(m: &'m Module, interval: usize, tag: Sig<'m>, valid: Sig<'m>, fill: Sig<'m>) -> Beside<'m> {
        let (tags, valids, fills) = (Row::new("tag", tag), Row::new("valid", valid), Row::new("fill", fill));
        Beside { m, interval, tags, valids, fills }
    }

    /// The tag; in clocks without a node whatever it is.
    pub fn tag(&self, stage: i32) -> Sig<'m> {
        self.carried(&self.tags, stage)
    }

    /// Whether a node is there.
    pub fn valid(&self, stage: i32) -> Sig<'m> {
        let next = |number, before| self.m.cleared(&format!("valid_{number}"), before);
        self.valids.register(stage as usize, next)
    }

    /// {empty board, full, one empty}.
    pub fn fill(&self, stage: i32) -> Sig<'m> {
        self.carried(&self.fills, stage)
    }

    fn carried(&self, row: &Row<'m>, stage: i32) -> Sig<'m> {
        let (m, name) = (self.m, row.name);
        if self.interval == 1 || stage == 0 {
            let next = |number, before| m.delayed(&format!("{name}_{number}"), before);
            return row.register(stage as usize, next);
        }
        if let Some(signal) = row.seen.borrow().get(&stage) {
            return *signal;
        }
        let register = row.register((stage as usize).div_ceil(self.interval), |number, before| {
            let from = ((number - 1) * self.interval) as i32;
            let register = m.register(&format!("{name}_held_{number}"), before.width);
            m.at_edge([when(self.valid(from), [register.set(m.at_stage(before, from))])]);
            register
        });
        let signal = m.at_stage(m.wire(&format!("{name}_{stage}"), register), stage);
        row.seen.borrow_mut().insert(stage, signal);
        signal
    }
}

/// The stage of a signal of the pipeline.
#[track_caller]
pub(super) fn stage_of(signal: Sig<'_>) -> i32 {
    signal.stage().expect("a signal of the pipeline")
}
