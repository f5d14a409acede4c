// SPDX-License-Identifier: MIT OR Apache-2.0
//! One suite over every backend of the `Engine` trait: the model, the simulated RTL with and without trace outputs, a board
//! on a serial line.
#![allow(missing_docs)]

#[cfg(unix)]
mod virtual_board;

use cosim::bench::BenchOptions;
use cosim::rtl_engine::RtlEngine;
use engine_model::{Cell, Config, Engine, EngineError, IllegalMove, ModelEngine};

/// A board with the core of `config`, where this build simulates its slot.
#[cfg(unix)]
fn board(config: &Config) -> Option<Box<dyn Engine>> {
    cosim::slot(config, soc_integration::Face::Ahb)?;
    let board = virtual_board::Virtual::start(&config.name, &[]);
    let found =
        driver::engine::connect(board.port(), driver::Patience::default(), Default::default()).unwrap();
    Some(Box::new(OnVirtual { engine: found.engine(config).unwrap(), _board: board }))
}

#[cfg(not(unix))]
fn board(_: &Config) -> Option<Box<dyn Engine>> {
    None
}

/// An engine whose board lives as long as it does.
#[cfg(unix)]
struct OnVirtual {
    engine: driver::engine::BoardEngine,
    _board: virtual_board::Virtual,
}

#[cfg(unix)]
impl Engine for OnVirtual {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn config(&self) -> &Config {
        self.engine.config()
    }

    fn new_game(&mut self) -> Result<(), EngineError> {
        self.engine.new_game()
    }

    fn set_position(&mut self, moves: &[Cell]) -> Result<(), EngineError> {
        self.engine.set_position(moves)
    }

    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        self.engine.play(cell)
    }

    fn search(&mut self, levels: Option<usize>) -> Result<engine_model::Decision, EngineError> {
        self.engine.search(levels)
    }
}

fn backends(config: &Config) -> Vec<Box<dyn Engine>> {
    let rtl = |traced| -> Box<dyn Engine> {
        let model = cosim::model(config, traced).unwrap();
        Box::new(RtlEngine::new(model, config, traced, BenchOptions::default()))
    };
    let mut backends: Vec<Box<dyn Engine>> = vec![Box::new(ModelEngine::new(config)), rtl(true), rtl(false)];
    backends.extend(board(config));
    backends
}

fn each(test: impl Fn(&Config, &mut dyn Engine)) {
    for config in cosim::configs().into_iter().filter(|c| c.name != "gomoku15") {
        for mut engine in backends(&config) {
            test(&config, engine.as_mut());
        }
    }
}

#[test]
fn all_backends_decide_alike() {
    for config in cosim::configs() {
        let plies = if config.name == "gomoku15" { 4 } else { 12 };
        let games: Vec<Vec<(Option<Cell>, i32)>> = backends(&config)
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
    for config in cosim::configs().into_iter().filter(|c| c.name != "gomoku15") {
        for levels in 1..=config.levels {
            let answers: Vec<_> = backends(&config)
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
