// SPDX-License-Identifier: MIT OR Apache-2.0
//! The evaluator pipeline: the whole board at once (or slice by slice), tags alongside.

pub mod best_cell;
pub mod board_slices;
pub mod candidates;
pub mod cell_gains;
pub mod cell_threats;
mod group_tree;
pub mod largest_gain;
pub mod node_outcome;
pub mod set_choice;
pub mod window_flags;

use self::best_cell::{best_cell, latency as best_cell_latency, slice_bits, winners_latency};
use self::board_slices::board_slices;
use self::candidates::candidates;
use self::cell_gains::{LATENCY as GAINS, cell_gains, gain_input};
use self::cell_threats::{
    FACTS, LATENCY as THREATS_AFTER_FLAGS, PLANES, cell_threats, flag_input, four_threes,
};
use self::largest_gain::{largest_gain, latency as largest_gain_latency};
use self::node_outcome::node_outcome;
use self::window_flags::{LATENCY as FLAGS, pattern_flags, window_flags};
use crate::circuits::DIRECTION_NAMES;
use crate::kit::{Body, Circuit, constant};
use crate::layout::Layout;

/// Clocks from a frame until the candidates are there.
const CANDIDATES: usize = FLAGS + 1;
/// Clocks from a frame until gains and threats are both there.
const THREATS: usize = FLAGS + THREATS_AFTER_FLAGS;

/// Clocks from a node's board to the selection of its set, seen from its first slice. With several slices the facts of
/// all of them are gathered first.
fn select_stage(layout: &Layout) -> usize {
    let slices = layout.frame.slices;
    THREATS + if slices > 1 { 1 + slices + 1 } else { 0 }
}

/// Clocks from a node's board to the first cells of the groups.
pub fn winners_stage(layout: &Layout) -> usize {
    select_stage(layout) + layout.frame.slices - 1 + winners_latency(layout)
}

/// Clocks from a node's board to the facts and the pick that make its result.
fn pick_stage(layout: &Layout) -> usize {
    select_stage(layout) + layout.frame.slices - 1 + best_cell_latency(layout)
}

/// Clocks from a node's board to its result. With floors a clock passes in which the level compares them.
pub fn latency(layout: &Layout) -> usize {
    pick_stage(layout) + 1 + usize::from(layout.config.has_floor())
}

/// Clocks between nodes.
pub fn interval(layout: &Layout) -> usize {
    layout.frame.slices
}

