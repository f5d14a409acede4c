// SPDX-License-Identifier: MIT OR Apache-2.0
//! Move picker and move store alone, in Verilator, against plain tables by context.
#![allow(missing_docs)]

use engine_model::Cell;
use engine_model::evaluation::Picked;
use fastrand::Rng;
use hdl::Layout;
use hdl::circuits::evaluator::best_cell::before_port;
use hdl::circuits::search::move_picker::gain_class;
use rtl_tests::contexts::MOST_LEFT;
use rtl_tests::stimulus::{Group, Unit, pack, random_limit, set_field, winners_words};
use std::cmp::Reverse;

/// What the picker is asked in one visit.
struct Visit {
    context: usize,
    groups: Vec<Group>,
    fours_only: bool,
    bounded: bool,
    limit: i32,
    closed: bool,
}

/// What it must say.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    /// Group of the move.
    picked: Option<usize>,
    left: bool,
    need: bool,
    fours: bool,
}

/// First cells of the groups: few gains, so that they tie, and every rank at most once.
fn random_groups(layout: &Layout, rng: &mut Rng) -> Vec<Group> {
    let mut cells: Vec<Cell> = (0..layout.cells as Cell).collect();
    rng.shuffle(&mut cells);
    let density = rng.u32(0..5);
    // Often of the lower classes, at times of all.
    let most = if rng.bool() { 20 } else { 1 << layout.gain_bits };
    let mut group = |&cell: &Cell| {
        if rng.u32(0..4) >= density {
            return Group::default();
        }
        let first = Picked { cell, gain: rng.i32(0..most), makes_four: rng.u32(0..5) == 0 };
        let more = rng.bool();
        Group { first: Some(first), more, more_four: more && rng.u32(0..4) == 0, next: 0 }
    };
    cells[..layout.groups].iter().map(&mut group).collect()
}

impl Visit {
    fn random(layout: &Layout, rng: &mut Rng, context: usize, groups: Vec<Group>) -> Visit {
        Visit {
            context,
            groups,
            fours_only: rng.u32(0..4) == 0,
            bounded: rng.u32(0..4) > 0,
            limit: random_limit(layout, rng),
            closed: rng.u32(0..5) == 0,
        }
    }

    /// Whether the exact upper bound drops a move of this gain.
    fn is_low(&self, gain: i32) -> bool {
        self.bounded && gain <= self.limit
    }

    /// The answer when the groups in `issued` have had their first cell issued, and how many moves stand open, as far as they are counted.
    fn answer(&self, layout: &Layout, issued: &[bool]) -> (Answer, usize) {
        let firsts = self.groups.iter().enumerate().filter(|(group, _)| !issued[*group]);
        let open: Vec<(usize, Picked)> =
            firsts.filter_map(|(i, group)| group.first.map(|m| (i, m))).collect();
        let low = |m: &Picked| self.is_low(m.gain) && !m.makes_four;
        let staying: Vec<&(usize, Picked)> = open.iter().filter(|(_, m)| !low(m)).collect();
        let class = |m: &Picked| gain_class(layout, m.gain);
        let best =
            staying.iter().max_by_key(|(group, m)| (class(m), Reverse(*group))).map(|(group, _)| *group);
        let found = || self.groups.iter().filter_map(|g| g.first.map(|first| (g, first)));
        let plain = found().any(|(g, first)| g.more && (self.fours_only || !self.is_low(first.gain)));
        let fours = found().any(|(g, _)| g.more_four);
        let answer = Answer {
            picked: best.filter(|_| !self.closed),
            left: staying.len() > 1,
            need: plain || fours,
            fours: self.fours_only || !plain,
        };
        (answer, staying.len().min(MOST_LEFT))
    }

    fn drive(&self, unit: &mut Unit, layout: &Layout) {
        unit.set_words("winners", &winners_words(layout, &self.groups));
        unit.set("next_visited", self.context as u32);
        unit.set("limit", self.limit as u32 & ((1 << layout.value_bits) - 1));
        for (port, value) in [("fours_only", self.fours_only), ("bounded", self.bounded)] {
            unit.set(port, value.into());
        }
    }
}

/// What the picker says in the visit's second clock; its move, and how many stood open, come in the third.
fn answer_of(unit: &Unit, expected: &Answer) -> Answer {
    let is_set = |port| unit.get(port) == 1;
    let picked = is_set("picked").then_some(expected.picked).flatten();
    assert_eq!(is_set("picked"), expected.picked.is_some());
    Answer { picked, left: is_set("left"), need: is_set("need"), fours: is_set("fours") }
}

