// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every software engine decides and scores exactly as the model's search does.
#![allow(missing_docs)]

#[path = "../../engine-model/tests/common/mod.rs"]
mod common;
use common::{config, random_position};
use engine_model::notation::parse_games;
use engine_model::position::Tables;
use engine_model::search::Search;
use engine_model::{Cell, Config, Engine, EngineError, IllegalMove, LeafKind, Position, RuleSet};
use players::{FastEngine, IncrementalEngine, NaiveEngine, SoftwareEngine};

const GOMOKU15: &str = include_str!("../../configs/gomoku15.toml");
const GOMOKU7: &str = include_str!("../../configs/gomoku7.toml");
const TICTACTOE: &str = include_str!("../../configs/tictactoe.toml");
const MIDGAME: &str = include_str!("../../positions/midgame_120.txt");

fn fast_engines(config: &Config) -> Vec<Box<dyn SoftwareEngine>> {
    let fast = |threads| Box::new(FastEngine::new(config, &[], threads).unwrap()) as Box<dyn SoftwareEngine>;
    vec![fast(1), fast(2), fast(3), Box::new(FastEngine::portable(config, &[], 1).unwrap())]
}

fn all_engines(config: &Config) -> Vec<Box<dyn SoftwareEngine>> {
    let mut engines = fast_engines(config);
    engines.push(Box::new(NaiveEngine::new(config, &[]).unwrap()));
    engines.push(Box::new(IncrementalEngine::new(config, &[]).unwrap()));
    engines
}

/// Compares the engines with the model's search on one position.
fn agree(engines: &mut [Box<dyn SoftwareEngine>], position: &mut Position, levels: usize) {
    let expected = Search::new(position, levels).decide();
    for engine in engines {
        engine.set_position(position.moves()).unwrap();
        let found = engine.decide(levels).decision;
        let (moves, config) = (position.moves(), &position.tables().config);
        assert_eq!(found, expected, "{} at {levels} levels after {moves:?}, {config:?}", engine.describe());
    }
}

/// Compares `engines` on `count` random positions, at the configuration's levels and one less.
fn agree_at_random(config: &Config, mut engines: Vec<Box<dyn SoftwareEngine>>, count: usize, seed: u64) {
    config.check().unwrap();
    let tables = Tables::new(config);
    let mut rng = fastrand::Rng::with_seed(seed);
    for round in 0..count {
        let stones = rng.usize(0..=tables.geometry.cells());
        let mut position = random_position(&tables, &mut rng, stones);
        agree(&mut engines, &mut position, config.levels - round % 2 * (config.levels - 1).min(1));
    }
}

#[test]
fn shipped_small_configurations() {
    for (text, seed) in [(GOMOKU7, 1), (TICTACTOE, 2)] {
        let config = Config::from_toml(text).unwrap();
        agree_at_random(&config, all_engines(&config), 60, seed);
    }
    let tictactoe = Config::from_toml(TICTACTOE).unwrap();
    agree(&mut all_engines(&tictactoe), &mut Position::new(&Tables::new(&tictactoe)), 9);
}

#[test]
fn every_rule_set_leaf_and_extension() {
    let mut seed = 100;
    for rules in [RuleSet::None, RuleSet::Forced, RuleSet::Double, RuleSet::Restricted] {
        for leaf in [LeafKind::Potential, LeafKind::HalfGain] {
            for extensions in 0..=2 {
                for (beam, radius) in [(vec![0], 1), (vec![4, 3, 2], 2)] {
                    let config = Config {
                        rules,
                        leaf,
                        extensions,
                        beam,
                        candidate_radius: radius,
                        ..config(6, 5, 4, 3)
                    };
                    agree_at_random(&config, all_engines(&config), 12, seed);
                    seed += 1;
                }
            }
        }
    }
}

