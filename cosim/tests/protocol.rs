// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stream protocol under abuse: malformed sequences, commands while busy, aborts, resets in the middle of a search.
#![allow(missing_docs)]

use cosim::Kind;
use cosim::bench::{BenchOptions, Event};
use cosim::lockstep::{HANG_CYCLES, Plan, Session, run};
use engine_model::{Cell, Config};
use hdl::face_model::{Expected, FaceModel};
use hdl::stream::{Command, Status, selector};

/// No command of the small configurations takes longer.
const LIMIT: u64 = 60_000;
/// Long enough for every word to reach the core and for a silent command to end.
const QUIET: u64 = 60;

fn config(name: &str) -> Config {
    engine_model::named::named(name).unwrap()
}

fn session(name: &str, traced: bool, options: BenchOptions) -> Session {
    let config = config(name);
    let mut session =
        Session::new(cosim::models::model(&config, Kind::core(traced)).unwrap(), &config, traced, options);
    session.set_limit(LIMIT);
    session
}

/// The board and the game's state as the core shows them are those of the reference.
fn same_board(session: &mut Session, rows: usize) {
    for row in 0..rows {
        session.command(Command::Read, &[(selector::ROWS + row) as u32]).unwrap();
    }
    session.command(Command::Read, &[selector::GAME as u32]).unwrap();
}

fn expect_answer(session: &mut Session, word: u32, arguments: &[u32], expected: Expected) {
    let answer = session.bench().answer(LIMIT).unwrap();
    session.check_events().unwrap();
    session.compare(word, arguments, expected, Some(answer)).unwrap();
}

fn a_move(session: &Session, rng: &mut fastrand::Rng) -> [u32; 2] {
    let position = session.face().position();
    let geometry = &position.tables().geometry;
    let empty: Vec<Cell> = (0..geometry.cells() as Cell).filter(|&c| position.is_empty(c)).collect();
    if empty.is_empty() || rng.u32(0..4) == 0 {
        return [rng.u32(0..geometry.columns as u32 + 2), rng.u32(0..geometry.rows as u32 + 2)];
    }
    let point = geometry.point(empty[rng.usize(0..empty.len())]);
    [point.x as u32, point.y as u32]
}

