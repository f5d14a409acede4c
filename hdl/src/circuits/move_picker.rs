// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the move that a visited context issues next, among the first cells of its groups.

use crate::kit::{Body, Circuit};
use crate::layout::Layout;

/// Picks the move with the largest gain among those that have not been issued and that the exact upper bound does not
/// drop; in a beam the first in static order, whatever the bound says of it.
///
/// Ports: `aclk`; `mark` of `mark_context`: a new set of first cells has come, of which `mark_issued` says that the one of
/// `mark_group` has been issued; `visit` of context `visited` with its `winners` (packed as [`Layout::winner`]), `beamed`,
/// `fours_only`, `bounded` (the bound may be used), `limit` with `limit_none`, `limit_all` (gains up to it are dropped),
/// `closed` (its window is empty). In the same clock `picked` with `gain`, `rank`; `left`: moves remain; `need`:
/// once none remain another pass for order is needed, `fours`: only for moves that make a four. What is issued is
/// remembered at the end of the clock. No reset: a context is marked before it is visited.
pub fn move_picker(layout: &Layout) -> Circuit {
    let (groups, bits, gain_bits) = (layout.groups, layout.context_bits, layout.gain_bits);
    let contexts = layout.contexts();
    let width = layout.winner.width();
    let mut circuit = Circuit::new(
        "move_picker",
        "Next move of a visited context: largest gain not yet issued and not dropped by the exact upper bound.\n\
         Same clock; what is issued is remembered at its end; no reset (a context is marked before it is visited).",
    );
    circuit.clocked(false);
    circuit.inputs(&[
        ("mark", 1),
        ("mark_context", bits),
        ("mark_issued", 1),
        ("mark_group", layout.group_bits),
        ("visit", 1),
        ("visited", bits),
        ("winners", groups * width),
        ("beamed", 1),
        ("fours_only", 1),
        ("bounded", 1),
        ("limit", gain_bits),
        ("limit_none", 1),
        ("limit_all", 1),
        ("closed", 1),
    ]);
    circuit.outputs(&[
        ("picked", 1),
        ("gain", gain_bits),
        ("rank", layout.cell_bits),
        ("left", 1),
        ("need", 1),
        ("fours", 1),
    ]);
    let mut body = Body::new();
    let depth = contexts.next_power_of_two();
    body.raw(format!(
        "
reg [{group_high}:0] issued [0:{deepest}];
reg [{last}:0] unvisited, first_issued;
reg {group_range}first_group [0:{deepest}];
wire [{group_high}:0] kept = issued[visited];
wire {group_range}first = first_group[visited];
wire was_issued = {was_issued};
wire is_unvisited = {is_unvisited};
wire [{group_high}:0] so_far = is_unvisited ? ({{{group_high}'d0, was_issued}} << first) : kept;
",
        group_high = groups - 1,
        deepest = depth - 1,
        last = contexts - 1,
        group_range = crate::kit::range(layout.group_bits),
        was_issued = if contexts == 1 { "first_issued" } else { "first_issued[visited]" },
        is_unvisited = if contexts == 1 { "unvisited" } else { "unvisited[visited]" },
    ));
    let mut keys = Vec::new();
    for group in 0..groups {
        let entry = body.wire(
            &format!("entry_{group}"),
            width,
            format!("winners[{}:{}]", (group + 1) * width - 1, group * width),
        );
        let of = |name: &str| layout.winner.of(&entry, name);
        body.raw(format!(
            "
wire low_{group} = bounded & ~limit_none & (limit_all | ({gain} <= limit));
wire open_{group} = {found} & ~so_far[{group}];
wire stays_{group} = open_{group} & (beamed | {four} | ~low_{group});
wire need_{group} = {found} & {more} & (fours_only | ~low_{group});
wire four_{group} = {found} & {more_four};
wire other_four_{group} = open_{group} & {four};
",
            gain = of("gain"),
            found = of("found"),
            four = of("four"),
            more = of("more"),
            more_four = of("more_four"),
        ));
        // In a beam ties are resolved by rank: {stays, gain, ~rank, four, low, group one-hot follows}.
        let key = format!("{{stays_{group}, {}, ~{}, {}, low_{group}}}", of("gain"), of("rank"), of("four"));
        keys.push((
            body.wire(&format!("key_{group}"), 3 + gain_bits + layout.cell_bits, key),
            format!("{groups}'d{}", 1u64 << group),
        ));
    }
    let key_bits = 3 + gain_bits + layout.cell_bits;
    let compared = |name: &str| format!("{name}[{}:2]", key_bits - 1);
    while keys.len() > 1 {
        keys = keys
            .chunks(2)
            .map(|pair| match pair {
                [(a, a_hot), (b, b_hot)] => {
                    let take = body.wire("take_second", 1, format!("{} > {}", compared(b), compared(a)));
                    (
                        body.wire("best_key", key_bits, format!("{take} ? {b} : {a}")),
                        body.wire("best_group", groups, format!("{take} ? {b_hot} : {a_hot}")),
                    )
                }
                _ => pair[0].clone(),
            })
            .collect();
    }
    let (best, hot) = keys.swap_remove(0);
    let all = |name: &str| (0..groups).map(|g| format!("{name}_{g}")).collect::<Vec<_>>();
    let stays = all("stays");
    let mut one = stays[0].clone();
    let mut two = "1'b0".to_string();
    for (number, next) in stays.iter().enumerate().skip(1) {
        two = body.wire("two_stay", 1, format!("{two} | ({one} & {next})"));
        if number + 1 < groups {
            one = body.wire("one_stays", 1, format!("{one} | {next}"));
        }
    }
    body.raw(format!(
        "
wire any = {best}[{top}];
wire dropped = beamed & {best}[0] & ~{best}[1];
wire need_any = {need};
wire need_fours = {fours};
always @(*) picked = any & ~closed & ~dropped;
always @(*) gain = {best}[{gain_high}:{gain_low}];
always @(*) rank = ~{best}[{rank_high}:2];
always @(*) left = {two};
// In a beam what follows a dropped move matters only if it makes a four.
always @(*) need = beamed ? (~dropped | need_fours | {other_fours}) : (need_any | need_fours);
always @(*) fours = fours_only | ~need_any;
always @(posedge aclk) if (visit & picked) issued[visited] <= so_far | {hot};
always @(posedge aclk) begin
  if (visit & picked) {unvisited_here} <= 1'b0;
  if (mark) begin
    {unvisited_mark} <= 1'b1;
    {first_mark} <= mark_issued;
  end
end
always @(posedge aclk) if (mark) first_group[mark_context] <= mark_group;
",
        top = key_bits - 1,
        gain_high = key_bits - 2,
        gain_low = layout.cell_bits + 2,
        rank_high = layout.cell_bits + 1,
        need = all("need").join(" | "),
        fours = all("four").join(" | "),
        other_fours = all("other_four").join(" | "),
        unvisited_here = if contexts == 1 { "unvisited" } else { "unvisited[visited]" },
        unvisited_mark = if contexts == 1 { "unvisited" } else { "unvisited[mark_context]" },
        first_mark = if contexts == 1 { "first_issued" } else { "first_issued[mark_context]" },
    ));
    circuit.set_body(body.finish());
    circuit
}
