// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver against a line that does what a sound board would not: silence, lost replies, searches without end, other
//! versions, lost games.
#![allow(missing_docs)]

use driver::board::{Board, Limits, status};
use driver::engine::{AnyBoard, Protocol, connect};
use driver::frame::{Code, Decoder, Frame, Kind, REPLY, VERSION, crc32};
use driver::original::{COMMAND_BYTES, PROBE, encode};
use driver::transport::{Connector, Transport};
use driver::{BoardError, Patience};
use engine_model::{Config, Engine, EngineError, Point};
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the board at the other end does, and what it has seen.
#[derive(Default)]
struct World {
    decoder: Decoder,
    seen: Vec<Frame>,
    moves: Vec<u8>,
    said: VecDeque<u8>,
    raw: Vec<u8>,
    last: Option<(u8, Vec<u8>)>,
    fault: Fault,
    searching: Option<u8>,
}

#[derive(Default, PartialEq, Eq)]
enum Fault {
    #[default]
    None,
    Silent,
    LosesReplies(u32),
    NeverEnds,
    OtherVersion,
    Forgets,
    LosesSearches,
    OriginalOnly,
}

impl World {
    fn reply(&mut self, request: &Frame, code: u8, body: &[u8]) {
        let mut payload = vec![code, 0];
        payload.extend((self.moves.len() as u16 / 2).to_le_bytes());
        payload.extend(crc32(&self.moves).to_le_bytes());
        payload.extend(body);
        let version = if self.fault == Fault::OtherVersion { 0 } else { VERSION };
        let frame = Frame { version, sequence: request.sequence, kind: request.kind | REPLY, payload };
        self.last = Some((request.sequence, frame.encode()));
        if let Fault::LosesReplies(left @ 1..) = &mut self.fault {
            *left -= 1;
            return;
        }
        self.said.extend(frame.encode());
    }

    fn request(&mut self, request: Frame) {
        self.seen.push(request.clone());
        if let Some((sequence, said)) = &self.last
            && *sequence == request.sequence
            && request.kind != Kind::Hello as u8
        {
            self.said.extend(said.clone());
            return;
        }
        if request.kind != Kind::Hello as u8 && self.fault == Fault::Forgets {
            self.fault = Fault::None;
            self.moves.clear();
            self.reply(&request, Code::NoSession as u8, &[]);
            self.last = None;
            return;
        }
        if self.fault == Fault::LosesSearches && request.kind == Kind::Search as u8 {
            return;
        }
        match Kind::from_code(request.kind).unwrap() {
            Kind::Hello => {
                let mut body = request.payload.clone();
                body.extend([0; 4]);
                body.extend(20_000_000u32.to_le_bytes());
                body.extend([0, 4, 0, 4]);
                body.extend([0; 8]);
                body.extend([15, 15, 5, 4, 4, 16, 0, 0]);
                self.reply(&request, 0, &body);
            }
            Kind::Moves => {
                let moves = self.moves.clone();
                self.reply(&request, 0, &moves);
            }
            Kind::NewGame => {
                self.moves.clear();
                self.reply(&request, 0, &[]);
            }
            Kind::Position => {
                self.moves = request.payload.clone();
                self.reply(&request, 0, &[]);
            }
            Kind::Play => {
                self.moves.extend(&request.payload);
                self.reply(&request, 0, &[status::DONE]);
            }
            Kind::Search if self.fault == Fault::NeverEnds => {
                if let [.., x, y] = request.payload[5..] {
                    self.moves.extend([x, y]);
                }
                self.searching = Some(request.sequence);
                self.reply(&request, Code::Busy as u8, &[]);
                self.last = None;
            }
            Kind::Search => {
                self.moves.extend([9, 9]);
                let mut body = vec![status::MOVE, 9, 9, 4];
                body.extend([0; 20]);
                self.reply(&request, 0, &body);
            }
            Kind::Abort => {
                let search = Frame { kind: Kind::Search as u8, ..request.clone() };
                match self.searching.take() {
                    Some(running) => {
                        assert_eq!(running, search.sequence);
                        self.reply(&search, status::ABORTED, &[]);
                    }
                    None => self.reply(&request, Code::Sequence as u8, &[]),
                }
            }
            Kind::TakeBack | Kind::Counters | Kind::Script => unreachable!("not asked for here"),
        }
    }

