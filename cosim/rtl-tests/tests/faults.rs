// SPDX-License-Identifier: MIT OR Apache-2.0
//! A fault put into the RTL is caught and reported at the node or controller return where it happens.
#![allow(missing_docs)]

use cosim::bench::{BenchError, BenchOptions};
use cosim::lockstep::{Fault as Found, Plan, Session, run};
use engine_model::Config;
use hdl::stream::{Command, Status};
use rtl_tests::faults::{FAULTS, LIMIT, MOVES};
use rtl_tests::faulty;

fn plan(config: &Config) -> Plan {
    Plan {
        config: config.clone(),
        seed: 7,
        moves: MOVES,
        games: Vec::new(),
        back_pressure: 0.2,
        traced: true,
        only_game: None,
        limit: LIMIT,
        waves: None,
    }
}

/// Plays games, then aborts searches and searches anew at once; returns the first fault.
fn first_fault(name: Option<&str>) -> Option<Found> {
    let model = faulty(name);
    let config = model.config.clone();
    let plan = plan(&config);
    let (_, report) = run(&plan, model, &mut |_| {});
    if let Some(report) = report {
        return Some(report.fault);
    }
    let quick = BenchOptions { seed: 3, idle: 0.0, back_pressure: 0.0 };
    let mut session = Session::new(model, &config, true, quick);
    (0..120).find_map(|round| abort_and_search_again(&mut session, 20 + round * 3).err())
}

/// A search, aborted after so many cycles, and the next one right behind it while results are still in flight.
fn abort_and_search_again(session: &mut Session, abort_after: u64) -> Result<(), Found> {
    let search = Command::Search as u32;
    if session.face().position().is_over() {
        session.command(Command::Reset, &[])?;
    }
    let mut predicted = session.predict(search, &[]);
    session.announce(&predicted);
    session.bench().send(search, &[]);
    session.bench().run(abort_after)?;
    session.bench().send(Command::Abort as u32, &[]);
    session.bench().send(search, &[]);
    let answer = session.bench().answer(100_000)?;
    session.check_events()?;
    if answer.status() == Some(Status::Aborted) {
        session.predict_abort(&mut predicted);
    }
    session.compare(search, &[], predicted.answer, Some(answer))?;
    let predicted = session.predict(search, &[]);
    session.announce(&predicted);
    let answer = session.bench().answer(100_000)?;
    session.check_events()?;
    session.compare(search, &[], predicted.answer, Some(answer))
}

#[test]
fn the_sound_engine_has_none() {
    assert_eq!(first_fault(None), None);
}

#[test]
fn every_fault_is_caught_where_it_happens() {
    let mut missed = Vec::new();
    for (fault, caught_by) in FAULTS {
        let (kind, found) = match first_fault(Some(fault.name)) {
            None => ("nothing", String::new()),
            Some(found) => {
                let kind = match &found {
                    Found::Mismatch(mismatch) => mismatch.kind,
                    Found::Bench(BenchError::Timeout { .. }) => "hang",
                    Found::Bench(BenchError::Held { .. }) => "held",
                    Found::Bench(_) => "stream",
                    Found::Answer { .. } => "answer",
                    Found::Counter { .. } => "counter",
                    Found::Levels { .. } => "levels",
                };
                (kind, found.to_string())
            }
        };
        println!("{}: {kind}: {found}", fault.name);
        if !caught_by.contains(&kind) {
            missed.push(format!("{} was first seen by {kind}: {found}", fault.name));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_fault_outside_a_search_leaves_a_waveform_too() {
    let model = faulty(Some("wrong_weight"));
    let plan = plan(&model.config.clone());
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
    let plan = plan(&model.config.clone());
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
