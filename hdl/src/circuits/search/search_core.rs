// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search: root board, level controllers, node builder and evaluator, and the routing of results.

use super::move_picker::move_picker;
use super::move_store::move_store;
use super::node_builder::node_builder;
use super::node_tag::cell_to_rank;
use super::request_queue::request_queue;
use super::root_board::root_board;
use super::search_counters::{CLOCK_BITS, counters, traces};
use super::search_requests::{requests, store_writes};
use super::search_results::results;
use super::visit_choice::visit_choice;
use super::visits::{VISIT_STAGES, most_visits, visits, widest_row};
use super::words::{command_ports, level_name, status_ports};
use crate::circuits::evaluator::{evaluator, interval, latency as evaluator_latency};
use crate::circuits::face::game_controller::game_controller;
use crate::circuits::level::level_controller::level_controller;
use crate::circuits::level::words::waiting_bits;
use crate::kit::{Body, Circuit};
use crate::layout::{GENERATION_BITS, Layout};

/// Longest way from a request to its result: while a context waits for it, its generation must not come round.
fn round_trip(layout: &Layout) -> usize {
    VISIT_STAGES
        + most_visits(layout) * interval(layout)
        + 2
        + evaluator_latency(layout)
        + 2 * interval(layout)
}

/// Routes results to level controllers by their tag and drops those of an older generation. A node that is searched
/// further starts its context, and its first child goes straight back into the node builder, as forced replies do; the
/// other children are issued by visits. At most one request an interval: what goes straight back, else a visit's, else
/// the game's.
///
/// Ports: `aclk`, `aresetn`; the operation ports of `game_controller`, its `decided_levels`; the `limit` of a search in clocks (0: none); `query_cell`,
/// `query_occupied`; `first`, `second`, `stones`, `last_cell` of the game; counters of the last search: `cycles`,
/// `passes` (all), `stale` (results dropped), `orders` (passes for order), `nodes` (one per ply from 1, lowest
/// first), and clocks in which nothing was issued because a pass for order (`waits_order`), a first child
/// (`waits_first`), a free context (`waits_context`) was waited for or a visit found no move (`misses`); with trace:
/// `trace_node_valid`, `trace_node` ({winners, fresh, result, tag}), `trace_return_valid`, `trace_return` (one per
/// level, lowest first), `trace_decision_valid`, `trace_decision`, `trace_held` (a context is not free though no
/// search is under way). Reset stops everything and empties the game.
pub fn search_core(layout: &Layout) -> Circuit {
    let levels = layout.config.levels;
    let (tag_bits, result_bits) = (layout.tag.width(), layout.result.width());
    let trace = layout.config.trace;
    assert!(round_trip(layout) < 1 << GENERATION_BITS, "a generation would come round in flight");
    let mut circuit = Circuit::new(
        "search_core",
        &format!(
            "Root board, level controllers, node builder and evaluator, and the routing between them.\n\
             One node every {} clock(s); reset stops everything and empties the game.",
            interval(layout)
        ),
    );
    circuit.clocked(true);
    circuit.inputs(&command_ports(layout));
    circuit.outputs(&status_ports(layout));
    if trace {
        circuit.outputs(&[
            ("trace_node_valid", 1),
            ("trace_node", layout.winners_width() + 1 + result_bits + tag_bits),
            ("trace_return_valid", levels),
            ("trace_return", levels * layout.returned.width()),
            ("trace_decision_valid", 1),
            ("trace_decision", layout.decision.width()),
            ("trace_held", 1),
            ("trace_clock", CLOCK_BITS),
            ("trace_waiting", (1..=levels).map(|level| waiting_bits(layout, level)).sum()),
        ]);
    }
    circuit.child("board", root_board(layout));
    circuit.child("game", game_controller(layout));
    circuit.child("builder", node_builder(layout));
    circuit.child("evaluate", evaluator(layout));
    circuit.child("store", move_store(layout));
    circuit.child("picker", move_picker(layout));
    circuit.child("choice", visit_choice(layout));
    circuit.child("queue", request_queue(tag_bits + widest_row(layout)));
    for level in 1..=levels {
        circuit.child(&level_name(level), level_controller(layout, level));
    }

    let mut body = Body::new();
    let mut children: Vec<String> =
        ["board", "game", "builder", "evaluate", "queue"].map(String::from).to_vec();
    children.extend((1..=levels).map(level_name));
    for child in &children {
        body.drive(&format!("{child}$aclk"), "aclk");
        body.drive(&format!("{child}$aresetn"), "aresetn");
    }
    body.drive("store$aclk", "aclk");
    body.drive("picker$aclk", "aclk");
    for port in ["clear", "operation", "operation_code", "operation_cell", "abort_search", "levels"] {
        body.drive(&format!("game${port}"), port);
    }
    for port in
        ["idle", "operation_done", "operation_aborted", "over", "decided_cell", "score", "decided_levels"]
    {
        body.drive(port, format!("game${port}"));
    }
    for port in ["query_occupied", "first", "second", "stones", "last_cell"] {
        body.drive(port, format!("board${port}"));
    }
    body.drive("board$clear", "clear");
    for port in ["place", "remove", "square"] {
        body.drive(&format!("board${port}"), format!("game${port}"));
    }
    body.drive("board$query_cell", "query_cell");
    for port in ["last_cell", "stones"] {
        body.drive(&format!("game${port}"), format!("board${port}"));
    }
    for port in ["root_own", "root_other"] {
        body.drive(&format!("builder${port}"), format!("board${port}"));
    }
    body.drive("builder$root_stones", "board$stones");
    body.drive("evaluate$valid", "builder$node_valid");
    body.drive("evaluate$tag", "builder$node_tag");
    for port in ["own", "other", "full", "one_empty", "empty_board"] {
        body.drive(&format!("evaluate${port}"), format!("builder${port}"));
    }
    let square = body.wire("square", layout.cell_bits, "game$square");
    let probed = cell_to_rank(&mut body, layout, &square);
    let probed = body.register("probe_rank", layout.cell_bits, probed);
    body.drive("evaluate$probe_rank", probed);

    body.comment("A search that is stopped leaves the levels a clock later: the command is far away.");
    body.raw("reg stop;\nalways @(posedge aclk) stop <= aresetn & game$stop_levels;");
    results(&mut body, layout);
    visits(&mut body, layout);
    requests(&mut body, layout);
    store_writes(&mut body, layout);
    counters(&mut body, layout);
    if trace {
        traces(&mut body, layout);
    }
    circuit.set_body(body.finish());
    circuit
}
