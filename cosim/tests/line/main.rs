// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine behind a serial line in hardware, at its pins: both protocols, as the driver and as the seeds' client speak them.
#![allow(missing_docs)]

mod scripts;

use boards::circuits::executor::Constants;
use boards::circuits::uart::Rate;
use cosim::line::{Line, Port};
use cosim::models::{CircuitModel, Model, circuits};
use driver::BoardError;
use driver::Patience;
use driver::board::{Board, Limits};
use driver::engine::{AnyBoard, Protocol, connect};
use driver::frame::{Code, Decoder, Frame, Kind};
use driver::link::{MAX_READ, MEMORY_BYTES, OWN, Script, command, selector};
use driver::original::{Answer, decode, encode};
use engine_model::engine::ModelEngine;
use engine_model::{Cell, Config, Engine, Point};
use std::sync::OnceLock;

const CLOCK_HZ: u32 = 1_000_000;
const BAUD: u32 = 100_000;

fn config() -> Config {
    let text = include_str!("../../rtl-tests/small.toml");
    Config { trace: false, ..Config::from_toml(text).unwrap() }
}

fn model() -> &'static Model {
    static MODEL: OnceLock<&'static Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let config = config();
        let constants = Constants { clock_hz: CLOCK_HZ, baud: BAUD, board: 7 };
        let emission = boards::emit_link(&config, constants, Rate::new(CLOCK_HZ, BAUD).unwrap());
        let name = "small_link".to_string();
        let title = "small behind a serial line".to_string();
        let circuit = CircuitModel {
            name,
            title,
            clock: "aclk".into(),
            config,
            waves: None,
            coverage: false,
            emission,
        };
        circuits(vec![circuit]).unwrap()[0]
    })
}

fn line(seed: u32) -> Line {
    Line::new(model(), CLOCK_HZ, BAUD, seed)
}

/// More patient than with a board: a simulation is slower, and the machine may be busy.
fn patience() -> Patience {
    Patience { reply: std::time::Duration::from_secs(1), ..Patience::default() }
}

#[test]
fn the_driver_plays_as_the_model() {
    let config = config();
    let port = Port::new(line(1), BAUD);
    let mut board = Board::connect(Box::new(port), patience()).unwrap();
    let hardware = board.hardware().expect("no firmware");
    assert_eq!((hardware.clock_hz, hardware.baud, hardware.board), (CLOCK_HZ, BAUD, 7));
    assert_eq!((board.identity().columns, board.identity().levels), (config.columns, config.levels));
    let geometry = config.geometry();
    let mut model = ModelEngine::new(&config);
    for levels in [None, Some(1), Some(2)] {
        board.new_game().unwrap();
        model.new_game().unwrap();
        while let Some(found) = board.search(Limits { levels, cycles: None }).unwrap() {
            let decision = model.search(levels).unwrap();
            let cell = geometry.cell(found.point.x, found.point.y);
            assert_eq!((cell, found.score), (decision.cell, decision.score), "{:?}", board.moves());
            assert!(found.cycles > 0, "{found:?}");
            assert_eq!(found.level, levels.unwrap_or(config.levels));
        }
        assert_eq!(model.search(levels).unwrap().cell, None, "{:?}", board.moves());
    }
    assert_eq!(board.statistics().repeats, 0);
}

/// Runs until the line has been quiet for a while; what came.
fn settle(line: &mut Line) -> Vec<u8> {
    let mut all = Vec::new();
    for _ in 0..2_000 {
        line.run(1_000);
        let come = line.receive();
        if come.is_empty() && line.is_quiet() && line.output("busy") == 0 {
            break;
        }
        all.extend(come);
    }
    assert_eq!(line.broken(), 0);
    all
}

/// A command of the original protocol, and its answer.
fn ask(line: &mut Line, x: u32, y: u32) -> Option<Answer> {
    line.send(&encode(x, y));
    decode(&settle(line)).map(|answer| answer.unwrap())
}

/// Clocks of the silence after which everything is listened to again.
const SILENCE: u64 = CLOCK_HZ as u64 / 20 + 100;

