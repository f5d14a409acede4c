// SPDX-License-Identifier: MIT OR Apache-2.0
//! The firmware on the simulated SoC around the verilated slot, byte by byte and clock by clock.
#![allow(missing_docs)]

mod soc;

use cosim::bus::attached::AttachedSlot;
use driver::frame::{Code, Frame, Kind, MAX_PAYLOAD, NONCE_BYTES, REPLY, SYNC, VERSION};
use driver::layout::{COUNTERS, HEAD, HELLO, Parts, SEARCH};
use driver::original::{ENGINE_FIRST, NEW_GAME, PROBE, decode, encode};
use engine_model::position::Tables;
use engine_model::{Engine, ModelEngine, Position};
use hdl::stream::{IDENTITY, Status, version_word};
use soc::{Board, Dead, GAP, MILLISECOND, config};
use soc_integration::Face;
use soc_integration::register_map::CONFIGURATION;
use soc_integration::soc::{Pace, Slot};
use soc_integration::wujian100::USI0_INTERRUPT;

fn code(payload: &[u8]) -> u64 {
    Parts::split(HEAD, payload).unwrap().0.get("code")
}

fn search_of(payload: &[u8]) -> Parts<'_> {
    assert_eq!(code(payload), 0);
    Parts::split(SEARCH, &payload[8..]).unwrap().0
}

#[test]
fn hello_tells_what_the_board_is() {
    let mut board = Board::new(Pace::Fast);
    let reply = board.hello();
    let (hello, rest) = Parts::split(HELLO, &reply[8..]).unwrap();
    assert!(rest.is_empty());
    assert_eq!(hello.get("nonce"), 0x0605_0403_0201);
    assert_eq!(hello.get("identity"), u64::from(IDENTITY));
    assert_eq!(hello.get("version"), u64::from(version_word()));
    assert_eq!(hello.get("firmware"), u64::from(version_word()));
    assert_eq!((hello.get("slot"), hello.get("clock")), (1, 20_000_000));
    assert_eq!(hello.get("max_payload"), MAX_PAYLOAD as u64);
    let config = config();
    let built = hello.get("configuration") as u32;
    assert_eq!(CONFIGURATION.get("COLUMNS", built) as usize, config.columns);
    assert_eq!(hello.get("levels") as usize, config.levels);
    assert_eq!(hello.get("hardware") >> 8 & 0xff, config.contexts as u64);
}

#[test]
fn the_original_protocol_is_the_documents() {
    let mut board = Board::new(Pace::Fast);
    let mut model = ModelEngine::new(&config());
    let geometry = config().geometry();
    let two = |payload: Vec<u8>| decode(&payload).expect("two lines").expect("numbers");
    // The engine first, as in the documents, where 15 is no column.
    let answer = two(board.text(&encode(ENGINE_FIRST, ENGINE_FIRST)));
    let wanted = geometry.point(model.search(None).unwrap().cell.unwrap());
    assert_eq!((answer.status, answer.x, answer.y), (0, wanted.x, wanted.y));
    // The same by the core's own numbers; nothing answers a new game.
    assert!(board.text(&encode(NEW_GAME, NEW_GAME)).is_empty());
    let again = two(board.text(&encode(config().columns as u32, config().rows as u32)));
    assert_eq!(again, answer);
    // Occupied, outside, and a probe: nothing moves.
    let occupied = two(board.text(&encode(wanted.x as u32, wanted.y as u32)));
    assert_eq!(occupied.status, Status::Occupied as u32);
    for (x, y) in [(98, 98), (0, 20), (config().columns as u32, 0)] {
        assert_eq!(two(board.text(&encode(x, y))).status, Status::Outside as u32);
    }
    // y comes first.
    let free = (0..config().columns)
        .map(|x| geometry.cell(x, 0).unwrap())
        .find(|cell| model.position().is_empty(*cell))
        .unwrap();
    model.play(free).unwrap();
    let wanted = geometry.point(model.search(None).unwrap().cell.unwrap());
    let point = geometry.point(free);
    let said = board.text(&encode(point.x as u32, point.y as u32));
    assert_eq!(String::from_utf8(said).unwrap(), format!("{}\n{}\n", wanted.y, wanted.x));
    // A command may come byte by byte, with pauses shorter than the gap.
    board.text(&encode(NEW_GAME, NEW_GAME));
    for byte in encode(3, 3) {
        assert!(board.text(&[]).is_empty());
        board.soc.send(&[byte]);
        board.silence(10 * MILLISECOND);
    }
    assert!(decode(&board.soc.receive()).is_some());
}

