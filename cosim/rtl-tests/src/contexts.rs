// SPDX-License-Identifier: MIT OR Apache-2.0
//! A plain model of a level controller: a table of contexts and what one clock does to it.

use hdl::circuits::level_controller::BoundCode;
use hdl::layout::GENERATION_BITS;

/// Children in flight beyond which a context asks for no more.
pub const MOST_PENDING: usize = 32;
/// Where the count of returned children stops.
pub const MOST_RETURNED: usize = 31;

/// Place of a root move in static order: gain and rank.
pub type Order = (u32, u32);

/// Whether root move `a` comes before `b`.
fn earlier(a: Order, b: Order) -> bool {
    a.0 > b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// A node that starts in a context.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its context.
    pub row: usize,
    /// Its parent's context in the level above.
    pub parent: usize,
    /// Whether its side to move is the parent's.
    pub negate: bool,
    /// Window.
    pub alpha: i32,
    /// Window.
    pub beta: i32,
    /// Whether its first child is on its way.
    pub issued: bool,
    /// Whether its set holds others.
    pub more: bool,
    /// The root move it is below.
    pub order: Order,
}

/// What a visit found.
#[derive(Clone, Copy, Debug)]
pub struct Drained {
    /// Context.
    pub row: usize,
    /// A child is issued.
    pub issue: bool,
    /// The window is empty.
    pub closed: bool,
    /// Moves are left.
    pub left: bool,
    /// Another pass for order is needed.
    pub need: bool,
    /// Only for moves that make a four.
    pub fours: bool,
}

/// Everything that can happen in one clock.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// Frees everything.
    pub clear: bool,
    /// Parent for whose child the first free context is reserved.
    pub reserve_first: Option<usize>,
    /// The same with the last free one.
    pub reserve_last: Option<usize>,
    /// Reserved contexts that are given back.
    pub release: [Option<usize>; 2],
    /// A node starts.
    pub start: Option<Start>,
    /// A child's value for the context's mover, and its place among the root's moves.
    pub update: Option<(usize, i32, Order)>,
    /// A pass for order is back: found, more.
    pub ordered: Option<(usize, bool, bool)>,
    /// What is issued: a pass for order, or a child.
    pub take: Option<(usize, bool)>,
    /// A visit's end.
    pub drained: Option<Drained>,
    /// Window of a context, from its parent's.
    pub refresh: Option<(usize, i32, i32)>,
    /// Contexts of the level above that were freed.
    pub killed: Vec<usize>,
    /// A return is taken.
    pub done_ready: bool,
}

/// One context.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)] // the registers of the circuit, by their names
pub struct Context {
    pub reserved: bool,
    pub active: bool,
    pub generation: u32,
    pub parent: usize,
    pub negate: bool,
    pub alpha: i32,
    pub beta: i32,
    pub raised: bool,
    pub pending: usize,
    pub returned: usize,
    pub has_moves: bool,
    pub order_wanted: bool,
    pub order_pending: bool,
    pub fours_only: bool,
    pub beam_left: usize,
    pub order: Order,
}

impl Context {
    fn is_cut(&self) -> bool {
        self.raised && self.alpha >= self.beta
    }

    fn ends(&self) -> bool {
        let idle = !self.has_moves && !self.order_wanted && !self.order_pending && self.pending == 0;
        self.active && (self.is_cut() || idle)
    }

    fn is_free(&self) -> bool {
        !self.reserved && !self.active
    }
}

/// A return that waits to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Context.
    pub row: usize,
    /// Its parent's.
    pub parent: usize,
    /// Value for the parent's mover.
    pub value: i32,
    /// Value for its own.
    pub own_value: i32,
    /// What the value is.
    pub bound: u8,
    /// Root move: the best (at the root), or the one the node is below.
    pub order: Order,
}

/// What may be issued: context, and whether a pass for order is wanted.
pub type Offer = Option<(usize, bool)>;