#[test]
fn words_are_those_of_the_stream_protocol() {
    use hdl::stream::{Command, selector as of};
    let commands = [
        (command::RESET, Command::Reset),
        (command::SEARCH, Command::Search),
        (command::LEVELS, Command::Levels),
        (command::TAKE_BACK, Command::TakeBack),
        (command::READ, Command::Read),
        (command::ABORT, Command::Abort),
        (command::LIMIT, Command::Limit),
    ];
    assert!(commands.iter().all(|(ours, theirs)| *ours as u32 == *theirs as u32));
    let selectors = [
        (selector::IDENTITY, of::IDENTITY),
        (selector::CONFIGURATION, of::CONFIGURATION),
        (selector::GAME, of::GAME),
        (selector::CYCLES, of::CYCLES),
        (selector::PASSES, of::PASSES),
        (selector::ORDERS, of::ORDERS),
        (selector::WAITS, of::WAITS),
        (selector::MISSES, of::MISSES),
        (selector::LIMIT, of::LIMIT),
        (selector::NODES, of::NODES),
        (selector::ROWS, of::ROWS),
    ];
    assert!(selectors.iter().all(|(ours, theirs)| usize::from(*ours) == *theirs));
}

#[test]
fn eight_bytes_a_move_play_as_the_model() {
    let config = config();
    let (columns, rows) = (config.columns as u32, config.rows as u32);
    let geometry = config.geometry();
    let mut line = line(2);
    let mut model = ModelEngine::new(&config);
    assert_eq!(ask(&mut line, 0, 0), None, "zeros do not count before another command");
    line.run(SILENCE);
    for game in 0..3u16 {
        assert_eq!(ask(&mut line, 99, 99), None);
        model.new_game().unwrap();
        let mut point = if game == 0 { (columns, rows) } else { (15, 15) };
        loop {
            let answer = ask(&mut line, point.0, point.1).expect("an answer");
            if answer.status == 0x11 || answer.status == 0x12 {
                assert_eq!((answer.x as u32, answer.y as u32), point, "the opponent's move ended it");
                assert_eq!(model.search(None).unwrap().cell, None);
                break;
            }
            let decision = model.search(None).unwrap();
            assert_eq!(geometry.cell(answer.x, answer.y), decision.cell, "game {game}");
            assert!(answer.status <= 2, "{answer:?}");
            if answer.status > 0 {
                break;
            }
            let free: Vec<Cell> =
                (0..geometry.cells() as Cell).filter(|cell| model.position().check(*cell).is_ok()).collect();
            let cell = free[(usize::from(game) * 7) % free.len()];
            model.play(cell).unwrap();
            let next = geometry.point(cell);
            point = (next.x as u32, next.y as u32);
        }
        // The game is over, or the cell is taken, or there is none: nothing moves.
        assert_eq!(ask(&mut line, 98, 98).map(|answer| answer.status >= 0x80), Some(true));
    }
}

#[test]
fn a_second_command_is_told_that_a_search_runs() {
    let (config, mut line) = (config(), line(3));
    let geometry = config.geometry();
    let mut model = ModelEngine::new(&config);
    let mut interrupted = 0;
    // Eight bytes take 800 clocks: of some searches they come after the end, of longer ones before.
    for number in 0..30u16 {
        let cells: Vec<Cell> =
            (0..4).map(|stone| (3 * number + 7 * stone) % geometry.cells() as Cell).collect();
        ask(&mut line, 99, 99);
        let hello = Frame::request(0, Kind::Hello, &[0; 6]).encode();
        exchange(&mut line, &hello);
        let mut stones = Script::default();
        let points = cells.iter().map(|cell| geometry.point(*cell));
        let mut bytes: Vec<u8> = points.flat_map(|point| [point.x as u8, point.y as u8]).collect();
        let last = bytes.split_off(6);
        stones.reset().place(&bytes);
        exchange(&mut line, &Frame::request(1, Kind::Script, stones.bytes()).encode());
        // A move to 0,0 counts behind another command only.
        ask(&mut line, 98, 98).unwrap();
        model.set_position(&cells).unwrap();
        let wanted = geometry.point(model.search(None).unwrap().cell.unwrap());
        line.send(&encode(last[0].into(), last[1].into()));
        line.send(&encode(98, 98));
        let text = String::from_utf8(settle(&mut line)).unwrap();
        let mut lines: Vec<u32> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(lines.len(), 4, "{lines:?}");
        if lines[0] == 34048 {
            interrupted += 1;
            assert_eq!(lines.drain(..2).collect::<Vec<_>>(), [34048, 34048]);
        } else {
            assert_eq!(lines.split_off(2), [33280, 33280]);
        }
        assert_eq!(
            lines.iter().map(|number| number & 0xff).collect::<Vec<_>>(),
            [wanted.y as u32, wanted.x as u32]
        );
    }
    assert!(interrupted > 0, "no search took longer than a command");
}