/// One malformed or untimely sequence.
fn abuse(session: &mut Session, rng: &mut fastrand::Rng, config: &Config) {
    let side = config.columns.max(config.rows) as u32;
    match rng.u32(0..10) {
        // An unknown word.
        0 => {
            let word = match rng.u32(0..3) {
                0 => rng.u32(9..),
                1 => rng.u32(1..8) << 8 | rng.u32(0..9),
                // One bit that no command has: with the decoder's other bits alone it would be one.
                _ => 1 << rng.u32(4..32) | rng.u32(0..9),
            };
            session.word(word, &[]).unwrap();
        }
        // Coordinates anywhere in 32 bits; x = columns, y = rows lets the engine move and is legal.
        1 => {
            let wild = |rng: &mut fastrand::Rng| match rng.u32(0..3) {
                0 => rng.u32(..),
                1 => 1 << rng.u32(0..32),
                _ => rng.u32(0..side + 3),
            };
            let arguments = [wild(rng), wild(rng)];
            session.word(Command::Play as u32 + rng.u32(0..2), &arguments).unwrap();
        }
        // Arguments that do not exist, and limits of every length.
        2 => {
            session.command(Command::Read, &[rng.u32(..) | 1 << 20]).unwrap();
            session.command(Command::Read, &[1 << rng.u32(8..32)]).unwrap();
            let levels = [0, rng.u32(11..), 1 << rng.u32(4..32)][rng.usize(0..3)];
            session.command(Command::Levels, &[levels]).unwrap();
            session
                .command(Command::Limit, &[[0, 1, rng.u32(0..600), rng.u32(..)][rng.usize(0..4)]])
                .unwrap();
        }
        // A control word before the arguments are complete: an error for the first, then the second.
        3 | 4 => {
            let commands = [
                (Command::Play, 2),
                (Command::Place, 2),
                (Command::Levels, 1),
                (Command::Limit, 1),
                (Command::Read, 1),
            ];
            let (command, needs) = commands[rng.usize(0..commands.len())];
            session.bench().send(command as u32, &[]);
            session.bench().run(QUIET).unwrap();
            (0..rng.usize(0..needs)).for_each(|_| session.bench().data.push(1));
            session.bench().run(QUIET).unwrap();
            let arguments = a_move(session, rng);
            let predicted = session.predict(Command::Place as u32, &arguments);
            session.announce(&predicted);
            // Its own arguments come later: earlier they would complete the first command.
            session.bench().send(Command::Place as u32, &[]);
            session.bench().run(QUIET).unwrap();
            arguments.iter().for_each(|&word| session.bench().data.push(word));
            expect_answer(session, command as u32, &[], FaceModel::interrupted());
            expect_answer(session, Command::Place as u32, &arguments, predicted.answer);
        }
        // Data without a command waits; a reset drops what was accepted.
        5 => {
            (0..rng.usize(1..=2)).for_each(|_| session.bench().data.push(rng.u32(..)));
            session.bench().run(QUIET).unwrap();
            session.command(Command::Reset, &[]).unwrap();
        }
        // Nothing to take back, an abort with nothing to abort, a full or finished game.
        6 => {
            let command = [Command::TakeBack, Command::Abort, Command::Search][rng.usize(0..3)];
            session.command(command, &[]).unwrap();
            // An abort right behind a command that does not search is ignored, also by the next search.
            let arguments = a_move(session, rng);
            let (other, arguments): (Command, &[u32]) =
                if rng.bool() { (Command::TakeBack, &[]) } else { (Command::Place, &arguments) };
            let predicted = session.predict(other as u32, arguments);
            session.announce(&predicted);
            session.bench().send(other as u32, arguments);
            session.bench().deliver(LIMIT, rng.u64(0..40)).unwrap();
            session.bench().send(Command::Abort as u32, &[]);
            expect_answer(session, other as u32, arguments, predicted.answer);
            session.bench().deliver(LIMIT, QUIET).unwrap();
            session.command(Command::Search, &[]).unwrap();
        }
        // The next command while a search runs: it waits its turn.
        7 => {
            session.command(Command::Limit, &[0]).unwrap();
            let searched = session.predict(Command::Search as u32, &[]);
            session.announce(&searched);
            let arguments = a_move(session, rng);
            session.bench().send(Command::Search as u32, &[]);
            session.bench().send(Command::Place as u32, &arguments);
            expect_answer(session, Command::Search as u32, &[], searched.answer);
            let placed = session.predict(Command::Place as u32, &arguments);
            session.announce(&placed);
            expect_answer(session, Command::Place as u32, &arguments, placed.answer);
        }
        // A search aborted after a random time; too late is not an error.
        8 => {
            let mut predicted = session.predict(Command::Search as u32, &[]);
            session.announce(&predicted);
            session.bench().send(Command::Search as u32, &[]);
            session.bench().run(rng.u64(0..300)).unwrap();
            session.bench().send(Command::Abort as u32, &[]);
            let answer = session.bench().answer(LIMIT).unwrap();
            session.check_events().unwrap();
            if answer.status() == Some(Status::Aborted) {
                session.predict_abort(&mut predicted);
            } else {
                session.settle(&mut predicted).unwrap();
            }
            session.compare(Command::Search as u32, &[], predicted.answer, Some(answer)).unwrap();
            session.bench().run(QUIET).unwrap();
            session.resynchronise();
        }
        // The protocol's reset, or the wire's, in the middle of a search.
        _ => {
            let searched = session.predict(Command::Search as u32, &[]);
            session.announce(&searched);
            session.bench().send(Command::Search as u32, &[]);
            session.bench().run(rng.u64(0..400)).unwrap();
            session.check_events().unwrap();
            if rng.bool() {
                session.reset(rng.usize(1..4));
            } else {
                session.predict(Command::Reset as u32, &[]);
                session.bench().send(Command::Reset as u32, &[]);
                session.bench().deliver(LIMIT, QUIET).unwrap();
                // An answer presented before the reset stays until taken; it is the search's and whole.
                if !session.bench().sink.is_empty() {
                    let answer = session.bench().answer(QUIET).unwrap();
                    session.compare(Command::Search as u32, &[], searched.answer, Some(answer)).unwrap();
                }
                assert!(session.bench().sink.is_empty());
                session.resynchronise();
            }
        }
    }
}

fn withstands(name: &str, sequences: usize, seed: u64, idle: f64) {
    let config = config(name);
    let options = BenchOptions { seed, idle, back_pressure: 1.5 * idle };
    let mut session = session(name, true, options);
    let mut rng = fastrand::Rng::with_seed(seed);
    for sequence in 0..sequences {
        abuse(&mut session, &mut rng, &config);
        if sequence % 4 == 0 {
            same_board(&mut session, config.rows);
        }
        if session.face().position().is_over() && rng.u32(0..3) == 0 {
            session.command(Command::Reset, &[]).unwrap();
        }
    }
    same_board(&mut session, config.rows);
}

#[test]
fn ten_thousand_malformed_sequences() {
    withstands("gomoku7", 5_000, 1, 0.2);
    withstands("gomoku7", 2_000, 2, 0.0);
    withstands("tictactoe", 3_000, 3, 0.2);
}

