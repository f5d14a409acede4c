// SPDX-License-Identifier: MIT OR Apache-2.0
//! Level controllers alone, in Verilator: random but legal events against a plain table of contexts.
#![allow(missing_docs)]

use fastrand::Rng;
use hdl::Layout;
use hdl::circuits::level::words::BoundCode;
use rtl_tests::contexts::{Context, Contexts, MOST_LEFT, Offer};
use rtl_tests::level_events::{
    Drained, Events, Order, Seen, Start, Update, random_value, random_window, update_ports,
};
use rtl_tests::level_surroundings::{Due, Surroundings, Visit, known_exceeds, take_due};
use rtl_tests::stimulus::{Unit, sign};

/// Clocks of one episode: its beam and its children's kind stay.
const CLOCKS: u32 = 6250;
/// Fewest clocks from the choice of a context to the end of its visit, and from there to a result.
const VISIT: u32 = 3;
const RESULT: u32 = 4;
/// Widths of the beam of a level that has one, an episode each.
const BEAMS: [usize; 6] = [1, 1, 2, 2, 5, 9];
/// Most visits between the choice of their context and their end.
const MOST_VISITS: usize = 6;

struct Test {
    unit: Unit,
    layout: Layout,
    level: usize,
    above: usize,
    table: Contexts,
    around: Surroundings,
    clock: u32,
    /// The context of a result that comes in a clock.
    soon: usize,
    /// Where paths are shortened: whether a first child was waited for a clock ago.
    waited: Option<bool>,
    rng: Rng,
    seen: Seen,
}

impl Test {
    fn new(level: usize, model: &str, seed: u64) -> Test {
        let unit = Unit::new(model, seed as u32);
        let layout = unit.layout.clone();
        Test {
            table: Contexts::new(&layout, level),
            above: layout.contexts_at(level.max(2) - 1),
            unit,
            layout,
            level,
            around: Surroundings::default(),
            clock: 0,
            soon: 0,
            waited: None,
            rng: Rng::with_seed(seed),
            seen: Seen::default(),
        }
    }

    /// Whether its nodes' moves may be refuted by a reply.
    fn is_answered(&self) -> bool {
        self.layout.answered_level() == Some(self.level)
    }

    /// Few gains and ranks: ties occur.
    fn order(&mut self) -> Order {
        (self.rng.u32(0..3), self.rng.u32(0..20))
    }

    fn order_word(&self, (gain, rank): Order) -> u32 {
        gain << self.layout.cell_bits | rank
    }

