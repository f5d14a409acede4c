// SPDX-License-Identifier: MIT OR Apache-2.0
//! The windows of a level's contexts: children's values against them, and how they follow the ancestors'.

use super::words::Level;
use crate::kit::{Body, constant, range};
use crate::layout::Layout;

/// Order of two root moves given as {gain, rank}: whether `a` precedes `b`.
fn earlier(layout: &Layout, a: &str, b: &str) -> String {
    let (low, high) = (layout.cell_bits, layout.gain_bits + layout.cell_bits - 1);
    let key = |name: &str| format!("{{{name}[{high}:{low}], ~{name}[{}:0]}}", low - 1);
    format!("({} > {})", key(a), key(b))
}

/// What a child's value is compared with; at the root, where ties count, also with alpha - 1.
pub(super) fn bounds(of: &Level) -> &'static [&'static str] {
    if of.root { &["alpha", "limit", "alpha_less"] } else { &["alpha", "limit"] }
}

/// One window is written a clock: that of the context that starts, else that a child's value raises, else the one that
/// is brought up to date, unless its context was updated since it was read. A change is told to the level below, whose
/// contexts of that parent take their turn. Writes `better`, `reaches` (the value cuts),
/// `new_alpha`, `new_limit`, `follows` (row `seen_row` takes `up_alpha`, `up_limit` where they are narrower).
pub(super) fn windows(body: &mut Body, of: &Level) {
    let bits = of.layout.value_bits;
    body.comment("A child's value against the window of its parent; -v is ~v + 1.");
    for &bound in bounds(of) {
        let mut registers = of.names(bound);
        registers.reverse();
        let registers = if bound == "alpha_less" { bound.to_string() } else { registers.join(", ") };
        if of.rows > 1 {
            body.drive(&format!("exceeds_{bound}$at"), "update_at");
        }
        body.drive(&format!("exceeds_{bound}$bounds"), format!("{{{registers}}}"));
        body.drive(&format!("exceeds_{bound}$turned"), "update_turned");
        body.drive(&format!("exceeds_{bound}$keep"), "update_keep");
    }
    if of.floors() {
        let mut alphas = of.names("alpha");
        alphas.reverse();
        if of.rows > 1 {
            body.drive("exceeds_floor$at", "floor_at");
        }
        body.drive("exceeds_floor$bounds", format!("{{{}}}", alphas.join(", ")));
        body.drive("exceeds_floor$turned", "floor_turned");
        body.drive("exceeds_floor$keep", "1'b0");
        body.drive("floor_above", "exceeds_floor$above");
    }
    body.raw(format!(
        "
wire [{high}:0] child_value = update_turned + {{{zeros}, ~update_keep}};
wire reaches = exceeds_limit$above;
",
        high = bits - 1,
        zeros = constant(bits - 1, 0),
    ));
    if of.root {
        let before = earlier(of.layout, "update_order", "best_order");
        body.raw(format!(
            "
// Not below alpha is above alpha - 1.
reg [{high}:0] alpha_less;
wire better = exceeds_alpha$above | (raised_0 & exceeds_alpha_less$above & {before});
wire updates_better = update & active_0 & better;
wire [{high}:0] child_less = update_turned - {{{zeros}, update_keep}};
always @(posedge aclk)
  if (start) alpha_less <= ~{below} - {one};
  else if (updates_better) alpha_less <= child_less;
",
            high = bits - 1,
            zeros = constant(bits - 1, 0),
            one = constant(bits, 1),
            below = constant(bits, of.layout.scoring.win_score as usize - 2),
        ));
    } else {
        body.raw("wire better = exceeds_alpha$above;");
    }
    following(body, of);
    if !of.last {
        for_children(body, of);
    }
}

