// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine in its slots: games through every bus, and each corner of the register map.
#![allow(missing_docs)]

use cosim::Kind;
use cosim::bus::session::{SlotSession, play};
use cosim::bus::{Master, Size, Transfer};
use engine_model::Config;
use hdl::stream::{Command, IDENTITY, Status, version_word};
use soc_integration::Face;
use soc_integration::register_map::*;

const IDLE: f64 = 0.3;

fn config() -> Config {
    Config::from_toml(include_str!("../../configs/gomoku7.toml")).unwrap()
}

fn session(face: Face, seed: u64) -> SlotSession {
    let model = cosim::models::model(&config(), Kind::Slot(face)).unwrap();
    SlotSession::new(model, face, &config(), seed, IDLE).unwrap()
}

fn master(face: Face, seed: u64) -> Master {
    Master::new(cosim::models::model(&config(), Kind::Slot(face)).unwrap(), face, seed, IDLE)
}

#[test]
fn a_thousand_moves_through_every_bus() {
    for face in Face::ALL {
        let played = play(&mut session(face, 1), 1000, 5).unwrap_or_else(|fault| panic!("{face:?}: {fault}"));
        println!("{face:?}: {played:?}");
        assert!(played.moves >= 1000);
    }
}

/// A limit set over the bus ends searches, and the registers say how.
#[test]
fn searches_under_a_limit_through_every_bus() {
    for face in Face::ALL {
        let mut session = session(face, 8);
        let mut levels = std::collections::BTreeSet::new();
        for limit in [1, 60, 120, 200, 300, 500, 5_000] {
            session.command(Command::Reset, &[]).unwrap();
            session.command(Command::Limit, &[limit]).unwrap();
            for _ in 0..4 {
                session.command(Command::Search, &[]).unwrap();
                session.check_counters().unwrap();
                levels.insert(session.master.read(DECIDED_LEVELS.offset).unwrap());
            }
            assert_eq!(session.master.read(LIMIT.offset).unwrap(), limit);
        }
        assert!(levels.len() > 1, "{levels:?}");
    }
}

#[test]
fn registers_read_what_the_map_says() {
    for face in Face::ALL {
        let mut bus = master(face, 2);
        let config = config();
        assert_eq!(bus.read(ID.offset).unwrap(), IDENTITY);
        assert_eq!(bus.read(VERSION.offset).unwrap(), version_word());
        let built = bus.read(CONFIGURATION.offset).unwrap();
        let shown =
            ["COLUMNS", "ROWS", "IN_A_ROW", "LEVELS"].map(|field| CONFIGURATION.get(field, built) as usize);
        assert_eq!(shown, [config.columns, config.rows, config.in_a_row, config.levels]);
        let room = STATUS.mask("CONTROL_ROOM") | STATUS.mask("DATA_ROOM");
        assert_eq!(bus.read(STATUS.offset).unwrap(), room);
        // After reset every register reads as the map says, and one that only reads keeps that.
        for register in registers() {
            for index in 0..register.count {
                let offset = register.offset + 4 * index;
                let read = bus.read(offset).unwrap();
                if register.access == Access::Pop {
                    // It found nothing.
                    assert_eq!(bus.read(ERRORS.offset).unwrap(), ERRORS.mask("EMPTY_READ"));
                    bus.write(ERRORS.offset, u32::MAX).unwrap();
                }
                assert_eq!(read, register.reset.unwrap_or(read), "{face:?} {}", register.name);
                if matches!(register.access, Access::Read) {
                    bus.write(offset, !read).unwrap();
                    assert_eq!(bus.read(offset).unwrap(), read, "{face:?} {}", register.name);
                }
            }
        }
    }
}

#[test]
fn offsets_without_a_register_read_zero_and_ignore_writes() {
    for face in Face::ALL {
        let mut bus = master(face, 3);
        let taken: Vec<u32> =
            registers().iter().flat_map(|r| (0..r.count).map(move |i| r.offset + 4 * i)).collect();
        for offset in (0..WINDOW_BYTES).step_by(4).filter(|offset| !taken.contains(offset)) {
            bus.write(offset, u32::MAX).unwrap();
            assert_eq!(bus.read(offset).unwrap(), 0, "{face:?} 0x{offset:03x}");
        }
        assert_eq!(bus.read(ERRORS.offset).unwrap(), 0);
        assert_eq!(bus.read(SCRATCH.offset).unwrap(), 0);
    }
}