    /// Random events that the surroundings may bring in this clock.
    fn events(&mut self) -> Events {
        let (clock, root) = (self.clock, self.level == 1);
        let mut events = Events { done_ready: root || self.rng.u32(0..3) > 0, ..Events::default() };
        events.child_any = self.rng.u32(0..4) > 0;
        events.clear = self.rng.u32(0..900) == 0;
        let infinity = self.layout.scoring.win_score - 1;
        [events.above, events.start_above] = [(); 2].map(|()| random_window(&mut self.rng, infinity));
        // Now and then nothing comes back for long, and nothing is left: as many children are in flight as may be.
        let calm = clock % 2500 > 2000;
        if !root && !calm && self.rng.u32(0..40) == 0 {
            events.killed.push(self.rng.usize(0..self.above));
        }
        if !root && !calm && self.rng.u32(0..4) == 0 {
            events.above_changed = Some(self.rng.usize(0..self.above));
        }
        if let Some((first, second)) = self.table.free().filter(|_| !root) {
            let parent = self.rng.usize(0..self.above);
            events.reserve_first = (self.rng.u32(0..3) == 0).then_some(parent);
            let may = events.reserve_first.is_none() || first != second;
            let parent = self.rng.usize(0..self.above);
            events.reserve_second = (may && self.rng.u32(0..3) == 0).then_some(parent);
            self.seen.both_reserved +=
                usize::from(events.reserve_first.is_some() && events.reserve_second.is_some());
        }
        // A child's evaluation comes: its context starts, or is given back.
        let comes = take_due(&mut self.around.reserved, clock, &mut self.rng);
        match comes {
            Some(due) if self.rng.u32(0..4) > 0 => events.start = Some(self.start(due.row)),
            Some(due) => events.release[self.rng.usize(0..2)] = Some(due.row),
            None if root && !self.table.rows[0].active && self.rng.bool() => {
                events.start = Some(self.start(0));
            }
            None => {}
        }
        if events.start.is_none() && (!calm || self.rng.u32(0..40) == 0) {
            events.update = self.update();
        }
        if let Some(due) = take_due(&mut self.around.orders, clock, &mut self.rng) {
            let found = self.rng.u32(0..5) > 0;
            events.ordered = Some((due.row, found));
            self.seen.orders += 1;
        }
        // A visit has so many stages.
        let room = self.around.visits.len() < MOST_VISITS;
        events.take = room && self.table.offer.is_some() && self.rng.u32(0..4) > 0;
        let visit_ends = self.around.visits.front().is_some_and(|(due, _)| due.at <= clock);
        if visit_ends && self.rng.u32(0..4) > 0 {
            let (due, visit) = self.around.visits.pop_front().expect("there is a front");
            let result = Due { at: clock + RESULT + self.rng.u32(0..20), ..due };
            if visit == Visit::Order {
                self.around.orders.push(result);
            } else {
                let closed = !calm && self.rng.u32(0..6) == 0;
                let issue = !closed && self.rng.u32(0..6) > 0;
                let [left, mut need, fours] = [0, 1, 2].map(|_| calm || self.rng.u32(0..4) > 0);
                let count = self.rng.usize(0..=MOST_LEFT);
                if self.table.beam > 0 {
                    // Nothing was issued because a pass for order has to come first.
                    need &= !issue && !closed;
                    self.seen.dropped_early += usize::from(!issue && !need);
                }
                events.drained = Some(Drained { row: due.row, issue, closed, left, count, need, fours });
                self.around.children.extend(issue.then_some(result));
            }
        }
        events
    }

    fn update(&mut self) -> Option<Update> {
        let (value, keep, order) =
            (random_value(&mut self.rng, &self.layout.scoring), self.rng.bool(), self.order());
        if let Some(due) = take_due(&mut self.around.children, self.clock, &mut self.rng) {
            return Some(Update { row: due.row, value, keep, order });
        }
        // A return may still arrive at a context that has just been left.
        let row = self.rng.usize(0..self.table.rows.len());
        let left = self.level > 1 && self.rng.u32(0..8) == 0 && !self.table.rows[row].active;
        left.then_some(Update { row, value, keep, order })
    }

    fn start(&mut self, row: usize) -> Start {
        let ([issued, more], unproved) = ([0, 1].map(|_| self.rng.u32(0..5) > 0), self.rng.bool());
        let replies = self.is_answered() && issued && more && self.rng.bool();
        Start { row, negate: self.rng.bool(), issued, more, unproved, replies, order: self.order() }
    }

