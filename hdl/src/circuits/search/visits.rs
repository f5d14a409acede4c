// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of a visit: a level's offer is taken, its context read, its window brought up to date, its move picked, the
//! request made.

use super::move_store::node_fields;
use super::node_tag::{child_potential, extended_path, rank_to_cell};
use super::request_queue;
use super::words::{level_name, of_level};
use crate::circuits::level::words::{LEFT_BITS, row_bits};
use crate::kit::{Body, concatenated, constant, range, sign_extend};
use crate::layout::{GENERATION_BITS, Layout, PassKind};
use engine_model::scoring::bits_for;

/// Clocks from the moment a context is ready to the request: offer, choice, read, window, move, tag.
pub const VISIT_STAGES: usize = 6;

/// Visits and requests under way at most: those of the stages, and a few that make up for visits without a move.
pub fn most_visits(layout: &Layout) -> usize {
    let stages = (VISIT_STAGES - 1).div_ceil(crate::circuits::evaluator::interval(layout));
    (stages + 3).min(request_queue::DEPTH)
}

/// Of those, as many as may be under way when one more runs ahead: nothing should have to wait behind it.
fn most_ahead(layout: &Layout) -> usize {
    6.min(most_visits(layout))
}

/// Number of a level's context among all.
pub fn global(layout: &Layout, level: usize, row: &str) -> String {
    let (bits, own) = (layout.context_bits, row_bits(layout, level));
    let base = constant(bits, layout.context_base(level));
    if own < bits { format!("({base} + {{{}'d0, {row}}})", bits - own) } else { format!("({base} + {row})") }
}

/// Number of a context within its level.
pub fn local(body: &mut Body, layout: &Layout, level: usize, context: &str, hint: &str) -> String {
    let (bits, own) = (layout.context_bits, row_bits(layout, level));
    let base = layout.context_base(level);
    let offset = body.wire(hint, bits, format!("{context} - {}", constant(bits, base)));
    if own < bits {
        body.wire(&format!("{hint}_row"), own, format!("{offset}[{}:0]", own - 1))
    } else {
        offset
    }
}

/// Bits of a context's number within any level.
pub fn widest_row(layout: &Layout) -> usize {
    (1..=layout.config.levels).map(|level| row_bits(layout, level)).max().expect("there is a level")
}

/// A row number of `widest_row` bits cut to a level's own.
pub fn row_of(layout: &Layout, level: usize, row: &str) -> String {
    let (own, widest) = (row_bits(layout, level), widest_row(layout));
    if own == widest { row.to_string() } else { format!("{row}[{}:0]", own - 1) }
}

/// A level's row number made `widest_row` bits wide.
pub fn wide_row(layout: &Layout, level: usize, row: &str) -> String {
    crate::kit::zero_extend(row, row_bits(layout, level), widest_row(layout))
}

/// What one of the levels, told by `signal`, shows.
fn of_levels(layout: &Layout, signal: &str, zero: String, f: impl Fn(usize) -> String) -> String {
    (1..=layout.config.levels)
        .fold(zero, |rest, level| format!("{} ? {} : {rest}", of_level(layout, signal, level), f(level)))
}

