// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the move that a visited context issues next, among the first cells of its groups.

use super::first_cells::{Mark, group_judged, new_sets};
use crate::circuits::level::words::LEFT_BITS;
use crate::layout::{Layout, Winner};
use kit::{Circuit, Module, Sig, any_of, bundle, cat, one_hot, when};

/// Classes of gains: a visit takes a move of the highest class that has one.
const CLASSES: usize = 8;

/// So many groups' open moves are counted in the second clock, what they come to in the third.
const COUNTED: usize = 8;

/// Low bits of a gain that its class leaves out.
fn class_shift(layout: &Layout) -> usize {
    layout.gain_bits.saturating_sub(CLASSES.ilog2() as usize + 4)
}

/// As many classes as there are gains, if these are few.
fn classes(layout: &Layout) -> usize {
    CLASSES.min(1 << (layout.gain_bits - class_shift(layout)))
}

/// What the upper bits of a gain are at most in the lowest class: no more than leaves each class above a gain.
fn lowest_class(layout: &Layout) -> usize {
    let shift = class_shift(layout);
    let all = 1 << (layout.gain_bits - shift);
    ((layout.config.low_gain >> shift).max(1) - 1).min(all - classes(layout))
}

/// Class of a gain in points: its upper bits, the lowest and the top class open at their ends.
pub fn gain_class(layout: &Layout, gain: i32) -> usize {
    (gain as usize >> class_shift(layout)).saturating_sub(lowest_class(layout)).min(classes(layout) - 1)
}

kit::record! {
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
        /// Only moves that make a four are asked for.
        fours_only,
        /// The bound may be used.
        bounded,
        /// Gains up to this are dropped, signed.
        limit,
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
        limit: layout.value_bits,
        next_visited: layout.context_bits,
        ..Visit::uniform(1)
    }
}

kit::record! {
    /// What the picker finds.
    pub struct Picked {
        /// Second clock: a move is issued.
        picked,
        /// Moves remain.
        left,
        /// Once none remain another pass for order is needed.
        need,
        /// Only for moves that make a four.
        fours,
        /// Third clock: how many stood open, saturating.
        open_count,
        /// Gain of the move.
        gain,
        /// Its rank.
        rank,
    }
}

/// Widths of what the picker finds.
pub fn picked(layout: &Layout) -> Picked<usize> {
    Picked { open_count: LEFT_BITS, gain: layout.gain_bits, rank: layout.cell_bits, ..Picked::uniform(1) }
}

/// Picks a move of the highest gain class among those that have not been issued and that the exact upper bound does not
/// drop. Classes stand for a full order: four comparisons in a row shorter. Beams have a picker of their own
/// ([`beam_picker`](super::beam_picker::beam_picker)).
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
    let group = m.declare("move_group", layout.group_bits);
    let picked = m.declare("picked", 1);
    let (open, group_q) = remember(m, layout, told, &judged.stays, group, picked);
    choose(m, layout, told, &judged, &open, (group, group_q), picked);
    module.circuit()
}

/// What the first clock says, in registers: of every group's first cell, and of the visit.
struct Judged<'m> {
    stays: Vec<Sig<'m>>,
    class: Vec<Sig<'m>>,
    /// {gain, rank}, a clock later.
    key: Vec<Sig<'m>>,
    need_any: Sig<'m>,
    need_fours: Sig<'m>,
    fours_only: Sig<'m>,
}