/// A context: first cells of its groups, which have been issued.
#[derive(Clone)]
struct Set {
    groups: Vec<Group>,
    issued: Vec<bool>,
}

#[test]
fn move_picker_takes_the_highest_class_that_is_left() {
    // By the gains' upper bits; from 24 points on, those below alike; from more than there are.
    // Also where no context is visited in two clocks in a row.
    for name in ["move_picker", "move_picker_from_24", "move_picker_from_32767", "move_picker_short"] {
        takes_the_highest_class(Unit::new(name, 10));
    }
}

fn takes_the_highest_class(mut unit: Unit) {
    let layout = unit.layout.clone();
    let mut rng = Rng::with_seed(10);
    // `None` before its first set.
    let mut contexts: Vec<Option<Set>> = vec![None; layout.contexts()];
    let (mut picks, mut nothing, mut following) = (0, 0, 0);
    let mut before: Option<Visit> = None;
    let mut last: Option<usize> = None;
    let (mut due, mut open_due): (Option<Picked>, Option<usize>) = (None, None);
    for _ in 0..20_000 {
        if let Some(open) = open_due.take() {
            assert_eq!(unit.get("open_count") as usize, open);
        }
        if let Some(picked) = due.take() {
            let rank = layout.geometry.rank[picked.cell as usize];
            assert_eq!((unit.get("gain") as i32, unit.get("rank") as u16), (picked.gain, rank));
        }
        // A visit in its second clock. Without `visit` the answer is the same, but nothing is remembered.
        let counts = rng.u32(0..4) > 0;
        unit.set("visit", u32::from(before.is_some() && counts));
        unit.set("closed", u32::from(before.as_ref().is_some_and(|visit| visit.closed)));
        let behind = before.as_ref().map(|visit| visit.context);
        // The next one in its first, often of the same context.
        let context = match layout.visits_in_a_row() {
            true => behind.filter(|_| rng.bool()).unwrap_or(rng.usize(0..contexts.len())),
            false => {
                // Then often that before the last.
                let other = |context: &usize| Some(*context) != behind;
                let any = rng.usize(0..contexts.len());
                let before_last = last.filter(|_| rng.bool()).filter(other);
                before_last.or(Some(any).filter(other)).unwrap_or((any + 1) % contexts.len())
            }
        };
        following += usize::from(!layout.visits_in_a_row() && last == Some(context));
        last = behind;
        let next = contexts[context]
            .as_ref()
            .map(|set| Visit::random(&layout, &mut rng, context, set.groups.clone()));
        if let Some(next) = &next {
            next.drive(&mut unit, &layout);
        }
        let marked = rng.usize(0..contexts.len());
        let marks = rng.u32(0..4) == 0 && marked != context && behind != Some(marked);
        let (group, issued) = (rng.usize(0..layout.groups), rng.bool());
        unit.set("mark", marks.into());
        unit.set("mark_context", marked as u32);
        unit.set("mark_group", group as u32);
        unit.set("mark_issued", issued.into());
        if let Some(visit) = before.take() {
            let set = contexts[visit.context].as_mut().expect("a visited context has a set");
            let (expected, open) = visit.answer(&layout, &set.issued);
            open_due = Some(open);
            assert_eq!(answer_of(&unit, &expected), expected, "issued {:?} of {:?}", set.issued, set.groups);
            picks += usize::from(expected.picked.is_some());
            nothing += usize::from(expected.picked.is_none() && !visit.closed);
            if let Some(group) = expected.picked {
                due = set.groups[group].first;
                set.issued[group] |= counts;
                following += usize::from(counts && next.as_ref().is_some_and(|n| n.context == visit.context));
            }
        }
        unit.tick();
        before = next;
        if marks {
            let mut taken = vec![false; layout.groups];
            taken[group] = issued;
            let groups = random_groups(&layout, &mut rng);
            contexts[marked] = Some(Set { groups, issued: taken });
        }
    }
    assert!(picks > 2000 && nothing > 1000, "{picks} {nothing}");
    assert!(following > 1000, "visits of one context close behind each other: {following}");
}

/// A word of `width` random bits.
fn noise(rng: &mut Rng, width: usize) -> Vec<u32> {
    pack((0..width).map(|_| rng.bool()))
}

