// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the results of the evaluator ask for and leave behind.

use super::move_store::{has_beam, node_fields};
use super::node_tag::{child_potential, extended_path};
use super::visits::global;
use super::words::{level_name, of_level};
use crate::circuits::evaluator::interval;
use crate::kit::{Body, constant};
use crate::layout::{GENERATION_BITS, Layout, PassKind};

/// What goes straight back into the node builder, and who else is let in.
pub(super) fn requests(body: &mut Body, layout: &Layout) {
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
wire sends_back = (recirculate | bypass) & ~stop;
always @(posedge aclk)
  if (!aresetn | stop) back_valid <= 1'b0;
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
    body.raw("wire request_taken = slot & ~back_valid;");
    body.drive("game$request_ready", "slot & ~back_valid & ~queue$out_valid");
    body.drive("builder$valid", "slot & (back_valid | request | (game$request & ~queue$out_valid))");
    body.drive("builder$tag", "back_valid ? back_tag : queue$out_valid ? request_tag : game$request_tag");
}

fn zeros(bits: usize) -> String {
    if bits > 1 { format!("{}, ", constant(bits - 1, 0)) } else { String::new() }
}

/// What results leave in the memories.
pub(super) fn store_writes(body: &mut Body, layout: &Layout) {
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
    body.comment("The picker learns of every new set, a clock later.");
    let context = format!("game$start ? {zero} : ordered ? tag_context : tag_child");
    let group = format!("game$start ? {} : {}", game_result("group"), result("group"));
    for (port, width, source) in [
        ("mark", 1, "game$start | deeper | ordered".to_string()),
        ("mark_context", layout.context_bits, context),
        ("mark_issued", 1, "~game$start & ~ordered & bypass".to_string()),
        ("mark_group", layout.group_bits, group),
    ] {
        let marked = body.register(&format!("set_{port}"), width, source);
        body.drive(&format!("picker${port}"), marked);
    }
}
