// SPDX-License-Identifier: MIT OR Apache-2.0
//! One suite over every backend of the `Engine` trait: the model, the fast software, the simulated RTL with and without trace
//! outputs, a board on a serial line.
#![allow(missing_docs)]

#[cfg(unix)]
mod virtual_board;

use cosim::Kind;
use cosim::bench::BenchOptions;
use cosim::models::model;
use cosim::rtl_engine::RtlEngine;
#[cfg(unix)]
use driver::{
    Patience,
    engine::{Protocol, connect},
};
use engine_model::named::named;
use engine_model::{Cell, Config, Engine, EngineError, IllegalMove, ModelEngine};
use players::FastEngine;

/// Every backend of a configuration, and the virtual board that one of them is on.
struct Backends {
    engines: Vec<Box<dyn Engine>>,
    #[cfg(unix)]
    _board: Option<virtual_board::Virtual>,
}

fn backends(config: &Config) -> Backends {
    let rtl = |traced| -> Box<dyn Engine> {
        let model = model(config, Kind::core(traced)).unwrap();
        Box::new(RtlEngine::new(model, config, traced, BenchOptions::default()))
    };
    let fast = FastEngine::new(config, &[], 1).unwrap();
    let mut engines: Vec<Box<dyn Engine>> =
        vec![Box::new(ModelEngine::new(config)), Box::new(fast), rtl(true)];
    // The core without trace outputs and the board of one configuration are enough: firmware and line are those of every other one.
    let one = config.name == "gomoku7";
    engines.extend(one.then(|| rtl(false)));
    #[cfg(unix)]
    {
        let board = one.then(|| virtual_board::Virtual::start(&config.name, &[]));
        engines.extend(board.as_ref().map(|board| -> Box<dyn Engine> {
            let found = connect(board.port(), Patience::default(), Protocol::Auto).unwrap();
            Box::new(found.engine(config).unwrap())
        }));
        Backends { engines, _board: board }
    }
    #[cfg(not(unix))]
    Backends { engines }
}

/// The configurations whose games are short.
fn small() -> [Config; 2] {
    ["gomoku7", "tictactoe"].map(|name| named(name).unwrap())
}

fn each(test: impl Fn(&Config, &mut dyn Engine)) {
    for config in small() {
        for engine in &mut backends(&config).engines {
            test(&config, engine.as_mut());
        }
    }
}

#[test]
fn all_backends_decide_alike() {
    for config in [named("gomoku15").unwrap()].into_iter().chain(small()) {
        let plies = if config.name == "gomoku15" { 4 } else { 12 };
        let games: Vec<Vec<(Option<Cell>, i32)>> = backends(&config)
            .engines
            .iter_mut()
            .map(|engine| {
                engine.new_game().unwrap();
                (0..plies).map(|_| engine.search(None).unwrap()).map(|d| (d.cell, d.score)).collect()
            })
            .collect();
        assert!(games.windows(2).all(|pair| pair[0] == pair[1]), "{}: {games:?}", config.name);
    }
}

#[test]
fn fewer_levels_are_searched_when_asked() {
    for config in small() {
        for levels in 1..=config.levels {
            let answers: Vec<_> = backends(&config)
                .engines
                .iter_mut()
                .map(|engine| {
                    engine.set_position(&[0, 4, 1]).unwrap();
                    let decision = engine.search(Some(levels)).unwrap();
                    (decision.cell, decision.score)
                })
                .collect();
            assert!(
                answers.windows(2).all(|pair| pair[0] == pair[1]),
                "{} {levels}: {answers:?}",
                config.name
            );
        }
    }
}

#[test]
fn illegal_input_leaves_the_position_alone() {
    each(|config, engine| {
        engine.set_position(&[4, 0, 8]).unwrap();
        let occupied = engine.play(4).unwrap_err();
        assert!(matches!(occupied, EngineError::Illegal(IllegalMove::Occupied { .. })), "{occupied}");
        let outside = engine.play(400).unwrap_err();
        assert!(matches!(outside, EngineError::Illegal(IllegalMove::Outside { .. })), "{outside}");
        assert!(engine.set_position(&[1, 2, 1]).is_err());
        for levels in [0, config.levels + 1] {
            let error = engine.search(Some(levels)).unwrap_err();
            assert!(matches!(error, EngineError::Levels { .. }), "{error}");
        }
        // The position is still the one set first: the next move is the same as a fresh engine's.
        let decision = engine.search(None).unwrap();
        let mut fresh = ModelEngine::new(config);
        fresh.set_position(&[4, 0, 8]).unwrap();
        assert_eq!(decision.cell, fresh.search(None).unwrap().cell);
    });
}

#[test]
fn a_finished_game_answers_nothing() {
    each(|config, engine| {
        // The side that moved first fills the top row.
        let mut moves = Vec::new();
        for x in 0..config.in_a_row as Cell {
            moves.push(x);
            if usize::from(x) + 1 < config.in_a_row {
                moves.push(x + config.columns as Cell);
            }
        }
        engine.set_position(&moves).unwrap();
        assert_eq!(engine.search(None).unwrap().cell, None);
        let last = (config.columns * config.rows - 1) as Cell;
        let error = engine.play(last).unwrap_err();
        assert!(matches!(error, EngineError::Illegal(IllegalMove::GameOver)), "{error}");
        engine.new_game().unwrap();
        assert!(engine.search(None).unwrap().cell.is_some());
    });
}

/// All lines of an opponent from a position on, none of which the engine may lose; how many games.
fn never_loses(engine: &mut dyn Engine, moves: &mut Vec<Cell>, engine_moves: bool) -> usize {
    let tables = engine_model::position::Tables::new(engine.config());
    let position = engine_model::Position::from_moves(&tables, moves).unwrap();
    if position.is_over() {
        // Who moved last has won, if anybody has.
        assert!(position.winner().is_none() || !engine_moves, "{} loses: {moves:?}", engine.name());
        return 1;
    }
    let replies: Vec<Cell> = if engine_moves {
        engine.set_position(moves).unwrap();
        vec![engine.search(None).unwrap().cell.unwrap()]
    } else {
        (0..tables.geometry.cells() as Cell).filter(|cell| position.is_empty(*cell)).collect()
    };
    let mut games = 0;
    for cell in replies {
        moves.push(cell);
        games += never_loses(engine, moves, !engine_moves);
        moves.pop();
    }
    games
}

#[test]
fn no_backend_loses_tictactoe() {
    let config = named("tictactoe").unwrap();
    let mut all = Vec::new();
    // The board is left out: it plays the simulated core's moves, and there are hundreds of searches.
    for engine in backends(&config).engines.iter_mut().take(4) {
        let games = [true, false].map(|first| never_loses(engine.as_mut(), &mut Vec::new(), first));
        assert!(games.iter().all(|games| *games > 50), "{}: {games:?}", engine.name());
        all.push(games);
    }
    assert!(all.iter().all(|games| *games == all[0]), "the same lines on every backend: {all:?}");
}
