// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games in lockstep on the small configurations.
#![allow(missing_docs)]

use cosim::Kind;
use cosim::lockstep::{HANG_CYCLES, Plan, run};
use engine_model::Config;

fn config(name: &str) -> Config {
    engine_model::named::named(name).unwrap()
}

fn plan(name: &str, moves: u64, back_pressure: f64) -> Plan {
    Plan {
        config: config(name),
        seed: 1,
        moves,
        games: Vec::new(),
        back_pressure,
        traced: true,
        only_game: None,
        limit: HANG_CYCLES,
        waves: None,
    }
}

/// Plays in lockstep; the cycles of all full searches are `cycles`: a slower search is a change to be explained.
fn plays(name: &str, moves: u64, back_pressure: f64, cycles: u64) {
    let plan = plan(name, moves, back_pressure);
    let (tally, fault) =
        run(&plan, cosim::models::model(&plan.config, Kind::core(true)).unwrap(), &mut |_| {});
    if let Some(report) = fault {
        panic!("game {}, moves {:?}: {}", report.game, report.moves, report.fault);
    }
    println!(
        "{name}: {} moves, {} nodes, {} returns, {} stale, mean {} cycles, {:.0} cycles/s",
        tally.moves,
        tally.nodes_compared,
        tally.returns_compared,
        tally.stale,
        tally.cycles.iter().sum::<u64>() / tally.cycles.len() as u64,
        tally.speed.per_second()
    );
    assert!(tally.moves >= moves && tally.nodes_compared > tally.moves);
    assert_eq!(tally.cycles.iter().sum::<u64>(), cycles, "{name}: cycles of {} searches", tally.cycles.len());
}

#[test]
fn tictactoe_plays_like_the_model() {
    plays("tictactoe", 100, 0.0, 29_249);
}

#[test]
fn gomoku7_plays_like_the_model() {
    plays("gomoku7", 200, 0.0, 37_603);
    plays("gomoku7", 100, 0.5, 22_289);
}

#[test]
fn gomoku15_plays_like_the_model() {
    plays("gomoku15", 6, 0.1, 3_505);
}
