// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit under description.

use super::circuit::Circuit;
use super::description::Description;
use super::error::{DesignError, DesignErrors, Mistake};
use super::keywords::keyword_of;
use super::net::{Id, Item, Op, Place};
use super::number::Number;
use super::port::{Direction, Port};
use super::sig::{Operand, Sig};
use super::simulator::Simulator;
use super::states::States;
use super::unread::drop_unread;
use super::value::Value;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;
use std::sync::Arc;

/// Name of the clock unless a module says otherwise.
const CLOCK: &str = "aclk";

/// A circuit under description: signals of run-time widths, each with a place in the Rust source. Mistakes are gathered and told
/// together, when the description ends.
///
/// Registers take their new value at the rising edge of `aclk`; those with a reset value take that while `aresetn` is low.
pub struct Module {
    pub(super) so_far: Description,
    summary: RefCell<String>,
    pub(super) aresetn: Cell<Option<Id>>,
    abouts: RefCell<BTreeMap<String, String>>,
    pub(super) children: RefCell<Vec<(String, Circuit)>>,
    /// Wires that a hint names: one that nobody reads is left out.
    parts: RefCell<BTreeSet<Id>>,
}

impl Module {
    /// A module called `kind` without a clock; `summary` becomes its comment.
    #[track_caller]
    pub fn combinational(kind: &str, summary: &str) -> Module {
        let module = Module {
            so_far: Description::new(kind, CLOCK),
            summary: RefCell::new(summary.into()),
            aresetn: Cell::new(None),
            abouts: Default::default(),
            children: Default::default(),
            parts: Default::default(),
        };
        if let Some(language) = keyword_of(kind) {
            module.wrong(Location::caller(), Mistake::Keyword { name: kind.into(), language });
        }
        module
    }

    /// The same with the port `aclk` and, with `reset`, `aresetn` (synchronous, active low).
    #[track_caller]
    pub fn new(kind: &str, summary: &str, reset: bool) -> Module {
        let module = Module::combinational(kind, summary);
        module.input(CLOCK, 1);
        if reset {
            let aresetn = module.input("aresetn", 1);
            module.reset_by(aresetn);
        }
        module
    }

    /// Its registers follow the clock of this name, an input.
    pub fn clocked_by(&self, clock: Sig<'_>) {
        self.so_far.net.borrow_mut().clock = clock.name().unwrap_or_default();
    }

    /// Its registers with a reset value take that while the signal is low.
    pub fn reset_by(&self, aresetn: Sig<'_>) {
        self.aresetn.set(Some(aresetn.id));
        self.so_far.net.borrow_mut().reset = Some(aresetn.id);
    }

    /// Says anew what the module's comment is: where it tells what only the description shows.
    pub fn set_summary(&self, summary: &str) {
        self.summary.replace(summary.into());
    }

