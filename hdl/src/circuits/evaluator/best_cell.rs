// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the first cells in static order of the set a pass asks for: one of each group, and the first of all.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use super::beside::stage_of;
use super::gains::Gains;
use super::group_tree::{
    FirstOfGroup, Follows, Leaf, clocks, depth, first_is_kept, first_of_group, keep, next_gain,
};
use super::set_choice::{asked, set_choice};
use crate::circuits::level::late_choice::choose_late;
use crate::layout::{Last, Layout, Winner};
use engine_model::scoring::bits_for;
use kit::{Circuit, Module, Sig, bundle, cat};

/// Bits of a word of a plane that is put together bit by bit.
const WORD: usize = 32;

kit::record! {
    /// Planes of the core cells that a set is made of.
    pub struct Planes {
        /// Cells with a stone, or off the board.
        occupied,
        /// Cells worth a look.
        candidate,
        /// Cells that complete a line of the mover.
        own_complete,
        /// Cells that complete a line of the opponent.
        other_complete,
        /// Double cells of the mover.
        own_double,
        /// Cells that make a four of the mover.
        four,
        /// Moves of the restricted rule 6.
        restricted,
    }
}

/// Selects the set, then compares keys {in the set, gain} in a binary tree. With the
/// whole board at once a group's cells enter by rank and the left one wins a tie; otherwise, and between groups, the
/// rank is part of the key. Slices are merged where the groups' first cells come out.
///
/// In: `first_slice` of a node and `slice`; [`Planes`] of the core cells and their [`Gains`]; what a set is chosen by
/// ([`Asked`](super::set_choice::Asked)); `last_found`: per group a [`Last`], gain 0 where nothing came out (passes for order want later
/// ones only), or with [`Layout::marks_cells`] `marked`, the cells that have come out, and `marks` out with the winners, those with them;
/// `probe_rank` of the cell a probe asks for; with ceilings the plane `survivors`, all that passes for what survives a reply
/// take. Out `winners` (a [`Winner`] for each group) and, later, `found`, `rank`,
/// `group`, `gain`, `makes_four`, `more` of the first of all. Initiation interval 1, no reset.
pub fn best_cell(layout: &Layout) -> Circuit {
    let cells = layout.frame.core_cells;
    let m = Module::new(
        "best_cell",
        "First cell in static order of the set that the pass asks for, of each group and of all.\n\
         Initiation interval 1, no reset (data only).",
        false,
    );
    let first_slice = m.input_at(0, "first_slice", 1);
    let slice = m.input_at(0, "slice", slice_bits(layout));
    let planes = Planes::uniform(cells).inputs_at(0, &m);
    let gains = Gains::inputs(&m, layout, layout.gain_bits);
    let asked = asked(layout).inputs_at(0, &m);
    let after = m.input_at(0, before_port(layout), layout.before_width());
    let probe_rank = m.input("probe_rank", layout.cell_bits);
    let choice = m.child("asked", set_choice(layout));
    asked.drive(choice);
    let [plane, takes_all, is_probe, only_fours] =
        ["choice", "takes_all", "is_probe", "only_fours"].map(|port| choice.get_at(0, port));
    let [low, middle, high] = [0, 1, 2].map(|bit| plane.bit(bit));
    let first = m.wire("first_two", either(low, planes.own_complete, planes.candidate));
    let second = m.wire("second_two", either(low, planes.own_double, planes.other_complete));
    let one_of_four = m.wire("one_of_four", either(middle, second, first));
    let one_of_five = m.wire("one_of_five", either(high, planes.restricted, one_of_four));
    let asked_for = one_of_five & (!is_probe).times(cells);
    let mut remaining = asked_for & (planes.four | (!only_fours).times(cells));
    let mut is_whole = None;
    if layout.config.has_ceilings() {
        is_whole = Some(choice.get_at(0, "is_whole"));
        let survivors = m.input_at(0, "survivors", cells);
        remaining = remaining & (survivors | (!choice.get_at(0, "surviving")).times(cells));
    }
    let remaining = m.wire("remaining", remaining);

    let sliced = layout.frame.slices > 1;
    let pass = Pass {
        m: &m,
        layout,
        gains,
        slice,
        marked: layout.marks_cells().then_some(after),
        after: if layout.marks_cells() { Vec::new() } else { after_groups(&m, layout, after) },
        takes_all,
        is_probe,
        is_whole,
        probe_rank,
    };
    let (later, probed) = if sliced { pass.by_rank() } else { pass.by_place() };
    m.comment("A node takes all of them, a pass for order what follows, a probe its one cell.");
    let (later, probed) = (later.plane(&m, "later"), probed.plane(&m, "probed"));
    let set = m.wire("set", (remaining & later) | (!planes.occupied & probed));
    let in_set = m.delayed("in_set", set);
    let (winners, places) = match sliced {
        true => (first_by_rank(&pass, in_set, set, planes.four, first_slice), Vec::new()),
        false => {
            let firsts = first_by_place(&pass, in_set, planes.four);
            firsts.into_iter().map(|first| (first.winner, first.place)).unzip()
        }
    };
    let all = bundle(&winners);
    // The comparison of the groups may go on in the same clock.
    let kept = sliced || first_is_kept(layout, depth(layout.groups));
    m.output("winners", if kept { all } else { m.delayed("all_winners", all) });
    if let Some(marked) = pass.marked {
        let marks = marks(&pass, marked, &winners, &places);
        m.output("marks", if kept { marks } else { m.delayed("all_marks", marks) });
    }
    m.comment("Between the groups, whose numbers go along.");
    // What follows in a group matters no more.
    let among_all = Winner { next: 0, ..layout.winner };
    let mut entries: Vec<(Sig, Sig)> = winners
        .into_iter()
        .enumerate()
        .map(|(group, winner)| {
            (winner.bits(layout.winner.next..winner.width), m.constant(layout.group_bits, group))
        })
        .collect();
    let levels = depth(layout.groups);
    for level in 0..levels {
        let (hint, group_hint) = (format!("best_{}", level + 1), format!("best_{}_group", level + 1));
        // The number of groups is a power of two.
        entries = entries
            .chunks(2)
            .enumerate()
            .map(|(number, pair)| {
                let [(left, left_group), (right, right_group)] = *pair else {
                    unreachable!("an even number")
                };
                let to_go = levels - 1 - level;
                let (both, group) = if layout.shortens_paths() {
                    // Bits of these are constants for some groups: of a choice a synthesizer makes a reset, which is late.
                    let rank_of = |take, right, left| {
                        let rank = choose_late(&m, &format!("{hint}_rank_{number}"), take, right, left);
                        m.at_stage(rank, stage_of(take))
                    };
                    let (both, take) = merge_with(&m, &among_all, left, right, rank_of);
                    (both, either(take, right_group, left_group))
                } else {
                    let (both, take) = merge(&m, &among_all, left, right);
                    (both, take.mux(right_group, left_group))
                };
                let group = keep(&m, to_go, &group_hint, group);
                (keep(&m, to_go, &hint, both), group)
            })
            .collect();
    }
    let (best, group) = entries[0];
    let best = among_all.unpack(best);
    m.output("found", best.found);
    m.output("rank", best.rank);
    m.output("cell_group", group);
    m.output("gain", best.gain);
    m.output("makes_four", best.four);
    m.output("more", best.more);
    m.circuit()
}

