// SPDX-License-Identifier: MIT OR Apache-2.0
//! Carries out scripts: words for the core's streams, and what it answers.

use super::session::Task;
use super::{ADDRESS, BYTE};
use driver::link::{COMMAND, DATA_BYTE, DROP, LEFT_WORDS, MAX_READ, OWN, PLACE, TAKE_HALF, TAKE_WORD};
use hdl::stream::{Command, Status};
use kit::{Circuit, Module, Sig, Statement, States, cat, when};

/// Bits of a word of the streams.
const WORD: usize = 32;

kit::states! {
    /// Its states.
    pub enum State {
        /// Nothing is carried out.
        Idle = "IDLE",
        /// The reply's memory is still being sent.
        Begin = "BEGIN_JOB",
        /// The memory looks up the next byte.
        Fetch = "FETCH",
        /// It is an operation.
        Operation = "OPERATION",
        /// The memory looks up a byte behind an operation.
        FetchArgument = "FETCH_ARGUMENT",
        /// It is there.
        Argument = "ARGUMENT",
        /// A word for the data stream is presented.
        Data = "DATA_WORD",
        /// A word for the control stream is.
        Control = "CONTROL_WORD",
        /// A word of an answer is waited for.
        Take = "TAKE",
        /// Bytes go into the reply.
        Emit = "EMIT",
        /// The reply waits for the sender.
        Finish = "FINISH",
    }
}

kit::states! {
    /// Where the placing of stones stands.
    pub enum Step {
        /// Nothing is placed.
        None = "NONE",
        /// The number of stones is next.
        Count = "COUNT",
        /// A column is next.
        Column = "COLUMN",
        /// A row is next.
        Row = "ROW",
        /// The first word of its answer is next.
        First = "FIRST",
        /// The second one is.
        Second = "SECOND",
    }
}

/// Clocks in a row that the core is idle before waiting ends, for an answer or for a word to be taken: it seems idle for some clocks
/// after a command was written and for one within `Play`.
const RESTS: u64 = 31;
/// Bits of such a count.
const REST_BITS: usize = RESTS.ilog2() as usize + 1;
/// Bits of a count of bytes of a word.
const BYTES: usize = 3;

/// Bits of a command in an operation.
const COMMAND_BITS: usize = 4;

/// What the hardware tells of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// Clock of the core in Hz.
    pub clock_hz: u32,
    /// Rate of the line in bits a second.
    pub baud: u32,
    /// CRC-32 of the board's name.
    pub board: u32,
}

/// What a task without a frame does: the bytes of its script, x and y as they came.
fn fixed<'m>(m: &'m Module, levels: usize, place: Sig<'m>, x: Sig<'m>, y: Sig<'m>) -> (Sig<'m>, [u64; 3]) {
    let byte = |byte: u8| m.constant(BYTE, u64::from(byte));
    let (data, half) = (byte(DATA_BYTE), byte(TAKE_HALF));
    let command = |command: Command| byte(COMMAND | command as u8);
    let play = [data, x, data, y, command(Command::Play), half, half];
    // Also as many levels as are built and no limit, whatever a frame has asked for.
    let levels = m.constant(BYTE, levels);
    // Answers that a script has left stand before the reset and would be taken for those behind it.
    let empty = [
        &[byte(DROP); LEFT_WORDS][..],
        &[command(Command::Reset)],
        &[data, levels, command(Command::Levels), half, half],
        &[data, byte(0), command(Command::Limit), half, half],
    ]
    .concat();
    let places = [0, play.len() as u64, (play.len() + empty.len()) as u64];
    let bits = places[2].ilog2() as usize + 1;
    let entries = play.into_iter().chain(empty).enumerate().map(|(place, byte)| (place as u64, byte));
    (m.table("fixed", place.bits(0..bits), entries, 0), places)
}

