// SPDX-License-Identifier: MIT OR Apache-2.0
//! The top level of every board, at its pins.
#![allow(missing_docs)]

use cosim::line::{Line, Port};
use driver::Patience;
use driver::board::{Board, Limits};
use driver::original::{Answer, decode, encode};
use engine_model::engine::ModelEngine;
use engine_model::{Config, Engine};

fn patience() -> Patience {
    Patience::default().times(4.0)
}

/// A game against the model, by frames.
fn plays(port: Port, config: &Config) {
    let mut board = Board::connect(Box::new(port), patience()).unwrap();
    let (geometry, mut model) = (config.geometry(), ModelEngine::new(config));
    board.new_game().unwrap();
    while let Some(found) = board.search(Limits::default()).unwrap() {
        let decision = model.search(None).unwrap();
        let cell = geometry.cell(found.point.x, found.point.y);
        assert_eq!((cell, found.score), (decision.cell, decision.score), "{:?}", board.moves());
    }
    assert_eq!(model.search(None).unwrap().cell, None);
}

#[test]
fn every_board_plays_at_its_pins() {
    let config = engine_model::named::named("tictactoe-tiny").unwrap();
    std::thread::scope(|scope| {
        for name in boards::board::names() {
            let config = &config;
            scope.spawn(move || {
                let board = boards::board::Board::named(name).unwrap();
                let model = cosim::models::board(&board, config, board.baud).unwrap();
                let mut line = Line::new(model, board.core_hz(), board.baud, 1);
                let resets = |line: &mut Line, pressed: bool| {
                    if let Some(pin) = &board.reset {
                        line.input("reset", (pressed != pin.active_low).into());
                    }
                };
                resets(&mut line, false);
                let port = Port::new(line, board.baud);
                plays(port.clone(), config);
                // A game of the other protocol, and what the LEDs show; then the button.
                let mut line = port.line();
                assert_eq!(ask_board(&mut line, 99, 99), None, "{name}");
                let answer = ask_board(&mut line, config.columns as u32, config.rows as u32).unwrap();
                let decision = ModelEngine::new(config).search(None).unwrap();
                assert_eq!(config.geometry().cell(answer.x, answer.y), decision.cell, "{name}");
                let lit =
                    |line: &Line| board.busy.as_ref().map(|pin| (line.output("busy") == 1) != pin.active_low);
                assert_ne!(lit(&line), Some(false), "{name}: busy is shown for a while");
                if board.reset.is_some() {
                    resets(&mut line, true);
                    line.run(100);
                    resets(&mut line, false);
                    line.run(1_000);
                    drop(line);
                    let mut board = Board::connect(Box::new(port.clone()), patience()).unwrap();
                    assert_eq!(board.read_moves().unwrap(), [], "{name}: the button empties the board");
                }
            });
        }
    });
}

/// As [`ask`], of a top level whose LED tells nothing of when it is done.
fn ask_board(line: &mut Line, x: u32, y: u32) -> Option<Answer> {
    line.send(&encode(x, y));
    let mut text = Vec::new();
    for _ in 0..40 {
        line.run(2_000);
        text.extend(line.receive());
    }
    decode(&text).map(|answer| answer.unwrap())
}
