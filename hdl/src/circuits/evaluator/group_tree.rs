// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first cell of a group, when the whole board is seen at once: a cell's place in its group is then a constant.

use super::beside::stage_of;
use crate::layout::{Layout, Winner};
use kit::{Circuit, Module, Sig, any_of, cat};

/// Levels of a comparison tree over `entries`.
pub fn depth(entries: usize) -> usize {
    entries.next_power_of_two().trailing_zeros() as usize
}

/// Levels of a comparison tree between two registers: two take no longer than what decides who is searched next.
const PACE: usize = 2;

/// Whether a level that has so many behind it ends in a register: the last one does.
fn registers(to_go: usize) -> bool {
    to_go.is_multiple_of(PACE)
}

/// Clocks of a comparison tree of so many levels.
pub fn clocks(levels: usize) -> usize {
    (0..levels).filter(|&to_go| registers(to_go)).count()
}

/// What a level that has so many behind it leaves for the next.
pub fn keep<'m>(m: &'m Module, to_go: usize, hint: &str, value: Sig<'m>) -> Sig<'m> {
    if registers(to_go) { m.stage(hint, value) } else { m.part(hint, value) }
}

/// One cell of a group.
#[derive(Clone, Copy)]
pub struct Leaf<'m> {
    /// Whether it is in the set.
    pub found: Sig<'m>,
    /// Its gain.
    pub gain: Sig<'m>,
    /// Whether it makes a four.
    pub four: Sig<'m>,
}

/// What a tree compares.
#[derive(Clone, Copy)]
struct Entry<'m> {
    found: Sig<'m>,
    gain: Sig<'m>,
    /// A bit of a place for each level so far, the first lowest.
    place: Sig<'m>,
    four: Sig<'m>,
    /// With beams: the gain of the one behind it, 0 if there is none. No bits at a leaf.
    next: Sig<'m>,
}

/// Whether the first cells come out of registers if so many levels follow: without a tree of their own they come as they are.
pub fn first_is_kept(layout: &Layout, to_go: usize) -> bool {
    layout.grouping.largest() > 1 && registers(to_go)
}

/// The first cell of a group.
pub struct FirstOfGroup<'m> {
    /// A [`Winner`].
    pub winner: Sig<'m>,
    /// Where cells that have come out are marked ([`Layout::marks_cells`]): its place in the group.
    pub place: Sig<'m>,
}

/// The first cell of a group in static order; so many levels `to_go` follow its own tree's.
///
/// Leaves come in order of rank, which their place in the group tells. Only a place's bits that the tree has decided go along. What is
/// not in the set loses to whatever is, so that its gain matters only where the group has no cell at all: then everything is 0 but
/// the rank.
pub fn first_of_group<'m>(
    m: &'m Module,
    layout: &Layout,
    group: usize,
    leaves: &[Leaf<'m>],
    to_go: usize,
) -> FirstOfGroup<'m> {
    let largest = layout.grouping.largest();
    let levels = depth(largest);
    let ranks = ranks(layout, group);
    let placed = |place: Sig<'m>| match place.width {
        0 => m.constant(layout.cell_bits, usize::from(ranks[0])),
        _ => m.lookup(&format!("rank_{group}"), place, layout.cell_bits, &ranks),
    };
    if levels == 0 {
        // The only cell of its group is its first.
        let Leaf { found, gain, four } = leaves[0];
        let winner = Winner {
            next: m.zero(layout.winner.next),
            found,
            gain: gain.only_if(found),
            rank: placed(m.zero(0)),
            four: four & found,
            more: m.bit(false),
            more_four: m.bit(false),
        };
        return FirstOfGroup { winner: m.part("first", winner.pack()), place: m.zero(0) };
    }
    let found: Vec<Sig> = leaves.iter().map(|leaf| leaf.found).collect();
    let fours: Vec<Sig> = leaves.iter().map(|leaf| leaf.four & leaf.found).collect();
    let early = (1..levels).filter(|&behind| registers(behind + to_go)).count();
    let more = two_or_more(m, &format!("found_{group}"), &found, early, false);
    let fours = two_or_more(m, &format!("fours_{group}"), &fours, early, true);
    let mut entries: Vec<Entry> = leaves
        .iter()
        .map(|leaf| Entry {
            found: leaf.found,
            gain: leaf.gain,
            place: m.zero(0),
            four: leaf.four,
            next: m.zero(0),
        })
        .collect();
    let hint = format!("first_{group}");
    for level in 0..levels - 1 {
        let next = |entry: Entry<'m>| {
            let Entry { found, gain, place, four, next } = entry;
            let all = keep(m, levels - 1 - level + to_go, &hint, cat([found, gain, place, four, next]));
            let place_low = next.width + 1;
            let gain_low = place_low + place.width;
            let found_at = gain_low + gain.width;
            Entry {
                found: all.bit(found_at),
                gain: all.bits(gain_low..found_at),
                place: all.bits(place_low..gain_low),
                four: all.bit(next.width),
                next: if next.width == 0 { next } else { all.bits(0..next.width) },
            }
        };
        entries = entries.chunks(2).map(|pair| next(earlier(m, layout, group, pair))).collect();
    }
    let last = earlier(m, layout, group, &entries);
    let found = m.part(&format!("any_{group}"), last.found);
    let four = m.part(&format!("four_{group}"), found & last.four);
    let place = m.part(&format!("place_{group}"), last.place.only_if(found));
    let rank = match entries[..] {
        [left, right] if layout.shortens_paths() && left.place.width > 0 => {
            let first = m.child(&format!("rank_{group}"), rank_of_first(layout, group, left.place.width));
            first.drive("found", found);
            first.drive("take", last.place.bit(left.place.width));
            first.drive("left", left.place);
            first.drive("right", right.place);
            m.at_stage(first.get("rank"), stage_of(found))
        }
        _ => placed(place),
    };
    let winner = Winner {
        next: last.next,
        found,
        gain: last.gain.only_if(found),
        rank,
        four,
        more: more.two,
        more_four: fours.two | (fours.one & !four),
    };
    let winner = keep(m, to_go, &hint, winner.pack());
    let place =
        if layout.marks_cells() { keep(m, to_go, &format!("{hint}_place"), place) } else { m.zero(0) };
    FirstOfGroup { winner, place }
}