#[test]
fn a_storm_of_resets_leaves_no_old_result_alive() {
    // As many generations as there are clocks in the longest pipeline pass by while a root is in flight.
    let options = BenchOptions::unstalled(4);
    for delay in 20..50 {
        let mut session = session("gomoku15", true, options);
        session.set_limit(200_000);
        session.command(Command::Levels, &[1]).unwrap();
        for resets in [14, 15, 16, 17, 31, 32, 33] {
            session.bench().send(Command::Play as u32, &[7, 7]);
            session.bench().run(delay).unwrap();
            (0..resets).for_each(|_| session.bench().send(Command::Reset as u32, &[]));
            session.predict(Command::Reset as u32, &[]);
            session.bench().deliver(LIMIT, 0).unwrap();
            session.resynchronise();
            session.bench().run(QUIET).unwrap();
            session.bench().sink.clear();
            assert_eq!(session.bench().take_events().iter().filter(|(_, e)| is_fresh(e)).count(), 0);
            session.command(Command::Play, &[7, 7]).unwrap();
            session.command(Command::Reset, &[]).unwrap();
        }
    }
}

fn is_fresh(event: &Event) -> bool {
    !matches!(event, Event::Node(node) if !node.fresh)
}

#[test]
fn arguments_that_wait_already_complete_the_command() {
    let mut session = session("gomoku7", true, BenchOptions::unstalled(5));
    [3, 2, selector::GAME as u32].iter().for_each(|&word| session.bench().data.push(word));
    session.bench().run(QUIET).unwrap();
    let placed = session.predict(Command::Place as u32, &[3, 2]);
    session.announce(&placed);
    session.bench().send(Command::Place as u32, &[]);
    session.bench().send(Command::Read as u32, &[]);
    expect_answer(&mut session, Command::Place as u32, &[3, 2], placed.answer);
    let read = session.predict(Command::Read as u32, &[selector::GAME as u32]);
    expect_answer(&mut session, Command::Read as u32, &[selector::GAME as u32], read.answer);
}

#[test]
fn malformed_sequences_on_the_large_core() {
    let config = config("gomoku15");
    let mut session = session("gomoku15", true, BenchOptions::default());
    session.set_limit(HANG_CYCLES);
    let mut rng = fastrand::Rng::with_seed(3);
    session.command(Command::Place, &[7, 7]).unwrap();
    for _ in 0..20 {
        session.word(rng.u32(9..), &[]).unwrap();
        session.command(Command::Play, &[rng.u32(15..), rng.u32(16..)]).unwrap();
        session.command(Command::Play, &[7, 7]).unwrap();
    }
    same_board(&mut session, config.rows);
}

#[test]
fn the_core_without_trace_plays_the_same() {
    let config = config("gomoku7");
    let plan = |traced| Plan {
        config: config.clone(),
        seed: 11,
        moves: 300,
        games: Vec::new(),
        back_pressure: 0.3,
        traced,
        only_game: None,
        limit: HANG_CYCLES,
        waves: None,
    };
    let [with, without] = [true, false].map(|traced| {
        let (tally, fault) =
            run(&plan(traced), cosim::models::model(&config, Kind::core(traced)).unwrap(), &mut |_| {});
        assert!(fault.is_none(), "{}", fault.unwrap().fault);
        tally
    });
    assert_eq!(with.decisions, without.decisions);
    assert_eq!(with.cycles, without.cycles);
    assert!(without.moves >= 300 && without.nodes_compared == 0);
}

#[test]
fn identity_configuration_and_counters_are_read() {
    let mut session = session("gomoku7", true, BenchOptions::default());
    for selected in [selector::IDENTITY, selector::CONFIGURATION, selector::GAME] {
        session.command(Command::Read, &[selected as u32]).unwrap();
    }
    session.command(Command::Play, &[3, 3]).unwrap();
    let cycles = session.search_cycles().unwrap();
    let [passes, _] = session.read(selector::PASSES).unwrap();
    let nodes: u64 = (1..=5).map(|ply| u64::from(session.read(selector::NODES + ply).unwrap()[0])).sum();
    assert!(
        cycles > u64::from(passes) && u64::from(passes) >= nodes && nodes > 0,
        "{cycles} {passes} {nodes}"
    );
}

#[test]
fn the_same_seed_gives_the_same_cycles() {
    let cycles = |seed| {
        let mut session = session("gomoku7", true, BenchOptions { seed, ..BenchOptions::default() });
        (0..6).for_each(|_| {
            session.command(Command::Search, &[]).unwrap();
        });
        session.bench().cycle()
    };
    assert_eq!(cycles(5), cycles(5));
    // Two seeds may agree in their sum, all of them hardly.
    assert!((6..10).any(|seed| cycles(seed) != cycles(5)));
}
