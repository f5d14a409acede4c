// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the evaluator beside the planes, and the stages of its signals.

use crate::kit::{Module, Sig};
use std::cell::RefCell;

/// Tags, valid bits and fill marks beside the planes: registers are made as far as somebody looks.
pub(super) struct Beside<'m> {
    m: &'m Module,
    tags: RefCell<Vec<Sig<'m>>>,
    valids: RefCell<Vec<Sig<'m>>>,
    fills: RefCell<Vec<Sig<'m>>>,
}

impl<'m> Beside<'m> {
    /// From those at the first stage.
    pub fn new(m: &'m Module, tag: Sig<'m>, valid: Sig<'m>, fill: Sig<'m>) -> Beside<'m> {
        let [tags, valids, fills] = [tag, valid, fill].map(|signal| RefCell::new(vec![signal]));
        Beside { m, tags, valids, fills }
    }

    /// The tag.
    pub fn tag(&self, stage: i32) -> Sig<'m> {
        self.at(&self.tags, stage, |n, before| self.m.delayed(&format!("tag_{n}"), before))
    }

    /// Whether a node is there.
    pub fn valid(&self, stage: i32) -> Sig<'m> {
        self.at(&self.valids, stage, |n, before| self.m.cleared(&format!("valid_{n}"), before))
    }

    /// {empty board, full, one empty}.
    pub fn fill(&self, stage: i32) -> Sig<'m> {
        self.at(&self.fills, stage, |n, before| self.m.delayed(&format!("fill_{n}"), before))
    }

    fn at(
        &self,
        row: &RefCell<Vec<Sig<'m>>>,
        stage: i32,
        next: impl Fn(usize, Sig<'m>) -> Sig<'m>,
    ) -> Sig<'m> {
        let mut row = row.borrow_mut();
        while row.len() <= stage as usize {
            let (number, before) = (row.len(), row[row.len() - 1]);
            row.push(next(number, before));
        }
        row[stage as usize]
    }
}

/// The stage of a signal of the pipeline.
#[track_caller]
pub(super) fn stage_of(signal: Sig<'_>) -> i32 {
    signal.stage().expect("a signal of the pipeline")
}
