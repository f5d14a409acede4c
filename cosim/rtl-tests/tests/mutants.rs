// SPDX-License-Identifier: MIT OR Apache-2.0
//! Of the small changes that the netlist allows, drawn by kind, lockstep finds most. `cargo run --release -p rtl-tests --bin mutants` draws
//! more and shows those that it does not find.
#![allow(missing_docs)]

use rtl_tests::mutants::{Fate, breed};
use std::collections::BTreeSet;

/// Clocks beside the sound core.
const CLOCKS: u64 = 60_000;

#[test]
fn lockstep_finds_mutants_of_every_kind() {
    let bred = breed(30, 1).unwrap();
    assert_eq!(bred.fate(0, CLOCKS), Fate::Same, "the sound core is found");
    let fates = bred.fates(CLOCKS, |_, _| ());
    let (mut found, mut differ) = (BTreeSet::new(), BTreeSet::new());
    let mut missed = Vec::new();
    for (mutant, fate) in bred.mutants.iter().zip(&fates) {
        if *fate != Fate::Same {
            differ.insert(mutant.kind());
        }
        match fate {
            Fate::Found(_) => drop(found.insert(mutant.kind())),
            Fate::Missed { clock } => missed.push(format!("{mutant}: differs at clock {clock}")),
            Fate::Same => {}
        }
    }
    assert_eq!(found, differ, "kinds of which none is found");
    assert!(differ.len() > 10, "{differ:?}");
    assert!(missed.len() * 8 <= bred.mutants.len(), "{}", missed.join("\n"));
}