/// First clock: what the bound and the classes say of every group's first cell.
fn judge<'m>(m: &'m Module, layout: &Layout, told: Visit<Sig<'m>>) -> Judged<'m> {
    let (groups, width) = (layout.groups, layout.winner.width());
    let (shift, lowest, classes) = (class_shift(layout), lowest_class(layout), classes(layout));
    m.comment("First clock: what the bound and the classes say of every group's first cell.");
    let [mut stays, mut class, mut key, mut need, mut fours] = [const { Vec::new() }; 5];
    for group in 0..groups {
        // What follows in a group matters to beams only.
        let entry = told.winners.bits(group * width + layout.winner.next..(group + 1) * width);
        let entry = Winner { next: 0, ..layout.winner }.unpack(m.wire(&format!("entry_{group}"), entry));
        let high = entry.gain.bits(shift..layout.gain_bits);
        let in_class = |class: usize| match class {
            0 if lowest > 0 => high.less(lowest + 1),
            _ if class + 1 == classes => high.at_least(lowest + class),
            _ => high.is(lowest + class),
        };
        let name = |name: &str| format!("{name}_{group}");
        let judged = m.child(&name("judged"), group_judged(layout));
        judged.drive("found", entry.found);
        judged.drive("four", entry.four);
        judged.drive("more", entry.more);
        judged.drive("fours_only", told.fours_only);
        judged.drive("bounded", told.bounded);
        judged.drive("gain", entry.gain);
        judged.drive("limit", told.limit);
        need.push(m.delayed(&name("need"), judged.get("needs")));
        fours.push(m.wire(&name("four"), entry.found & entry.more_four));
        stays.push(m.delayed(&name("stays"), judged.get("stays")));
        class.push(m.delayed(&name("class"), bundle((0..classes).map(in_class))));
        let first = m.delayed(&name("key"), cat([entry.gain, entry.rank]));
        key.push(m.delayed(&format!("key_{group}_q"), first));
    }
    Judged {
        stays,
        class,
        key,
        need_any: m.wire("need_any", any_of(need)),
        need_fours: m.delayed("need_fours", any_of(fours)),
        fours_only: m.delayed("fours_only_q", told.fours_only),
    }
}

/// Low bits of a group's number that are decoded for themselves, and how many numbers the high ones have.
fn halves(layout: &Layout) -> (usize, usize) {
    let low_bits = layout.group_bits.div_ceil(2);
    (low_bits, layout.groups.div_ceil(1 << low_bits))
}

/// A bit per group, of its number's two halves, decoded each.
fn of_halves<'m>(layout: &Layout, low_at: Sig<'m>, high_at: Sig<'m>) -> Sig<'m> {
    let (low_bits, _) = halves(layout);
    let both = |group: usize| low_at.bit(group % (1 << low_bits)) & high_at.bit(group >> low_bits);
    bundle((0..layout.groups).map(both))
}

/// Which groups' first cells of the visited context are open: what has been issued is read in the first clock, unless the visit ahead is
/// of the same context and says so itself. Also, where no visit ahead is, the picked group a clock later.
fn remember<'m>(
    m: &'m Module,
    layout: &Layout,
    told: Visit<Sig<'m>>,
    stays: &[Sig<'m>],
    group: Sig<'m>,
    picked: Sig<'m>,
) -> (Vec<Sig<'m>>, Option<Sig<'m>>) {
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
    if layout.visits_in_a_row() {
        m.comment("Of the visit ahead, if it is of the same context: what was issued before it, and its group, which no decoder waits for.");
    }
    let [ahead, read] = ["issued_ahead", "issued_read"].map(|name| m.register(name, groups));
    let (so_far, data, same, group_q) = if layout.visits_in_a_row() {
        let same = m.wire("same", issues & visited.is(told.next_visited));
        let (low_bits, high_count) = halves(layout);
        let low = one_hot(group.bits(0..low_bits), 1 << low_bits);
        let high = match high_count {
            1 => m.bit(true),
            _ => one_hot(group.bits(low_bits..layout.group_bits), high_count),
        };
        let low_at = m.delayed("group_low_at", low);
        let high_at = m.delayed("group_high_at", high);
        let high_now = m.delayed("group_high_now", high & same.times(high_count));
        let so_far = m.wire("so_far", read | of_halves(layout, low_at, high_now));
        let data = m.wire("now_issued", ahead | of_halves(layout, low_at, high_at));
        (so_far, data, Some(same), None)
    } else {
        let group_q = m.delayed("group_q", group);
        (read, m.wire("now_issued", ahead | one_hot(group_q, groups)), None, Some(group_q))
    };
    let next_first = m.wire("next_first", first_group.read(told.next_visited));
    let fresh = was_issued.zero_extend(groups).up_by(next_first);
    let kept = unvisited.mux(fresh, issued.read(told.next_visited));
    let kept = m.wire("kept", (writes & written.is(told.next_visited)).mux(data, kept));
    m.at_edge([ahead.set(so_far), read.set(same.map_or(kept, |same| same.mux(so_far, kept)))]);
    m.at_edge([when(writes, [issued.write(written, data)])]);
    m.at_edge([when(told.mark, [first_group.write(told.mark_context, told.mark_group)])]);
    let open = |g: usize| m.wire(&format!("open_{g}"), stays[g] & !so_far.bit(g));
    ((0..groups).map(open).collect(), group_q)
}

