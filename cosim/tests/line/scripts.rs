// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of scripts, byte by byte: once, again, cut, in vain.

use super::*;

fn codes(frames: &[Frame]) -> Vec<u8> {
    frames.iter().map(|frame| frame.payload[0]).collect()
}

#[test]
fn a_sequence_number_is_carried_out_once() {
    let mut line = line(5);
    let mut scratch = Script::default();
    scratch.reset().place(&[1, 1]).information(selector::GAME, true, true);
    let script = |sequence| Frame::request(sequence, Kind::Script, scratch.bytes()).encode();
    let done = Code::Scripted as u8;
    assert_eq!(codes(&exchange(&mut line, &script(1))), [Code::NoSession as u8]);
    let hello = Frame::request(7, Kind::Hello, &[9; 6]).encode();
    assert_eq!(codes(&exchange(&mut line, &hello)), [done]);
    let first = exchange(&mut line, &script(8));
    assert_eq!(first[0].payload[1], 0x10, "the stone is placed");
    // Once more, word by word the same; it would be refused if it were carried out: the place is the same after a reset.
    let mut place = Script::default();
    place.place(&[1, 1]);
    let place = |sequence| Frame::request(sequence, Kind::Script, place.bytes()).encode();
    assert_eq!(exchange(&mut line, &script(8)), first);
    assert_eq!(exchange(&mut line, &place(9))[0].payload, [done, 0x81], "occupied");
    assert_eq!(exchange(&mut line, &place(9))[0].payload, [done, 0x81]);
    // Twice in a row, cut, damaged, of another number, kind, version.
    let twice = [script(10), script(10)].concat();
    let frames = exchange(&mut line, &twice);
    // While its reply is being sent, the second is not answered.
    assert_eq!(frames.len(), 1, "{frames:?}");
    assert_eq!((frames[0].sequence, &frames[0].payload), (10, &first[0].payload));
    let mut damaged = script(11);
    damaged[8] ^= 4;
    assert_eq!(exchange(&mut line, &damaged), []);
    line.run(SILENCE);
    assert_eq!(exchange(&mut line, &script(11)[..9]), []);
    line.run(SILENCE);
    assert_eq!(codes(&exchange(&mut line, &script(13))), [Code::Sequence as u8]);
    assert_eq!(
        codes(&exchange(&mut line, &Frame::request(11, Kind::Play, &[1, 1]).encode())),
        [Code::UnknownKind as u8]
    );
    let mut older = Frame::request(11, Kind::Script, scratch.bytes());
    older.version = 9;
    assert_eq!(codes(&exchange(&mut line, &older.encode())), [Code::BadVersion as u8]);
    assert_eq!(exchange(&mut line, &script(11))[0].payload, first[0].payload);
    // Too long for the memory: no frame at all.
    let mut long = Frame::request(12, Kind::Script, &vec![0; MEMORY_BYTES]).encode();
    (long[4], long[5]) = (1, 8);
    assert_eq!(exchange(&mut line, &long), []);
    line.run(SILENCE);
    // More than the memory of the reply holds: what it holds comes.
    let frames = exchange(&mut line, &Frame::request(12, Kind::Script, &vec![OWN; MEMORY_BYTES]).encode());
    let read = &frames[0].payload[1..];
    assert!(read.chunks_exact(4).all(|word| word == 7u32.to_le_bytes()) && read.len() == MAX_READ);
    // A move of the original protocol ends the session.
    line.run(SILENCE);
    ask(&mut line, 98, 98).unwrap();
    assert_eq!(codes(&exchange(&mut line, &script(13))), [Code::NoSession as u8]);
}

/// Searches of a script, so that it takes longer than some frames.
const TURNS: usize = 200;

#[test]
fn a_search_is_busy_and_can_be_aborted() {
    let mut line = line(6);
    let hello = Frame::request(0, Kind::Hello, &[9; 6]).encode();
    exchange(&mut line, &hello);
    let mut script = Script::default();
    script.reset().place(&[2, 2, 1, 1, 2, 1, 1, 2]);
    for _ in 0..TURNS {
        script.answered(command::SEARCH, None).answered(command::TAKE_BACK, None);
    }
    let search = Frame::request(1, Kind::Script, script.bytes()).encode();
    // While it runs: busy to itself, running to the next, and the abort ends what is waited for.
    let abort = Frame::request(1, Kind::Abort, &[]).encode();
    let next = Frame::request(2, Kind::Script, &[]).encode();
    line.send(&search);
    while line.output("busy") == 0 {
        line.run(100);
    }
    let again = Frame::request(1, Kind::Script, &[]).encode();
    line.send(&again);
    line.run(3_000);
    let frames = exchange(&mut line, &[next.clone(), abort].concat());
    assert_eq!(codes(&frames), [Code::Busy, Code::Running, Code::Scripted].map(|code| code as u8));
    let last = frames.last().unwrap();
    assert_eq!(last.payload.len(), 1 + script.reads());
    // Of each turn the status of the search and that of taking its move back, behind the status of the stones.
    let statuses = |status: u8| last.payload[2..].chunks(8).filter(|turn| turn[1] == status).count();
    assert!(statuses(0x00) > 0 && statuses(0x88) > 0 && statuses(0x00) + statuses(0x88) == TURNS);
    assert_eq!(exchange(&mut line, &search)[0], *last);
    assert_eq!(exchange(&mut line, &next)[0].payload, [Code::Scripted as u8]);
}

