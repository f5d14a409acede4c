// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong between here and a board, with what to do about it.

use crate::frame::Code;
use engine_model::IllegalMove;
use std::time::Duration;

/// Why a board could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// There is no such port.
    #[error("{port}: no such port{}: plug the board in, or name another port", known(.others))]
    Missing {
        /// The port asked for.
        port: String,
        /// Ports that are there.
        others: Vec<String>,
    },
    /// The port is somebody else's.
    #[error(
        "{port}: permission denied: add yourself to the port's group (often dialout: `sudo usermod -aG dialout $USER`, then log in again)"
    )]
    Permission {
        /// The port.
        port: String,
    },
    /// The port is in use.
    #[error("{port}: in use: close the other program that has it open")]
    InUse {
        /// The port.
        port: String,
    },
    /// The port cannot be opened or set up.
    #[error("{port}: cannot be opened: {reason}")]
    Open {
        /// The port.
        port: String,
        /// What the system says.
        reason: String,
    },
    /// Not a byte came back.
    #[error(
        "{port}: no answer within {} ms at {baud} baud: is that the board's rate (`tengen boards` tells those of the designs for boards; name it with --baud)? Is the board \
         powered, its bitstream or firmware loaded, TXD and RXD the right way round? A board or line slower than the driver waits needs --patience 10 or more",
        .waited.as_millis()
    )]
    NoAnswer {
        /// The port.
        port: String,
        /// Rate of the port.
        baud: u32,
        /// Time waited.
        waited: Duration,
    },
    /// Bytes came back, but no frame among them.
    #[error(
        "{port}: {bytes} bytes came but no answer among them within {} ms: does the firmware run at {baud} baud? name its rate with --baud; a slow board or line needs --patience 10 or more",
        .waited.as_millis()
    )]
    Garbled {
        /// The port.
        port: String,
        /// Rate of the port.
        baud: u32,
        /// Bytes that made no sense.
        bytes: u64,
        /// Time waited.
        waited: Duration,
    },
    /// Frames come in pieces.
    #[error(
        "{port}: frames come in pieces, with pauses longer than {} ms in them: the board or the line is slower than the driver waits, give it time \
         with --patience 10 or more; or the rate is not {baud} baud, name it with --baud",
        .gap.as_millis()
    )]
    Torn {
        /// The port.
        port: String,
        /// Rate of the port.
        baud: u32,
        /// Pause that ended a frame.
        gap: Duration,
    },
    /// A search took too long; it has been stopped.
    #[error("the search did not end within {} s: give it fewer levels, a limit, or more time", .waited.as_secs_f32())]
    TooLong {
        /// Time waited.
        waited: Duration,
    },
    /// The port went away and did not come back.
    #[error("{port}: the connection is gone ({reason}) and did not come back within {} ms: plug the board in and try again", .waited.as_millis())]
    Gone {
        /// The port.
        port: String,
        /// What the system says.
        reason: String,
        /// Time waited.
        waited: Duration,
    },
    /// Stopped by the caller.
    #[error("stopped")]
    Cancelled,
    /// The firmware speaks another version of the protocol.
    #[error("{port}: the firmware speaks version {firmware} of the protocol, this program version {here}: {}", advice(*.firmware, *.here))]
    Version {
        /// The port.
        port: String,
        /// Its version.
        firmware: u8,
        /// Ours.
        here: u8,
    },
    /// The firmware runs, but finds no core.
    #[error(
        "{port}: the firmware finds no core in its slot: load a bitstream with the slot in it, and build the firmware for that slot (`tengen firmware --slot N`)"
    )]
    NoCore {
        /// The port.
        port: String,
    },
    /// The board holds another core than it should.
    #[error(
        "{port}: the board's core is {found}, not {wanted}: use the configuration that it was built from"
    )]
    OtherCore {
        /// The port.
        port: String,
        /// What it is.
        found: String,
        /// What it should be.
        wanted: String,
    },
    /// The move cannot be played; the position is unchanged.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// Levels that were not built.
    #[error("{asked} levels asked for: this board has 1 to {built}")]
    Levels {
        /// Levels asked for.
        asked: usize,
        /// Levels built.
        built: usize,
    },
    /// There is no move to take back.
    #[error("there is no move to take back")]
    NoMove,
    /// The firmware refused.
    #[error("the firmware refused the request: {}", told(*.code))]
    Refused {
        /// Its code.
        code: u8,
    },
    /// The board's answer makes no sense; a fault of firmware or core.
    #[error("the board answered what it should not: {what}: load its firmware again")]
    Nonsense {
        /// What came.
        what: String,
    },
    /// In the original protocol a board does not tell its size; this one seems to have another one.
    #[error(
        "the board answered {what}: it is hardly one of {columns} x {rows}; the original protocol does not tell a board's size, so name its \
         configuration with --config"
    )]
    OtherSize {
        /// What came.
        what: String,
        /// Columns of the configuration.
        columns: usize,
        /// Rows of the configuration.
        rows: usize,
    },
    /// The original protocol cannot do this.
    #[error(
        "the original protocol cannot {what}: leave --protocol original out; a board that knows no other needs the firmware of `tengen firmware`"
    )]
    Original {
        /// What was asked for.
        what: &'static str,
    },
    /// Searches disagree with the game, and setting it anew did not help.
    #[error("the board's position differs from the game's and could not be set anew: restart the board")]
    Lost,
}

fn known(others: &[String]) -> String {
    match others {
        [] => " (none is there)".into(),
        others => format!(" (there are {})", others.join(", ")),
    }
}

fn advice(firmware: u8, here: u8) -> &'static str {
    if firmware < here {
        "the firmware is too old: load the one of `tengen firmware`"
    } else {
        "this program is too old: update it"
    }
}

fn told(code: u8) -> String {
    let text = Code::from_code(code).and_then(|code| Code::ALL.iter().find(|(known, _)| *known == code));
    text.map_or(format!("code 0x{code:02x}"), |(_, text)| (*text).to_string())
}
