// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a description has come to so far: the netlist, the names that are taken, the mistakes.

use super::error::{DesignError, Mistake};
use super::net::{Id, Net, Node, Op};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::Location;

/// A description in the making.
#[derive(Default)]
pub struct Description {
    pub(super) kind: String,
    pub(super) net: RefCell<Net>,
    names: RefCell<BTreeMap<String, &'static Location<'static>>>,
    pub(super) errors: RefCell<Vec<DesignError>>,
}

impl Description {
    /// Of nothing yet.
    pub(super) fn new(kind: &str) -> Description {
        Description { kind: kind.into(), ..Description::default() }
    }

    pub(super) fn wrong(&self, place: &'static Location<'static>, mistake: Mistake) {
        self.errors.borrow_mut().push(DesignError { circuit: self.kind.clone(), place, mistake });
    }

    /// A node without a name.
    #[track_caller]
    pub(super) fn node(&self, op: Op, args: &[Id], width: usize, value: Option<u64>) -> Id {
        self.add(op, args, width, value, None)
    }

    /// A node under a name that must be free.
    #[track_caller]
    pub(super) fn named(&self, name: &str, op: Op, args: &[Id], width: usize, value: Option<u64>) -> Id {
        let place = Location::caller();
        if let Some(&first) = self.names.borrow().get(name) {
            self.wrong(place, Mistake::Name { name: name.into(), first });
        }
        self.names.borrow_mut().insert(name.into(), place);
        self.add(op, args, width, value, Some(name.into()))
    }

    #[track_caller]
    fn add(&self, op: Op, args: &[Id], width: usize, value: Option<u64>, name: Option<String>) -> Id {
        let (args, codes, place) = (args.to_vec(), Vec::new(), Location::caller());
        let mut net = self.net.borrow_mut();
        net.nodes.push(Node { op, args, width, name, value, codes, place });
        (net.nodes.len() - 1) as Id
    }

    /// Tells a number that does not fit.
    #[track_caller]
    pub(super) fn fits(&self, value: u64, width: usize) {
        if width < u64::BITS as usize && value >> width != 0 {
            self.wrong(Location::caller(), Mistake::Number { value, width });
        }
    }
}
