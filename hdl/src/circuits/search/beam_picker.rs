// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the move that a visited context of a beam issues next: the next in static order, as far as first cells tell it.

use super::first_cells::{Bound, Mark, new_sets};
use crate::layout::{Layout, Winner};
use kit::{Circuit, Module, Sig, any_of, cat, one_hot, when};

/// Levels of the comparison in each of its first two clocks.
const PACE: usize = 2;

kit::record! {
    /// What the picker learns and is asked.
    pub struct BeamVisit {
        /// A new set of first cells has come.
        mark,
        /// Of this context.
        mark_context,
        /// The first of all is on its way already.
        mark_issued,
        /// Its group.
        mark_group,
        /// The context that is visited in the next clock.
        coming,
        /// First clock: the first cells of the visited context's groups.
        winners,
        /// The bound may be used.
        bounded,
        /// Gains up to this are dropped, signed.
        limit,
        /// The context.
        visited,
        /// Second clock: the visit counts.
        visit,
        /// Its window is empty.
        closed,
    }
}

/// Widths of what the picker is told.
pub fn beam_visit(layout: &Layout) -> BeamVisit<usize> {
    BeamVisit {
        mark_context: layout.context_bits,
        mark_group: layout.group_bits,
        coming: layout.context_bits,
        winners: layout.winners_width(),
        limit: layout.value_bits,
        visited: layout.context_bits,
        ..BeamVisit::uniform(1)
    }
}

kit::record! {
    /// What the picker finds.
    pub struct BeamPicked {
        /// Third clock: a move is issued.
        picked,
        /// Moves are left behind it.
        left,
        /// None is, as a pass for order has to tell the next.
        need,
        /// A pass for order goes on behind the move that comes out in the fourth clock.
        goes_on,
        /// Fourth clock: gain of the move.
        gain,
        /// Its rank.
        rank,
    }
}

/// Widths of what the picker finds.
pub fn beam_picked(layout: &Layout) -> BeamPicked<usize> {
    BeamPicked { gain: layout.gain_bits, rank: layout.cell_bits, ..BeamPicked::uniform(1) }
}

/// Compares what the groups have to offer: the first cell or, once that has been issued, the one behind it, of which the pass told the
/// gain. That comes before what ties with it, as its rank is not known: when it stands first, a pass for order is needed. So the moves of
/// a beam come in static order, and several out of one pass. What the bound drops ends the beam, unless moves that make a four are left.
///
/// [`BeamVisit`] in, [`BeamPicked`] out. Initiation interval 1; between two visits of one context there are four clocks at least, and
/// what is issued is remembered by then. No reset: a context is marked before it is visited.
pub fn beam_picker(layout: &Layout) -> Circuit {
    let module = Module::new(
        "beam_picker",
        "Next move of a visited context of a beam: the first in static order of what has not been issued.\n\
         Four clocks, initiation interval 1; no reset (a context is marked before it is visited).",
        false,
    );
    let m = &module;
    let told = beam_visit(layout).inputs(m);
    let written = Written::new(m, layout);
    let before = before(m, layout, told, &written);
    let stands = standing(m, layout, told, &before);
    decide(m, layout, told, &before, stands, &written).outputs(m);
    module.circuit()
}

/// What a visit issues, four clocks later: declared first, read before.
struct Written<'m> {
    writes: Sig<'m>,
    context: Sig<'m>,
    groups: Sig<'m>,
}

impl<'m> Written<'m> {
    fn new(m: &'m Module, layout: &Layout) -> Written<'m> {
        Written {
            writes: m.register("writes", 1),
            context: m.register("written", layout.context_bits),
            groups: m.register("now_written", layout.groups),
        }
    }
}

/// What the visits of a context before this one have left, in the first clock.
struct Before<'m> {
    /// A bit for each group whose first cell has been issued.
    issued: Sig<'m>,
    /// There has been none.
    unvisited: Sig<'m>,
    /// The group of the first of all.
    first: Sig<'m>,
}