    fn original(&mut self, bytes: &[u8]) {
        self.raw.extend(bytes);
        while self.raw.len() >= COMMAND_BYTES {
            let command: Vec<u8> = self.raw.drain(..COMMAND_BYTES).collect();
            // x and y of a frame's bytes are beyond any board.
            let number = |at: usize| u32::from_le_bytes(command[at..at + 4].try_into().unwrap());
            let known = number(0) < 20 && number(4) < 20;
            assert!(!known, "a probe has moved a stone");
            if command == encode(PROBE, PROBE) {
                self.said.extend(b"33280\n33280\n");
            }
        }
    }
}

#[derive(Clone)]
struct Line(Arc<Mutex<World>>);

impl Transport for Line {
    fn receive(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut world = self.0.lock().unwrap();
        let count = world.said.len().min(bytes.len());
        for (byte, said) in bytes.iter_mut().zip(world.said.drain(..count)) {
            *byte = said;
        }
        drop(world);
        if count == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(count)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut world = self.0.lock().unwrap();
        if world.fault == Fault::Silent {
            return Ok(());
        }
        if world.fault == Fault::OriginalOnly {
            // It takes eight bytes after eight bytes, whatever they are.
            world.original(bytes);
            return Ok(());
        }
        let mut frame = world.decoder.push(bytes);
        while let Some(found) = frame {
            world.request(found);
            frame = world.decoder.push(&[]);
        }
        Ok(())
    }
}

impl Connector for Line {
    fn name(&self) -> String {
        "a line".into()
    }

    fn baud(&self) -> u32 {
        115_200
    }

    fn open(&mut self) -> Result<Box<dyn Transport>, BoardError> {
        Ok(Box::new(self.clone()))
    }
}

const PATIENCE: Patience = Patience {
    reply: Duration::from_millis(20),
    tries: 4,
    search: Duration::from_millis(60),
    reconnect: Duration::from_millis(100),
    gap: Duration::from_millis(50),
};

fn line(fault: Fault) -> Line {
    Line(Arc::new(Mutex::new(World { fault, ..World::default() })))
}

fn board() -> (Board, Line) {
    let line = line(Fault::None);
    (Board::connect(Box::new(line.clone()), PATIENCE).unwrap(), line)
}

fn point(x: usize, y: usize) -> Point {
    Point { x, y }
}

#[test]
fn a_lost_reply_is_asked_for_again_and_nothing_is_played_twice() {
    let (mut board, line) = board();
    line.0.lock().unwrap().fault = Fault::LosesReplies(1);
    board.play(point(7, 7)).unwrap();
    let world = line.0.lock().unwrap();
    assert_eq!(world.moves, [7, 7]);
    let plays: Vec<u8> =
        world.seen.iter().filter(|f| f.kind == Kind::Play as u8).map(|f| f.sequence).collect();
    assert_eq!(plays.len(), 2);
    assert!(plays.windows(2).all(|pair| pair[0] == pair[1]));
    drop(world);
    assert_eq!(board.statistics().repeats, 1);
}

#[test]
fn a_board_that_lost_its_game_gets_it_back() {
    let (mut board, line) = board();
    board.play(point(7, 7)).unwrap();
    line.0.lock().unwrap().fault = Fault::Forgets;
    let found = board.search(Limits::default()).unwrap().unwrap();
    assert_eq!(found.point, point(9, 9));
    assert_eq!(line.0.lock().unwrap().moves, [7, 7, 9, 9]);
    assert_eq!(board.moves(), [point(7, 7), point(9, 9)]);
}

#[test]
fn silence_and_another_version_are_told() {
    let error = Board::connect(Box::new(line(Fault::Silent)), PATIENCE).err().unwrap();
    assert!(matches!(error, BoardError::NoAnswer { .. }), "{error}");
    let error = Board::connect(Box::new(line(Fault::OtherVersion)), PATIENCE).err().unwrap();
    assert!(error.to_string().contains("the firmware is too old"), "{error}");
}

