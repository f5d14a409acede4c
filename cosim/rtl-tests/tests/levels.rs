// SPDX-License-Identifier: MIT OR Apache-2.0
//! Level controllers alone, in Verilator: random but legal events against a plain table of contexts.
#![allow(missing_docs)]

use fastrand::Rng;
use hdl::Layout;
use hdl::circuits::level_controller::BoundCode;
use rtl_tests::contexts::{Contexts, Drained, Events, MOST_RETURNED, Order, Start};
use rtl_tests::stimulus::{Unit, sign};
use std::collections::VecDeque;

/// Clocks of one episode: its beam and its children's kind stay.
const CLOCKS: u32 = 3000;
/// Fewest clocks from the choice of a context to the end of its visit, and from there to a result.
const VISIT: u32 = 3;
const RESULT: u32 = 4;

/// Something on its way back to a context, unless the context is left first.
#[derive(Clone, Copy)]
struct Due {
    at: u32,
    row: usize,
    generation: u32,
}

/// What the surroundings of a level owe it.
#[derive(Default)]
struct Surroundings {
    /// Visits in order of their choice; whether it is a pass for order.
    visits: VecDeque<(Due, bool)>,
    orders: Vec<Due>,
    children: Vec<Due>,
    /// Reserved contexts whose node has not come yet.
    reserved: Vec<Due>,
}

impl Surroundings {
    /// Forgets what belongs to contexts that were left.
    fn forget(&mut self, table: &Contexts) {
        let of_its_time = |due: &Due| table.rows[due.row].generation == due.generation;
        self.visits.retain(|(due, _)| of_its_time(due));
        self.orders.retain(of_its_time);
        self.children.retain(of_its_time);
        self.reserved.retain(of_its_time);
    }
}

/// One of the entries that are due, taken out.
fn take_due(list: &mut Vec<Due>, clock: u32, rng: &mut Rng) -> Option<Due> {
    let due: Vec<usize> = (0..list.len()).filter(|&i| list[i].at <= clock).collect();
    (!due.is_empty() && rng.u32(0..3) > 0).then(|| list.swap_remove(due[rng.usize(0..due.len())]))
}

/// How often things happened that the test is about.
#[derive(Debug, Default)]
struct Seen {
    returns: [usize; 3],
    kills: usize,
    dropped_returns: usize,
    orders: usize,
    both_reserved: usize,
    wider: usize,
    saturated: usize,
    waits: [usize; 3],
}

struct Test {
    unit: Unit,
    layout: Layout,
    level: usize,
    above: usize,
    table: Contexts,
    around: Surroundings,
    clock: u32,
    rng: Rng,
    seen: Seen,
}

impl Test {
    fn new(level: usize, seed: u64) -> Test {
        let unit = Unit::new(&format!("level_{level}"), seed as u32);
        let layout = unit.layout.clone();
        Test {
            table: Contexts::new(level, layout.contexts_at(level)),
            above: layout.contexts_at(level.max(2) - 1),
            unit,
            layout,
            level,
            around: Surroundings::default(),
            clock: 0,
            rng: Rng::with_seed(seed),
            seen: Seen::default(),
        }
    }

    fn value(&mut self) -> i32 {
        self.rng.i32(-12..=12)
    }

    /// Few gains and ranks, so that ties occur.
    fn order(&mut self) -> Order {
        (self.rng.u32(0..3), self.rng.u32(0..20))
    }

    fn order_word(&self, (gain, rank): Order) -> u32 {
        gain << self.layout.cell_bits | rank
    }

