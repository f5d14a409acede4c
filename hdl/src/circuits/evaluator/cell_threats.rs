// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threat planes and the yes/no facts that the static rules ask for.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use super::cover::{Cover, DIRECTIONS, elsewhere, flag_input};
use super::window_flags::pattern_flags;
use crate::circuits::DIRECTION_NAMES;
use crate::layout::Layout;
use kit::{Circuit, Module, Sig, any_of, cat};
use std::collections::BTreeMap;

/// Planes it returns.
pub const PLANES: [&str; 5] = ["own_complete", "other_complete", "own_double", "four", "restricted"];
/// One-bit facts it returns.
pub const FACTS: [&str; 6] =
    ["own_wins", "other_wins_once", "other_wins_twice", "own_has_double", "other_has_double", "line"];

/// Facts about four-three cells, and whose they are: with the bonus the mover's, with floors the opponent's as well.
pub fn four_threes(layout: &Layout) -> impl Iterator<Item = (&'static str, &'static str)> {
    let sides = usize::from(layout.has_bonus()) * (1 + usize::from(layout.config.has_floor()));
    [("four_three", "own"), ("other_four_three", "other")].into_iter().take(sides)
}

/// Patterns of the mover by direction, which what survives a reply is found from: empty cells that make a four, and those between the
/// empty ends of two neighbouring windows with k-3 stones.
pub const PATTERNS: [&str; 2] = ["own_fours", "own_threes"];

/// Name of a direction's pattern at the output.
pub fn pattern_output(direction: usize, pattern: &str) -> String {
    format!("{}_{pattern}", DIRECTION_NAMES[direction])
}

/// Window flags that it looks at: the others are for what a stone more would make.
pub fn flags_looked_at(layout: &Layout) -> impl Iterator<Item = &'static str> {
    pattern_flags(layout).into_iter().filter(|flag| *flag != "own_four_missing")
}