#[test]
fn a_game_that_ends_says_so() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    // Four in a row but one on row 0, the opponent's stones scattered.
    let position = [0, 0, 0, 5, 1, 0, 6, 5, 2, 0, 3, 5];
    assert_eq!(code(&board.ask(Kind::Position, &position)), 0);
    let reply = board.ask(Kind::Search, &[0, 0, 0, 0, 0]);
    let found = search_of(&reply);
    assert_eq!((found.get("status"), found.get("x"), found.get("y")), (Status::EngineWins as u64, 3, 0));
    assert_eq!(Parts::split(HEAD, &reply).unwrap().0.get("over"), 1);
    assert_eq!(code(&board.ask(Kind::Search, &[0, 0, 0, 0, 0])), Status::GameOver as u64);
    assert_eq!(code(&board.ask(Kind::Play, &[4, 4])), Status::GameOver as u64);
    // Back before it, the opponent wins by a move that the search is told.
    assert_eq!(code(&board.ask(Kind::TakeBack, &[])), 0);
    let reply = board.ask(Kind::Search, &[0, 0, 0, 0, 0, 3, 0]);
    assert_eq!(search_of(&reply).get("status"), Status::MoverWins as u64);
    assert_eq!(board.moves().len(), 14);
    // The original protocol on the same board: the line is known there too.
    board.text(&encode(NEW_GAME, NEW_GAME));
    assert!(board.moves().is_empty());
}

#[test]
fn a_position_is_set_whole_or_not_at_all() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    let good = [3, 3, 2, 2, 4, 4];
    assert_eq!(code(&board.ask(Kind::Position, &good)), 0);
    for (wrong, status, index) in [
        (vec![1, 1, 1, 1], Status::Occupied, 1),
        (vec![1, 1, 2, 1, 9, 9], Status::Outside, 2),
        // A fourth in a row on column 0 and a move after it.
        (vec![0, 0, 6, 0, 0, 1, 6, 1, 0, 2, 5, 3, 0, 3, 5, 5], Status::GameOver, 7),
    ] {
        let reply = board.ask(Kind::Position, &wrong);
        assert_eq!(code(&reply), status as u64);
        assert_eq!(u16::from_le_bytes([reply[8], reply[9]]), index);
        assert_eq!(board.moves(), good);
    }
    // The core agrees with the list: the cells are taken.
    assert_eq!(code(&board.ask(Kind::Play, &[2, 2])), Status::Occupied as u64);
    assert_eq!(code(&board.ask(Kind::Play, &[1, 2])), 0);
}

#[test]
fn a_request_is_carried_out_once() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    let play = board.request(Kind::Play, &[3, 3]);
    let first = board.text(&play);
    let second = board.text(&play);
    assert_eq!(first, second);
    assert_eq!(board.moves(), [3, 3]);
    // Neither the last number nor the next.
    let stray = Frame::request(board.sequence().wrapping_add(9), Kind::Play, &[1, 1]).encode();
    assert_eq!(code(&board.frames(&stray)[0].payload), Code::Sequence as u64);
    assert_eq!(board.moves(), [3, 3]);
    // Hello begins anew, at any number, and the game goes on.
    let hello = Frame::request(200, Kind::Hello, &[0; NONCE_BYTES]).encode();
    assert_eq!(code(&board.frames(&hello)[0].payload), 0);
    let moves = Frame::request(201, Kind::Moves, &[]).encode();
    assert_eq!(board.frames(&moves)[0].payload[8..], [3, 3]);
}