#[test]
fn lanes_that_are_not_written_stay() {
    for face in [Face::Ahb, Face::Axil] {
        let mut bus = master(face, 4);
        let mut kept = 0u32;
        let mut rng = fastrand::Rng::with_seed(4);
        for _ in 0..200 {
            let (size, step) = [(Size::Byte, 1), (Size::Half, 2), (Size::Word, 4)][rng.usize(0..3)];
            let offset = SCRATCH.offset + rng.u32(0..4 / step) * step;
            let value = rng.u32(..);
            bus.run(&[Transfer { offset, size, write: Some(value) }]).unwrap();
            let mask = (0..4)
                .filter(|lane| size.lanes(offset) >> lane & 1 == 1)
                .fold(0, |m, lane| m | 0xff << (8 * lane));
            kept = kept & !mask | value & mask;
            assert_eq!(bus.read(SCRATCH.offset).unwrap(), kept, "{face:?} {size:?} at {offset:x}");
        }
    }
}

#[test]
fn a_push_needs_byte_0_and_takes_missing_lanes_as_zero() {
    for face in [Face::Ahb, Face::Axil] {
        let mut bus = master(face, 5);
        let write = |offset, size, value| Transfer { offset, size, write: Some(value) };
        // Bytes 1 to 3 push nothing; byte 0 alone is a command word, whatever stands on the other lanes.
        bus.run(&[
            write(CONTROL.offset + 1, Size::Byte, u32::MAX),
            write(CONTROL.offset + 2, Size::Half, u32::MAX),
            write(CONTROL.offset, Size::Byte, 0xffff_ff00 | Command::Read as u32),
        ])
        .unwrap();
        bus.idle(8);
        bus.run(&[write(DATA_IN.offset, Size::Half, 0xffff_0000)]).unwrap();
        bus.idle(60);
        assert_eq!(bus.read(DATA_OUT.offset).unwrap(), IDENTITY, "{face:?}");
        assert_eq!(bus.read(DATA_OUT.offset).unwrap(), version_word());
        assert_eq!(bus.read(ERRORS.offset).unwrap(), 0);
    }
}

#[test]
fn only_byte_0_takes_an_answer_word() {
    for face in [Face::Ahb, Face::Axil] {
        let mut session = session(face, 6);
        session.send(Command::Read as u32, &[0]).unwrap();
        let bus = &mut session.master;
        bus.idle(100);
        let read = |offset, size| Transfer { offset, size, write: None };
        let upper = [read(DATA_OUT.offset + 1, Size::Byte), read(DATA_OUT.offset + 2, Size::Half)];
        assert_eq!(bus.run(&upper).unwrap(), [IDENTITY; 2]);
        // Back to back, a word a clock, and one too many.
        let word = read(DATA_OUT.offset, Size::Word);
        let both = [read(DATA_OUT.offset, Size::Byte), word, word];
        assert_eq!(bus.run(&both).unwrap(), [IDENTITY, version_word(), EMPTY]);
        assert_eq!(bus.read(ERRORS.offset).unwrap(), ERRORS.mask("EMPTY_READ"));
    }
}

#[test]
fn words_without_room_are_dropped_and_told() {
    for face in Face::ALL {
        let mut session = session(face, 7);
        // A search takes the core away; what fits behind it waits, the rest is dropped.
        session.word(Command::Play as u32, &[3, 3]).unwrap();
        let bus = &mut session.master;
        bus.write(CONTROL.offset, Command::Search as u32).unwrap();
        bus.idle(30);
        assert_ne!(bus.read(STATUS.offset).unwrap() & STATUS.mask("BUSY"), 0, "{face:?}");
        let mut sent = 0;
        while bus.read(STATUS.offset).unwrap() & STATUS.mask("CONTROL_ROOM") != 0 {
            bus.write(CONTROL.offset, Command::TakeBack as u32).unwrap();
            bus.idle(4);
            sent += 1;
            assert!(sent < 10, "{face:?}: there is no end of room");
        }
        assert_eq!(bus.read(ERRORS.offset).unwrap(), 0);
        bus.write(CONTROL.offset, 99).unwrap();
        assert_eq!(bus.read(ERRORS.offset).unwrap(), ERRORS.mask("CONTROL_DROPPED"));
        while bus.read(STATUS.offset).unwrap() & STATUS.mask("DATA_ROOM") != 0 {
            bus.write(DATA_IN.offset, 0).unwrap();
            bus.idle(4);
        }
        bus.write(DATA_IN.offset, 1).unwrap();
        let both = ERRORS.mask("CONTROL_DROPPED") | ERRORS.mask("DATA_DROPPED");
        assert_eq!(bus.read(ERRORS.offset).unwrap(), both);
        assert_ne!(bus.read(STATUS.offset).unwrap() & STATUS.mask("ERROR"), 0);
        bus.write(ERRORS.offset, ERRORS.mask("CONTROL_DROPPED")).unwrap();
        assert_eq!(bus.read(ERRORS.offset).unwrap(), ERRORS.mask("DATA_DROPPED"));
        bus.write(ERRORS.offset, u32::MAX).unwrap();
        assert_eq!(bus.read(ERRORS.offset).unwrap(), 0);
        // The search's answer and one for every word that was taken, none for the one that was not.
        for _ in 0..=sent {
            let mut waited = 0;
            while bus.read(STATUS.offset).unwrap() & STATUS.mask("ANSWER") == 0 {
                waited += 1;
                assert!(waited < 100_000, "{face:?}: an answer is missing");
            }
            let first = bus.read(DATA_OUT.offset).unwrap();
            bus.read(DATA_OUT.offset).unwrap();
            assert_ne!(first >> 8, Status::UnknownCommand as u32);
        }
        bus.idle(200);
        assert_eq!(bus.read(STATUS.offset).unwrap() & (STATUS.mask("ANSWER") | STATUS.mask("BUSY")), 0);
    }
}

