// SPDX-License-Identifier: MIT OR Apache-2.0
//! The evaluator pipeline: the whole board at once, one node per clock, tags alongside.

use super::DIRECTION_NAMES;
use super::best_cell::{best_cell, latency as best_cell_latency};
use super::candidates::candidates;
use super::cell_gains::{cell_gains, digit_input};
use super::cell_threats::{FACTS, PLANES, cell_threats, flag_input};
use super::line_cells::{cell_flags, line_cells};
use super::node_outcome::node_outcome;
use super::window_flags::{pattern_flags, window_flags};
use crate::kit::{Body, Circuit};
use crate::layout::{GENERATION_BITS, Layout};

/// Clocks until the flags of the windows are there.
const FLAGS: usize = 2;
/// Clocks until the cells' counts and flags of each direction are there.
const LINES: usize = FLAGS + 1;
/// Clocks until gains (two more) and threats (three more) are both there: the set is selected now, so this is when
/// the level controllers' tried moves are asked for.
const SELECT: usize = LINES + 3;

/// Clocks from a node's board to its result.
pub fn latency(layout: &Layout) -> usize {
    SELECT + best_cell_latency(layout) + 1
}

/// Evaluates boards.
///
/// Ports: `aclk`, `aresetn`; `valid`, `tag`, planes `own`, `other`, `full`, `one_empty` of a node; `exclude_level` out
/// and `exclude` in: the level whose tried moves the pass under selection leaves out, answered in the same clock;
/// out `result_valid`, `result_tag`, `result`. Latency [`latency`], initiation interval 1; reset clears every valid bit.
pub fn evaluator(layout: &Layout) -> Circuit {
    let cells = layout.cells;
    let tag_bits = layout.tag.width();
    assert!(latency(layout) + 2 < 1 << GENERATION_BITS, "a generation would come round in flight");
    let mut circuit = Circuit::new(
        "evaluator",
        &format!(
            "Evaluates a node a clock: rule outcome, first cell in static order, leaf value.\n\
             Latency {}, initiation interval 1; reset clears every valid bit.",
            latency(layout)
        ),
    );
    circuit.clocked(true);
    circuit.input("valid", 1);
    circuit.input("tag", tag_bits);
    circuit.input("own", cells);
    circuit.input("other", cells);
    circuit.input("full", 1);
    circuit.input("one_empty", 1);
    circuit.input("exclude", cells);
    circuit.output("exclude_level", layout.level_bits);
    circuit.output("result_valid", 1);
    circuit.output("result_tag", tag_bits);
    circuit.output("result", layout.result.width());

    let mut body = Body::new();
    let occupied_0 = body.wire("occupied_0", cells, "own | other");
    let occupied_flags = body.delay("occupied_flags", cells, &occupied_0, FLAGS);
    let occupied_lines = body.register("occupied_lines", cells, &occupied_flags);
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        let (flags, lines) = (format!("{name}_flags"), format!("{name}_lines"));
        circuit.child(&flags, window_flags(layout, direction));
        circuit.child(&lines, line_cells(layout, direction));
        for port in ["own", "other", "aclk"] {
            body.drive(&format!("{flags}${port}"), port);
        }
        body.drive(&format!("{lines}$aclk"), "aclk");
        body.drive(&format!("{lines}$occupied"), &occupied_flags);
        for digit in 0..layout.gain_digits() {
            body.drive(&format!("{lines}$gain_digit_{digit}"), format!("{flags}$gain_digit_{digit}"));
        }
        for flag in pattern_flags(layout) {
            body.drive(&format!("{lines}${flag}"), format!("{flags}${flag}"));
        }
    }
    circuit.child("gains", cell_gains(layout));
    circuit.child("threats", cell_threats(layout));
    body.drive("gains$aclk", "aclk");
    body.drive("threats$aclk", "aclk");
    body.drive("threats$occupied", &occupied_lines);
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        for digit in 0..layout.gain_digits() {
            for bit in 0..layout.digit_count_bits() {
                body.drive(
                    &format!("gains${}", digit_input(direction, digit, bit)),
                    format!("{name}_lines$digit_{digit}_{bit}"),
                );
            }
        }
        for flag in cell_flags(layout) {
            body.drive(&format!("threats${}", flag_input(direction, flag)), format!("{name}_lines${flag}"));
        }
    }
    circuit.child("near_stones", candidates(layout));
    body.drive("near_stones$aclk", "aclk");
    let occupied_select = body.delay("occupied_select", cells, &occupied_lines, SELECT - LINES - 1);
    body.drive("near_stones$occupied", &occupied_select);
    let occupied_select = body.register("occupied_select", cells, &occupied_select);

    body.comment("The tag travels beside the planes; only the valid bits are reset.");
    let mut tags = vec!["tag".to_string()];
    let mut valids = vec!["valid".to_string()];
    let flags = body.wire("fill_flags", 2, "{full, one_empty}");
    let mut fills = vec![flags];
    for stage in 1..=latency(layout) {
        let (tag, valid) = (tags[stage - 1].clone(), valids[stage - 1].clone());
        tags.push(body.register(&format!("tag_{stage}"), tag_bits, tag));
        valids.push(body.control_register(&format!("valid_{stage}"), 1, valid));
        if stage < latency(layout) {
            let fill = fills[stage - 1].clone();
            fills.push(body.register(&format!("fill_{stage}"), 2, fill));
        }
    }

    circuit.child("best", best_cell(layout));
    body.drive("best$aclk", "aclk");
    body.drive("exclude_level", layout.tag.of(&tags[SELECT], "level"));
    body.drive("best$occupied", &occupied_select);
    body.drive("best$candidate", "near_stones$candidate");
    body.drive("best$exclude", "exclude");
    for plane in PLANES {
        body.drive(&format!("best${plane}"), format!("threats${plane}"));
    }
    for bit in 0..layout.gain_bits {
        let gain = body.register(&format!("gain_{bit}_select"), cells, format!("gains$gain_{bit}"));
        body.drive(&format!("best$gain_{bit}"), gain);
    }
    for fact in ["own_wins", "own_has_double", "other_has_double"] {
        body.drive(&format!("best${fact}"), format!("threats${fact}"));
    }
    body.drive("best$other_wins", "threats$other_wins_once | threats$other_wins_twice");
    let depth_zero = layout.tag.of(&tags[SELECT], "depth_zero");
    let extensions = layout.tag.of(&tags[SELECT], "extensions");
    body.drive("best$depth_zero", &depth_zero);
    body.drive("best$leaf", format!("{depth_zero} & ({extensions} == {}'d0)", layout.extension_bits));
    body.drive("best$kind", layout.tag.of(&tags[SELECT], "kind"));

    circuit.child("rule", node_outcome(layout));
    body.drive("rule$aclk", "aclk");
    let mut facts: Vec<&str> = FACTS.iter().copied().filter(|&fact| fact != "other_has_double").collect();
    if layout.has_bonus() {
        facts.push("four_three");
    }
    for fact in facts {
        let late = body.delay(fact, 1, &format!("threats${fact}"), best_cell_latency(layout));
        body.drive(&format!("rule${fact}"), late);
    }
    let last = latency(layout) - 1;
    body.drive("rule$full", format!("{}[1]", fills[last]));
    body.drive("rule$one_empty", format!("{}[0]", fills[last]));
    for port in ["found", "picked", "gain", "makes_four"] {
        body.drive(&format!("rule${port}"), format!("best${port}"));
    }
    for field in ["length", "potential"] {
        body.drive(&format!("rule${field}"), layout.tag.of(&tags[last], field));
    }
    body.drive("result_valid", &valids[last + 1]);
    body.drive("result_tag", &tags[last + 1]);
    body.drive("result", "rule$result");
    circuit.set_body(body.finish());
    circuit
}
