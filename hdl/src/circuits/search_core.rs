// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search: root board, level controllers, node builder and evaluator, and the routing of results.

use super::evaluator::{evaluator, interval, latency as evaluator_latency};
use super::game_controller::game_controller;
use super::level_controller::level_controller;
use super::move_picker::move_picker;
use super::move_store::{has_beam, move_store, node_fields};
use super::node_builder::node_builder;
use super::node_tag::{cell_to_rank, child_potential, extended_path};
use super::root_board::root_board;
use super::visits::{VISIT_STAGES, global, local, visits};
use crate::kit::{Body, Circuit, constant};
use crate::layout::{GENERATION_BITS, Layout, OUTCOME_BITS, PassKind};
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
pub fn status_ports(layout: &Layout) -> [(&'static str, usize); 20] {
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
        ("orders", COUNTER_BITS),
        ("waits_order", COUNTER_BITS),
        ("waits_first", COUNTER_BITS),
        ("waits_context", COUNTER_BITS),
        ("misses", COUNTER_BITS),
        ("nodes", COUNTER_BITS * layout.max_path),
    ]
}

/// Name of a level's instance.
pub fn level_name(level: usize) -> String {
    format!("level_{level}")
}

/// Longest way from a request to its result: while a context waits for it, its generation must not come round.
fn round_trip(layout: &Layout) -> usize {
    VISIT_STAGES + 2 + evaluator_latency(layout) + 2 * interval(layout)
}

/// Routes results to level controllers by their tag and drops those of an older generation. A node that is searched
/// further starts its context, and its first child goes straight back into the node builder, as forced replies do; the
/// other children are issued by visits. At most one request an interval: what goes straight back, else a visit's, else
/// the game's.
///
/// Ports: `aclk`, `aresetn`; the operation ports of `game_controller`; `levels` in use; `query_cell`, `query_occupied`;
/// `first`, `second`, `stones`, `last_cell` of the game; counters of the last search: `cycles`, `passes` (all), `stale`
/// (results dropped), `orders` (passes for order), `nodes` (one per ply from 1, lowest first), and clocks in which
/// nothing was issued because a pass for order (`waits_order`), a first child (`waits_first`), a free context
/// (`waits_context`) was waited for or a visit found no move (`misses`); with trace: `trace_node_valid`, `trace_node`
/// ({winners, fresh, result, tag}), `trace_return_valid`, `trace_return` (one per level, lowest first),
/// `trace_decision_valid`, `trace_decision`. Reset stops everything and empties the game.
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
        ]);
    }
    circuit.child("board", root_board(layout));
    circuit.child("game", game_controller(layout));
    circuit.child("builder", node_builder(layout));
    circuit.child("evaluate", evaluator(layout));
    circuit.child("store", move_store(layout));
    circuit.child("picker", move_picker(layout));
    for level in 1..=levels {
        circuit.child(&level_name(level), level_controller(layout, level));
    }

    let mut body = Body::new();
    let mut children: Vec<String> = ["board", "game", "builder", "evaluate"].map(String::from).to_vec();
    children.extend((1..=levels).map(level_name));
    for child in &children {
        body.drive(&format!("{child}$aclk"), "aclk");
        body.drive(&format!("{child}$aresetn"), "aresetn");
    }
    body.drive("store$aclk", "aclk");
    body.drive("picker$aclk", "aclk");
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
    for port in ["own", "other", "full", "one_empty", "empty_board"] {
        body.drive(&format!("evaluate${port}"), format!("builder${port}"));
    }
    let square = body.wire("square", layout.cell_bits, "game$square");
    let probed = cell_to_rank(&mut body, layout, &square);
    let probed = body.register("probe_rank", layout.cell_bits, probed);
    body.drive("evaluate$probe_rank", probed);

    results(&mut body, layout);
    let claims: Vec<String> = (0..=levels)
        .map(|level| {
            let below = level.max(1) - 1;
            format!(
                "evaluate$result_valid & is_node & ~depth_zero & {}",
                of_level(layout, "tag_level", below)
            )
        })
        .collect();
    visits(&mut body, layout, &claims);
    requests(&mut body, layout);
    store_writes(&mut body, layout);
    counters(&mut body, layout);
    if trace {
        traces(&mut body, layout);
    }
    circuit.set_body(body.finish());
    circuit
}

