// SPDX-License-Identifier: MIT OR Apache-2.0
//! The evaluator pipeline: the whole board at once (or slice by slice), tags alongside.

mod answered;
mod beside;
pub mod best_cell;
pub mod board_slices;
pub mod candidates;
pub mod cell_gains;
pub mod cell_threats;
pub mod cover;
pub mod gains;
mod group_tree;
pub mod largest_gain;
pub mod node_outcome;
pub mod set_choice;
pub mod survivors;
pub mod unbounded_cells;
pub mod window_flags;

use self::answered::{Ends, answered};
use self::beside::{Beside, stage_of};
use self::best_cell::{before_port, best_cell, slice_bits};
use self::board_slices::board_slices;
use self::candidates::candidates;
use self::cell_gains::{cell_gains, gain_input};
use self::cell_threats::{FACTS, PLANES, cell_threats, flags_looked_at, four_threes};
use self::cover::flag_input;
use self::gains::Gains;
use self::largest_gain::largest_gain;
use self::node_outcome::{Known, known, next, node_outcome};
use self::window_flags::{rows_above, window_flags};
use crate::circuits::DIRECTION_NAMES;
use crate::layout::{Layout, Tag};
use kit::{Circuit, Instance, Module, Sig, cat, when};
use std::collections::BTreeMap;

/// Clocks from a node's board to the first cells of the groups.
pub fn winners_stage(layout: &Layout) -> usize {
    evaluator(layout).latency("winners")
}

/// Clocks from a node's board to its result.
pub fn latency(layout: &Layout) -> usize {
    evaluator(layout).latency("result")
}

/// Clocks between nodes.
pub fn interval(layout: &Layout) -> usize {
    layout.frame.slices
}

kit::record! {
    /// A node on its way into the evaluator, at most one an interval.
    pub struct Node {
        /// It is there.
        valid,
        /// Its tag.
        tag,
        /// Stones of its mover.
        own,
        /// Stones of the opponent.
        other,
        /// No cell is empty.
        full,
        /// One is.
        one_empty,
        /// All are.
        empty_board,
    }
}

/// Widths of a node on its way into the evaluator.
pub fn node(layout: &Layout) -> Node<usize> {
    Node { tag: layout.tag.width(), own: layout.cells, other: layout.cells, ..Node::uniform(1) }
}