    fn drive(&mut self, events: &Events) {
        let mask = (1u32 << self.layout.value_bits) - 1;
        let (root, beamed, answered) = (self.level == 1, self.table.beam > 0, self.is_answered());
        let update_order = self.order_word(events.update.map_or((0, 0), |u| u.order));
        let start_order = self.order_word(events.start.map_or((0, 0), |s| s.order));
        let last = self.level == self.layout.config.levels;
        let (ended, other) = (self.rng.bool(), self.rng.usize(0..self.table.rows.len()));
        let unit = &mut self.unit;
        let mut set = |port: &str, value: i32| unit.set(port, value as u32);
        let mut option = |port: &str, row_port: &str, row: Option<usize>| {
            set(port, row.is_some().into());
            // What is not valid says nothing.
            set(row_port, row.unwrap_or(0) as i32);
        };
        if !root {
            option("reserve_first", "reserve_first_parent", events.reserve_first);
            option("reserve_second", "reserve_second_parent", events.reserve_second);
            option("release_a", "release_a_row", events.release[0]);
            option("release_b", "release_b_row", events.release[1]);
            option("above_changed", "above_changed_row", events.above_changed);
        }
        option("start", "start_row", events.start.map(|s| s.row));
        option("ordered", "ordered_row", events.ordered.map(|o| o.0));
        set("drained_at", events.drained.map_or(0, |d| 1 << d.row));
        for (port, value) in update_ports(events.update, mask, other, (!last).then_some(ended), root) {
            set(port, value as i32);
        }
        set("take", events.take.into());
        set("child_any", events.child_any.into());
        set("clear", events.clear.into());
        set("done_ready", events.done_ready.into());
        if let Some(start) = events.start {
            set("start_negate", start.negate.into());
            set("start_issued", start.issued.into());
            set("start_more", start.more.into());
            set("start_unproved", start.unproved.into());
            if answered {
                set("start_replies", start.replies.into());
            }
        }
        set("ordered_found", events.ordered.is_some_and(|(_, found)| found).into());
        if let Some(visit) = events.drained {
            visit.ports(beamed, !root && !last).into_iter().for_each(|(port, value)| set(port, value as i32));
        }
        if beamed {
            set("beam", self.table.beam as i32);
        }
        match self.level {
            1 => self.unit.set("update_order", update_order),
            2 => self.unit.set("start_order", start_order),
            _ => {}
        }
        if !root {
            let [above, start] = [events.above, events.start_above];
            let values = [1, above.0, above.1, start.0, start.1].map(|value| value as u32 & mask);
            let ports = ["searching", "above_alpha", "above_limit", "start_alpha", "start_limit"];
            ports.into_iter().zip(values).for_each(|(port, value)| self.unit.set(port, value));
            let [lost, turned] = [start.0, !start.1].map(|value| value < -self.layout.scoring.unproved);
            self.unit.set("start_losses", u32::from(turned) << 1 | u32::from(lost));
            self.unit.set("killed", events.killed.iter().fold(0, |word, parent| word | 1 << parent));
        }
    }

