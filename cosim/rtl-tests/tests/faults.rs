// SPDX-License-Identifier: MIT OR Apache-2.0
//! A fault put into the RTL is caught and reported at the node or controller return where it happens.
#![allow(missing_docs)]

use cosim::lockstep::{Fault as Found, Plan, run};
use rtl_tests::faults::{FAULTS, FAULTS_OF_REPLIES, FAULTS_OF_TRANSPOSITIONS, FaultSet, MOVES, SETS};
use rtl_tests::{faulty, hunt, with_fault};

/// Faults of a set that are first seen by something else than what it says.
fn missed(set: &'static FaultSet) -> String {
    let mut missed = Vec::new();
    for (place, (fault, caught_by)) in set.faults.iter().enumerate() {
        let found = hunt::first_fault(with_fault(set, Some(place)).unwrap(), MOVES);
        let kind = found.as_ref().map_or("nothing", hunt::seen_by);
        let found = found.as_ref().map(ToString::to_string).unwrap_or_default();
        println!("{}: {kind}: {found}", fault.name);
        if !caught_by.contains(&kind) {
            missed.push(format!("{} was first seen by {kind}: {found}", fault.name));
        }
    }
    missed.join("\n")
}

#[test]
fn the_sound_engines_have_none() {
    for set in SETS {
        assert_eq!(hunt::first_fault(with_fault(set, None).unwrap(), MOVES), None);
    }
}

#[test]
fn every_fault_is_caught_where_it_happens() {
    assert_eq!(missed(&FAULTS), "");
}

#[test]
fn faults_of_replies_are_caught_where_they_happen() {
    assert_eq!(missed(&FAULTS_OF_REPLIES), "");
}

#[test]
fn faults_of_transpositions_are_caught_where_they_happen() {
    assert_eq!(missed(&FAULTS_OF_TRANSPOSITIONS), "");
}

#[test]
fn a_fault_outside_a_search_leaves_a_waveform_too() {
    let model = faulty(Some("wrong_weight"));
    let plan = hunt::plan(&model.config, MOVES);
    let (_, report) = run(&plan, model, &mut |_| {});
    let report = report.expect("the fault is found");
    assert!(matches!(&report.fault, Found::Mismatch(m) if m.kind == "probe"), "{}", report.fault);
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe.vcd");
    cosim::report::leave_waveform(&plan, &report, model, &file).unwrap();
    let waves = std::fs::read_to_string(&file).unwrap();
    assert!(waves.lines().filter(|line| line.starts_with('#')).count() > 20, "the waveform is empty");
}

#[test]
fn a_fault_leaves_a_report_and_a_waveform_of_its_move() {
    let model = faulty(Some("refresh_widens_a_window"));
    let plan = hunt::plan(&model.config, MOVES);
    let (_, report) = run(&plan, model, &mut |_| {});
    let report = report.expect("the fault is found");
    assert!(matches!(report.fault, Found::Mismatch(_)));
    let text = cosim::report::describe(&plan, &report);
    for part in
        ["fault: cycle ", "return [", "expected", "got", "configuration: small, seed 7, game", "moves: "]
    {
        assert!(text.contains(part), "{text}");
    }
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault.vcd");
    let views = cosim::report::leave_waveform(&plan, &report, model, &file).unwrap();

    // The game alone meets the same fault in the same cycle.
    let alone = Plan { only_game: Some(report.game), ..plan };
    assert_eq!(run(&alone, model, &mut |_| {}).1.unwrap().fault, report.fault);

    // Every signal of the save file is in the waveform.
    let waves = std::fs::read_to_string(&file).unwrap();
    assert!(waves.lines().filter(|line| line.starts_with('#')).count() > 50, "the waveform is empty");
    let mut scope: Vec<&str> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for line in waves.lines().take_while(|line| !line.contains("$enddefinitions")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => scope.push(name),
            ["$upscope", ..] => drop(scope.pop()),
            ["$var", _, _, _, name, ..] => drop(known.insert(format!("{}.{name}", scope.join(".")))),
            _ => {}
        }
    }
    let gtkwave = std::fs::read_to_string(views.gtkwave).unwrap();
    for line in gtkwave.lines().filter(|line| line.starts_with("TOP.")) {
        let signal = line.split('[').next().unwrap();
        assert!(known.contains(signal), "{signal} is not in the waveform");
    }
    // Both viewers look at the fault, in picoseconds, and know the names of values.
    let marker = report.cycle * cosim::dut::period_ps(&alone.config);
    assert!(
        waves.lines().any(|line| line == format!("#{marker}")),
        "the clock of the fault is in the waveform"
    );
    assert!(gtkwave.contains(&format!(" {marker}\n")));
    let surfer = std::fs::read_to_string(views.surfer).unwrap();
    assert!(
        surfer.contains(&format!("cursor_set {marker}\n"))
            && surfer.contains("item_set_format fault.outcome\n")
    );
    let folder = file.parent().unwrap();
    let cells = std::fs::read_to_string(folder.join("fault.cell.txt")).unwrap();
    assert_eq!(cells.lines().nth(1), Some("01 1,0"));
    let states = std::fs::read_to_string(folder.join(".surfer/mappings/fault.game_state")).unwrap();
    assert!(states.starts_with("Name = fault.game_state\nBits = 4\n0 idle\n"), "{states}");
}
