// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the driver through a pseudo-terminal and the firmware to the verilated slot and back: `tengen board` as its users
//! start it.
#![cfg(unix)]
#![allow(missing_docs)]

mod noisy_line;
mod virtual_board;

use cosim::bench::BenchOptions;
use cosim::rtl_engine::RtlEngine;
use driver::board::{Board, Limits, Outcome};
use driver::engine::{AnyBoard, Protocol, connect};
use driver::transport::{DEFAULT_BAUD, Port};
use driver::{BoardError, Patience};
use engine_model::notation::square;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Engine, EngineError, ModelEngine, Point};
use noisy_line::{Noisy, Slow};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use virtual_board::Virtual;

fn config() -> Config {
    Config::from_toml(include_str!("../configs/gomoku7.toml")).unwrap()
}

fn link(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tengen-test-{name}-{}", std::process::id()))
}

/// A move next to the stones, or anywhere on the empty board.
fn opponent(model: &ModelEngine, rng: &mut fastrand::Rng) -> Cell {
    let candidates = model.position().candidates();
    candidates[rng.usize(..candidates.len())]
}

/// Plays games to their end, comparing every decision; the moves that the engine made.
fn games(engine: &mut dyn Engine, count: usize, scores: bool, seed: u64) -> usize {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut model = ModelEngine::new(engine.config());
    let mut moves = 0;
    for game in 0..count {
        engine.new_game().unwrap();
        model.new_game().unwrap();
        let mut engines_turn = game % 2 == 0;
        while !model.position().is_over() {
            if engines_turn {
                let (wanted, got) = (model.search(None).unwrap(), engine.search(None).unwrap());
                assert_eq!(got.cell, wanted.cell, "game {game}");
                if scores {
                    assert_eq!(got.score, wanted.score, "game {game}");
                }
                moves += 1;
            } else {
                let cell = opponent(&model, &mut rng);
                model.play(cell).unwrap();
                engine.play(cell).unwrap();
            }
            engines_turn = !engines_turn;
        }
    }
    moves
}

/// On a board of your own, if you name one: `TENGEN_BOARD=/dev/ttyUSB0 TENGEN_BOARD_CONFIG=configs/gomoku15.toml cargo test
/// --test board twenty -- --nocapture`; else on a virtual one. `TENGEN_BOARD_BAUD` is its rate, `TENGEN_BOARD_PATIENCE` how many times as
/// patient the driver is, for one that is slower than real time.
#[test]
fn twenty_games_in_both_protocols() {
    let own = std::env::var("TENGEN_BOARD").ok();
    let virtual_board = own.is_none().then(|| Virtual::start("gomoku7", &[]));
    let path = virtual_board.as_ref().map(|board| board.path.clone()).or(own).unwrap();
    let config = match std::env::var("TENGEN_BOARD_CONFIG") {
        Ok(file) => Config::from_toml(&std::fs::read_to_string(file).unwrap()).unwrap(),
        Err(_) => config(),
    };
    for (protocol, scores) in [(Protocol::Framed, true), (Protocol::Original, false)] {
        let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<f64>().expect("a number"));
        let baud = number("TENGEN_BOARD_BAUD").map_or(DEFAULT_BAUD, |baud| baud as u32);
        let patience = Patience::default().times(number("TENGEN_BOARD_PATIENCE").unwrap_or(1.0));
        let port = Box::new(Port { path: path.clone(), baud });
        let board = connect(port, patience, protocol).unwrap();
        let mut engine = board.engine(&config).unwrap();
        let moves = games(&mut engine, 20, scores, 3);
        println!("{protocol:?}: {moves} moves");
        assert!(moves > 60);
    }
}

#[test]
fn the_protocol_is_found_out_and_nothing_moves() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let mut board = virtual_board.board();
    board.play(Point { x: 3, y: 3 }).unwrap();
    drop(board);
    let found = connect(virtual_board.port(), Patience::default(), Protocol::Auto).unwrap();
    let AnyBoard::Framed(board) = found else {
        panic!("the firmware speaks frames");
    };
    // The game goes on.
    assert_eq!(board.moves(), [Point { x: 3, y: 3 }]);
}

