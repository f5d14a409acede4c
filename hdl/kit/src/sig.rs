// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals and the operators on them.

use super::description::Description;
use super::error::Mistake;
use super::expression::expression;
use super::net::{Id, Op};
use super::number::Number;
use super::value::Value;
use std::borrow::Borrow;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Range, Sub};
use std::panic::Location;

/// A signal of a module: a number and a width, copied freely.
#[derive(Clone, Copy)]
pub struct Sig<'m> {
    pub(super) of: &'m Description,
    pub(super) id: Id,
    /// Bits. None has a field of a record that a configuration is without.
    pub width: usize,
}

/// What may stand beside a signal: another of its width, a number that fits, or a value that has a name.
pub trait Operand<'m> {
    /// It, of so many bits.
    fn of_width(self, of: &'m Description, width: usize) -> Sig<'m>;
    /// Its own width; a number has none.
    fn own_width(&self) -> Option<usize>;
}

impl<'m> Operand<'m> for Sig<'m> {
    #[track_caller]
    fn of_width(self, of: &'m Description, width: usize) -> Sig<'m> {
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

macro_rules! numbers {
    ($($number:ident)*) => { $(
        impl<'m> Operand<'m> for $number {
            #[track_caller]
            fn of_width(self, of: &'m Description, width: usize) -> Sig<'m> {
                Sig::constant(of, width, Number::from(self).0)
            }

            fn own_width(&self) -> Option<usize> {
                None
            }
        }
    )* };
}
numbers! { u64 usize i32 }

impl<'m> Operand<'m> for bool {
    #[track_caller]
    fn of_width(self, of: &'m Description, width: usize) -> Sig<'m> {
        u64::from(self).of_width(of, width)
    }

    fn own_width(&self) -> Option<usize> {
        Some(1)
    }
}

impl<'m> Sig<'m> {
    /// A node of a description.
    pub(super) fn at(of: &'m Description, id: Id) -> Sig<'m> {
        Sig { of, id, width: of.net.borrow().node(id).width }
    }

    /// A number of so many bits.
    #[track_caller]
    pub(super) fn constant(of: &'m Description, width: usize, value: u64) -> Sig<'m> {
        of.fits(value, width);
        Sig { of, id: of.node(Op::Const, &[], width, Some(Value::new(width, &[value]))), width }
    }

    #[track_caller]
    fn node(self, op: Op, args: &[Id], width: usize) -> Sig<'m> {
        Sig { of: self.of, id: self.of.node(op, args, width, None), width }
    }

    #[track_caller]
    fn binary(self, op: Op, width: usize, other: impl Operand<'m>) -> Sig<'m> {
        let other = other.of_width(self.of, self.width);
        self.node(op, &[self.id, other.id], width)
    }

    /// Its value if it is a constant of one bit.
    fn known(self) -> Option<bool> {
        let net = self.of.net.borrow();
        let node = net.node(self.id);
        (node.op == Op::Const && node.width == 1 && node.name.is_none())
            .then(|| node.value.as_ref().is_some_and(|value| value.low() == 1))
    }

    /// Whether both are the same.
    #[track_caller]
    pub fn is(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::Eq, 1, other)
    }

    /// Whether they differ.
    #[track_caller]
    pub fn is_not(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::Ne, 1, other)
    }

    /// Whether it is less, both without sign.
    #[track_caller]
    pub fn less(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::Lt, 1, other)
    }

    /// Whether it is more, both without sign.
    #[track_caller]
    pub fn more(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::Gt, 1, other)
    }

    /// Whether it is at least that, both without sign.
    #[track_caller]
    pub fn at_least(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::Ge, 1, other)
    }

    /// Whether it is no more than that, both without sign.
    #[track_caller]
    pub fn at_most(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::Le, 1, other)
    }

    /// Whether it is less, both in two's complement.
    #[track_caller]
    pub fn signed_less(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::SignedLt, 1, other)
    }

    /// Whether it is more, both in two's complement.
    #[track_caller]
    pub fn signed_more(self, other: impl Operand<'m>) -> Sig<'m> {
        self.binary(Op::SignedGt, 1, other)
    }

    /// Whether a bit is set.
    #[track_caller]
    pub fn any(self) -> Sig<'m> {
        if self.width == 1 { self } else { self.node(Op::Any, &[self.id], 1) }
    }

    /// Whether all bits are set.
    #[track_caller]
    pub fn all(self) -> Sig<'m> {
        if self.width == 1 { self } else { self.node(Op::All, &[self.id], 1) }
    }

    /// One of two by this bit.
    #[track_caller]
    pub fn mux(self, set: impl Operand<'m>, clear: impl Operand<'m>) -> Sig<'m> {
        let test = self.of_width(self.of, 1);
        // Of two numbers neither says how many bits: one is what is meant by a flag.
        let width = set.own_width().or(clear.own_width()).unwrap_or(1);
        let (set, clear) = (set.of_width(self.of, width), clear.of_width(self.of, width));
        match test.known() {
            Some(true) => set,
            Some(false) => clear,
            None => self.node(Op::Mux, &[test.id, set.id, clear.id], width),
        }
    }

    /// It where the bit is set, else zero.
    #[track_caller]
    pub fn only_if(self, bit: Sig<'m>) -> Sig<'m> {
        if self.width == 1 { self & bit } else { self & bit.times(self.width) }
    }

    /// Bits of it, the lowest being 0.
    #[track_caller]
    pub fn bits(self, range: Range<usize>) -> Sig<'m> {
        if range.is_empty() || range.end > self.width {
            let (low, high, width) = (range.start, range.end.saturating_sub(1), self.width);
            let mistake = Mistake::Range { signal: self.text(), low, high, width };
            self.of.wrong(Location::caller(), mistake);
            return self.node(Op::Slice(0), &[self.id], range.len().max(1));
        }
        if range == (0..self.width) {
            return self;
        }
        // What lies in one part of a bundle is a slice of that part.
        let below = {
            let net = self.of.net.borrow();
            let node = net.node(self.id);
            match (node.op, &node.name) {
                (Op::Slice(low), None) => Some((node.args[0], low + range.start)),
                (Op::Cat, None) => {
                    let mut high = node.width;
                    node.args.iter().find_map(|&part| {
                        let low = high - net.node(part).width;
                        let inside = low <= range.start && range.end <= high;
                        high = low;
                        inside.then(|| (part, range.start - low))
                    })
                }
                _ => None,
            }
        };
        match below {
            Some((part, low)) => Sig::at(self.of, part).bits(low..low + range.len()),
            None => self.node(Op::Slice(range.start), &[self.id], range.len()),
        }
    }

    /// One bit.
    #[track_caller]
    pub fn bit(self, at: usize) -> Sig<'m> {
        self.bits(at..at + 1)
    }

    /// Every bit, the lowest first.
    #[track_caller]
    pub fn each_bit(self) -> Vec<Sig<'m>> {
        (0..self.width).map(|at| self.bit(at)).collect()
    }

    /// Its words of so many bits, the lowest first.
    #[track_caller]
    pub fn each_word(self, width: usize) -> Vec<Sig<'m>> {
        (0..self.width / width).map(|at| self.bits(at * width..(at + 1) * width)).collect()
    }

    /// Its highest bit: the sign of a number in two's complement.
    #[track_caller]
    pub fn sign(self) -> Sig<'m> {
        self.bit(self.width - 1)
    }

    /// The bit with the number that `index` is; of a number without a bit nothing is promised.
    #[track_caller]
    pub fn pick(self, index: Sig<'m>) -> Sig<'m> {
        if self.width == 1 { self } else { self.node(Op::Pick, &[self.id, index.id], 1) }
    }

    /// It so many times, side by side.
    #[track_caller]
    pub fn times(self, count: usize) -> Sig<'m> {
        if count == 1 { self } else { self.node(Op::Repeat(count), &[self.id], count * self.width) }
    }

    /// Moved so many places toward higher bits; what leaves is lost.
    #[track_caller]
    pub fn up(self, places: usize) -> Sig<'m> {
        if places == 0 { self } else { self.node(Op::Up(places), &[self.id], self.width) }
    }

    /// Moved so many places toward lower bits.
    #[track_caller]
    pub fn down(self, places: usize) -> Sig<'m> {
        if places == 0 { self } else { self.node(Op::Down(places), &[self.id], self.width) }
    }

    /// Moved toward higher bits by as many places as a signal says.
    #[track_caller]
    pub fn up_by(self, places: Sig<'m>) -> Sig<'m> {
        self.node(Op::UpBy, &[self.id, places.id], self.width)
    }

    /// Moved toward lower bits by as many places as a signal says.
    #[track_caller]
    pub fn down_by(self, places: Sig<'m>) -> Sig<'m> {
        self.node(Op::DownBy, &[self.id, places.id], self.width)
    }

    /// With zeros above it.
    #[track_caller]
    pub fn zero_extend(self, width: usize) -> Sig<'m> {
        match width.checked_sub(self.width) {
            Some(0) => self,
            Some(more) => cat([Sig::constant(self.of, more, 0), self]),
            None => self.of_width(self.of, width),
        }
    }

    /// With its sign above it.
    #[track_caller]
    pub fn sign_extend(self, width: usize) -> Sig<'m> {
        match width.checked_sub(self.width) {
            Some(0) => self,
            Some(more) => cat([self.sign().times(more), self]),
            None => self.of_width(self.of, width),
        }
    }

    /// Twice it, one bit wider.
    #[track_caller]
    pub fn doubled(self) -> Sig<'m> {
        cat([self, Sig::constant(self.of, 1, 0)])
    }

    /// Minus it, in two's complement.
    #[track_caller]
    pub fn negated(self) -> Sig<'m> {
        !self + 1
    }

    /// No bits: what stands for a field that is not there.
    #[track_caller]
    pub fn nothing(self) -> Sig<'m> {
        Sig::constant(self.of, 0, 0)
    }

    /// The pipeline stage that it belongs to, if any.
    pub fn stage(self) -> Option<i32> {
        self.of.net.borrow().node(self.id).stage
    }

    /// Its name, if it has one.
    pub fn name(self) -> Option<String> {
        self.of.net.borrow().node(self.id).name.clone()
    }

    /// It as Verilog.
    pub(super) fn text(self) -> String {
        expression(&self.of.net.borrow(), self.id)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => { $(
        impl<'m, O: Operand<'m>> $trait<O> for Sig<'m> {
            type Output = Sig<'m>;
            #[track_caller]
            fn $method(self, other: O) -> Sig<'m> {
                self.binary(Op::$op, self.width, other)
            }
        }
    )* };
}
operators! { BitXor bitxor Xor; Add add Add; Sub sub Sub; }