/// Writes the clocks of a visit into the body of the search core: `request` with `request_tag` at the end, which
/// `request_taken` takes away. Nothing waits in between: a visit begins when the queue has room for its request.
/// Reads `claims_N`: a first child may take a context of the level below level N in this clock.
pub fn visits(body: &mut Body, layout: &Layout) {
    let (context_bits, row_width) = (layout.context_bits, widest_row(layout));
    let room = bits_for(most_visits(layout));
    body.comment("Visits and requests under way.");
    body.raw(format!(
        "
reg [{high}:0] under_way;
reg s1_valid, s2_valid, s3_valid, s4_valid, s1_order, s2_order, s3_order, s4_order;
reg {level_range}s1_level, s2_level, s3_level, s4_level;
reg {row_range}s1_row, s2_row, s3_row, s4_row;
reg [{context_high}:0] s1_context, s2_context, s3_context, s4_context, s1_child, s2_child, s3_child, s4_child;
",
        high = room - 1,
        level_range = range(layout.level_bits),
        row_range = range(row_width),
        context_high = context_bits - 1,
    ));
    choice(body, layout);
    read(body, layout);
    window(body, layout);
    pick(body, layout);
    request(body, layout);
    let zero = constant(room, 0);
    body.raw(format!(
        "
always @(posedge aclk)
  if (!aresetn | stop) under_way <= {zero};
  else under_way <= under_way + {{{zeros}choose}} - {{{zeros}s1_valid & ~s1_alive}} - {{{zeros}s4_missed}} - {{{zeros}request_leaves}};
",
        zeros = if room > 1 { format!("{}, ", constant(room - 1, 0)) } else { String::new() },
    ));
}

/// Clock 0.
fn choice(body: &mut Body, layout: &Layout) {
    let levels = layout.config.levels;
    let room = bits_for(most_visits(layout));
    body.comment(
        "Visit, clock 0: the deepest level that has something due, else the deepest that may run ahead.",
    );
    let [offers, dues] = ["offer", "offer_due"]
        .map(|port| (1..=levels).map(|level| format!("{}${port}", level_name(level))).collect::<Vec<_>>());
    body.drive("choice$offer", concatenated(&offers));
    body.drive("choice$due", concatenated(&dues));
    if levels > 1 {
        let above = 1..levels;
        let needs: Vec<_> = above.clone().map(|l| format!("{}$offer_needs", level_name(l))).collect();
        let claims: Vec<_> = above.clone().map(|l| format!("claims_{l}")).collect();
        let [any, both] = ["free_any", "free_both"]
            .map(|port| above.clone().map(|l| format!("{}${port}", level_name(l + 1))).collect::<Vec<_>>());
        for (port, bits) in [("needs", needs), ("claimed", claims), ("free_any", any), ("free_both", both)] {
            body.drive(&format!("choice${port}"), concatenated(&bits));
        }
    }
    body.drive("choice$few", format!("(under_way < {})", constant(room, most_ahead(layout))));
    body.drive("choice$may", format!("(under_way < {}) & ~stop", constant(room, most_visits(layout))));
    body.raw("wire choose = |choice$take;");
    let context = layout.context_bits;
    let level_zero = constant(layout.level_bits, 0);
    let [mut level_mux, mut row_mux, mut context_mux, mut child_mux, mut order_mux] = [
        level_zero,
        constant(widest_row(layout), 0),
        constant(context, 0),
        constant(context, 0),
        "1'b0".to_string(),
    ];
    for level in 1..=levels {
        let name = level_name(level);
        let chosen = if levels == 1 { "choice$take".into() } else { format!("choice$take[{}]", level - 1) };
        let mux = |to: &mut String, value: String| *to = format!("{chosen} ? {value} : {to}");
        mux(&mut level_mux, constant(layout.level_bits, level));
        mux(&mut row_mux, wide_row(layout, level, &format!("{name}$offer_row")));
        mux(&mut context_mux, global(layout, level, &format!("{name}$offer_row")));
        mux(&mut order_mux, format!("{name}$offer_order"));
        body.drive(&format!("{name}$take"), &chosen);
        if level == levels {
            body.drive(&format!("{name}$child_any"), "1'b0");
            continue;
        }
        let below = level_name(level + 1);
        mux(&mut child_mux, global(layout, level + 1, &format!("{below}$second_free")));
        body.drive(&format!("{name}$child_any"), format!("{below}$free_any"));
        body.drive(&format!("{below}$reserve_second"), format!("{chosen} & {name}$offer_needs"));
        body.drive(&format!("{below}$reserve_second_parent"), format!("{name}$offer_row"));
    }
    body.raw(format!(
        "
always @(posedge aclk) s1_valid <= aresetn & choose;
always @(posedge aclk) begin
  s1_level <= {level_mux};
  s1_row <= {row_mux};
  s1_context <= {context_mux};
  s1_child <= {child_mux};
  s1_order <= {order_mux};
end
"
    ));
}