/// Which groups' first cells have been issued, by context. A new set is known by a bit of its own until its first visit.
fn before<'m>(m: &'m Module, layout: &Layout, told: BeamVisit<Sig<'m>>, written: &Written<'m>) -> Before<'m> {
    m.comment("What has been issued is read a clock before the visit.");
    let told_mark = Mark { mark: told.mark, context: told.mark_context, issued: told.mark_issued };
    let (unvisited, first_issued) = new_sets(m, layout, told_mark, (written.writes, written.context));
    let deepest = layout.contexts().next_power_of_two();
    let issued = m.memory("issued", layout.groups, deepest);
    let first_group = m.memory("first_group", layout.group_bits, deepest);
    m.at_edge([when(written.writes, [issued.write(written.context, written.groups)])]);
    m.at_edge([when(told.mark, [first_group.write(told.mark_context, told.mark_group)])]);
    let unvisited = m.select("is_unvisited", told.coming, &unvisited);
    let was_issued = m.select("was_issued", told.coming, &first_issued);
    let first = m.wire("first_of_all", first_group.read(told.coming));
    let fresh = was_issued.zero_extend(layout.groups).up_by(first);
    Before {
        issued: m.delayed("issued_before", unvisited.mux(fresh, issued.read(told.coming))),
        unvisited: m.delayed("unvisited", unvisited),
        first: m.delayed("first", first),
    }
}

/// What a group, or some of them, have to offer.
#[derive(Clone, Copy)]
struct Stander<'m> {
    /// {there is something, its gain, it is no first cell, complement of its rank}.
    key: Sig<'m>,
    /// Which group of these, a bit a level, the first lowest.
    place: Sig<'m>,
    /// The bound drops it; no bits in the first clock.
    dropped: Sig<'m>,
}

/// What stands first, in the third clock, and what decides whether it is issued.
struct Standing<'m> {
    first: Stander<'m>,
    /// Moves are left behind what stands first.
    left: Sig<'m>,
    /// Some make a four.
    fours: Sig<'m>,
}

fn standing<'m>(
    m: &'m Module,
    layout: &Layout,
    told: BeamVisit<Sig<'m>>,
    before: &Before<'m>,
) -> Standing<'m> {
    m.comment("First clock: once its first cell has been issued a group stands with the gain of the next.");
    let bound = Bound { bounded: told.bounded, limit: told.limit };
    let width = layout.winner.width();
    let [mut tree, mut stands, mut behind, mut dropped, mut fours] = [const { Vec::new() }; 5];
    for group in 0..layout.groups {
        let name = |name: &str| format!("{name}_{group}");
        let first = m.wire(&name("entry"), told.winners.bits(group * width..(group + 1) * width));
        let first: Winner<Sig> = layout.winner.unpack(first);
        let gone = before.issued.bit(group);
        let found = m.wire(&name("stands"), first.found & (!gone | first.more));
        let gain = gone.mux(first.next, first.gain);
        tree.push(m.wire(&name("standing"), cat([found, gain, gone, !first.rank])));
        let [next, own] = [("next_low", first.next), ("low", first.gain)]
            .map(|(low, gain)| bound.drops(m, layout, &name(low), gain));
        let low = gone.mux(next, own & !first.four);
        dropped.push(m.delayed(&name("dropped"), low));
        stands.push(m.delayed(&name("stands_q"), found));
        behind.push(found & first.more & !gone);
        fours.push(first.found & (first.more_four | (first.four & !gone)));
    }
    let behind = m.delayed("behind", any_of(behind));
    let fours = m.delayed("fours_left", any_of(fours));
    // The number of groups is a power of two.
    let levels = layout.groups.ilog2() as usize;
    let early = PACE.min(levels);
    let mut tree: Vec<Stander> =
        tree.into_iter().map(|key| Stander { key, place: m.zero(0), dropped: m.zero(0) }).collect();
    for _ in 0..early {
        tree = tree.chunks(2).map(|pair| earlier(m, pair)).collect();
    }
    m.comment("Second clock: what stands first in a part is dropped, or not, by its place.");
    let parts = tree.into_iter().zip(dropped.chunks(1 << early)).enumerate();
    tree = parts
        .map(|(part, (stander, dropped))| {
            let stander = stander.kept(|field, value| {
                let name = if field == "key" { "standing" } else { field };
                m.delayed(&format!("{name}_{part}_q"), value)
            });
            Stander { dropped: m.select(&format!("part_drops_{part}"), stander.place, dropped), ..stander }
        })
        .collect();
    let late = usize::from(levels > early);
    for _ in early..levels - late {
        tree = tree.chunks(2).map(|pair| earlier(m, pair)).collect();
    }
    let left = m.delayed("left_q", m.two_set("standing_open", &stands) | behind);
    let fours = m.delayed("fours_left_q", fours);
    m.comment("Third clock: the last comparison.");
    let keep = |(part, stander): (usize, &Stander<'m>)| {
        stander.kept(|field, value| m.delayed(&format!("last_{field}_{part}"), value))
    };
    tree = tree.iter().enumerate().map(keep).collect();
    Standing { first: earlier(m, &tree), left, fours }
}

