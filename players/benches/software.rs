// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time of the software engines on positions of the measuring set: one iteration searches all of the sample.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use engine_model::notation::parse_games;
use engine_model::{Cell, Config};
use players::{FastEngine, IncrementalEngine, NaiveEngine, SoftwareEngine};
use std::hint::black_box;
use std::time::Duration;

const GOMOKU15: &str = include_str!("../../configs/gomoku15.toml");
const MIDGAME: &str = include_str!("../../positions/midgame_120.txt");
/// The naive engine takes a good part of a second per position.
const NAIVE_POSITIONS: usize = 2;
/// Positions of the sample of the other engines.
const POSITIONS: usize = 12;

/// Every n-th game of the measuring set, `count` in all.
fn sample(games: &[Vec<Cell>], count: usize) -> Vec<Vec<Cell>> {
    games.iter().step_by(games.len() / count).take(count).cloned().collect()
}

fn bench(criterion: &mut Criterion) {
    let full = Config::from_toml(GOMOKU15).expect("the shipped configuration is legal");
    let games = parse_games(MIDGAME, &full.geometry()).expect("the measuring set is legal");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let deep = |levels| Config { levels, beam: vec![10, 10, 6], ..full.clone() };
    let fast = |config: &Config, threads| -> Box<dyn SoftwareEngine> {
        Box::new(FastEngine::new(config, &[], threads).expect("the empty board is legal"))
    };
    let naive: Box<dyn SoftwareEngine> =
        Box::new(NaiveEngine::new(&full, &[]).expect("the empty board is legal"));
    let incremental: Box<dyn SoftwareEngine> =
        Box::new(IncrementalEngine::new(&full, &[]).expect("the empty board is legal"));
    for (name, mut engine, levels, positions) in [
        ("naive", naive, 4, NAIVE_POSITIONS),
        ("incremental", incremental, 4, POSITIONS),
        ("fast", fast(&full, 1), 4, POSITIONS),
        ("fast-all-cores", fast(&full, cores), 4, POSITIONS),
        ("fast beam 10,10,6", fast(&deep(6), 1), 6, POSITIONS),
        ("fast beam 10,10,6", fast(&deep(8), 1), 8, POSITIONS),
    ] {
        let sample = sample(&games, positions);
        criterion.bench_function(&format!("{name}, {levels} levels, {positions} positions"), |bencher| {
            bencher.iter(|| {
                for game in &sample {
                    engine.set_position(black_box(game)).expect("a game of the measuring set is legal");
                    black_box(engine.decide(levels));
                }
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500));
    targets = bench
}
criterion_main!(benches);