/// Evaluates boards.
///
/// Ports: `aclk`, `aresetn`; `valid` (at most once an interval), `tag`, planes `own`, `other`, bits `full`,
/// `one_empty`, `empty_board` of a node; `probe_rank` of the cell a probe asks for; `after_tag` out, the tag one
/// clock before its set is selected, and `after` in one clock later: what came out of its context's groups last,
/// packed per group as {found, gain, rank}, gain 0 where nothing did; out `winners_valid`, `winners_tag`, `winners`;
/// `next_valid`, `next_tag`: a result comes in a clock, and its tag; `result_valid`, `result_tag`, `result`; with floors
/// `soon_tag`, the tag that comes in two clocks, and `next_floor_holds`, `next_floor`, the floor that comes in one.
/// Latency [`latency`] ([`winners_stage`] for the winners), initiation interval [`interval`]; reset clears every valid
/// bit.
pub fn evaluator(layout: &Layout) -> Circuit {
    let (cells, tag_bits, sliced) = (layout.cells, layout.tag.width(), layout.frame.slices > 1);
    let (frame, core) = (layout.frame.cells, layout.frame.core_cells);
    let total = latency(layout);
    let mut circuit = Circuit::new(
        "evaluator",
        &format!(
            "Evaluates nodes: rule outcome, first cells in static order, leaf value.\n\
             Latency {total}, initiation interval {}; reset clears every valid bit.",
            interval(layout)
        ),
    );
    circuit.clocked(true);
    circuit.inputs(&[
        ("valid", 1),
        ("tag", tag_bits),
        ("own", cells),
        ("other", cells),
        ("full", 1),
        ("one_empty", 1),
        ("empty_board", 1),
        ("probe_rank", layout.cell_bits),
        ("after", layout.groups * (1 + layout.gain_bits + layout.cell_bits)),
    ]);
    circuit.outputs(&[
        ("after_tag", tag_bits),
        ("winners_valid", 1),
        ("winners_tag", tag_bits),
        ("winners", layout.winners_width()),
        ("next_valid", 1),
        ("next_tag", tag_bits),
        ("result_valid", 1),
        ("result_tag", tag_bits),
        ("result", layout.result.width()),
    ]);
    if layout.config.has_floor() {
        circuit.outputs(&[
            ("soon_tag", tag_bits),
            ("next_floor_holds", 1),
            ("next_floor", layout.value_bits),
        ]);
    }

    let mut body = Body::new();
    let (own, other, first) = if sliced {
        circuit.child("slices", board_slices(layout));
        for port in ["aclk", "aresetn", "valid", "own", "other"] {
            body.drive(&format!("slices${port}"), port);
        }
        ("slices$frame_own", "slices$frame_other", "slices$first_slice")
    } else {
        ("own", "other", "valid")
    };
    body.comment("The tag travels beside the planes; only the valid bits are reset.");
    let mut tags = vec!["tag".to_string()];
    let mut valids = vec!["valid".to_string()];
    let mut fills = vec![body.wire("fill_flags", 3, "{empty_board, full, one_empty}")];
    for stage in 1..=total {
        tags.push(body.register(&format!("tag_{stage}"), tag_bits, tags[stage - 1].clone()));
        valids.push(body.control_register(&format!("valid_{stage}"), 1, valids[stage - 1].clone()));
        if stage <= pick_stage(layout) {
            fills.push(body.register(&format!("fill_{stage}"), 3, fills[stage - 1].clone()));
        }
    }

    let occupied_0 = body.wire("occupied_0", frame, format!("{own} | {other}"));
    let occupied_flags = body.delay("occupied_flags", frame, &occupied_0, FLAGS);
    let walls_flags = sliced.then(|| {
        let walls = body.wire("walls_0", frame, format!("{own} & {other}"));
        body.delay("walls_flags", frame, &walls, FLAGS)
    });
    let occupied_core = layout.frame.core_of(&occupied_flags);
    let occupied_candidates = body.register("occupied_candidates", core, occupied_core);
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        let flags = format!("{name}_flags");
        circuit.child(&flags, window_flags(layout, direction));
        body.drive(&format!("{flags}$own"), own);
        body.drive(&format!("{flags}$other"), other);
        body.drive(&format!("{flags}$aclk"), "aclk");
    }
    circuit.child("gain_sums", cell_gains(layout));
    circuit.child("threats", cell_threats(layout));
    circuit.child("near_stones", candidates(layout));
    body.drive("gain_sums$aclk", "aclk");
    body.drive("threats$aclk", "aclk");
    body.drive("near_stones$aclk", "aclk");
    body.drive("threats$occupied", &occupied_flags);
    let stones = walls_flags.map_or(occupied_flags.clone(), |walls| format!("{occupied_flags} & ~{walls}"));
    body.drive("near_stones$occupied", stones);
    // The bit is the node's; the candidates' frame comes one clock later when there are slices. It is held below.
    let empty_stage = FLAGS + usize::from(sliced);
    let empty = if sliced {
        held(&mut body, "empty_held", 1, &format!("{}[2]", fills[empty_stage]), &valids[empty_stage])
    } else {
        format!("{}[2]", fills[empty_stage])
    };
    body.drive("near_stones$empty_board", empty);
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        for (flag, _) in layout.gain_flags() {
            body.drive(
                &format!("gain_sums${}", gain_input(direction, flag)),
                format!("{name}_flags$gain_flag_{flag}"),
            );
        }
        if layout.compares_replies() {
            for (flag, _) in layout.gain_flags() {
                let flags = format!("{name}_flags$other_gain_flag_{flag}");
                body.drive(&format!("replies${}", gain_input(direction, flag)), flags);
            }
        }
        for flag in pattern_flags(layout) {
            body.drive(&format!("threats${}", flag_input(direction, flag)), format!("{name}_flags${flag}"));
        }
    }

    body.comment("Everything at the clock in which the set is selected.");
    let select = select_stage(layout);
    // Stage numbers count from the node; a frame is one clock behind it when there are slices.
    let late = usize::from(sliced);
    let wait = select - late - THREATS;
    circuit.child("best", best_cell(layout));
    body.drive("best$aclk", "aclk");
    let occupied_select =
        body.delay("occupied_select", core, &occupied_candidates, THREATS - CANDIDATES + wait);
    body.drive("best$occupied", &occupied_select);
    // The last slice can hold rows off the board; in them walls keep cells from being candidates.
    let near = if layout.frame.slices * layout.frame.core_rows > layout.config.rows {
        body.wire("near_on_board", core, format!("near_stones$candidate & ~{occupied_candidates}"))
    } else {
        "near_stones$candidate".to_string()
    };
    let candidate = body.delay("candidate", core, &near, THREATS - CANDIDATES + wait);
    body.drive("best$candidate", &candidate);
    for plane in PLANES {
        let late_plane = body.delay(plane, core, &format!("threats${plane}"), wait);
        body.drive(&format!("best${plane}"), late_plane);
    }
    let gains =
        body.delay("late_gains", layout.gains_width(), "gain_sums$gains", THREATS - FLAGS - GAINS + wait);
    body.drive("best$gains", gains);
    let mut facts: Vec<&str> = FACTS.to_vec();
    facts.extend(four_threes(layout).map(|(fact, _)| fact));
    let fact = |name: &str| if sliced { format!("{name}_facts") } else { format!("threats${name}") };
    if sliced {
        let first_threats = body.delay("first_threats", 1, first, THREATS);
        gather_facts(&mut body, &facts, &first_threats, layout.frame.slices);
    }
    for name in ["own_wins", "own_has_double", "other_has_double"] {
        body.drive(&format!("best${name}"), fact(name));
    }
    body.drive("best$other_wins", format!("{} | {}", fact("other_wins_once"), fact("other_wins_twice")));
    let (first_select, slice_select, tag_select) = if sliced {
        let first_select = body.delay("first_select", 1, first, select - late);
        let slice_select = body.delay("slice_select", slice_bits(layout), "slices$slice", select - late);
        let tag = held(&mut body, "tag_held", tag_bits, &tags[select], &valids[select]);
        (first_select, slice_select, tag)
    } else {
        (constant(1, 1), constant(1, 0), tags[select].clone())
    };
    body.drive("best$first_slice", first_select);
    body.drive("best$slice", slice_select);
    let depth_zero = layout.tag.of(&tag_select, "depth_zero");
    let extensions = layout.tag.of(&tag_select, "extensions");
    body.drive("best$depth_zero", &depth_zero);
    body.drive("best$leaf", format!("{depth_zero} & ({extensions} == {}'d0)", layout.extension_bits));
    body.drive("best$kind", layout.tag.of(&tag_select, "kind"));
    body.drive("best$probe_rank", "probe_rank");
    body.drive("after_tag", &tags[select - 1]);
    let after_width = layout.groups * (1 + layout.gain_bits + layout.cell_bits);
    let after = if sliced {
        held(&mut body, "after_held", after_width, "after", &valids[select])
    } else {
        "after".to_string()
    };
    body.drive("best$after", after);
    let winners = winners_stage(layout);
    body.drive("winners_valid", &valids[winners]);
    body.drive("winners_tag", &tags[winners]);
    body.drive("winners", "best$winners");

    circuit.child("rule", node_outcome(layout));
    body.drive("rule$aclk", "aclk");
    // The facts are those of the last slice's selection.
    let has_floor = layout.config.has_floor();
    for name in facts.into_iter().filter(|&name| has_floor || name != "other_has_double") {
        let late = body.delay(name, 1, &fact(name), best_cell_latency(layout));
        body.drive(&format!("rule${name}"), late);
    }
    let last = pick_stage(layout);
    body.drive("rule$full", format!("{}[1]", fills[last]));
    body.drive("rule$one_empty", format!("{}[0]", fills[last]));
    for port in ["found", "rank", "group", "gain", "makes_four", "more"] {
        body.drive(&format!("rule${port}"), format!("best${port}"));
    }
    for field in ["length", "potential"] {
        body.drive(&format!("rule${field}"), layout.tag.of(&tags[last], field));
    }
    body.drive("next_valid", &valids[total - 1]);
    body.drive("next_tag", &tags[total - 1]);
    body.drive("result_valid", &valids[total]);
    body.drive("result_tag", &tags[total]);
    if has_floor {
        let tag = |field: &str| layout.tag.of(&tags[last], field);
        body.drive("rule$goes_deeper", format!("~{}", tag("depth_zero")));
        body.drive("rule$extendable", format!("({} != {}'d0)", tag("extensions"), layout.extension_bits));
        if layout.compares_replies() {
            circuit.child("replies", cell_gains(layout));
            circuit.child("reply", largest_gain(layout));
            reply(&mut body, layout, &occupied_candidates);
        }
        body.drive("soon_tag", &tags[total - 2]);
        for (port, field) in [("next_floor_holds", "floor_holds"), ("next_floor", "value")] {
            body.drive(port, layout.result.of("rule$result", field));
        }
        body.drive_register("result", "rule$result");
    } else {
        body.drive("result", "rule$result");
    }
    circuit.set_body(body.finish());
    circuit
}

