// SPDX-License-Identifier: MIT OR Apache-2.0
//! The picker of beams alone, against a plain table by context: moves in static order as far as first cells tell it.
#![allow(missing_docs)]

use engine_model::Cell;
use engine_model::evaluation::Picked;
use fastrand::Rng;
use hdl::Layout;
use rtl_tests::stimulus::{Group, Unit, random_limit, winners_words};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Clocks that lie between two visits of a context, and between a new set and its first visit.
const APART: usize = 4;

/// A context: first cells of its groups, which have been issued, the group of the first of all.
#[derive(Clone)]
struct Set {
    groups: Vec<Group>,
    issued: Vec<bool>,
    first: usize,
    /// No visit has issued any.
    unvisited: bool,
}

/// What the picker is asked in one visit.
#[derive(Clone, Default)]
struct Visit {
    context: usize,
    bounded: bool,
    limit: i32,
    closed: bool,
    counts: bool,
}

/// What it must say: the group of the move, and of the one that a pass for order goes on behind.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    picked: Option<usize>,
    left: bool,
    need: bool,
    goes_on: Option<usize>,
}

/// First cells of the groups: few gains, so that they tie, and every rank at most once.
fn random_set(layout: &Layout, rng: &mut Rng) -> Set {
    let mut cells: Vec<Cell> = (0..layout.cells as Cell).collect();
    rng.shuffle(&mut cells);
    let density = rng.u32(1..5);
    let mut group = |&cell: &Cell| {
        if rng.u32(0..4) >= density {
            return Group::default();
        }
        let first = Picked { cell, gain: rng.i32(0..20), makes_four: rng.u32(0..8) == 0 };
        let more = rng.bool();
        let next = if more { rng.i32(0..=first.gain) } else { 0 };
        Group { first: Some(first), more, more_four: more && rng.u32(0..8) == 0, next }
    };
    let groups: Vec<Group> = cells[..layout.groups].iter().map(&mut group).collect();
    let key = |first: Picked| (first.gain, Reverse(layout.geometry.rank[first.cell as usize]));
    let first =
        (0..groups.len()).max_by_key(|&group| groups[group].first.map(key)).expect("there are groups");
    let mut issued = vec![false; layout.groups];
    issued[first] = groups[first].first.is_some() && rng.bool();
    Set { groups, issued, first, unvisited: true }
}

impl Visit {
    fn random(layout: &Layout, rng: &mut Rng, context: usize) -> Visit {
        Visit {
            context,
            bounded: rng.u32(0..3) == 0,
            limit: random_limit(layout, rng),
            closed: rng.u32(0..5) == 0,
            counts: rng.u32(0..6) > 0,
        }
    }

    /// Whether the exact upper bound drops a move of this gain.
    fn is_low(&self, gain: i32) -> bool {
        self.bounded && gain <= self.limit
    }

    /// Of a group whose first cell has been issued only the next one's gain is known, and that comes before what ties.
    fn answer(&self, layout: &Layout, set: &Set) -> Answer {
        let stands = |(number, group): (usize, &Group)| {
            let first = group.first?;
            let rank = Reverse(layout.geometry.rank[first.cell as usize]);
            match set.issued[number] {
                false => Some((first.gain, false, rank, number, first.makes_four)),
                true => group.more.then_some((group.next, true, rank, number, false)),
            }
        };
        let groups = || set.groups.iter().enumerate();
        let standing: Vec<_> = groups().filter_map(stands).collect();
        let behind =
            |(number, group): (usize, &Group)| group.first.is_some() && group.more && !set.issued[number];
        let four = |(number, group): (usize, &Group)| {
            group.more_four || (!set.issued[number] && group.first.is_some_and(|first| first.makes_four))
        };
        let fours = groups().any(four);
        let best = standing.iter().max();
        let goes = best.filter(|best| !self.closed && (!self.is_low(best.0) || best.4 || fours));
        let picked = goes.filter(|best| !best.1).map(|best| best.3);
        let need = goes.is_some_and(|best| best.1);
        Answer {
            picked,
            left: standing.len() > 1 || groups().any(behind),
            need,
            goes_on: picked.or((need && set.unvisited).then_some(set.first)),
        }
    }