/// The contexts of one level.
#[derive(Clone, Debug)]
pub struct Contexts {
    /// Level: 1 is the root's.
    pub level: usize,
    /// Moves searched, 0 = all.
    pub beam: usize,
    /// Whether children are leaves.
    pub leaf_children: bool,
    /// The contexts.
    pub rows: Vec<Context>,
    /// The return that waits.
    pub done: Option<Done>,
    /// Whether it came in the last clock.
    pub done_new: bool,
    /// Contexts that were freed in the last clock.
    pub kill: Vec<usize>,
    best_order: Order,
}

impl Contexts {
    /// A level after reset.
    pub fn new(level: usize, rows: usize) -> Contexts {
        Contexts {
            level,
            beam: 0,
            leaf_children: false,
            rows: vec![Context::default(); rows],
            done: None,
            done_new: false,
            kill: Vec::new(),
            best_order: (0, 0),
        }
    }

    /// First and last free context.
    pub fn free(&self) -> Option<(usize, usize)> {
        let first = self.rows.iter().position(Context::is_free)?;
        Some((first, self.rows.iter().rposition(Context::is_free)?))
    }

    fn asks(&self, row: usize, child_free: bool) -> bool {
        let c = &self.rows[row];
        let wants = if c.has_moves { self.leaf_children || child_free } else { c.order_wanted };
        c.active && !c.is_cut() && c.pending < MOST_PENDING && wants
    }

    /// Whether class A offers the context: as many children are in flight as have returned, or fewer; the root's first
    /// child goes alone.
    fn in_class_a(&self, row: usize, child_free: bool) -> bool {
        let c = &self.rows[row];
        let may = if self.level == 1 { c.pending == 0 || c.returned > 0 } else { c.pending <= c.returned };
        self.asks(row, child_free) && may
    }

    /// The offers of classes A and B.
    pub fn offers(&self, child_free: bool) -> [Offer; 2] {
        let find = |in_class: &dyn Fn(usize) -> bool| {
            (0..self.rows.len()).find(|&row| in_class(row)).map(|row| (row, !self.rows[row].has_moves))
        };
        [
            find(&|row| self.in_class_a(row, child_free)),
            find(&|row| self.asks(row, child_free) && self.rows[row].returned > 0),
        ]
    }

    /// Why nothing is issued: a pass for order, a first child, a context is waited for.
    pub fn waits(&self, child_free: bool) -> [bool; 3] {
        let rows = || self.rows.iter().filter(|c| c.active);
        let blocked = !self.leaf_children && !child_free;
        [
            rows().any(|c| c.order_pending),
            (0..self.rows.len()).any(|r| self.asks(r, child_free) && !self.in_class_a(r, child_free)),
            rows().any(|c| !c.is_cut() && c.has_moves && blocked),
        ]
    }

    /// Alpha for a child: a root move earlier than the best may tie.
    pub fn alpha_for(&self, row: usize, order: Order) -> i32 {
        let c = &self.rows[row];
        c.alpha - i32::from(self.level == 1 && c.raised && earlier(order, self.best_order))
    }

    /// One clock.
    pub fn step(&mut self, events: &Events) {
        let ending = self.rows.iter().position(Context::ends);
        let waits = self.done.is_some() && !events.done_ready;
        let ending = ending.filter(|_| !waits && !events.clear);
        let free = self.free();
        let returned = ending.map(|row| self.return_of(row));
        self.kill.clear();
        for row in 0..self.rows.len() {
            let freed = ending == Some(row)
                || events.clear
                || (self.level > 1 && events.killed.contains(&self.rows[row].parent));
            let reserves = |parent: Option<usize>, at: Option<usize>| parent.filter(|_| at == Some(row));
            let reserved = reserves(events.reserve_first, free.map(|f| f.0))
                .or(reserves(events.reserve_last, free.map(|f| f.1)));
            let was = self.rows[row];
            self.advance(row, events);
            let c = &mut self.rows[row];
            if freed && (was.reserved || was.active) {
                self.kill.extend(was.active.then_some(row));
                c.reserved = false;
                c.active = false;
                c.generation = (was.generation + 1) % (1 << GENERATION_BITS);
            } else if let Some(start) = events.start.filter(|s| s.row == row && !events.clear) {
                self.begin(start);
            } else if let Some(parent) = reserved.filter(|_| !events.clear) {
                c.reserved = true;
                c.parent = parent;
            } else if events.release.contains(&Some(row)) {
                c.reserved = false;
            }
        }
        let alive = |done: &Done| self.level == 1 || !events.killed.contains(&done.parent);
        self.done_new = false;
        if events.clear {
            self.done = None;
        } else if returned.is_some() {
            self.done = returned.filter(alive);
            self.done_new = self.done.is_some();
        } else {
            self.done = self.done.filter(|done| !events.done_ready && alive(done));
        }
    }

