// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test vectors of the search contract (`docs/search-contract.json`): decisions of the plain reference, and every backend held to them.
#![allow(missing_docs)]

use cosim::Kind;
use cosim::bench::BenchOptions;
use cosim::models::{Wanted, load};
use cosim::rtl_engine::RtlEngine;
use engine_model::notation::{format_game, parse_game};
use engine_model::plain::Plain;
use engine_model::position::Tables;
use engine_model::{BoundKind, Cell, Config, Engine, LeafKind, ModelEngine, Position, RuleSet};
use players::{FastEngine, IncrementalEngine, NaiveEngine, SoftwareEngine};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Levels that each position is searched with: 1 to this many.
const LEVELS: usize = 4;
/// Of the positions' dice.
const SEED: u64 = 49;
/// Positions of a rule set.
const POSITIONS: usize = 50;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/search-contract.json")
}

/// A small configuration of each rule set; between them both leaves, both radii, beams and extensions.
fn configs() -> Vec<Config> {
    let base = Config {
        name: String::new(),
        columns: 5,
        rows: 5,
        in_a_row: 4,
        levels: LEVELS,
        beam: vec![0],
        extensions: 0,
        candidate_radius: 1,
        rules: RuleSet::None,
        leaf: LeafKind::HalfGain,
        window_scores: vec![0, 1, 5, 21],
        four_three_bonus: 64,
        contexts: 2,
        rows_per_clock: 5,
        bound: BoundKind::None,
        trace: false,
        clock_mhz: 100,
        ahead: 0,
        low_gain: 0,
        transpositions: 0,
    };
    let named = |name: &str, rules| Config { name: format!("vectors-{name}"), rules, ..base.clone() };
    vec![
        Config { leaf: LeafKind::Potential, ..named("none", RuleSet::None) },
        Config { extensions: 2, beam: vec![0, 6, 4], ..named("forced", RuleSet::Forced) },
        Config { candidate_radius: 2, ..named("double", RuleSet::Double) },
        Config { extensions: 1, beam: vec![8, 0, 5], columns: 6, ..named("restricted", RuleSet::Restricted) },
    ]
}

/// Positions of games that go on, each once: the empty board, then some of every length, grown by moves beside stones and some elsewhere.
fn positions(config: &Config, seed: u64) -> Vec<Vec<Cell>> {
    let tables = Tables::new(config);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut found = vec![Vec::new()];
    while found.len() < POSITIONS {
        let mut position = Position::new(&tables);
        let stones = 1 + found.len() * (tables.geometry.cells() - 3) / POSITIONS;
        let wild = rng.u32(0..4) == 0;
        while position.stones() < stones && !position.is_over() {
            let cells = 0..tables.geometry.cells() as Cell;
            let open: Vec<Cell> =
                cells.filter(|&c| position.is_empty(c) && (wild || position.is_candidate(c))).collect();
            position.play(open[rng.usize(0..open.len())]).unwrap();
        }
        let moves = position.moves().to_vec();
        if !position.is_over() && !found.contains(&moves) {
            found.push(moves);
        }
    }
    found
}

/// What the plain reference decides.
fn reference(config: &Config, moves: &[Cell], levels: usize) -> Value {
    let geometry = config.geometry();
    let point = |&cell: &Cell| (geometry.point(cell).x, geometry.point(cell).y);
    let points: Vec<(usize, usize)> = moves.iter().map(point).collect();
    let ((x, y), score) = Plain::new(config, &points).decide(levels).expect("the game goes on");
    json!({ "levels": levels, "move": format!("{x},{y}"), "score": score })
}

/// The file's text, by the plain reference.
fn written() -> String {
    let set = |(index, config): (usize, Config)| {
        let geometry = config.geometry();
        let position = |moves: Vec<Cell>| {
            let decisions: Vec<Value> =
                (1..=LEVELS).map(|levels| reference(&config, &moves, levels)).collect();
            json!({ "moves": format_game(&moves, &geometry), "decisions": decisions })
        };
        let positions: Vec<String> = positions(&config, SEED + index as u64)
            .into_iter()
            .map(|moves| format!("      {}", position(moves)))
            .collect();
        let win = Plain::new(&config, &[]).win_score();
        format!(
            "  {{ \"win_score\": {win},\n    \"config\": {},\n    \"positions\": [\n{}\n    ] }}",
            json!(config.parameters()),
            positions.join(",\n")
        )
    };
    let sets: Vec<String> = configs().into_iter().enumerate().map(set).collect();
    format!(
        "{{ \"format\": \"tengen-search-contract 1\",\n  \"about\": \"decisions by docs/search-contract.md: squares x,y from the upper left, from 0; \
         scores in half-points for the side to move\",\n  \"sets\": [\n{}\n] }}\n",
        sets.join(",\n")
    )
}