#[test]
fn what_is_wrong_with_a_request_is_told() {
    let mut board = Board::new(Pace::Fast);
    // A Hello of a wrong length begins no session.
    let short = Frame::request(1, Kind::Hello, &[]).encode();
    assert_eq!(code(&board.frames(&short)[0].payload), Code::BadLength as u64);
    let early = board.request(Kind::Play, &[3, 3]);
    assert_eq!(code(&board.frames(&early)[0].payload), Code::NoSession as u64);
    board.hello();
    for (kind, payload) in [
        (Kind::Play, vec![1]),
        (Kind::Position, vec![1, 2, 3]),
        (Kind::Search, vec![0; 6]),
        (Kind::Moves, vec![0]),
        (Kind::Hello, vec![]),
    ] {
        assert_eq!(code(&board.ask(kind, &payload)), Code::BadLength as u64, "{kind:?}");
    }
    assert_eq!(code(&board.ask(Kind::TakeBack, &[])), Status::NoMove as u64);
    assert_eq!(code(&board.ask(Kind::Play, &[7, 0])), Status::Outside as u64);
    assert_eq!(code(&board.ask(Kind::Search, &[9, 0, 0, 0, 0])), Status::BadArgument as u64);
    let next = board.sequence().wrapping_add(1);
    for kind in [0x00, 0x0a, 0x7f] {
        let frame = Frame { version: VERSION, sequence: next, kind, payload: vec![] };
        let said = board.frames(&frame.encode());
        // The first is answered and remembered, the others are other requests under its number.
        assert_eq!(code(&said[0].payload), Code::UnknownKind as u64);
    }
    let other =
        Frame { version: VERSION + 1, sequence: 9, kind: Kind::Hello as u8, payload: vec![0; NONCE_BYTES] };
    let said = board.frames(&other.encode());
    assert_eq!((said[0].version, code(&said[0].payload)), (VERSION, Code::BadVersion as u64));
    // A reply is no request: an echo is not answered.
    let echo = Frame { version: VERSION, sequence: 9, kind: Kind::Play as u8 | REPLY, payload: vec![1, 1] };
    assert!(board.text(&echo.encode()).is_empty());
}

#[test]
fn a_search_can_be_asked_after_and_stopped() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    board.ask(Kind::Position, &[3, 3, 2, 2, 4, 4, 3, 2]);
    let before = board.moves();
    let search = board.request(Kind::Search, &[0, 0, 0, 0, 0]);
    board.soc.send(&search);
    let mut said = Vec::new();
    let mut step = |board: &mut Board, clocks| {
        board.soc.run(clocks, 0);
        said.extend(board.soc.receive());
    };
    // Until its last byte has arrived and the search has begun, while it runs, and after it was asked to stop.
    while board.soc.sending() {
        step(&mut board, 10);
    }
    step(&mut board, 150);
    board.soc.send(&search);
    while board.soc.sending() {
        step(&mut board, 10);
    }
    board.settle();
    said.extend(board.soc.receive());
    let frames = board.decoded(&said);
    // Asked for twice, carried out once, answered at least once; in between Busy, if it still ran.
    let codes: Vec<u64> = frames.iter().map(|frame| code(&frame.payload)).collect();
    assert!(codes.len() == 2 && codes.contains(&0), "{codes:?}");
    assert_eq!(board.moves().len(), before.len() + 2);
    // Taken back, searched again and stopped at once.
    board.ask(Kind::TakeBack, &[]);
    let search = board.request(Kind::Search, &[0, 0, 0, 0, 0]);
    let abort = Frame::request(board.sequence(), Kind::Abort, &[]).encode();
    let said = board.frames(&[search, abort].concat());
    // An abort that comes too late gets the answer once more.
    assert!(said.len() == 1 || said.len() == 2 && said[0] == said[1], "{said:?}");
    let stopped = code(&said[0].payload);
    assert!([0, Status::Aborted as u64].contains(&stopped), "{stopped}");
    let expected = if stopped == 0 { before.len() + 2 } else { before.len() };
    assert_eq!(board.moves().len(), expected);
}