/// Second clock: the move.
fn choose<'m>(
    m: &'m Module,
    layout: &Layout,
    told: Visit<Sig<'m>>,
    judged: &Judged<'m>,
    open: &[Sig<'m>],
    (group, group_q): (Sig<'m>, Option<Sig<'m>>),
    picked: Sig<'m>,
) {
    let groups = layout.groups;
    m.comment("Second clock: the first group of the highest class that has one.");
    let of_class = |class: usize| {
        let members: Vec<Sig> = (0..groups).map(|g| open[g] & judged.class[g].bit(class)).collect();
        let first = m.first_set(&format!("first_of_class_{class}"), layout.group_bits, &members);
        (first.any, first.number)
    };
    // Not from the classes: it is known before the group.
    let any_open = m.wire("any_open", any_of(open.iter().copied()));
    let mut chosen: Vec<(Sig, Sig)> = (0..classes(layout)).map(of_class).collect();
    while chosen.len() > 1 {
        chosen = chosen
            .chunks(2)
            .map(|pair| match *pair {
                [(low_any, low), (high_any, high)] => {
                    (m.part("class_open", low_any | high_any), m.part("chosen", high_any.mux(high, low)))
                }
                _ => pair[0],
            })
            .collect();
    }
    let (_, chosen) = chosen[0];
    let left = m.two_set("standing_open", open);
    m.drive(group, chosen);
    m.drive(picked, !told.closed & any_open);
    m.comment("Third clock: how many stood open, from the counts of parts.");
    let most = (1usize << LEFT_BITS) - 1;
    let mut columns = vec![Vec::new(); COUNTED.ilog2() as usize + 1];
    for part in open.chunks(COUNTED) {
        for (weight, plane) in m.count("opens", part).into_iter().enumerate() {
            columns[weight].push(m.stage("opens_part", plane));
        }
    }
    let planes = m.sum_columns("opens_sum", 1, columns);
    let low = bundle(&planes[..planes.len().min(LEFT_BITS)]).zero_extend(LEFT_BITS);
    let many = planes.get(LEFT_BITS..).unwrap_or(&[]).iter().copied().reduce(|a, b| a | b);
    let counted = many.map_or(low, |many| many.mux(m.constant(LEFT_BITS, most), low));
    let group_q = group_q.unwrap_or_else(|| m.delayed("group_q", group));
    let key = match layout.shortens_paths() {
        true => {
            let choice = m.child("picked_key", key_choice(layout));
            choice.drive("number", group_q);
            choice.drive("keys", bundle(&judged.key));
            choice.get("word")
        }
        false => m.select("key", group_q, &judged.key),
    };
    let picked = Picked {
        picked,
        left,
        open_count: counted,
        need: judged.need_any | judged.need_fours,
        fours: judged.fours_only | !judged.need_any,
        gain: key.bits(layout.cell_bits..key.width),
        rank: key.bits(0..layout.cell_bits),
    };
    picked.outputs(m);
}

/// {gain, rank} of one of the groups. A module of its own, so that a synthesizer that optimizes module by module makes it as shallow as it
/// can be. In `number`, the group's, and `keys`, the first group's lowest; out `word`. No clock.
fn key_choice(layout: &Layout) -> Circuit {
    let m = Module::combinational("key_choice", "Gain and rank of one group's first cell.\nCombinational.");
    let width = layout.gain_bits + layout.cell_bits;
    let number = m.input("number", layout.group_bits);
    let keys = m.input("keys", layout.groups * width).each_word(width);
    m.output("word", m.select("of_group", number, &keys));
    m.circuit()
}
