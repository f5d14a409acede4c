// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the move that a visited context issues next, among the first cells of its groups.

use crate::circuits::level::words::LEFT_BITS;
use crate::kit::{Body, Circuit, constant};
use crate::layout::Layout;

/// Classes of gains: a visit takes a move of the highest class that has one.
const CLASSES: usize = 8;

/// So many groups' needs for another pass become one bit in the first clock, a table of six inputs each.
const NEED_PART: usize = 6;

/// Low bits of a gain that its class leaves out.
fn class_shift(layout: &Layout) -> usize {
    layout.gain_bits.saturating_sub(CLASSES.ilog2() as usize + 4)
}

/// As many classes as there are gains, if these are few.
fn classes(layout: &Layout) -> usize {
    CLASSES.min(1 << (layout.gain_bits - class_shift(layout)))
}

/// Class of a gain in points: its upper bits, the top class open at its end.
pub fn gain_class(layout: &Layout, gain: i32) -> usize {
    (gain as usize >> class_shift(layout)).min(classes(layout) - 1)
}

/// Picks a move of the highest gain class among those that have not been issued and that the exact upper bound does not
/// drop; in a beam the first in static order, whatever the bound says of it. Classes stand for a full order: four
/// comparisons in a row shorter.
///
/// Ports: `aclk`; `mark` of `mark_context`: a new set of first cells has come, the first of all in `mark_group`,
/// which `mark_issued` says is on its way already. Of a visit, in its first clock: its context `next_visited`,
/// `winners` (packed as [`Layout::winner`]), `beamed`, `fours_only`, `bounded` (the bound may be used), `limit` with
/// `limit_none`, `limit_all` (gains up to it are dropped). In its second: `visit` (it counts), `closed` (its window
/// is empty) in; in the same clock `picked`; `left`: moves remain, `open`: how many stood open, saturating; `need`:
/// once none remain another pass for order is needed, `fours`: only for moves that make a four. In the third `gain`
/// and `rank` of the move. What is issued is remembered at the end of the second clock. Initiation interval 1. No
/// reset: a context is marked before it is visited.
pub fn move_picker(layout: &Layout) -> Circuit {
    let (groups, bits, gain_bits) = (layout.groups, layout.context_bits, layout.gain_bits);
    let width = layout.winner.width();
    let mut circuit = Circuit::new(
        "move_picker",
        "Next move of a visited context: not yet issued, not dropped by the exact upper bound, high gains first.\n\
         Three clocks, initiation interval 1; no reset (a context is marked before it is visited).",
    );
    circuit.clocked(false);
    circuit.inputs(&[
        ("mark", 1),
        ("mark_context", bits),
        ("mark_issued", 1),
        ("mark_group", layout.group_bits),
        ("winners", groups * width),
        ("beamed", 1),
        ("fours_only", 1),
        ("bounded", 1),
        ("limit", gain_bits),
        ("limit_none", 1),
        ("limit_all", 1),
        ("next_visited", bits),
        ("visit", 1),
        ("closed", 1),
    ]);
    circuit.outputs(&[
        ("picked", 1),
        ("left", 1),
        ("open", LEFT_BITS),
        ("need", 1),
        ("fours", 1),
        ("gain", gain_bits),
        ("rank", layout.cell_bits),
    ]);
    let mut body = Body::new();
    judge(&mut body, layout);
    remember(&mut body, layout);
    choose(&mut body, layout);
    circuit.set_body(body.finish());
    circuit
}

fn all(layout: &Layout, name: &str) -> Vec<String> {
    (0..layout.groups).map(|group| format!("{name}_{group}")).collect()
}