/// Carries out a task: the operations of [`driver::link`], one after the other.
///
/// In `start` with `job`, `length`, `x` and `y`; `abort` while what is waited for is to be ended; `request` (the byte of the request's
/// memory at `request_address` a clock ago), `sender_idle`, `idle` of the core; its streams with directions turned round. Out
/// `reply_write` with `reply_address` and `reply_data`, `reply_length`; `running`, `finished` for its last clock; `over` while the
/// last word taken in half ended a game. A byte of a script takes two clocks, a word of a stream one more when it is taken at once, a
/// byte of the reply one. A script that ends within an operation ends there. When the idle core does not take a word for `RESTS`
/// clocks, a script ends and the answers it has not taken are dropped; a move of the original protocol is answered by ones. Reset ends
/// what runs.
pub fn executor(levels: usize, constants: Constants) -> Circuit {
    let m = Module::new(
        "executor",
        "Carries out scripts: words for the core's streams, and what it answers.\nReset ends what runs.",
        true,
    );
    m.states::<Task>();
    m.states::<State>();
    m.states::<Step>();
    let (start, task, length) =
        (m.input("start", 1), m.input("job", Task::BITS), m.input("length", ADDRESS + 1));
    let (x, y, abort) = (m.input("x", BYTE), m.input("y", BYTE), m.input("abort", 1));
    let (request, sender_idle, rests_now) =
        (m.input("request", BYTE), m.input("sender_idle", 1), m.input("idle", 1));
    let [control_ready, data_ready] =
        ["control", "data"].map(|stream| m.input(&format!("s_axis_{stream}_tready"), 1));
    let (answer, comes) = (m.input("m_axis_data_tdata", WORD), m.input("m_axis_data_tvalid", 1));
    m.input("m_axis_data_tlast", 1).nothing();
    let state = m.control("state", State::BITS, State::Idle);
    let step = m.control("step", Step::BITS, Step::None);
    let [place, end] = ["place", "script_end"].map(|name| m.control(name, ADDRESS + 1, 0));
    let word = m.control("word", WORD, 0);
    let [left, stones, status] =
        [("left", BYTES), ("stones", BYTE), ("status", BYTE)].map(|(name, bits)| m.control(name, bits, 0));
    let count = m.control("reply_length", ADDRESS, 0);
    let rests = m.control("rests", REST_BITS, 0);
    let [told, over, ends, wide] = ["told", "over", "ends", "wide"].map(|name| m.control(name, 1, 0));
    let at = |what: State| state.is(what);

    let (fixed, places) = fixed(&m, levels, place, x, y);
    let of_frame = m.wire("of_frame", task.is(Task::Script) | task.is(Task::Hello));
    let byte = m.wire("octet", of_frame.mux(request, fixed));
    m.output("request_address", place.bits(0..ADDRESS));
    let own = [constants.board, constants.baud, constants.clock_hz];
    let own =
        own.iter().enumerate().map(|(number, value)| (number as u64, m.constant(WORD, u64::from(*value))));
    let own = m.table("own", byte.bits(0..2), own, 0);

    let aborts = m.wire("aborts", at(State::Take) & abort & !told);
    let control = at(State::Control).mux(word.bits(0..COMMAND_BITS), Command::Abort as u64);
    m.output("s_axis_control_tdata", control.zero_extend(WORD));
    m.output("s_axis_control_tvalid", at(State::Control) | aborts);
    m.output("s_axis_data_tdata", word);
    m.output("s_axis_data_tvalid", at(State::Data));
    m.output("m_axis_data_tready", at(State::Take));

    let blocked = m.wire("blocked", (at(State::Data) & !data_ready) | (at(State::Control) & !control_ready));
    let waits = m.wire("waits", blocked | (at(State::Take) & !comes));
    let in_vain = m.wire("in_vain", rests.is(RESTS));

    let go = |to: State| state.set(to);
    let emit = |value: Sig<'_>| -> Vec<Statement> {
        vec![word.set(value.zero_extend(WORD)), left.set(1), state.set(State::Emit), step.set(Step::None)]
    };
    m.comment("By its highest bit that is set.");
    let operation =
        when(byte.bit(7), [word.set(byte.bits(0..COMMAND_BITS).zero_extend(WORD)), go(State::Control)])
            .else_when(
                byte.bit(6),
                [
                    go(State::FetchArgument),
                    when(byte.bit(5), [step.set(Step::Count), status.set(Status::Done as u64)]),
                ],
            )
            .else_when(byte.bit(5), [go(State::Take)])
            .else_when(byte.bit(4), [word.set(own), left.set(4), go(State::Emit)])
            .otherwise([go(State::Fetch)]);
    // How many bytes of a word are told, or are still to come.
    let told_bytes = byte.bit(1).mux(m.constant(BYTES, 4), cat([m.zero(1), byte.bit(0), m.zero(1)]));
    let due = byte.bit(0).mux(m.constant(BYTES, 4), 1);
    debug_assert_eq!((DATA_BYTE, DROP, TAKE_HALF & 3, TAKE_WORD & 3), (0x40, 0x20, 1, 2));
    debug_assert_eq!((COMMAND, PLACE, OWN), (0x80, 0x60, 0x10));
    m.comment("A word of four bytes comes in from above.");
    let longer = cat([byte, word.bits(BYTE..WORD)]);
    let short = byte.zero_extend(WORD);
    let argument = step.matches(
        [
            (
                Step::None,
                vec![
                    word.set(wide.mux(longer, short)),
                    left.set(left - 1),
                    when(left.is(1), [go(State::Data)]).otherwise([go(State::FetchArgument)]),
                ],
            ),
            (
                Step::Count,
                vec![
                    stones.set(byte),
                    step.set(Step::Column),
                    when(byte.any(), [go(State::FetchArgument)]).otherwise(emit(status)),
                ],
            ),
        ],
        [word.set(short), go(State::Data)],
    );
    let passed = step.matches(
        [
            (Step::Column, vec![step.set(Step::Row), go(State::FetchArgument)]),
            (Step::Row, vec![step.set(Step::First), word.set(Command::Place as u64), go(State::Control)]),
        ],
        [go(State::Fetch)],
    );
    let goes_on = m.wire("goes_on", status.is(Status::Done as u64) & stones.is_not(1));
    let placed = when(goes_on, [stones.set(stones - 1), step.set(Step::Column), go(State::FetchArgument)])
        .otherwise(emit(status).into_iter().chain([ends.set(status.is_not(Status::Done as u64))]));
    let wins = m.wire("wins", !answer.bit(2 * BYTE - 1) & (answer.bit(BYTE) | answer.bit(BYTE + 1)));
    let taken = step.matches(
        [
            (Step::First, vec![status.set(answer.bits(BYTE..2 * BYTE)), step.set(Step::Second)]),
            (Step::Second, vec![placed]),
        ],
        [
            word.set(comes.mux(answer, u64::from(u32::MAX))),
            when(left.is(2) & comes, [over.set(wins)]),
            when(left.is(0), [go(State::Fetch)]).otherwise([go(State::Emit)]),
        ],
    );
    // Answers are dropped until no more come; a move has an answer in any case.
    let ones = u64::from(u32::MAX);
    let gives_up = || {
        [
            ends.set(true),
            step.set(Step::None),
            when(of_frame, [left.set(0), go(State::Take)]).otherwise([
                word.set(ones),
                left.set(WORD / BYTE),
                go(State::Emit),
            ]),
        ]
    };
    let run =
        state.matches(
            [
                (State::Begin, vec![when(sender_idle, [go(State::Fetch)])]),
                (
                    State::Fetch,
                    vec![when(place.is(end) | ends, [go(State::Finish)]).otherwise([go(State::Operation)])],
                ),
                (
                    State::Operation,
                    vec![
                        place.set(place + 1),
                        wide.set(byte.bit(0)),
                        left.set(byte.bit(6).mux(due, told_bytes)),
                        when(task.is(Task::Hello), emit(byte)).otherwise([operation]),
                    ],
                ),
                (
                    State::FetchArgument,
                    vec![when(place.is(end), [go(State::Finish)]).otherwise([go(State::Argument)])],
                ),
                (State::Argument, vec![place.set(place + 1), argument]),
                (State::Data, vec![when(data_ready, [passed]).else_when(in_vain, gives_up())]),
                (
                    State::Control,
                    vec![
                        when(
                            control_ready,
                            [when(step.is(Step::First), [go(State::Take)]).otherwise([go(State::Fetch)])],
                        )
                        .else_when(in_vain, gives_up()),
                    ],
                ),
                (
                    State::Take,
                    vec![
                        when(aborts & control_ready, [told.set(true)]),
                        when(comes | in_vain, [told.set(false), when(!(ends & comes), [taken])]),
                    ],
                ),
                (
                    State::Emit,
                    vec![
                        word.set(word.down(BYTE)),
                        left.set(left - 1),
                        when(count.is_not(MAX_READ as u64), [count.set(count + 1)]),
                        when(left.is(1), [go(State::Fetch)]),
                    ],
                ),
                (State::Finish, vec![when(sender_idle, [go(State::Idle)])]),
            ],
            [when(
                start,
                [
                    step.set(Step::None),
                    ends.set(false),
                    count.set(0),
                    place.set(task.is(Task::NewGame).mux(m.constant(ADDRESS + 1, places[1]), places[0])),
                    end.set(of_frame.mux(
                        length,
                        task.is(Task::NewGame).mux(m.constant(ADDRESS + 1, places[2]), places[1]),
                    )),
                    go(State::Begin),
                ],
            )],
        );
    m.at_edge([rests.set((waits & rests_now & !in_vain).mux(rests + 1, 0)), run]);
    m.output("reply_write", at(State::Emit));
    m.output("reply_address", count);
    m.output("reply_data", word.bits(0..BYTE));
    m.output("reply_length", count);
    m.output("running", !at(State::Idle));
    m.output("finished", at(State::Finish) & sender_idle);
    m.output("over", over);
    m.circuit()
}
