// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search: root board, level controllers, node builder and evaluator, and the routing between them.

use super::evaluator::evaluator;
use super::game_controller::game_controller;
use super::level_controller::level_controller;
use super::node_builder::node_builder;
use super::node_tag::{child_potential, extended_path};
use super::root_board::root_board;
use crate::kit::{Body, Circuit, constant};
use crate::layout::{Layout, PassKind};
use engine_model::Outcome;

/// Width of the cycle counter.
pub const CYCLE_BITS: usize = 64;
/// Width of the pass and node counters.
pub const COUNTER_BITS: usize = 32;

/// What the command face drives in the search core.
pub fn command_ports(layout: &Layout) -> [(&'static str, usize); 7] {
    [
        ("clear", 1),
        ("operation", 1),
        ("operation_code", 2),
        ("operation_cell", layout.cell_bits),
        ("abort_search", 1),
        ("levels", layout.level_bits),
        ("query_cell", layout.cell_bits),
    ]
}

/// What the search core shows the command face.
pub fn status_ports(layout: &Layout) -> [(&'static str, usize); 15] {
    [
        ("idle", 1),
        ("operation_done", 1),
        ("operation_aborted", 1),
        ("over", 2),
        ("decided_cell", layout.cell_bits),
        ("score", layout.value_bits),
        ("query_occupied", 1),
        ("first", layout.cells),
        ("second", layout.cells),
        ("stones", layout.count_bits),
        ("last_cell", layout.cell_bits),
        ("cycles", CYCLE_BITS),
        ("passes", COUNTER_BITS),
        ("stale", COUNTER_BITS),
        ("nodes", COUNTER_BITS * layout.max_path),
    ]
}

/// Routes results to level controllers by their tag, drops those of an older generation, sends forced replies straight
/// back into the node builder, and arbitrates requests (forced replies first, then the deepest level).
///
/// Ports: `aclk`, `aresetn`; the operation ports of `game_controller`; `levels` in use; `query_cell`, `query_occupied`;
/// `first`, `second`, `stones`, `last_cell` of the game; counters of the last search `cycles`, `passes`, `stale`, and
/// `nodes` (one per ply from 1, lowest first); with trace: `trace_node_valid`, `trace_node` ({fresh, result, tag}),
/// `trace_return_valid`, `trace_return` (one per level, lowest first), `trace_decision_valid`, `trace_decision`. One
/// node a clock; reset stops everything and empties the game.
pub fn search_core(layout: &Layout) -> Circuit {
    let levels = layout.config.levels;
    let (bits, tag_bits, result_bits) = (layout.value_bits, layout.tag.width(), layout.result.width());
    let trace = layout.config.trace;
    let mut circuit = Circuit::new(
        "search_core",
        "Root board, level controllers, node builder and evaluator, and the routing between them.\n\
         One node a clock; reset stops everything and empties the game.",
    );
    circuit.clocked(true);
    circuit.inputs(&command_ports(layout));
    circuit.outputs(&status_ports(layout));
    if trace {
        circuit.outputs(&[
            ("trace_node_valid", 1),
            ("trace_node", 1 + result_bits + tag_bits),
            ("trace_return_valid", levels),
            ("trace_return", levels * layout.returned.width()),
            ("trace_decision_valid", 1),
            ("trace_decision", layout.decision.width()),
        ]);
    }
    circuit.child("board", root_board(layout));
    circuit.child("game", game_controller(layout));
    circuit.child("builder", node_builder(layout));
    circuit.child("evaluate", evaluator(layout));
    for level in 1..=levels {
        circuit.child(&level_name(level), level_controller(layout));
    }

    let mut body = Body::new();
    let mut children: Vec<String> = ["board", "game", "builder", "evaluate"].map(String::from).to_vec();
    children.extend((1..=levels).map(level_name));
    for child in &children {
        body.drive(&format!("{child}$aclk"), "aclk");
        body.drive(&format!("{child}$aresetn"), "aresetn");
    }
    for port in ["clear", "operation", "operation_code", "operation_cell", "abort_search"] {
        body.drive(&format!("game${port}"), port);
    }
    for port in ["idle", "operation_done", "operation_aborted", "over", "decided_cell", "score"] {
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
    body.drive("game$last_cell", "board$last_cell");
    for port in ["root_own", "root_other"] {
        body.drive(&format!("builder${port}"), format!("board${port}"));
    }
    body.drive("builder$root_stones", "board$stones");
    body.drive("evaluate$valid", "builder$node_valid");
    body.drive("evaluate$tag", "builder$node_tag");
    for port in ["own", "other", "full", "one_empty"] {
        body.drive(&format!("evaluate${port}"), format!("builder${port}"));
    }

    let tag = |name: &str| layout.tag.of("evaluate$result_tag", name);
    let result = |name: &str| layout.result.of("evaluate$result", name);
    let of_level = |signal: &str, level: usize| format!("{signal} == {}", constant(layout.level_bits, level));
    body.comment(
        "A result whose generation is no longer its level's belongs to a node that has been left: drop it.",
    );
    let tag_level = body.wire("tag_level", layout.level_bits, tag("level"));
    let mut generation = "game$generation".to_string();
    for level in 1..=levels {
        generation =
            format!("({}) ? {}$generation : {generation}", of_level(&tag_level, level), level_name(level));
    }
    let generation = body.wire("generation", crate::layout::GENERATION_BITS, generation);
    let kind = body.wire("kind", 2, tag("kind"));
    body.raw(format!(
        "
wire fresh = evaluate$result_valid & ({tag_generation} == {generation});
wire for_game = fresh & ({at_root}) & game$awaiting;
wire ordered = fresh & (({kind} == 2'd{order}) | ({kind} == 2'd{order_fours}));
wire node = fresh & ({kind} == 2'd{node_kind}) & ~for_game;
wire forced = ({outcome} == {width}'d{forced});
wire open = ({outcome} == {width}'d{open});
wire depth_zero = {depth_zero};
// Rule 3 with an extension left: the reply goes straight back, one move longer, to the same level.
wire recirculate = node & forced & ({extensions} != {no_extensions}) & ~clear & ~game$stop_levels;
wire ends = node & ~recirculate & (depth_zero | ~(forced | open));
wire deeper = node & ~recirculate & ~depth_zero & (forced | open);
",
        tag_generation = tag("generation"),
        at_root = of_level(&tag_level, 0),
        order = PassKind::Order as u8,
        order_fours = PassKind::OrderFours as u8,
        node_kind = PassKind::Node as u8,
        outcome = result("outcome"),
        width = crate::layout::OUTCOME_BITS,
        forced = Outcome::Forced as u8,
        open = Outcome::Open as u8,
        depth_zero = tag("depth_zero"),
        extensions = tag("extensions"),
        no_extensions = constant(layout.extension_bits, 0),
    ));
    let value = body.wire("value", bits, result("value"));
    let minus = |signal: &str| format!("(~{signal} + {bits}'d1)");
    let negate = body.wire("negate", 1, tag("negate"));
    let reply_path = {
        let (path, length) = (tag("path"), tag("length"));
        let path = body.wire("tag_path", layout.max_path * layout.cell_bits, path);
        let length = body.wire("tag_length", layout.length_bits, length);
        let cell = body.wire("result_cell", layout.cell_bits, result("cell"));
        extended_path(&mut body, layout, &path, &length, &cell)
    };
    let tag_potential = body.wire("tag_potential", layout.potential_bits, tag("potential"));
    let result_gain = body.wire("result_gain", layout.gain_bits, result("gain"));
    let (_, reply_potential) = child_potential(&mut body, layout, &tag_potential, &result_gain);
    let reply_tag = layout.tag.pack(&[
        ("path", reply_path),
        ("length", format!("tag_length + {}'d1", layout.length_bits)),
        ("potential", reply_potential),
        ("extensions", format!("{} - {}", tag("extensions"), constant(layout.extension_bits, 1))),
        ("depth_zero", "depth_zero".into()),
        ("negate", format!("~{negate}")),
        ("kind", format!("2'd{}", PassKind::Node as u8)),
        ("generation", tag("generation")),
        ("level", tag_level.clone()),
        ("context", tag("context")),
    ]);

    for level in 1..=levels {
        let name = level_name(level);
        let port = |port: &str| format!("{name}${port}");
        body.comment(&format!("Level {level}."));
        body.drive(&port("level"), constant(layout.level_bits, level));
        body.drive(&port("beam"), constant(layout.count_bits, layout.config.beam_at(level - 1)));
        body.drive(&port("levels"), "levels");
        body.drive(&port("clear"), "game$stop_levels");
        let below = format!("deeper & ({})", of_level(&tag_level, level - 1));
        if level == 1 {
            body.drive(&port("start"), format!("game$start | ({below})"));
            body.drive(&port("start_tag"), "game$start ? game$start_tag : evaluate$result_tag");
            body.drive(&port("start_result"), "game$start ? game$start_result : evaluate$result");
            body.drive(&port("start_single"), "game$start ? game$start_single : forced");
            let infinity = layout.scoring.win_score as usize - 1;
            body.drive(&port("start_alpha"), format!("~{bits}'d{infinity} + {bits}'d1"));
            body.drive(&port("start_beta"), constant(bits, infinity));
        } else {
            let above = level_name(level - 1);
            body.drive(&port("start"), below);
            body.drive(&port("start_tag"), "evaluate$result_tag");
            body.drive(&port("start_result"), "evaluate$result");
            body.drive(&port("start_single"), "forced");
            let (alpha, beta) = (format!("{above}$alpha"), format!("{above}$beta"));
            body.drive(&port("start_alpha"), format!("{negate} ? {alpha} : {}", minus(&beta)));
            body.drive(&port("start_beta"), format!("{negate} ? {beta} : {}", minus(&alpha)));
        }
        let mine = of_level(&tag_level, level);
        body.drive(&port("order_valid"), format!("ordered & ({mine})"));
        body.drive(&port("result"), "evaluate$result");
        let ended = format!("ends & ({mine})");
        let from_result = format!("{negate} ? {value} : {}", minus(&value));
        if level < levels {
            let next = level_name(level + 1);
            body.drive(&port("child_valid"), format!("({ended}) | {next}$done"));
            body.drive(
                &port("child_value"),
                format!(
                    "{next}$done ? ({next}$done_negate ? {next}$done_value : {}) : ({from_result})",
                    minus(&format!("{next}$done_value"))
                ),
            );
        } else {
            body.drive(&port("child_valid"), ended);
            body.drive(&port("child_value"), from_result);
        }
    }
    body.comment("Level 0: the first level's node is the root itself, so its value keeps its sign.");
    let first = level_name(1);
    body.drive("game$result_valid", "for_game");
    body.drive("game$result", "evaluate$result");
    body.drive("game$child_valid", format!("(ends & ({})) | {first}$done", of_level(&tag_level, 0)));
    body.drive(
        "game$child_value",
        format!(
            "{first}$done ? ({first}$done_negate ? {} : {first}$done_value) : ({negate} ? {} : {value})",
            minus(&format!("{first}$done_value")),
            minus(&value)
        ),
    );
    body.drive("game$child_move", format!("{first}$done_move"));

    body.comment("One request a clock: a forced reply, else the deepest level, else the game.");
    let mut free = "~recirculate".to_string();
    for level in (1..=levels).rev() {
        let name = level_name(level);
        body.drive(&format!("{name}$request_ready"), &free);
        free = body.wire(&format!("free_above_{level}"), 1, format!("{free} & ~{name}$request"));
    }
    body.drive("game$request_ready", &free);
    let mut chosen = "game$request_tag".to_string();
    let mut any = "recirculate | game$request".to_string();
    for level in 1..=levels {
        let name = level_name(level);
        chosen = format!("{name}$request ? {name}$request_tag : {chosen}");
        any = format!("{any} | {name}$request");
    }
    body.drive("builder$valid", any);
    body.drive("builder$tag", format!("recirculate ? {reply_tag} : {chosen}"));

    body.comment("Tried moves of the level whose pass selects its set now.");
    let mut exclude = "game$exclude".to_string();
    for level in 1..=levels {
        exclude = format!(
            "({}) ? {}$tried : {exclude}",
            of_level("evaluate$exclude_level", level),
            level_name(level)
        );
    }
    body.drive("evaluate$exclude", exclude);

    body.comment("Counters of the last search.");
    let zero = constant(COUNTER_BITS, 0);
    let one = constant(COUNTER_BITS, 1);
    body.raw(format!(
        "
reg searching_q;
wire search_starts = game$searching & ~searching_q;
always @(posedge aclk) searching_q <= aresetn & game$searching;
always @(posedge aclk)
  if (!aresetn) begin
    cycles <= {cycle_zero};
    passes <= {zero};
    stale <= {zero};
  end else if (search_starts) begin
    cycles <= {cycle_one};
    passes <= builder$valid ? {one} : {zero};
    stale <= {zero};
  end else begin
    if (game$searching) cycles <= cycles + {cycle_one};
    if (game$searching & builder$valid) passes <= passes + {one};
    if (evaluate$result_valid & ~fresh) stale <= stale + {one};
  end
",
        cycle_zero = constant(CYCLE_BITS, 0),
        cycle_one = constant(CYCLE_BITS, 1),
    ));
    for ply in 1..=layout.max_path {
        let slice = format!("nodes[{}:{}]", ply * COUNTER_BITS - 1, (ply - 1) * COUNTER_BITS);
        body.raw(format!(
            "
always @(posedge aclk)
  if (!aresetn | search_starts) {slice} <= {zero};
  else if (game$searching & node & ({length} == {ply_constant})) {slice} <= {slice} + {one};
",
            length = tag("length"),
            ply_constant = constant(layout.length_bits, ply),
        ));
    }
    if trace {
        body.drive("trace_node_valid", "evaluate$result_valid");
        body.drive("trace_node", "{fresh, evaluate$result, evaluate$result_tag}");
        let lanes = |port: &str| {
            let lanes: Vec<String> =
                (1..=levels).rev().map(|l| format!("{}${port}", level_name(l))).collect();
            format!("{{{}}}", lanes.join(", "))
        };
        body.drive("trace_return_valid", lanes("done"));
        body.drive("trace_return", lanes("returned"));
        body.drive("trace_decision_valid", "game$decided");
        body.drive(
            "trace_decision",
            layout.decision.pack(&[("cell", "game$decided_cell".into()), ("score", "game$score".into())]),
        );
    }
    circuit.set_body(body.finish());
    circuit
}

/// Instance name of a level's controller.
pub fn level_name(level: usize) -> String {
    format!("level_{level}")
}
