// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals and what is made of them.

use super::description::Description;
use super::error::Mistake;
use super::net::{Id, Op, Statement, Step};
use super::print;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Range, Sub};
use std::panic::Location;

/// A signal of a module: a number and a width, copied freely.
#[derive(Clone, Copy)]
pub struct Signal<'m> {
    pub(super) of: &'m Description,
    pub(super) id: Id,
    /// Bits.
    pub width: usize,
}

/// What may stand beside a signal: another of its width, or a number that fits.
pub trait Operand<'m> {
    /// It, of so many bits.
    fn of_width(self, of: &'m Description, width: usize) -> Signal<'m>;
    /// Its own width; a number has none.
    fn own_width(&self) -> Option<usize>;
}

impl<'m> Operand<'m> for Signal<'m> {
    #[track_caller]
    fn of_width(self, of: &'m Description, width: usize) -> Signal<'m> {
        if self.width != width {
            let mistake = Mistake::Width { signal: self.text(), width: self.width, due: width };
            of.wrong(Location::caller(), mistake);
        }
        self
    }

    fn own_width(&self) -> Option<usize> {
        Some(self.width)
    }
}

impl<'m> Operand<'m> for u64 {
    #[track_caller]
    fn of_width(self, of: &'m Description, width: usize) -> Signal<'m> {
        Signal::constant(of, width, self)
    }

    fn own_width(&self) -> Option<usize> {
        None
    }
}

impl<'m> Signal<'m> {
    /// A node of a description.
    pub(super) fn at(of: &'m Description, id: Id) -> Signal<'m> {
        Signal { of, id, width: of.net.borrow().node(id).width }
    }

    /// A number of so many bits.
    #[track_caller]
    pub(super) fn constant(of: &'m Description, width: usize, value: u64) -> Signal<'m> {
        of.fits(value, width);
        Signal { of, id: of.node(Op::Const, &[], width, Some(value)), width }
    }

    #[track_caller]
    fn node(self, op: Op, args: &[Id], width: usize) -> Signal<'m> {
        Signal { of: self.of, id: self.of.node(op, args, width, None), width }
    }

    #[track_caller]
    fn binary(self, op: Op, width: usize, other: impl Operand<'m>) -> Signal<'m> {
        let other = other.of_width(self.of, self.width);
        self.node(op, &[self.id, other.id], width)
    }

    /// Whether both are the same.
    #[track_caller]
    pub fn is(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(Op::Eq, 1, other)
    }

    /// Whether they differ.
    #[track_caller]
    pub fn is_not(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(Op::Ne, 1, other)
    }

    /// Whether it is less, both without sign.
    #[track_caller]
    pub fn less(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(Op::Lt, 1, other)
    }

    /// Whether it is at least that, both without sign.
    #[track_caller]
    pub fn at_least(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(Op::Ge, 1, other)
    }

    /// Whether it is less, both in two's complement.
    #[track_caller]
    pub fn signed_less(self, other: impl Operand<'m>) -> Signal<'m> {
        self.binary(Op::SignedLt, 1, other)
    }

    /// Whether a bit is set.
    #[track_caller]
    pub fn any(self) -> Signal<'m> {
        if self.width == 1 { self } else { self.node(Op::Any, &[self.id], 1) }
    }

    /// One of two by this bit.
    #[track_caller]
    pub fn mux(self, set: impl Operand<'m>, clear: impl Operand<'m>) -> Signal<'m> {
        let test = self.of_width(self.of, 1);
        // Of two numbers neither says how many bits: one is what is meant by a flag.
        let width = set.own_width().or(clear.own_width()).unwrap_or(1);
        let (set, clear) = (set.of_width(self.of, width), clear.of_width(self.of, width));
        self.node(Op::Mux, &[test.id, set.id, clear.id], width)
    }

    /// Bits of it, the lowest being 0.
    #[track_caller]
    pub fn bits(self, range: Range<usize>) -> Signal<'m> {
        if range.is_empty() || range.end > self.width {
            let (low, high, width) = (range.start, range.end.saturating_sub(1), self.width);
            let mistake = Mistake::Range { signal: self.text(), low, high, width };
            self.of.wrong(Location::caller(), mistake);
            return self.node(Op::Slice(0), &[self.id], range.len().max(1));
        }
        if range == (0..self.width) {
            return self;
        }
        self.node(Op::Slice(range.start), &[self.id], range.len())
    }

    /// One bit.
    #[track_caller]
    pub fn bit(self, at: usize) -> Signal<'m> {
        self.bits(at..at + 1)
    }

    /// It so many times, side by side.
    #[track_caller]
    pub fn times(self, count: usize) -> Signal<'m> {
        self.node(Op::Repeat(count), &[self.id], count * self.width)
    }

    /// With zeros above it.
    #[track_caller]
    pub fn zero_extend(self, width: usize) -> Signal<'m> {
        match width.checked_sub(self.width) {
            Some(0) => self,
            Some(more) => cat([Signal::constant(self.of, more, 0), self]),
            None => self.of_width(self.of, width),
        }
    }

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

    /// It as Verilog.
    pub(super) fn text(self) -> String {
        print::expression(&self.of.net.borrow(), self.id)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => { $(
        impl<'m, O: Operand<'m>> $trait<O> for Signal<'m> {
            type Output = Signal<'m>;
            #[track_caller]
            fn $method(self, other: O) -> Signal<'m> {
                self.binary(Op::$op, self.width, other)
            }
        }
    )* };
}
operators! { BitAnd bitand And; BitOr bitor Or; BitXor bitxor Xor; Add add Add; Sub sub Sub; }

impl<'m> Not for Signal<'m> {
    type Output = Signal<'m>;
    #[track_caller]
    fn not(self) -> Signal<'m> {
        self.node(Op::Not, &[self.id], self.width)
    }
}

/// Side by side, the first one highest.
///
/// # Panics
/// Of none.
#[track_caller]
pub fn cat<'m>(parts: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    let parts: Vec<Signal> = parts.into_iter().collect();
    match parts[..] {
        [] => panic!("nothing to put side by side"),
        [one] => one,
        [first, ..] => {
            let ids: Vec<Id> = parts.iter().map(|part| part.id).collect();
            first.node(Op::Cat, &ids, parts.iter().map(|part| part.width).sum())
        }
    }
}

/// What happens if a bit is set at the edge.
#[track_caller]
pub fn when<'m>(test: Signal<'m>, then: impl IntoIterator<Item = Statement>) -> When<'m> {
    When { test: test.of_width(test.of, 1), then: then.into_iter().collect() }
}

/// A condition and what it brings: a statement as it is, or with [`When::otherwise`].
pub struct When<'m> {
    test: Signal<'m>,
    then: Vec<Statement>,
}

impl When<'_> {
    /// What happens if it is not set.
    pub fn otherwise(self, statements: impl IntoIterator<Item = Statement>) -> Statement {
        let otherwise = statements.into_iter().collect();
        Statement(Step::When { test: self.test.id, then: self.then, otherwise })
    }
}

impl From<When<'_>> for Statement {
    fn from(when: When<'_>) -> Statement {
        when.otherwise([])
    }
}
