// SPDX-License-Identifier: MIT OR Apache-2.0
//! The proof that two emissions are the same circuits: it holds for what was written anew, and fails on what is not the same.
#![allow(missing_docs)]

use engine_model::named::named;
use hdl::Layout;
use rtl_tests::equal::{Verdict, compare};
use soc_integration::circuits::register_file::register_file;
use std::collections::BTreeMap;
use std::path::Path;

fn verdicts(name: &str, old: &str, new: &str) -> BTreeMap<String, Verdict> {
    compare(old, new, &[], &Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("equal-{name}"))).unwrap()
}

fn is_unproved(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unproved(_))
}

#[test]
fn the_register_file_is_the_circuit_that_it_was() {
    let config = named("gomoku7").unwrap();
    let emission = hdl::emit::emit(&register_file(&Layout::new(&config)), "gate", &config);
    let gate = emission.verilog.replace(&emission.top, "gold");
    // As it was emitted when it was written as text.
    let gold = include_str!("gold/register_file.v");
    assert_eq!(verdicts("same", gold, &gate)["gold"], Verdict::Equal);
    for (number, (right, wrong)) in [
        ("take_answer & ~", "take_answer & "),
        ("word[2:0] : 3'd0", "word[2:0] : 3'd1"),
        ("scratch & ~mask", "scratch & mask"),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(gate.contains(right), "{right}");
        let other = verdicts(&format!("other-{number}"), gold, &gate.replacen(right, wrong, 1));
        assert!(is_unproved(&other["gold"]), "{right}");
    }
}

#[test]
fn children_are_proved_by_themselves_and_their_pins_with_their_parent() {
    let parent = "module top (\n  input wire a,\n  output wire b\n);\n  wire leaf_a;\n  wire leaf_b;\n  leaf leaf (\n    .a(leaf_a),\n    \
                  .b(leaf_b)\n  );\n  assign leaf_a = a;\n  assign b = leaf_b;\nendmodule\n";
    let leaf = "module leaf (\n  input wire a,\n  output wire b\n);\n  assign b = ~a;\nendmodule\n";
    let (old, twisted) = (format!("{leaf}{parent}"), parent.replace("leaf_a = a", "leaf_a = ~a"));
    let other = verdicts("pins", &old, &format!("{leaf}{twisted}"));
    assert!(is_unproved(&other["top"]) && other["leaf"] == Verdict::Same, "{other:?}");
    let inside = verdicts("inside", &old, &old.replace("b = ~a", "b = a ^ 1'b1"));
    assert_eq!((&inside["top"], &inside["leaf"]), (&Verdict::Same, &Verdict::Equal));
    // A child that is gone is taken into its parent.
    let whole = "module top (\n  input wire a,\n  output wire b\n);\n  assign b = ~a;\nendmodule\n";
    let gone = verdicts("gone", &old, whole);
    assert_eq!((&gone["top"], &gone["leaf"]), (&Verdict::Equal, &Verdict::OneSided));
}
