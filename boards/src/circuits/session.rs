// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of a command: it is carried out once, answered again from memory, or refused.

use super::BYTE;
use super::listener::{FRAME, FramePorts};
use driver::frame::{Code, Kind};
use driver::original::{ENGINE_FIRST, NEW_GAME};
use engine_model::Config;
use kit::{Circuit, Module, Sig, States, any_of, when};

kit::states! {
    /// What is carried out.
    pub enum Task {
        /// The script of a frame.
        Script = "SCRIPT",
        /// The payload is the reply.
        Hello = "HELLO",
        /// A move of the original protocol.
        Move = "MOVE",
        /// The board is emptied, by the original protocol.
        NewGame = "NEW_GAME",
    }
}

kit::states! {
    /// What is sent.
    pub enum Message {
        /// The reply in the memory.
        Reply = "REPLY",
        /// A reply that is a code.
        Code = "CODE",
        /// The answer in the memory, in two lines.
        Lines = "LINES",
        /// A command came during a search, in two lines.
        Interrupted = "INTERRUPTED",
    }
}

kit::record! {
    /// What the sender is to send.
    pub struct SendPorts {
        /// Something, for a clock.
        send,
        /// What: a [`Message`].
        send_message,
        /// A reply's code.
        send_code,
        /// Its sequence number.
        send_sequence,
        /// Its kind.
        send_kind,
    }
}

/// Widths of what is to be sent.
pub const SEND: SendPorts<usize> =
    SendPorts { send: 1, send_message: Message::BITS, send_code: BYTE, send_sequence: BYTE, send_kind: BYTE };

/// Sequence numbers and sessions.
///
/// In [`FramePorts`], `command` with `command_x` and `command_y`; `running` and `finished` of the executor. Out `start` for a clock with
/// `job`, `x` and `y`; `abort` while what runs is to end; [`SendPorts`], a clock after what they answer. One task at a time; a
/// sequence number is carried out once, its reply is sent again when it is asked for again. A frame that begins nothing while the
/// sender is at work is answered when it is sent again. Reset ends the session.
pub fn session(config: &Config) -> Circuit {
    let m = Module::new(
        "session",
        "What becomes of a command: carried out once, answered again, or refused.\nReset ends the session.",
        true,
    );
    let frame = FRAME.inputs(&m);
    let (command, command_x, command_y) =
        (m.input("command", 1), m.input("command_x", BYTE), m.input("command_y", BYTE));
    let (runs, finished) = (m.input("running", 1), m.input("finished", 1));
    m.states::<Task>();
    m.states::<Message>();
    let [open, spoken, silent, empties, abort, start] =
        ["opened", "spoken", "silent", "empties", "abort", "start"].map(|name| m.control(name, 1, 0));
    let [last, last_kind, x, y] = ["last", "last_kind", "x", "y"].map(|name| m.control(name, BYTE, 0));
    let task = m.control("job", Task::BITS, Task::Script);
    let running = m.wire("is_running", runs | start);

    let kind = |kind: Kind| frame.frame_kind.is(kind as u64);
    let judged = m.wire("judged", frame.frame & frame.frame_current);
    let same = m.wire("same", open & frame.frame_sequence.is(last));
    let next = m.wire("is_next", open & frame.frame_sequence.is(last + 1));
    let hello = m.wire("is_hello", kind(Kind::Hello));
    let ready = m.wire("ready", judged & frame.frame_stored & !running);
    let begins_hello = m.wire("begins_hello", ready & hello);
    let begins_script = m.wire("begins_script", ready & next & kind(Kind::Script));
    let again = m.wire("again", judged & same & !hello & !running);
    let stops = m.wire("stops", judged & running & same & kind(Kind::Abort));
    let refuses = m.wire("refuses", frame.frame & !any_of([begins_hello, begins_script, again, stops]));
    let code = refusal(&m, &frame, Refusal { running, same, next, hello, open, script: kind(Kind::Script) });

    m.comment(
        "0, 0 counts only after another command: a line at a tenth of the rate turns anything into zeros.",
    );
    let counts = m.wire("counts", command & (spoken | command_x.any() | command_y.any()));
    let both = |value: u32| command_x.is(u64::from(value)) & command_y.is(u64::from(value));
    let new_game = m.wire("new_game", both(NEW_GAME));
    let outside = (ENGINE_FIRST as usize) >= config.columns.min(config.rows);
    let first = m.wire("first", both(ENGINE_FIRST) & outside);
    let interrupts = m.wire("interrupts", counts & running & !new_game);

    let begin = |what: Task| vec![start.set(true), task.set(what), silent.set(what == Task::NewGame)];
    let of_line = m.wire("of_line", task.is(Task::Move));
    m.at_edge([
        start.set(false),
        when(finished, [abort.set(false), empties.set(false), when(empties, begin(Task::NewGame))]),
        when(
            begins_hello,
            begin(Task::Hello).into_iter().chain([
                open.set(true),
                spoken.set(false),
                last.set(frame.frame_sequence),
                last_kind.set(frame.frame_kind),
            ]),
        ),
        when(
            begins_script,
            begin(Task::Script)
                .into_iter()
                .chain([last.set(frame.frame_sequence), last_kind.set(frame.frame_kind)]),
        ),
        when(judged & running & hello | stops, [abort.set(true)]),
        when(
            counts,
            [
                open.set(false),
                spoken.set(true),
                when(new_game & running, [abort.set(true), silent.set(true), empties.set(true)])
                    .else_when(new_game, begin(Task::NewGame))
                    .else_when(
                        !running,
                        begin(Task::Move).into_iter().chain([
                            x.set(first.mux(m.constant(BYTE, config.columns), command_x)),
                            y.set(first.mux(m.constant(BYTE, config.rows), command_y)),
                        ]),
                    ),
            ],
        ),
    ]);
    m.output("start", start);
    m.output("job", task);
    m.output("x", x);
    m.output("y", y);
    m.output("abort", abort);
    let reply = m.wire("reply", (finished & !silent) | again);
    let message = reply.mux(
        (again | !of_line).mux(m.state(Message::Reply), m.state(Message::Lines)),
        interrupts.mux(m.state(Message::Interrupted), m.state(Message::Code)),
    );
    let done = m.constant(BYTE, Code::Scripted as usize);
    SendPorts {
        send: m.cleared("send", reply | refuses | interrupts),
        send_message: m.cleared("send_message", message),
        send_code: m.cleared("send_code", reply.mux(done, code)),
        send_sequence: m.cleared("send_sequence", reply.mux(last, frame.frame_sequence)),
        send_kind: m.cleared("send_kind", reply.mux(last_kind, frame.frame_kind)),
    }
    .outputs(&m);
    m.circuit()
}

/// What a refusal depends on.
struct Refusal<'m> {
    running: Sig<'m>,
    same: Sig<'m>,
    next: Sig<'m>,
    hello: Sig<'m>,
    open: Sig<'m>,
    script: Sig<'m>,
}

/// Why a frame begins nothing.
fn refusal<'m>(m: &'m Module, frame: &FramePorts<Sig<'m>>, of: Refusal<'m>) -> Sig<'m> {
    let code = |code: Code| m.constant(BYTE, code as usize);
    // Another payload was in the memory while this one came.
    let next = of.running.mux(code(Code::Running), of.script.mux(code(Code::Busy), code(Code::UnknownKind)));
    let session = of.same.mux(code(Code::Busy), of.next.mux(next, code(Code::Sequence)));
    let known = of.hello.mux(code(Code::Busy), of.open.mux(session, code(Code::NoSession)));
    m.wire("code", frame.frame_current.mux(known, code(Code::BadVersion)))
}