#[test]
fn counters_equal_the_scoreboards() {
    let virtual_board = Virtual::start("gomoku7", &["--slot", "2"]);
    let mut board = virtual_board.board();
    assert_eq!(board.identity().slot, 2);
    let config = config();
    let options = BenchOptions::unstalled(1);
    let mut bench = RtlEngine::new(
        cosim::models::model(&config, cosim::Kind::TracedCore).unwrap(),
        &config,
        true,
        options,
    );
    let geometry = config.geometry();
    let mut rng = fastrand::Rng::with_seed(8);
    let mut model = ModelEngine::new(&config);
    for _ in 0..20 {
        // The scoreboard compares every node and return of this search on the way.
        let wanted = bench.search(None).unwrap();
        let found = board.search(Limits::default()).unwrap().unwrap();
        assert_eq!(Some(found.cycles), wanted.cycles);
        assert_eq!(found.nodes + 1, wanted.nodes);
        assert_eq!(geometry.cell(found.point.x, found.point.y), wanted.cell);
        let counters = board.counters().unwrap();
        assert_eq!(counters.cycles, found.cycles);
        assert_eq!(counters.nodes.iter().map(|n| u64::from(*n)).sum::<u64>(), found.nodes);
        model.search(None).unwrap();
        if model.position().is_over() {
            break;
        }
        let cell = opponent(&model, &mut rng);
        model.play(cell).unwrap();
        bench.play(cell).unwrap();
        board.play(geometry.point(cell)).unwrap();
        if model.position().is_over() {
            break;
        }
    }
}

/// A board that is slower than the driver waits is not taken for one of the original protocol, and patience helps.
#[test]
fn a_slow_line_wants_patience() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let port = Port { path: virtual_board.path.clone(), baud: DEFAULT_BAUD };
    let slow = || Box::new(Slow { port: port.clone(), apart: Duration::from_millis(60) });
    let error = connect(slow(), Patience::default(), Protocol::Auto).err().unwrap().to_string();
    assert!(error.contains("--patience"), "{error}");
    let board = connect(slow(), Patience::default().times(20.0), Protocol::Auto).unwrap();
    assert_eq!(board.protocol(), Protocol::Framed);
    assert!(board.holds(&config()));
    let other = Config { columns: 8, ..config() };
    assert!(board.engine(&other).is_err(), "a board that is not the configuration is refused");
}

#[test]
fn two_hundred_moves_over_a_noisy_line() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let port = Port { path: virtual_board.path.clone(), baud: DEFAULT_BAUD };
    // Longer than the firmware's gap, so that each try begins afresh.
    let patience = Patience { reply: Duration::from_millis(70), tries: 30, ..Patience::default() };
    let mut board = Board::connect(Box::new(Noisy { port, seed: 40 }), patience).unwrap();
    let config = config();
    let geometry = config.geometry();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut model = ModelEngine::new(&config);
    let (mut moves, mut errors) = (0, 0);
    while moves < 200 {
        if model.position().is_over() {
            board.new_game().unwrap();
            model.new_game().unwrap();
        }
        let cell = opponent(&model, &mut rng);
        model.play(cell).unwrap();
        let over = model.position().is_over();
        let point = geometry.point(cell);
        let found = loop {
            match board.search_after(Some(point), Limits::default()) {
                Ok(found) => break found,
                // A clear error is allowed; then the game must stand as it did.
                Err(error) => {
                    errors += 1;
                    assert!(errors < 5, "{error}");
                }
            }
        };
        assert_eq!(found.is_none(), over);
        if let Some(found) = found {
            let wanted = model.search(None).unwrap();
            assert_eq!(geometry.cell(found.point.x, found.point.y), wanted.cell);
            assert_eq!(found.score, wanted.score);
            assert_eq!(found.outcome == Outcome::Open, !model.position().is_over());
            moves += 1;
        }
        let played: Vec<Cell> =
            board.moves().iter().map(|point| geometry.cell(point.x, point.y).unwrap()).collect();
        assert_eq!(played, model.position().moves());
    }
    // What the board holds itself, told over the same line.
    assert_eq!(board.read_moves().unwrap(), board.moves());
    let line = board.statistics();
    println!("{moves} moves, {errors} errors, {line:?}");
    assert!(line.repeats > 50, "the line was not noisy: {line:?}");
}

