// SPDX-License-Identifier: MIT OR Apache-2.0
//! A fault put into the RTL is caught and reported at the node or controller return where it happens.
#![allow(missing_docs)]

use cosim::bench::BenchOptions;
use cosim::lockstep::{Fault as Found, Plan, Session, run};
use hdl::stream::{Command, Status};
use rtl_tests::faults::FAULTS;
use rtl_tests::{config_of, model};

const MOVES: u64 = 1500;

/// Plays games, then aborts searches and searches anew at once; returns the first fault.
fn first_fault(name: &str) -> Option<Found> {
    let model = model(name);
    let config = config_of(model);
    let plan = Plan {
        config: config.clone(),
        seed: 7,
        moves: MOVES,
        games: Vec::new(),
        back_pressure: 0.2,
        traced: true,
        only_game: None,
        waves: None,
    };
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
    assert_eq!(first_fault("sound"), None);
}

#[test]
fn every_fault_is_caught_where_it_happens() {
    for fault in FAULTS {
        let Some(found) = first_fault(fault.name) else { panic!("{} was not caught", fault.name) };
        println!("{}: {found}", fault.name);
        match &found {
            Found::Mismatch(mismatch) => {
                assert!(fault.caught_by.contains(&mismatch.kind), "{}: {found}", fault.name);
            }
            other => panic!("{}: not reported by node or return but {other}", fault.name),
        }
    }
}