/// Evaluates boards: a [`Node`] in.
///
/// `probe_rank` of the cell a probe asks for; `after_tag` out, the tag one clock before its set is selected, and `last_found` in one
/// clock later: what came out of its context's groups last, a [`Last`](crate::layout::Last) each, gain 0 where nothing did, or with
/// [`Layout::marks_cells`] `marked`, what has come out of its context; out `winners_valid`, `winners_tag`, `winners`, then with `marks`;
/// `next_valid`, `next_tag`: a result comes in a clock, and its tag; `result_valid`, `result_tag`, `result`; where levels are told at once
/// `next_outcome` and `next_value` of the result that comes in a clock, and, where it also goes straight back at once, `next_found` and
/// `next_cell`; `soon_tag` ([`Layout::tells_soon`]), the tag that comes in two clocks; with a transposition table and several contexts a level
/// `sooner_tag`, that of three; with floors `next_floor_holds`, `next_floor`, the
/// floor that comes in one; with ceilings `found_survivors`, what survives the reply on a board, with `found_valid` and the
/// `found_context`; `bound_tag` says two clocks before `alpha` comes in whose it should be, and `survivors` comes in with `last_found` or
/// `marked`. Latency [`latency`] ([`winners_stage`] for the winners), initiation interval [`interval`]; reset clears
/// every valid bit. Latencies follow from the stages of signals; with several slices stages count from the first one.
///
/// Two nodes of gomoku7, one behind the other:
#[doc = concat!("```text\n", include_str!("../../../tests/snapshots/waves__evaluator.snap"), "\n```")]
pub fn evaluator(layout: &Layout) -> Circuit {
    let module = Module::new("evaluator", "", true);
    let m = &module;
    let sliced = layout.frame.slices > 1;
    let node = node(layout).inputs_at(0, m);
    let probe_rank = m.input("probe_rank", layout.cell_bits);
    let after = m.input(before_port(layout), layout.before_width());
    let slices = sliced.then(|| {
        let slices = m.child("slices", board_slices(layout));
        slices.drive("valid", node.valid);
        slices.drive("own", node.own);
        slices.drive("other", node.other);
        slices
    });
    let (own, other, first) = match slices {
        Some(slices) => (slices.get("frame_own"), slices.get("frame_other"), slices.get("first_slice")),
        None => (node.own, node.other, node.valid),
    };
    m.comment("The tag travels beside the planes; only the valid bits are reset.");
    let fills = m.wire("fill_flags", cat([node.empty_board, node.full, node.one_empty]));
    let beside = Beside::new(m, interval(layout), node.tag, node.valid, fills);

    let occupied = m.wire("occupied_0", own | other);
    let flags: Vec<Instance> = DIRECTION_NAMES
        .iter()
        .enumerate()
        .map(|(direction, name)| {
            let flags = m.child(&format!("{name}_flags"), window_flags(layout, direction));
            for (plane_of, plane) in [("own", own), ("other", other), ("occupied", occupied)] {
                flags.drive(
                    plane_of,
                    if sliced { plane.bits(rows_above(layout)..plane.width) } else { plane },
                );
            }
            if sliced {
                flags.drive("first", first);
            }
            flags
        })
        .collect();
    let flags_stage = stage_of(flags[0].get("other_line"));
    let occupied_flags = m.delay_to("occupied_flags", occupied, flags_stage);
    let stones = match sliced {
        true => {
            let walls = m.wire("walls_0", own & other);
            occupied_flags & !m.delay_to("walls_flags", walls, flags_stage)
        }
        false => occupied_flags,
    };
    let occupied_candidates = m.delayed("occupied_candidates", layout.frame.core_of(occupied_flags));
    let gain_sums = m.child("gain_sums", cell_gains(layout));
    let threats = m.child("threats", cell_threats(layout));
    let near_stones = m.child("near_stones", candidates(layout));
    threats.drive("occupied", occupied_flags);
    near_stones.drive("occupied", stones);
    // The bit is the node's: it is held while the node's slices come.
    let empty = beside.fill(flags_stage).bit(2);
    near_stones.drive(
        "empty_board",
        match sliced {
            true => held(m, "empty_held", empty, beside.valid(flags_stage)),
            false => empty,
        },
    );
    for (direction, flags) in flags.iter().enumerate() {
        for (flag, _) in layout.gain_flags() {
            gain_sums.drive(&gain_input(direction, flag), flags.get(&format!("gain_flag_{flag}")));
        }
        for flag in flags_looked_at(layout) {
            threats.drive(&flag_input(direction, flag), flags.get(flag));
        }
    }

    m.comment("Everything at the clock in which the set is selected.");
    let mut facts: Vec<&str> = FACTS.to_vec();
    facts.extend(four_threes(layout).map(|(fact, _)| fact));
    let threats_stage = stage_of(threats.get(facts[0]));
    let gathered = sliced
        .then(|| gather_facts(m, layout, threats, &facts, m.delay_to("first_threats", first, threats_stage)));
    let fact = |name: &str| -> Sig<'_> {
        gathered.as_ref().map_or_else(|| threats.get(name), |gathered| gathered[name])
    };
    let select = stage_of(fact(facts[0]));
    m.at_stage(after, select);
    let best = m.child("best", best_cell(layout));
    best.drive("occupied", m.delay_to("occupied_select", occupied_candidates, select));
    // The last slice can hold rows off the board; in them walls keep cells from being candidates.
    let near = near_stones.get("candidate");
    let near = match layout.frame.slices * layout.frame.core_rows > layout.config.rows {
        true => m.wire("near_on_board", near & !occupied_candidates),
        false => near,
    };
    best.drive("candidate", m.delay_to("candidate", near, select));
    for plane in PLANES {
        best.drive(plane, m.delay_to(plane, threats.get(plane), select));
    }
    Gains::get(gain_sums, layout).delay_to(m, "late_gains", select).drive(best);
    for name in ["own_wins", "own_has_double", "other_has_double"] {
        best.drive(name, fact(name));
    }
    best.drive("other_wins", fact("other_wins_once") | fact("other_wins_twice"));
    let (tag, valid) = (beside.tag(select), beside.valid(select));
    let (first_slice, slice, tag, after) = match slices {
        Some(slices) => (
            m.delay_to("first_select", first, select),
            m.delay_to("slice_select", slices.get("slice"), select),
            held(m, "tag_held", tag, valid),
            held(m, "after_held", after, valid),
        ),
        None => (m.bit(true), m.zero(slice_bits(layout)), tag, after),
    };
    best.drive("first_slice", first_slice);
    best.drive("slice", slice);
    let Tag { depth_zero, extensions, kind, .. } = layout.tag.unpack(tag);
    best.drive("depth_zero", depth_zero);
    best.drive("leaf", depth_zero & extensions.is(0));
    best.drive("kind", kind);
    best.drive("probe_rank", probe_rank);
    best.drive(before_port(layout), after);
    if layout.config.has_ceilings() {
        best.drive("survivors", m.at_stage(m.input("survivors", layout.cells), select));
    }
    let winners = best.get("winners");

    let rule = m.child("rule", node_outcome(layout));
    let last = stage_of(best.get("found"));
    // The facts are those of the last slice's selection.
    let late = |name: &str| -> Sig<'_> {
        let clocks = last - select - (layout.frame.slices as i32 - 1);
        m.at_stage(m.delay(name, fact(name), clocks as usize), last)
    };
    let here = layout.tag.unpack(beside.tag(last));
    let replies =
        layout.compares_replies().then(|| reply(m, layout, &flags, occupied_candidates, slices, last));
    let widths = known(layout);
    let known = widths.map(|name, width| match (name, width) {
        (_, 0) => m.zero(0),
        ("full", _) => beside.fill(last).bit(1),
        ("one_empty", _) => beside.fill(last).bit(0),
        ("length", _) => here.length,
        ("node_potential", _) => here.potential,
        ("goes_deeper", _) => !here.depth_zero,
        ("extendable", _) => here.extensions.is_not(0),
        ("reply", _) => replies.expect("a floor that compares replies"),
        (fact, _) if facts.contains(&fact) => late(fact),
        (port, _) => best.get(port),
    });
    Known::drive(known, rule);
    let ruled = rule.get("result");
    if layout.tells_at_once() {
        for name in next(layout) {
            m.output(name, rule.get(name));
        }
    }
    let has_floor = layout.config.has_floor();
    let result = if has_floor { m.delayed("result", ruled) } else { ruled };
    if layout.config.has_ceilings() {
        let ends = Ends { four_three: layout.has_bonus().then(|| late("four_three")), best, last };
        answered(m, layout, &beside, &flags, (threats, gain_sums), occupied_flags, ends);
    }
    let total = stage_of(result);
    m.output("after_tag", beside.tag(select - 1));
    m.output("winners_valid", beside.valid(stage_of(winners)));
    m.output("winners_tag", beside.tag(stage_of(winners)));
    m.output("winners", winners);
    if layout.marks_cells() {
        m.output("marks", best.get("marks"));
    }
    m.output("next_valid", beside.valid(total - 1));
    m.output("next_tag", beside.tag(total - 1));
    m.output("result_valid", beside.valid(total));
    m.output("result_tag", beside.tag(total));
    m.output("result", result);
    if layout.tells_soon() {
        m.output("soon_tag", beside.tag(total - 2));
    }
    if layout.config.has_transpositions() && layout.config.contexts > 1 {
        m.output("sooner_tag", beside.tag(total - 3));
    }
    if has_floor {
        let next = layout.result.unpack(ruled);
        m.output("next_floor_holds", next.floor_holds);
        m.output("next_floor", next.value);
    }
    m.set_summary(&format!(
        "Evaluates nodes: rule outcome, first cells in static order, leaf value.\n\
         Latency {total}, initiation interval {}; reset clears every valid bit.",
        interval(layout)
    ));
    drop(beside);
    module.circuit()
}

