// SPDX-License-Identifier: MIT OR Apache-2.0
//! Children of a module.

use super::circuit::Circuit;
use super::error::Mistake;
use super::expression::expression;
use super::module::Module;
use super::net::{Id, Instance as Child, Item, Node, Op, Place};
use super::port::Direction;
use super::sig::{Operand, Sig};
use std::collections::BTreeMap;
use std::panic::Location;

/// A child of a module: its inputs are driven, its outputs read, each by its port's name.
#[derive(Clone, Copy)]
pub struct Instance<'m> {
    module: &'m Module,
    number: usize,
}

impl Module {
    /// A child of this name. Its ports `aclk` and `aresetn` are the module's own.
    #[track_caller]
    pub fn child(&self, name: &str, circuit: Circuit) -> Instance<'_> {
        let place = Location::caller();
        self.so_far.take(name);
        let number = {
            let mut net = self.so_far.net.borrow_mut();
            let number = net.instances.len();
            let (mut inputs, mut outputs) = (BTreeMap::new(), BTreeMap::new());
            for port in circuit.ports() {
                match port.direction {
                    Direction::Input => _ = inputs.insert(port.name.clone(), (port.width, None)),
                    Direction::Output => {
                        let label = Some(format!("{name}${}", port.name));
                        let (op, args, codes) = (Op::Child(number), Vec::new(), Vec::new());
                        let (width, value, stage) = (port.width, None, None);
                        net.nodes.push(Node {
                            op,
                            args,
                            width,
                            name: label,
                            value,
                            codes,
                            place,
                            stage,
                            kept: None,
                        });
                        outputs.insert(port.name.clone(), net.nodes.len() as u32 - 1);
                    }
                }
            }
            let below = circuit.net().clone();
            net.instances.push(Child { name: name.into(), net: below, inputs, outputs, offset: None, place });
            number
        };
        let instance = Instance { module: self, number };
        for port in ["aclk", "aresetn"] {
            let own = circuit.ports().iter().any(|other| other.name == port);
            let here = self
                .so_far
                .net
                .borrow()
                .nodes
                .iter()
                .position(|node| node.op == Op::Input && node.name.as_deref() == Some(port));
            if let (true, Some(id)) = (own, here) {
                instance.drive(port, self.signal(id as u32));
            }
        }
        self.children.borrow_mut().push((name.into(), circuit));
        instance
    }
}

impl<'m> Instance<'m> {
    /// Drives an input.
    #[track_caller]
    pub fn drive(self, port: &str, value: impl Operand<'m>) {
        let (place, of) = (Location::caller(), &self.module.so_far);
        let found = of.net.borrow().instances[self.number].inputs.get(port).copied();
        let Some((width, driver)) = found else {
            return self.no_port(port);
        };
        let value = value.of_width(of, width).id;
        let signal = || format!("{}.{port}", of.net.borrow().instances[self.number].name);
        if driver.is_some() {
            return of.wrong(place, Mistake::DrivenTwice { signal: signal() });
        }
        self.align(port, value, place);
        let mut net = of.net.borrow_mut();
        net.instances[self.number].inputs.insert(port.into(), (width, Some(value)));
        net.items.push(Item::Connect(self.number, port.into()));
    }

    /// Notes at which stage the child stands, by an input of its pipeline; all of them must agree.
    fn align(self, port: &str, value: Id, place: Place) {
        let of = &self.module.so_far;
        let mut net = of.net.borrow_mut();
        let child = &net.instances[self.number];
        let inside = child.net.port_stage(port);
        let (Some(inside), Some(stage)) = (inside, net.node(value).stage) else { return };
        let offset = stage - inside;
        match child.offset {
            None => net.instances[self.number].offset = Some(offset),
            Some(other) if other != offset => {
                let (whole, signal) = (child.name.clone(), expression(&net, value));
                let other_text = "its other inputs".to_string();
                let unlike = other + inside;
                drop(net);
                of.wrong(place, Mistake::Stage { whole, signal, stage, other: other_text, unlike });
            }
            Some(_) => {}
        }
    }

    /// Drives an input that the child may be without, or that its parent's port of the name drives already.
    #[track_caller]
    pub fn drive_once(self, port: &str, value: impl Operand<'m>) {
        let open = {
            let net = self.module.so_far.net.borrow();
            net.instances[self.number].inputs.get(port).is_some_and(|(_, driver)| driver.is_none())
        };
        if open {
            self.drive(port, value);
        }
    }

    /// An output.
    #[track_caller]
    pub fn get(self, port: &str) -> Sig<'m> {
        let of = &self.module.so_far;
        let id = of.net.borrow().instances[self.number].outputs.get(port).copied();
        match id {
            Some(id) => {
                let mut net = of.net.borrow_mut();
                let child = &net.instances[self.number];
                let inside = child.net.port_stage(port);
                let stage = inside.zip(child.offset).map(|(inside, offset)| inside + offset);
                if stage.is_some() {
                    net.nodes[id as usize].stage = stage;
                }
                drop(net);
                Sig::at(of, id)
            }
            None => {
                self.no_port(port);
                self.module.bit(false)
            }
        }
    }

    /// What stands for an output that it is without.
    pub fn nothing(self) -> Sig<'m> {
        self.module.zero(0)
    }

    /// An output, said to be of a pipeline stage.
    #[track_caller]
    pub fn get_at(self, stage: i32, port: &str) -> Sig<'m> {
        self.module.at_stage(self.get(port), stage)
    }

    #[track_caller]
    fn no_port(self, port: &str) {
        let of = &self.module.so_far;
        let signal = of.net.borrow().instances[self.number].name.clone();
        of.wrong(Location::caller(), Mistake::Port { signal, port: port.into() });
    }
}