fn following(body: &mut Body, of: &Level) {
    let (bits, index) = (of.layout.value_bits, of.index);
    if of.root {
        let infinity = of.layout.scoring.win_score as usize - 1;
        body.raw(format!(
            "
wire [{high}:0] new_alpha = start ? ~{below} : child_value;
wire [{high}:0] new_limit = {below};
// A move the bound leaves no more than a tie may be the earlier one.
always @(posedge aclk) now_alpha <= alpha_less;
always @(*) now_closed = cut_0;
",
            high = bits - 1,
            below = constant(bits, infinity - 1),
        ));
        return;
    }
    body.comment("Contexts whose parent's window has changed are brought up to date while none is visited.");
    body.raw(format!(
        "
reg {row_range}scan_row, turn_row, seen_row, updated_row;
reg scan, turn, seen, seen_active, seen_raised, updated, follows_up, up_higher, up_lower;
reg [{high}:0] own_alpha, up_alpha, own_limit, up_limit;
wire {row_range}update_row = {update_row};
always @(posedge aclk) turn_row <= take ? offer_row : scan_row;
",
        row_range = range(index),
        high = bits - 1,
        update_row = number(of, "update_at"),
    ));
    body.comment("Its parent and its place are read a clock ahead, and stay if it is active.");
    let scanned = of.read(body, "scanned", 1, "scan_row", "active");
    body.raw(format!("always @(posedge aclk) turn <= aresetn & (take | (scan & {scanned}));"));
    let mut ahead = |output: &str, width: usize, register: &str| {
        let [taken, scanned] = ["offer_row", "scan_row"]
            .map(|row| of.read(body, &format!("{row}_{register}"), width, row, register));
        body.drive_register(output, format!("take ? {taken} : {scanned}"));
    };
    ahead("visit_parent", of.above_bits, "parent");
    if of.second {
        ahead("visit_order", of.order_bits(), "order");
    }
    let behind: Vec<String> = (0..of.rows)
        .map(|r| {
            let [scanned, turned, seen] = ["scan_row", "turn_row", "seen_row"].map(|row| of.at(row, r));
            body.raw(format!("reg behind_{r};"));
            format!("(behind_{r} & active_{r} & ~(scan & {scanned}) & ~(turn & {turned}) & ~(seen & {seen}))")
        })
        .collect();
    let (any, next) = body.first_set("next_behind", index, &behind);
    body.raw(format!(
        "
always @(posedge aclk)
  if (!aresetn | clear) scan <= 1'b0;
  else if (~(take & scan)) scan <= {any};
always @(posedge aclk) if (~(take & scan)) scan_row <= {next};
",
    ));
    let mut read = |register: &str, width: usize| {
        of.read(body, &format!("seen_{register}"), width, "turn_row", register)
    };
    let (alpha, limit) = (read("alpha", bits), read("limit", bits));
    let [active, raised, negate] = ["active", "raised", "negate"].map(|register| read(register, 1));
    body.comment("A window in flight is at worst wider than it could be.");
    body.raw(format!(
        "
wire same_side = start ? start_negate : {negate};
wire [{high}:0] from_alpha = same_side ? above_alpha : ~above_limit;
wire [{high}:0] from_limit = same_side ? above_limit : ~above_alpha;
always @(posedge aclk) begin
  seen <= turn;
  seen_row <= turn_row;
  seen_active <= {active};
  seen_raised <= {raised};
  own_alpha <= {alpha};
  own_limit <= {limit};
  up_alpha <= from_alpha;
  up_limit <= from_limit;
  follows_up <= above_valid;
  up_higher <= above_valid & ($signed(from_alpha) > $signed({alpha}));
  up_lower <= above_valid & ($signed(from_limit) < $signed({limit}));
  updated <= update;
  updated_row <= update_row;
end
wire [{high}:0] now_limit = up_lower ? up_limit : own_limit;
wire cuts = seen_raised & ~up_higher & ($signed(own_alpha) > $signed(up_limit));
// Another window is written in this clock, or this one was since it was read.
wire missed_turn = ~follows_up | start | update | (updated & (updated_row == seen_row));
wire follows = seen & seen_active & ~missed_turn;
always @(*) now_alpha = up_higher ? up_alpha : own_alpha;
always @(*) now_closed = ($signed(now_alpha) > $signed(now_limit));
wire [{high}:0] new_alpha = start ? from_alpha : update ? child_value : up_alpha;
wire [{high}:0] new_limit = start ? from_limit : up_limit;
",
        high = bits - 1,
    ));
    for r in 0..of.rows {
        body.raw(format!(
            "
always @(posedge aclk)
  if (above_changed & {changed_here}) behind_{r} <= 1'b1;
  else if ((start & {start_here}) | (seen & ~missed_turn & {seen_here})) behind_{r} <= 1'b0;
",
            changed_here = format_args!("(parent_{r} == above_changed_row)"),
            start_here = of.at("start_row", r),
            seen_here = of.at("seen_row", r),
        ));
    }
}

/// Number of the context whose bit alone is set in `set`.
fn number(of: &Level, set: &str) -> String {
    let bits: Vec<String> = (0..of.index)
        .rev()
        .map(|bit| {
            let rows = (0..of.rows).filter(|r| r >> bit & 1 == 1).map(|r| of.bit(set, r));
            let rows: Vec<String> = rows.collect();
            if rows.is_empty() { "1'b0".to_string() } else { format!("({})", rows.join(" | ")) }
        })
        .collect();
    format!("{{{}}}", bits.join(", "))
}

/// What children see of a context. The root's is a clock behind, a move earlier than the best so far may tie there: its
/// window is one wider.
fn for_children(body: &mut Body, of: &Level) {
    let bits = of.layout.value_bits;
    if !of.root {
        body.raw(
            "
always @(posedge aclk) begin
  changed <= (update & better) | (follows & (up_higher | up_lower));
  changed_row <= update ? update_row : seen_row;
end
",
        );
        for register in ["alpha", "limit"] {
            let value = of.read(body, &format!("window_{register}"), bits, "window_row", register);
            body.drive(&format!("window_{register}"), value);
        }
        return;
    }
    let before = earlier(of.layout, "window_order", "best_order_shown");
    body.raw(format!(
        "
reg [{high}:0] alpha_shown, less_shown;
reg [{order_high}:0] best_order_shown;
reg raised_shown, changes;
always @(posedge aclk) begin
  changes <= update & better;
  changed <= changes;
  changed_row <= 1'd0;
  alpha_shown <= alpha_0;
  less_shown <= alpha_less;
  best_order_shown <= best_order;
  raised_shown <= raised_0;
end
",
        high = bits - 1,
        order_high = of.order_bits() - 1,
    ));
    body.drive("window_alpha", format!("(raised_shown & {before}) ? less_shown : alpha_shown"));
    body.drive("window_limit", "limit_0");
}