#[test]
fn a_board_that_was_unplugged_goes_on() {
    let link = link("unplugged");
    let place = link.to_str().unwrap();
    let first = Virtual::start("gomoku7", &["--link", place]);
    let found = connect(first.port(), Patience::default(), Protocol::Framed).unwrap();
    let mut engine = found.engine(&config()).unwrap();
    let mut model = ModelEngine::new(&config());
    let mut turn = |engine: &mut dyn Engine| {
        let (wanted, got) = (model.search(None).unwrap(), engine.search(None).unwrap());
        assert_eq!((got.cell, got.score), (wanted.cell, wanted.score));
    };
    for _ in 0..4 {
        turn(&mut engine);
    }
    // Gone and back within the driver's patience: nobody notices.
    drop(first);
    let second = Virtual::start("gomoku7", &["--link", place]);
    for _ in 0..3 {
        turn(&mut engine);
    }
    // Gone for longer: a clear error, and the game goes on when it is back.
    drop(second);
    let cell = opponent(&model, &mut fastrand::Rng::with_seed(1));
    let begin = Instant::now();
    match engine.play(cell) {
        Err(EngineError::Backend { reason, .. }) => {
            assert!(reason.contains("plug the board in and try again"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    assert!(begin.elapsed() >= Patience::default().reconnect);
    let third = Virtual::start("gomoku7", &["--link", place]);
    engine.play(cell).unwrap();
    model.play(cell).unwrap();
    let (wanted, got) = (model.search(None).unwrap(), engine.search(None).unwrap());
    assert_eq!((got.cell, got.score), (wanted.cell, wanted.score));
    let AnyBoard::Framed(board) = engine.board() else {
        panic!("framed");
    };
    assert_eq!(board.statistics().reconnections, 2);
    assert_eq!(board.read_moves().unwrap().len(), 9);
    drop(third);
    let _ = std::fs::remove_file(link);
}

#[test]
fn random_bytes_move_nothing() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let stones: Vec<Point> = [(3, 3), (2, 2), (4, 4)].map(|(x, y)| Point { x, y }).to_vec();
    let mut board = virtual_board.board();
    board.set_position(&stones).unwrap();
    drop(board);
    let mut rng = fastrand::Rng::with_seed(100);
    let mut line = virtual_board.port().open().unwrap();
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..500).map(|_| rng.u8(..)).collect();
        line.send(&bytes).unwrap();
        // What it says to this is of no interest, but must not stand in the way.
        while line.receive(&mut [0; 256]).unwrap() > 0 {}
    }
    drop(line);
    // The board's time runs no faster than the machine lets it: a gap, however busy that is.
    std::thread::sleep(Duration::from_millis(u64::from(20 * driver::frame::GAP_MS)));
    // The first good frame is answered.
    let once = Patience { tries: 1, reply: Duration::from_secs(20), ..Patience::default() };
    let board = Board::connect(virtual_board.port(), once).unwrap();
    assert_eq!(board.moves(), stones);
}

#[test]
fn what_goes_wrong_is_told() {
    let patience = Patience { reply: Duration::from_millis(50), tries: 2, ..Patience::default() };
    let missing = Port { path: "/dev/no-such-board".into(), baud: DEFAULT_BAUD };
    let error = connect(Box::new(missing), patience, Protocol::Auto).err().unwrap().to_string();
    assert!(error.contains("no such port") && error.contains("plug the board in"), "{error}");
    // Something that says nothing, and something that talks nonsense.
    let (mut other, silent) = serialport::TTYPort::pair().unwrap();
    let path = serialport::SerialPort::name(&silent).unwrap();
    let port = || Box::new(Port { path: path.clone(), baud: DEFAULT_BAUD });
    let error = connect(port(), patience, Protocol::Framed).err().unwrap().to_string();
    assert!(error.contains("no answer within") && error.contains("TXD and RXD"), "{error}");
    let talking = std::thread::spawn(move || {
        let mut bytes = [0; 64];
        while let Ok(count) = other.read(&mut bytes) {
            if count == 0 || other.write_all(&[0x55; 9]).is_err() {
                break;
            }
        }
    });
    let error = connect(port(), patience, Protocol::Framed).err().unwrap().to_string();
    assert!(error.contains("name its rate with --baud"), "{error}");
    drop(silent);
    let _ = talking.join();
    // A board with another core than the configuration says.
    let virtual_board = Virtual::start("gomoku7", &[]);
    let other = Config::from_toml(include_str!("../configs/gomoku15.toml")).unwrap();
    let board = connect(virtual_board.port(), Patience::default(), Protocol::Auto).unwrap();
    let error = board.engine(&other).err().unwrap().to_string();
    assert!(error.contains("7 x 6") && error.contains("gomoku15: 15 x 15"), "{error}");
    // Illegal moves, levels that were not built.
    let mut board = virtual_board.board();
    board.play(Point { x: 1, y: 1 }).unwrap();
    assert!(matches!(board.play(Point { x: 1, y: 1 }), Err(BoardError::Illegal(_))));
    assert!(matches!(board.play(Point { x: 7, y: 1 }), Err(BoardError::Illegal(_))));
    let limits = Limits { levels: Some(9), cycles: None };
    assert!(matches!(board.search(limits), Err(BoardError::Levels { asked: 9, .. })));
    board.take_back().unwrap();
    assert!(matches!(board.take_back(), Err(BoardError::NoMove)));
    assert!(board.moves().is_empty());
}

#[test]
fn a_limit_is_kept_and_a_search_can_be_stopped() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let mut board = virtual_board.board();
    board.set_position(&[Point { x: 3, y: 3 }, Point { x: 2, y: 2 }]).unwrap();
    let found = board.search(Limits { levels: None, cycles: Some(1) }).unwrap().unwrap();
    assert_eq!(found.level, 2);
    // Set before or while it searches, or too late: the game is what the driver says, whichever it was.
    for delay in [0, 1, 3] {
        let cancel = board.canceller();
        let before = board.moves().to_vec();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(delay));
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        match board.search(Limits::default()) {
            Ok(found) => assert!(found.is_some() && board.moves().len() == before.len() + 1),
            Err(error) => {
                assert!(matches!(error, BoardError::Cancelled), "{error}");
                assert_eq!(board.moves(), before);
            }
        }
        stopper.join().unwrap();
        let driver = board.moves().to_vec();
        assert_eq!(board.read_moves().unwrap(), driver);
        board.take_back().unwrap();
    }
}