#[test]
fn the_interrupt_is_a_level_that_the_enable_gates() {
    for face in Face::ALL {
        let mut session = session(face, 8);
        let bus = &mut session.master;
        bus.write(INTERRUPT_ENABLE.offset, 0).unwrap();
        bus.write(CONTROL.offset, Command::Read as u32).unwrap();
        bus.write(DATA_IN.offset, 0).unwrap();
        bus.idle(200);
        assert!(!bus.interrupt());
        assert_eq!(bus.read(INTERRUPT_STATUS.offset).unwrap(), 0);
        bus.write(INTERRUPT_ENABLE.offset, u32::MAX).unwrap();
        bus.idle(1);
        assert!(bus.interrupt());
        assert_eq!(bus.read(INTERRUPT_ENABLE.offset).unwrap(), INTERRUPT_ENABLE.mask("ANSWER"));
        assert_eq!(bus.read(INTERRUPT_STATUS.offset).unwrap(), INTERRUPT_STATUS.mask("ANSWER"));
        bus.read(DATA_OUT.offset).unwrap();
        assert!(bus.interrupt());
        bus.read(DATA_OUT.offset).unwrap();
        assert!(!bus.interrupt());
        assert_eq!(bus.interrupt_rises(), 1);
    }
}

#[test]
fn abort_and_reset_act_while_the_core_is_busy() {
    for face in Face::ALL {
        let mut session = session(face, 9);
        session.word(Command::Play as u32, &[3, 3]).unwrap();
        session.send(Command::Search as u32, &[]).unwrap();
        session.master.idle(40);
        session.send(Command::Abort as u32, &[]).unwrap();
        let answer = session.answer().unwrap();
        assert_eq!(answer.status(), Some(Status::Aborted), "{face:?}");
        // A reset by wire in the middle of a search: registers as after power-up, the next game as any.
        session.send(Command::Search as u32, &[]).unwrap();
        session.master.idle(40);
        session.master.write(SCRATCH.offset, u32::MAX).unwrap();
        session.master.read(DATA_OUT.offset).unwrap();
        session.master.reset(1);
        for register in [SCRATCH, ERRORS, INTERRUPT_ENABLE, STATUS, CYCLES_LOW, NODES] {
            let read = session.master.read(register.offset).unwrap();
            assert_eq!(Some(read), register.reset, "{face:?} {}", register.name);
        }
        session.reset(1).unwrap();
        play(&mut session, 20, 1).unwrap();
    }
}

#[test]
fn a_reset_command_drops_every_argument_that_waits() {
    for face in Face::ALL {
        let mut session = session(face, 10);
        let bus = &mut session.master;
        while bus.read(STATUS.offset).unwrap() & STATUS.mask("DATA_ROOM") != 0 {
            bus.write(DATA_IN.offset, 7).unwrap();
            bus.idle(2);
        }
        session.word(Command::Reset as u32, &[]).unwrap();
        session.master.idle(8);
        // The first argument is the one that comes now: the identity.
        session.word(Command::Read as u32, &[0]).unwrap();
        assert_eq!(session.master.read(ERRORS.offset).unwrap(), 0, "{face:?}");
    }
}

#[test]
fn an_answer_outlives_a_reset_command() {
    for face in Face::ALL {
        let mut session = session(face, 12);
        session.send(Command::Read as u32, &[0]).unwrap();
        session.master.idle(100);
        session.send(Command::Reset as u32, &[]).unwrap();
        session.master.idle(20);
        assert_eq!(session.answer().unwrap().words, [IDENTITY, version_word()], "{face:?}");
    }
}

#[test]
fn transfers_in_reset_and_right_after_it_are_lost() {
    for face in [Face::Ahb, Face::Apb] {
        let mut bus = master(face, 11);
        bus.hold_reset(true);
        bus.write(SCRATCH.offset, 1).unwrap();
        bus.write(CONTROL.offset, 99).unwrap();
        bus.hold_reset(false);
        bus.run(&[Transfer { offset: CONTROL.offset, size: Size::Word, write: Some(99) }]).unwrap();
        bus.idle(100);
        assert_eq!(bus.read(SCRATCH.offset).unwrap(), 0);
        assert_eq!(bus.read(STATUS.offset).unwrap(), STATUS.reset.unwrap());
        assert_eq!(bus.read(ERRORS.offset).unwrap(), 0);
    }
}
