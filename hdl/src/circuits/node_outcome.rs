// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first static rule that fits, the leaf value, and the value of a node that ends here.

use super::node_tag::rank_to_cell;
use crate::kit::{Body, Circuit, sign_extend, zero_extend};
use crate::layout::{Layout, OUTCOME_BITS};
use engine_model::{Outcome, RuleSet};

/// Decides a node from the facts of its position and the picked cell.
///
/// Ports: `aclk`; facts, `full`, `one_empty`; `found`, `rank`, `group`, `gain`, `makes_four`, `more` of the pick;
/// from the tag `length` and `potential`. Out `result`, packed as [`Layout::result`]. Latency 1, initiation interval
/// 1, no reset.
pub fn node_outcome(layout: &Layout) -> Circuit {
    let mut circuit = Circuit::new(
        "node_outcome",
        "Rule outcome, leaf value and the value of a node that is not searched further.\n\
         Latency 1, initiation interval 1, no reset (data only).",
    );
    circuit.clocked(false);
    for fact in
        ["own_wins", "other_wins_once", "other_wins_twice", "own_has_double", "line", "full", "one_empty"]
    {
        circuit.input(fact, 1);
    }
    if layout.has_bonus() {
        circuit.input("four_three", 1);
    }
    circuit.input("found", 1);
    circuit.input("rank", layout.cell_bits);
    circuit.input("group", layout.group_bits);
    circuit.input("gain", layout.gain_bits);
    circuit.input("makes_four", 1);
    circuit.input("more", 1);
    circuit.input("length", layout.length_bits);
    circuit.input("potential", layout.potential_bits);
    circuit.output("result", layout.result.width());

    let rules = layout.config.rules;
    let bits = layout.value_bits;
    let code = |outcome: Outcome| format!("{OUTCOME_BITS}'d{}", outcome as u8);
    let mut body = Body::new();
    let mut choice = code(Outcome::Open);
    if rules >= RuleSet::Double {
        choice = format!("own_has_double ? {} : {choice}", code(Outcome::Double));
    }
    if rules >= RuleSet::Forced {
        choice = format!(
            "other_wins_twice ? {} : other_wins_once ? {} : {choice}",
            code(Outcome::Loss),
            code(Outcome::Forced)
        );
    }
    choice = format!(
        "line ? {} : full ? {} : own_wins ? {} : {choice}",
        code(Outcome::Lost),
        code(Outcome::Full),
        code(Outcome::Win)
    );
    let outcome = body.wire("outcome", OUTCOME_BITS, choice);
    body.comment("Half-points: twice the potential, plus the best gain, plus the four-three bonus.");
    let wide = sign_extend("potential", layout.potential_bits, bits - 1);
    let mut leaf = format!("{{{wide}, 1'b0}}");
    if layout.scoring.half_gain {
        leaf.push_str(&format!(" + {}", zero_extend("gain", layout.gain_bits, bits)));
    }
    if layout.has_bonus() {
        let no_threat = body.wire("no_threat", 1, "~(other_wins_once | other_wins_twice)");
        leaf.push_str(&format!(
            " + ((four_three & {no_threat}) ? {bits}'d{} : {bits}'d0)",
            layout.scoring.four_three_bonus
        ));
    }
    let leaf = body.wire("leaf_value", bits, leaf);
    body.comment(
        "A win p+1 or p+3 moves from the root, a loss after p+2: sooner wins and later losses are better.",
    );
    let ply = body.wire("ply", bits, zero_extend("length", layout.length_bits, bits));
    let win = |plies: i32| format!("({bits}'d{} - {ply})", layout.scoring.win_score - plies);
    let value = body.wire(
        "value",
        bits,
        format!(
            "({outcome} == {}) ? {bits}'d0 : ({outcome} == {}) ? {} : ({outcome} == {}) ? ~{} + {bits}'d1 : \
             ({outcome} == {}) ? {} : {leaf}",
            code(Outcome::Full),
            code(Outcome::Win),
            win(1),
            code(Outcome::Loss),
            win(2),
            code(Outcome::Double),
            win(3)
        ),
    );
    let cell = rank_to_cell(&mut body, layout, "rank");
    let packed = layout.result.pack(&[
        ("outcome", outcome),
        ("found", "found".into()),
        ("cell", cell),
        ("rank", "rank".into()),
        ("group", "group".into()),
        ("gain", "gain".into()),
        ("makes_four", "makes_four".into()),
        ("more", "more".into()),
        ("one_empty", "one_empty".into()),
        ("leaf_value", leaf),
        ("value", value),
    ]);
    body.drive_register("result", packed);
    circuit.set_body(body.finish());
    circuit
}