impl<'m> Stander<'m> {
    /// Its fields in registers, by name; those without bits need none.
    fn kept(&self, register: impl Fn(&str, Sig<'m>) -> Sig<'m>) -> Stander<'m> {
        let keep =
            |field: &str, value: Sig<'m>| if value.width == 0 { value } else { register(field, value) };
        Stander {
            key: keep("key", self.key),
            place: keep("place", self.place),
            dropped: keep("dropped", self.dropped),
        }
    }
}

/// The one of two that stands first.
fn earlier<'m>(m: &'m Module, pair: &[Stander<'m>]) -> Stander<'m> {
    let [left, right] = pair else { return pair[0] };
    let take = m.part("stands_first", right.key.more(left.key));
    let either = |right: Sig<'m>, left: Sig<'m>| if right.width == 0 { right } else { take.mux(right, left) };
    let place = match left.place.width {
        0 => take,
        _ => cat([take, either(right.place, left.place)]),
    };
    Stander {
        key: m.part("standing", either(right.key, left.key)),
        place,
        dropped: either(right.dropped, left.dropped),
    }
}

/// Third clock: whether what stands first is issued.
fn decide<'m>(
    m: &'m Module,
    layout: &Layout,
    told: BeamVisit<Sig<'m>>,
    before: &Before<'m>,
    standing: Standing<'m>,
    written: &Written<'m>,
) -> BeamPicked<Sig<'m>> {
    let Standing { first, left, fours } = standing;
    let key = first.key;
    let move_bits = layout.cell_bits + 1..key.width - 1;
    let (found, is_next) = (key.bit(key.width - 1), key.bit(layout.cell_bits));
    let (visit, closed) = (m.delayed("visit_q", told.visit), m.delayed("closed_q", told.closed));
    let goes = m.wire("goes", found & !(first.dropped & !fours) & !closed);
    let picked = m.wire("picks", goes & !is_next);
    let need = m.wire("needs_order", goes & is_next);
    m.comment("The first of all stands for itself if no visit has issued any.");
    let width = layout.winner.width();
    let entry = |group: usize| layout.winner.unpack(told.winners.bits(group * width..(group + 1) * width));
    let moves: Vec<Sig> =
        (0..layout.groups).map(entry).map(|first: Winner<Sig>| cat([first.gain, first.rank])).collect();
    let first_move = m.delay("first_move", m.select("first_key", before.first, &moves), 2);
    let unvisited = m.delay("unvisited_q", before.unvisited, 2);
    let own_move = cat([key.bits(move_bits), !key.bits(0..layout.cell_bits)]);
    let out = m.delayed("move", is_next.mux(first_move, own_move));
    m.comment("Fourth clock: what has been issued is written.");
    let group = m.wire("move_group", first.place.zero_extend(layout.group_bits));
    m.at_edge([
        written.writes.set(visit & picked),
        written.context.set(m.delay("visited_q", told.visited, 2)),
        written.groups.set(m.delay("issued_q", before.issued, 2) | one_hot(group, layout.groups)),
    ]);
    BeamPicked {
        picked,
        left,
        need,
        goes_on: visit & (picked | (need & unvisited)),
        gain: out.bits(layout.cell_bits..out.width),
        rank: out.bits(0..layout.cell_bits),
    }
}
