// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hunt for a change of a small core: games in lockstep, searches that are aborted and begun anew, any words on the streams.

use cosim::Model;
use cosim::bench::{BenchError, BenchOptions};
use cosim::lockstep::{Fault as Found, Plan, Session, run};
use engine_model::Config;
use hdl::stream::{Command, Status, selector};

/// Clocks after which a command counts as hung: a search on this board takes some thousand.
pub const LIMIT: u64 = 200_000;
/// Searches that are aborted and begun anew.
const ABORTED: u64 = 120;

/// So many engine moves of the seed, with trace outputs and back-pressure.
pub fn plan(config: &Config, moves: u64) -> Plan {
    Plan {
        config: config.clone(),
        seed: 7,
        moves,
        games: Vec::new(),
        back_pressure: 0.2,
        traced: true,
        only_game: None,
        limit: LIMIT,
        waves: None,
    }
}

/// Plays games: clocks of each search, or the first fault.
pub fn clocks_of_games(model: &'static Model, moves: u64) -> Result<Vec<u64>, Found> {
    let (tally, report) = run(&plan(&model.config, moves), model, &mut |_| {});
    report.map_or(Ok(tally.cycles), |report| Err(report.fault))
}

/// Plays games, then aborts searches and searches anew at once; returns the first fault.
pub fn first_fault(model: &'static Model, moves: u64) -> Option<Found> {
    clocks_of_games(model, moves).err().or_else(|| first_fault_of_aborts(model))
}

/// Aborts searches and searches anew at once; returns the first fault.
pub fn first_fault_of_aborts(model: &'static Model) -> Option<Found> {
    let quick = BenchOptions::unstalled(3);
    let mut session = Session::new(model, &model.config, true, quick);
    (0..ABORTED).find_map(|round| abort_and_search_again(&mut session, 20 + round * 3).err())
}

/// Any commands with any arguments, most of them such as make sense; a reset now and then.
pub fn first_fault_of_words(model: &'static Model, words: usize) -> Option<Found> {
    let options = BenchOptions { seed: 5, idle: 0.3, back_pressure: 0.3 };
    let mut session = Session::new(model, &model.config, true, options);
    session.set_limit(LIMIT);
    let mut rng = fastrand::Rng::with_seed(11);
    let side = model.config.columns.max(model.config.rows) as u32;
    let last = (selector::ROWS + model.config.rows) as u32;
    (0..words).find_map(|_| {
        if rng.u32(0..100) == 0 {
            session.reset(rng.usize(1..4));
        }
        let any = |rng: &mut fastrand::Rng, most: u32| match rng.u32(0..20) {
            0 => rng.u32(..),
            1 => 1 << rng.u32(0..32),
            _ => rng.u32(0..=most),
        };
        let (word, arguments) = match rng.u32(0..100) {
            0..40 => (Command::Place as u32, vec![any(&mut rng, side), any(&mut rng, side)]),
            40..55 => (Command::Play as u32, vec![any(&mut rng, side), any(&mut rng, side)]),
            55..60 => (Command::Search as u32, vec![]),
            60..68 => (Command::TakeBack as u32, vec![]),
            68..72 => (Command::Levels as u32, vec![any(&mut rng, model.config.levels as u32 + 1)]),
            72..76 => (Command::Limit as u32, vec![[0, any(&mut rng, 600)][rng.usize(0..2)]]),
            76..94 => (Command::Read as u32, vec![any(&mut rng, last)]),
            94..97 => (Command::Reset as u32, vec![]),
            97 => (Command::Abort as u32, vec![]),
            98 => (rng.u32(9..), vec![]),
            _ => (1 << rng.u32(4..32) | rng.u32(0..9), vec![]),
        };
        session.word(word, &arguments).err()
    })
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
    let answer = session.bench().answer(LIMIT)?;
    session.check_events()?;
    if answer.status() == Some(Status::Aborted) {
        session.predict_abort(&mut predicted);
    }
    session.compare(search, &[], predicted.answer, Some(answer))?;
    let predicted = session.predict(search, &[]);
    session.announce(&predicted);
    let answer = session.bench().answer(LIMIT)?;
    session.check_events()?;
    session.compare(search, &[], predicted.answer, Some(answer))
}

/// What has seen a fault, in a word: a kind of trace event, or what the bench itself sees.
pub fn seen_by(found: &Found) -> &'static str {
    match found {
        Found::Mismatch(mismatch) => mismatch.kind,
        Found::Bench(BenchError::Timeout { .. }) => "hang",
        Found::Bench(BenchError::Held { .. }) => "held",
        Found::Bench(_) => "stream",
        Found::Answer { .. } => "answer",
        Found::Counter { .. } => "counter",
        Found::Levels { .. } => "levels",
    }
}
