// SPDX-License-Identifier: MIT OR Apache-2.0
//! Other people's algorithms: their searches are minimax, their judges forget nothing, and tic-tac-toe they do not lose.
#![allow(missing_docs)]

#[path = "../../engine-model/tests/common/mod.rs"]
mod common;
mod minimax;

use common::{named, random_position};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Engine, EngineError, ModelEngine, Position};
use minimax::minimax;
use players::opponents::board::{Board, Judge};
use players::opponents::lines::Lines;
use players::opponents::tuples::Tuples;
use players::opponents::{MOST, five_tuple, greedy, line_shape};
use players::pvs::{Options, Pvs};
use players::roster::PLAYERS;
use std::collections::HashSet;

/// The judges, made anew.
fn judges(config: &Config) -> [Box<dyn Judge>; 2] {
    [Box::new(Tuples::new(config)), Box::new(Lines::new(config))]
}

#[test]
fn judges_forget_nothing() {
    for name in ["gomoku15", "gomoku7", "tictactoe"] {
        let config = named(name);
        for which in 0..2 {
            let mut rng = fastrand::Rng::with_seed(1);
            let [tuples, lines] = judges(&config);
            let mut board = Board::new(&config, if which == 0 { tuples } else { lines });
            for _ in 0..400 {
                let cells = board.candidates(rng.bool());
                if board.moves().len() > 30 || cells.is_empty() || rng.u32(0..3) == 0 {
                    board.remove();
                    continue;
                }
                board.place(cells[rng.usize(..cells.len())]);
                // From scratch, in another order.
                let [tuples, lines] = judges(&config);
                let mut fresh = if which == 0 { tuples } else { lines };
                let stones: Vec<(usize, Cell)> = board.moves().iter().copied().enumerate().collect();
                stones.iter().rev().for_each(|(index, cell)| fresh.placed(*cell, index % 2));
                let balance = if board.to_move() == 0 { fresh.balance() } else { -fresh.balance() };
                assert_eq!(board.value(), balance, "{name} {:?}", board.moves());
            }
        }
    }
}

#[test]
fn five_tuples_are_worth_what_the_source_says() {
    let mut tuples = Tuples::new(&named("gomoku15"));
    let cell = |x: usize, y: usize| (y * 15 + x) as Cell;
    // In the corner one window each of row, column and diagonal.
    tuples.placed(cell(0, 0), 0);
    assert_eq!(tuples.balance(), 3);
    tuples.placed(cell(1, 0), 0);
    // The row's first window has two stones (20), its second one (1); the new stone's column and diagonal one each.
    assert_eq!(tuples.balance(), 20 + 1 + 2 + 2);
    tuples.placed(cell(2, 0), 1);
    // All rows' windows with both are worth nothing; the opponent's own ones are.
    assert!(tuples.balance() < 10, "{}", tuples.balance());
    assert_eq!(tuples.urgency(cell(14, 14)), 3);
}

#[test]
fn searches_are_minimax() {
    let config = named("gomoku7");
    let tables = Tables::new(&config);
    let mut rng = fastrand::Rng::with_seed(2);
    for round in 0..40 {
        let stones = rng.usize(1..14);
        let position = random_position(&tables, &mut rng, stones);
        if position.is_over() {
            continue;
        }
        for (which, (_, make)) in PLAYERS[..3].iter().enumerate() {
            let depth = if which == 0 { 1 } else { 1 + round % 3 };
            let mut engine = make(&config);
            engine.set_position(position.moves()).unwrap();
            let decision = engine.search(Some(depth)).unwrap();
            let [tuples, lines] = judges(&config);
            let mut board = Board::new(&config, if which == 2 { lines } else { tuples });
            position.moves().iter().for_each(|cell| _ = board.place(*cell));
            let expected = minimax(&mut board, depth, 0, &|board| board.candidates(which == 0));
            assert_eq!(decision.score, expected, "{} at {depth} after {:?}", engine.name(), position.moves());
            assert!(engine.play(decision.cell.unwrap()).is_err(), "it has been played");
        }
    }
}

