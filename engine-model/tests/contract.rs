// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast search decides and scores exactly as the plain reference does.
#![allow(missing_docs)]

mod common;
use common::{config, named, points, random_position};
use engine_model::named::NAMED;
use engine_model::notation::parse_games;
use engine_model::plain::Plain;
use engine_model::position::Tables;
use engine_model::sample::{self, Most};
use engine_model::search::{Counters, Search};
use engine_model::{BoundKind, Cell, Config, LeafKind, Position, RuleSet};

/// Compares decision and score on `count` random positions.
fn fast_equals_plain(config: &Config, count: usize, seed: u64) {
    config.check().unwrap();
    let tables = Tables::new(config);
    let mut rng = fastrand::Rng::with_seed(seed);
    for round in 0..count {
        let stones = rng.usize(0..tables.geometry.cells());
        let mut position = random_position(&tables, &mut rng, stones);
        let moves = points(&position);
        let fast = Search::new(&mut position, config.levels).decide();
        let plain = Plain::new(config, &moves).decide(config.levels);
        let fast = fast.map(|d| {
            let point = tables.geometry.point(d.cell);
            ((point.x, point.y), d.score)
        });
        assert_eq!(fast, plain, "round {round} of seed {seed}, moves {moves:?}, {config:?}");
    }
}

#[test]
fn small_boards_full_width() {
    fast_equals_plain(&config(3, 3, 3, 9), 60, 1);
    fast_equals_plain(&config(4, 4, 3, 3), 400, 2);
    fast_equals_plain(&config(4, 4, 4, 3), 200, 3);
    fast_equals_plain(&config(5, 5, 4, 2), 400, 4);
    fast_equals_plain(&config(7, 1, 3, 4), 500, 5);
    fast_equals_plain(&config(6, 5, 5, 2), 100, 6);
}

#[test]
fn beams_and_extensions() {
    for (extensions, seed) in [(1, 10), (2, 11), (4, 12)] {
        let base = config(5, 5, 4, 3);
        fast_equals_plain(&Config { extensions, beam: vec![4, 3], ..base.clone() }, 100, seed);
        fast_equals_plain(&Config { extensions, beam: vec![3, 0, 2], ..base }, 40, seed + 10);
    }
    fast_equals_plain(&Config { beam: vec![6, 4], extensions: 3, ..config(6, 6, 5, 4) }, 20, 30);
}

#[test]
fn every_rule_set_and_leaf() {
    for (i, rules) in
        [RuleSet::None, RuleSet::Forced, RuleSet::Double, RuleSet::Restricted].into_iter().enumerate()
    {
        for leaf in [LeafKind::Potential, LeafKind::HalfGain] {
            let base = Config { rules, leaf, ..config(5, 4, 4, 2) };
            fast_equals_plain(&base, 60, 40 + i as u64);
            fast_equals_plain(&Config { levels: 3, beam: vec![5], extensions: 2, ..base }, 40, 50 + i as u64);
        }
    }
    let bare =
        Config { rules: RuleSet::None, leaf: LeafKind::Potential, four_three_bonus: 0, ..config(4, 4, 4, 3) };
    fast_equals_plain(&bare, 100, 60);
}

#[test]
fn radius_two() {
    fast_equals_plain(&Config { candidate_radius: 2, ..config(5, 5, 4, 2) }, 100, 70);
}

#[test]
fn gomoku15_shallow() {
    fast_equals_plain(&config(15, 15, 5, 1), 2, 80);
}

#[test]
fn bounds_save_nodes_and_change_nothing() {
    let games = include_str!("../../positions/midgame_120.txt");
    let config = named("gomoku15");
    let games = parse_games(games, &config.geometry()).unwrap();
    let searched = |bound: BoundKind| {
        let tables = Tables::new(&Config { bound, ..config.clone() });
        let search = |game: &Vec<Cell>| {
            let mut position = Position::from_moves(&tables, game).unwrap();
            let mut search = Search::new(&mut position, 3);
            (search.decide(), search.counters)
        };
        let (decisions, counters): (Vec<_>, Vec<_>) = games.iter().step_by(6).map(search).unzip();
        (decisions, counters.iter().map(|c| c.nodes()).sum::<u64>(), counters)
    };
    let [none, gain, reply] = [BoundKind::None, BoundKind::Gain, BoundKind::Reply].map(searched);
    assert_eq!(none.0, gain.0);
    assert_eq!(none.0, reply.0);
    assert!(none.1 > gain.1 && gain.1 > reply.1, "{} {} {} nodes", none.1, gain.1, reply.1);
    let left = |counters: &[Counters]| counters.iter().flat_map(|c| &c.floored_at_ply).sum::<u64>();
    // Few are left: one reply refutes most moves two levels above leaves, which is at ply 1 here.
    assert!(left(&gain.2) == 0 && left(&reply.2) > 10, "{} nodes left", left(&reply.2));
    let refuted =
        |counters: &[Counters]| counters.iter().filter_map(|c| c.bounded_at_ply.get(1)).sum::<u64>();
    assert!(refuted(&none.2) == 0 && refuted(&gain.2) > 200, "{} moves refuted", refuted(&gain.2));
}

#[test]
fn the_score_of_a_win_follows_from_the_page() {
    let mut rng = fastrand::Rng::with_seed(77);
    let random = sample::many("random", 100, Most::LEGAL, |range| rng.usize(range));
    let shipped = NAMED.iter().map(|(name, _)| engine_model::named::named(name).unwrap());
    for config in shipped.chain(random) {
        assert_eq!(Plain::new(&config, &[]).win_score(), config.scoring().win_score, "{config:?}");
    }
    // The page's table.
    let page = include_str!("../../docs/search-contract.md");
    let thousands = |number: i32| match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    };
    for name in ["gomoku15", "gomoku15-deep", "gomoku7", "tictactoe"] {
        let scoring = engine_model::named::named(name).unwrap().scoring();
        let (p, w) = (scoring.win_score - scoring.unproved, thousands(scoring.win_score));
        assert!(page.contains(&format!("| {name} | {p} | {w} |")), "{name}: P {p}, W {w}");
    }
}