/// Clock 1.
fn read(body: &mut Body, layout: &Layout) {
    let levels = layout.config.levels;
    body.comment("Clock 1: the context is read, and its parent's window as it is now.");
    body.drive("store$visit_context", "s1_context");
    for level in 1..=levels {
        let name = level_name(level);
        if level == 1 {
            continue;
        }
        body.drive(&format!("{name}$searching"), "game$searching");
        // A context that starts below has the window's port first.
        let above = level_name(level - 1);
        let from = format!("{name}$start ? start_from_{level} : {name}$visit_parent");
        body.drive(&format!("{above}$window_row"), from);
        body.drive(&format!("{name}$above_changed"), format!("{above}$changed"));
        body.drive(&format!("{name}$above_changed_row"), format!("{above}$changed_row"));
        body.drive(&format!("{name}$above_valid"), format!("~{name}$start"));
        body.drive(&format!("{name}$above_alpha"), format!("{above}$window_alpha"));
        body.drive(&format!("{name}$above_limit"), format!("{above}$window_limit"));
        if level == 2 {
            body.drive("level_1$window_order", "level_2$start ? level_2$start_order : level_2$visit_order");
        }
    }
    let port = |port: &str, zero: String| {
        of_levels(layout, "s1_level", zero, |level| format!("{}${port}", level_name(level)))
    };
    body.comment(
        "A context that was freed as it was chosen has the next generation already: its visit ends here.",
    );
    let alive = port("visit_active", "1'b0".into());
    body.named_wire("s1_alive", 1, alive);
    body.raw(format!(
        "
reg s2_fours;
reg [{gen_high}:0] s2_generation, s3_generation, s4_generation;
always @(posedge aclk) s2_valid <= aresetn & s1_valid & s1_alive & ~stop;
always @(posedge aclk) begin
  s2_level <= s1_level;
  s2_row <= s1_row;
  s2_context <= s1_context;
  s2_child <= s1_child;
  s2_order <= s1_order;
  s2_fours <= {fours};
  s2_generation <= {generation};
end
",
        gen_high = GENERATION_BITS - 1,
        fours = port("visit_fours", "1'b0".into()),
        generation = port("visit_generation", constant(GENERATION_BITS, 0)),
    ));
}

/// Clock 2.
fn window(body: &mut Body, layout: &Layout) {
    body.comment("Clock 2: the window, and the largest gain that the exact upper bound drops.");
    let (bits, node) = (layout.value_bits, node_fields(layout));
    let name = |level| level_name(level);
    let port = |port: &str, zero: String| {
        of_levels(layout, "s2_level", zero, |level| format!("{}${port}", name(level)))
    };
    let alpha = body.wire("s2_alpha", bits, port("now_alpha", constant(bits, 0)));
    let beams: Vec<String> = (1..=layout.config.levels)
        .filter(|&level| layout.config.beam_at(level - 1) > 0)
        .map(|level| of_level(layout, "s2_level", level))
        .collect();
    let beamed = if beams.is_empty() { "1'b0".to_string() } else { beams.join(" | ") };
    let has_bound = if layout.config.has_bound() { "1'b1" } else { "1'b0" };
    let leaves = port("leaf_children", "1'b0".into());
    let potential =
        body.wire("s2_potential", layout.potential_bits, node.of("store$visit_node", "potential"));
    let potential = sign_extend(&potential, layout.potential_bits, bits);
    // 2 * gain <= alpha - 2 * potential, halved and rounded down.
    body.named_wire(
        "s2_slack",
        bits + 1,
        format!("{{{alpha}[{}], {alpha}}} - {{{potential}, 1'b0}}", bits - 1),
    );
    let bounded = format!("{has_bound} & ({leaves}) & ~{}", node.of("store$visit_node", "unbounded"));
    body.raw(format!(
        "
reg s3_closed, s3_fours;
reg [{node_high}:0] s3_node, s4_node;
",
        node_high = node.width() - 1,
    ));
    body.drive("picker$next_visited", "s2_context");
    body.drive("picker$winners", "store$visit_winners");
    body.drive("picker$beamed", &beamed);
    body.drive("picker$fours_only", "s2_fours");
    body.drive("picker$bounded", bounded);
    body.drive("picker$limit", format!("s2_slack[{}:1]", layout.gain_bits));
    body.drive("picker$limit_none", format!("s2_slack[{bits}]"));
    let above = if layout.gain_bits + 1 < bits {
        format!("|s2_slack[{}:{}]", bits - 1, layout.gain_bits + 1)
    } else {
        "1'b0".to_string()
    };
    body.drive("picker$limit_all", format!("~s2_slack[{bits}] & ({above})"));
    body.raw(format!(
        "
always @(posedge aclk) s3_valid <= aresetn & s2_valid & ~stop;
always @(posedge aclk) begin
  s3_level <= s2_level;
  s3_row <= s2_row;
  s3_context <= s2_context;
  s3_child <= s2_child;
  s3_order <= s2_order;
  s3_fours <= s2_fours;
  s3_generation <= s2_generation;
  s3_node <= store$visit_node;
  s3_closed <= {closed};
end
",
        closed = port("now_closed", "1'b0".into()),
    ));
}