/// What a pass for order goes on after, from the winners a context has or, in a beam, the last cell of all.
fn after_of(layout: &Layout, winners: &[u32], last: Option<&[u32]>) -> Vec<u32> {
    let (width, low) = (layout.winner.width(), layout.winner.field("rank").offset);
    let each = width - low;
    let mut words = vec![0; (layout.groups * each).div_ceil(32)];
    for group in 0..layout.groups {
        let own = cosim::trace::bits(winners, group * width + low, each);
        let beamed = last.map(|last| cosim::trace::bits(last, 0, each - 1) | 1 << (each - 1));
        set_field(&mut words, group * each, each, beamed.unwrap_or(own));
    }
    words
}

#[test]
fn move_store_keeps_what_each_context_was_given() {
    for name in ["move_store", "move_store_short", "move_store_transposed"] {
        keeps_what_each_context_was_given(name);
    }
}

fn keeps_what_each_context_was_given(name: &str) {
    let mut unit = Unit::new(name, 11);
    let layout = unit.layout.clone();
    let levels = layout.config.levels;
    let mut rng = Rng::with_seed(11);
    let node_bits = layout.kept_node().width();
    let last_bits = layout.gain_bits + layout.cell_bits;
    let contexts = layout.contexts();
    // What is written first is read afterwards.
    let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); contexts];
    let mut winners = nodes.clone();
    let mut lasts = nodes.clone();
    let mut marked = nodes.clone();
    let (mut visit, mut after) = (None, None);
    for clock in 0..5000 {
        let filling = clock < contexts;
        let write = |unit: &mut Unit, rng: &mut Rng, ports: [&str; 3], table: &mut Vec<Vec<u32>>, width| {
            let context = if filling { clock } else { rng.usize(0..contexts) };
            let (writes, word) = (filling || rng.bool(), noise(rng, width));
            unit.set(ports[0], writes.into());
            unit.set(ports[1], context as u32);
            unit.set_words(ports[2], &word);
            writes.then(|| std::mem::replace(&mut table[context], word))
        };
        // Reads of this clock see what the memories held before it.
        let before = (nodes.clone(), winners.clone(), lasts.clone());
        let marked_before = marked.clone();
        write(&mut unit, &mut rng, ["start", "start_context", "start_node"], &mut nodes, node_bits);
        let ports = ["winners_write", "winners_context", "winners"];
        let replaced = write(&mut unit, &mut rng, ports, &mut winners, layout.winners_width());
        if layout.marks_cells() {
            // With the winners, of the same context.
            let word = noise(&mut rng, layout.cells);
            unit.set_words("marks", &word);
            if replaced.is_some() {
                marked[unit.get("winners_context") as usize] = word;
            }
        }
        if layout.config.has_beam() {
            write(&mut unit, &mut rng, ["last_write", "last_context", "last"], &mut lasts, last_bits);
        }
        let visited = rng.usize(0..contexts);
        unit.set("visit_context", visited as u32);
        let (asked, beamed) = (rng.usize(0..contexts), rng.bool());
        unit.set("after_context", asked as u32);
        if layout.config.has_beam() {
            unit.set("after_beamed", beamed.into());
        }
        let returned = rng.usize(0..contexts);
        if layout.config.has_transpositions() {
            unit.set("returned_context", returned as u32);
        }
        let shown: Vec<usize> = (1..=levels).map(|_| rng.usize(0..contexts)).collect();
        for (context, level) in shown.iter().zip(1..) {
            unit.set(&format!("trace_context_{level}"), *context as u32);
        }
        for (&context, level) in shown.iter().zip(1..).filter(|_| !filling) {
            assert_eq!(unit.words(&format!("trace_node_{level}")), before.0[context]);
        }
        unit.tick();
        if !filling {
            visit = Some((before.0[visited].clone(), before.1[visited].clone()));
            let last = (beamed && layout.config.has_beam()).then_some(before.2[asked].as_slice());
            after = Some(match layout.marks_cells() {
                true => marked_before[asked].clone(),
                false => after_of(&layout, &before.1[asked], last),
            });
        }
        if layout.config.has_transpositions() && !filling {
            assert_eq!(unit.words("returned_node"), before.0[returned]);
        }
        if let Some((node, first_cells)) = &visit {
            assert_eq!(&unit.words("visit_node"), node);
            assert_eq!(&unit.words("visit_winners"), first_cells);
        }
        if let Some(after) = &after {
            assert_eq!(&unit.words(before_port(&layout)), after);
        }
    }
}
