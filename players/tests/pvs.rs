// SPDX-License-Identifier: MIT OR Apache-2.0
//! Principal variation search: its score is the minimax value whatever helps it, and it can be stopped.
#![allow(missing_docs)]

#[path = "../../engine-model/tests/common/mod.rs"]
mod common;
mod minimax;

use common::{named, random_position};
use engine_model::notation::parse_games;
use engine_model::position::Tables;
use engine_model::{Cell, Engine, EngineError};
use minimax::minimax;
use players::opponents::WIN;
use players::opponents::board::Board;
use players::opponents::tuples::Tuples;
use players::pvs::{MOST, Options, Pvs};
use std::time::Duration;

/// The empty cells within the margin of the stones' rectangle, which is counted anew.
fn within_margin(board: &Board) -> Vec<Cell> {
    let margin = Options::default().margin;
    let points: Vec<_> = board.moves().iter().map(|cell| board.geometry.point(*cell)).collect();
    let near = |of: fn(&engine_model::Point) -> usize, at: usize| {
        let (low, high) = (points.iter().map(of).min().unwrap(), points.iter().map(of).max().unwrap());
        at + margin >= low && at <= high + margin
    };
    let wanted = |cell: &Cell| {
        let point = board.geometry.point(*cell);
        board.is_empty(*cell) && near(|p| p.x, point.x) && near(|p| p.y, point.y)
    };
    (0..board.geometry.cells() as Cell).filter(wanted).collect()
}

/// What may help, in every combination that matters.
fn variants() -> Vec<Options> {
    let plain = Options { table_bytes: 0, history: false, threads: 1, ..Options::default() };
    vec![
        plain.clone(),
        Options { history: true, ..plain.clone() },
        Options { table_bytes: 1 << 12, ..plain.clone() },
        Options { table_bytes: 1 << 20, history: true, ..plain.clone() },
        Options { table_bytes: 1 << 20, history: true, threads: 2, ..plain.clone() },
        Options { table_bytes: 1 << 16, history: true, threads: 3, ..plain },
    ]
}

#[test]
fn scores_are_minimax_and_moves_the_same_with_every_help() {
    let config = named("gomoku7");
    let tables = Tables::new(&config);
    let mut rng = fastrand::Rng::with_seed(3);
    for round in 0..25 {
        let stones = rng.usize(2..16);
        let position = random_position(&tables, &mut rng, stones);
        if position.is_over() || position.stones() < 2 {
            continue;
        }
        let depth = 1 + round % 3;
        let mut board = Board::new(&config, Box::new(Tuples::new(&config)));
        position.moves().iter().for_each(|cell| _ = board.place(*cell));
        let expected = minimax(&mut board, depth, 0, &within_margin);
        let mut moves = Vec::new();
        for options in variants() {
            let mut engine = Pvs::new(&config, options.clone());
            // A table that has seen another position of the game is no worse.
            engine.set_position(&position.moves()[..position.stones().min(1)]).unwrap();
            engine.best(1).unwrap();
            engine.set_position(position.moves()).unwrap();
            let (cell, score, _) = engine.best(depth).unwrap();
            // Deepening ends with a win that is found early: it may not be the soonest of a deeper search.
            assert_eq!(score, expected, "{options:?} at {depth} after {:?}", position.moves());
            moves.push(cell);
        }
        // The order differs with history, and with it the first of equals; threads and the table's size change nothing.
        assert_eq!(moves[3], moves[4], "{:?}", position.moves());
        assert_eq!(moves[3], moves[5], "{:?}", position.moves());
    }
}

#[test]
fn real_positions_have_one_score() {
    let config = named("gomoku15");
    let games = parse_games(include_str!("../../positions/midgame_120.txt"), &config.geometry()).unwrap();
    for moves in games.iter().step_by(15) {
        let mut scores = Vec::new();
        for options in variants() {
            let mut engine = Pvs::new(&config, options);
            engine.set_position(moves).unwrap();
            scores.push(engine.best(3).unwrap().1);
        }
        assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?} after {moves:?}");
    }
}

#[test]
fn it_wins_as_soon_as_it_can_and_delays_a_loss() {
    let config = named("gomoku15");
    let cell = |x: usize, y: usize| (y * 15 + x) as Cell;
    let black = [(5, 7), (6, 7), (7, 7)].map(|(x, y)| cell(x, y));
    let white = [(0, 0), (14, 0), (0, 14)].map(|(x, y)| cell(x, y));
    let moves: Vec<Cell> = black.iter().zip(&white).flat_map(|(b, w)| [*b, *w]).collect();
    let mut engine = Pvs::new(&config, Options::default());
    engine.set_position(&moves).unwrap();
    // An open three of one's own: a win on the third move.
    let (_, score, _) = engine.best(4).unwrap();
    assert_eq!(score, WIN - 3);
    // The opponent to move with nothing: the open four cannot be stopped.
    let mut lost = moves;
    lost.extend([cell(8, 7)]);
    engine.set_position(&lost).unwrap();
    assert_eq!(engine.best(4).unwrap().1, -(WIN - 2));
}

#[test]
fn a_search_can_be_stopped() {
    let config = named("gomoku15");
    for threads in [1, 2] {
        let mut engine = Pvs::new(&config, Options { threads, ..Options::default() });
        engine.set_position(&[112, 97, 113]).unwrap();
        let stop = engine.stop().unwrap();
        let flag = stop.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            flag.set();
        });
        // Nobody waits for that depth.
        assert!(matches!(engine.search(Some(MOST)), Err(EngineError::Stopped)));
        stopper.join().unwrap();
        // Still set: what there is before any depth. Cleared: as if nothing had been.
        let (cell, _, _) = engine.best(3).unwrap();
        assert!(![112, 97, 113].contains(&cell));
        stop.clear();
        let mut fresh = Pvs::new(&config, Options::default());
        fresh.set_position(&[112, 97, 113]).unwrap();
        assert_eq!(engine.search(Some(3)).unwrap().score, fresh.search(Some(3)).unwrap().score);
    }
}

#[test]
fn what_it_cannot_do_is_an_error() {
    let mut engine = Pvs::new(&named("tictactoe"), Options::default());
    for depth in [0, MOST + 1] {
        assert!(matches!(engine.search(Some(depth)), Err(EngineError::Levels { .. })));
    }
    assert!(engine.set_position(&[4, 4]).is_err());
    engine.set_position(&[0, 3, 1, 4, 2]).unwrap();
    assert_eq!(engine.search(None).unwrap().cell, None);
}
