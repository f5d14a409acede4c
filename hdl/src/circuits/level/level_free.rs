// SPDX-License-Identifier: MIT OR Apache-2.0
//! The free contexts that a level has at hand.

use super::words::Level;
use crate::kit::{Body, range};

/// Choices of the free contexts at hand: by who takes one, without a visit and with one, then by whether a visit does.
pub(super) const FREE_CHOICES: [&str; 3] = ["free_unless_visited", "free_if_visited", "free_next"];

/// Bits of what is chosen: two are there, any, both; their numbers.
pub(super) fn free_bits(of: &Level) -> usize {
    4 + 2 * of.index
}

/// Two free contexts are kept at hand, one for first children, one for visits; either takes the other's if it has none.
/// Low numbers are taken first, and go first in everything else: so the contexts that have been longest under way end
/// first, which saves passes against the newest first.
pub(super) fn free_contexts(body: &mut Body, of: &Level) {
    if of.root {
        return;
    }
    body.comment("Free contexts at hand: the first for a first child, the second for a visit.");
    let index = of.index;
    for r in 0..of.rows {
        body.raw(format!(
            "wire free_{r} = ~reserved_{r} & ~active_{r} & ~(has_first & {}) & ~(has_second & {});",
            of.at("first_kept", r),
            of.at("second_kept", r)
        ));
    }
    let free = of.names("free");
    let [(any, first), (any_other, second)] = body.first_two_set("free", index, &free);
    body.raw(format!(
        "
reg has_first, has_second;
reg {index_range}first_kept, second_kept;
wire free_other = {any};
wire free_others = {any_other};
always @(*) first_free = has_first ? first_kept : second_kept;
always @(*) second_free = has_second ? second_kept : first_kept;
",
        index_range = range(index),
    ));
    body.comment(
        "Who takes one is known late, and of a visit last: what is at hand next stands ready for each case.",
    );
    let next = |body: &mut Body, keeps_first: &str, keeps_second: &str| {
        let first_next = body.wire("next_first", 1, format!("{keeps_first} | free_other"));
        let other = format!("({keeps_first} ? free_other : free_others)");
        let second_next = body.wire("next_second", 1, format!("{keeps_second} | {other}"));
        format!(
            "{{{first_next}, {second_next}, {first_next} | {second_next}, {first_next} & {second_next}, \
             ({keeps_first}) ? first_kept : {first}, \
             ({keeps_second}) ? second_kept : ({keeps_first}) ? {first} : {second}}}"
        )
    };
    let [[none, of_first], [of_second, of_both]] = [
        [("has_first", "has_second"), ("1'b0", "(has_first & has_second)")],
        [("(has_first & has_second)", "1'b0"), ("1'b0", "1'b0")],
    ]
    .map(|cases| cases.map(|(keeps_first, keeps_second)| next(body, keeps_first, keeps_second)));
    let [unvisited, visited, choice] = FREE_CHOICES;
    for (name, late, if_clear, if_set) in [
        (unvisited, "reserve_first", none, of_first),
        (visited, "reserve_first", of_second, of_both),
        (choice, "reserve_second", format!("{unvisited}$word"), format!("{visited}$word")),
    ] {
        body.drive(&format!("{name}$late"), late);
        body.drive(&format!("{name}$if_clear"), if_clear);
        body.drive(&format!("{name}$if_set"), if_set);
    }
    body.raw(format!(
        "
always @(posedge aclk)
  if (!aresetn | clear | ~searching) {{has_first, has_second, free_any, free_both}} <= 4'd0;
  else {{has_first, has_second, free_any, free_both}} <= {choice}$word[{top}:{numbers}];
always @(posedge aclk) {{first_kept, second_kept}} <= {choice}$word[{numbers_top}:0];
",
        top = free_bits(of) - 1,
        numbers = 2 * index,
        numbers_top = 2 * index - 1,
    ));
}