impl<'m, O: Operand<'m>> BitAnd<O> for Sig<'m> {
    type Output = Sig<'m>;
    #[track_caller]
    fn bitand(self, other: O) -> Sig<'m> {
        let other = other.of_width(self.of, self.width);
        match (self.known(), other.known()) {
            (Some(true), _) | (_, Some(false)) => other,
            (_, Some(true)) | (Some(false), _) => self,
            _ => self.node(Op::And, &[self.id, other.id], self.width),
        }
    }
}

impl<'m, O: Operand<'m>> BitOr<O> for Sig<'m> {
    type Output = Sig<'m>;
    #[track_caller]
    fn bitor(self, other: O) -> Sig<'m> {
        let other = other.of_width(self.of, self.width);
        match (self.known(), other.known()) {
            (Some(false), _) | (_, Some(true)) => other,
            (_, Some(false)) | (Some(true), _) => self,
            _ => self.node(Op::Or, &[self.id, other.id], self.width),
        }
    }
}

impl<'m> Not for Sig<'m> {
    type Output = Sig<'m>;
    #[track_caller]
    fn not(self) -> Sig<'m> {
        let below = {
            let net = self.of.net.borrow();
            let node = net.node(self.id);
            (node.op == Op::Not && node.name.is_none()).then(|| node.args[0])
        };
        match (self.known(), below) {
            (Some(bit), _) => Sig::constant(self.of, 1, u64::from(!bit)),
            (None, Some(below)) => Sig::at(self.of, below),
            _ => self.node(Op::Not, &[self.id], self.width),
        }
    }
}