    /// Random events that the surroundings may bring in this clock.
    fn events(&mut self, child_free: bool) -> Events {
        let (clock, root) = (self.clock, self.level == 1);
        let mut events = Events { done_ready: root || self.rng.u32(0..3) > 0, ..Events::default() };
        events.clear = self.rng.u32(0..900) == 0;
        if !root && self.rng.u32(0..40) == 0 {
            events.killed.push(self.rng.usize(0..self.above));
        }
        if let Some((first, last)) = self.table.free().filter(|_| !root) {
            let parent = self.rng.usize(0..self.above);
            events.reserve_first = (self.rng.u32(0..3) == 0).then_some(parent);
            let may = events.reserve_first.is_none() || first != last;
            let parent = self.rng.usize(0..self.above);
            events.reserve_last = (may && self.rng.u32(0..3) == 0).then_some(parent);
            self.seen.both_reserved +=
                usize::from(events.reserve_first.is_some() && events.reserve_last.is_some());
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
        if let Some(due) = take_due(&mut self.around.children, clock, &mut self.rng) {
            events.update = Some((due.row, self.value(), self.order()));
        } else if !root && self.rng.u32(0..8) == 0 {
            // A return may still arrive at a context that has just been left.
            let row = self.rng.usize(0..self.table.rows.len());
            events.update = (!self.table.rows[row].active).then(|| (row, self.value(), self.order()));
        }
        if let Some(due) = take_due(&mut self.around.orders, clock, &mut self.rng) {
            let found = self.rng.u32(0..5) > 0;
            events.ordered = Some((due.row, found, found && self.rng.u32(0..4) > 0));
            self.seen.orders += 1;
        }
        let offers: Vec<(usize, bool)> = self.table.offers(child_free).into_iter().flatten().collect();
        if !offers.is_empty() && self.rng.u32(0..4) > 0 {
            events.take = Some(offers[self.rng.usize(0..offers.len())]);
        }
        let visit_ends = self.around.visits.front().is_some_and(|(due, _)| due.at <= clock);
        if visit_ends && self.rng.u32(0..4) > 0 {
            let (due, order) = self.around.visits.pop_front().expect("there is a front");
            let result = Due { at: clock + RESULT + self.rng.u32(0..20), ..due };
            if order {
                self.around.orders.push(result);
            } else {
                let closed = self.rng.u32(0..6) == 0;
                let issue = !closed && self.rng.u32(0..6) > 0;
                let [left, need, fours] = [0, 1, 2].map(|_| self.rng.u32(0..4) > 0);
                events.drained = Some(Drained { row: due.row, issue, closed, left, need, fours });
                self.around.children.extend(issue.then_some(result));
            }
        }
        if !root && self.rng.bool() {
            let row = self.rng.usize(0..self.table.rows.len());
            events.refresh = Some((row, self.value() - 8, self.value() + 8));
        }
        events
    }

    fn start(&mut self, row: usize) -> Start {
        let (alpha, beta) = (self.rng.i32(-14..4), self.rng.i32(4..16));
        Start {
            row,
            parent: self.table.rows[row].parent,
            negate: self.rng.bool(),
            alpha,
            beta,
            issued: self.rng.u32(0..5) > 0,
            more: self.rng.u32(0..5) > 0,
            order: self.order(),
        }
    }

    fn drive(&mut self, events: &Events) {
        let mask = (1u32 << self.layout.value_bits) - 1;
        let root = self.level == 1;
        let update_order = self.order_word(events.update.map_or((0, 0), |u| u.2));
        let start_order = self.order_word(events.start.map_or((0, 0), |s| s.order));
        let unit = &mut self.unit;
        let mut set = |port: &str, value: i32| unit.set(port, value as u32);
        let mut option = |port: &str, row_port: &str, row: Option<usize>| {
            set(port, row.is_some().into());
            // What is not valid says nothing.
            set(row_port, row.unwrap_or(0) as i32);
        };
        option("reserve_first", "reserve_first_parent", events.reserve_first);
        option("reserve_last", "reserve_last_parent", events.reserve_last);
        option("release_a", "release_a_row", events.release[0]);
        option("release_b", "release_b_row", events.release[1]);
        option("start", "start_row", events.start.map(|s| s.row));
        option("update", "update_row", events.update.map(|u| u.0));
        option("ordered", "ordered_row", events.ordered.map(|o| o.0));
        option("take", "take_row", events.take.map(|t| t.0));
        option("drained", "drained_row", events.drained.map(|d| d.row));
        option("refresh", "refresh_row", events.refresh.map(|r| r.0));
        set("clear", events.clear.into());
        set("done_ready", events.done_ready.into());
        if let Some(start) = events.start {
            set("start_parent", start.parent as i32);
            set("start_negate", start.negate.into());
            set("start_alpha", start.alpha & mask as i32);
            set("start_beta", start.beta & mask as i32);
            set("start_issued", start.issued.into());
            set("start_more", start.more.into());
        }
        set("update_value", events.update.map_or(0, |u| u.1) & mask as i32);
        let (_, found, more) = events.ordered.unwrap_or_default();
        set("ordered_found", found.into());
        set("ordered_more", more.into());
        set("take_order", events.take.is_some_and(|t| t.1).into());
        if let Some(visit) = events.drained {
            set("drained_issue", visit.issue.into());
            set("drained_closed", visit.closed.into());
            set("drained_left", visit.left.into());
            set("drained_need", visit.need.into());
            set("drained_fours", visit.fours.into());
        }
        let (_, alpha, beta) = events.refresh.unwrap_or_default();
        set("refresh_alpha", alpha & mask as i32);
        set("refresh_beta", beta & mask as i32);
        match self.level {
            1 => self.unit.set("update_order", update_order),
            2 => self.unit.set("start_order", start_order),
            _ => {}
        }
        if !root {
            self.unit.set("killed", events.killed.iter().fold(0, |word, parent| word | 1 << parent));
        }
    }

    /// Reads of one row through every read port, after inputs have settled.
    fn check_reads(&mut self) {
        let row = self.rng.usize(0..self.table.rows.len());
        let order = self.order();
        let order_word = self.order_word(order);
        let unit = &mut self.unit;
        for port in ["window_row", "bounds_row", "own_row", "visit_row", "issue_row", "generation_row"] {
            unit.set(port, row as u32);
        }
        if self.level == 1 {
            unit.set("window_order", order_word);
            unit.set("bounds_order", order_word);
        }
        unit.dut.settle();
        let c = &self.table.rows[row];
        for port in ["visit_active", "own_active", "issue_active"] {
            assert_eq!(unit.get(port) == 1, c.active, "{port}");
        }
        assert_eq!(unit.get("generation"), c.generation);
        assert_eq!(unit.get("visit_generation"), c.generation);
        if !c.active {
            return;
        }
        let alpha = self.table.alpha_for(row, order);
        self.seen.wider += usize::from(alpha < c.alpha);
        for (port, value) in [
            ("own_alpha", c.alpha),
            ("own_beta", c.beta),
            ("window_alpha", alpha),
            ("window_beta", c.beta),
            ("bounds_alpha", alpha),
            ("bounds_beta", c.beta),
        ] {
            assert_eq!(sign(unit.get(port), self.layout.value_bits), value, "{port} of {row}");
        }
        assert_eq!(unit.get("visit_parent") as usize, c.parent);
        assert_eq!(unit.get("visit_negate") == 1, c.negate);
        assert_eq!(unit.get("visit_fours") == 1, c.fours_only);
        if self.level == 2 {
            assert_eq!(unit.get("visit_order"), self.order_word(c.order));
        }
    }

    fn check_state(&mut self, child_free: bool) {
        let unit = &self.unit;
        let offers = self.table.offers(child_free);
        for (class, offer) in ["a", "b"].into_iter().zip(offers) {
            let port = |name: &str| unit.get(&format!("{class}_{name}"));
            let got = (port("valid") == 1).then(|| (port("row") as usize, port("order") == 1));
            assert_eq!(got, offer, "class {class}");
        }
        let free = self.table.free();
        let got = (unit.get("free_any") == 1).then(|| ["first_free", "last_free"].map(|port| unit.get(port)));
        assert_eq!(got, free.map(|(first, last)| [first as u32, last as u32]));
        assert_eq!(unit.get("free_many") == 1, free.is_some_and(|(first, last)| first != last));
        let waits = self.table.waits(child_free);
        for (number, port) in ["waits_order", "waits_first", "waits_context"].into_iter().enumerate() {
            assert_eq!(unit.get(port) == 1, waits[number], "{port}");
            self.seen.waits[number] += usize::from(waits[number]);
        }
        let kill = (0..self.table.rows.len())
            .fold(0, |word, row| word | u32::from(self.table.kill.contains(&row)) << row);
        assert_eq!(unit.get("kill"), kill);
        assert_eq!(unit.get("done") == 1, self.table.done.is_some());
        assert_eq!(unit.get("done_new") == 1, self.table.done_new);
        let Some(done) = self.table.done else { return };
        let value = |port: &str| sign(unit.get(port), self.layout.value_bits);
        assert_eq!(unit.get("done_row") as usize, done.row);
        assert_eq!((value("done_value"), value("done_own_value")), (done.value, done.own_value));
        assert_eq!(unit.get("done_bound") as u8, done.bound);
        assert!(self.level == 1 || unit.get("done_parent") as usize == done.parent);
        let raised = done.bound != BoundCode::Upper as u8;
        if self.level == 2 || (self.level == 1 && raised) {
            assert_eq!(unit.get("done_order"), self.order_word(done.order));
        }
        self.seen.returns[done.bound as usize] += usize::from(self.table.done_new);
    }

    fn clock(&mut self) {
        let child_free = self.rng.u32(0..4) > 0;
        self.unit.set("child_free", child_free.into());
        let events = self.events(child_free);
        self.drive(&events);
        self.check_reads();
        self.check_state(child_free);
        if let Some(start) = events.start {
            assert_eq!(self.unit.get("start_generation"), self.table.rows[start.row].generation);
        }
        if let Some(visit) = events.drained {
            assert_eq!(self.unit.get("drained_active") == 1, self.table.rows[visit.row].active);
        }
        let (free, waiting) = (self.table.free(), self.table.done);
        self.unit.tick();
        self.table.step(&events);
        self.clock += 1;
        self.seen.kills += self.table.kill.len();
        let lost = |parent| events.killed.contains(&parent);
        self.seen.dropped_returns += usize::from(waiting.is_some_and(|done| lost(done.parent)));
        let most = self.table.rows.iter().filter(|c| c.active && c.returned == MOST_RETURNED).count();
        self.seen.saturated += most;
        self.owe(&events, free);
    }

    /// What the clock's events bring later.
    fn owe(&mut self, events: &Events, free: Option<(usize, usize)>) {
        let at = self.clock + RESULT;
        let generation = |row: usize| self.table.rows[row].generation;
        let due = |at, row| Due { at, row, generation: generation(row) };
        if let Some((first, last)) = free {
            let firsts = events.reserve_first.map(|_| first);
            let lasts = events.reserve_last.map(|_| last);
            for row in firsts.into_iter().chain(lasts).filter(|&row| self.table.rows[row].reserved) {
                self.around.reserved.push(due(at, row));
            }
        }
        if let Some(start) = events.start.filter(|s| s.issued && self.table.rows[s.row].active) {
            self.around.children.push(due(at, start.row));
        }
        if let Some((row, order)) = events.take {
            self.around.visits.push_back((due(self.clock + VISIT, row), order));
        }
        // A context taken in the clock in which it was left has the older generation.
        let Surroundings { visits, .. } = &mut self.around;
        visits.retain(|(due, _)| self.table.rows[due.row].active);
        let table = self.table.clone();
        self.around.forget(&table);
    }
}

fn run(level: usize) -> Seen {
    let mut test = Test::new(level, level as u64);
    for (beam, leaf_children) in [(0, false), (0, true), (1, false), (2, true), (5, false), (9, true)] {
        test.table.beam = beam;
        test.table.leaf_children = leaf_children;
        test.unit.set("beam", beam as u32);
        test.unit.set("leaf_children", leaf_children.into());
        let clear = Events { clear: true, done_ready: true, ..Events::default() };
        test.drive(&clear);
        test.unit.tick();
        test.table.step(&clear);
        test.around = Surroundings::default();
        (0..CLOCKS).for_each(|_| test.clock());
    }
    println!("level {level}: {:?}", test.seen);
    test.seen
}

#[test]
fn the_roots_level_follows_the_table() {
    let seen = run(1);
    assert!(seen.returns.iter().all(|&count| count > 20) && seen.wider > 100, "{seen:?}");
    assert!(seen.orders > 100 && seen.waits.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn lower_levels_follow_the_table() {
    for level in [2, 3] {
        let seen = run(level);
        assert!(seen.returns.iter().all(|&count| count > 100), "{seen:?}");
        assert!(seen.kills > 100 && seen.dropped_returns > 10 && seen.both_reserved > 100, "{seen:?}");
        assert!(seen.orders > 100 && seen.waits.iter().all(|&count| count > 100), "{seen:?}");
    }
}
