// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the page of the serial protocols promises, by somebody who knows the page alone.
#![allow(missing_docs)]

mod soc;

use cosim::bus::attached::AttachedSlot;
use driver::frame::{Frame, Kind, WAKE};
use soc::{Board, MILLISECOND, config};
use soc_integration::Face;
use soc_integration::soc::{Pace, Soc};

/// A receiver that heard a start bit as it was switched on garbles what comes at once; what hosts send first puts it right.
#[test]
fn a_false_start_is_put_right_by_what_a_host_sends_first() {
    let model = cosim::models::model(&config(), cosim::Kind::Slot(Face::Ahb)).unwrap();
    let mut heard = [0, 0];
    for delay in (0..20).map(|step| step * 17) {
        for (case, first) in [&[][..], &WAKE].into_iter().enumerate() {
            let slot = Box::new(AttachedSlot::new(model, Face::Ahb, 7));
            let soc = Soc::new(soc::program(), slot, 1, Pace::Fast);
            let mut board = Board::with(soc.starting_falsely());
            while !board.soc.listens() {
                board.soc.run(1, 0);
            }
            board.soc.run(delay, delay);
            let hello = Frame::request(0, Kind::Hello, &[1, 2, 3, 4, 5, 6]).encode();
            if !first.is_empty() {
                board.text(first);
                board.silence(60 * MILLISECOND);
            }
            heard[case] += usize::from(!board.text(&hello).is_empty());
        }
    }
    assert!(heard[0] < 20 && heard[1] == 20, "{heard:?}");
}

/// A client that knows no more than the page of the serial protocols says of the original one: eight bytes, two lines, y first;
/// statuses by division, coordinates by the remainder. Nothing of the driver is used.
#[test]
fn a_client_written_from_the_page_plays_to_the_end() {
    let mut board = Board::new(Pace::Fast);
    let mut ask = |x: u32, y: u32| -> Option<(u32, u32, u32)> {
        let said = board.text(&[x.to_le_bytes(), y.to_le_bytes()].concat());
        let text = String::from_utf8(said).unwrap();
        let mut lines = text.lines().map(|line| line.parse::<u32>().unwrap());
        let (y, x) = (lines.next()?, lines.next().expect("a second line"));
        assert!(lines.next().is_none() && x / 256 == y / 256, "{text:?}");
        Some((x / 256, x % 256, y % 256))
    };
    let (columns, rows) = (config().columns, config().rows);
    let mut rng = fastrand::Rng::with_seed(2);
    let mut endings = std::collections::BTreeMap::new();
    for game in 0..60 {
        assert_eq!(ask(99, 99), None);
        let mut taken = vec![vec![false; rows]; columns];
        let mut theirs = if game % 2 == 0 { ask(15, 15) } else { None };
        loop {
            if let Some((_, x, y)) = theirs {
                assert!(!std::mem::replace(&mut taken[x as usize][y as usize], true), "{x},{y} was taken");
            }
            let free = |x: usize, y: usize| !taken[x][y];
            let cells: Vec<(usize, usize)> = (0..columns)
                .flat_map(|x| (0..rows).map(move |y| (x, y)))
                .filter(|&(x, y)| free(x, y))
                .collect();
            let &(x, y) = cells.get(rng.usize(0..cells.len().max(1))).expect("the game would have ended");
            let (status, ax, ay) = ask(x as u32, y as u32).expect("an answer");
            taken[x][y] = true;
            match status {
                0 => theirs = Some((status, ax, ay)),
                // It wins, or fills the board, with a move of its own.
                1 | 2 => {
                    assert!(!taken[ax as usize][ay as usize]);
                    *endings.entry(status).or_insert(0) += 1;
                    break;
                }
                // Our move won, or filled the board: it is named.
                17 | 18 => {
                    assert_eq!((ax as usize, ay as usize), (x, y));
                    *endings.entry(status).or_insert(0) += 1;
                    break;
                }
                other => panic!("status {other}"),
            }
        }
        // Over is over, and a probe moves nothing.
        assert_eq!(ask(0, 1).map(|(status, ..)| status), Some(33536 / 256));
    }
    println!("{endings:?}");
    assert!(endings.contains_key(&1), "{endings:?}");
    // No random player wins against it: a position, by the other protocol, in which the next move does.
    board.hello();
    let position = [0, 0, 0, 5, 1, 0, 6, 5, 2, 0, 3, 5];
    assert_eq!(board.ask(Kind::Position, &position)[0], 0);
    let said = board.text(&[3u32.to_le_bytes(), 0u32.to_le_bytes()].concat());
    assert_eq!(String::from_utf8(said).unwrap(), format!("{}\n{}\n", 4352, 4352 + 3));
}