/// `UPDATE_EXPECT=1 cargo test --test vectors` writes the file anew, in some minutes. Of what is slow, 3 and 4 levels of an empty board, the
/// reference is asked for a part here; the other engines are held to all of it.
#[test]
fn the_vectors_are_the_plain_references() {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file(), written()).unwrap();
    }
    for ((index, (config, _, positions)), today) in sets().into_iter().enumerate().zip(configs()) {
        assert_eq!(config, today, "UPDATE_EXPECT=1 cargo test --test vectors");
        let geometry = config.geometry();
        let wanted = self::positions(&config, SEED + index as u64);
        for (place, (position, moves)) in positions.iter().zip(wanted).enumerate() {
            assert_eq!(position["moves"], format_game(&moves, &geometry));
            let empty = geometry.cells() - moves.len();
            let quick = [usize::MAX, usize::MAX, if place % 5 == 0 { 26 } else { 12 }, 12];
            for (levels, most) in (1..=LEVELS).zip(quick).filter(|(_, most)| empty <= *most) {
                let decision = reference(&config, &moves, levels);
                assert_eq!(
                    position["decisions"][levels - 1],
                    decision,
                    "{} {moves:?} at {most}",
                    config.name
                );
            }
        }
    }
}

/// The sets of the file: configuration, score of a win, positions.
fn sets() -> Vec<(Config, i64, Vec<Value>)> {
    let read: Value = serde_json::from_str(&std::fs::read_to_string(file()).unwrap()).unwrap();
    let set = |set: &Value| {
        let config: Config = serde_json::from_value(set["config"].clone()).unwrap();
        config.check().unwrap();
        (config, set["win_score"].as_i64().unwrap(), set["positions"].as_array().unwrap().clone())
    };
    let sets: Vec<_> = read["sets"].as_array().unwrap().iter().map(set).collect();
    assert_eq!(sets.len(), 4);
    assert!(sets.iter().all(|(_, _, positions)| positions.len() == POSITIONS));
    sets
}

/// Compares a backend with every vector of a set: it is given moves and levels, and answers square and score.
fn held(
    config: &Config,
    positions: &[Value],
    who: &str,
    mut decide: impl FnMut(&[Cell], usize) -> (Cell, i32),
) {
    let geometry = config.geometry();
    for position in positions {
        let text = position["moves"].as_str().unwrap();
        let moves = parse_game(text, 1, &geometry).unwrap();
        for wanted in position["decisions"].as_array().unwrap() {
            let levels = wanted["levels"].as_u64().unwrap() as usize;
            let (cell, score) = decide(&moves, levels);
            let got = json!({ "levels": levels, "move": geometry.point(cell).to_string(), "score": score });
            assert_eq!(got, *wanted, "{who}, {}, [{text}]", config.name);
        }
    }
}

fn held_engine(config: &Config, positions: &[Value], engine: &mut dyn Engine) {
    let name = engine.name();
    held(config, positions, &name, |moves, levels| {
        engine.set_position(moves).unwrap();
        let decision = engine.search(Some(levels)).unwrap();
        (decision.cell.unwrap(), decision.score)
    });
}

#[test]
fn model_and_software_are_held_to_them() {
    for (config, win, positions) in sets() {
        assert_eq!(i64::from(Tables::new(&config).scoring.win_score), win);
        held_engine(&config, &positions, &mut ModelEngine::new(&config));
        let engines: [Box<dyn SoftwareEngine>; 4] = [
            Box::new(NaiveEngine::new(&config, &[]).unwrap()),
            Box::new(IncrementalEngine::new(&config, &[]).unwrap()),
            Box::new(FastEngine::new(&config, &[], 1).unwrap()),
            Box::new(FastEngine::new(&config, &[], 2).unwrap()),
        ];
        for mut engine in engines {
            held(&config, &positions, engine.name(), |moves, levels| {
                engine.set_position(moves).unwrap();
                let decision = engine.decide(levels).decision.unwrap();
                (decision.cell, decision.score)
            });
        }
    }
}

#[test]
fn the_simulated_core_is_held_to_them() {
    let sets = sets();
    let wanted: Vec<Wanted> = sets.iter().map(|(config, ..)| Wanted::new(config, Kind::Core)).collect();
    for ((config, _, positions), model) in sets.iter().zip(load(&wanted).unwrap()) {
        held_engine(config, positions, &mut RtlEngine::new(model, config, false, BenchOptions::default()));
    }
}
