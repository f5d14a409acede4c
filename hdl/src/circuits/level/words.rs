// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parts of a level have in common: its parameters, and the widths of what a context remembers.

use crate::layout::Layout;
use engine_model::scoring::bits_for;

/// Bits of the saturating count of moves that a visit left, and of visits under way.
pub(crate) const LEFT_BITS: usize = 3;
/// Bits of the count of a context's children in flight, at most.
pub(crate) const PENDING_BITS: usize = 6;
/// The same below the root where paths are shortened: what is in flight of a context visited in every second clock is fewer.
const FEWER_PENDING_BITS: usize = 5;
const _: () = assert!(
    engine_model::config::MAX_AHEAD + 1 < 1 << (PENDING_BITS - 1),
    "the first and those beside it are counted"
);

/// Bits of the counts of a level's contexts: children in flight and, saturating, children that have returned.
pub(crate) fn count_bits(layout: &Layout, level: usize) -> [usize; 2] {
    let pending = if layout.shortens_paths() && level > 1 { FEWER_PENDING_BITS } else { PENDING_BITS };
    [pending, pending - 1]
}

/// Children in flight from which on a context of a level asks for no more: visits under way still add some.
pub fn most_pending(layout: &Layout, level: usize) -> usize {
    match count_bits(layout, level) {
        [FEWER_PENDING_BITS, _] => 3 << (FEWER_PENDING_BITS - 2),
        [bits, _] => 1 << (bits - 1),
    }
}

/// Where the count of a context's returned children stops.
pub fn most_returned(layout: &Layout, level: usize) -> usize {
    (1 << count_bits(layout, level)[1]) - 1
}

/// In a frugal level whose nodes one of the first few children mostly cuts off (replies to a root's move, leaves): how many more of them must
/// have returned than are in flight, and one more, where another may be begun beside these.
pub const CUTS_BEFORE: u64 = 2;

/// Codes of a return's bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BoundCode {
    /// The node's value.
    Exact = 0,
    /// At most this: no move beat alpha.
    Upper = 1,
    /// At least this: beta was reached.
    Lower = 2,
}

/// Bits of a context's number within its level.
pub fn row_bits(layout: &Layout, level: usize) -> usize {
    bits_for(layout.contexts_at(level.max(1)) - 1)
}

kit::record! {
    /// What the trace shows of a context: all that decides what it waits for, and its window.
    pub struct Waiting {
        /// It holds a node.
        active,
        /// A value has reached its limit.
        cut,
        /// A visit may find moves.
        has_moves,
        /// A pass for order is to be asked for.
        order_wanted,
        /// It has been.
        order_pending,
        /// Children in flight.
        pending,
        /// Children that have returned, saturating.
        returned,
        /// Moves that a visit left, saturating.
        left,
        /// Visits under way.
        visits,
        /// Lower end of its window.
        alpha,
        /// Upper end, less one.
        limit,
    }
}

/// Widths of what the trace shows of a context.
pub fn waiting(layout: &Layout) -> Waiting<usize> {
    Waiting {
        active: 1,
        cut: 1,
        has_moves: 1,
        order_wanted: 1,
        order_pending: 1,
        pending: PENDING_BITS,
        returned: PENDING_BITS - 1,
        left: LEFT_BITS,
        visits: LEFT_BITS,
        alpha: layout.value_bits,
        limit: layout.value_bits,
    }
}

/// Bits that the trace shows of a level: its contexts, the first lowest; whether its children are leaves, whether the level below has
/// a free context.
pub fn waiting_bits(layout: &Layout, level: usize) -> usize {
    layout.contexts_at(level) * waiting(layout).width() + 2
}

/// What a level's module depends on. Levels that agree in it share a module.
pub(crate) struct Level<'a> {
    pub layout: &'a Layout,
    pub rows: usize,
    pub index: usize,
    pub above: usize,
    pub above_bits: usize,
    /// The root's level: one context, ties.
    pub root: bool,
    /// The level below it carries the places of the root's moves.
    pub second: bool,
    /// The deepest level: its children are leaves.
    pub last: bool,
    pub beamed: bool,
    /// The opponent's best reply may refute moves of its nodes.
    pub answered: bool,
    /// The first that survives goes straight back.
    pub survivor: bool,
    /// A result's context has its parent read a clock before.
    pub reads_parents_early: bool,
    /// Bits of the counts of children in flight and of those that have returned.
    pub count_bits: [usize; 2],
    /// Children in flight from which on a context asks for no more.
    pub most_pending: usize,
    /// Its children may be nodes whose value is known from others with the same stones.
    pub looks_up: bool,
    /// With moves ahead: what the level is to them.
    pub ahead: Option<Ahead>,
}