#[test]
fn an_aborted_search_leaves_the_position() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    board.ask(Kind::Position, &[3, 3, 2, 2, 4, 4, 3, 2]);
    let before = board.moves();
    // The abort is there before the search's bytes are read: both arrive while the processor checks a long frame.
    let long = board.request(Kind::Position, &[0; MAX_PAYLOAD]);
    let search = board.request(Kind::Search, &[0, 0, 0, 0, 0]);
    let abort = Frame::request(board.sequence(), Kind::Abort, &[]).encode();
    let said = board.frames(&[long, search, abort].concat());
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(code(&said[1].payload), Status::Aborted as u64);
    assert_eq!(board.moves(), before);
    // And the next search is sound.
    let mut model = ModelEngine::new(&config());
    let geometry = config().geometry();
    let cells: Vec<_> =
        before.chunks(2).map(|xy| geometry.cell(xy[0].into(), xy[1].into()).unwrap()).collect();
    model.set_position(&cells).unwrap();
    let wanted = geometry.point(model.search(None).unwrap().cell.unwrap());
    let reply = board.ask(Kind::Search, &[0, 0, 0, 0, 0]);
    let found = search_of(&reply);
    assert_eq!((found.get("x") as usize, found.get("y") as usize), (wanted.x, wanted.y));
}

#[test]
fn a_limit_ends_with_a_completed_search() {
    let config = config();
    let tables = Tables::new(&config);
    let geometry = config.geometry();
    for limit in [1u32, 200, 600, 100_000] {
        let mut board = Board::new(Pace::Fast);
        board.hello();
        let moves = [3, 3, 2, 2];
        board.ask(Kind::Position, &moves);
        let mut payload = vec![0];
        payload.extend(limit.to_le_bytes());
        let reply = board.ask(Kind::Search, &payload);
        let found = search_of(&reply);
        let level = found.get("level") as usize;
        assert!((2..=config.levels).contains(&level), "limit {limit}: level {level}");
        // What a search of that level finds, and its score.
        let cells: Vec<_> =
            moves.chunks(2).map(|xy| geometry.cell(xy[0].into(), xy[1].into()).unwrap()).collect();
        let mut model = ModelEngine::new(&config);
        model.set_position(&cells).unwrap();
        let wanted = model.search(Some(level)).unwrap();
        let point = geometry.point(wanted.cell.unwrap());
        assert_eq!((found.get("x") as usize, found.get("y") as usize), (point.x, point.y));
        assert_eq!(found.get("score") as u32 as i32, wanted.score);
        if limit == 1 {
            assert_eq!(level, 2);
        } else if limit == 100_000 {
            assert_eq!(level, config.levels);
        }
        // The core and the list of moves hold it.
        assert_eq!(board.moves().len(), 6);
        let position = Position::from_moves(&tables, &[cells, vec![wanted.cell.unwrap()]].concat()).unwrap();
        assert_eq!(position.stones(), 3);
        assert_eq!(code(&board.ask(Kind::Play, &[point.x as u8, point.y as u8])), Status::Occupied as u64);
        // Levels of one search do not stay.
        let reply = board.ask(Kind::Search, &[0, 0, 0, 0, 0]);
        assert_eq!(search_of(&reply).get("level") as usize, config.levels);
    }
}

