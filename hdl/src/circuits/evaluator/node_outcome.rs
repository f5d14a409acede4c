// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first static rule that fits, the leaf value, and the value of a node that ends here.

use crate::circuits::search::node_tag::rank_to_cell;
use crate::kit::{Body, Circuit, constant, sign_extend, zero_extend};
use crate::layout::{Layout, OUTCOME_BITS};
use engine_model::evaluation::REPLY_GRAIN;
use engine_model::{Outcome, RuleSet};

/// Decides a node from the facts of its position and the picked cell.
///
/// Ports: `aclk`; facts, `full`, `one_empty`; `found`, `rank`, `group`, `gain`, `makes_four`, `more` of the pick;
/// from the tag `length` and `potential`. With floors also `reply` (the opponent's largest gain without its lowest
/// bits, where it has others), the facts `other_has_double` and `other_four_three`, and `goes_deeper`, `extendable` (levels
/// and extensions are left): an open node with a floor has that for its value. Out `result`, packed as
/// [`Layout::result`]. Latency 1, initiation interval 1, no reset.
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
    if layout.config.has_floor() {
        circuit.inputs(&[("other_has_double", 1), ("goes_deeper", 1), ("extendable", 1)]);
        if layout.compares_replies() {
            circuit.input("reply", layout.reply_bits());
        }
        if layout.has_bonus() {
            circuit.input("other_four_three", 1);
        }
    }
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
    let floor = layout.config.has_floor().then(|| floor(&mut body, layout, &outcome));
    let value = match &floor {
        Some((holds, floor)) => format!("{holds} ? {floor} : {value}"),
        None => value,
    };
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
        ("floor_holds", floor.map_or_else(String::new, |(holds, _)| holds)),
    ]);
    body.drive_register("result", packed);
    circuit.set_body(body.finish());
    circuit
}

/// What the first move is worth at least, by [`engine_model::evaluation::floor`]: whether it is known, and how much.
fn floor(body: &mut Body, layout: &Layout, outcome: &str) -> (String, String) {
    let (bits, scoring) = (layout.value_bits, &layout.scoring);
    body.comment("What the first move is worth at least: one bit more than a value has.");
    let wide = bits + 1;
    let gain = |width: usize| zero_extend("gain", layout.gain_bits, width);
    let more = layout.gain_bits + 1;
    // On a narrow board it may be more than any gain.
    let growth = (scoring.quiet_growth as usize).min((1 << more) - 1);
    let mut cost = vec![];
    let gained = if scoring.half_gain {
        let ones = (1 << REPLY_GRAIN) - 1;
        let ones = if layout.compares_replies() {
            zero_extend(&format!("{{reply, {REPLY_GRAIN}'d{ones}}}"), layout.reply_bits() + REPLY_GRAIN, wide)
        } else {
            constant(wide, ones)
        };
        cost.push(ones);
        // A quiet move gains twice its gain less the growth, where that is more than once.
        let larger = body.wire("outgrows", 1, format!("{} > {}", gain(more), constant(more, growth)));
        let beyond = body.wire("beyond", more, format!("{} - {}", gain(more), constant(more, growth)));
        let extra = body.wire("extra", more, format!("{{{more}{{{larger} & ~makes_four}}}} & {beyond}"));
        format!("{} + {}", gain(wide), zero_extend(&extra, more, wide))
    } else {
        format!("{{{}, 1'b0}}", gain(bits))
    };
    if layout.has_bonus() {
        let bonus = constant(wide, scoring.four_three_bonus as usize);
        cost.push(format!("((other_four_three & ~makes_four) ? {bonus} : {})", constant(wide, 0)));
    }
    let gained = body.wire("gained", wide, gained);
    let cost = if cost.is_empty() { constant(wide, 0) } else { body.wire("cost", wide, cost.join(" + ")) };
    let potential = sign_extend("potential", layout.potential_bits, bits);
    let floor = body.wire("floor", wide, format!("{{{potential}, 1'b0}} + ({gained} - {cost})"));
    let open = format!("({outcome} == {OUTCOME_BITS}'d{})", Outcome::Open as u8);
    let answered = "(makes_four ? extendable : other_has_double)";
    let holds = format!(
        "found & goes_deeper & ~one_empty & {open} & ~{answered} & ({floor}[{bits}] == {floor}[{}])",
        bits - 1
    );
    (body.wire("floor_holds", 1, holds), format!("{floor}[{}:0]", bits - 1))
}
