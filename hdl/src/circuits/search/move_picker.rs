// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the move that a visited context issues next, among the first cells of its groups.

use super::first_cells::{Bound, Mark, new_sets};
use crate::circuits::level::words::LEFT_BITS;
use crate::kit::{Circuit, Module, Sig, any_of, bundle, cat, when};
use crate::layout::{Layout, Winner};

/// Classes of gains: a visit takes a move of the highest class that has one.
const CLASSES: usize = 8;

/// So many groups' needs for another pass become one bit in the first clock, a table of six inputs each.
const NEED_PART: usize = 6;

/// Low bits of a gain that its class leaves out.
fn class_shift(layout: &Layout) -> usize {
    layout.gain_bits.saturating_sub(CLASSES.ilog2() as usize + 4)
}

/// As many classes as there are gains, if these are few.
fn classes(layout: &Layout) -> usize {
    CLASSES.min(1 << (layout.gain_bits - class_shift(layout)))
}

/// Class of a gain in points: its upper bits, the top class open at its end.
pub fn gain_class(layout: &Layout, gain: i32) -> usize {
    (gain as usize >> class_shift(layout)).min(classes(layout) - 1)
}

crate::record! {
    /// What the picker learns and is asked.
    pub struct Visit {
        /// A new set of first cells has come.
        mark,
        /// Of this context.
        mark_context,
        /// The first of all is on its way already.
        mark_issued,
        /// Its group.
        mark_group,
        /// First clock: the first cells of the visited context's groups.
        winners,
        /// The context's level has a beam.
        beamed,
        /// Only moves that make a four are asked for.
        fours_only,
        /// The bound may be used.
        bounded,
        /// Gains up to this are dropped.
        limit,
        /// None is.
        limit_none,
        /// All are.
        limit_all,
        /// The context.
        next_visited,
        /// Second clock: the visit counts.
        visit,
        /// Its window is empty.
        closed,
    }
}

/// Widths of what the picker is told.
pub fn visit(layout: &Layout) -> Visit<usize> {
    Visit {
        mark_context: layout.context_bits,
        mark_group: layout.group_bits,
        winners: layout.winners_width(),
        limit: layout.gain_bits,
        next_visited: layout.context_bits,
        ..Visit::uniform(1)
    }
}

crate::record! {
    /// What the picker finds.
    pub struct Picked {
        /// Second clock: a move is issued.
        picked,
        /// Moves remain.
        left,
        /// How many stood open, saturating.
        open,
        /// Once none remain another pass for order is needed.
        need,
        /// Only for moves that make a four.
        fours,
        /// Third clock: gain of the move.
        gain,
        /// Its rank.
        rank,
    }
}

/// Widths of what the picker finds.
pub fn picked(layout: &Layout) -> Picked<usize> {
    Picked { open: LEFT_BITS, gain: layout.gain_bits, rank: layout.cell_bits, ..Picked::uniform(1) }
}

/// Picks a move of the highest gain class among those that have not been issued and that the exact upper bound does not
/// drop. Classes stand for a full order: four comparisons in a row shorter. Beams have a picker of their own
/// ([`beam_picker`](super::beam_picker::beam_picker)): no visit here is `beamed`, and what hangs on that is constant.
///
/// [`Visit`] in, [`Picked`] out. What is issued is remembered at the end of the second clock. Initiation interval 1. No
/// reset: a context is marked before it is visited.
pub fn move_picker(layout: &Layout) -> Circuit {
    let module = Module::new(
        "move_picker",
        "Next move of a visited context: not yet issued, not dropped by the exact upper bound, high gains first.\n\
         Three clocks, initiation interval 1; no reset (a context is marked before it is visited).",
        false,
    );
    let m = &module;
    let told = visit(layout).inputs(m);
    let judged = judge(m, layout, told);
    let group = m.declare("group", layout.group_bits);
    let picked = m.declare("picked", 1);
    let issued = remember(m, layout, told, group, picked);
    choose(m, layout, told, &judged, issued, group, picked);
    module.circuit()
}

