// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transposition table alone, in Verilator, against a plain map.
#![allow(missing_docs)]

use fastrand::Rng;
use hdl::circuits::search::transposition_table::LOOKUP_LATENCY;
use rtl_tests::stimulus::{Unit, set_field, sign};
use std::collections::{HashMap, VecDeque};

/// Moves from the newest on.
type Path = Vec<u32>;
/// Stones of the side that made the newest move, and of the other, each in the order of their cells.
type Stones = [Vec<u32>; 2];

fn stones(path: &Path) -> Stones {
    [0, 1].map(|side| {
        let mut cells: Vec<u32> = path.iter().copied().skip(side).step_by(2).collect();
        cells.sort_unstable();
        cells
    })
}

/// Few cells, so that paths lead to the same stones, or to those of the other side.
fn path(rng: &mut Rng, lengths: std::ops::Range<usize>, cells: u32) -> Path {
    let mut all: Vec<u32> = (0..cells).collect();
    rng.shuffle(&mut all);
    all.truncate(rng.usize(lengths));
    all
}

/// The port's path; behind the last move is anything.
fn set_path(unit: &mut Unit, rng: &mut Rng, who: &str, path: &Path) {
    let (bits, places) = (unit.layout.cell_bits, unit.layout.stored_lengths().end - 1);
    let mut words = vec![0; (places * bits).div_ceil(32)];
    for place in 0..places {
        let cell = path.get(place).copied().unwrap_or_else(|| rng.u32(0..1 << bits));
        set_field(&mut words, place * bits, bits, cell.into());
    }
    unit.set_words(&format!("{who}_path"), &words);
    unit.set(&format!("{who}_length"), path.len() as u32);
}

/// What a lookup may find: nothing is asked, or what was stored for its stones, if anything was; whether that must be found.
type Asked = Option<(Option<(i32, u32)>, bool)>;

#[test]
fn the_table_knows_what_was_stored_last_and_nothing_else() {
    let mut unit = Unit::new("transposition_table_transposed", 3);
    let (layout, mut rng) = (unit.layout.clone(), Rng::with_seed(3));
    let lengths = layout.stored_lengths();
    let rows = 1 << (layout.config.transpositions.ilog2() / 2);
    let mask = (1u32 << layout.value_bits) - 1;
    let (mut known, mut newest) = (HashMap::<Stones, (i32, u32)>::new(), None::<Path>);
    let (mut asked, mut ready_from) = (VecDeque::<Asked>::new(), 0);
    let (mut hits, mut certain, mut replaced, mut strangers) = (0, 0, 0, 0);
    for clock in 0..40_000 {
        let clear = clock == 0 || rng.u32(0..600) == 0;
        unit.set("clear", clear.into());
        if clear {
            // A row of marks is cleared a clock, and nothing found or stored meanwhile.
            ready_from = clock + 1 + rows;
            (known, newest) = (HashMap::new(), None);
        }
        let path = match newest.as_ref().filter(|_| rng.bool()) {
            Some(newest) => {
                // The same stones in another order: moves of one side change places.
                let mut path = newest.clone();
                path.swap(0, 2);
                path
            }
            None => path(&mut rng, lengths.clone(), 6),
        };
        let look_up = rng.u32(0..4) > 0;
        unit.set("look_up", look_up.into());
        set_path(&mut unit, &mut rng, "look_up", &path);
        let is_newest = newest.as_ref().is_some_and(|newest| stones(newest) == stones(&path));
        asked.push_back(look_up.then(|| (known.get(&stones(&path)).copied(), is_newest)));
        let store = rng.u32(0..12) == 0;
        let stored = self::path(&mut rng, lengths.clone(), 6);
        let (value, bound) = (rng.i32(-1000..1000), rng.u32(0..3));
        unit.set("store", store.into());
        set_path(&mut unit, &mut rng, "store", &stored);
        unit.set("store_value", value as u32 & mask);
        unit.set("store_bound", bound);
        if store && clock >= ready_from {
            known.insert(stones(&stored), (value, bound));
            newest = Some(stored);
        }
        unit.tick();
        if asked.len() < LOOKUP_LATENCY {
            continue;
        }
        let found = (sign(unit.get("value"), layout.value_bits), unit.get("bound"));
        let found = (unit.get("hit") == 1).then_some(found);
        let Some((stored, must)) = asked.pop_front().flatten() else {
            assert_eq!(found, None, "clock {clock}: nothing was asked");
            continue;
        };
        // Of another entry in its place nothing is known.
        assert!(found == stored || (found.is_none() && !must), "clock {clock}: {found:?}, not {stored:?}");
        hits += usize::from(found.is_some());
        certain += usize::from(must);
        replaced += usize::from(found != stored);
        strangers += usize::from(stored.is_none());
    }
    println!("{hits} hits, of {certain} the last stored; {replaced} replaced, {strangers} never stored");
    assert!(hits > 5000 && certain > 5000 && replaced > 500 && strangers > 500);
}