/// The ranks of a group's cells, by their place.
fn ranks(layout: &Layout, group: usize) -> Vec<u16> {
    layout.grouping.members[group].iter().map(|&core| layout.geometry.rank[core]).collect()
}

/// The rank of a group's first cell, if one is `found`, else that of its first place: the right entry is the first if it says `take`; out of
/// the places of both, `left` and `right`. A module of its own, so that a synthesizer that optimizes module by module makes a table of it, not
/// of the place first. Out `rank`. No clock.
fn rank_of_first(layout: &Layout, group: usize, places: usize) -> Circuit {
    let m = Module::combinational(
        &format!("rank_of_first_{group}"),
        "The rank of a group's first cell.\nCombinational.",
    );
    let [found, take] = ["found", "take"].map(|name| m.input(name, 1));
    let [left, right] = ["left", "right"].map(|name| m.input(name, places));
    let ranks = ranks(layout, group);
    let place = m.wire("place", cat([take, take.mux(right, left)]).only_if(found));
    m.output("rank", m.lookup("rank_at", place, layout.cell_bits, &ranks));
    m.circuit()
}

/// The earlier of two entries, or of one; a bit of its place says which.
fn earlier<'m>(m: &'m Module, layout: &Layout, group: usize, pair: &[Entry<'m>]) -> Entry<'m> {
    let next_bits = layout.winner.next;
    let [left, right] = pair else {
        let next = pair[0].next.zero_extend(next_bits);
        return Entry { place: cat([m.bit(false), pair[0].place]), next, ..pair[0] };
    };
    let key = |entry: &Entry<'m>| cat([entry.found, entry.gain]);
    let take = m.part(&format!("take_{group}"), key(right).more(key(left)));
    let place = match left.place.width {
        0 => take,
        _ => cat([take, take.mux(right.place, left.place)]),
    };
    let next = match next_bits {
        0 => m.zero(0),
        _ => {
            let of = |entry: &Entry<'m>| Follows { gain: entry.gain.only_if(entry.found), next: entry.next };
            next_gain(m, &format!("next_{group}"), take, of(left), of(right))
        }
    };
    Entry {
        found: right.found | left.found,
        gain: take.mux(right.gain, left.gain),
        place,
        four: take.mux(right.four, left.four),
        next,
    }
}

/// Of one of two entries: its gain, and the gain of the one behind it or, as yet, nothing; 0 where there is none.
#[derive(Clone, Copy)]
pub struct Follows<'m> {
    pub gain: Sig<'m>,
    pub next: Sig<'m>,
}

/// The gain of the second of two entries and what is behind them, of which the right one is the first if `take` says so. Both cases are
/// compared beside the comparison that decides.
pub fn next_gain<'m>(
    m: &'m Module,
    hint: &str,
    take: Sig<'m>,
    left: Follows<'m>,
    right: Follows<'m>,
) -> Sig<'m> {
    let larger = |loser: Sig<'m>, next: Sig<'m>| match next.width {
        0 => loser,
        _ => loser.more(next).mux(loser, next),
    };
    m.part(hint, take.mux(larger(left.gain, right.next), larger(right.gain, left.next)))
}

/// Of some bits.
struct Set<'m> {
    /// Whether one is set; nothing that was not asked for.
    one: Sig<'m>,
    /// Whether two are.
    two: Sig<'m>,
}

/// Whether at least two bits are set and, if asked for, at least one; after so many clocks.
fn two_or_more<'m>(m: &'m Module, hint: &str, bits: &[Sig<'m>], clocks: usize, one: bool) -> Set<'m> {
    let pairs = |bits: &[Sig<'m>]| {
        let all = bits.iter().enumerate().flat_map(|(i, a)| bits[i + 1..].iter().map(move |b| *a & *b));
        any_of(std::iter::once(m.bit(false)).chain(all.collect::<Vec<_>>()))
    };
    let keep = |hint: &str, value: Sig<'m>, registers: usize| {
        m.delay(&format!("{hint}_q"), m.part(hint, value), registers)
    };
    let (any_hint, many_hint) = (format!("{hint}_any"), format!("{hint}_many"));
    let first = clocks.min(1);
    let (mut any, mut many) = (Vec::new(), Vec::new());
    for chunk in bits.chunks(5) {
        if one || bits.len() > 5 {
            any.push(keep(&any_hint, any_of(chunk.iter().copied()), first));
        }
        many.push(keep(&many_hint, pairs(chunk), first));
    }
    let more = any_of(many) | pairs(&any);
    let rest = clocks - first;
    let one = if one { keep(&any_hint, any_of(any), rest) } else { m.zero(0) };
    Set { one, two: keep(&many_hint, more, rest) }
}