    fn drive(&self, unit: &mut Unit, layout: &Layout, set: &Set) {
        unit.set_words("winners", &winners_words(layout, &set.groups));
        unit.set("visited", self.context as u32);
        unit.set("limit", self.limit as u32 & ((1 << layout.value_bits) - 1));
        unit.set("bounded", self.bounded.into());
    }
}

#[test]
fn a_beam_goes_on_in_static_order() {
    let mut unit = Unit::new("beam_picker", 12);
    let layout = unit.layout.clone();
    let mut rng = Rng::with_seed(12);
    let contexts = layout.contexts();
    let mut sets: Vec<Option<Set>> = vec![None; contexts];
    // When a context was marked or visited last.
    let mut touched = vec![0; contexts];
    // Visits on their way: the one that comes, in its first clock, its second, its third.
    let mut visits: VecDeque<Option<Visit>> = [const { None }; 4].into();
    let mut due: Option<Picked> = None;
    let (mut picks, mut passes, mut ends) = (0, 0, 0);
    for clock in APART..30_000 {
        let free = |context: usize, touched: &[usize]| clock >= touched[context] + APART;
        let comes = rng.usize(0..contexts.min(8));
        let comes = (sets[comes].is_some() && free(comes, &touched)).then_some(comes);
        visits.push_front(comes.map(|context| Visit::random(&layout, &mut rng, context)));
        visits.truncate(4);
        if let Some(context) = comes {
            touched[context] = clock + 1;
            unit.set("coming", context as u32);
        }
        if let Some(visit) = &visits[1] {
            visit.drive(&mut unit, &layout, sets[visit.context].as_ref().expect("it is visited"));
        }
        let second = visits[2].as_ref();
        unit.set("visit", u32::from(second.is_some_and(|visit| visit.counts)));
        unit.set("closed", u32::from(second.is_some_and(|visit| visit.closed)));
        let marked = rng.usize(0..contexts.min(8));
        let marks = rng.u32(0..8) == 0 && comes != Some(marked) && free(marked, &touched);
        let new = random_set(&layout, &mut rng);
        unit.set("mark", marks.into());
        unit.set("mark_context", marked as u32);
        unit.set("mark_group", new.first as u32);
        unit.set("mark_issued", new.issued[new.first].into());
        if let Some(move_of) = due.take() {
            let rank = layout.geometry.rank[move_of.cell as usize];
            assert_eq!((unit.get("gain") as i32, unit.get("rank") as u16), (move_of.gain, rank));
        }
        if let Some(visit) = &visits[3] {
            let set = sets[visit.context].as_mut().expect("it is visited");
            let expected = visit.answer(&layout, set);
            let said = ["picked", "left", "need", "goes_on"].map(|port| unit.get(port) == 1);
            let goes_on = visit.counts && expected.goes_on.is_some();
            let wanted = [expected.picked.is_some(), expected.left, expected.need, goes_on];
            assert_eq!(said, wanted, "{expected:?} of {:?}, issued {:?}", set.groups, set.issued);
            due = expected.goes_on.and_then(|group| set.groups[group].first);
            picks += usize::from(expected.picked.is_some());
            passes += usize::from(expected.need);
            ends += usize::from(expected.goes_on.is_none() && !expected.need && !visit.closed);
            if let Some(group) = expected.picked.filter(|_| visit.counts) {
                set.issued[group] = true;
                set.unvisited = false;
            }
        }
        unit.tick();
        if marks {
            sets[marked] = Some(new);
            touched[marked] = clock;
        }
    }
    assert!(
        picks > 5000 && passes > 1000 && ends > 100,
        "{picks} moves, {passes} passes for order, {ends} ends"
    );
}