#[test]
fn noise_is_nothing_until_silence_and_a_frame_is_heard_in_it() {
    let mut line = line(4);
    ask(&mut line, 99, 99);
    line.send(&[0xff; 5]);
    assert_eq!(ask(&mut line, 15, 15), None, "behind noise");
    line.run(SILENCE);
    assert!(ask(&mut line, 15, 15).is_some(), "behind silence");
    // Half a command, given up.
    line.send(&encode(98, 98)[..5]);
    settle(&mut line);
    line.run(SILENCE);
    assert_eq!(ask(&mut line, 98, 98).map(|answer| answer.status), Some(0x82));
    // A frame behind noise, and behind half a command.
    for before in [&[0x80u8, 3][..], &[7, 0, 0], &[0xa5]] {
        line.send(before);
        if before == [0xa5] {
            line.run(SILENCE);
        }
        let hello = Frame::request(9, Kind::Hello, &[1, 2, 3, 4, 5, 6]);
        line.send(&hello.encode());
        let reply = Decoder::default().push(&settle(&mut line)).expect("a frame");
        assert_eq!((reply.sequence, reply.kind), (9, Kind::Hello as u8 | 0x80));
        assert_eq!(reply.payload, [Code::Scripted as u8, 1, 2, 3, 4, 5, 6]);
    }
}

/// A frame, and the frames that come back.
fn exchange(line: &mut Line, bytes: &[u8]) -> Vec<Frame> {
    line.send(bytes);
    let mut decoder = Decoder::default();
    let mut frame = decoder.push(&settle(line));
    let mut all = Vec::new();
    while let Some(one) = frame {
        all.push(one);
        frame = decoder.push(&[]);
    }
    assert!(!decoder.partial() && decoder.take_dropped() == 0);
    all
}

#[test]
fn the_driver_finds_it_and_sets_lost_games_anew() {
    let config = config();
    let port = Port::new(line(7), BAUD);
    let found = connect(Box::new(port.clone()), patience(), Protocol::Auto).unwrap();
    assert!(matches!(found, AnyBoard::Framed(_)));
    let mut engine = found.engine(&config).unwrap();
    let mut model = ModelEngine::new(&config);
    for turn in 0..4 {
        let decision = model.search(None).unwrap();
        // A reset, noise and the original protocol between its moves.
        match turn {
            1 => port.line().reset(),
            2 => port.line().send(&[0x55; 40]),
            3 => {
                let mut line = port.line();
                line.run(SILENCE);
                ask(&mut line, 99, 99);
            }
            _ => {}
        }
        assert_eq!(engine.search(None).unwrap().cell, decision.cell, "turn {turn}");
    }
}

#[test]
fn another_program_finds_the_game_on_the_board() {
    let port = Port::new(line(8), BAUD);
    let mut board = Board::connect(Box::new(port.clone()), patience()).unwrap();
    let moves: Vec<Point> = [(2, 2), (1, 1), (2, 1), (1, 2), (3, 3)].map(|(x, y)| Point { x, y }).to_vec();
    board.set_position(&moves).unwrap();
    assert!(matches!(board.play(Point { x: 2, y: 2 }), Err(BoardError::Illegal(_))));
    drop(board);
    let mut board = Board::connect(Box::new(port.clone()), patience()).unwrap();
    let (mut found, mut wanted) = (board.moves().to_vec(), moves);
    // The order is nobody's; who has which stones is.
    let of = |moves: &[Point], side: usize| {
        let mut all: Vec<(usize, usize)> = moves.iter().skip(side).step_by(2).map(|p| (p.x, p.y)).collect();
        all.sort_unstable();
        all
    };
    assert_eq!([of(&found, 0), of(&found, 1)], [of(&wanted, 0), of(&wanted, 1)]);
    // Taken back in the order that it was told in.
    let last = board.take_back().unwrap();
    assert_eq!(found.pop(), Some(last));
    wanted.clear();
    let counters = board.counters().unwrap();
    assert_eq!(counters.nodes.len(), 18);
    board.new_game().unwrap();
    assert_eq!(board.read_moves().unwrap(), wanted);
}