#[test]
fn boards_of_every_shape() {
    for (i, (columns, rows, in_a_row)) in [
        (9, 1, 3),
        (1, 20, 4),
        (20, 3, 5),
        (9, 4, 5),
        (7, 8, 6),
        (4, 11, 7),
        (16, 15, 5),
        (12, 20, 5),
        (8, 8, 3),
    ]
    .into_iter()
    .enumerate()
    {
        let config = Config {
            in_a_row,
            candidate_radius: 1 + i % 2,
            window_scores: (0..in_a_row as u32).map(|n| n * n).collect(),
            extensions: 1,
            ..config(columns, rows, in_a_row.min(6), 2)
        };
        agree_at_random(&config, all_engines(&config), 8, 200 + i as u64);
    }
}

#[test]
fn the_largest_board_and_the_largest_gains() {
    let mut config = Config { beam: vec![6, 4], ..config(20, 20, 5, 2) };
    agree_at_random(&config, fast_engines(&config), 6, 300);
    config = Config { in_a_row: 20, window_scores: (0..20).map(|n| n * 50).collect(), ..config };
    agree_at_random(&config, fast_engines(&config), 6, 301);
    config = Config { in_a_row: 10, window_scores: std::iter::once(0).chain([3276; 9]).collect(), ..config };
    assert!(config.scoring().max_gain > i16::MAX.into());
    agree_at_random(&config, fast_engines(&config), 6, 302);
}

#[test]
fn gomoku15_random_and_midgame() {
    let full = Config::from_toml(GOMOKU15).unwrap();
    let deep = Config { levels: 5, beam: vec![10, 10, 6], extensions: 2, ..full.clone() };
    let narrow = Config { levels: 4, beam: vec![4, 3, 2], ..full.clone() };
    let games = parse_games(MIDGAME, &full.geometry()).unwrap();
    for (config, levels, step) in [(&full, 4, 9), (&full, 3, 7), (&deep, 5, 8), (&narrow, 4, 3)] {
        let tables = Tables::new(config);
        let mut engines = fast_engines(config);
        for game in games.iter().step_by(step) {
            agree(&mut engines, &mut Position::from_moves(&tables, game).unwrap(), levels);
        }
    }
    let tables = Tables::new(&full);
    let mut engines = all_engines(&full);
    for game in games.iter().step_by(40) {
        agree(&mut engines, &mut Position::from_moves(&tables, game).unwrap(), 2);
    }
    agree(&mut fast_engines(&full), &mut Position::new(&tables), 2);
    let shallow = Config { levels: 2, ..full };
    agree_at_random(&shallow, fast_engines(&shallow), 60, 400);
}

#[test]
fn node_counts_do_not_depend_on_the_number_of_threads() {
    let config = Config::from_toml(GOMOKU15).unwrap();
    for game in parse_games(MIDGAME, &config.geometry()).unwrap().iter().step_by(30) {
        let nodes: Vec<u64> = [2, 2, 3, 5]
            .into_iter()
            .map(|threads| FastEngine::new(&config, game, threads).unwrap().decide(3).nodes)
            .collect();
        assert!(nodes.iter().all(|&count| count == nodes[0]), "{nodes:?}");
    }
}

#[test]
fn the_fast_engine_plays() {
    let config = Config::from_toml(TICTACTOE).unwrap();
    let mut engine = FastEngine::new(&config, &[], 1).unwrap();
    for _ in 0..9 {
        let decision = engine.search(None).unwrap();
        assert_eq!(decision.score, 0);
        assert!(decision.cell.is_some());
    }
    assert_eq!(engine.search(None).unwrap().cell, None);
    assert!(matches!(engine.search(Some(10)), Err(EngineError::Levels { asked: 10, built: 9 })));
    engine.new_game().unwrap();
    engine.play(4).unwrap();
    assert!(matches!(engine.play(4), Err(EngineError::Illegal(IllegalMove::Occupied { .. }))));
    assert!(Engine::set_position(&mut engine, &[0, 9]).is_err());
    assert_eq!(engine.position().moves(), [4 as Cell]);
}
