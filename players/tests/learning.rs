// SPDX-License-Identifier: MIT OR Apache-2.0
//! Learning: a line that won once does not win for long, whichever way the board is turned; searches that are stopped; the
//! choice among near-equals.
#![allow(missing_docs)]

#[path = "../../engine-model/tests/common/mod.rs"]
mod common;

use common::named;
use engine_model::notation::parse_games;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Engine, EngineError, ModelEngine, Position};
use players::opponents::{WIN, greedy};
use players::pvs::lessons::Lesson;
use players::pvs::{Options, Pvs};
use players::roster::PLAYERS;
use std::collections::HashSet;

fn fresh(config: &Config, depth: usize) -> Pvs {
    Pvs::new(config, Options { depth, table_bytes: 1 << 20, ..Options::default() })
}

/// How many new positions a lost game teaches.
fn taught(engine: &mut Pvs, moves: &[Cell], side: usize) -> usize {
    let mut lessons = 0;
    engine.replay(moves, side, &mut |_| lessons += 1);
    lessons
}

/// A game of an engine against whoever answers a position; the moves and the winner.
fn game(
    config: &Config,
    engine: &mut dyn Engine,
    engine_side: usize,
    opponent: &mut dyn FnMut(&[Cell]) -> Cell,
) -> (Vec<Cell>, Option<usize>) {
    let mut position = Position::new(&Tables::new(config));
    while !position.is_over() {
        let cell = if position.side_to_move() == engine_side {
            engine.set_position(position.moves()).unwrap();
            engine.search(None).unwrap().cell.unwrap()
        } else {
            opponent(position.moves())
        };
        position.play(cell).unwrap();
    }
    (position.moves().to_vec(), position.winner())
}

/// Plays a line as long as the game follows it, then what `greedy` would.
fn fixed_line(config: &Config, line: Vec<Cell>) -> impl FnMut(&[Cell]) -> Cell {
    let mut otherwise = greedy(config);
    move |moves: &[Cell]| match line.get(moves.len()) {
        Some(cell) if line.starts_with(moves) => *cell,
        _ => {
            otherwise.set_position(moves).unwrap();
            otherwise.search(None).unwrap().cell.unwrap()
        }
    }
}

/// A line by which the model beats the fresh engine that plays `engine_side`.
fn winning_line(config: &Config, engine: &mut Pvs, engine_side: usize) -> Vec<Cell> {
    let mut model = ModelEngine::new(config);
    let (line, winner) = game(config, engine, engine_side, &mut |moves| {
        model.set_position(moves).unwrap();
        model.search(None).unwrap().cell.unwrap()
    });
    assert_eq!(winner, Some(1 - engine_side), "the model wins");
    line
}

#[test]
fn a_line_that_won_does_not_win_for_long() {
    // With scores by which the model wins all of these games, whatever scores are shipped.
    let config = Config { window_scores: vec![0, 1, 4, 12, 28], ..named("gomoku15") };
    for (depth, side) in [(2, 0), (2, 1), (3, 0), (4, 0), (4, 1)] {
        let line = winning_line(&config, &mut fresh(&config, depth), side);
        let mut engine = fresh(&config, depth);
        let mut script = fixed_line(&config, line.clone());
        let (first, winner) = game(&config, &mut engine, side, &mut script);
        assert_eq!((&first, winner), (&line, Some(1 - side)), "a fresh engine loses the line");
        let mut lost = 1;
        let mut moves = first;
        loop {
            assert!(taught(&mut engine, &moves, side) > 0);
            let (next, winner) = game(&config, &mut engine, side, &mut script);
            assert_ne!(next, moves, "what was learnt is not played again");
            if winner != Some(1 - side) {
                break;
            }
            (moves, lost) = (next, lost + 1);

            assert!(lost <= 3, "{depth} levels as {side}: lost {lost} games");
        }
        println!("{depth} levels as {side}: lost {lost} games");
        // Lessons are all there is to it: another engine that is told them plays as well.
        let mut lessons: Vec<Lesson> = Vec::new();
        fresh(&config, depth).replay(&line, side, &mut |lesson| lessons.push(lesson.clone()));
        let mut told = fresh(&config, depth);
        assert!(lessons.iter().all(|lesson| told.learn(lesson)));
        let (next, _) = game(&config, &mut told, side, &mut script);
        assert_ne!(next, line);
    }
}

