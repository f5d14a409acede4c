// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a description has come to so far: the netlist, the names that are taken, the mistakes.

use super::error::{DesignError, Mistake};
use super::keywords::keyword_of;
use super::net::{Id, Net, Node, Op, Place};
use super::value::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::Location;

/// A description in the making.
#[derive(Default)]
pub struct Description {
    pub(super) kind: String,
    pub(super) net: RefCell<Net>,
    pub(super) names: RefCell<BTreeMap<String, Place>>,
    hints: RefCell<BTreeMap<String, usize>>,
    pub(super) errors: RefCell<Vec<DesignError>>,
}

impl Description {
    /// Of nothing yet.
    pub(super) fn new(kind: &str, clock: &str) -> Description {
        let description = Description { kind: kind.into(), ..Description::default() };
        description.net.borrow_mut().clock = clock.into();
        description
    }

    pub(super) fn wrong(&self, place: Place, mistake: Mistake) {
        self.errors.borrow_mut().push(DesignError { circuit: self.kind.clone(), place, mistake });
    }

    /// A node without a name.
    #[track_caller]
    pub(super) fn node(&self, op: Op, args: &[Id], width: usize, value: Option<Value>) -> Id {
        self.add(op, args, width, value, None)
    }

    /// Takes a name that must be free.
    #[track_caller]
    pub(super) fn take(&self, name: &str) {
        let place = Location::caller();
        if let Some(language) = keyword_of(name) {
            self.wrong(place, Mistake::Keyword { name: name.into(), language });
        }
        let first = self.names.borrow_mut().insert(name.into(), place);
        if let Some(first) = first {
            self.wrong(place, Mistake::Name { name: name.into(), first });
        }
    }

    /// A node under a name that must be free.
    #[track_caller]
    pub(super) fn named(&self, name: &str, op: Op, args: &[Id], width: usize, value: Option<Value>) -> Id {
        self.take(name);
        self.add(op, args, width, value, Some(name.into()))
    }

    /// A name that is free: the hint, or the hint with a number.
    pub(super) fn unique(&self, hint: &str) -> String {
        let mut hints = self.hints.borrow_mut();
        let count = hints.entry(hint.into()).or_insert(0);
        loop {
            *count += 1;
            let name = if *count == 1 { hint.to_string() } else { format!("{hint}_n{count}") };
            if !self.names.borrow().contains_key(&name) {
                return name;
            }
        }
    }

    #[track_caller]
    pub(super) fn add(
        &self,
        op: Op,
        args: &[Id],
        width: usize,
        value: Option<Value>,
        name: Option<String>,
    ) -> Id {
        let (args, codes, place) = (args.to_vec(), Vec::new(), Location::caller());
        let stage = self.common_stage(&args, name.as_deref());
        let mut net = self.net.borrow_mut();
        net.nodes.push(Node { op, args, width, name, value, codes, place, stage, kept: None });
        (net.nodes.len() - 1) as Id
    }

    /// The one pipeline stage of operands; others are a mistake.
    #[track_caller]
    fn common_stage(&self, args: &[Id], name: Option<&str>) -> Option<i32> {
        let (mut common, mut other) = (None, None);
        {
            let net = self.net.borrow();
            for &arg in args {
                let Some(stage) = net.node(arg).stage else { continue };
                match common {
                    None => common = Some((arg, stage)),
                    Some((_, first)) if first != stage => other = Some((arg, stage)),
                    Some(_) => {}
                }
            }
        }
        if let (Some((first, stage)), Some((second, unlike))) = (common, other) {
            let text = |id| super::expression::expression(&self.net.borrow(), id);
            let (signal, other) = (text(first), text(second));
            let whole = name.unwrap_or("an expression").to_string();
            self.wrong(Location::caller(), Mistake::Stage { whole, signal, stage, other, unlike });
        }
        common.map(|(_, stage)| stage)
    }

    /// Tells a number that does not fit.
    #[track_caller]
    pub(super) fn fits(&self, value: u64, width: usize) {
        if width < u64::BITS as usize && value >> width != 0 {
            self.wrong(Location::caller(), Mistake::Number { value, width });
        }
    }
}