#[test]
fn a_wrong_rate_is_told() {
    let port = Port::new(line(9), BAUD);
    port.line().reset();
    let slow = Port::new(Line::new(model(), CLOCK_HZ, BAUD / 3, 9), BAUD / 3);
    let impatient = Patience { tries: 2, ..patience() };
    let told = connect(Box::new(slow), impatient, Protocol::Auto).err().expect("no board");
    assert!(
        matches!(told, BoardError::NoAnswer { .. } | BoardError::Garbled { .. } | BoardError::Torn { .. }),
        "{told}"
    );
}

#[test]
fn a_batch_finds_what_single_requests_find() {
    let config = config();
    let port = Port::new(line(10), BAUD);
    let mut board = Board::connect(Box::new(port.clone()), patience()).unwrap();
    let geometry = config.geometry();
    let mut positions: Vec<Vec<Point>> = (0..40u16)
        .map(|number| {
            let cells = (0..4).map(|stone| (number + 7 * stone) % geometry.cells() as u16);
            cells.map(|cell| geometry.point(cell)).collect()
        })
        .collect();
    // One whose last stone ends the game.
    let row = |y: usize| (0..4).map(move |x| Point { x, y });
    positions[20] = row(0).zip(row(2)).flat_map(|(a, b)| [a, b]).take(7).collect();
    board.play(Point { x: 1, y: 1 }).unwrap();
    let batch = board.search_each(&positions, Limits::default()).unwrap();
    assert_eq!(board.read_moves().unwrap(), [Point { x: 1, y: 1 }]);
    let mut model = ModelEngine::new(&config);
    for (moves, found) in positions.iter().zip(&batch) {
        let cells: Vec<Cell> = moves.iter().map(|p| geometry.cell(p.x, p.y).unwrap()).collect();
        model.set_position(&cells).unwrap();
        let decision = model.search(None).unwrap();
        let cell = found.and_then(|found| geometry.cell(found.point.x, found.point.y));
        assert_eq!(
            (cell, found.map_or(0, |found| found.score)),
            (decision.cell, decision.score),
            "{moves:?}"
        );
    }
    assert_eq!(batch[20], None);
}

/// Positions a second of a batch against single requests, by the line's own clock: `cargo test -p cosim --test line ratio -- --nocapture`
/// prints them. The adapter hands bytes over every millisecond, as USB at full speed does, to either side.
#[test]
fn the_ratio_of_a_batch_to_single_requests() {
    let config = config();
    // The line is at a tenth of its clock: 3 Mbit/s would be 30 MHz, a millisecond of it 30,000 clocks.
    let port = Port::new(line(11), BAUD).handing_over_every(30_000);
    let mut board = Board::connect(Box::new(port.clone()), Patience::default().times(100.0)).unwrap();
    let geometry = config.geometry();
    let positions: Vec<Vec<Point>> = (0..60u16)
        .map(|number| {
            let cells = (0..20).map(|stone| (7 * stone + number) % geometry.cells() as u16);
            cells.take(4 + usize::from(number % 3)).map(|cell| geometry.point(cell)).collect()
        })
        .collect();
    let clock = || port.line().clock();
    let begun = clock();
    for moves in &positions {
        board.set_position(moves).unwrap();
        board.search(Limits::default()).unwrap();
    }
    let single = clock() - begun;
    let begun = clock();
    board.search_each(&positions, Limits::default()).unwrap();
    let batch = clock() - begun;
    let per_second = |clocks: u64| 30e6 * positions.len() as f64 / clocks as f64;
    let ratio = single as f64 / batch as f64;
    println!(
        "single {:.0} positions/s, batch {:.0}, {ratio:.1} times",
        per_second(single),
        per_second(batch)
    );
    assert_eq!(board.statistics().repeats, 0);
    assert!(ratio > 8.0, "{ratio:.1}");
}
