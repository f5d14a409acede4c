// SPDX-License-Identifier: MIT OR Apache-2.0
//! A plain model of a level controller: a table of contexts and what one clock does to it.

use crate::context::Ready;
pub use crate::context::{Context, Done, Frugal, MOST_LEFT, Offer, Seen};
use crate::level_events::{Events, Order, Start, Update, Window};
use hdl::Layout;
use hdl::circuits::level::words::{BoundCode, most_pending, most_returned};

/// Whether root move `a` comes before `b`.
fn earlier(a: Order, b: Order) -> bool {
    a.0 > b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// The contexts of one level.
#[derive(Clone, Debug)]
pub struct Contexts {
    /// Level: 1 is the root's.
    pub level: usize,
    /// Moves searched, 0 = all.
    pub beam: usize,
    /// Whether children are leaves.
    pub leaf_children: bool,
    /// Children in flight from which on a context asks for no more.
    pub most_pending: usize,
    /// Where the count of returned children stops.
    pub most_returned: usize,
    /// With moves ahead: how children are begun.
    pub frugal: Option<Frugal>,
    /// Whether a context may be visited in two clocks in a row.
    pub in_a_row: bool,
    /// The contexts.
    pub rows: Vec<Context>,
    /// What the contexts were ready for a clock ago.
    ready: Vec<Ready>,
    /// What is offered.
    pub offer: Option<Offer>,
    /// Free contexts at hand.
    pub kept: [Option<usize>; 2],
    /// What waits behind them.
    pub behind: [Option<usize>; 2],
    /// The context that is read: of the offer just taken, else one that is brought up to date.
    pub turn: Option<usize>,
    /// The context that was read a clock ago.
    pub seen: Option<Seen>,
    /// The context whose window changed in the last clock.
    pub changed: Option<usize>,
    /// The return that waits.
    pub done: Option<Done>,
    /// Whether it came in the last clock.
    pub done_new: bool,
    /// Contexts that were freed in the last clock.
    pub kill: Vec<usize>,
    /// The root's window a clock ago, and the place of its best move.
    pub shown: (Context, Order),
    root_window: Window,
    /// What a context is worth at least that is not proved lost by its moves.
    least: i32,
    scan: Option<usize>,
    found: Option<usize>,
    updated: Option<usize>,
    best_order: Order,
}

impl Contexts {
    /// A level after reset.
    pub fn new(layout: &Layout, level: usize) -> Contexts {
        let (rows, scoring) = (layout.contexts_at(level), &layout.scoring);
        let infinity = scoring.win_score - 1;
        Contexts {
            level,
            beam: 0,
            leaf_children: false,
            most_pending: most_pending(layout, level),
            most_returned: most_returned(layout, level),
            frugal: Frugal::of(layout, level),
            in_a_row: layout.visits_in_a_row(),
            rows: vec![Context::default(); rows],
            ready: vec![Ready::default(); rows],
            offer: None,
            kept: [None; 2],
            behind: [None; 2],
            turn: None,
            seen: None,
            changed: None,
            done: None,
            done_new: false,
            kill: Vec::new(),
            shown: Default::default(),
            root_window: (-infinity, infinity - 1),
            least: -scoring.unproved,
            scan: None,
            found: None,
            updated: None,
            best_order: (0, 0),
        }
    }

    /// The free contexts that a first child and a visit would take.
    pub fn free(&self) -> Option<(usize, usize)> {
        let [first, second] = self.kept;
        Some((first.or(second)?, second.or(first)?))
    }

    /// Whether visits under way leave a move for one more, `more` of them beside.
    fn is_open(&self, row: usize, more: usize) -> bool {
        let c = &self.rows[row];
        self.beam > 0 || (more == 0 && c.visits == 0) || c.left > c.visits + more
    }

    fn asks(&self, row: usize, child_any: bool) -> bool {
        let c = &self.rows[row];
        let child = (self.leaf_children || child_any) && self.is_open(row, 0);
        c.active
            && !c.cut
            && c.pending < self.most_pending
            && if c.has_moves { child } else { c.order_wanted }
    }

    /// Whether a context with so many children in flight and so many returned may have another.
    fn may(&self, row: usize, pending: usize, returned: usize) -> bool {
        match self.frugal {
            Some(Frugal { before, begins_all, .. }) => {
                let unlimited = begins_all && self.rows[row].limit == self.root_window.1;
                pending == 0 || returned > pending.saturating_add(before) || unlimited
            }
            // The root's first child goes alone.
            None if self.level == 1 => pending == 0 || returned > 0,
            None => pending <= returned,
        }
    }

    /// Whether the context is due.
    fn due(&self, row: usize, child_any: bool) -> bool {
        let c = &self.rows[row];
        self.asks(row, child_any) && self.may(row, c.pending, c.returned)
    }

    /// What a context is ready for in the next clock, by what it is now: but a child's value and that it is taken are counted in.
    fn next_ready(&self, row: usize, events: &Events) -> Ready {
        let c = &self.rows[row];
        let asks = self.asks(row, events.child_any);
        let updated = c.active && events.update.is_some_and(|update| update.row == row);
        let (returned, pending) =
            (c.returned + usize::from(updated), c.pending.wrapping_sub(usize::from(updated)));
        let may = |more: usize| self.may(row, pending.wrapping_add(more), returned);
        let early = self.frugal.is_some_and(|frugal| (1..=frugal.ahead).contains(&c.pending));
        let early = early && self.level == 1 && c.has_moves && !self.leaf_children;
        let again = self.beam == 0 && asks && c.has_moves && self.is_open(row, 1) && may(1);
        let taken = events.take && self.offer.is_some_and(|offer| offer.row == row);
        let idle = !c.has_moves && !c.order_wanted && !c.order_pending && pending == 0;
        Ready {
            due: !events.clear && if taken { again } else { asks && may(0) },
            ahead: !events.clear && if taken { again } else { asks && (returned > 0 || early) },
            twice: self.in_a_row && !events.clear && again && !taken,
            order: !c.has_moves,
            idle: c.active && idle && !taken,
            free: c.is_free() && !self.at_hand(row),
            behind: c.behind && c.active && !self.is_on_its_way(row),
        }
    }

    fn next_offer(&self, events: &Events) -> Option<Offer> {
        let uncut = |row: usize| !self.rows[row].cut;
        let classes: [&dyn Fn(usize) -> bool; 2] =
            [&|r| self.ready[r].due && uncut(r), &|r| self.ready[r].ahead && uncut(r)];
        let order = |row: usize| self.ready[row].order;
        let others = |class: usize| {
            (0..self.rows.len()).find(|&r| classes[class](r) && self.offer.is_none_or(|offer| offer.row != r))
        };
        let best = (0..2).find(|&class| others(class).is_some());
        if let Some(offer) = self.offer {
            let still = (0..2).find(|&class| classes[class](offer.row));
            if events.take {
                if !offer.order && self.ready[offer.row].twice && uncut(offer.row) {
                    return Some(Offer { due: true, ..offer });
                }
            } else if let Some(class) = still.filter(|&class| best.is_none_or(|best| class <= best)) {
                return Some(Offer { due: class == 0, order: order(offer.row), ..offer });
            }
        }
        let row = best.and_then(others)?;
        Some(Offer { row, due: best == Some(0), order: order(row) })
    }

    /// Why nothing is issued: a pass for order, a first child, a context is waited for.
    pub fn waits(&self, child_any: bool) -> [bool; 3] {
        let rows = || self.rows.iter().filter(|c| c.active);
        let blocked = !self.leaf_children && !child_any;
        [
            rows().any(|c| c.order_pending),
            (0..self.rows.len()).any(|r| self.asks(r, child_any) && !self.due(r, child_any)),
            rows().any(|c| !c.cut && c.has_moves && blocked),
        ]
    }

    /// Window for a child: a root move earlier than the best may tie, and the root shows what it was a clock ago.
    pub fn window_for(&self, row: usize, order: Order) -> Window {
        let c = &self.rows[row];
        if self.level > 1 {
            return (c.alpha, c.limit);
        }
        let (was, best) = &self.shown;
        (was.alpha - i32::from(was.raised && earlier(order, *best)), c.limit)
    }

    /// The context that returns in this clock.
    fn ending(&self, events: &Events) -> Option<usize> {
        let waits = self.done.is_some() && !events.done_ready;
        self.rows
            .iter()
            .zip(&self.ready)
            .position(|(c, ready)| c.active && (c.cut || ready.idle))
            .filter(|_| !waits && !events.clear)
    }

    /// Whether the context is active and goes on, unless everything is cleared.
    pub fn stays(&self, row: usize, events: &Events) -> bool {
        let c = &self.rows[row];
        let killed = self.level > 1 && events.killed.contains(&c.parent);
        c.active && !killed && self.ending(events) != Some(row)
    }

    /// One clock.
    pub fn step(&mut self, events: &Events) {
        let ending = self.ending(events);
        let free = self.free();
        let returned = ending.map(|row| self.return_of(row));
        let (offer, (kept, behind)) = (self.next_offer(events), self.next_kept(events));
        let (taken, seen, (scan, found)) =
            (self.offer.filter(|_| events.take), self.next_seen(events), self.next_scan(events));
        let ready = (0..self.rows.len()).map(|row| self.next_ready(row, events)).collect();
        let better = events.update.is_some_and(|update| self.is_better(&update));
        let follows = self.follows(events);
        // Its parent and its place are read now, the rest in its turn.
        let scanned = self.scan.filter(|&row| self.rows[row].active);
        self.shown = (self.rows[0], self.best_order);
        self.kill.clear();
        for row in 0..self.rows.len() {
            let freed = ending == Some(row)
                || events.clear
                || (self.level > 1 && events.killed.contains(&self.rows[row].parent));
            let reserves = |parent: Option<usize>, at: Option<usize>| parent.filter(|_| at == Some(row));
            let reserved = reserves(events.reserve_first, free.map(|f| f.0))
                .or(reserves(events.reserve_second, free.map(|f| f.1)));
            let was = self.rows[row];
            self.advance(row, events, taken, better);
            let start = events.start.filter(|s| s.row == row);
            if let Some(start) = start {
                self.begin(start, events.start_above);
            }
            let changed_above = events.above_changed.is_some_and(|above| above == was.parent);
            let turn =
                self.seen.is_some_and(|seen| seen.row == row && seen.up.is_some()) && self.has_turn(events);
            let c = &mut self.rows[row];
            c.behind = changed_above || (was.behind && start.is_none() && !turn);
            c.parent = reserved.unwrap_or(c.parent);
            // Freed as it starts, or taken when it is no longer active: a child's context may just have been reserved.
            let taken_late = taken.is_some_and(|offer| offer.row == row) && !was.active;
            if taken_late || (freed && (was.active || start.is_some())) {
                self.kill.push(row);
            }
            let c = &mut self.rows[row];
            c.generation = was.age();
            c.ages = freed && (was.reserved || was.active);
            if c.ages {
                c.reserved = false;
                c.active = false;
            } else if start.is_some() && !events.clear {
                c.reserved = false;
                c.active = true;
            } else if reserved.is_some() && !events.clear {
                c.reserved = true;
            } else if events.release.contains(&Some(row)) {
                c.reserved = false;
            }
        }
        self.changed = match events.update {
            Some(update) => better.then_some(update.row),
            None => follows.map(|seen| seen.row),
        };
        if let Some(seen) = follows {
            self.follow(&seen);
        }
        if let Some(update) =
            events.update.filter(|u| better && self.level == 1 && self.shown.0.active && u.row == 0)
        {
            self.best_order = update.order;
        }
        self.updated = events.update.map(|update| update.row);
        let cleared = events.clear;
        self.ready = ready;
        self.offer = offer.filter(|_| !cleared);
        self.kept = kept.map(|row| row.filter(|_| !cleared));
        self.behind = behind.map(|row| row.filter(|_| !cleared));
        self.turn = taken.map(|offer| offer.row).or(scanned);
        self.seen = seen;
        self.scan = scan.filter(|_| !cleared);
        self.found = found.filter(|_| !cleared);
        self.end(events, returned);
    }

    fn end(&mut self, events: &Events, returned: Option<Done>) {
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

    /// Whether the context is at hand, or waits behind those that are.
    fn at_hand(&self, row: usize) -> bool {
        self.kept.contains(&Some(row)) || self.behind.contains(&Some(row))
    }

    /// Whether the context is being brought up to date.
    fn is_on_its_way(&self, row: usize) -> bool {
        let seen = self.seen.map(|seen| seen.row);
        [self.found, self.scan, self.turn, seen].contains(&Some(row))
    }

    /// What is at hand next, and what waits behind it: who is taken is replaced by who waits, an empty place behind by a free context.
    fn next_kept(&self, events: &Events) -> ([Option<usize>; 2], [Option<usize>; 2]) {
        let ([first, second], [next, other]) = (self.kept, self.behind);
        let (takes_first, takes_second) = (events.reserve_first.is_some(), events.reserve_second.is_some());
        let keeps_first = first.filter(|_| !(takes_first || takes_second && second.is_none()));
        let keeps_second = second.filter(|_| !(takes_second || takes_first && first.is_none()));
        let mut free = (0..self.rows.len()).filter(|&row| self.ready[row].free && !self.at_hand(row));
        let mut waits = |now: Option<usize>, stays: bool| match now {
            Some(_) => now.filter(|_| stays),
            None => free.next(),
        };
        let behind = [waits(next, keeps_first.is_some()), waits(other, keeps_second.is_some())];
        ([keeps_first.or(next), keeps_second.or(other)], behind)
    }

    /// Whether no other window is written in this clock, nor the seen one was since it was read.
    fn has_turn(&self, events: &Events) -> bool {
        let updated = self.seen.is_some_and(|seen| self.updated == Some(seen.row));
        events.start.is_none() && events.update.is_none() && !updated
    }

    fn follows(&self, events: &Events) -> Option<Seen> {
        let turn = self.has_turn(events);
        self.seen.filter(|seen| turn && seen.was.active && (seen.higher() || seen.lower()))
    }

    fn follow(&mut self, seen: &Seen) {
        let c = &mut self.rows[seen.row];
        let up = seen.up.expect("it follows something");
        if seen.higher() {
            (c.alpha, c.raised, c.cut) = (up.0, false, false);
        } else {
            c.cut = seen.was.raised && seen.was.alpha > up.1;
        }
        if seen.lower() {
            c.limit = up.1;
        }
    }

    fn next_seen(&self, events: &Events) -> Option<Seen> {
        let row = self.turn?;
        let was = self.rows[row];
        let (alpha, limit) = events.above;
        let from = if was.negate { (alpha, limit) } else { (!limit, !alpha) };
        Some(Seen { row, was, up: (self.level > 1).then_some(from) })
    }

    fn next_scan(&self, events: &Events) -> (Option<usize>, Option<usize>) {
        if self.level == 1 {
            return (None, None);
        }
        let next = (0..self.rows.len()).find(|&row| self.ready[row].behind && self.found != Some(row));
        match events.take && self.scan.is_some() {
            true => (self.scan, self.found.or(next)),
            false => (self.found, next),
        }
    }

    fn is_better(&self, update: &Update) -> bool {
        let c = &self.rows[update.row];
        let value = if update.keep { update.value } else { -update.value };
        let ties = self.level == 1 && c.raised && value == c.alpha && earlier(update.order, self.best_order);
        value > c.alpha || ties
    }

    fn return_of(&self, row: usize) -> Done {
        let c = &self.rows[row];
        let bound = match (c.cut, c.raised) {
            (true, _) => BoundCode::Lower,
            (false, true) => BoundCode::Exact,
            (false, false) => BoundCode::Upper,
        };
        // The root's node and the game look from the same side; a child's mover is its parent's opponent.
        let keep = (self.level == 1) != c.negate;
        let order = if self.level == 1 { self.best_order } else { c.order };
        let value = if c.unproved { c.alpha.max(self.least) } else { c.alpha };
        Done { row, parent: c.parent, value, keep, bound: bound as u8, order }
    }

    fn begin(&mut self, start: Start, above: Window) {
        let (alpha, limit) = match (self.level, start.negate) {
            (1, _) => self.root_window,
            (_, true) => above,
            (_, false) => (!above.1, !above.0),
        };
        let c = &mut self.rows[start.row];
        *c = Context {
            reserved: c.reserved,
            active: c.active,
            generation: c.generation,
            ages: c.ages,
            parent: c.parent,
            behind: c.behind,
            negate: start.negate,
            alpha,
            limit,
            pending: usize::from(start.issued),
            has_moves: !start.issued || (start.more && self.beam != 1 && !start.replies),
            order_wanted: start.replies,
            replies: start.replies,
            beam_left: self.beam.saturating_sub(usize::from(start.issued)),
            unproved: start.unproved || (start.issued && start.more && self.beam == 1),
            order: start.order,
            ..Context::default()
        };
    }

    /// What the clock's events bring a context that goes on.
    fn advance(&mut self, row: usize, events: &Events, taken: Option<Offer>, better: bool) {
        let beamed = self.beam > 0;
        let c = &mut self.rows[row];
        let taken = taken.filter(|offer| offer.row == row);
        let drained = events.drained.filter(|d| d.row == row && c.active);
        if taken.is_some_and(|offer| !offer.order) {
            c.visits += 1;
        }
        if drained.is_some() {
            c.visits -= 1;
        }
        if !c.active {
            return;
        }
        if let Some(update) = events.update.filter(|u| u.row == row) {
            let value = if update.keep { update.value } else { -update.value };
            if better {
                (c.cut, c.alpha, c.raised) = (value > c.limit, value, true);
            }
            c.pending -= 1;
            c.returned = (c.returned + 1).min(self.most_returned);
        }
        let had_moves = c.has_moves;
        match taken {
            Some(Offer { order: true, .. }) => {
                (c.order_wanted, c.order_pending) = (false, true);
                c.has_moves &= !beamed;
            }
            Some(_) => {
                c.pending += 1;
                c.has_moves &= !beamed;
            }
            None => {}
        }
        if let Some((_, found)) = events.ordered.filter(|o| o.0 == row) {
            c.order_pending = false;
            (c.replies, c.surviving) = (false, c.surviving || c.replies);
            c.has_moves = found;
            c.left = 0;
        }
        if let Some(visit) = drained {
            c.pending -= usize::from(!visit.issue);
            // What was dropped by a window that the context does not have yet may not end it.
            let settles = !(visit.closed || (self.leaf_children && c.behind));
            if settles {
                c.left = visit.count;
            }
            if beamed && visit.issue {
                let last = c.beam_left == 1;
                c.has_moves = visit.left && !last;
                c.unproved |= visit.left && last;
                c.beam_left -= 1;
            } else if beamed {
                (c.order_wanted, c.has_moves) = (visit.need, !visit.need && !settles);
            } else if !beamed && settles && had_moves {
                c.has_moves = visit.left;
                c.order_wanted = !visit.left && visit.need;
                c.fours_only |= !visit.left && visit.fours;
            }
        }
    }
}
