// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tic-tac-toe searched to the end never loses, and the empty board is a draw.
#![allow(missing_docs)]

use engine_model::position::Tables;
use engine_model::search::Search;
use engine_model::{Cell, Config, Position};

fn shipped() -> Config {
    Config::from_toml(include_str!("../../configs/tictactoe.toml")).unwrap()
}

/// Plays every opponent line against the engine; returns the number of finished games.
fn all_lines(position: &mut Position, engine_side: usize) -> usize {
    if let Some(winner) = position.winner() {
        assert_eq!(winner, engine_side, "the engine lost: {:?}", position.moves());
        return 1;
    }
    if position.is_full() {
        return 1;
    }
    let levels = position.tables().config.levels;
    if position.side_to_move() == engine_side {
        let decision = Search::new(position, levels).decide().unwrap();
        assert!(decision.score >= 0, "the engine thinks it is lost: {:?}", position.moves());
        position.play(decision.cell).unwrap();
        let games = all_lines(position, engine_side);
        position.undo();
        return games;
    }
    let mut games = 0;
    for cell in 0..9 as Cell {
        if position.is_empty(cell) {
            position.play(cell).unwrap();
            games += all_lines(position, engine_side);
            position.undo();
        }
    }
    games
}

#[test]
fn never_loses_from_either_side() {
    let tables = Tables::new(&shipped());
    for side in [0, 1] {
        let games = all_lines(&mut Position::new(&tables), side);
        assert!(games > 50, "{games} games as side {side}");
    }
}

#[test]
fn the_root_is_a_draw() {
    let config = shipped();
    let mut position = Position::new(&Tables::new(&config));
    assert_eq!(Search::new(&mut position, config.levels).decide().unwrap().score, 0);
}
