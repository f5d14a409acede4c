// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit under description.

use super::description::Description;
use super::error::{DesignError, DesignErrors, Mistake};
use super::net::{Id, Item, Op, Statement, Step};
use super::print;
use super::signal::{Operand, Signal};
use super::simulator::Simulator;
use crate::kit::Circuit;
use std::panic::Location;

/// A circuit under description: signals of run-time widths, each with a place in the Rust source. Mistakes are gathered and told
/// together, when the description ends.
///
/// Registers take their new value at the rising edge of `aclk`; those with a reset value take that while `aresetn` is low.
pub struct Module {
    so_far: Description,
    summary: String,
    aresetn: Option<Id>,
}

impl Module {
    /// A module called `kind` with the port `aclk` and, with `reset`, `aresetn` (synchronous, active low); `summary` becomes its
    /// comment.
    #[track_caller]
    pub fn new(kind: &str, summary: &str, reset: bool) -> Module {
        let mut module = Module { so_far: Description::new(kind), summary: summary.into(), aresetn: None };
        module.input("aclk", 1);
        if reset {
            module.aresetn = Some(module.input("aresetn", 1).id);
        }
        module
    }

    #[track_caller]
    fn named(&self, op: Op, name: &str, width: usize, args: &[Id], value: Option<u64>) -> Signal<'_> {
        Signal { of: &self.so_far, id: self.so_far.named(name, op, args, width, value), width }
    }

    fn wrong(&self, place: &'static Location<'static>, mistake: Mistake) {
        self.so_far.wrong(place, mistake);
    }

    fn signal(&self, id: Id) -> Signal<'_> {
        Signal::at(&self.so_far, id)
    }

    fn item(&self, item: Item) {
        self.so_far.net.borrow_mut().items.push(item);
    }

    /// A comment line of the printed body.
    pub fn comment(&self, text: &str) {
        self.item(Item::Comment(text.into()));
    }

    /// An input port.
    #[track_caller]
    pub fn input(&self, name: &str, width: usize) -> Signal<'_> {
        self.named(Op::Input, name, width, &[], None)
    }

    /// A number of so many bits.
    #[track_caller]
    pub fn constant(&self, width: usize, value: u64) -> Signal<'_> {
        Signal::constant(&self.so_far, width, value)
    }

    /// A value under a name.
    #[track_caller]
    pub fn wire<'m>(&'m self, name: &str, value: Signal<'m>) -> Signal<'m> {
        let wire = self.named(Op::Wire, name, value.width, &[value.id], None);
        self.item(Item::Wire(wire.id));
        wire
    }

    /// The value beside the code that `on` is, else `otherwise`, under a name.
    #[track_caller]
    pub fn table<'m>(
        &'m self,
        name: &str,
        on: Signal<'m>,
        entries: impl IntoIterator<Item = (u64, Signal<'m>)>,
        otherwise: impl Operand<'m>,
    ) -> Signal<'m> {
        let place = Location::caller();
        let (mut codes, mut values) = (Vec::new(), Vec::new());
        for (code, value) in entries {
            if codes.contains(&code) {
                self.wrong(place, Mistake::Code { table: name.into(), code });
            }
            self.so_far.fits(code, on.width);
            codes.push(code);
            values.push(value);
        }
        let width = values.first().map(|value| value.width).or(otherwise.own_width()).unwrap_or(1);
        let values =
            values.into_iter().map(|value| value.of_width(&self.so_far, width).id).collect::<Vec<_>>();
        let otherwise = otherwise.of_width(&self.so_far, width).id;
        let table = self.named(Op::Table, name, width, &[&[on.id][..], &values, &[otherwise]].concat(), None);
        self.so_far.net.borrow_mut().nodes[table.id as usize].codes = codes;
        self.item(Item::Table(table.id));
        table
    }

    /// A wire that is driven further on.
    #[track_caller]
    pub fn declare(&self, name: &str, width: usize) -> Signal<'_> {
        let wire = self.named(Op::Wire, name, width, &[], None);
        self.item(Item::Declaration(wire.id));
        wire
    }

    /// Gives a declared wire its value.
    #[track_caller]
    pub fn drive<'m>(&'m self, wire: Signal<'m>, value: impl Operand<'m>) {
        let (place, value) = (Location::caller(), value.of_width(&self.so_far, wire.width));
        let signal = wire.text();
        let (op, driven) = {
            let net = self.so_far.net.borrow();
            (net.node(wire.id).op, !net.node(wire.id).args.is_empty())
        };
        match (op, driven) {
            (Op::Wire, false) => {
                self.so_far.net.borrow_mut().nodes[wire.id as usize].args = vec![value.id];
                self.item(Item::Drive(wire.id));
            }
            (Op::Wire, true) => self.wrong(place, Mistake::DrivenTwice { signal }),
            _ => self.wrong(place, Mistake::Kind { signal, due: "declared wire" }),
        }
    }

    /// A data register: no reset; what it holds means nothing until a valid bit says so.
    #[track_caller]
    pub fn register(&self, name: &str, width: usize) -> Signal<'_> {
        let register = self.named(Op::Reg, name, width, &[], None);
        self.item(Item::Register(register.id));
        register
    }

    /// A control register: reset sets it to `value`.
    #[track_caller]
    pub fn control(&self, name: &str, width: usize, value: u64) -> Signal<'_> {
        let register = self.named(Op::Reg, name, width, &[], Some(value));
        self.so_far.fits(value, width);
        if self.aresetn.is_none() {
            self.wrong(Location::caller(), Mistake::NoReset { signal: name.into() });
        }
        self.item(Item::Register(register.id));
        register
    }

    /// An output port; a signal of its name is the port itself.
    #[track_caller]
    pub fn output<'m>(&'m self, name: &str, value: Signal<'m>) -> Signal<'m> {
        let own = self.so_far.net.borrow().node(value.id).name.as_deref() == Some(name);
        let port = if own { value } else { self.wire(name, value) };
        self.so_far.net.borrow_mut().outputs.push((name.into(), port.id));
        port
    }

    /// What happens at the clock's edge. A register is set in one such block, and all of a block have a reset or none has.
    #[track_caller]
    pub fn at_edge(&self, statements: impl IntoIterator<Item = Statement>) {
        let statements: Vec<Statement> = statements.into_iter().collect();
        let targets = Statement::targets(&statements);
        let reset = |id: Id| self.so_far.net.borrow().node(id).value;
        let Some(&(first, _)) = targets.first() else { return };
        let mut done: Vec<Id> = Vec::new();
        for &(id, place) in &targets {
            if done.contains(&id) {
                continue;
            }
            done.push(id);
            let register = self.signal(id);
            if reset(id).is_some() != reset(first).is_some() {
                let (signal, other) = (register.text(), self.signal(first).text());
                self.wrong(place, Mistake::Reset { signal, has: reset(id).is_some(), other });
            }
            let mut next = self.next(&statements, register, register);
            if let (Some(value), Some(aresetn)) = (reset(id), self.aresetn) {
                next = self.signal(aresetn).mux(next, value);
            }
            if self.so_far.net.borrow_mut().next.insert(id, next.id).is_some() {
                self.wrong(place, Mistake::DrivenTwice { signal: register.text() });
            }
        }
        self.item(Item::Edge(statements));
    }

    /// What `register` becomes, `hold` being what it has become so far.
    fn next<'m>(&'m self, statements: &[Statement], register: Signal<'m>, hold: Signal<'m>) -> Signal<'m> {
        statements.iter().fold(hold, |hold, statement| match &statement.0 {
            Step::Set { register: to, value, .. } if *to == register.id => self.signal(*value),
            Step::When { test, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|block| self.next(block, register, hold));
                match then.id == otherwise.id {
                    true => then,
                    false => self.signal(*test).mux(then, otherwise),
                }
            }
            Step::Set { .. } => hold,
        })
    }

    /// A data register that follows a value.
    #[track_caller]
    pub fn delayed<'m>(&'m self, name: &str, next: Signal<'m>) -> Signal<'m> {
        let register = self.register(name, next.width);
        self.at_edge([register.set(next)]);
        register
    }

    /// All mistakes so far and those that only the whole shows.
    fn checked(&self) -> Result<(), DesignErrors> {
        let mut errors = self.so_far.errors.borrow().clone();
        let net = self.so_far.net.borrow();
        for (id, node) in net.nodes.iter().enumerate() {
            let undriven = match node.op {
                Op::Wire => node.args.is_empty(),
                Op::Reg => !net.next.contains_key(&(id as Id)),
                _ => false,
            };
            if undriven {
                let mistake = Mistake::Undriven { signal: net.name(id as Id).into() };
                errors.push(DesignError { circuit: self.so_far.kind.clone(), place: node.place, mistake });
            }
        }
        if let Err((at, names)) = net.order() {
            let (circuit, place) = (self.so_far.kind.clone(), net.node(at).place);
            errors.push(DesignError { circuit, place, mistake: Mistake::Loop { names } });
        }
        if errors.is_empty() { Ok(()) } else { Err(DesignErrors(errors)) }
    }

    /// The circuit, as all others of the kit.
    pub fn finish(self) -> Result<Circuit, DesignErrors> {
        self.checked()?;
        let mut circuit = Circuit::new(&self.so_far.kind, &self.summary);
        let net = self.so_far.net.into_inner();
        for node in net.nodes.iter().filter(|node| node.op == Op::Input) {
            circuit.input(node.name.clone().unwrap_or_default(), node.width);
        }
        for (name, id) in &net.outputs {
            circuit.output(name.clone(), net.node(*id).width);
        }
        circuit.set_body(print::body(&net));
        Ok(circuit)
    }

    /// The same of a description that is part of this program: a mistake in it is one of ours.
    ///
    /// # Panics
    /// If there is a mistake, with all of them.
    pub fn circuit(self) -> Circuit {
        self.finish().unwrap_or_else(|errors| panic!("{errors}"))
    }

    /// A simulator of what has been described.
    pub fn simulator(&self) -> Result<Simulator, DesignErrors> {
        self.checked()?;
        Ok(Simulator::new(&self.so_far.net.borrow()))
    }
}