/// What the first clock says, in registers: of every group's first cell, and of the visit.
struct Judged<'m> {
    stays: Vec<Sig<'m>>,
    dropped: Vec<Sig<'m>>,
    makes_four: Vec<Sig<'m>>,
    class: Vec<Sig<'m>>,
    /// {gain, rank}, a clock later.
    key: Vec<Sig<'m>>,
    need_any: Sig<'m>,
    need_fours: Sig<'m>,
    beamed: Sig<'m>,
    fours_only: Sig<'m>,
}

/// First clock: what the bound and the classes say of every group's first cell.
fn judge<'m>(m: &'m Module, layout: &Layout, told: Visit<Sig<'m>>) -> Judged<'m> {
    let (groups, width) = (layout.groups, layout.winner.width());
    let (shift, classes) = (class_shift(layout), classes(layout));
    m.comment("First clock: what the bound and the classes say of every group's first cell.");
    let [mut stays, mut dropped, mut makes_four, mut class, mut key, mut need, mut fours] =
        [const { Vec::new() }; 7];
    let Visit { bounded, limit, limit_none, limit_all, .. } = told;
    let bound = Bound { bounded, limit, limit_none, limit_all };
    for group in 0..groups {
        // What follows in a group matters to beams only.
        let entry = told.winners.bits(group * width + layout.winner.next..(group + 1) * width);
        let entry = Winner { next: 0, ..layout.winner }.unpack(m.wire(&format!("entry_{group}"), entry));
        let high = entry.gain.bits(shift..layout.gain_bits);
        let in_class = |class: usize| match class + 1 == classes {
            true => high.at_least(class),
            false => high.is(class),
        };
        let low = m.wire(&format!("low_{group}"), bound.drops(entry.gain));
        let name = |name: &str| format!("{name}_{group}");
        need.push(m.wire(&name("need"), entry.found & entry.more & (told.fours_only | !low)));
        fours.push(m.wire(&name("four"), entry.found & entry.more_four));
        stays.push(m.delayed(&name("stays"), entry.found & (entry.four | !low)));
        dropped.push(m.delayed(&name("dropped"), low & !entry.four));
        makes_four.push(m.delayed(&name("makes_four"), entry.found & entry.four));
        class.push(m.delayed(&name("class"), bundle(&(0..classes).map(in_class).collect::<Vec<_>>())));
        let first = m.delayed(&name("key"), cat([entry.gain, entry.rank]));
        key.push(m.delayed(&format!("key_{group}_q"), first));
    }
    m.comment("The bound comes late: who needs another pass is gathered in parts.");
    let parts = need.chunks(NEED_PART).map(|part| m.stage("need_part", any_of(part.iter().copied())));
    let parts: Vec<Sig> = parts.collect();
    Judged {
        stays,
        dropped,
        makes_four,
        class,
        key,
        need_any: m.wire("need_any", any_of(parts)),
        need_fours: m.delayed("need_fours", any_of(fours)),
        beamed: m.delayed("beamed_q", told.beamed),
        fours_only: m.delayed("fours_only_q", told.fours_only),
    }
}

/// Second clock: what has been issued of the visited context's groups, and the group of its first cell.
struct Issued<'m> {
    so_far: Sig<'m>,
    first: Sig<'m>,
}

