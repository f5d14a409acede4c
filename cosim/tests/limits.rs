// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches under a limit of clocks, counted by the core itself.
#![allow(missing_docs)]

use cosim::Kind;
use cosim::bench::BenchOptions;
use cosim::lockstep::Session;
use engine_model::engine::{DEEPENING_STEP, deepening};
use engine_model::evaluation::{Outcome, Remaining, evaluate};
use engine_model::named::named;
use engine_model::{BoundKind, Config};
use hdl::stream::{Command, selector};

/// By name; with a transposition table gomoku7, deeper and over a beam: what one iteration has stored is nothing to the next.
fn config(name: &str) -> Config {
    match name.strip_suffix("-transposed") {
        None => named(name).unwrap(),
        Some(base) => {
            let (levels, beam) = (6, vec![4, 4, 3, 0]);
            let (extensions, ahead, bound, transpositions) = (0, 1, BoundKind::Gain, 256);
            let base = named(base).unwrap();
            Config { name: name.into(), levels, beam, extensions, ahead, bound, transpositions, ..base }
        }
    }
}

fn session(name: &str) -> Session {
    let config = config(name);
    let model = cosim::models::model(&config, Kind::core(true)).unwrap();
    Session::new(model, &config, true, BenchOptions::unstalled(3))
}

/// Searches with this limit, compares every counter with the trace, takes the move back, and returns cycles and levels of the
/// decision.
fn search(session: &mut Session, limit: u32) -> (u64, usize) {
    session.command(Command::Limit, &[limit]).unwrap();
    let (before, waits) = (session.scoreboard().passed(), session.bench().waits());
    session.command(Command::Search, &[]).unwrap();
    let nodes = session.scoreboard().nodes_at_ply().to_vec();
    let cycles = session.search_cycles().unwrap();
    let passed = session.scoreboard().passed().since(before);
    let waits = session.bench().waits().since(waits);
    session.check_counters(&nodes, passed, waits, cycles).unwrap();
    let [same, levels] = session.read(selector::LIMIT).unwrap();
    assert_eq!(same, limit);
    session.command(Command::TakeBack, &[]).unwrap();
    (cycles, levels as usize)
}

/// The last search that is complete within the limit answers, the first in any case, and a longer limit never answers an earlier
/// one. Everything that the core shows meanwhile is compared as ever.
#[test]
fn the_last_search_within_the_limit_answers() {
    for (name, games) in [("gomoku7", 12), ("tictactoe", 8), ("gomoku7-transposed", 6)] {
        let mut session = session(name);
        let built = session.face().levels();
        let mut rng = fastrand::Rng::with_seed(7);
        let (mut cut, mut searched) = (0, 0);
        for _ in 0..games {
            session.command(Command::Reset, &[]).unwrap();
            for _ in 0..rng.usize(1..5) {
                let open = session.face().position().candidates();
                let point = session.face().position().tables().geometry.point(open[rng.usize(0..open.len())]);
                session.command(Command::Place, &[point.x as u32, point.y as u32]).unwrap();
            }
            let position = session.face().position().clone();
            let remaining = Remaining { depth: built, extensions: position.tables().config.extensions };
            if position.is_over()
                || !matches!(evaluate(&position, remaining).outcome, Outcome::Open | Outcome::Forced)
            {
                continue;
            }
            searched += 1;
            // Without end: all of them, one after another.
            let (whole, deepest) = search(&mut session, u32::MAX);
            assert_eq!(deepest, built);
            let mut before = 0;
            for limit in (1..=10).map(|tenth| whole as u32 * tenth / 10 + 1).chain([1]) {
                let (cycles, levels) = search(&mut session, limit);
                assert!(deepening(built).any(|level| level == levels));
                // The core is told a clock late, and its levels stop one after another.
                let first = levels == DEEPENING_STEP.min(built);
                assert!(
                    first || levels == built || cycles + 4 >= u64::from(limit),
                    "{levels} levels, {cycles} of {limit}"
                );
                assert!(first || cycles <= u64::from(limit) + 60, "{levels} levels, {cycles} of {limit}");
                assert!(
                    limit == 1 || levels >= before,
                    "{limit} clocks: {levels} levels, fewer clocks: {before}"
                );
                before = levels;
                cut += usize::from(levels < built);
            }
            assert_eq!(search(&mut session, 1).1, DEEPENING_STEP.min(built));
            // No limit again: one search of all levels.
            let (alone, levels) = search(&mut session, 0);
            assert!(levels == built && (alone < whole || built <= DEEPENING_STEP), "{alone} of {whole}");
        }
        assert!(searched > 3 && cut > searched, "{name}: {searched} searched, {cut} cut short");
    }
}

#[test]
fn rules_and_the_empty_board_need_no_search() {
    let mut session = session("gomoku7");
    session.command(Command::Limit, &[1000]).unwrap();
    session.command(Command::Search, &[]).unwrap();
    let centre = session.face().position().moves()[0];
    assert_eq!(session.face().position().tables().geometry.point(centre).to_string(), "3,2");
    assert_eq!(session.read(selector::LIMIT).unwrap(), [1000, DEEPENING_STEP as u32]);
    assert_eq!(session.read(selector::GAME).unwrap()[0], 0);
}