/// Spreads the windows' flags to their cells and combines the four directions.
///
/// Planes of the frame `occupied` and `DIRECTION_FLAG` (see [`pattern_flags`], windows at the bit of their first cell) in; out the
/// [`PLANES`] of the core cells (cells that complete a line of the mover, of the opponent; double cells of the mover; cells that make
/// a four of the mover; moves of the restricted rule 6), the [`FACTS`] and those of [`four_threes`]. With several slices
/// `other_has_double` may also tell of cells near the core. Where [`Layout::looks_ahead`] also the [`PATTERNS`] of each direction, after
/// one clock. Latency 2, initiation interval 1, no reset.
pub fn cell_threats(layout: &Layout) -> Circuit {
    let m = Module::new(
        "cell_threats",
        "Completing, double and four-making cells of both sides, and the facts the static rules ask for.\n\
         Latency 2, initiation interval 1, no reset (data only).",
        false,
    );
    let occupied = m.input_at(0, "occupied", layout.frame.cells);
    let mut flags = BTreeMap::new();
    for direction in DIRECTIONS {
        for flag in flags_looked_at(layout) {
            let input = m.input_at(0, &flag_input(direction, flag), layout.frame.cells);
            flags.insert((direction, flag), input);
        }
    }
    m.comment("First clock: the cells of the windows, on empty cells where no direction is asked for.");
    let cover = Cover { m: &m, layout, occupied, flags };
    let empty = m.wire("empty", !layout.frame.core_of(occupied));
    let [own_complete, other_complete] = ["own", "other"].map(|side| {
        let windows = DIRECTIONS.into_iter().flat_map(|d| cover.all(d, &format!("{side}_one_missing")));
        m.delayed(&format!("{side}_complete_q"), any_of(windows) & empty)
    });
    // Hidden where a stone is at once: the table of a direction has room for it.
    let fours = |side: &str| {
        let spread = |d: usize| any_of(cover.all(d, &format!("{side}_two_missing"))) & empty;
        DIRECTIONS.map(|d| m.part(&format!("{side}_fours"), spread(d)))
    };
    let (own_fours, other_fours) = (fours("own"), fours("other"));
    m.comment("Two neighbouring windows with as many stones each: one end is empty exactly if the other is.");
    let own_spans = DIRECTIONS.into_iter().flat_map(|d| cover.inside_pairs(d, "own_two_missing"));
    let own_span = m.wire("own_span", any_of(own_spans));
    // Between the ends one cell is always empty: of the opponent's it is enough that there are two such windows.
    let other_spans = DIRECTIONS.map(|d| m.part("other_span", cover.pairs(d, "other_two_missing").any()));
    let threes_of = |side: &str| {
        let flag = format!("{side}_three_missing");
        let spread = |d: usize| any_of(cover.inside_pairs(d, &flag)) & empty;
        DIRECTIONS.map(|d| m.part(&format!("{side}_threes"), spread(d)))
    };
    let threes: Vec<[Sig; 4]> = four_threes(layout).map(|(_, side)| threes_of(side)).collect();
    if layout.looks_ahead() {
        // What may come of them is looked at elsewhere.
        let own_threes = threes.first().copied().unwrap_or_else(|| threes_of("own"));
        for (pattern, planes) in PATTERNS.into_iter().zip([own_fours, own_threes]) {
            for (direction, plane) in DIRECTIONS.into_iter().zip(planes) {
                let name = pattern_output(direction, pattern);
                m.output(&name, m.delayed(&name, plane));
            }
        }
    }
    let lines = DIRECTIONS.map(|d| m.part("line_exists", cover.flag(d, "other_line").any()));

    m.comment("Planes of all directions, on empty cells.");
    let own_four = m.delayed("own_four_q", any_of(own_fours));
    let other_four = m.delayed("other_four_q", any_of(other_fours));
    let own_double = m.delayed("own_double_q", two_of(&own_fours) | (own_span & empty));
    let other_double = m.delayed("other_double_q", two_of(&other_fours));
    let sides = [own_fours, other_fours].into_iter().zip(&threes);
    let four_three: Vec<(&str, Sig)> = four_threes(layout)
        .zip(sides)
        .map(|((fact, _), (fours, threes))| {
            let pairs = DIRECTIONS.map(|four| fours[four] & elsewhere(*threes, four));
            (fact, m.delayed(&format!("{fact}_q"), any_of(pairs)))
        })
        .collect();
    let line = m.delayed("line_q", any_of(lines));
    let other_span = m.delayed("other_span_q", any_of(other_spans));

    m.comment("Second clock: the facts, and whether more than one cell completes a line of the opponent.");
    let (any, many) = any_and_many(&m, other_complete);
    let mut outputs: BTreeMap<&str, Sig> =
        four_three.into_iter().map(|(fact, plane)| (fact, plane.any())).collect();
    outputs.extend([
        ("own_wins", own_complete.any()),
        ("own_has_double", own_double.any()),
        ("other_has_double", other_span | other_double.any()),
        ("other_wins_once", any & !many),
        ("other_wins_twice", many),
        ("line", line),
        ("own_complete", own_complete),
        ("other_complete", other_complete),
        ("own_double", own_double),
        ("four", own_four),
        ("restricted", own_four | other_four),
    ]);
    let facts = FACTS.into_iter().chain(four_threes(layout).map(|(fact, _)| fact));
    for name in PLANES.into_iter().chain(facts) {
        m.output(name, m.delayed(name, outputs[name]));
    }
    drop((cover, outputs));
    m.circuit()
}

/// Where two of the planes are set.
fn two_of<'m>(planes: &[Sig<'m>]) -> Sig<'m> {
    let pairs = planes.iter().enumerate().flat_map(|(i, a)| planes[i + 1..].iter().map(move |b| *a & *b));
    any_of(pairs.collect::<Vec<_>>())
}

/// Whether any bit of the plane is set, and whether more than one is: halves folded upon each other.
fn any_and_many<'m>(m: &'m Module, plane: Sig<'m>) -> (Sig<'m>, Sig<'m>) {
    let (mut one, mut many) = (plane, None);
    while one.width > 1 {
        let [low, high] = halves(m, one);
        let both = low & high;
        let carried = many.map(|many| halves(m, many)).map(|[low, high]| low | high);
        many = Some(m.part("many_fold", carried.map_or(both, |carried| both | carried)));
        one = m.part("any_fold", low | high);
    }
    (one, many.unwrap_or_else(|| m.bit(false)))
}

/// Lower half of a vector and its upper half, padded with 0.
fn halves<'m>(m: &'m Module, vector: Sig<'m>) -> [Sig<'m>; 2] {
    let half = vector.width.div_ceil(2);
    let high = vector.bits(half..vector.width);
    [vector.bits(0..half), if high.width == half { high } else { cat([m.bit(false), high]) }]
}