/// First clock: what the bound and the classes say of every group's first cell.
fn judge(body: &mut Body, layout: &Layout) {
    let (groups, gain_bits, width) = (layout.groups, layout.gain_bits, layout.winner.width());
    let shift = class_shift(layout);
    body.comment("First clock: what the bound and the classes say of every group's first cell.");
    for group in 0..groups {
        let entry = body.wire(
            &format!("entry_{group}"),
            width,
            format!("winners[{}:{}]", (group + 1) * width - 1, group * width),
        );
        let of = |name: &str| layout.winner.of(&entry, name);
        let gain = layout.winner.field("gain").offset;
        let high = format!("{entry}[{}:{}]", gain + gain_bits - 1, gain + shift);
        let class = |class: usize| {
            if class + 1 == classes(layout) {
                format!("({high} >= {})", constant(gain_bits - shift, class))
            } else {
                format!("({high} == {})", constant(gain_bits - shift, class))
            }
        };
        let bits_of_class: Vec<String> = (0..classes(layout)).rev().map(class).collect();
        body.raw(format!(
            "
wire low_{group} = bounded & ~limit_none & (limit_all | ({gain} <= limit));
wire need_{group} = {found} & {more} & (fours_only | ~low_{group});
wire four_{group} = {found} & {more_four};
reg stays_{group}, dropped_{group}, makes_four_{group};
reg [{top_class}:0] class_{group};
reg [{key_high}:0] key_{group}, key_{group}_q;
always @(posedge aclk) begin
  stays_{group} <= {found} & ({four} | ~low_{group});
  dropped_{group} <= low_{group} & ~{four};
  makes_four_{group} <= {found} & {four};
  class_{group} <= {{{classes}}};
  key_{group} <= {{{gain}, {rank}}};
  key_{group}_q <= key_{group};
end
",
            gain = of("gain"),
            rank = of("rank"),
            found = of("found"),
            four = of("four"),
            more = of("more"),
            more_four = of("more_four"),
            top_class = classes(layout) - 1,
            key_high = gain_bits + layout.cell_bits - 1,
            classes = bits_of_class.join(", "),
        ));
    }
    body.comment("The bound comes late: who needs another pass is gathered in parts.");
    let parts: Vec<String> = all(layout, "need")
        .chunks(NEED_PART)
        .map(|part| body.register("need_part", 1, part.join(" | ")))
        .collect();
    body.raw(format!(
        "
reg beamed_q, fours_only_q, need_fours;
wire need_any = {any};
always @(posedge aclk) begin
  beamed_q <= beamed;
  fours_only_q <= fours_only;
  need_fours <= {fours};
end
",
        any = parts.join(" | "),
        fours = all(layout, "four").join(" | "),
    ));
}