#[test]
fn a_boards_search_is_stopped_as_any_engines() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let board = connect(virtual_board.port(), Patience::default(), Protocol::Framed).unwrap();
    let mut engine = board.engine(&config()).unwrap();
    let stop = engine.stop().expect("a board that knows frames stops");
    let mut model = ModelEngine::new(&config());
    let moves = [24, 16];
    model.set_position(&moves).unwrap();
    let wanted = model.search(None).unwrap();
    let mut stopped = 0;
    for delay in [0, 1, 2, 4, 8] {
        engine.set_position(&moves).unwrap();
        let flag = stop.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(delay));
            flag.set();
        });
        match engine.search(None) {
            Ok(found) => assert_eq!((found.cell, found.score), (wanted.cell, wanted.score)),
            Err(EngineError::Stopped) => stopped += 1,
            Err(error) => panic!("{error}"),
        }
        stopper.join().unwrap();
        stop.clear();
        // The position is as it was, whichever it was.
        engine.set_position(&moves).unwrap();
        assert_eq!(engine.search(None).unwrap().cell, wanted.cell);
    }
    // How many it were depends on the machine; the driver's own tests stop one that never ends.
    println!("{stopped} of 5 searches stopped");
}

#[test]
fn a_brain_on_a_board_keeps_the_time_of_a_move() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let mut brain = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["brain", "--config", "gomoku7", "--engine", &virtual_board.path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "RECTSTART 7,6\nINFO timeout_turn 100\nTURN 3,3\nRESTART\nINFO timeout_turn 0\nBEGIN\n";
    brain.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = brain.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = said.lines().filter(|line| !line.starts_with("MESSAGE")).collect();
    assert_eq!(answers.len(), 4, "{said}");
    assert!(answers[0] == "OK" && answers[2] == "OK" && answers[1].contains(',') && answers[3].contains(','));
    assert!(said.contains("MESSAGE levels 2, score "), "without time the first search only: {said}");
}

#[test]
fn engines_play_each_other() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    for more in [&["--engine-first"][..], &[]] {
        let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["play", "--engine", &virtual_board.path, "--against", "model"])
            .args(more)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        assert!(text.contains("wins after") || text.contains("a draw"), "{text}");
        assert!(text.contains("model: ") && text.contains("clock cycles"), "{text}");
    }
}

#[test]
fn firmware_and_board_tell_what_they_are() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let out = std::env::temp_dir().join(format!("tengen-test-cli-firmware-{}", std::process::id()));
    let (code, text, _) = run(&["firmware", "--slot", "3", "--json", "--out", out.to_str().unwrap()]);
    assert_eq!(code, Some(0));
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((told["slot"].as_u64(), told["baud"].as_f64()), (Some(3), Some(113_636.0)));
    for file in told["files"].as_array().unwrap() {
        assert!(std::path::Path::new(file.as_str().unwrap()).exists());
    }
    std::fs::remove_dir_all(out).unwrap();
    let (code, _, error) = run(&["firmware", "--baud", "230400"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("the nearest rates are 208333, 250000, 312500"), "{error}");
    let board = Virtual::start("gomoku7", &["--json"]);
    let told: serde_json::Value = serde_json::from_str(&board.path).unwrap();
    assert_eq!(told["config"], "gomoku7");
}

#[test]
fn play_runs_against_a_board() {
    let virtual_board = Virtual::start("gomoku7", &[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["play", "--engine", &virtual_board.path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"3,3\nhint\n3,3\nundo\nmoves\nundo\n2,2\nmoves\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let tables = Tables::new(&config());
    let mut model = ModelEngine::new(&config());
    model.play(tables.geometry.cell(3, 3).unwrap()).unwrap();
    let answer = square(model.search(None).unwrap().cell.unwrap(), &tables.geometry);
    for part in [
        "plays gomoku7".to_string(),
        format!(": {answer}   "),
        "clock cycles".into(),
        "hint: ".into(),
        "d3 is taken".into(),
        "there is nothing to undo".into(),
        "c4 ".into(),
    ] {
        assert!(text.contains(&part), "no {part:?} in\n{text}");
    }
}