impl Description {
    /// A state by its name.
    #[track_caller]
    pub fn state<'m>(&'m self, name: &str, value: u64, width: usize) -> Sig<'m> {
        if !self.names.borrow().contains_key(name) {
            self.wrong(Location::caller(), Mistake::State { signal: name.into() });
        }
        self.fits(value, width);
        let value = Some(Value::new(width, &[value]));
        Sig { of: self, id: self.add(Op::Const, &[], width, value, Some(name.into())), width }
    }
}

/// Side by side, the first one highest. What has no bits is left out.
///
/// # Panics
/// Of none.
#[track_caller]
pub fn cat<'m>(parts: impl IntoIterator<Item = Sig<'m>>) -> Sig<'m> {
    let all: Vec<Sig> = parts.into_iter().collect();
    let parts: Vec<Sig> = all.iter().copied().filter(|part| part.width > 0).collect();
    match parts[..] {
        [] => *all.first().expect("something to put side by side"),
        [one] => one,
        [first, ..] => {
            let ids: Vec<Id> = parts.iter().map(|part| part.id).collect();
            first.node(Op::Cat, &ids, parts.iter().map(|part| part.width).sum())
        }
    }
}

/// Side by side, the first one lowest.
///
/// # Panics
/// Of none.
#[track_caller]
pub fn bundle<'m>(parts: impl IntoIterator<Item: Borrow<Sig<'m>>>) -> Sig<'m> {
    let parts: Vec<Sig> = parts.into_iter().map(|part| *part.borrow()).collect();
    cat(parts.into_iter().rev())
}

/// The OR of them all.
///
/// # Panics
/// Of none.
#[track_caller]
pub fn any_of<'m>(parts: impl IntoIterator<Item = Sig<'m>>) -> Sig<'m> {
    parts.into_iter().reduce(|a, b| a | b).expect("something to join")
}

/// The AND of them all.
///
/// # Panics
/// Of none.
#[track_caller]
pub fn all_of<'m>(parts: impl IntoIterator<Item = Sig<'m>>) -> Sig<'m> {
    parts.into_iter().reduce(|a, b| a & b).expect("something to join")
}