/// Which groups' first cells have been issued, per context: read in the first clock, unless the visit ahead is of the
/// same context and says so itself.
fn remember(body: &mut Body, layout: &Layout) {
    let (groups, contexts) = (layout.groups, layout.contexts());
    body.comment("What has been issued. A new set is known by a bit of its own until its first visit.");
    body.raw(format!("reg {}visited;", crate::kit::range(layout.context_bits)));
    let at = |port: &str, context: usize| format!("({port} == {})", constant(layout.context_bits, context));
    for context in 0..contexts {
        body.raw(format!(
            "
reg unvisited_{context}, first_issued_{context};
always @(posedge aclk)
  if (mark & {marked}) begin
    unvisited_{context} <= 1'b1;
    first_issued_{context} <= mark_issued;
  end else if (visit & picked & {visited}) unvisited_{context} <= 1'b0;
",
            marked = at("mark_context", context),
            visited = at("visited", context),
        ));
    }
    let of = |name: &str| (0..contexts).map(|context| format!("{name}_{context}")).collect::<Vec<_>>();
    let unvisited = body.select("is_unvisited", 1, "next_visited", layout.context_bits, &of("unvisited"));
    let was_issued = body.select("was_issued", 1, "next_visited", layout.context_bits, &of("first_issued"));
    body.raw(format!(
        "
reg [{group_high}:0] issued [0:{deepest}];
reg {group_range}first_group [0:{deepest}];
reg [{group_high}:0] so_far;
reg {group_range}first;
wire {group_range}group;
wire {group_range}next_first = first_group[next_visited];
wire [{group_high}:0] now_issued = so_far | ({one_group} << group);
wire [{group_high}:0] kept = {unvisited} ? ({{{group_high}'d0, {was_issued}}} << next_first) : issued[next_visited];
always @(posedge aclk) begin
  visited <= next_visited;
  first <= next_first;
  so_far <= (visit & picked & (visited == next_visited)) ? now_issued : kept;
end
always @(posedge aclk) if (visit & picked) issued[visited] <= now_issued;
always @(posedge aclk) if (mark) first_group[mark_context] <= mark_group;
",
        group_high = groups - 1,
        deepest = contexts.next_power_of_two() - 1,
        group_range = crate::kit::range(layout.group_bits),
        one_group = constant(groups, 1),
    ));
}

/// Second clock: the move.
fn choose(body: &mut Body, layout: &Layout) {
    let groups = layout.groups;
    body.comment("Second clock: the first group of the highest class that has one.");
    let open: Vec<String> = (0..groups)
        .map(|g| body.wire(&format!("open_{g}"), 1, format!("stays_{g} & ~so_far[{g}]")))
        .collect();
    let mut chosen: Vec<(String, String)> = (0..classes(layout))
        .map(|class| {
            let members: Vec<String> =
                (0..groups).map(|group| format!("(open_{group} & class_{group}[{class}])")).collect();
            body.first_set(&format!("first_of_class_{class}"), layout.group_bits, &members)
        })
        .collect();
    while chosen.len() > 1 {
        chosen = chosen
            .chunks(2)
            .map(|pair| match pair {
                [(low_any, low), (high_any, high)] => (
                    body.wire("any_open", 1, format!("{low_any} | {high_any}")),
                    body.wire("chosen", layout.group_bits, format!("{high_any} ? {high} : {low}")),
                ),
                _ => pair[0].clone(),
            })
            .collect();
    }
    let (any_open, chosen) = chosen.swap_remove(0);
    let drops = body.select("first_drops", 1, "first", layout.group_bits, &all(layout, "dropped"));
    let left = two_set(body, &open);
    let most = (1 << LEFT_BITS) - 1;
    let planes = body.count("opens", 1, &open);
    let high = planes.get(LEFT_BITS..).unwrap_or(&[]).join(" | ");
    let low: Vec<String> = planes.iter().take(LEFT_BITS).rev().cloned().collect();
    let counted = format!("{{{}{}}}", "1'b0, ".repeat(LEFT_BITS - low.len()), low.join(", "));
    let counted = if high.is_empty() {
        counted
    } else {
        format!("({high}) ? {} : {counted}", constant(LEFT_BITS, most))
    };
    body.drive("open", counted);
    let other_fours: Vec<String> = (0..groups).map(|g| format!("(makes_four_{g} & ~so_far[{g}])")).collect();
    body.raw(format!(
        "
wire dropped = beamed_q & {drops};
assign group = beamed_q ? first : {chosen};
always @(*) picked = ~closed & (beamed_q ? ~so_far[first] & ~dropped : ({any}));
always @(*) left = {left};
// In a beam what follows a dropped move matters only if it makes a four.
always @(*) need = beamed_q ? (~dropped | need_fours | {other_fours}) : (need_any | need_fours);
always @(*) fours = fours_only_q | ~need_any;
reg {group_range}group_q;
always @(posedge aclk) group_q <= group;
",
        any = any_open,
        other_fours = other_fours.join(" | "),
        group_range = crate::kit::range(layout.group_bits),
    ));
    let key_bits = layout.gain_bits + layout.cell_bits;
    let keys: Vec<String> = (0..groups).map(|group| format!("key_{group}_q")).collect();
    let key = body.select("key", key_bits, "group_q", layout.group_bits, &keys);
    body.drive("gain", format!("{key}[{}:{}]", key_bits - 1, layout.cell_bits));
    body.drive("rank", format!("{key}[{}:0]", layout.cell_bits - 1));
}

/// Whether two or more are set: halves are counted to one and two, then joined.
fn two_set(body: &mut Body, wires: &[String]) -> String {
    let mut counts: Vec<(String, String)> =
        wires.iter().map(|wire| (wire.clone(), "1'b0".to_string())).collect();
    while counts.len() > 1 {
        counts = counts
            .chunks(2)
            .map(|pair| match pair {
                [(a, aa), (b, bb)] => (
                    body.wire("one_open", 1, format!("{a} | {b}")),
                    body.wire("two_open", 1, format!("{aa} | {bb} | ({a} & {b})")),
                ),
                _ => pair[0].clone(),
            })
            .collect();
    }
    counts.swap_remove(0).1
}