/// The opponent's largest gain, there when the pick is.
fn reply<'m>(
    m: &'m Module,
    layout: &Layout,
    flags: &[Instance<'m>],
    occupied: Sig<'m>,
    slices: Option<Instance<'m>>,
    last: i32,
) -> Sig<'m> {
    let replies = m.child("replies", cell_gains(layout));
    for (direction, flags) in flags.iter().enumerate() {
        for (flag, _) in layout.gain_flags() {
            replies.drive(&gain_input(direction, flag), flags.get(&format!("other_gain_flag_{flag}")));
        }
    }
    let gains = Gains::get(replies, layout);
    let reply = m.child("reply", largest_gain(layout));
    gains.drive(reply);
    reply.drive("occupied", m.delay_to("occupied_reply", occupied, gains.stage()));
    let mut largest = reply.get("largest");
    if let Some(slices) = slices {
        m.comment("Slices of a node, the largest of all kept while the next node's come.");
        let stage = stage_of(largest);
        let first = m.delay_to("first_reply", slices.get("first_slice"), stage);
        let complete = m.delay("reply_complete", first, layout.frame.slices);
        let [sum, kept] = ["reply_sum", "reply_kept"].map(|name| m.register(name, largest.width));
        m.at_edge([sum.set((first | largest.more(sum)).mux(largest, sum))]);
        m.at_edge([when(complete, [kept.set(sum)])]);
        largest = m.at_stage(kept, stage + layout.frame.slices as i32 + 1);
    }
    m.delay_to("late_reply", largest, last)
}