    /// Reads of one row through every read port, after inputs have settled.
    fn check_reads(&mut self, events: &Events) {
        let next = self.rng.usize(0..self.table.rows.len());
        let row = std::mem::replace(&mut self.soon, next);
        let order = self.order();
        let order_word = self.order_word(order);
        let bits = self.layout.value_bits;
        let last = self.level == self.layout.config.levels;
        let floors = self.layout.config.has_floor() && self.level > 1 && !last;
        let floor = random_value(&mut self.rng, &self.layout.scoring);
        let (answered, looks_up) = (self.is_answered(), self.layout.looks_up(self.level));
        let (other, other_order) = (self.rng.usize(0..self.table.rows.len()), self.order());
        let other_order_word = self.order_word(other_order);
        let age = self.table.rows[row].generation ^ u32::from(self.rng.u32(0..3) == 0);
        let unit = &mut self.unit;
        for port in ["issue_row", "generation_row", "child_row"] {
            unit.set(port, row as u32);
        }
        unit.set("issue_generation", age);
        if self.layout.reads_parents_early(self.level) {
            unit.set("soon_row", next as u32);
        }
        let asks = [("window", row, order_word), ("window_start", other, other_order_word)];
        for (asks, row, order_word) in asks.into_iter().filter(|_| !last) {
            unit.set(&format!("{asks}_row"), row as u32);
            if self.level == 1 {
                unit.set(&format!("{asks}_order"), order_word);
            }
        }
        if floors {
            if self.table.rows.len() > 1 {
                unit.set("floor_row", row as u32);
            }
            unit.set("floor_turned", !floor as u32 & ((1 << bits) - 1));
        }
        if answered {
            unit.set("bound_row", row as u32);
            let c = &self.table.rows[row];
            assert!(!c.active || sign(unit.get("bound_alpha"), bits) == c.alpha);
        }
        let c = &self.table.rows[row];
        if floors && c.active {
            assert_eq!(unit.get("floor_above") == 1, -floor > c.alpha, "{floor} against {}", c.alpha);
        }
        if looks_up {
            let exceeds = known_exceeds(unit, row, floor);
            assert!(!c.active || exceeds == [-floor > c.alpha, -floor > c.limit], "{floor}: {exceeds:?}");
        }
        let stays = unit.get("generation_stays") == 1 && unit.get("generation_leaves") == 0;
        assert_eq!(stays, self.table.stays(row, events));
        assert_eq!(unit.get("issue_alive") == 1, c.active && c.generation == age);
        assert_eq!((unit.get("generation"), unit.get("start_generation")), (c.generation, c.generation));
        if let Some(row) = self.table.turn {
            assert_eq!(unit.get("visit_active") == 1, self.table.rows[row].active);
        }
        if let Some(visited) = self.table.turn.map(|row| &self.table.rows[row]).filter(|c| c.active) {
            assert_eq!(unit.get("visit_generation"), visited.generation);
            assert_eq!(unit.get("visit_fours") == 1, visited.fours_only);
            if answered {
                let [surviving, replies] =
                    ["visit_surviving", "visit_replies"].map(|port| unit.get(port) == 1);
                assert_eq!((surviving, replies), (visited.surviving, visited.replies));
            }
            if self.level > 1 {
                assert_eq!(unit.get("visit_parent") as usize, visited.parent);
            }
            if self.level == 2 {
                assert_eq!(unit.get("visit_order"), self.order_word(visited.order));
            }
        }
        if last || (self.level == 1 && !self.table.shown.0.active) {
            return;
        }
        // A visit and a start may ask in the same clock.
        for (asks, row, order) in [("window", row, order), ("window_start", other, other_order)] {
            let c = &self.table.rows[row];
            if c.active {
                let (alpha, limit) = self.table.window_for(row, order);
                self.seen.wider += usize::from(alpha < c.alpha);
                for (port, value) in [("alpha", alpha), ("limit", limit)] {
                    let got = sign(self.unit.get(&format!("{asks}_{port}")), bits);
                    assert_eq!(got, value, "{asks}_{port} of {row}");
                }
            }
        }
    }

    /// What was read a clock ago.
    fn check_seen(&mut self) {
        let Some(seen) = self.table.seen.filter(|seen| seen.was.active) else { return };
        let unit = &self.unit;
        let value = |port: &str| sign(unit.get(port), self.layout.value_bits);
        // At the root what the bound leaves a tie may be the earlier move.
        let tie = i32::from(self.level == 1);
        let (alpha, limit) = seen.now();
        assert_eq!(value("now_alpha"), alpha - tie);
        // The root is cut by its own values only.
        let closed = if self.level == 1 { self.table.rows[0].cut } else { alpha > limit };
        assert_eq!(unit.get("now_closed") == 1, closed);
        self.seen.followed += usize::from(alpha != seen.was.alpha || limit != seen.was.limit);
    }