/// Which groups' first cells have been issued, per context: read in the first clock, unless the visit ahead is of the
/// same context and says so itself.
fn remember<'m>(
    m: &'m Module,
    layout: &Layout,
    told: Visit<Sig<'m>>,
    group: Sig<'m>,
    picked: Sig<'m>,
) -> Issued<'m> {
    let (groups, contexts) = (layout.groups, layout.contexts());
    m.comment("What has been issued, known late and written a clock later. A new set is known by a bit of its own until its first visit.");
    let visited = m.delayed("visited", told.next_visited);
    let issues = m.wire("issues", told.visit & picked);
    let (writes, written) = (m.delayed("writes", issues), m.delayed("written", visited));
    let told_mark = Mark { mark: told.mark, context: told.mark_context, issued: told.mark_issued };
    let (unvisited, first_issued) = new_sets(m, layout, told_mark, (writes, written));
    let unvisited = m.select("is_unvisited", told.next_visited, &unvisited);
    let was_issued = m.select("was_issued", told.next_visited, &first_issued);
    let deepest = contexts.next_power_of_two();
    let issued = m.memory("issued", groups, deepest);
    let first_group = m.memory("first_group", layout.group_bits, deepest);
    let so_far = m.register("so_far", groups);
    let next_first = m.wire("next_first", first_group.read(told.next_visited));
    let first = m.delayed("first", next_first);
    let now_issued = m.wire("now_issued", so_far | m.constant(groups, 1).up_by(group));
    let fresh = was_issued.zero_extend(groups).up_by(next_first);
    let kept = unvisited.mux(fresh, issued.read(told.next_visited));
    let data = m.delayed("now_written", now_issued);
    let kept = m.wire("kept", (writes & written.is(told.next_visited)).mux(data, kept));
    m.at_edge([so_far.set((issues & visited.is(told.next_visited)).mux(now_issued, kept))]);
    m.at_edge([when(writes, [issued.write(written, data)])]);
    m.at_edge([when(told.mark, [first_group.write(told.mark_context, told.mark_group)])]);
    Issued { so_far, first }
}

/// Second clock: the move.
fn choose<'m>(
    m: &'m Module,
    layout: &Layout,
    told: Visit<Sig<'m>>,
    judged: &Judged<'m>,
    Issued { so_far, first }: Issued<'m>,
    group: Sig<'m>,
    picked: Sig<'m>,
) {
    let groups = layout.groups;
    m.comment("Second clock: the first group of the highest class that has one.");
    let open: Vec<Sig> =
        (0..groups).map(|g| m.wire(&format!("open_{g}"), judged.stays[g] & !so_far.bit(g))).collect();
    let of_class = |class: usize| {
        let members: Vec<Sig> = (0..groups).map(|g| open[g] & judged.class[g].bit(class)).collect();
        let first = m.first_set(&format!("first_of_class_{class}"), layout.group_bits, &members);
        (first.any, first.number)
    };
    let mut chosen: Vec<(Sig, Sig)> = (0..classes(layout)).map(of_class).collect();
    while chosen.len() > 1 {
        chosen = chosen
            .chunks(2)
            .map(|pair| match *pair {
                [(low_any, low), (high_any, high)] => {
                    (m.part("any_open", low_any | high_any), m.part("chosen", high_any.mux(high, low)))
                }
                _ => pair[0],
            })
            .collect();
    }
    let (any_open, chosen) = chosen[0];
    let drops = m.select("first_drops", first, &judged.dropped);
    let left = m.two_set("open", &open);
    let most = (1usize << LEFT_BITS) - 1;
    let planes = m.count("opens", &open);
    let low = bundle(&planes[..planes.len().min(LEFT_BITS)]).zero_extend(LEFT_BITS);
    let many = planes.get(LEFT_BITS..).unwrap_or(&[]).iter().copied().reduce(|a, b| a | b);
    let counted = many.map_or(low, |many| many.mux(m.constant(LEFT_BITS, most), low));
    let other_fours: Vec<Sig> = (0..groups).map(|g| judged.makes_four[g] & !so_far.bit(g)).collect();
    let dropped = m.wire("dropped", judged.beamed & drops);
    m.drive(group, judged.beamed.mux(first, chosen));
    let in_beam = !so_far.pick(first) & !dropped;
    m.drive(picked, !told.closed & judged.beamed.mux(in_beam, any_open));
    m.comment("In a beam what follows a dropped move matters only if it makes a four.");
    let need_in_beam = !dropped | judged.need_fours | any_of(other_fours);
    let need = judged.beamed.mux(need_in_beam, judged.need_any | judged.need_fours);
    let group_q = m.delayed("group_q", group);
    let key = m.select("key", group_q, &judged.key);
    let picked = Picked {
        picked,
        left,
        open: counted,
        need,
        fours: judged.fours_only | !judged.need_any,
        gain: key.bits(layout.cell_bits..key.width),
        rank: key.bits(0..layout.cell_bits),
    };
    picked.outputs(m);
}