/// All lines of an opponent against an engine from a position on: how many games, none of them lost by the engine.
fn never_loses(
    engine: &mut dyn Engine,
    moves: &mut Vec<Cell>,
    engine_moves: bool,
    seen: &mut HashSet<Vec<Cell>>,
) {
    let tables = Tables::new(engine.config());
    let position = Position::from_moves(&tables, moves).unwrap();
    if let Some(winner) = position.winner() {
        // Who moved last has won: that must have been the engine.
        assert!(!engine_moves, "{} loses as {winner}: {moves:?}", engine.name());
    }
    if position.is_over() {
        seen.insert(moves.clone());
        return;
    }
    if engine_moves {
        engine.set_position(moves).unwrap();
        moves.push(engine.search(None).unwrap().cell.unwrap());
        never_loses(engine, moves, false, seen);
        moves.pop();
    } else {
        for cell in (0..tables.geometry.cells() as Cell).filter(|cell| position.is_empty(*cell)) {
            moves.push(cell);
            never_loses(engine, moves, true, seen);
            moves.pop();
        }
    }
}

/// An opponent that searches tic-tac-toe to its end.
struct ToTheEnd(Box<dyn Engine>);

impl Engine for ToTheEnd {
    fn name(&self) -> String {
        self.0.name()
    }
    fn config(&self) -> &Config {
        self.0.config()
    }
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.0.new_game()
    }
    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        self.0.set_position(moves)
    }
    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.0.play(cell)
    }
    fn search(&mut self, _: Option<usize>) -> Result<engine_model::Decision, EngineError> {
        self.0.search(Some(9))
    }
}

#[test]
fn tictactoe_is_never_lost() {
    let config = named("tictactoe");
    let pvs = Pvs::new(&config, Options::default());
    let engines: [Box<dyn Engine>; 4] = [
        Box::new(ModelEngine::new(&config)),
        Box::new(ToTheEnd(Box::new(five_tuple(&config)))),
        Box::new(ToTheEnd(Box::new(line_shape(&config)))),
        Box::new(ToTheEnd(Box::new(pvs))),
    ];
    for mut engine in engines {
        for engine_first in [true, false] {
            let mut seen = HashSet::new();
            never_loses(engine.as_mut(), &mut Vec::new(), engine_first, &mut seen);
            assert!(seen.len() > 50, "{}: {}", engine.name(), seen.len());
        }
    }
}

#[test]
fn they_win_and_defend_where_it_is_plain() {
    let config = named("gomoku15");
    let cell = |x: usize, y: usize| (y * 15 + x) as Cell;
    // Black has four in a row with one end closed; white has none.
    let black = [(5, 7), (6, 7), (7, 7), (8, 7)].map(|(x, y)| cell(x, y));
    let white = [(4, 7), (0, 0), (14, 0), (0, 14)].map(|(x, y)| cell(x, y));
    let moves: Vec<Cell> = black.iter().zip(&white).flat_map(|(b, w)| [*b, *w]).collect();
    for (name, make) in PLAYERS {
        let mut engine = make(&config);
        engine.set_position(&moves).unwrap();
        assert_eq!(engine.search(None).unwrap().cell, Some(cell(9, 7)), "{name} wins");
        // One stone fewer for white, who is to move: it must close the row.
        engine.set_position(&moves[..7]).unwrap();
        assert_eq!(engine.search(Some(2)).unwrap().cell, Some(cell(9, 7)), "{name} defends");
    }
}

#[test]
fn what_they_cannot_do_is_an_error() {
    let config = named("tictactoe");
    let mut engine = greedy(&config);
    assert!(matches!(engine.search(Some(0)), Err(EngineError::Levels { asked: 0, built: MOST })));
    assert!(engine.set_position(&[0, 0]).is_err());
    engine.set_position(&[0, 3, 1, 4, 2]).unwrap();
    assert_eq!(engine.search(None).unwrap().cell, None);
    assert!(engine.play(8).is_err());
    engine.new_game().unwrap();
    assert_eq!(engine.search(None).unwrap().cell, Some(4));
}
