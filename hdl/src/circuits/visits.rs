// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of a visit: a level's context is chosen, read, its window refreshed, its move picked, the pass issued.

use super::level_controller::row_bits;
use super::move_store::node_fields;
use super::node_tag::{child_potential, extended_path, rank_to_cell};
use super::search_core::level_name;
use crate::kit::{Body, constant, range, sign_extend};
use crate::layout::{GENERATION_BITS, Layout, PassKind};

/// Clocks from the choice of a context to the request: choice, read, window, move, tag.
pub const VISIT_STAGES: usize = 4;

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

/// Writes the five clocks of a visit into the body of the search core: `request` with `request_tag` at the end, which go
/// on when `request_ready` is set; everything waits with them.
pub fn visits(body: &mut Body, layout: &Layout, bypass_claims: &[String]) {
    let levels = layout.config.levels;
    let (bits, context, level_bits) = (layout.value_bits, layout.context_bits, layout.level_bits);
    let stop = "game$stop_levels";
    body.comment(
        "Visit, clock 0: the deepest level that has something due, else the deepest that may run ahead.",
    );
    body.raw(
        "wire s1_alive, s2_alive, s3_alive, s4_alive;\nwire go = ~s4_valid | ~s4_alive | request_ready;",
    );
    let is = |signal: &str, level: usize| format!("({signal} == {})", constant(level_bits, level));
    let mut found = "1'b0".to_string();
    let mut choices: Vec<(String, String, usize)> = Vec::new();
    for class in ["a", "b"] {
        for level in (1..=levels).rev() {
            let name = level_name(level);
            let chosen = body.wire(
                &format!("choose_{class}_{level}"),
                1,
                format!("{name}${class}_valid & ~({found})"),
            );
            found = body.wire("found_before", 1, format!("{found} | {name}${class}_valid"));
            choices.push((chosen, class.to_string(), level));
        }
    }
    body.raw(format!(
        "
reg s1_valid, s1_order, s2_valid, s2_order, s3_valid, s3_order, s4_valid, s4_order;
reg {level_range}s1_level, s2_level, s3_level, s4_level;
reg [{context_high}:0] s1_context, s2_context, s3_context, s4_context, s1_child, s2_child, s3_child, s4_child;
wire choose = go & ({found}) & ~{stop};
",
        level_range = range(level_bits),
        context_high = context - 1,
    ));
    let mut level_mux = constant(level_bits, 0);
    let mut context_mux = constant(context, 0);
    let mut child_mux = constant(context, 0);
    let mut order_mux = "1'b0".to_string();
    for (chosen, class, level) in &choices {
        let name = level_name(*level);
        level_mux = format!("{chosen} ? {} : {level_mux}", constant(level_bits, *level));
        context_mux =
            format!("{chosen} ? {} : {context_mux}", global(layout, *level, &format!("{name}${class}_row")));
        order_mux = format!("{chosen} ? {name}${class}_order : {order_mux}");
        if *level < levels {
            let below = level_name(level + 1);
            child_mux = format!(
                "{chosen} ? {} : {child_mux}",
                global(layout, level + 1, &format!("{below}$last_free"))
            );
        }
    }
    for (level, claim) in bypass_claims.iter().enumerate().skip(1) {
        let name = level_name(level);
        let a = format!("choose_a_{level}");
        let b = format!("choose_b_{level}");
        body.drive(&format!("{name}$take"), format!("choose & ({a} | {b})"));
        body.drive(&format!("{name}$take_row"), format!("{a} ? {name}$a_row : {name}$b_row"));
        body.drive(&format!("{name}$take_order"), format!("{a} ? {name}$a_order : {name}$b_order"));
        let leaves = format!("{name}$leaf_children");
        if level < levels {
            let below = level_name(level + 1);
            // The first child of a starting context takes the first free one in the same clock.
            body.drive(
                &format!("{name}$child_free"),
                format!("{below}$free_any & ({below}$free_many | ~({claim}))"),
            );
            body.drive(
                &format!("{below}$reserve_last"),
                format!("{name}$take & ~{name}$take_order & ~{leaves}"),
            );
            body.drive(&format!("{below}$reserve_last_parent"), format!("{name}$take_row"));
        } else {
            body.drive(&format!("{name}$child_free"), "1'b0");
        }
    }
    body.drive("level_1$reserve_last", "1'b0");
    body.drive("level_1$reserve_last_parent", constant(1, 0));
    body.raw(format!(
        "
always @(posedge aclk)
  if (!aresetn | {stop}) s1_valid <= 1'b0;
  else if (go) s1_valid <= choose;
  else if (~s1_alive) s1_valid <= 1'b0;
always @(posedge aclk)
  if (go) begin
    s1_level <= {level_mux};
    s1_context <= {context_mux};
    s1_child <= {child_mux};
    s1_order <= {order_mux};
  end
"
    ));

    body.comment("Clock 1: the context is read, and its parent's window as it is now.");
    body.drive("store$visit_enable", "go");
    body.drive("store$visit_context", "s1_context");
    let mut fours = "1'b0".to_string();
    let mut generation = constant(GENERATION_BITS, 0);
    let one = constant(bits, 1);
    for level in 1..=levels {
        let name = level_name(level);
        let here = is("s1_level", level);
        let row = local(body, layout, level, "s1_context", &format!("s1_in_{level}"));
        fours = format!("{here} ? {name}$visit_fours : {fours}");
        generation = format!("{here} ? {name}$visit_generation : {generation}");
        if level == 1 {
            body.drive(&format!("{name}$visit_row"), row);
            continue;
        }
        // A level that is not visited brings its contexts up to date one after the other.
        // Every search begins with the first, so that its clocks do not depend on when it begins.
        let (above, row_width, rows) =
            (level_name(level - 1), row_bits(layout, level), layout.contexts_at(level));
        body.raw(format!(
            "
reg {row_range}scan_{level}, refresh_row_{level};
reg [{value_high}:0] refresh_alpha_{level}, refresh_beta_{level};
reg refresh_{level};
wire visited_{level} = s1_valid & {here};
always @(posedge aclk)
  if (!aresetn | ~game$searching) scan_{level} <= {zero};
  else if (~visited_{level}) scan_{level} <= (scan_{level} == {last}) ? {zero} : scan_{level} + {next};
always @(posedge aclk) begin
  refresh_{level} <= {name}$visit_active;
  refresh_row_{level} <= {name}$visit_row;
  refresh_alpha_{level} <= {name}$visit_negate ? {above}$bounds_alpha : ~{above}$bounds_beta + {one};
  refresh_beta_{level} <= {name}$visit_negate ? {above}$bounds_beta : ~{above}$bounds_alpha + {one};
end
",
            row_range = range(row_width),
            value_high = bits - 1,
            zero = constant(row_width, 0),
            last = constant(row_width, rows - 1),
            next = constant(row_width, 1),
        ));
        body.drive(&format!("{name}$visit_row"), format!("visited_{level} ? {row} : scan_{level}"));
        body.drive(&format!("{above}$bounds_row"), format!("{name}$visit_parent"));
    }
    body.drive(&format!("{}$bounds_row", level_name(levels)), constant(row_bits(layout, levels), 0));
    let order = if levels > 1 { "level_2$visit_order" } else { "level_1$window_order" };
    body.drive("level_1$bounds_order", order);
    body.raw(format!(
        "
reg s2_fours;
reg [{gen_high}:0] s2_generation, s3_generation, s4_generation;
always @(posedge aclk)
  if (!aresetn | {stop}) s2_valid <= 1'b0;
  else if (go) s2_valid <= s1_valid & s1_alive;
  else if (~s2_alive) s2_valid <= 1'b0;
always @(posedge aclk)
  if (go) begin
    s2_level <= s1_level;
    s2_context <= s1_context;
    s2_child <= s1_child;
    s2_order <= s1_order;
    s2_fours <= {fours};
    s2_generation <= {generation};
  end
",
        gen_high = GENERATION_BITS - 1,
    ));

    body.comment("Clock 2: the window, and the largest gain that the exact upper bound drops.");
    let node = node_fields(layout);
    let mut own_alpha = constant(bits, 0);
    let mut own_beta = constant(bits, 0);
    let mut new_alpha = constant(bits, 0);
    let mut new_beta = constant(bits, 0);
    let mut leaves = "1'b0".to_string();
    let mut beamed = "1'b0".to_string();
    for level in 1..=levels {
        let name = level_name(level);
        let here = is("s2_level", level);
        let row = local(body, layout, level, "s2_context", &format!("s2_in_{level}"));
        body.drive(&format!("{name}$own_row"), &row);
        own_alpha = format!("{here} ? {name}$own_alpha : {own_alpha}");
        own_beta = format!("{here} ? {name}$own_beta : {own_beta}");
        leaves = format!("{here} ? {name}$leaf_children : {leaves}");
        if layout.config.beam_at(level - 1) > 0 {
            beamed = format!("{here} | {beamed}");
        }
        if level == 1 {
            body.drive(&format!("{name}$refresh"), "1'b0");
            for port in ["row", "alpha", "beta"] {
                let width = if port == "row" { 1 } else { bits };
                body.drive(&format!("{name}$refresh_{port}"), constant(width, 0));
            }
            continue;
        }
        new_alpha = format!("{here} ? refresh_alpha_{level} : {new_alpha}");
        new_beta = format!("{here} ? refresh_beta_{level} : {new_beta}");
        body.drive(&format!("{name}$refresh"), format!("refresh_{level}"));
        for port in ["row", "alpha", "beta"] {
            body.drive(&format!("{name}$refresh_{port}"), format!("refresh_{port}_{level}"));
        }
    }
    let potential =
        body.wire("s2_potential", layout.potential_bits, node.of("store$visit_node", "potential"));
    let wide = bits + 1;
    let potential = sign_extend(&potential, layout.potential_bits, wide - 1);
    let has_bound = if layout.config.has_bound() { "1'b1" } else { "1'b0" };
    let own_alpha = body.wire("s2_own_alpha", bits, own_alpha);
    let own_beta = body.wire("s2_own_beta", bits, own_beta);
    body.raw(format!(
        "
wire [{value_high}:0] s2_alpha = {new_alpha};
wire [{value_high}:0] s2_beta = {new_beta};
// While a visit waits its level's refresh has moved on: then it takes the window as it is.
wire s2_refreshes = s2_fresh & ~{at_root};
wire s2_higher = s2_refreshes & ($signed(s2_alpha) > $signed({own_alpha}));
wire s2_lower = s2_refreshes & ($signed(s2_beta) < $signed({own_beta}));
wire [{value_high}:0] s2_now_alpha = s2_higher ? s2_alpha : {own_alpha};
wire [{value_high}:0] s2_now_beta = s2_lower ? s2_beta : {own_beta};
reg s2_fresh;
always @(posedge aclk) s2_fresh <= go;
// 2 * gain <= alpha - 2 * potential, halved and rounded down.
wire [{bits}:0] s2_slack = {{s2_now_alpha[{value_high}], s2_now_alpha}} - {{{potential}, 1'b0}};
reg s3_closed, s3_beamed, s3_bounded, s3_limit_none, s3_limit_all, s3_fours;
reg [{gain_high}:0] s3_limit;
reg [{node_high}:0] s3_node, s4_node;
reg [{winners_high}:0] s3_winners;
always @(posedge aclk)
  if (!aresetn | {stop}) s3_valid <= 1'b0;
  else if (go) s3_valid <= s2_valid & s2_alive;
  else if (~s3_alive) s3_valid <= 1'b0;
always @(posedge aclk)
  if (go) begin
    s3_level <= s2_level;
    s3_context <= s2_context;
    s3_child <= s2_child;
    s3_order <= s2_order;
    s3_fours <= s2_fours;
    s3_generation <= s2_generation;
    s3_node <= store$visit_node;
    s3_winners <= store$visit_winners;
    s3_closed <= ($signed(s2_now_alpha) >= $signed(s2_now_beta));
    s3_beamed <= {beamed};
    s3_bounded <= {has_bound} & ({leaves}) & ~{unbounded};
    s3_limit <= s2_slack[{gain_bits}:1];
    s3_limit_none <= s2_slack[{bits}];
    s3_limit_all <= ~s2_slack[{bits}] & ({above_limit});
  end
",
        value_high = bits - 1,
        gain_high = layout.gain_bits - 1,
        gain_bits = layout.gain_bits,
        node_high = node.width() - 1,
        winners_high = layout.winners_width() - 1,
        at_root = is("s2_level", 1),
        unbounded = node.of("store$visit_node", "unbounded"),
        above_limit = if layout.gain_bits + 1 < bits {
            format!("|s2_slack[{}:{}]", bits - 1, layout.gain_bits + 1)
        } else {
            "1'b0".to_string()
        },
    ));

    body.comment("Clock 3: the move.");
    body.drive("picker$visit", "s3_valid & s3_alive & go & ~s3_order");
    body.drive("picker$visited", "s3_context");
    body.drive("picker$winners", "s3_winners");
    body.drive("picker$beamed", "s3_beamed");
    body.drive("picker$fours_only", "s3_fours");
    body.drive("picker$bounded", "s3_bounded");
    body.drive("picker$limit", "s3_limit");
    body.drive("picker$limit_none", "s3_limit_none");
    body.drive("picker$limit_all", "s3_limit_all");
    body.drive("picker$closed", "s3_closed");
    body.raw(format!(
        "
reg s4_fours;
reg [{gain_high}:0] s4_gain;
reg {cell_range}s4_rank;
wire s3_missed = s3_valid & s3_alive & go & ~s3_order & ~picker$picked;
always @(posedge aclk)
  if (!aresetn | {stop}) s4_valid <= 1'b0;
  else if (go) s4_valid <= s3_valid & s3_alive & (s3_order | picker$picked);
  else if (~s4_alive) s4_valid <= 1'b0;
always @(posedge aclk)
  if (go) begin
    s4_level <= s3_level;
    s4_context <= s3_context;
    s4_child <= s3_child;
    s4_order <= s3_order;
    s4_fours <= s3_fours;
    s4_generation <= s3_generation;
    s4_node <= s3_node;
    s4_gain <= picker$gain;
    s4_rank <= picker$rank;
  end
",
        gain_high = layout.gain_bits - 1,
        cell_range = range(layout.cell_bits),
    ));
    for level in 1..=levels {
        let name = level_name(level);
        let here = is("s3_level", level);
        let row = local(body, layout, level, "s3_context", &format!("s3_in_{level}"));
        body.drive(&format!("{name}$drained"), format!("s3_valid & go & ~s3_order & {here}"));
        body.drive(&format!("{name}$drained_row"), row);
        for (port, source) in [
            ("drained_issue", "picker$picked"),
            ("drained_closed", "s3_closed"),
            ("drained_left", "picker$left"),
            ("drained_need", "picker$need"),
            ("drained_fours", "picker$fours"),
        ] {
            body.drive(&format!("{name}${port}"), source);
        }
        if level < levels {
            let below = level_name(level + 1);
            let row = local(body, layout, level + 1, "s3_child", &format!("s3_child_in_{}", level + 1));
            body.drive(&format!("{below}$release_b"), format!("s3_missed & {here} & ~{name}$leaf_children"));
            body.drive(&format!("{below}$release_b_row"), row);
        }
    }
    body.drive("level_1$release_b", "1'b0");
    body.drive("level_1$release_b_row", constant(1, 0));

    body.comment("Clock 4: the request.");
    let cell = rank_to_cell(body, layout, "s4_rank");
    let of = |name: &str| node.of("s4_node", name);
    let path = body.wire("s4_path", node.field("path").width, of("path"));
    let length = body.wire("s4_length", layout.length_bits, of("length"));
    let potential = body.wire("s4_potential", layout.potential_bits, of("potential"));
    let child_path = extended_path(body, layout, &path, &length, &cell);
    let (_, negated) = child_potential(body, layout, &potential, "s4_gain");
    let mut leaf = "1'b0".to_string();
    for level in 1..=levels {
        leaf = format!("{} ? {}$leaf_children : {leaf}", is("s4_level", level), level_name(level));
    }
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
        ("order", "{s4_gain, s4_rank}".into()),
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
    body.comment("A visit ends where its context does.");
    for (stage, port) in [(1, "visit"), (2, "own"), (3, "drained"), (4, "issue")] {
        let mut alive = "1'b0".to_string();
        for level in 1..=levels {
            let name = level_name(level);
            let here = is(&format!("s{stage}_level"), level);
            alive = format!("{here} ? {name}${port}_active : {alive}");
        }
        body.raw(format!("assign s{stage}_alive = {alive};"));
    }
    for level in 1..=levels {
        let row = local(body, layout, level, "s4_context", &format!("s4_in_{level}"));
        body.drive(&format!("{}$issue_row", level_name(level)), row);
    }
    body.wire("request", 1, "s4_valid & s4_alive");
    body.wire("request_tag", layout.tag.width(), format!("s4_order ? {order_tag} : {child_tag}"));
}
