// SPDX-License-Identifier: MIT OR Apache-2.0
//! Incremental counts and gains against recounts, and the symmetries of the board.
#![allow(missing_docs)]

mod common;
use common::{config, points, random_position};
use engine_model::evaluation::{Remaining, ceilings, evaluate, floor, ordered_moves};
use engine_model::plain::Plain;
use engine_model::position::Tables;
use engine_model::sample::{Most, configuration};
use engine_model::search::{NodePlace, Search};
use engine_model::{BoundKind, Cell, Config, Position, RuleSet};

#[test]
fn gains_are_differences_of_recounted_potentials() {
    for (m, n, k, seed) in [(15, 15, 5, 1), (7, 6, 4, 2), (3, 3, 3, 3), (9, 4, 5, 4), (20, 20, 6, 5)] {
        let config = config(m, n, k, 1);
        let tables = Tables::new(&config);
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..if m > 10 { 12 } else { 60 } {
            let stones = rng.usize(0..m * n * 2 / 3);
            let mut position = random_position(&tables, &mut rng, stones);
            if position.is_over() {
                continue;
            }
            let moves = points(&position);
            let first = position.side_to_move() == 0;
            let plain = Plain::new(&config, &moves);
            let before = plain.potential_of(first);
            assert_eq!(before, position.potential());
            let side = position.side_to_move();
            for cell in
                (0..(m * n) as Cell).filter(|&c| rng.usize(0..m * n) < 30 || c % 7 == 0).collect::<Vec<_>>()
            {
                if !position.is_empty(cell) {
                    continue;
                }
                let point = tables.geometry.point(cell);
                let gain = position.gain(side, cell);
                assert_eq!(gain, plain.gain_of(point.x, point.y));
                let completes = position.completes(side, cell);
                position.play(cell).unwrap();
                assert_eq!(position.winner().is_some(), completes);
                if !completes {
                    let mut after = moves.clone();
                    after.push((point.x, point.y));
                    let recount = Plain::new(&config, &after).potential_of(first);
                    assert_eq!(recount - before, gain, "{point} after {moves:?}");
                }
                position.undo();
            }
        }
    }
}

#[test]
fn undo_restores_every_count() {
    let tables = Tables::new(&config(8, 7, 5, 1));
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..200 {
        let stones = rng.usize(0..56);
        let mut position = random_position(&tables, &mut rng, stones);
        let before = format!("{position:?}");
        let mut played = 0;
        while !position.is_over() && played < 6 {
            let open: Vec<Cell> = (0..56).filter(|&c| position.is_empty(c)).collect();
            position.play(open[rng.usize(0..open.len())]).unwrap();
            played += 1;
        }
        (0..played).for_each(|_| {
            position.undo().unwrap();
        });
        assert_eq!(before, format!("{position:?}"));
    }
}

type Transform = Box<dyn Fn((usize, usize)) -> (usize, usize)>;

/// The transforms of an m x n board: 8 of a square one, 4 of an oblong one.
fn transforms(m: usize, n: usize) -> Vec<Transform> {
    let mut all: Vec<Transform> = Vec::new();
    for flip_x in [false, true] {
        for flip_y in [false, true] {
            for swap in if m == n { vec![false, true] } else { vec![false] } {
                all.push(Box::new(move |(x, y)| {
                    let (x, y) = (if flip_x { m - 1 - x } else { x }, if flip_y { n - 1 - y } else { y });
                    if swap { (y, x) } else { (x, y) }
                }));
            }
        }
    }
    all
}

#[test]
fn full_width_value_is_symmetric() {
    for (config, rounds) in [
        (config(6, 6, 4, 3), 60),
        (config(7, 5, 4, 3), 60),
        (Config { extensions: 2, ..config(8, 8, 5, 2) }, 60),
        (config(15, 15, 5, 2), 10),
    ] {
        let tables = Tables::new(&config);
        let mut rng = fastrand::Rng::with_seed(21);
        for _ in 0..rounds {
            let stones = rng.usize(0..config.columns * config.rows / 2);
            let mut position = random_position(&tables, &mut rng, stones);
            let moves = points(&position);
            let score = Search::new(&mut position, config.levels).decide().map(|d| d.score);
            for transform in transforms(config.columns, config.rows) {
                let turned: Vec<Cell> = moves
                    .iter()
                    .map(|&p| transform(p))
                    .map(|(x, y)| tables.geometry.cell(x, y).unwrap())
                    .collect();
                let mut turned = Position::from_moves(&tables, &turned).unwrap();
                let other = Search::new(&mut turned, config.levels).decide().map(|d| d.score);
                assert_eq!(score, other, "{moves:?}");
            }
        }
    }
}

#[test]
fn static_order_breaks_ties_from_the_centre() {
    // The empty board: the four centre cells of an even board tie on gain and distance, the lowest index wins.
    let tables = Tables::new(&config(6, 6, 4, 1));
    let mut position = Position::new(&tables);
    let decision = Search::new(&mut position, 1).decide().unwrap();
    assert_eq!(tables.geometry.point(decision.cell).to_string(), "2,2");
}

