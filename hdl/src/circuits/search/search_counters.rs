// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the search core counts and shows of itself.

use super::move_store::node_fields;
use super::visits::global;
use super::words::{COUNTER_BITS, CYCLE_BITS, LIMIT_BITS, level_name};
use crate::kit::{Body, constant};
use crate::layout::Layout;

/// Counters of the last search, and clocks without a pass by cause.
pub(super) fn counters(body: &mut Body, layout: &Layout) {
    let tag = |name: &str| layout.tag.of("evaluate$result_tag", name);
    let levels: Vec<String> = (1..=layout.config.levels).map(level_name).collect();
    let any = |port: &str| levels.iter().map(|name| format!("{name}${port}")).collect::<Vec<_>>().join(" | ");
    body.raw(format!(
        "
wire idle_slot = aresetn & game$searching & slot & ~builder$valid;
wire waits_for_context = {waits_context};
wire waits_for_order = {waits_order};
wire waits_for_first = {waits_first};
wire is_order = builder$valid & ~back_valid & request & request_is_order;
wire node_counts = game$searching & node;
reg passed, ordered_again, missed, by_miss, by_context, by_order, by_first, dropped_stale, counts;
reg {length_range}counted_length;
// The causes are those of the clock before.
always @(posedge aclk) begin
  passed <= aresetn & game$searching & builder$valid;
  ordered_again <= aresetn & game$searching & is_order;
  missed <= s4_missed;
  by_miss <= idle_slot & missed;
  by_context <= idle_slot & ~missed & waits_for_context;
  by_order <= idle_slot & ~missed & ~waits_for_context & waits_for_order;
  by_first <= idle_slot & ~missed & ~waits_for_context & ~waits_for_order & waits_for_first;
  dropped_stale <= aresetn & evaluate$result_valid & ~fresh;
  counts <= aresetn & node_counts;
  counted_length <= {length};
end
",
        waits_context = any("waits_context"),
        waits_order = any("waits_order"),
        waits_first = any("waits_first"),
        length_range = crate::kit::range(layout.length_bits),
        length = tag("length"),
    ));
    body.comment("Counters of the last search.");
    let zero = constant(COUNTER_BITS, 0);
    let one = constant(COUNTER_BITS, 1);
    body.raw(format!(
        "
reg counting_q;
wire search_starts = game$counting & ~counting_q;
always @(posedge aclk) counting_q <= aresetn & game$counting;
always @(posedge aclk)
  if (!aresetn) cycles <= {cycle_zero};
  else if (search_starts) cycles <= {cycle_one};
  else if (game$counting) cycles <= cycles + {cycle_one};
",
        cycle_zero = constant(CYCLE_BITS, 0),
        cycle_one = constant(CYCLE_BITS, 1),
    ));
    body.comment("A search has a limit, and has reached it a clock ago.");
    body.raw(format!(
        "
reg expired;
always @(posedge aclk) expired <= (|cycles[{top}:{bits}]) | (cycles[{high}:0] >= limit);
",
        top = CYCLE_BITS - 1,
        bits = LIMIT_BITS,
        high = LIMIT_BITS - 1,
    ));
    body.drive("game$limited", "|limit");
    body.drive("game$expired", "expired");
    for (counter, event) in [
        ("passes", "passed"),
        ("stale", "dropped_stale"),
        ("orders", "ordered_again"),
        ("misses", "by_miss"),
        ("waits_context", "by_context"),
        ("waits_order", "by_order"),
        ("waits_first", "by_first"),
    ] {
        body.raw(format!(
            "
always @(posedge aclk)
  if (!aresetn | search_starts) {counter} <= {zero};
  else if ({event}) {counter} <= {counter} + {one};
"
        ));
    }
    for ply in 1..=layout.max_path {
        let slice = format!("nodes[{}:{}]", ply * COUNTER_BITS - 1, (ply - 1) * COUNTER_BITS);
        body.raw(format!(
            "
always @(posedge aclk)
  if (!aresetn | search_starts) {slice} <= {zero};
  else if (counts & (counted_length == {ply_constant})) {slice} <= {slice} + {one};
",
            ply_constant = constant(layout.length_bits, ply),
        ));
    }
}

/// Bits of what the trace shows of a clock: a search is under way, a pass may be issued, one is, a visit's last clock found no move.
pub const CLOCK_BITS: usize = 4;

/// What the co-simulation looks at.
pub(super) fn traces(body: &mut Body, layout: &Layout) {
    let levels = layout.config.levels;
    body.comment("Traces.");
    let winners_delay =
        crate::circuits::evaluator::latency(layout) - crate::circuits::evaluator::winners_stage(layout);
    let winners = body.delay("winners_q", layout.winners_width(), "evaluate$winners", winners_delay);
    body.drive("trace_node_valid", "evaluate$result_valid");
    // With a new game nothing of the old one counts, though its results come until the levels have stopped.
    body.drive("trace_node", format!("{{{winners}, fresh & ~clear, evaluate$result, evaluate$result_tag}}"));
    let node = node_fields(layout);
    let mut valid = Vec::new();
    let mut returned = Vec::new();
    let mut held = Vec::new();
    for level in (1..=levels).rev() {
        let name = level_name(level);
        body.drive(
            &format!("store$trace_context_{level}"),
            global(layout, level, &format!("{name}$done_row")),
        );
        let of = |field: &str| node.of(&format!("store$trace_node_{level}"), field);
        valid.push(format!("{name}$done_new"));
        held.push(format!("{name}$held"));
        returned.push(layout.returned.pack(&[
            ("path", of("path")),
            ("length", of("length")),
            ("extensions", of("extensions")),
            ("value", format!("{name}$done_value")),
            ("bound", format!("{name}$done_bound")),
        ]));
    }
    body.drive("trace_return_valid", format!("{{{}}}", valid.join(", ")));
    body.drive("trace_return", format!("{{{}}}", returned.join(", ")));
    body.drive("trace_held", format!("~game$searching & ({})", held.join(" | ")));
    body.drive("trace_clock", "{s4_missed, builder$valid, slot, aresetn & game$searching}");
    let waiting: Vec<String> =
        (1..=levels).rev().map(|level| format!("{}$trace_waiting", level_name(level))).collect();
    body.drive("trace_waiting", format!("{{{}}}", waiting.join(", ")));
    body.drive("trace_decision_valid", "game$decided");
    body.drive(
        "trace_decision",
        layout.decision.pack(&[("cell", "game$decided_cell".into()), ("score", "game$score".into())]),
    );
}