#[test]
fn a_search_without_end_is_stopped() {
    let (mut board, line) = board();
    line.0.lock().unwrap().fault = Fault::NeverEnds;
    let error = board.search(Limits::default()).unwrap_err();
    assert!(matches!(error, BoardError::TooLong { .. }), "{error}");
    assert!(board.moves().is_empty());
    // By the caller, from another thread.
    let cancel = board.canceller();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(10));
        cancel.store(true, Ordering::Relaxed);
    });
    let error = board.search(Limits::default()).unwrap_err();
    stopper.join().unwrap();
    assert!(matches!(error, BoardError::Cancelled), "{error}");
    // And it goes on.
    line.0.lock().unwrap().fault = Fault::None;
    assert!(board.search(Limits::default()).unwrap().is_some());
}

#[test]
fn an_engines_search_is_stopped_by_its_flag() {
    let (board, line) = board();
    let config = Config::from_toml(include_str!("../../configs/gomoku15.toml")).unwrap();
    let mut engine = AnyBoard::Framed(board).engine(&config).unwrap();
    line.0.lock().unwrap().fault = Fault::NeverEnds;
    let stop = engine.stop().expect("a board that knows frames stops");
    let flag = stop.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(10));
        flag.set();
    });
    assert!(matches!(engine.search(None), Err(EngineError::Stopped)));
    stopper.join().unwrap();
    stop.clear();
    line.0.lock().unwrap().fault = Fault::None;
    assert!(engine.search(None).unwrap().cell.is_some());
}

#[test]
fn firmware_that_knows_no_frames_is_found_out() {
    let found = connect(Box::new(line(Fault::OriginalOnly)), PATIENCE, Protocol::Auto).unwrap();
    assert_eq!(found.protocol(), Protocol::Original);
    let found = connect(Box::new(line(Fault::None)), PATIENCE, Protocol::Auto).unwrap();
    assert!(matches!(found, AnyBoard::Framed(_)));
}

fn cancelled_after(board: &mut Board, before: Option<Point>) -> BoardError {
    let cancel = board.canceller();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(10));
        cancel.store(true, Ordering::Relaxed);
    });
    let error = board.search_after(before, Limits::default()).unwrap_err();
    stopper.join().unwrap();
    error
}

#[test]
fn a_stopped_search_takes_the_move_before_it_back() {
    let (mut board, line) = board();
    board.play(point(7, 7)).unwrap();
    line.0.lock().unwrap().fault = Fault::NeverEnds;
    let error = cancelled_after(&mut board, Some(point(8, 8)));
    assert!(matches!(error, BoardError::Cancelled), "{error}");
    assert_eq!(board.moves(), [point(7, 7)]);
    // The board has 8,8; the driver sets it right before it asks for anything.
    line.0.lock().unwrap().fault = Fault::None;
    board.play(point(8, 8)).unwrap();
    assert_eq!(line.0.lock().unwrap().moves, [7, 7, 8, 8]);
}

#[test]
fn a_search_that_never_arrived_is_stopped_too() {
    let (mut board, line) = board();
    line.0.lock().unwrap().fault = Fault::LosesSearches;
    let error = cancelled_after(&mut board, None);
    assert!(matches!(error, BoardError::Cancelled), "{error}");
}

#[test]
fn a_request_that_failed_is_cleared_up_before_the_next() {
    let (mut board, line) = board();
    // Carried out, but never answered.
    line.0.lock().unwrap().fault = Fault::LosesReplies(1);
    let cancel = board.canceller();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(5));
        cancel.store(true, Ordering::Relaxed);
    });
    let error = board.play(point(7, 7)).unwrap_err();
    stopper.join().unwrap();
    assert!(matches!(error, BoardError::Cancelled), "{error}");
    assert_eq!(line.0.lock().unwrap().moves, [7, 7]);
    // To the caller it was not played: nor is it now.
    let found = board.search(Limits::default()).unwrap().unwrap();
    assert_eq!(found.point, point(9, 9));
    assert_eq!(line.0.lock().unwrap().moves, [9, 9]);
}
