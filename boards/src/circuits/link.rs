// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine behind a serial line, without a processor.

use super::byte_memory::byte_memory;
use super::executor::{Constants, executor};
use super::listener::{FRAME, listener};
use super::sender::sender;
use super::session::{SEND, session};
use super::uart::{Rate, uart_receiver, uart_transmitter};
use driver::frame::GAP_MS;
use hdl::Layout;
use hdl::circuits::face::engine::engine_that_shows;
use kit::{Circuit, Direction, Module};

/// Name of the module, behind the prefix.
pub const LINK: &str = "link";

/// Clocks of silence after which a line listens anew.
pub fn gap_clocks(clock_hz: u32) -> u64 {
    u64::from(clock_hz) * u64::from(GAP_MS) / 1000
}

/// The engine behind a serial line that speaks the original protocol and frames of scripts ([`driver::link`]).
///
/// `rx` in, at any time; out `tx`, `busy` while something is carried out, `over` while the last answer ended a game. A command begins some
/// ten clocks behind its last byte; an answer's first byte follows its last word by as many. One request at a time. Reset empties the
/// game and ends the session.
pub fn link(layout: &Layout, constants: Constants, rate: Rate) -> Circuit {
    let m = Module::new(
        LINK,
        "The engine behind a serial line, without a processor: the original protocol, and frames of scripts.\n\
         One request at a time; reset empties the game and ends the session.",
        true,
    );
    let rx = m.input("rx", 1);
    let receiver = m.child("receiver", uart_receiver(rate));
    receiver.drive("rx", rx);
    let listener = m.child("listener", listener(gap_clocks(constants.clock_hz)));
    listener.drive("data", receiver.get("data"));
    listener.drive("valid", receiver.get("valid"));
    let session = m.child("session", session(&layout.config));
    FRAME.get(listener).drive(session);
    for port in ["command", "command_x", "command_y"] {
        session.drive(port, listener.get(port));
    }
    let executor = m.child("executor", executor(layout.config.levels, constants));
    for port in ["start", "job", "x", "y", "abort"] {
        executor.drive(port, session.get(port));
    }
    executor.drive("length", FRAME.get(listener).frame_length);
    for port in ["running", "finished"] {
        session.drive(port, executor.get(port));
    }
    listener.drive("holds", executor.get("running"));
    let request = m.child("request", byte_memory());
    request.drive("write", listener.get("store"));
    request.drive("write_address", listener.get("store_address"));
    request.drive("write_data", receiver.get("data"));
    request.drive("read_address", executor.get("request_address"));
    executor.drive("request", request.get("read_data"));
    let core = engine_that_shows(layout, &["idle"]);
    let ports = core.ports().to_vec();
    let core = m.child("core", core);
    for port in &ports {
        let name = port.name.as_str();
        match port.direction {
            Direction::Input if name.contains("_axis_") => core.drive(name, executor.get(name)),
            Direction::Output if name.contains("_axis_") || name == "idle" => {
                executor.drive(name, core.get(name))
            }
            _ => {}
        }
    }
    let reply = m.child("reply", byte_memory());
    for (port, of) in
        [("write", "reply_write"), ("write_address", "reply_address"), ("write_data", "reply_data")]
    {
        reply.drive(port, executor.get(of));
    }
    let sender = m.child("sender", sender());
    SEND.get(session).drive(sender);
    sender.drive("length", executor.get("reply_length"));
    sender.drive("reply", reply.get("read_data"));
    reply.drive("read_address", sender.get("reply_address"));
    executor.drive("sender_idle", sender.get("idle") & !SEND.get(session).send);
    let transmitter = m.child("transmitter", uart_transmitter(rate));
    for port in ["data", "valid"] {
        transmitter.drive(port, sender.get(port));
    }
    sender.drive("ready", transmitter.get("ready"));
    m.output("tx", transmitter.get("tx"));
    m.output("busy", executor.get("running"));
    m.output("over", executor.get("over"));
    m.circuit()
}