/// The opponent's largest gain, there when the pick is.
fn reply(body: &mut Body, layout: &Layout, occupied_candidates: &str) {
    let (bits, slices, core) = (layout.reply_bits(), layout.frame.slices, layout.frame.core_cells);
    let late = usize::from(slices > 1);
    body.drive("replies$aclk", "aclk");
    body.drive("reply$aclk", "aclk");
    let occupied = body.delay("occupied_reply", core, occupied_candidates, GAINS - 1);
    body.drive("reply$occupied", occupied);
    body.drive("reply$gains", "replies$gains");
    let mut stage = late + FLAGS + GAINS + largest_gain_latency(layout);
    let mut largest = "reply$largest".to_string();
    if slices > 1 {
        body.comment("Slices of a node, the largest of all kept while the next node's come.");
        let first = body.delay("first_reply", 1, "slices$first_slice", stage - late);
        let complete = body.delay("reply_complete", 1, &first, slices);
        body.raw(format!(
            "
reg {range}reply_sum, reply_kept;
always @(posedge aclk) reply_sum <= ({first} | (reply$largest > reply_sum)) ? reply$largest : reply_sum;
always @(posedge aclk) if ({complete}) reply_kept <= reply_sum;
",
            range = crate::kit::range(bits),
        ));
        largest = "reply_kept".to_string();
        stage += slices + 1;
    }
    let late_reply = body.delay("late_reply", bits, &largest, pick_stage(layout) - stage);
    body.drive("rule$reply", late_reply);
}

