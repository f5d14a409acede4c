// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many mutants of the small core's netlist lockstep finds: `mutants [COUNT [SEED]]`, 240 of seed 1 unless told. Each that it does
//! not find is shown with its line of Rust.

use rtl_tests::mutants::{Fate, breed};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Clocks beside the sound core, for those that nothing has found.
const CLOCKS: u64 = 1_000_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (count, seed) = match (arguments.next().unwrap_or(Ok(240)), arguments.next().unwrap_or(Ok(1))) {
        (Ok(count), Ok(seed)) if arguments.next().is_none() && (1..100_000).contains(&count) => (count, seed),
        _ => {
            eprintln!("usage: mutants [COUNT [SEED]], numbers");
            return ExitCode::from(2);
        }
    };
    let bred = match breed(count as usize, seed) {
        Ok(bred) => bred,
        Err(error) => {
            eprintln!("mutants: {error}");
            return ExitCode::from(2);
        }
    };
    let sound = bred.fate(0, CLOCKS);
    if sound != Fate::Same {
        eprintln!("mutants: the sound core itself is found: {sound:?}");
        return ExitCode::FAILURE;
    }
    let fates =
        bred.fates(CLOCKS, |number, fate| eprintln!("{number} {fate:?}: {}", bred.mutants[number - 1]));
    // By kind: found, missed, same.
    let mut kinds: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (mutant, fate) in bred.mutants.iter().zip(&fates) {
        let column = match fate {
            Fate::Found(by) => {
                *seen.entry(by).or_default() += 1;
                0
            }
            Fate::Missed { clock } => {
                println!("missed, differs first at clock {clock}: {mutant}");
                1
            }
            Fate::Same => 2,
        };
        kinds.entry(mutant.kind()).or_default()[column] += 1;
    }
    println!("{:24} {:>6} {:>6} {:>6}", "kind", "found", "missed", "same");
    let mut all = [0; 3];
    for (kind, counts) in &kinds {
        println!("{kind:24} {:6} {:6} {:6}", counts[0], counts[1], counts[2]);
        (0..3).for_each(|column| all[column] += counts[column]);
    }
    let by: Vec<String> = seen.iter().map(|(by, count)| format!("{by} {count}")).collect();
    println!("seen by: {}", by.join(", "));
    let [found, missed, same] = all;
    println!(
        "lockstep finds {found} of {} mutants ({:.1} %), drawn from {}; {same} more never differ in {CLOCKS} clocks",
        found + missed,
        100.0 * found as f64 / (found + missed).max(1) as f64,
        bred.of
    );
    ExitCode::SUCCESS
}
