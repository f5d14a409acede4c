// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first cell of a group, when the whole board is seen at once: a cell's place in its group is then a constant.

use crate::kit::{Body, constant};
use crate::layout::Layout;

/// Levels of a comparison tree over `entries`.
pub fn depth(entries: usize) -> usize {
    entries.next_power_of_two().trailing_zeros() as usize
}

/// Levels of a comparison tree between two registers: as many as take no longer than what decides who is searched next.
#[derive(Clone, Copy)]
pub struct Pace(usize);

/// Within a group, where the gains enter.
pub const WITHIN: Pace = Pace(2);
/// Between the groups, and of the largest gain.
pub const BETWEEN: Pace = Pace(3);

impl Pace {
    /// Clocks of a comparison tree over `entries`.
    pub fn clocks(self, entries: usize) -> usize {
        depth(entries).div_ceil(self.0)
    }

    /// What a level, counted from 0, of a tree of `levels` leaves for the next: in a register after the last one, and
    /// before it as often as [`Pace::clocks`] says.
    pub fn keep(
        self,
        body: &mut Body,
        (level, levels): (usize, usize),
        hint: &str,
        width: usize,
        value: &str,
    ) -> String {
        match (levels - 1 - level).is_multiple_of(self.0) {
            true => body.register(hint, width, value),
            false => body.wire(hint, width, value),
        }
    }
}

/// One cell of a group.
pub struct Leaf {
    /// Whether it is in the set.
    pub found: String,
    /// Its gain, a vector.
    pub gain: String,
    /// Whether it makes a four.
    pub four: String,
}

/// The first cell of a group in static order, packed as [`Layout::winner`], after as many registers as [`WITHIN`] asks for.
///
/// Leaves come in order of rank; rank = place in the group, then number of the group. Only a place's bits that the tree
/// has decided go along. What is not in the set loses to whatever is, so that its gain matters only where the group has
/// no cell at all: then everything is 0 but the number of the group.
pub fn first_of_group(body: &mut Body, layout: &Layout, group: usize, leaves: &[Leaf]) -> String {
    let gain_bits = layout.gain_bits;
    let largest = layout.frame.core_cells.div_ceil(layout.groups);
    let levels = depth(largest);
    let placed = |rank_bits: usize, place: Option<String>| {
        let unused = layout.cell_bits - layout.group_bits - rank_bits;
        let mut parts = Vec::new();
        if unused > 0 {
            parts.push(constant(unused, 0));
        }
        parts.extend(place);
        parts.push(constant(layout.group_bits, group));
        format!("{{{}}}", parts.join(", "))
    };
    if levels == 0 {
        // The only cell of its group is its first.
        let leaf = &leaves[0];
        let (found, rank) = (&leaf.found, placed(0, None));
        let gain = format!("{{{gain_bits}{{{found}}}}} & {}", leaf.gain);
        let text = format!("{{{found}, {gain}, {rank}, ({} & {found}), 2'b00}}", leaf.four);
        return body.wire("first", layout.winner.width(), text);
    }
    let found: Vec<String> = leaves.iter().map(|leaf| leaf.found.clone()).collect();
    let fours: Vec<String> = leaves.iter().map(|leaf| format!("({} & {})", leaf.four, leaf.found)).collect();
    let early = WITHIN.clocks(largest) - 1;
    let more = two_or_more(body, &format!("found_{group}"), &found, early, None);
    let mut any_four = constant(1, 0);
    let two_fours = two_or_more(body, &format!("fours_{group}"), &fours, early, Some(&mut any_four));
    let mut entries: Vec<String> = leaves
        .iter()
        .map(|leaf| {
            let text = format!("{{{}, {}, {}}}", leaf.found, leaf.gain, leaf.four);
            body.wire(&format!("entry_{group}"), gain_bits + 2, text)
        })
        .collect();
    for level in 0..levels {
        // An entry is {found, gain, place (a bit a level), four}.
        let high = 1 + level + gain_bits;
        let last = level + 1 == levels;
        entries = entries
            .chunks(2)
            .map(|pair| {
                let left = &pair[0];
                let right = pair.get(1);
                let take = right.map(|right| {
                    let later = format!("{right}[{high}:{}] > {left}[{high}:{}]", 1 + level, 1 + level);
                    body.wire(&format!("take_{group}"), 1, later)
                });
                let of = |high: usize, low: usize| match (right, &take) {
                    (Some(right), Some(take)) => {
                        format!("({take} ? {right}[{high}:{low}] : {left}[{high}:{low}])")
                    }
                    _ => format!("{left}[{high}:{low}]"),
                };
                let found = match right {
                    Some(right) => format!("({right}[{high}] | {left}[{high}])"),
                    None => format!("{left}[{high}]"),
                };
                let (gain, low) = (of(high - 1, 1 + level), of(level, 0));
                let take = take.clone().unwrap_or_else(|| constant(1, 0));
                if !last {
                    let place = if level == 0 {
                        format!("{take}, {low}")
                    } else {
                        let place = of(level, 1);
                        format!("{take}, {place}, {}", of(0, 0))
                    };
                    let text = format!("{{{found}, {gain}, {place}}}");
                    let hint = format!("first_{group}");
                    return WITHIN.keep(body, (level, levels), &hint, high + 2, &text);
                }
                let found = body.wire(&format!("any_{group}"), 1, found);
                let four = body.wire(&format!("four_{group}"), 1, format!("{found} & {}", of(0, 0)));
                let place = if level == 0 { take } else { format!("{{{take}, {}}}", of(level, 1)) };
                let place = body.wire(
                    &format!("place_{group}"),
                    levels,
                    format!("{{{levels}{{{found}}}}} & {place}"),
                );
                let gain = format!("{{{gain_bits}{{{found}}}}} & {gain}");
                let rank = placed(levels, Some(place));
                let more_four = format!("{two_fours} | ({any_four} & ~{four})");
                let text = format!("{{{found}, {gain}, {rank}, {four}, {more}, {more_four}}}");
                body.register(&format!("first_{group}"), layout.winner.width(), text)
            })
            .collect();
    }
    entries.swap_remove(0)
}

/// Whether at least two bits are set and, if asked for, at least one; after so many clocks.
fn two_or_more(
    body: &mut Body,
    hint: &str,
    bits: &[String],
    clocks: usize,
    one: Option<&mut String>,
) -> String {
    let pairs = |bits: &[String]| -> String {
        let pair = |(i, a): (usize, &String)| {
            bits[i + 1..].iter().map(|b| format!("({a} & {b})")).collect::<Vec<_>>()
        };
        let all: Vec<String> = bits.iter().enumerate().flat_map(pair).collect();
        if all.is_empty() { constant(1, 0) } else { all.join(" | ") }
    };
    let mut keep = |hint: String, text: String, registers: usize| {
        let wire = body.wire(&hint, 1, text);
        body.delay(&format!("{hint}_q"), 1, &wire, registers)
    };
    let first = clocks.min(1);
    let (mut any, mut many) = (Vec::new(), Vec::new());
    for chunk in bits.chunks(5) {
        if one.is_some() || bits.len() > 5 {
            any.push(keep(format!("{hint}_any"), chunk.join(" | "), first));
        }
        many.push(keep(format!("{hint}_many"), pairs(chunk), first));
    }
    let more = format!("{} | {}", many.join(" | "), pairs(&any));
    if let Some(one) = one {
        *one = keep(format!("{hint}_any"), any.join(" | "), clocks - first);
    }
    keep(format!("{hint}_many"), more, clocks - first)
}