#[test]
fn lessons_are_true() {
    // Every value learnt is what a search to the end finds: on a small board that can be had.
    let config = Config { name: "small".into(), columns: 5, rows: 5, in_a_row: 4, ..named("gomoku7") };
    let config = Config { rows_per_clock: 5, window_scores: vec![0, 1, 4, 12], ..config };
    config.check().unwrap();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut seen = 0;
    for _ in 0..60 {
        let mut engine = fresh(&config, 2);
        let mut own = greedy(&config);
        let (moves, winner) = game(&config, &mut own, 0, &mut |moves| {
            let free: Vec<Cell> = (0..25).filter(|cell| !moves.contains(cell)).collect();
            free[rng.usize(..free.len())]
        });
        let Some(winner) = winner else { continue };
        let mut lessons = Vec::new();
        engine.replay(&moves, 1 - winner, &mut |lesson| lessons.push(lesson.clone()));
        assert!(!lessons.is_empty());
        for lesson in lessons {
            let stones = lesson.stones.iter().map(Vec::len).sum::<usize>();
            let plies = lesson.plies.unsigned_abs() as usize;
            let mut moves = Vec::new();
            for index in 0..stones {
                moves.push(lesson.stones[index % 2][index / 2]);
            }
            let mut judge = Pvs::new(&config, Options { margin: 5, ..Options::default() });
            // The order of stones may complete a line early only if one is complete: it is not.
            judge.set_position(&moves).unwrap();
            let (_, value, _) = judge.best(plies).unwrap();
            // A win no later than learnt, a loss at all.
            if lesson.plies > 0 {
                assert!(value >= WIN - lesson.plies, "{lesson:?}: {value}");
            } else {
                assert!(value < 0 && value.abs() > WIN - 1_000, "{lesson:?}: {value}");
            }
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn what_is_known_is_known_turned_and_mirrored_and_of_this_game_only() {
    let config = named("gomoku15");
    let cell = |x: usize, y: usize| (y * 15 + x) as Cell;
    let lesson = Lesson {
        columns: 15,
        rows: 15,
        in_a_row: 5,
        stones: [vec![cell(8, 5), cell(7, 7)], vec![cell(9, 6)]],
        plies: -6,
    };
    assert_eq!(lesson.to_move(), 1);
    let mut engine = Pvs::new(&config, Options::default());
    assert!(engine.memory().is_empty() && engine.learn(&lesson));
    assert_eq!(engine.memory().len(), 8);
    type Turn = fn(usize, usize) -> (usize, usize);
    let turns: [Turn; 8] = [
        |x, y| (x, y),
        |x, y| (14 - x, y),
        |x, y| (x, 14 - y),
        |x, y| (14 - x, 14 - y),
        |x, y| (y, x),
        |x, y| (14 - y, x),
        |x, y| (y, 14 - x),
        |x, y| (14 - y, 14 - x),
    ];
    for turn in turns {
        let at = |x, y| {
            let (x, y) = turn(x, y);
            cell(x, y)
        };
        // To the side that moves there it is a win, and no other move leads to the like of it.
        engine.set_position(&[at(7, 7), at(9, 6)]).unwrap();
        let (best, value, _) = engine.best(1).unwrap();
        assert_eq!((best, value), (at(8, 5), WIN - 7));
    }
    let rectangular = Config { columns: 12, ..config.clone() };
    let mut other = Pvs::new(&rectangular, Options::default());
    assert!(!other.learn(&lesson), "another board");
    assert!(other.learn(&Lesson { columns: 12, ..lesson.clone() }));
    assert_eq!(other.memory().len(), 4);
}

#[test]
fn a_way_out_that_the_engine_does_not_look_at_is_no_loss() {
    let config = named("gomoku15");
    let cell = |(x, y): (usize, usize)| (y * 15 + x) as Cell;
    // Four in a row, closed at one end; the cell at the other lies outside the stones' rectangle.
    let black = [(5, 7), (6, 7), (7, 7), (8, 7), (9, 7)].map(cell);
    let white = [(4, 7), (4, 9), (6, 9), (7, 9)].map(cell);
    let moves: Vec<Cell> =
        (0..9).map(|index| if index % 2 == 0 { black[index / 2] } else { white[index / 2] }).collect();
    let mut engine = Pvs::new(&config, Options { margin: 0, ..Options::default() });
    let mut lessons = Vec::new();
    engine.replay(&moves, 1, &mut |lesson| lessons.push(lesson.clone()));
    let plies: Vec<(usize, i32)> =
        lessons.iter().map(|lesson| (lesson.stones.iter().map(Vec::len).sum(), lesson.plies)).collect();
    assert_eq!(plies[0], (8, 1), "after white's move black wins at once");
    assert!(plies.iter().all(|(_, plies)| *plies > 0), "white could have closed the row: {plies:?}");
}

#[test]
fn games_that_are_not_lost_teach_nothing() {
    let config = named("gomoku15");
    let mut engine = fresh(&config, 2);
    let line = winning_line(&config, &mut fresh(&config, 2), 1);
    for (moves, side) in [
        (&line[..], 0),
        (&line[..4], 1),
        (&[][..], 0),
        (&[7, 7][..], 0),
        // The loser's move is missing: it is to move, and nothing is decided.
        (&line[..line.len() - 2], 1),
    ] {
        assert_eq!(taught(&mut engine, moves, side), 0, "{moves:?}");
    }
    assert!(engine.memory().is_empty());
}

#[test]
fn every_software_engine_can_be_stopped_and_goes_on() {
    let config = Config { levels: 10, ..named("gomoku15") };
    let mut engines: Vec<Box<dyn Engine>> = PLAYERS.iter().map(|(_, make)| make(&config)).collect();
    engines.push(Box::new(ModelEngine::new(&config)));
    for mut engine in engines {
        let name = engine.name();
        let stop = engine.stop().expect("software stops");
        let moves = [112, 97, 113, 98, 0];
        engine.set_position(&moves).unwrap();
        stop.set();
        assert!(matches!(engine.search(Some(10)), Err(EngineError::Stopped)), "{name}");
        stop.clear();
        // The position is as it was, and so is the search.
        let after = engine.search(Some(2)).unwrap();
        engine.new_game().unwrap();
        engine.set_position(&moves).unwrap();
        let fresh = engine.search(Some(2)).unwrap();
        assert_eq!((after.cell, after.score), (fresh.cell, fresh.score), "{name}");
    }
}

#[test]
fn near_equals_are_chosen_by_seed_within_their_range() {
    let config = named("gomoku15");
    let games = parse_games(include_str!("../../positions/midgame_120.txt"), &config.geometry()).unwrap();
    let mut different = 0;
    for moves in games.iter().step_by(20) {
        let at = |choices: usize, near: i32, seed: u64| {
            let options = Options { depth: 3, choices, near, seed, ..Options::default() };
            let mut engine = Pvs::new(&config, options);
            engine.set_position(moves).unwrap();
            engine.best(3).unwrap()
        };
        let (best_cell, best, _) = at(1, 0, 0);
        let found: Vec<(Cell, i32, u64)> = (0..12).map(|seed| at(3, 200, seed)).collect();
        assert_eq!(found[5], at(3, 200, 5), "the same seed, the same choice");
        let cells: HashSet<Cell> = found.iter().map(|(cell, ..)| *cell).collect();
        assert!(cells.len() <= 3, "{cells:?}");
        for (cell, value, _) in found {
            assert!(value <= best && value >= best - 200, "{value} of {best}");
            assert!(value < best || cell == best_cell || cells.len() > 1);
        }
        if best.abs() > WIN - 1_000 {
            assert_eq!(cells.len(), 1, "a win is taken");
        }
        different += usize::from(cells.len() > 1);
    }
    assert!(different > 0);
}