    fn check_state(&mut self, child_any: bool) {
        let unit = &self.unit;
        let flag = |port: &str| unit.get(port) == 1;
        assert_eq!(flag("offer"), self.table.offer.is_some());
        if let Some(offer) = self.table.offer {
            assert_eq!(unit.get("offer_row") as usize, offer.row);
            let got = ["offer_due", "offer_order"].map(flag);
            assert_eq!(got, [offer.due, offer.order], "{offer:?}");
            if self.level < self.layout.config.levels {
                assert_eq!(flag("offer_needs"), !offer.order && !self.table.leaf_children, "{offer:?}");
            }
        }
        if self.level > 1 {
            let free = self.table.free();
            let got = flag("free_any").then(|| ["first_free", "second_free"].map(|port| unit.get(port)));
            assert_eq!(got, free.map(|(first, second)| [first as u32, second as u32]));
            assert_eq!(flag("free_both"), free.is_some_and(|(first, second)| first != second));
        }
        if self.level == 2 && self.level < self.layout.config.levels {
            let changed = self.table.changed.filter(|&row| self.table.rows[row].active);
            assert!(changed.is_none() || flag("changed"));
            let got = flag("changed").then(|| unit.get("changed_row") as usize);
            assert_eq!(got.filter(|&row| self.table.rows[row].active), changed);
            self.seen.changes += usize::from(changed.is_some());
        }
        let mut waits = self.table.waits(child_any);
        if self.layout.shortens_paths() {
            let waited = self.waited.replace(waits[1]);
            waits[1] = waited.unwrap_or(flag("waits_first"));
        }
        for (number, port) in ["waits_order", "waits_first", "waits_context"].into_iter().enumerate() {
            assert_eq!(flag(port), waits[number], "{port}");
            self.seen.waits[number] += usize::from(waits[number]);
        }
        assert_eq!(flag("held"), self.table.rows.iter().any(|c| c.active || c.reserved));
        let kill = (0..self.table.rows.len())
            .fold(0, |word, row| word | u32::from(self.table.kill.contains(&row)) << row);
        assert_eq!(unit.get("kill"), kill);
        assert_eq!(flag("done"), self.table.done.is_some());
        assert_eq!(flag("done_new"), self.table.done_new);
        let Some(done) = self.table.done else { return };
        assert_eq!(unit.get("done_row") as usize, done.row);
        assert_eq!(sign(unit.get("done_value"), self.layout.value_bits), done.value);
        assert_eq!((flag("done_keep"), unit.get("done_bound") as u8), (done.keep, done.bound));
        if self.layout.shortens_paths() && self.level == 2 {
            let turned = if done.keep { done.value } else { !done.value };
            assert_eq!(sign(unit.get("done_turned"), self.layout.value_bits), turned);
        }
        assert!(self.level == 1 || unit.get("done_parent_at") == 1 << done.parent);
        let raised = done.bound != BoundCode::Upper as u8;
        if self.level == 2 || (self.level == 1 && raised) {
            assert_eq!(unit.get("done_order"), self.order_word(done.order));
        }
        self.seen.returns[done.bound as usize] += usize::from(self.table.done_new);
        self.seen.unproved += usize::from(self.table.done_new && done.value == -self.layout.scoring.unproved);
    }

    fn clock(&mut self) {
        let events = self.events();
        self.drive(&events);
        self.check_reads(&events);
        self.check_seen();
        self.check_state(events.child_any);
        let last = self.level == self.layout.config.levels;
        if let Some(visit) = events.drained.filter(|_| !last) {
            assert_eq!(self.unit.get("drained_active") == 1, self.table.rows[visit.row].active);
        }
        let (free, waiting, offer) = (self.table.free(), self.table.done, self.table.offer);
        self.unit.tick();
        self.table.step(&events);
        self.clock += 1;
        self.seen.kills += self.table.kill.len();
        let lost = |parent| events.killed.contains(&parent);
        self.seen.dropped_returns += usize::from(waiting.is_some_and(|done| lost(done.parent)));
        let saturated = |c: &&Context| c.active && c.returned == self.table.most_returned;
        let most = self.table.rows.iter().filter(saturated).count();
        self.seen.saturated += most;
        self.seen.full += self.table.rows.iter().filter(|c| c.pending >= self.table.most_pending).count();
        let taken = offer.filter(|_| events.take);
        let same = taken.zip(self.table.offer).is_some_and(|(then, now)| then.row == now.row);
        self.seen.again += usize::from(same);
        self.owe(&events, free, taken);
    }