/// Clock 3.
fn pick(body: &mut Body, layout: &Layout) {
    let levels = layout.config.levels;
    body.comment("Clock 3: the move. The level hears of it a clock later.");
    body.drive("picker$visit", "s3_valid & ~s3_order");
    body.drive("picker$closed", "s3_closed");
    body.raw(format!(
        "
reg s4_fours, s4_missed, s4_drained, s4_closed, s4_left, s4_need, s4_more_fours;
reg [{count_high}:0] s4_count;
wire s3_asks = s3_valid & (s3_order | picker$picked);
wire s3_missed = s3_valid & ~s3_order & ~picker$picked;
always @(posedge aclk) s4_valid <= aresetn & s3_asks & ~stop;
always @(posedge aclk) s4_missed <= aresetn & s3_missed & ~stop;
always @(posedge aclk) s4_drained <= aresetn & s3_valid & ~s3_order & ~stop;
always @(posedge aclk) begin
  s4_level <= s3_level;
  s4_row <= s3_row;
  s4_context <= s3_context;
  s4_child <= s3_child;
  s4_order <= s3_order;
  s4_generation <= s3_generation;
  s4_node <= s3_node;
  s4_fours <= s3_fours;
  s4_closed <= s3_closed;
  s4_left <= picker$left;
  s4_count <= picker$open - {one};
  s4_need <= picker$need;
  s4_more_fours <= picker$fours;
end
",
        count_high = LEFT_BITS - 1,
        one = constant(LEFT_BITS, 1),
    ));
    for level in 1..=levels {
        let name = level_name(level);
        let here = of_level(layout, "s4_level", level);
        body.drive(&format!("{name}$drained"), format!("s4_drained & {here}"));
        body.drive(&format!("{name}$drained_row"), row_of(layout, level, "s4_row"));
        let found =
            [("drained_issue", "~s4_missed"), ("drained_closed", "s4_closed"), ("drained_need", "s4_need")];
        let full_width =
            [("drained_left", "s4_left"), ("drained_fours", "s4_more_fours"), ("drained_count", "s4_count")];
        let beamed = layout.config.beam_at(level - 1) > 0;
        for (port, source) in found.iter().chain(full_width.iter().filter(|_| !beamed)) {
            body.drive(&format!("{name}${port}"), source);
        }
        if level < levels {
            let below = level_name(level + 1);
            let row = local(body, layout, level + 1, "s4_child", &format!("s4_child_in_{}", level + 1));
            // If the context has ended since, the child's is no longer its own.
            let mine = format!("s4_missed & {here} & ~{name}$leaf_children & {name}$drained_active");
            body.drive(&format!("{below}$release_b"), mine);
            body.drive(&format!("{below}$release_b_row"), row);
        }
    }
}