/// The signal while `load` is set, and what it was then afterwards.
fn held<'m>(m: &'m Module, name: &str, signal: Sig<'m>, load: Sig<'m>) -> Sig<'m> {
    let kept = m.register(&format!("{name}_q"), signal.width);
    let now = m.wire(name, load.mux(signal, kept));
    m.at_edge([kept.set(now)]);
    now
}

/// The facts of a node's slices, gathered: `FACT_facts` holds those of the whole board from the clock after the last
/// slice for as many clocks as there are slices.
fn gather_facts<'m, 'f>(
    m: &'m Module,
    layout: &Layout,
    threats: Instance<'m>,
    facts: &[&'f str],
    first: Sig<'m>,
) -> BTreeMap<&'f str, Sig<'m>> {
    let slices = layout.frame.slices;
    let stage = stage_of(first) + slices as i32 + 1;
    let complete = m.delay("facts_complete", first, slices);
    let sums: Vec<Sig> = facts.iter().map(|fact| m.register(&format!("{fact}_sum"), 1)).collect();
    let sum_of = |fact: &str| sums[facts.iter().position(|other| *other == fact).expect("a fact")];
    let mut whole_board = BTreeMap::new();
    for fact in facts {
        let (sum, seen) = (sum_of(fact), threats.get(fact));
        // One cell in each of two slices are two.
        let once = threats.get("other_wins_once") & sum_of("other_wins_once");
        let more = if *fact == "other_wins_twice" { seen | once } else { seen };
        m.at_edge([sum.set(first.mux(seen, sum | more))]);
        let whole = if *fact == "other_wins_once" { sum & !sum_of("other_wins_twice") } else { sum };
        let gathered = m.register(&format!("{fact}_facts"), 1);
        m.at_edge([when(complete, [gathered.set(whole)])]);
        whole_board.insert(*fact, m.at_stage(gathered, stage));
    }
    whole_board
}