    /// What the clock's events bring later.
    fn owe(&mut self, events: &Events, free: Option<(usize, usize)>, taken: Option<Offer>) {
        let at = self.clock + RESULT;
        let generation = |row: usize| self.table.rows[row].age();
        let due = |at, row| Due { at, row, generation: generation(row) };
        if let Some((first, second)) = free {
            let firsts = events.reserve_first.map(|_| first);
            let seconds = events.reserve_second.map(|_| second);
            for row in firsts.into_iter().chain(seconds).filter(|&row| self.table.rows[row].reserved) {
                self.around.reserved.push(due(at, row));
            }
        }
        if let Some(start) = events.start.filter(|s| s.issued && self.table.rows[s.row].active) {
            self.around.children.push(due(at, start.row));
        }
        self.seen.answered += usize::from(events.start.is_some_and(|start| start.replies));
        if let Some(offer) = taken {
            let visit = if offer.order { Visit::Order } else { Visit::Child };
            // A pass for order replaces the first cells while a visit would read them.
            let ordering = self.around.ordering(offer.row, generation(offer.row));
            assert!(!ordering, "{offer:?} is taken while a pass for order is under way");
            self.around.visits.push_back((due(self.clock + VISIT, offer.row), visit));
        }
        // A context taken in the clock in which it was left has the older generation.
        let Surroundings { visits, .. } = &mut self.around;
        visits.retain(|(due, _)| self.table.rows[due.row].active);
        let table = self.table.clone();
        self.around.forget(&table);
    }
}

/// Episodes of one module; a beam is part of it, its width is not.
fn run(level: usize, model: &str, beams: &[usize]) -> Seen {
    let mut test = Test::new(level, model, level as u64);
    for (&beam, leaf_children) in beams.iter().zip([false, true].into_iter().cycle()) {
        // The deepest level's children are leaves.
        let leaf_children = leaf_children || test.level == test.layout.config.levels;
        test.table.beam = beam;
        test.table.leaf_children = leaf_children;
        test.unit.set("leaf_children", leaf_children.into());
        let clear = Events { clear: true, done_ready: true, ..Events::default() };
        for _ in 0..2 {
            test.drive(&clear);
            test.unit.tick();
            test.table.step(&clear);
        }
        (test.around, test.waited) = (Surroundings::default(), None);
        (0..CLOCKS).for_each(|_| test.clock());
    }
    println!("{model}: {:?}", test.seen);
    test.seen
}

/// With moves ahead, too: what the level above then holds back, whole cores show.
#[test]
fn the_roots_level_follows_the_table() {
    for (model, again) in [("level_1", Some(50)), ("level_1_ahead", Some(20)), ("level_1_short", None)] {
        let seen = run(1, model, &[0; 6]);
        // Nothing exceeds the root's window.
        assert!(seen.returns[0] > 100 && seen.wider > 100 && seen.full > 100, "{seen:?}");
        assert!(seen.orders > 50 && again.map_or(seen.again == 0, |least| seen.again > least), "{seen:?}");
        assert!(seen.waits.iter().all(|&count| count > 100), "{seen:?}");
    }
}

#[test]
fn lower_levels_follow_the_table() {
    let kinds = [
        ("_all", [0; 6], Some(100)),
        ("_ahead", [0; 6], Some(20)),
        ("_short", [0; 6], None),
        ("_transposed", [0; 6], None),
        ("", BEAMS, Some(0)),
    ];
    for (kind, beams, again) in kinds {
        for level in [2, 3] {
            let seen = run(level, &format!("level_{level}{kind}"), &beams);
            assert!(seen.returns.iter().all(|&count| count > 100), "{seen:?}");
            assert!(seen.kills > 100 && seen.dropped_returns > 3 && seen.both_reserved > 100, "{seen:?}");
            let [order, first, context] = seen.waits;
            // Of five levels the fourth is.
            let answered = level == 2 && ["_all", "_ahead", "_short"].contains(&kind);
            assert_eq!(seen.answered > 50, answered, "{seen:?}");
            assert!(seen.orders > 100 && order > 50 && first > 50, "{seen:?}");
            assert!(seen.followed > 100 && (level == 3 || context > 50 && seen.changes > 100), "{seen:?}");
            let in_a_row = again.map_or(seen.again == 0, |least| seen.again > least);
            assert!(if beams[0] > 0 { seen.dropped_early > 30 } else { in_a_row }, "{seen:?}");
            assert!(seen.unproved > 5 && (beams[0] > 0 || seen.full > 100), "{seen:?}");
        }
    }
}