fn of_level(layout: &Layout, signal: &str, level: usize) -> String {
    format!("({signal} == {})", constant(layout.level_bits, level))
}

/// What each result brings: a value for its parent, a context that starts, moves in order, or nothing any more.
fn results(body: &mut Body, layout: &Layout) {
    let (levels, bits) = (layout.config.levels, layout.value_bits);
    let tag = |name: &str| layout.tag.of("evaluate$result_tag", name);
    let result = |name: &str| layout.result.of("evaluate$result", name);
    body.comment(
        "A result whose generation is no longer its context's belongs to a node that has been left: drop it.",
    );
    let tag_level = body.wire("tag_level", layout.level_bits, tag("level"));
    let tag_context = body.wire("tag_context", layout.context_bits, tag("context"));
    let tag_child = body.wire("tag_child", layout.context_bits, tag("child"));
    let mut generation = "game$generation".to_string();
    let mut rows = Vec::new();
    for level in 1..=levels {
        let name = level_name(level);
        let row = local(body, layout, level, &tag_context, &format!("tag_in_{level}"));
        body.drive(&format!("{name}$generation_row"), &row);
        generation = format!("{} ? {name}$generation : {generation}", of_level(layout, &tag_level, level));
        rows.push(row);
    }
    let generation = body.wire("generation", GENERATION_BITS, generation);
    let kind = body.wire("kind", 2, tag("kind"));
    let leaf_below: Vec<String> =
        (1..=levels).map(|level| format!("(levels == {})", constant(layout.level_bits, level))).collect();
    body.raw(format!(
        "
wire fresh = evaluate$result_valid & ({tag_generation} == {generation});
wire for_game = fresh & {at_root} & game$awaiting;
wire ordered = fresh & (({kind} == 2'd{order}) | ({kind} == 2'd{order_fours}));
wire is_node = ({kind} == 2'd{node_kind});
wire node = fresh & is_node & ~for_game;
wire forced = ({outcome} == {width}'d{forced});
wire open = ({outcome} == {width}'d{open});
wire depth_zero = {depth_zero};
// Rule 3 with an extension left: the reply goes straight back, one move longer, to the same context.
wire recirculate = node & forced & ({extensions} != {no_extensions}) & ~clear & ~game$stop_levels;
wire ends = node & ~recirculate & (depth_zero | ~(forced | open));
wire deeper = node & ~recirculate & ~depth_zero & (forced | open);
",
        tag_generation = tag("generation"),
        at_root = of_level(layout, &tag_level, 0),
        order = PassKind::Order as u8,
        order_fours = PassKind::OrderFours as u8,
        node_kind = PassKind::Node as u8,
        outcome = result("outcome"),
        width = OUTCOME_BITS,
        forced = Outcome::Forced as u8,
        open = Outcome::Open as u8,
        depth_zero = tag("depth_zero"),
        extensions = tag("extensions"),
        no_extensions = constant(layout.extension_bits, 0),
    ));
    let value = body.wire("value", bits, result("value"));
    let minus = |signal: &str| format!("(~{signal} + {bits}'d1)");
    let negate = body.wire("negate", 1, tag("negate"));
    let root = body.wire("tag_order", layout.tag.field("order").width, tag("order"));
    body.drive("level_1$window_order", &root);
    let infinity = layout.scoring.win_score as usize - 1;
    let mut bypasses = "1'b0".to_string();
    for level in 1..=levels {
        let name = level_name(level);
        let port = |port: &str| format!("{name}${port}");
        body.comment(&format!("Level {level}."));
        body.drive(&port("beam"), constant(layout.count_bits, layout.config.beam_at(level - 1)));
        body.drive(&port("leaf_children"), &leaf_below[level - 1]);
        body.drive(&port("clear"), "game$stop_levels");
        let row = &rows[level - 1];
        for read in ["window_row", "ordered_row"] {
            body.drive(&port(read), row);
        }
        body.drive(&port("ordered"), format!("ordered & {}", of_level(layout, &tag_level, level)));
        body.drive(&port("ordered_found"), result("found"));
        body.drive(&port("ordered_more"), result("more"));
        // Its start: a child of the level above that is searched further, or the root.
        let comes = body.wire(
            &format!("starts_{level}"),
            1,
            format!("deeper & {}", of_level(layout, &tag_level, level - 1)),
        );
        let start_row = if level == 1 {
            constant(1, 0)
        } else {
            local(body, layout, level, &tag_child, &format!("child_in_{level}"))
        };
        body.drive(&port("start_row"), &start_row);
        let from = if level == 1 { constant(1, 0) } else { rows[level - 2].clone() };
        body.drive(&port("start_parent"), &from);
        let room = if level < levels {
            format!("({} | {}$free_any)", leaf_below[level - 1], level_name(level + 1))
        } else {
            "1'b1".to_string()
        };
        let bypass =
            body.wire(&format!("bypass_{level}"), 1, format!("{comes} & {room} & ~game$stop_levels"));
        body.drive(&port("start_issued"), &bypass);
        bypasses = format!("{bypasses} | {bypass}");
        if level == 1 {
            body.drive(&port("start"), format!("game$start | {comes}"));
            body.drive(&port("start_negate"), format!("~game$start & {negate}"));
            body.drive(
                &port("start_alpha"),
                format!("~{} + {}", constant(bits, infinity), constant(bits, 1)),
            );
            body.drive(&port("start_beta"), constant(bits, infinity));
            body.drive(
                &port("start_more"),
                format!(
                    "game$start ? {} : {}",
                    layout.result.of("game$start_result", "more"),
                    result("more")
                ),
            );
            body.drive(&port("reserve_first"), "1'b0");
            body.drive(&port("reserve_first_parent"), constant(1, 0));
            body.drive(&port("release_a"), "1'b0");
            body.drive(&port("release_a_row"), constant(1, 0));
        } else {
            let above = level_name(level - 1);
            body.drive(&port("start"), &comes);
            body.drive(&port("start_negate"), &negate);
            let (alpha, beta) = (format!("{above}$window_alpha"), format!("{above}$window_beta"));
            body.drive(&port("start_alpha"), format!("{negate} ? {alpha} : {}", minus(&beta)));
            body.drive(&port("start_beta"), format!("{negate} ? {beta} : {}", minus(&alpha)));
            body.drive(&port("start_more"), result("more"));
            if level == 2 {
                body.drive(&port("start_order"), &root);
            }
            // The first child of a context that starts above claims a context here.
            body.drive(&port("reserve_first"), format!("bypass_{} & ~{}", level - 1, leaf_below[level - 2]));
            body.drive(&port("reserve_first_parent"), format!("{above}$start_row"));
            body.drive(
                &port("release_a"),
                format!("ends & ~depth_zero & {}", of_level(layout, &tag_level, level - 1)),
            );
            body.drive(&port("release_a_row"), &start_row);
            body.drive(&port("killed"), format!("{above}$kill"));
        }
        let ended = body.wire(
            &format!("ends_at_{level}"),
            1,
            format!("ends & {}", of_level(layout, &tag_level, level)),
        );
        let from_result = format!("({negate} ? {value} : {})", minus(&value));
        if level < levels {
            let next = level_name(level + 1);
            body.drive(&port("update"), format!("{ended} | {next}$done"));
            body.drive(&port("update_row"), format!("{ended} ? {row} : {next}$done_parent"));
            body.drive(&port("update_value"), format!("{ended} ? {from_result} : {next}$done_value"));
            body.drive(&format!("{next}$done_ready"), format!("~{ended}"));
        } else {
            body.drive(&port("update"), &ended);
            body.drive(&port("update_row"), row);
            body.drive(&port("update_value"), from_result);
        }
    }
    let of_child = if levels > 1 { "ends_at_1 ? tag_order : level_2$done_order" } else { "tag_order" };
    body.drive("level_1$update_order", of_child);
    body.drive("level_1$done_ready", "1'b1");
    body.comment("Level 0: the first level's node is the root itself, so its value keeps its sign.");
    body.drive("game$result_valid", "for_game");
    body.drive("game$result", "evaluate$result");
    body.drive("game$child_valid", format!("(ends & {}) | level_1$done", of_level(layout, &tag_level, 0)));
    body.drive(
        "game$child_value",
        format!("level_1$done ? level_1$done_value : ({negate} ? {} : {value})", minus(&value)),
    );
    let rank = body.wire(
        "decided_rank",
        layout.cell_bits,
        format!("level_1$done_order[{}:0]", layout.cell_bits - 1),
    );
    let cell = super::node_tag::rank_to_cell(body, layout, &rank);
    body.drive("game$child_move", cell);
    body.raw(format!("wire bypass = {bypasses};"));
}

/// What goes straight back into the node builder, and who else is let in.
fn requests(body: &mut Body, layout: &Layout) {
    let (levels, tag_bits) = (layout.config.levels, layout.tag.width());
    let tag = |name: &str| layout.tag.of("evaluate$result_tag", name);
    let result = |name: &str| layout.result.of("evaluate$result", name);
    body.comment(
        "Straight back: a forced reply to the same context, the first child of a context that starts.",
    );
    let (path, length) = (tag("path"), tag("length"));
    let path = body.wire("tag_path", layout.tag.field("path").width, path);
    let length = body.wire("tag_length", layout.length_bits, length);
    let cell = body.wire("result_cell", layout.cell_bits, result("cell"));
    let longer = extended_path(body, layout, &path, &length, &cell);
    let tag_potential = body.wire("tag_potential", layout.potential_bits, tag("potential"));
    let result_gain = body.wire("result_gain", layout.gain_bits, result("gain"));
    let (_, potential) = child_potential(body, layout, &tag_potential, &result_gain);
    let mut child = constant(layout.context_bits, 0);
    let mut leaf = "1'b0".to_string();
    let mut generation = constant(GENERATION_BITS, 0);
    for level in 1..=levels {
        let name = level_name(level);
        let here = format!("starts_{level}");
        generation = format!("{here} ? {name}$start_generation : {generation}");
        leaf = format!("{here} ? {name}$leaf_children : {leaf}");
        if level < levels {
            let first = global(layout, level + 1, &format!("{}$first_free", level_name(level + 1)));
            child = format!("({here} & ~{name}$leaf_children) ? {first} : {child}");
        }
    }
    let back_tag = layout.tag.pack(&[
        ("path", longer),
        ("length", format!("tag_length + {}", constant(layout.length_bits, 1))),
        ("potential", potential),
        (
            "extensions",
            format!(
                "{} - {}",
                tag("extensions"),
                format_args!("{{{}recirculate}}", zeros(layout.extension_bits))
            ),
        ),
        ("depth_zero", format!("recirculate ? depth_zero : ({leaf})")),
        ("negate", "recirculate & ~negate".into()),
        ("kind", format!("2'd{}", PassKind::Node as u8)),
        ("generation", format!("recirculate ? {} : ({generation})", tag("generation"))),
        ("level", format!("recirculate ? tag_level : tag_level + {}", constant(layout.level_bits, 1))),
        ("context", "recirculate ? tag_context : tag_child".into()),
        ("child", format!("recirculate ? tag_child : ({child})")),
        ("order", format!("recirculate ? tag_order : {}", constant(layout.tag.field("order").width, 0))),
    ]);
    body.raw(format!(
        "
reg back_valid;
reg [{tag_high}:0] back_tag;
wire slot;
wire sends_back = (recirculate | bypass) & ~clear & ~game$stop_levels;
always @(posedge aclk)
  if (!aresetn | clear | game$stop_levels) back_valid <= 1'b0;
  else if (sends_back) back_valid <= 1'b1;
  else if (slot) back_valid <= 1'b0;
always @(posedge aclk) if (sends_back) back_tag <= {back_tag};
",
        tag_high = tag_bits - 1,
    ));
    body.comment("One request an interval: straight back, else a visit's, else the game's.");
    let interval = interval(layout);
    if interval == 1 {
        body.raw("assign slot = 1'b1;");
    } else {
        let width = engine_model::scoring::bits_for(interval - 1);
        body.raw(format!(
            "
reg [{high}:0] slot_left;
assign slot = (slot_left == {zero});
always @(posedge aclk)
  if (!aresetn) slot_left <= {zero};
  else if (builder$valid) slot_left <= {last};
  else if (~slot) slot_left <= slot_left - {one};
",
            high = width - 1,
            zero = constant(width, 0),
            one = constant(width, 1),
            last = constant(width, interval - 1),
        ));
    }
    body.raw("wire request_ready = slot & ~back_valid;");
    body.drive("game$request_ready", "slot & ~back_valid & ~request");
    body.drive("builder$valid", "slot & (back_valid | request | game$request)");
    body.drive("builder$tag", "back_valid ? back_tag : request ? request_tag : game$request_tag");
}

fn zeros(bits: usize) -> String {
    if bits > 1 { format!("{}, ", constant(bits - 1, 0)) } else { String::new() }
}

/// What results leave in the memories.
fn store_writes(body: &mut Body, layout: &Layout) {
    let tag = |name: &str| layout.tag.of("evaluate$result_tag", name);
    let result = |name: &str| layout.result.of("evaluate$result", name);
    body.comment("A context that starts leaves its node; every pass leaves the first cells of its groups.");
    let from_result = node_fields(layout).pack(&[
        ("path", tag("path")),
        ("length", tag("length")),
        ("potential", tag("potential")),
        ("extensions", tag("extensions")),
        ("unbounded", format!("({} | forced)", result("one_empty"))),
    ]);
    let game_tag = |name: &str| layout.tag.of("game$start_tag", name);
    let game_result = |name: &str| layout.result.of("game$start_result", name);
    let from_game = node_fields(layout).pack(&[
        ("path", game_tag("path")),
        ("length", game_tag("length")),
        ("potential", game_tag("potential")),
        ("extensions", game_tag("extensions")),
        ("unbounded", format!("({} | game$start_single)", game_result("one_empty"))),
    ]);
    let zero = constant(layout.context_bits, 0);
    body.drive("store$start", "game$start | deeper");
    body.drive("store$start_context", format!("game$start ? {zero} : tag_child"));
    body.drive("store$start_node", format!("game$start ? {from_game} : {from_result}"));
    let winners = |name: &str| layout.tag.of("evaluate$winners_tag", name);
    let kind = body.wire("winners_kind", 2, winners("kind"));
    let (node, probe) = (PassKind::Node as u8, PassKind::Probe as u8);
    body.drive(
        "store$winners_write",
        format!(
            "evaluate$winners_valid & ({kind} != 2'd{probe}) & ~({kind} == 2'd{node} & {})",
            winners("depth_zero")
        ),
    );
    body.drive(
        "store$winners_context",
        format!("({kind} == 2'd{node}) ? {} : {}", winners("child"), winners("context")),
    );
    body.drive("store$winners", "evaluate$winners");
    let after = |name: &str| layout.tag.of("evaluate$after_tag", name);
    body.drive("store$after_context", after("context"));
    body.drive("evaluate$after", "store$after");
    if has_beam(layout) {
        let rank = body.wire("result_rank", layout.cell_bits, result("rank"));
        let last = format!("{{result_gain, {rank}}}");
        let mut beamed = "1'b0".to_string();
        let level = body.wire("after_level", layout.level_bits, after("level"));
        for number in (1..=layout.config.levels).filter(|&level| layout.config.beam_at(level - 1) > 0) {
            beamed = format!("{beamed} | {}", of_level(layout, &level, number));
        }
        body.drive("store$after_beamed", beamed);
        body.drive("store$last_write", "game$start | deeper | ordered");
        body.drive("store$last_context", format!("game$start ? {zero} : ordered ? tag_context : tag_child"));
        body.drive(
            "store$last",
            format!("game$start ? {{{}, {}}} : {last}", game_result("gain"), game_result("rank")),
        );
    }
    body.comment("The picker learns of every new set.");
    body.drive("picker$mark", "game$start | deeper | ordered");
    body.drive("picker$mark_context", format!("game$start ? {zero} : ordered ? tag_context : tag_child"));
    body.drive("picker$mark_issued", "~game$start & ~ordered & bypass");
    body.drive("picker$mark_group", format!("game$start ? {} : {}", game_result("group"), result("group")));
}

fn counters(body: &mut Body, layout: &Layout) {
    let tag = |name: &str| layout.tag.of("evaluate$result_tag", name);
    let levels: Vec<String> = (1..=layout.config.levels).map(level_name).collect();
    let any = |port: &str| levels.iter().map(|name| format!("{name}${port}")).collect::<Vec<_>>().join(" | ");
    body.raw(format!(
        "
wire idle_slot = slot & ~builder$valid & ~(request | back_valid);
wire by_miss = idle_slot & s3_missed;
wire by_context = idle_slot & ~s3_missed & ({waits_context});
wire by_order = idle_slot & ~s3_missed & ~({waits_context}) & ({waits_order});
wire by_first = idle_slot & ~s3_missed & ~({waits_context}) & ~({waits_order}) & ({waits_first});
wire is_order = builder$valid & ~back_valid & request & s4_order;
",
        waits_context = any("waits_context"),
        waits_order = any("waits_order"),
        waits_first = any("waits_first"),
    ));
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
    orders <= {zero};
    misses <= {zero};
    waits_context <= {zero};
    waits_order <= {zero};
    waits_first <= {zero};
  end else if (search_starts) begin
    cycles <= {cycle_one};
    passes <= builder$valid ? {one} : {zero};
    stale <= {zero};
    orders <= {zero};
    misses <= {zero};
    waits_context <= {zero};
    waits_order <= {zero};
    waits_first <= {zero};
  end else begin
    if (game$searching & is_order) orders <= orders + {one};
    if (game$searching & by_miss) misses <= misses + {one};
    if (game$searching & by_context) waits_context <= waits_context + {one};
    if (game$searching & by_order) waits_order <= waits_order + {one};
    if (game$searching & by_first) waits_first <= waits_first + {one};
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
}

fn traces(body: &mut Body, layout: &Layout) {
    let levels = layout.config.levels;
    body.comment("Traces.");
    let winners_delay = super::evaluator::latency(layout) - super::evaluator::winners_stage(layout);
    let winners = body.delay("winners_q", layout.winners_width(), "evaluate$winners", winners_delay);
    body.drive("trace_node_valid", "evaluate$result_valid");
    body.drive("trace_node", format!("{{{winners}, fresh, evaluate$result, evaluate$result_tag}}"));
    let node = node_fields(layout);
    let mut valid = Vec::new();
    let mut returned = Vec::new();
    for level in (1..=levels).rev() {
        let name = level_name(level);
        body.drive(
            &format!("store$trace_context_{level}"),
            global(layout, level, &format!("{name}$done_row")),
        );
        let of = |field: &str| node.of(&format!("store$trace_node_{level}"), field);
        valid.push(format!("{name}$done_new"));
        returned.push(layout.returned.pack(&[
            ("path", of("path")),
            ("length", of("length")),
            ("extensions", of("extensions")),
            ("value", format!("{name}$done_own_value")),
            ("bound", format!("{name}$done_bound")),
        ]));
    }
    body.drive("trace_return_valid", format!("{{{}}}", valid.join(", ")));
    body.drive("trace_return", format!("{{{}}}", returned.join(", ")));
    body.drive("trace_decision_valid", "game$decided");
    body.drive(
        "trace_decision",
        layout.decision.pack(&[("cell", "game$decided_cell".into()), ("score", "game$score".into())]),
    );
}