/// Name of what a pass for order is told of the passes before.
pub fn before_port(layout: &Layout) -> &'static str {
    if layout.marks_cells() { "marked" } else { "last_found" }
}

/// One of two planes by a bit.
fn either<'m>(bit: Sig<'m>, set: Sig<'m>, clear: Sig<'m>) -> Sig<'m> {
    let bit = bit.times(set.width);
    (bit & set) | (!bit & clear)
}

/// What is known of every cell.
enum Cells<'m> {
    /// Cell by cell.
    Bits(Vec<Sig<'m>>),
    /// Of all at once.
    Plane(Sig<'m>),
}

impl<'m> Cells<'m> {
    /// As a plane of a name. Bits are put together in words of their own: Verilator computes whatever makes a wider one twice.
    fn plane(self, m: &'m Module, name: &str) -> Sig<'m> {
        let plane = match self {
            Cells::Plane(plane) => plane,
            Cells::Bits(bits) => {
                let word = |word: &[Sig<'m>]| m.part(&format!("{name}_word"), bundle(word));
                bundle(bits.chunks(WORD).map(word).collect::<Vec<_>>())
            }
        };
        m.wire(name, plane)
    }
}

/// The earlier of two entries and whether it is the right one; what the other one held is remembered in `more` and `more_four`.
fn merge<'m>(m: &'m Module, widths: &Winner<usize>, left: Sig<'m>, right: Sig<'m>) -> (Sig<'m>, Sig<'m>) {
    merge_with(m, widths, left, right, |take, right, left| take.mux(right, left))
}

/// The same, its rank chosen by `rank_of` that bit, the right one's and the left one's.
fn merge_with<'m>(
    m: &'m Module,
    widths: &Winner<usize>,
    left: Sig<'m>,
    right: Sig<'m>,
    rank_of: impl FnOnce(Sig<'m>, Sig<'m>, Sig<'m>) -> Sig<'m>,
) -> (Sig<'m>, Sig<'m>) {
    let [l, r] = [left, right].map(|entry| widths.unpack(entry));
    let key = |entry: Winner<Sig<'m>>| cat([entry.found, entry.gain, !entry.rank]);
    let take = m.part("take_right", key(r).more(key(l)));
    let lost_four = take.mux(l.found & l.four, r.found & r.four);
    let next = match widths.next {
        0 => m.zero(0),
        _ => {
            let of = |e: Winner<Sig<'m>>| Follows { gain: e.gain.only_if(e.found), next: e.next };
            next_gain(m, "next_gain", take, of(l), of(r))
        }
    };
    let both = Winner {
        next,
        more: l.more | r.more | (l.found & r.found),
        more_four: l.more_four | r.more_four | lost_four,
        rank: rank_of(take, r.rank, l.rank),
        ..Winner::choose(take, r, l)
    };
    (both.pack(), take)
}

/// Per group: what came out last.
fn after_groups<'m>(m: &'m Module, layout: &Layout, after: Sig<'m>) -> Vec<Last<Sig<'m>>> {
    let bits = layout.last().width();
    let group = |group: usize| m.part("after_group", after.bits(group * bits..(group + 1) * bits));
    (0..layout.groups).map(|number| layout.last().unpack(group(number))).collect()
}

/// What a pass asks of every cell.
struct Pass<'m, 'a> {
    m: &'m Module,
    layout: &'a Layout,
    gains: Gains<'m>,
    slice: Sig<'m>,
    /// The cells that have come out; else what came out of each group last.
    marked: Option<Sig<'m>>,
    after: Vec<Last<Sig<'m>>>,
    takes_all: Sig<'m>,
    is_probe: Sig<'m>,
    /// Every empty cell is asked for.
    is_whole: Option<Sig<'m>>,
    probe_rank: Sig<'m>,
}

impl<'m> Pass<'m, '_> {
    /// Per cell: whether it follows what came out of its group last (or the pass is a node's), and whether it is probed.
    fn by_place(&self) -> (Cells<'m>, Cells<'m>) {
        let cells = self.layout.frame.core_cells;
        let later = match self.marked {
            Some(marked) => Cells::Plane(self.takes_all.times(cells) | !marked),
            None => {
                let later = self.later_by_place();
                Cells::Bits((0..cells).map(|core| self.takes_all | later(core)).collect())
            }
        };
        (later, if self.layout.by_words() { self.probed_by_number() } else { self.probed_by_place() })
    }

    /// What is probed, or all of it where every cell is asked for.
    fn or_whole(&self, probed: Sig<'m>) -> Sig<'m> {
        self.is_whole.map_or(probed, |whole| whole.times(probed.width) | probed)
    }

    /// Something of the probed cell, as a function of its rank.
    fn of_probed(&self, name: &str, bits: usize, of: impl Fn(usize) -> usize) -> Sig<'m> {
        let (layout, cells) = (self.layout, self.layout.frame.core_cells);
        let by_rank = |rank: usize| of(layout.geometry.by_rank[rank] as usize) as u16;
        self.m.lookup(name, self.probe_rank, bits, &(0..cells).map(by_rank).collect::<Vec<_>>())
    }

    /// The probed cell by the halves of its number: in simulation a few operations on words.
    fn probed_by_number(&self) -> Cells<'m> {
        let (m, layout, cells) = (self.m, self.layout, self.layout.frame.core_cells);
        let low_bits = layout.cell_bits / 2;
        let columns = 1 << low_bits;
        let rows = cells.div_ceil(columns);
        m.comment("The probed cell: rows and columns by the halves of its number.");
        let cell = self.of_probed("probed_cell", layout.cell_bits, |core| core);
        let (low, high) = (cell.bits(0..low_bits), cell.bits(low_bits..layout.cell_bits));
        let column = m.wire("probed_column", self.or_whole(m.constant(columns, 1).up_by(low)));
        let row = self.is_probe.zero_extend(rows).up_by(high);
        let row = m.wire("probed_row", self.or_whole(row));
        let width = |at: usize| columns.min(cells - at * columns);
        let of_row = bundle((0..rows).map(|at| row.bit(at).times(width(at))));
        let of_column = bundle((0..rows).map(|at| column.bits(0..width(at))));
        Cells::Plane(of_row & of_column)
    }

    /// The probed cell by its group and its place in it, which are constants of a cell.
    fn probed_by_place(&self) -> Cells<'m> {
        let (m, layout, grouping) = (self.m, self.layout, &self.layout.grouping);
        let places = grouping.largest();
        m.comment("The probed cell: rows by place, columns by group.");
        let group = self.of_probed("group_of_probed", layout.group_bits, |core| layout.group_of_core(core));
        let probed_group: Vec<Sig> = (0..layout.groups)
            .map(|number| m.part("probed_group", self.or_whole(self.is_probe & group.is(number))))
            .collect();
        let place = self.of_probed("place_of_probed", bits_for(places), |core| grouping.place_of(core));
        let probed_place: Vec<Sig> =
            (0..places).map(|number| m.part("probed_place", self.or_whole(place.is(number)))).collect();
        let of =
            |core: usize| probed_group[layout.group_of_core(core)] & probed_place[grouping.place_of(core)];
        Cells::Bits((0..layout.frame.core_cells).map(of).collect())
    }

    /// Per cell: whether it follows what came out of its group before. Its place is a constant: whether its rank is later is a table of how
    /// many cells of its group are not.
    fn later_by_place(&self) -> impl Fn(usize) -> Sig<'m> {
        let (m, layout) = (self.m, self.layout);
        let grouping = &layout.grouping;
        let places = grouping.largest();
        let limit_bits = bits_for(places);
        let ranks = 1usize << layout.cell_bits;
        m.comment("Whether a place is behind so many of its group.");
        let tables: Vec<Sig> = (0..places)
            .map(|place| {
                let later: Vec<bool> = (0..1 << limit_bits).map(|limit| limit <= place).collect();
                m.wire(&format!("later_place_{place}"), m.plane(&later))
            })
            .collect();
        let rank_of = |core: usize| layout.geometry.rank[core] as usize;
        let limit = |(group, last): (usize, &Last<Sig<'m>>)| {
            let members = &grouping.members[group];
            let not_later = |rank: usize| members.iter().filter(|&&core| rank_of(core) <= rank).count();
            let bit = |bit: usize| {
                let plane: Vec<bool> = (0..ranks).map(|rank| not_later(rank) >> bit & 1 == 1).collect();
                m.wire(&format!("limit_{group}_plane_{bit}"), m.plane(&plane)).pick(last.rank)
            };
            m.wire(&format!("limit_{group}"), bundle((0..limit_bits).map(bit)))
        };
        let limits: Vec<Sig> = self.after.iter().enumerate().map(limit).collect();
        let gains = self.gains.cells(m);
        move |core| {
            let (group, place) = (layout.group_of_core(core), grouping.place_of(core));
            let (gain, last) = (gains[core], self.after[group]);
            let tie = last.found & tables[place].pick(limits[group]);
            cat([last.gain, tie]).more(cat([gain, !tie]))
        }
    }

    /// The same where a cell's rank depends on the slice.
    fn by_rank(&self) -> (Cells<'m>, Cells<'m>) {
        let (m, layout) = (self.m, self.layout);
        let gains = self.gains.cells(m);
        let (later, probed) = (0..layout.frame.core_cells)
            .map(|core| {
                let rank = m.wire(&format!("rank_{core}"), rank_by(m, layout, core, self.slice));
                let own = cat([m.bit(true), gains[core], !rank]);
                let last = self.after[layout.group_of_core(core)];
                let limit = cat([last.found, last.gain, !last.rank]);
                let below = m.wire(&format!("later_{core}"), own.less(limit));
                (self.takes_all | below, self.is_probe & self.probe_rank.is(rank))
            })
            .unzip();
        (Cells::Bits(later), Cells::Bits(probed))
    }
}