/// Scripts of others, which no driver sends, and bytes that their replies hold. No command takes the words; nobody takes the answers, one,
/// three or as many as a core holds of which are left; a command is left without an argument.
fn of_others() -> Vec<(Vec<u8>, usize)> {
    vec![
        (vec![0x40], 0),
        (vec![0, 0, 0, 0x41, 5], 0),
        (vec![0x41, 2, 0], 0),
        (vec![0x60, 5, 1, 1], 0),
        ([0x40, 0].repeat(64), 0),
        (vec![0x40, 1], 0),
        (vec![0x85; 40], 0),
        (vec![0x85; 4], 0),
        (vec![0x40, 0, 0x86], 0),
        ([0x40, 0, 0x86].repeat(3), 0),
        (vec![0x86], 0),
        (vec![0x40, 1, 0x81, 0x22, 0x40], 4),
    ]
}

/// Begins a session and carries such a script out.
fn carry_out(line: &mut Line, script: &[u8], reads: usize) {
    line.run(SILENCE);
    let hello = Frame::request(0, Kind::Hello, &[9; 6]).encode();
    assert_eq!(codes(&exchange(line, &hello)), [Code::Scripted as u8], "before {script:x?}");
    // Old bytes of the memory are no part of what is shorter.
    let filled = Frame::request(1, Kind::Script, &[OWN; 100]).encode();
    assert_eq!(exchange(line, &filled)[0].payload.len(), 401);
    let frames = exchange(line, &Frame::request(2, Kind::Script, script).encode());
    assert_eq!(codes(&frames), [Code::Scripted as u8], "{script:x?}");
    assert_eq!(frames[0].payload.len(), 1 + reads, "{script:x?}: {frames:?}");
}

/// Each ends, and the driver plays behind it without a new game.
#[test]
fn a_script_that_waits_in_vain_or_is_cut_ends() {
    let geometry = config().geometry();
    for (script, reads) in of_others() {
        let port = Port::new(line(9), BAUD);
        carry_out(&mut port.line(), &script, reads);
        let mut board = Board::connect(Box::new(port.clone()), patience()).unwrap();
        // One of them has placed a stone.
        let mut model = ModelEngine::new(&config());
        for point in board.moves() {
            model.play(geometry.cell(point.x, point.y).unwrap()).unwrap();
        }
        let found = board.search(Limits { levels: Some(1), cycles: None }).unwrap().unwrap();
        let decision = model.search(Some(1)).unwrap();
        assert_eq!(geometry.cell(found.point.x, found.point.y), decision.cell, "{script:x?}");
    }
}

/// Answers that are left cost no game: the moves are still there.
#[test]
fn a_game_outlives_what_a_script_has_left() {
    let port = Port::new(line(10), BAUD);
    let moves: Vec<Point> = [(2, 2), (1, 1), (2, 1)].map(|(x, y)| Point { x, y }).to_vec();
    for script in [vec![0x86], vec![0x40, 0, 0x86], vec![0x85; 4]] {
        let mut board = Board::connect(Box::new(port.clone()), patience()).unwrap();
        board.set_position(&moves).unwrap();
        drop(board);
        carry_out(&mut port.line(), &script, 0);
        let board = Board::connect(Box::new(port.clone()), patience()).unwrap();
        // What takes moves back does so; nothing else is lost.
        let left = if script[0] == 0x85 { 0 } else { moves.len() };
        assert_eq!(board.moves().len(), left, "{script:x?}");
    }
}

/// The client of the original protocol empties the board whatever was left, and a move that the core does not take is answered.
#[test]
fn the_original_protocol_recovers_from_scripts() {
    let mut model = ModelEngine::new(&config());
    let first = config().geometry().point(model.search(None).unwrap().cell.unwrap());
    for (script, reads) in of_others() {
        let mut line = line(11);
        carry_out(&mut line, &script, reads);
        line.run(SILENCE);
        ask(&mut line, 99, 99);
        let answer = ask(&mut line, 15, 15).unwrap();
        assert_eq!((answer.status, answer.x, answer.y), (0, first.x, first.y), "{script:x?}");
    }
    let mut line = line(12);
    carry_out(&mut line, &[0x40, 0].repeat(64), 0);
    line.run(SILENCE);
    assert_eq!(ask(&mut line, 1, 1).map(|answer| answer.status), Some(0xff));
}
