// SPDX-License-Identifier: MIT OR Apache-2.0
//! One context of a level controller, and what is read, offered and returned of it.

use crate::level_events::{Order, Window};
use hdl::circuits::level::words::CUTS_BEFORE;
use hdl::layout::{GENERATION_BITS, Layout};

/// Where the count of moves that a visit left stops.
pub const MOST_LEFT: usize = 7;

/// One context.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)] // the registers of the circuit, by their names
pub struct Context {
    pub reserved: bool,
    pub active: bool,
    pub generation: u32,
    pub ages: bool,
    pub parent: usize,
    pub negate: bool,
    pub alpha: i32,
    pub limit: i32,
    pub raised: bool,
    pub cut: bool,
    pub pending: usize,
    pub returned: usize,
    pub has_moves: bool,
    pub order_wanted: bool,
    pub order_pending: bool,
    pub fours_only: bool,
    pub beam_left: usize,
    pub unproved: bool,
    pub order: Order,
    pub left: usize,
    pub visits: usize,
    pub behind: bool,
    pub replies: bool,
    pub surviving: bool,
}

impl Context {
    /// Its generation once what has happened to it is counted.
    pub fn age(&self) -> u32 {
        (self.generation + u32::from(self.ages)) % (1 << GENERATION_BITS)
    }

    /// Whether it may be taken.
    pub fn is_free(&self) -> bool {
        !self.reserved && !self.active
    }
}

/// How a level with moves ahead begins children beside others.
#[derive(Clone, Copy, Debug)]
pub struct Frugal {
    /// So many more must have returned than are in flight, and one more.
    pub before: usize,
    /// All are begun at once where nothing can cut the context off.
    pub begins_all: bool,
    /// At the root: moves ahead.
    pub ahead: usize,
}

impl Frugal {
    /// That of a core's level; `None` without moves ahead.
    pub fn of(layout: &Layout, level: usize) -> Option<Frugal> {
        let (last, ahead) = (level == layout.config.levels, layout.config.ahead);
        let before = if level == 2 || last { CUTS_BEFORE as usize } else { 0 };
        (ahead > 0).then_some(Frugal { before, begins_all: last && level > 1, ahead })
    }
}

/// A return that waits to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Context.
    pub row: usize,
    /// Its parent's.
    pub parent: usize,
    /// Value for its own mover.
    pub value: i32,
    /// Whether it keeps its sign above.
    pub keep: bool,
    /// What the value is.
    pub bound: u8,
    /// Root move: the best (at the root), or the one the node is below.
    pub order: Order,
}

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Context.
    pub row: usize,
    /// Whether it is due.
    pub due: bool,
    /// A pass for order, else a child.
    pub order: bool,
}

/// A context as it was read a clock ago.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Its number.
    pub row: usize,
    /// The context.
    pub was: Context,
    /// Its window by its parent's, if that could be read.
    pub up: Option<Window>,
}

impl Seen {
    /// Whether its parent raised its window's low end.
    pub fn higher(&self) -> bool {
        self.up.is_some_and(|up| up.0 > self.was.alpha)
    }

    /// Whether its parent lowered its window's high end.
    pub fn lower(&self) -> bool {
        self.up.is_some_and(|up| up.1 < self.was.limit)
    }

    /// Its window now.
    pub fn now(&self) -> Window {
        let up = self.up.unwrap_or((self.was.alpha, self.was.limit));
        (up.0.max(self.was.alpha), up.1.min(self.was.limit))
    }
}

/// What a context was ready for: who is chosen by it comes a clock later.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ready {
    pub due: bool,
    pub ahead: bool,
    /// It is due still once it has been taken.
    pub twice: bool,
    /// It is due for a pass for order.
    pub order: bool,
    /// Nothing is left of it.
    pub idle: bool,
    /// It is free.
    pub free: bool,
    /// It is to be brought up to date.
    pub behind: bool,
}