/// First cells of the groups, ranks being places.
fn first_by_place<'m>(pass: &Pass<'m, '_>, in_set: Sig<'m>, four: Sig<'m>) -> Vec<FirstOfGroup<'m>> {
    let (m, layout) = (pass.m, pass.layout);
    let four = m.delayed("four_q", four);
    let gains = pass.gains.delay(m, "gains_q", 1);
    m.comment("Entries are {in set, gain, place, makes four}.");
    let cells = gains.leaves(m, in_set, four);
    (0..layout.groups)
        .map(|group| {
            let leaves: Vec<Leaf> = layout.grouping.members[group].iter().map(|&core| cells[core]).collect();
            first_of_group(m, layout, group, &leaves, depth(layout.groups))
        })
        .collect()
}

/// The cells that have come out with this pass, at the clock of its winners.
fn marks<'m>(pass: &Pass<'m, '_>, marked: Sig<'m>, winners: &[Sig<'m>], places: &[Sig<'m>]) -> Sig<'m> {
    let (m, layout) = (pass.m, pass.layout);
    m.comment("The cells that have come out: those of before, of which one that takes all knows none, and each group's first.");
    let stage = stage_of(winners[0]);
    let before = m.delay_to("marked_late", marked, stage);
    let takes_all = m.delay_to("takes_all_late", m.wire("takes_all", pass.takes_all), stage);
    let comes = |core: usize| {
        let (group, place) = (layout.group_of_core(core), layout.grouping.place_of(core));
        layout.winner.unpack(winners[group]).found & places[group].is(place as u64)
    };
    let before = before & (!takes_all).times(before.width);
    m.wire("marked_now", before | bundle((0..layout.cells).map(comes)))
}