/// What a level is to moves that are searched ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// The root, which begins so many moves beside its first.
    Root(usize),
    /// Nodes of the root's moves: the first of them begins all its answers at once.
    Answers,
    /// Nodes of the answers: all but the first of a parent are held until that returns.
    Held,
    /// Below: held with its parent.
    Below,
}

impl<'a> Level<'a> {
    pub(crate) fn new(layout: &'a Layout, level: usize) -> Level<'a> {
        Level {
            layout,
            rows: layout.contexts_at(level),
            index: row_bits(layout, level),
            above: layout.contexts_at(level.max(2) - 1),
            above_bits: row_bits(layout, level.max(2) - 1),
            root: level == 1,
            second: level == 2,
            last: level == layout.config.levels,
            beamed: layout.config.beam_at(level - 1) > 0,
            answered: layout.answered_level() == Some(level),
            survivor: layout.survivor_level() == Some(level),
            reads_parents_early: layout.reads_parents_early(level),
            count_bits: count_bits(layout, level),
            most_pending: most_pending(layout, level),
            looks_up: layout.looks_up(level),
            ahead: match (layout.config.ahead, level) {
                (0, _) => None,
                (ahead, 1) => Some(Ahead::Root(ahead)),
                // Answers that are leaves need not be begun before their time.
                (_, 2) => (layout.config.levels > 2).then_some(Ahead::Answers),
                (_, 3) => Some(Ahead::Held),
                _ => Some(Ahead::Below),
            },
        }
    }

    /// Whether a child's floor may end it: it is searched, and no tie is possible as among the root's.
    pub(crate) fn floors(&self) -> bool {
        self.layout.config.has_floor() && !self.root && !self.last
    }

    /// Whether the value of a return is kept as the level above takes it: itself or its complement.
    pub(crate) fn returns_turned(&self) -> bool {
        self.layout.shortens_paths() && self.second
    }

    /// Whether a child is begun beside others only once more have returned than are in flight, so that what has returned may cut it off.
    pub(crate) fn frugal(&self) -> bool {
        self.layout.begins_at_once()
    }

    /// In a frugal level, how many more children must have returned than are in flight, and one more, where another may be begun.
    pub(crate) fn cuts_before(&self) -> u64 {
        if self.second || self.last { CUTS_BEFORE } else { 0 }
    }

    /// Whether a context that no value can cut off begins all its children at once: leaves, which are pruned by no value but their parent's.
    pub(crate) fn begins_all(&self) -> bool {
        self.frugal() && self.last && !self.root
    }

    /// Whether a context may have to wait for the first child of one above its parent.
    pub(crate) fn may_be_held(&self) -> bool {
        matches!(self.ahead, Some(Ahead::Held | Ahead::Below))
    }

    /// Bits of what the level above says of moves ahead.
    pub(crate) fn above_holds_bits(&self) -> usize {
        match self.ahead {
            None | Some(Ahead::Root(_)) => 0,
            Some(Ahead::Answers) => 1,
            Some(Ahead::Held | Ahead::Below) => self.above,
        }
    }

    /// Whether values come both of a child's evaluation and of a context below.
    pub(crate) fn updated_by_either(&self) -> bool {
        !self.last
    }

    pub(crate) fn kind(&self) -> String {
        let mut kind = match (self.root, self.second) {
            (true, _) => "level_controller_root".to_string(),
            (_, true) => format!("level_controller_second_{}", self.rows),
            _ => format!("level_controller_{}_below_{}", self.rows, self.above),
        };
        if self.last && !self.root {
            kind += "_last";
        }
        if self.beamed {
            kind += "_beamed";
        }
        if self.answered {
            kind += "_answered";
        }
        if self.ahead == Some(Ahead::Held) {
            kind += "_held";
        }
        kind
    }

    pub(crate) fn order_bits(&self) -> usize {
        self.layout.gain_bits + self.layout.cell_bits
    }
}