/// Clock 4, and the queue.
fn request(body: &mut Body, layout: &Layout) {
    let (levels, context) = (layout.config.levels, layout.context_bits);
    let node = node_fields(layout);
    body.comment("Clock 4: the request.");
    let cell = rank_to_cell(body, layout, "picker$rank");
    let of = |name: &str| node.of("s4_node", name);
    let path = body.wire("s4_path", node.field("path").width, of("path"));
    let length = body.wire("s4_length", layout.length_bits, of("length"));
    let potential = body.wire("s4_potential", layout.potential_bits, of("potential"));
    let child_path = extended_path(body, layout, &path, &length, &cell);
    let (_, negated) = child_potential(body, layout, &potential, "picker$gain");
    let leaf =
        of_levels(layout, "s4_level", "1'b0".into(), |level| format!("{}$leaf_children", level_name(level)));
    let leaf = body.wire("s4_leaf", 1, leaf);
    let no_order = constant(layout.tag.field("order").width, 0);
    let child_tag = layout.tag.pack(&[
        ("path", child_path),
        ("length", format!("{length} + {}", constant(layout.length_bits, 1))),
        ("potential", negated),
        ("extensions", of("extensions")),
        ("depth_zero", leaf.clone()),
        ("negate", "1'b0".into()),
        ("kind", format!("2'd{}", PassKind::Node as u8)),
        ("generation", "s4_generation".into()),
        ("level", "s4_level".into()),
        ("context", "s4_context".into()),
        ("child", format!("({leaf} ? {} : s4_child)", constant(context, 0))),
        ("order", "{picker$gain, picker$rank}".into()),
    ]);
    let order_kind = format!("(s4_fours ? 2'd{} : 2'd{})", PassKind::OrderFours as u8, PassKind::Order as u8);
    let order_tag = layout.tag.pack(&[
        ("path", path),
        ("length", length),
        ("potential", potential),
        ("extensions", of("extensions")),
        ("depth_zero", "1'b0".into()),
        ("negate", "1'b0".into()),
        ("kind", order_kind),
        ("generation", "s4_generation".into()),
        ("level", "s4_level".into()),
        ("context", "s4_context".into()),
        ("child", constant(context, 0)),
        ("order", no_order),
    ]);
    body.drive("queue$clear", "stop");
    body.drive("queue$push", "s4_valid");
    body.drive("queue$in_data", format!("{{s4_row, s4_order ? {order_tag} : {child_tag}}}"));
    body.comment("A request whose context has ended is dropped when its turn comes.");
    let tag_bits = layout.tag.width();
    let row = body.wire(
        "request_row",
        widest_row(layout),
        format!("queue$out_data[{}:{tag_bits}]", tag_bits + widest_row(layout) - 1),
    );
    body.named_wire("request_tag", tag_bits, format!("queue$out_data[{}:0]", tag_bits - 1));
    let level = body.wire("request_level", layout.level_bits, layout.tag.of("request_tag", "level"));
    for number in 1..=levels {
        let name = level_name(number);
        body.drive(&format!("{name}$issue_row"), row_of(layout, number, &row));
        body.drive(&format!("{name}$issue_generation"), layout.tag.of("request_tag", "generation"));
    }
    let alive =
        of_levels(layout, &level, "1'b0".into(), |level| format!("{}$issue_alive", level_name(level)));
    let is_order = layout.tag.of("request_tag", "kind");
    body.raw(format!(
        "
wire request_alive = {alive};
wire request = queue$out_valid & request_alive;
wire request_is_order = ({is_order} != 2'd{node_kind});
wire request_leaves = queue$out_valid & request_taken;
",
        node_kind = PassKind::Node as u8,
    ));
    body.drive("queue$pop", "request_leaves");
}