    fn return_of(&self, row: usize) -> Done {
        let c = &self.rows[row];
        let bound = match (c.is_cut(), c.raised) {
            (true, _) => BoundCode::Lower,
            (false, true) => BoundCode::Exact,
            (false, false) => BoundCode::Upper,
        };
        // The root's node and the game look from the same side; a child's mover is its parent's opponent.
        let same_side = (self.level == 1) != c.negate;
        Done {
            row,
            parent: c.parent,
            value: if same_side { c.alpha } else { -c.alpha },
            own_value: c.alpha,
            bound: bound as u8,
            order: if self.level == 1 { self.best_order } else { c.order },
        }
    }

    fn begin(&mut self, start: Start) {
        let beamed = self.beam > 0;
        let c = &mut self.rows[start.row];
        *c = Context {
            active: true,
            generation: c.generation,
            parent: start.parent,
            negate: start.negate,
            alpha: start.alpha,
            beta: start.beta,
            pending: usize::from(start.issued),
            has_moves: !start.issued || (start.more && !beamed),
            order_wanted: beamed && start.more && self.beam > 1,
            beam_left: self.beam.saturating_sub(1),
            order: start.order,
            ..Context::default()
        };
    }

    /// What the clock's events bring a context that goes on.
    fn advance(&mut self, row: usize, events: &Events) {
        let (root, beamed) = (self.level == 1, self.beam > 0);
        let c = &mut self.rows[row];
        if !c.active {
            return;
        }
        let updated = events.update.filter(|u| u.0 == row);
        if let Some((_, value, order)) = updated {
            let ties = root && c.raised && value == c.alpha && earlier(order, self.best_order);
            if value > c.alpha || ties {
                (c.alpha, c.raised, self.best_order) = (value, true, order);
            }
            c.pending -= 1;
            c.returned = (c.returned + 1).min(MOST_RETURNED);
        } else if let Some((_, alpha, beta)) = events.refresh.filter(|r| r.0 == row) {
            if alpha > c.alpha {
                (c.alpha, c.raised) = (alpha, false);
            }
            c.beta = c.beta.min(beta);
        }
        let had_moves = c.has_moves;
        match events.take.filter(|t| t.0 == row) {
            Some((_, true)) => (c.order_wanted, c.order_pending) = (false, true),
            Some((_, false)) => {
                c.pending += 1;
                c.has_moves &= !beamed;
            }
            None => {}
        }
        if let Some((_, found, more)) = events.ordered.filter(|o| o.0 == row) {
            c.order_pending = false;
            c.has_moves = found;
            c.order_wanted = beamed && found && more && c.beam_left != 1;
            c.beam_left = c.beam_left.wrapping_sub(1);
        }
        if let Some(visit) = events.drained.filter(|d| d.row == row) {
            c.pending -= usize::from(!visit.issue);
            if beamed && visit.closed {
                c.has_moves = true;
            } else if beamed && !visit.need {
                c.order_wanted = false;
            } else if !beamed && !visit.closed && had_moves {
                c.has_moves = visit.left;
                c.order_wanted = !visit.left && visit.need;
                c.fours_only |= !visit.left && visit.fours;
            }
        }
    }
}