#[test]
fn unbuildable_configurations_say_why() {
    let good = config(15, 15, 5, 4);
    assert_eq!(good.check(), Ok(()));
    assert_eq!(Config::from_toml(&good.to_toml()).unwrap(), good);
    for (bad, part) in [
        (Config { columns: 21, ..good.clone() }, "columns = 21: must be 1 to 20"),
        (Config { in_a_row: 16, ..good.clone() }, "in_a_row = 16: must be 3 to 15"),
        (Config { levels: 0, ..good.clone() }, "levels = 0: must be 1 to 10"),
        (Config { beam: vec![], ..good.clone() }, "beam has 0 entries"),
        (Config { window_scores: vec![0, 1], ..good.clone() }, "window_scores has 2 entries: 5 are needed"),
        (Config { window_scores: vec![0, 4, 1, 5, 6], ..good.clone() }, "none may be smaller"),
        (Config { name: "5x".into(), ..good.clone() }, "must start with a letter"),
        (Config { four_three_bonus: 4096, ..good.clone() }, "four_three_bonus = 4096: must be 0 to 4095"),
        (Config { extensions: 9, ..good.clone() }, "extensions = 9: must be 0 to 8"),
        (Config { ahead: 31, ..good.clone() }, "ahead = 31: must be 0 to 30; the nearest is 30"),
        (Config { low_gain: 32768, ..good.clone() }, "low_gain = 32768: must be 0 to 32767"),
        (
            Config { transpositions: 1000, ..good.clone() },
            "power of two from 16 to 65536; the nearest is 1024",
        ),
        (Config { transpositions: 3, ..good.clone() }, "transpositions = 3: must be 0 (none) or a power"),
        (Config { transpositions: 1 << 17, ..good.clone() }, "the nearest is 65536"),
        (Config { contexts: 0, ..good.clone() }, "contexts = 0: must be 1 to 64"),
        (Config { contexts: 65, ..good.clone() }, "contexts = 65: must be 1 to 64"),
        (Config { rows_per_clock: 0, ..good.clone() }, "rows_per_clock = 0: must be 1 to 15"),
        (Config { rows_per_clock: 16, ..good.clone() }, "rows_per_clock = 16: must be 1 to 15"),
        (Config { columns: 1, rows_per_clock: 1, ..good }, "rows_per_clock = 1: must be 2 to 15"),
    ] {
        let message = bad.check().unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    let message = Config::from_toml("name = [").unwrap_err().to_string();
    assert!(message.contains("not a configuration"), "{message}");
}

#[test]
fn a_floor_is_never_above_the_value_of_the_first_move() {
    let mut rng = fastrand::Rng::with_seed(21);
    let (mut floors, mut tight) = (0, 0);
    for round in 0..600 {
        let mut config = configuration("floor", Most::SMALL, |range| rng.usize(range));
        (config.bound, config.rules) = (BoundKind::Reply, config.rules.max(RuleSet::Forced));
        let tables = Tables::new(&config);
        for _ in 0..20 {
            let stones = rng.usize(0..tables.geometry.cells());
            let mut position = random_position(&tables, &mut rng, stones);
            let remaining = Remaining { depth: 1, extensions: rng.usize(0..=config.extensions) };
            let evaluation = evaluate(&position, remaining);
            let Some(floor) = floor(&position, remaining, &evaluation) else { continue };
            let first = evaluation.best.unwrap().cell;
            position.play(first).unwrap();
            let place = NodePlace { ply: 1, remaining: Remaining { depth: 0, ..remaining } };
            let value = -Search::new(&mut position, 1).exact_value(place);
            assert!(floor <= value, "round {round}: {floor} against {value}, {config:?}");
            (floors, tight) = (floors + 1, tight + usize::from(floor == value));
        }
    }
    // It says something often, and could not say more everywhere.
    assert!(floors > 2_000 && tight > 100, "{floors} floors, {tight} of them tight");
}

#[test]
fn a_ceiling_is_never_below_the_value_of_a_move() {
    let mut rng = fastrand::Rng::with_seed(22);
    let (mut ceilings_seen, mut useful, mut tight) = (0, 0, 0);
    for round in 0..1500 {
        let mut config = configuration("ceiling", Most::SMALL, |range| rng.usize(range));
        (config.bound, config.rules, config.beam) =
            (BoundKind::Gain, config.rules.max(RuleSet::Forced), vec![0]);
        config.levels = config.levels.max(2);
        let tables = Tables::new(&config);
        let without = Tables::new(&Config { bound: BoundKind::None, ..config.clone() });
        for _ in 0..12 {
            let stones = rng.usize(0..tables.geometry.cells());
            let mut position = random_position(&tables, &mut rng, stones);
            let remaining = Remaining { depth: 2, extensions: rng.usize(0..=config.extensions) };
            let evaluation = evaluate(&position, remaining);
            let Some(ceilings) = ceilings(&mut position, remaining, &evaluation, 2) else { continue };
            let (before, moves) = (points(&position), ordered_moves(&position));
            let mut bare = Position::from_moves(&without, position.moves()).unwrap();
            let mut best = i32::MIN;
            for mv in &moves {
                let place = NodePlace { ply: 1, remaining: Remaining { depth: 1, ..remaining } };
                bare.play(mv.cell).unwrap();
                let value = -Search::new(&mut bare, 2).exact_value(place);
                bare.undo();
                let point = tables.geometry.point(mv.cell);
                if round % 30 == 0 {
                    // So says the plain reference too.
                    let mut after = before.clone();
                    after.push((point.x, point.y));
                    let mut plain = Plain::new(&config, &after);
                    assert_eq!(value, -plain.value(1, 1, remaining.extensions, 2));
                }
                if let Some(ceiling) = ceilings.within(&mut position, mv, i32::MAX) {
                    assert!(
                        value <= ceiling,
                        "round {round}: {ceiling} against {value} of {point}, {before:?} {config:?}"
                    );
                    ceilings_seen += 1;
                    (useful, tight) =
                        (useful + usize::from(ceiling <= best), tight + usize::from(ceiling == value));
                }
                best = best.max(value);
            }
        }
    }
    println!("{ceilings_seen} ceilings, {useful} of them refute, {tight} are tight");
    assert!(ceilings_seen > 15_000 && useful > 5_000 && tight > 50, "{ceilings_seen} {useful} {tight}");
}