#[test]
fn counters_are_the_slots() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    let reply = board.ask(Kind::Search, &[2, 0, 0, 0, 0, 3, 3]);
    let found = search_of(&reply);
    let (cycles, nodes) = (found.get("cycles"), found.get("nodes"));
    let reply = board.ask(Kind::Counters, &[]);
    let (counters, rest) = Parts::split(COUNTERS, &reply[8..]).unwrap();
    assert!(rest.is_empty() && cycles > 0);
    assert_eq!(counters.get("cycles"), cycles);
    assert_eq!(counters.list("nodes").iter().sum::<u64>(), nodes);
    assert!(counters.get("passes") >= nodes && counters.get("passes") <= cycles);
}

#[test]
fn two_protocols_share_the_line() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    // A move by the original protocol shows in the framed one, and counts there.
    assert!(decode(&board.text(&encode(3, 3))).unwrap().is_ok());
    let moves = board.moves();
    assert_eq!((moves.len(), &moves[..2]), (4, &[3, 3][..]));
    // A new game in the middle of a framed search: the search is answered, the board is empty.
    let search = board.request(Kind::Search, &[0, 0, 0, 0, 0]);
    let said = board.frames(&[search, encode(NEW_GAME, NEW_GAME).to_vec()].concat());
    assert_eq!(said.len(), 1);
    assert!(board.moves().is_empty());
}

#[test]
fn silence_ends_what_has_begun() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    // Half a command of each kind, then silence, then a whole one.
    for half in [&encode(3, 3)[..5], &[SYNC, VERSION, 9, 2, 200, 3, 1][..], &[0xff, 0xfe][..]] {
        assert!(board.text(half).is_empty());
        board.silence(GAP);
        assert!(board.moves().is_empty());
    }
    // Without the silence, a frame behind garbage is found all the same; a command of the original protocol is not.
    let moves = board.request(Kind::Moves, &[]);
    let said = board.frames(&[&[0xff, 1, 2, 3][..], &moves].concat());
    assert_eq!(said.len(), 1);
    assert!(board.text(&[&[0xff][..], &encode(3, 3)].concat()).is_empty());
    board.silence(GAP);
    assert!(board.moves().is_empty());
    // A frame that another one's length has swallowed is found when the line falls silent.
    let moves = board.request(Kind::Moves, &[]);
    assert!(board.text(&[&[SYNC, VERSION, 9, 2, 100, 0][..], &moves].concat()).is_empty());
    board.silence(GAP);
    let said = board.soc.receive();
    assert_eq!(board.decoded(&said).len(), 1);
}

#[test]
fn the_longest_frames_come_through_at_the_fastest_rate() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    let long: Vec<u8> = (0..MAX_PAYLOAD).map(|index| index as u8).collect();
    // Too long for a position, but a sound frame.
    assert_eq!(code(&board.ask(Kind::Position, &long)), Code::BadLength as u64);
    assert_eq!(board.soc.overruns(), 0);
    let told = board.soc.interrupts();
    println!("{told:?}, lowest stack {:x?}", board.soc.lowest_stack());
}

#[test]
fn the_line_takes_the_time_of_its_rate() {
    let mut fast = Board::new(Pace::Fast);
    let mut exact = Board::new(Pace::Exact);
    let times = [&mut fast, &mut exact].map(|board| {
        let begin = board.soc.clock();
        board.hello();
        board.soc.clock() - begin
    });
    // A bit takes 16 * 11 clocks there, 16 * 2 here.
    let bytes = 16 + 52;
    assert!(times[1] > 11 * 160 * bytes && times[1] < 11 * 160 * (bytes + 4), "{times:?}");
    assert!(times[0] > 2 * 160 * bytes && times[0] < 2 * 160 * (bytes + 30), "{times:?}");
}

