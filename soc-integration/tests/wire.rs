// SPDX-License-Identifier: MIT OR Apache-2.0
//! What driver and RTL each name by themselves is the same.
#![allow(missing_docs)]

use driver::board::status;
use driver::frame::Code;
use driver::layout;
use engine_model::config::MAX_SIDE;
use hdl::stream::Status;
use soc_integration::register_map::{COUNTERS, NODES};

#[test]
fn statuses_are_the_cores() {
    for (named, status) in [
        (status::MOVE, Status::Move),
        (status::ENGINE_WINS, Status::EngineWins),
        (status::ENGINE_DRAWS, Status::EngineDraws),
        (status::DONE, Status::Done),
        (status::MOVER_WINS, Status::MoverWins),
        (status::MOVER_DRAWS, Status::MoverDraws),
        (status::OCCUPIED, Status::Occupied),
        (status::OUTSIDE, Status::Outside),
        (status::GAME_OVER, Status::GameOver),
        (status::BAD_ARGUMENT, Status::BadArgument),
        (status::NO_MOVE, Status::NoMove),
        (status::ABORTED, Status::Aborted),
    ] {
        assert_eq!(named, status as u8);
    }
    // A reply's code is one of the protocol's own or of the core's: they do not meet.
    let own = Code::ALL.iter().map(|(code, _)| *code as u8).filter(|code| *code != 0);
    let highest = Status::ALL.iter().map(|(status, _)| *status as u8).max().unwrap();
    assert!(own.min().unwrap() > highest);
}

#[test]
fn counters_are_the_registers_in_their_order() {
    let named: Vec<&str> = layout::COUNTERS.iter().map(|part| part.name).collect();
    let mut registers = vec!["cycles"];
    registers.extend(COUNTERS.iter().map(|(port, _)| *port));
    registers.push("nodes");
    assert_eq!(named, registers);
    let nodes = layout::COUNTERS.iter().find(|part| part.name == "nodes").unwrap();
    assert_eq!(nodes.count, NODES.count as usize);
}

#[test]
fn no_command_of_the_original_protocol_is_a_cell() {
    assert!(driver::original::PROBE as usize > MAX_SIDE && driver::original::NEW_GAME as usize > MAX_SIDE);
    assert!(u32::from(driver::frame::SYNC) > driver::original::NEW_GAME);
}
