// SPDX-License-Identifier: MIT OR Apache-2.0
//! The routing of results: a value for its parent, a context that starts, moves in order, or nothing any more.

use super::node_tag::rank_to_cell;
use super::visits::local;
use super::words::level_name;
use crate::circuits::level::words::Level;
use crate::kit::{Body, constant, one_hot};
use crate::layout::{GENERATION_BITS, Layout, OUTCOME_BITS, PassKind};
use engine_model::Outcome;

/// Writes the routing into the body of the search core. A clock before the result its tag tells level, contexts, and
/// whether its generation is still its context's and its context goes on. Values, starts and what is given back reach
/// the levels a clock after the result; only a first child takes its context at once.
pub(super) fn results(body: &mut Body, layout: &Layout) {
    arrivals(body, layout);
    let floored = floors(body, layout);
    kinds(body, layout, &floored);
    for level in 1..=layout.config.levels {
        body.comment(&format!("Level {level}."));
        starts(body, layout, level);
        values(body, layout, level);
    }
    to_the_game(body, layout);
    let bypasses: Vec<String> = (1..=layout.config.levels).map(|level| format!("bypass_{level}")).collect();
    body.raw(format!("wire bypass = {};", bypasses.join(" | ")));
}

/// The clock before the result.
fn arrivals(body: &mut Body, layout: &Layout) {
    let next = |name: &str| layout.tag.of("evaluate$next_tag", name);
    body.comment("A clock before the result: whose it is.");
    let level = body.wire("next_level", layout.level_bits, next("level"));
    let context = body.wire("next_context", layout.context_bits, next("context"));
    let child =
        (layout.config.levels > 1).then(|| body.wire("next_child", layout.context_bits, next("child")));
    let generation = body.wire("next_generation", GENERATION_BITS, next("generation"));
    // What its tag says of a node is known before its outcome is.
    let is_node = format!("({} == {})", next("kind"), constant(2, PassKind::Node as usize));
    body.named_register("searched", 1, format!("{is_node} & ~{}", next("depth_zero")));
    let no_extensions = constant(layout.extension_bits, 0);
    body.named_register("extendable", 1, format!("({} != {no_extensions})", next("extensions")));
    body.comment("What is left of a search that has decided is dropped at once.");
    body.raw("wire goes_on = game$searching & ~game$child_valid & ~game$stop_levels & ~stop;");
    for number in 0..=layout.config.levels {
        let here = format!("({level} == {})", constant(layout.level_bits, number));
        body.named_register(&format!("at_{number}"), 1, &here);
        if number + 1 < layout.config.levels {
            // A node that starts at the next level asks for its first child's context one below.
            let starts = format!("evaluate$next_valid & {here} & ~{} & {is_node}", next("depth_zero"));
            body.named_register(&format!("claims_{}", number + 1), 1, starts);
        }
        let current = if number == 0 {
            "game$generation".to_string()
        } else {
            let name = level_name(number);
            let row = local(body, layout, number, &context, &format!("next_in_{number}"));
            body.drive(&format!("{name}$generation_row"), &row);
            let width = crate::circuits::level::words::row_bits(layout, number);
            body.named_register(&format!("row_{number}"), width, row);
            if let Some(child) = child.as_ref().filter(|_| number > 1) {
                let row = local(body, layout, number, child, &format!("next_child_in_{number}"));
                body.named_register(&format!("child_{number}"), width, row);
            }
            format!("{name}$generation")
        };
        let mine = format!("evaluate$next_valid & {here} & ({generation} == {current})");
        if number == 0 {
            body.named_control_register("of_game", 1, format!("{mine} & game$awaiting"));
            body.named_control_register("hit_0", 1, format!("{mine} & goes_on"));
            continue;
        }
        // What returns is known late.
        let name = level_name(number);
        let stays = format!("{mine} & {name}$generation_stays & goes_on");
        let hitting = body.control_register(&format!("hitting_{number}"), 1, stays);
        let left = body.register(&format!("left_{number}"), 1, format!("{name}$generation_leaves"));
        body.named_wire(&format!("hit_{number}"), 1, format!("{hitting} & ~{left}"));
    }
}

/// The clock before the result: whether its node is left by its floor, as its parent's window is now. A window is at
/// worst wider than it will be.
fn floors(body: &mut Body, layout: &Layout) -> Vec<String> {
    let levels = (2..=layout.config.levels).filter(|&level| Level::new(layout, level).floors());
    let mut floored = Vec::new();
    for level in levels {
        body.comment(&format!("Level {level}: children that their floor ends."));
        let name = level_name(level);
        let (rows, width) =
            (layout.contexts_at(level), crate::circuits::level::words::row_bits(layout, level));
        let soon = layout.tag.of("evaluate$soon_tag", "context");
        let soon = body.wire("soon_context", layout.context_bits, soon);
        let row = local(body, layout, level, &soon, &format!("soon_in_{level}"));
        let at = body.register(&format!("floor_at_{level}"), rows, one_hot(&row, width, rows));
        body.drive(&format!("{name}$floor_at"), at);
        body.drive(&format!("{name}$floor_turned"), "~evaluate$next_floor");
        let next = |field: &str| layout.tag.of("evaluate$next_tag", field);
        // A node after a forced reply that cost no level may look from its parent's side.
        let meant = format!(
            "deepest_is_{} & ({} == {}) & ~{} & evaluate$next_floor_holds",
            level + 1,
            next("level"),
            constant(layout.level_bits, level),
            next("negate"),
        );
        floored.push(body.register(&format!("floored_{level}"), 1, format!("{meant} & ~{name}$floor_above")));
    }
    floored
}

