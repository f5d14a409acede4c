// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens at the clock's edge: registers are set and memories written, by conditions and by states.

use super::error::Mistake;
use super::net::{Op, Statement, Step};
use super::sig::{Operand, Sig};
use std::panic::Location;

impl<'m> Sig<'m> {
    /// At the edge it becomes that.
    #[track_caller]
    pub fn set(self, value: impl Operand<'m>) -> Statement {
        let place = Location::caller();
        if self.of.net.borrow().node(self.id).op != Op::Reg {
            self.of.wrong(place, Mistake::Kind { signal: self.text(), due: "register" });
        }
        let value = value.of_width(self.of, self.width).id;
        Statement(Step::Set { register: self.id, value, place })
    }

    /// What happens by its value: an arm for each of some, else the last.
    #[track_caller]
    pub fn matches<O: Operand<'m>>(
        self,
        arms: impl IntoIterator<Item = (O, Vec<Statement>)>,
        otherwise: impl IntoIterator<Item = Statement>,
    ) -> Statement {
        let arms =
            arms.into_iter().map(|(value, block)| (vec![value.of_width(self.of, self.width).id], block));
        Statement(Step::Match {
            on: self.id,
            arms: arms.collect(),
            otherwise: otherwise.into_iter().collect(),
        })
    }
}

/// What happens if a bit is set at the edge.
#[track_caller]
pub fn when<'m>(test: Sig<'m>, then: impl IntoIterator<Item = Statement>) -> Statement {
    let test = test.of_width(test.of, 1).id;
    Statement(Step::When { test, then: then.into_iter().collect(), otherwise: Vec::new() })
}

impl Statement {
    /// What happens if the condition is not met, or none of a chain.
    ///
    /// # Panics
    /// Behind what is no condition.
    #[must_use]
    pub fn otherwise(mut self, statements: impl IntoIterator<Item = Statement>) -> Statement {
        let mut last = &mut self;
        loop {
            match &mut last.0 {
                Step::When { otherwise, .. } if otherwise.is_empty() => {
                    otherwise.extend(statements);
                    return self;
                }
                Step::When { otherwise, .. } => last = otherwise.last_mut().expect("it is not empty"),
                _ => panic!("only a condition has what happens otherwise"),
            }
        }
    }

    /// What happens if the conditions so far are not met and this one is.
    #[must_use]
    #[track_caller]
    pub fn else_when(self, test: Sig<'_>, then: impl IntoIterator<Item = Statement>) -> Statement {
        self.otherwise([when(test, then)])
    }
}