/// First cells of the groups, slice by slice, merged.
fn first_by_rank<'m>(
    pass: &Pass<'m, '_>,
    in_set: Sig<'m>,
    set: Sig<'m>,
    four: Sig<'m>,
    first_slice: Sig<'m>,
) -> Vec<Sig<'m>> {
    let (m, layout) = (pass.m, pass.layout);
    let four = m.delayed("four_q", four & set);
    let first = m.delayed("first_slice_q", first_slice);
    let slice = m.delayed("slice_q", pass.slice);
    m.comment("Entries are {in set, gain, rank, makes four, more, more fours}.");
    let mut groups: Vec<Vec<Sig>> = vec![Vec::new(); layout.groups];
    let gains = pass.gains.cells(m);
    for core in 0..layout.frame.core_cells {
        let gain = gains[core].only_if(set.bit(core));
        let entry = Winner {
            next: m.zero(layout.winner.next),
            found: in_set.bit(core),
            gain: m.delayed(&format!("gain_{core}_q"), gain),
            rank: m.wire(&format!("rank_q_{core}"), rank_by(m, layout, core, slice)),
            four: four.bit(core),
            more: m.bit(false),
            more_four: m.bit(false),
        };
        groups[layout.group_of_core(core)].push(m.wire(&format!("entry_{core}"), entry.pack()));
    }
    let levels = depth(layout.grouping.largest());
    let winners = groups.into_iter().map(|mut entries| {
        for level in 0..levels {
            let hint = format!("first_{level}");
            let first = |pair: &[Sig<'m>]| match *pair {
                [left, right] => merge(m, &layout.winner, left, right).0,
                _ => pair[0],
            };
            entries = entries.chunks(2).map(|pair| keep(m, levels - 1 - level, &hint, first(pair))).collect();
        }
        entries[0]
    });
    let winners: Vec<Sig> = winners.collect();
    let first = m.delay("first_slice_q", first, clocks(levels));
    m.comment("Slices of a node, merged.");
    let merged = |(group, new): (usize, &Sig<'m>)| {
        let merged = m.register(&format!("merged_{group}"), new.width);
        let both = merge(m, &layout.winner, merged, *new).0;
        m.at_edge([merged.set(first.mux(*new, both))]);
        // All of a node's slices are in it when the last one is.
        let stage = new.stage().unwrap_or(0) + layout.frame.slices as i32;
        m.at_stage(merged, stage)
    };
    winners.iter().enumerate().map(merged).collect()
}

/// Bits of a slice number.
pub fn slice_bits(layout: &Layout) -> usize {
    bits_for(layout.frame.slices - 1)
}

/// Rank of a core cell by the slice; cells off the board are in no set.
fn rank_by<'m>(m: &'m Module, layout: &Layout, core: usize, slice: Sig<'m>) -> Sig<'m> {
    let rank_in = |number: usize| {
        let rank = layout.cell_of_core(core, number).map_or(0, |cell| layout.geometry.rank[cell]);
        m.constant(layout.cell_bits, rank as usize)
    };
    (1..layout.frame.slices)
        .fold(rank_in(0), |otherwise, number| slice.is(number).mux(rank_in(number), otherwise))
}