#[test]
fn a_line_at_a_wrong_rate_moves_nothing() {
    let mut board = Board::new(Pace::Fast);
    // What a Hello at a tenth of the rate looks like here: a zero for each falling edge.
    for _ in 0..2 {
        assert!(board.text(&[0; 39]).is_empty());
        board.silence(GAP);
    }
    board.hello();
    assert!(board.text(&[0; 16]).is_empty());
    board.silence(GAP);
    assert!(board.moves().is_empty());
    // In a game of the original protocol 0,0 is a move.
    assert!(board.text(&encode(NEW_GAME, NEW_GAME)).is_empty());
    assert_eq!(decode(&board.text(&encode(0, 0))).unwrap().unwrap().status, 0);
    assert_eq!(board.moves().len(), 4);
}

#[test]
fn a_probe_of_the_original_protocol_moves_nothing() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    assert_eq!(decode(&board.text(&encode(PROBE, PROBE))).unwrap().unwrap().status, Status::Outside as u32);
    assert!(board.moves().is_empty());
}

#[test]
fn a_trap_in_a_handler_begins_anew_and_hears() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    board.ask(Kind::Play, &[3, 3]);
    // The line's vector leads to an unknown instruction: the trap comes at a handler's interrupt level.
    let vector = board.soc.cpu().vectors() + 4 * USI0_INTERRUPT;
    let good = board.soc.program()[vector as usize..vector as usize + 4].to_vec();
    board.soc.poke(0xff00, &[0; 4]);
    board.soc.poke(vector, &0xff00u32.to_le_bytes());
    board.soc.send(&[0xff]);
    while board.soc.traps().is_empty() {
        board.soc.run(10, 0);
    }
    board.soc.poke(vector, &good);
    board.traps = board.soc.traps().len();
    board.settle();
    board.silence(GAP);
    // It hears, has forgotten its session and its game, and plays again.
    let request = board.request(Kind::Moves, &[]);
    assert_eq!(code(&board.frames(&request)[0].payload), Code::NoSession as u64);
    board.hello();
    assert!(board.moves().is_empty());
    assert_eq!(code(&board.ask(Kind::Search, &[0, 0, 0, 0, 0])), 0);
}

#[test]
fn a_core_that_is_not_there_is_told() {
    // Nothing in the slot, and a core in another one.
    let model = cosim::models::model(&config(), cosim::Kind::Slot(Face::Ahb)).unwrap();
    let slots: [(Box<dyn Slot>, usize); 2] =
        [(Box::new(Dead), 1), (Box::new(AttachedSlot::new(model, Face::Ahb, 1)), 2)];
    for (slot, number) in slots {
        let mut board = Board::around(slot, number, Pace::Fast);
        let reply = board.hello();
        assert_eq!(code(&reply), Code::CoreSilent as u64);
        // The original protocol has its own words for it.
        let said = decode(&board.text(&encode(3, 3))).unwrap().unwrap();
        assert_eq!(said.status, Code::CoreSilent as u32);
    }
}

#[test]
fn one_request_at_a_time() {
    let mut board = Board::new(Pace::Fast);
    board.hello();
    board.ask(Kind::Play, &[3, 3]);
    let long = board.request(Kind::Position, &[0; MAX_PAYLOAD]);
    let search = board.request(Kind::Search, &[0, 0, 0, 0, 0]);
    let early = Frame::request(board.sequence().wrapping_add(1), Kind::Play, &[1, 1]).encode();
    let said = board.frames(&[long, search, early].concat());
    let codes: Vec<u64> = said.iter().map(|frame| code(&frame.payload)).collect();
    assert_eq!(codes, [Code::BadLength as u64, Code::Running as u64, 0]);
}

#[test]
fn the_packaged_driver_compiles_as_its_readme_says() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver-package");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["generate", "--config", "tictactoe", "--face", "axil", "--format", "plain", "--out"])
        .arg(&folder)
        .output()
        .unwrap();
    assert!(output.status.success());
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let line =
        readme.lines().find(|line| line.starts_with("riscv64-unknown-elf-gcc ")).expect("the README has it");
    let output = std::process::Command::new("sh").args(["-c", line]).current_dir(&folder).output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