/// What the result is.
fn kinds(body: &mut Body, layout: &Layout, floored: &[String]) {
    let tag = |name: &str| layout.tag.of("evaluate$result_tag", name);
    let result = |name: &str| layout.result.of("evaluate$result", name);
    body.comment(
        "A result whose generation is no longer its context's belongs to a node that has been left: drop it.",
    );
    body.named_wire("tag_level", layout.level_bits, tag("level"));
    body.named_wire("tag_context", layout.context_bits, tag("context"));
    body.named_wire("tag_child", layout.context_bits, tag("child"));
    let mut hits = "hit_0".to_string();
    for level in 1..=layout.config.levels {
        hits = format!("{hits} | hit_{level}");
    }
    let kind = body.wire("kind", 2, tag("kind"));
    body.raw(format!(
        "
wire fresh = of_game | {hits};
wire ordered = fresh & (({kind} == 2'd{order}) | ({kind} == 2'd{order_fours}));
wire is_node = ({kind} == 2'd{node_kind});
wire node = fresh & is_node & ~of_game;
wire forced = ({outcome} == {width}'d{forced});
wire open = ({outcome} == {width}'d{open});
wire depth_zero = {depth_zero};
// Rule 3 with an extension left: the reply goes straight back, one move longer, to the same context.
wire again = forced & extendable;
wire further = searched & (open | (forced & ~extendable)){floored};
wire recirculate = node & again & ~stop;
wire ends = node & ~again & ~further;
wire deeper = node & further;
",
        floored = floored.iter().map(|floored| format!(" & ~{floored}")).collect::<String>(),
        order = PassKind::Order as u8,
        order_fours = PassKind::OrderFours as u8,
        node_kind = PassKind::Node as u8,
        outcome = result("outcome"),
        width = OUTCOME_BITS,
        forced = Outcome::Forced as u8,
        open = Outcome::Open as u8,
        depth_zero = tag("depth_zero"),
    ));
    let bits = layout.value_bits;
    body.named_wire("negate", 1, tag("negate"));
    let order_bits = layout.tag.field("order").width;
    body.named_wire("tag_order", order_bits, tag("order"));
    body.named_register("ended_turned", bits, format!("negate ? {0} : ~{0}", result("value")));
    body.named_register("ended_negate", 1, "negate");
    body.named_register("ended_order", order_bits, "tag_order");
}

/// A level's start: a child of the level above that is searched further, or the root.
fn starts(body: &mut Body, layout: &Layout, level: usize) {
    let result = |name: &str| layout.result.of("evaluate$result", name);
    let levels = layout.config.levels;
    let name = level_name(level);
    let port = |port: &str| format!("{name}${port}");
    let deepest = body.register(
        &format!("deepest_is_{level}"),
        1,
        format!("(game$levels_now == {})", constant(layout.level_bits, level)),
    );
    body.drive(&port("leaf_children"), &deepest);
    body.drive(&port("clear"), "stop");
    if layout.config.beam_at(level - 1) > 0 {
        body.drive(&port("beam"), constant(layout.count_bits, layout.config.beam_at(level - 1)));
        body.drive(&port("ordered_more"), result("more"));
    }
    body.drive(&port("ordered"), format!("ordered & at_{level}"));
    body.drive(&port("ordered_row"), format!("row_{level}"));
    body.drive(&port("ordered_found"), result("found"));
    let unless_of_game = if level == 1 { " & ~of_game" } else { "" };
    let comes =
        body.wire(&format!("starts_{level}"), 1, format!("hit_{} & further{unless_of_game}", level - 1));
    let room = if level < levels {
        format!("({deepest} | {}$free_any)", level_name(level + 1))
    } else {
        "1'b1".to_string()
    };
    let bypass = body.wire(&format!("bypass_{level}"), 1, format!("{comes} & {room} & ~stop"));
    let issued = body.register(&format!("start_issued_{level}"), 1, &bypass);
    body.drive(&port("start_issued"), issued);
    if level == 1 {
        let starts = body.control_register("start_at_1", 1, format!("(game$start | {comes}) & ~stop"));
        body.drive(&port("start"), starts);
        body.drive(&port("start_row"), constant(1, 0));
        body.drive(&port("child_row"), constant(1, 0));
        let negate = body.register("start_negate", 1, "~game$start & negate");
        body.drive(&port("start_negate"), negate);
        let of_game = layout.result.of("game$start_result", "more");
        let more =
            body.register("start_more_at_1", 1, format!("game$start ? {of_game} : {}", result("more")));
        body.drive(&port("start_more"), more);
        return;
    }
    let above = level_name(level - 1);
    let starts = body.control_register(&format!("start_at_{level}"), 1, format!("{comes} & ~stop"));
    body.drive(&port("start"), starts);
    let width = crate::circuits::level::words::row_bits(layout, level);
    let row = body.register(&format!("start_row_{level}"), width, format!("child_{level}"));
    body.drive(&port("start_row"), row);
    let above_width = crate::circuits::level::words::row_bits(layout, level - 1);
    body.named_register(&format!("start_from_{level}"), above_width, format!("row_{}", level - 1));
    body.drive(&port("start_negate"), "ended_negate");
    let more = body.register(&format!("start_more_at_{level}"), 1, result("more"));
    body.drive(&port("start_more"), more);
    if level == 2 {
        body.drive(&port("start_order"), "ended_order");
    }
    body.drive(&port("child_row"), format!("child_{level}"));
    // The first child of a context that starts above claims a context here.
    let takes = format!("starts_{0} & {name}$free_any & ~deepest_is_{0} & ~stop", level - 1);
    body.drive(&port("reserve_first"), takes);
    let parent = if level == 2 { constant(1, 0) } else { format!("child_{}", level - 1) };
    body.drive(&port("reserve_first_parent"), parent);
    let gives_back = format!("ends & ~depth_zero & at_{}", level - 1);
    let gives_back = body.control_register(&format!("gives_back_{level}"), 1, gives_back);
    body.drive(&port("release_a"), gives_back);
    body.drive(&port("release_a_row"), format!("start_row_{level}"));
    body.drive(&port("killed"), format!("{above}$kill"));
}

/// A level's values: of a child's evaluation, else of a context below that returns.
fn values(body: &mut Body, layout: &Layout, level: usize) {
    let name = level_name(level);
    let port = |port: &str| format!("{name}${port}");
    let (width, rows) = (crate::circuits::level::words::row_bits(layout, level), layout.contexts_at(level));
    let ended = body.control_register(&format!("ended_at_{level}"), 1, format!("ends & at_{level}"));
    let at =
        body.register(&format!("ended_context_{level}"), rows, one_hot(&format!("row_{level}"), width, rows));
    let order = if level == layout.config.levels {
        body.drive(&port("update"), &ended);
        body.drive(&port("update_at"), at);
        body.drive(&port("update_turned"), "ended_turned");
        body.drive(&port("update_keep"), "ended_negate");
        "ended_order".to_string()
    } else {
        let next = level_name(level + 1);
        // A context that starts has the window's port.
        let ready = format!("~{ended} & ~{name}$start");
        body.drive(&format!("{next}$done_ready"), &ready);
        body.drive(&port("update"), format!("{ended} | ({next}$done & ~{name}$start)"));
        body.drive(&port("update_at"), format!("{ended} ? {at} : {next}$done_parent_at"));
        let turned = format!("({next}$done_keep ? {next}$done_value : ~{next}$done_value)");
        body.drive(&port("update_turned"), format!("{ended} ? ended_turned : {turned}"));
        body.drive(&port("update_keep"), format!("{ended} ? ended_negate : {next}$done_keep"));
        format!("{ended} ? ended_order : level_2$done_order")
    };
    if level == 1 {
        body.drive("level_1$update_order", order);
    }
}

fn to_the_game(body: &mut Body, layout: &Layout) {
    let bits = layout.value_bits;
    body.comment("Level 0: the first level's node is the root itself, so its value keeps its sign.");
    let ended = body.control_register("ended_at_0", 1, "ends & at_0");
    body.drive("level_1$done_ready", "1'b1");
    body.drive("game$result_valid", "of_game");
    body.drive("game$result", "evaluate$result");
    body.drive("game$child_valid", format!("({ended} & game$searching) | level_1$done"));
    body.raw(format!(
        "
wire [{high}:0] turned = level_1$done_keep ? level_1$done_value : ~level_1$done_value;
wire [{high}:0] returned = level_1$done ? turned : ~ended_turned;
wire returned_keeps = level_1$done ? level_1$done_keep : ~ended_negate;
",
        high = bits - 1,
    ));
    body.drive("game$child_value", format!("returned + {{{}, ~returned_keeps}}", constant(bits - 1, 0)));
    let rank = body.wire(
        "decided_rank",
        layout.cell_bits,
        format!("level_1$done_order[{}:0]", layout.cell_bits - 1),
    );
    let cell = rank_to_cell(body, layout, &rank);
    body.drive("game$child_move", cell);
}