    #[track_caller]
    pub(super) fn named(&self, op: Op, name: &str, width: usize, args: &[Id]) -> Sig<'_> {
        Sig { of: &self.so_far, id: self.so_far.named(name, op, args, width, None), width }
    }

    pub(super) fn wrong(&self, place: Place, mistake: Mistake) {
        self.so_far.wrong(place, mistake);
    }

    pub(super) fn signal(&self, id: Id) -> Sig<'_> {
        Sig::at(&self.so_far, id)
    }

    pub(super) fn item(&self, item: Item) {
        self.so_far.net.borrow_mut().items.push(item);
    }

    /// A comment line of the printed body.
    pub fn comment(&self, text: &str) {
        self.item(Item::Comment(text.into()));
    }

    /// An input port.
    #[track_caller]
    pub fn input(&self, name: &str, width: usize) -> Sig<'_> {
        self.named(Op::Input, name, width, &[])
    }

    /// What a port is, printed beside it in the Verilog and in the data sheet.
    pub fn about(&self, port: &str, text: &str) {
        self.abouts.borrow_mut().insert(port.into(), text.into());
    }

    /// An input port at a pipeline stage: clocks after what is counted from.
    #[track_caller]
    pub fn input_at(&self, stage: i32, name: &str, width: usize) -> Sig<'_> {
        let input = self.input(name, width);
        self.at_stage(input, stage)
    }

    /// A signal that is said to be of a stage: where what it holds is of several clocks, as in a board shown slice by slice.
    pub fn at_stage<'m>(&'m self, signal: Sig<'m>, stage: i32) -> Sig<'m> {
        self.so_far.net.borrow_mut().nodes[signal.id as usize].stage = Some(stage);
        signal
    }

    /// Synchronous reset, active low.
    ///
    /// # Panics
    /// Of a module without one.
    pub fn aresetn(&self) -> Sig<'_> {
        self.signal(self.aresetn.get().expect("a module with reset"))
    }

    /// A number of so many bits.
    #[track_caller]
    pub fn constant(&self, width: usize, value: impl Into<Number>) -> Sig<'_> {
        Sig::constant(&self.so_far, width, value.into().0)
    }

    /// Zeros, of any width, also none.
    #[track_caller]
    pub fn zero(&self, width: usize) -> Sig<'_> {
        self.constant(width, 0)
    }

    /// One bit.
    #[track_caller]
    pub fn bit(&self, set: bool) -> Sig<'_> {
        self.constant(1, u64::from(set))
    }

    /// A constant vector from its bits, the lowest first.
    #[track_caller]
    pub fn plane(&self, bits: &[bool]) -> Sig<'_> {
        let (value, width) = (Value::of_bits(bits), bits.len());
        Sig { of: &self.so_far, id: self.so_far.node(Op::Plane, &[], width, Some(value)), width }
    }

    /// A state as a signal of as many bits as its machine has.
    #[track_caller]
    pub fn state<'m, S: States + Operand<'m>>(&'m self, state: S) -> Sig<'m> {
        state.of_width(&self.so_far, S::BITS)
    }

    /// Declares the names of states: they may be compared and set from here on.
    pub fn states<S: States>(&self) {
        for name in S::NAMES {
            self.so_far.take(name);
        }
        self.item(Item::States(S::NAMES));
    }

    /// A value under a name.
    #[track_caller]
    pub fn wire<'m>(&'m self, name: &str, value: Sig<'m>) -> Sig<'m> {
        let wire = self.named(Op::Wire, name, value.width, &[value.id]);
        self.item(Item::Wire(wire.id));
        wire
    }

    /// A value under a name that nobody else writes: the hint, or the hint with a number. If nobody reads it, it is not there.
    #[track_caller]
    pub fn part<'m>(&'m self, hint: &str, value: Sig<'m>) -> Sig<'m> {
        let part = self.wire(&self.so_far.unique(hint), value);
        self.parts.borrow_mut().insert(part.id);
        part
    }

    /// The value beside the code that `on` is, else `otherwise`, under a name.
    #[track_caller]
    pub fn table<'m>(
        &'m self,
        name: &str,
        on: Sig<'m>,
        entries: impl IntoIterator<Item = (u64, Sig<'m>)>,
        otherwise: impl Operand<'m>,
    ) -> Sig<'m> {
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
        let table = self.named(Op::Table, name, width, &[&[on.id][..], &values, &[otherwise]].concat());
        self.so_far.net.borrow_mut().nodes[table.id as usize].codes = codes;
        self.item(Item::Table(table.id));
        table
    }

    /// Numbers by their places, the first one's place 0; 0 beyond them. The name may get a number.
    #[track_caller]
    pub fn lookup<'m>(&'m self, hint: &str, on: Sig<'m>, width: usize, entries: &[u16]) -> Sig<'m> {
        let values = entries.iter().enumerate();
        let values = values.map(|(place, entry)| (place as u64, self.constant(width, u64::from(*entry))));
        self.table(&self.so_far.unique(hint), on, values, 0)
    }

    /// A wire that is driven further on.
    #[track_caller]
    pub fn declare(&self, name: &str, width: usize) -> Sig<'_> {
        let wire = self.named(Op::Wire, name, width, &[]);
        self.item(Item::Declaration(wire.id));
        wire
    }

    /// Gives a declared wire its value.
    #[track_caller]
    pub fn drive<'m>(&'m self, wire: Sig<'m>, value: impl Operand<'m>) {
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
    pub fn register(&self, name: &str, width: usize) -> Sig<'_> {
        let register = self.named(Op::Reg, name, width, &[]);
        self.item(Item::Register(register.id));
        register
    }

    /// A control register: reset sets it to `value`.
    #[track_caller]
    pub fn control(&self, name: &str, width: usize, value: impl Into<Number>) -> Sig<'_> {
        let value = value.into().0;
        let register = self.named(Op::Reg, name, width, &[]);
        self.so_far.net.borrow_mut().nodes[register.id as usize].value = Some(Value::new(width, &[value]));
        self.so_far.fits(value, width);
        if self.aresetn.get().is_none() {
            self.wrong(Location::caller(), Mistake::NoReset { signal: name.into() });
        }
        self.item(Item::Register(register.id));
        register
    }

    /// An output port; a signal of its name is the port itself.
    #[track_caller]
    pub fn output<'m>(&'m self, name: &str, value: Sig<'m>) -> Sig<'m> {
        let own = self.so_far.net.borrow().node(value.id).name.as_deref() == Some(name);
        let port = if own { value } else { self.wire(name, value) };
        self.so_far.net.borrow_mut().outputs.push((name.into(), port.id));
        port
    }

    /// All mistakes so far and those that only the whole shows.
    fn checked(&self) -> Result<(), DesignErrors> {
        let mut errors = self.so_far.errors.borrow().clone();
        let net = self.so_far.net.borrow();
        let circuit = || self.so_far.kind.clone();
        for (id, node) in net.nodes.iter().enumerate() {
            let undriven = match node.op {
                Op::Wire => node.args.is_empty(),
                Op::Reg => !net.next.contains_key(&(id as Id)),
                _ => false,
            };
            if undriven {
                let mistake = Mistake::Undriven { signal: net.name(id as Id).into() };
                errors.push(DesignError { circuit: circuit(), place: node.place, mistake });
            }
        }
        for instance in &net.instances {
            for (port, _) in instance.inputs.iter().filter(|(_, (_, driver))| driver.is_none()) {
                let mistake = Mistake::Undriven { signal: format!("{}.{port}", instance.name) };
                errors.push(DesignError { circuit: circuit(), place: instance.place, mistake });
            }
        }
        if let Err((at, names)) = net.order() {
            let mistake = Mistake::Loop { names };
            errors.push(DesignError { circuit: circuit(), place: net.node(at).place, mistake });
        }
        if errors.is_empty() { Ok(()) } else { Err(DesignErrors(errors)) }
    }

    /// The circuit, as all others of the kit.
    pub fn finish(self) -> Result<Circuit, DesignErrors> {
        self.checked()?;
        let mut net = self.so_far.net.into_inner();
        drop_unread(&mut net, &self.parts.into_inner());
        let abouts = self.abouts.into_inner();
        let port = |name: &str, width: usize, direction: Direction| Port {
            name: name.into(),
            width,
            direction,
            about: abouts.get(name).cloned().unwrap_or_default(),
        };
        let inputs = net.nodes.iter().filter(|node| node.op == Op::Input);
        let mut ports: Vec<Port> = inputs
            .map(|node| port(node.name.as_deref().unwrap_or_default(), node.width, Direction::Input))
            .collect();
        let outputs = net.outputs.iter();
        ports.extend(outputs.map(|(name, id)| port(name, net.node(*id).width, Direction::Output)));
        Ok(Circuit {
            kind: self.so_far.kind,
            summary: self.summary.into_inner(),
            ports,
            children: self.children.into_inner(),
            net: Arc::new(net),
            running: None,
        })
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
        Ok(Simulator::new(&self.so_far.net.borrow().flattened()))
    }
}