/// The signal while `load` is set, and what it was then afterwards.
fn held(body: &mut Body, hint: &str, width: usize, signal: &str, load: &str) -> String {
    let name = format!("{hint}_q");
    body.raw(format!("reg {}{name};", crate::kit::range(width)));
    let now = body.wire(hint, width, format!("{load} ? {signal} : {name}"));
    body.raw(format!("always @(posedge aclk) {name} <= {now};"));
    now
}

/// Gathers the facts of a node's slices: `FACT_facts` holds those of the whole board from the clock after the last
/// slice for as many clocks as there are slices.
fn gather_facts(body: &mut Body, facts: &[&str], first: &str, slices: usize) {
    let complete = body.delay("facts_complete", 1, first, slices);
    for fact in facts {
        // One cell in each of two slices are two.
        let twice = *fact == "other_wins_twice";
        let also = if twice { " | (other_wins_once_sum & threats$other_wins_once)" } else { "" };
        let sum = format!("{fact}_sum");
        body.raw(format!("reg {sum}, {fact}_facts;"));
        body.raw(format!(
            "always @(posedge aclk) {sum} <= {first} ? threats${fact} : ({sum} | threats${fact}{also});"
        ));
        let whole = if *fact == "other_wins_once" { format!("{sum} & ~other_wins_twice_sum") } else { sum };
        body.raw(format!("always @(posedge aclk) if ({complete}) {fact}_facts <= {whole};"));
    }
}
