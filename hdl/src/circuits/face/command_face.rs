// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core's face: control and data streams in, answers out.

use super::axis_register::axis_register;
use super::game_controller::{Operation, Over};
use crate::circuits::search::words::{COUNTER_BITS, Commands, CoreStatus, LIMIT_BITS, core_status};
use crate::layout::Layout;
use crate::stream::{Command, IDENTITY, Status, selector, version_word};
use engine_model::scoring::bits_for;
use kit::{Circuit, Instance, Module, Sig, Statement, States, any_of, cat, when};

kit::states! {
    /// Its states.
    pub enum State {
        /// No command is under way.
        Idle = "IDLE",
        /// Its arguments are waited for.
        Arguments = "ARGUMENTS",
        /// They are complete.
        Locate = "LOCATE",
        /// The cell that they are of is looked up.
        Query = "QUERY",
        /// The command is checked.
        Check = "CHECK",
        /// The core carries it out.
        Run = "RUN",
        /// There is an answer.
        Answer = "ANSWER",
        /// What is asked for is looked up.
        LookUp = "LOOK_UP",
    }
}

/// Names of its states.
pub const STATES: &[&str] = State::NAMES;
/// Bits of its `state`.
pub const STATE_BITS: usize = State::BITS;
/// Bits of a word of the streams.
const WORD: usize = 32;
/// Bits of a column, a row or a status in an answer.
const BYTE: usize = 8;

/// Turns the words of the stream protocol into operations of the search core, checks every argument first, and answers.
///
/// The three AXI4-Streams; [`CoreStatus`] in, [`Commands`] out. A command is taken when its words are complete; `Reset` and `Abort`
/// act whatever is under way. An answer is two beats, held until taken. Reset empties it, sets `levels` to the built number and takes
/// the `limit` away.
pub fn command_face(layout: &Layout) -> Circuit {
    let module = Module::new(
        "command_face",
        "Stream protocol: checks commands, runs them on the search core, answers with two beats.\n\
         One command at a time; reset empties it and sets levels to the built number.",
        true,
    );
    let m = &module;
    let [control, data] = ["control", "data"].map(|name| {
        let outside = [("tdata", WORD), ("tvalid", 1)]
            .map(|(signal, width)| (signal, m.input(&format!("s_axis_{name}_{signal}"), width)));
        let register = m.child(name, axis_register());
        for (signal, input) in outside {
            register.drive(&format!("s_{signal}"), input);
        }
        register
    });
    let answer_ready = m.input("m_axis_data_tready", 1);
    let core = core_status(layout).inputs(m);
    let face = Face::new(m, layout, core, control, data);
    let places = face.places();
    let (read, read_known) = face.look_up();
    face.run(places, read, read_known);
    face.sender(answer_ready);
    for (name, register) in [("control", control), ("data", data)] {
        m.output(&format!("s_axis_{name}_tready"), register.get("s_tready"));
    }
    for (name, signal) in ["tdata", "tvalid", "tlast"].into_iter().zip(face.sent) {
        m.output(&format!("m_axis_data_{name}"), signal);
    }
    let commands = Commands {
        clear: face.clear,
        operation: face.operation,
        operation_code: face.operation_code,
        operation_cell: face.operation_cell,
        abort_search: face.abort_wanted,
        levels: face.levels,
        limit: face.limit,
        query_cell: face.query_cell,
    };
    commands.outputs(m);
    module.circuit()
}

/// Where the arguments point to and what answers show.
struct Places<'m> {
    /// {row, column} of the cell that an answer is of.
    shown: Sig<'m>,
    engine_status: Sig<'m>,
    mover_status: Sig<'m>,
}

/// The face under description.
struct Face<'m, 'a> {
    m: &'m Module,
    layout: &'a Layout,
    core: CoreStatus<Sig<'m>>,
    /// The control word that waits, and whether one does.
    word: Sig<'m>,
    word_waits: Sig<'m>,
    /// The data word.
    argument: Sig<'m>,
    data_taken: Sig<'m>,
    take_command: Sig<'m>,
    is_abort: Sig<'m>,
    resetting: Sig<'m>,
    /// Words of so many arguments.
    takes: [Sig<'m>; 3],
    state: Sig<'m>,
    opcode: Sig<'m>,
    x: Sig<'m>,
    y: Sig<'m>,
    second_wanted: Sig<'m>,
    got_first: Sig<'m>,
    abort_wanted: Sig<'m>,
    placing: Sig<'m>,
    on_board: Sig<'m>,
    engine_first: Sig<'m>,
    /// It has been reset, a clock ago: the core is far away.
    clear: Sig<'m>,
    /// The answer being made.
    answer: [Sig<'m>; 2],
    /// The beat that is presented: data, valid, last.
    sent: [Sig<'m>; 3],
    operation: Sig<'m>,
    operation_code: Sig<'m>,
    operation_cell: Sig<'m>,
    levels: Sig<'m>,
    limit: Sig<'m>,
    query_cell: Sig<'m>,
}

impl<'m, 'a> Face<'m, 'a> {
    fn new(
        m: &'m Module,
        layout: &'a Layout,
        core: CoreStatus<Sig<'m>>,
        control: Instance<'m>,
        data: Instance<'m>,
    ) -> Face<'m, 'a> {
        let config = &layout.config;
        m.states::<State>();
        let state = m.control("state", STATE_BITS, State::Idle);
        // Of the word of a command no more than tells it from others: it is kept of commands only.
        let codes = Command::ALL.iter().map(|&(command, _)| command as usize);
        let opcode = m.register("opcode", bits_for(codes.max().expect("there are commands")));
        let [x, y] = ["x", "y"].map(|name| m.register(name, WORD));
        let [second_wanted, got_first, placing] =
            ["second_wanted", "got_first", "placing"].map(|name| m.register(name, 1));
        let answer = ["answer_0", "answer_1"].map(|name| m.register(name, WORD));
        let sent = [
            m.register("m_axis_data_tdata", WORD),
            m.control("m_axis_data_tvalid", 1, 0),
            m.control("m_axis_data_tlast", 1, 0),
        ];
        let (word, word_waits) = (control.get("m_tdata"), control.get("m_tvalid"));
        let is_command = |command: Command| word.is(command as u64);
        let resetting = m.wire("is_reset", word_waits & is_command(Command::Reset));
        let is_abort = m.wire("is_abort", word_waits & is_command(Command::Abort));
        let takes = [("none", 0), ("one", 1), ("two", 2)].map(|(name, arguments)| {
            let commands = Command::ALL.iter().filter(|(command, _)| command.arguments() == arguments);
            m.wire(&format!("takes_{name}"), any_of(commands.map(|&(command, _)| is_command(command))))
        });
        m.comment("A word is taken while no command is under way; reset always, abort also while one runs.");
        let take_command = m.wire("take_command", state.is(State::Idle) & word_waits);
        control.drive("m_tready", resetting | take_command | (is_abort & state.is(State::Run)));
        control.drive("flush", false);
        let wants = m.wire("wants_data", state.is(State::Arguments));
        data.drive("m_tready", wants);
        data.drive("flush", resetting);
        m.comment("Where the arguments point to, a clock after they are complete; who stands there, two clocks after.");
        let on_board = m.delayed("on_board", x.less(config.columns) & y.less(config.rows));
        let play = opcode.is(Command::Play as u64);
        let engine_first = m.delayed("engine_first", play & x.is(config.columns) & y.is(config.rows));
        // y * columns + x as shifts and adds of the constant's bits.
        let bits = layout.cell_bits;
        let rows = (0..usize::BITS as usize).filter(|bit| config.columns >> bit & 1 == 1);
        let cell = rows.fold(x.bits(0..bits), |sum, bit| sum + y.bits(0..bits).up(bit));
        Face {
            m,
            layout,
            core,
            word,
            word_waits,
            argument: data.get("m_tdata"),
            data_taken: m.wire("data_taken", wants & data.get("m_tvalid")),
            take_command,
            is_abort,
            resetting,
            takes,
            state,
            opcode,
            x,
            y,
            second_wanted,
            got_first,
            abort_wanted: m.control("abort_wanted", 1, 0),
            placing,
            on_board,
            engine_first,
            clear: m.cleared("clear", resetting),
            answer,
            sent,
            operation: m.control("operation", 1, 0),
            operation_code: m.register("operation_code", 2),
            operation_cell: m.register("operation_cell", bits),
            levels: m.control("levels", layout.level_bits, config.levels),
            limit: m.control("limit", LIMIT_BITS, 0),
            query_cell: m.delayed("query_cell", cell),
        }
    }

    fn status(&self, status: Status) -> Sig<'m> {
        self.m.constant(BYTE, status as usize)
    }

    fn command(&self, command: Command) -> Sig<'m> {
        self.opcode.is(command as u64)
    }

    fn places(&self) -> Places<'m> {
        let (m, layout, core) = (self.m, self.layout, self.core);
        m.comment("{row, column} of a cell.");
        let cell = self.command(Command::TakeBack).mux(self.operation_cell, core.decided_cell);
        let cell = m.wire("shown_cell", cell);
        let place = |cell: usize| {
            let point = layout.geometry.point(cell as u16);
            cat([m.constant(BYTE, point.y), m.constant(BYTE, point.x)])
        };
        let shown = m.table("shown", cell, (0..layout.cells).map(|cell| (cell as u64, place(cell))), 0);
        let (line, full) = (core.over.is(Over::Line as u64), core.over.is(Over::Full as u64));
        let draws = full.mux(self.status(Status::EngineDraws), self.status(Status::Move));
        Places {
            shown,
            engine_status: m.wire("engine_status", line.mux(self.status(Status::EngineWins), draws)),
            mover_status: m.wire(
                "mover_status",
                line.mux(self.status(Status::MoverWins), self.status(Status::MoverDraws)),
            ),
        }
    }

    /// An answer's two words: a status and a byte each.
    fn say(&self, status: Sig<'m>, low: Sig<'m>, high: Sig<'m>) -> Vec<Statement> {
        let word = |byte: Sig<'m>| cat([self.m.zero(WORD - 2 * BYTE), status, byte]);
        vec![self.answer[0].set(word(low)), self.answer[1].set(word(high)), self.state.set(State::Answer)]
    }

    fn fail(&self, code: Status) -> Vec<Statement> {
        let zero = self.m.zero(BYTE);
        self.say(self.status(code), zero, zero)
    }

    fn start(&self, operation: Operation, cell: Sig<'m>) -> Vec<Statement> {
        vec![
            self.operation_code.set(operation as u64),
            self.operation_cell.set(cell),
            self.operation.set(true),
            self.state.set(State::Run),
        ]
    }

    fn run(&self, places: Places<'m>, read: [Sig<'m>; 2], read_known: Sig<'m>) {
        let (m, layout, core) = (self.m, self.layout, self.core);
        let (state, x, y) = (self.state, self.x, self.y);
        let zero = m.zero(BYTE);
        let byte = |word: Sig<'m>| word.bits(0..BYTE);
        let over = core.over.is_not(Over::No as u64);
        let search = || self.start(Operation::Search, self.operation_cell);
        let done = self.status(Status::Done);
        let play_or_place = |command: Command| {
            let place = self.start(Operation::Place, self.query_cell);
            let checked = when(over, self.fail(Status::GameOver))
                .else_when(self.engine_first, search())
                .else_when(!self.on_board, self.fail(Status::Outside))
                .else_when(core.query_occupied, self.fail(Status::Occupied))
                .otherwise(place);
            (command as u64, vec![self.placing.set(!self.engine_first), checked])
        };
        let set_levels = [self.levels.set(x.bits(0..layout.level_bits))].into_iter();
        let levels_built = m.constant(BYTE, layout.config.levels);
        let bad_levels = x.is(0) | x.more(layout.config.levels);
        let limit = [self.limit.set(x)].into_iter().chain(self.say(done, zero, zero));
        let check = self.opcode.matches(
            [
                play_or_place(Command::Play),
                play_or_place(Command::Place),
                (
                    Command::Search as u64,
                    vec![
                        self.placing.set(false),
                        when(over, self.fail(Status::GameOver)).otherwise(search()),
                    ],
                ),
                (
                    Command::Levels as u64,
                    vec![
                        when(bad_levels, self.fail(Status::BadArgument))
                            .otherwise(set_levels.chain(self.say(done, byte(x), levels_built))),
                    ],
                ),
                (Command::Limit as u64, limit.collect()),
                (
                    Command::TakeBack as u64,
                    vec![
                        when(core.stones.is(0), self.fail(Status::NoMove))
                            .otherwise(self.start(Operation::TakeBack, core.last_cell)),
                    ],
                ),
            ],
            [state.set(State::LookUp)],
        );
        let ends = |answer: Vec<Statement>| {
            std::iter::once(self.abort_wanted.set(false)).chain(answer).collect::<Vec<_>>()
        };
        let (column, row) = (byte(places.shown), places.shown.bits(BYTE..2 * BYTE));
        let aborted = std::iter::once(self.operation.set(false)).chain(ends(self.say(
            self.status(Status::Aborted),
            zero,
            zero,
        )));
        let finished = when(self.command(Command::TakeBack), ends(self.say(done, column, row)))
            .else_when(!self.placing, ends(self.say(places.engine_status, column, row)))
            .else_when(over, ends(self.say(places.mover_status, byte(x), byte(y))))
            .else_when(self.command(Command::Place), ends(self.say(done, byte(x), byte(y))))
            .otherwise(std::iter::once(self.placing.set(false)).chain(search()));
        let [takes_none, takes_one, takes_two] = self.takes;
        let taken = when(takes_one | takes_two, [state.set(State::Arguments)]).else_when(
            takes_none,
            [state.set(self.is_abort.mux(m.state(State::Idle), m.state(State::Locate)))],
        );
        let runs = state.matches(
            [
                (
                    State::Idle,
                    vec![when(
                        self.take_command,
                        // The answer to no command stands there before the word is known to be none.
                        self.fail(Status::UnknownCommand).into_iter().chain([
                            self.opcode.set(self.word.bits(0..self.opcode.width)),
                            self.got_first.set(false),
                            self.second_wanted.set(takes_two),
                            taken,
                        ]),
                    )],
                ),
                // Waiting arguments first; a control word without them means that they will not be completed.
                (
                    State::Arguments,
                    vec![
                        when(
                            self.data_taken,
                            [
                                when(self.got_first, [y.set(self.argument)])
                                    .otherwise([x.set(self.argument)]),
                                self.got_first.set(true),
                                when(self.got_first | !self.second_wanted, [state.set(State::Locate)]),
                            ],
                        )
                        .else_when(self.word_waits, self.fail(Status::Interrupted)),
                    ],
                ),
                (State::Locate, vec![state.set(State::Query)]),
                (State::Query, vec![state.set(State::Check)]),
                (State::Check, vec![check]),
                (
                    State::Run,
                    vec![
                        when(self.operation & core.idle, [self.operation.set(false)]),
                        when(self.is_abort, [self.abort_wanted.set(true)]),
                        when(core.operation_aborted, aborted).else_when(core.operation_done, [finished]),
                    ],
                ),
                (State::Answer, vec![when(!self.sent[1], [state.set(State::Idle)])]),
                (
                    State::LookUp,
                    vec![
                        when(
                            read_known,
                            [
                                self.answer[0].set(read[0]),
                                self.answer[1].set(read[1]),
                                state.set(State::Answer),
                            ],
                        )
                        .otherwise(self.fail(Status::BadArgument)),
                    ],
                ),
            ],
            [state.set(State::Idle)],
        );
        m.comment("A reset is known late: it stops what acts, and what is only said may change.");
        let stops = [
            state.set(State::Idle),
            self.operation.set(false),
            self.abort_wanted.set(false),
            self.levels.set(self.levels),
            self.limit.set(self.limit),
        ];
        m.machine([runs, when(self.resetting, stops)]);
    }

    /// A presented beat stays until it is taken, whatever else happens.
    fn sender(&self, ready: Sig<'m>) {
        let m = self.m;
        m.comment("Sender: a presented beat stays until it is taken, whatever else happens.");
        let sending_last = m.control("sending_last", 1, 0);
        let send_1 = m.register("send_1", WORD);
        let [tdata, tvalid, tlast] = self.sent;
        let next =
            [tdata.set(send_1), tvalid.set(!sending_last), tlast.set(!sending_last), sending_last.set(true)];
        let first = [
            tdata.set(self.answer[0]),
            send_1.set(self.answer[1]),
            tvalid.set(true),
            tlast.set(false),
            sending_last.set(false),
        ];
        m.machine([when(tvalid, [when(ready, next)])
            .else_when(self.state.is(State::Answer) & !self.resetting, first)]);
    }

    /// The words behind the read command's selectors, and whether there are any.
    fn look_up(&self) -> ([Sig<'m>; 2], Sig<'m>) {
        let (m, layout, core) = (self.m, self.layout, self.core);
        let config = &layout.config;
        m.comment("Information by selector.");
        let word = |value: u32| m.constant(WORD, value as usize);
        let byte = |value: usize| m.constant(BYTE, value);
        let built = cat([config.levels, config.in_a_row, config.rows, config.columns].map(byte));
        let options = cat([
            m.zero(BYTE - 1),
            m.bit(config.trace),
            byte(config.extensions),
            byte(config.contexts),
            self.levels.zero_extend(BYTE),
        ]);
        let half = WORD / 2;
        let game = cat([m.zero(half - core.over.width), core.over, core.stones.zero_extend(half)]);
        let cycles = [core.cycles.bits(0..WORD), core.cycles.bits(WORD..2 * WORD)];
        let mut words = vec![
            (selector::IDENTITY, [word(IDENTITY), word(version_word())]),
            (selector::CONFIGURATION, [built, options]),
            (selector::GAME, [core.score.sign_extend(WORD), game]),
            (selector::CYCLES, cycles),
            (selector::PASSES, [core.passes, core.stale]),
            (selector::ORDERS, [core.orders, core.waits_order]),
            (selector::WAITS, [core.waits_first, core.waits_context]),
            (selector::MISSES, [core.misses, word(0)]),
            (selector::LIMIT, [self.limit, core.decided_levels.zero_extend(WORD)]),
        ];
        for ply in 1..=layout.max_path {
            let counter = core.nodes.bits((ply - 1) * COUNTER_BITS..ply * COUNTER_BITS);
            words.push((selector::NODES + ply, [counter, word(0)]));
        }
        for row in 0..config.rows {
            let cells = row * config.columns..(row + 1) * config.columns;
            let sides = [core.first, core.second].map(|side| side.bits(cells.clone()).zero_extend(WORD));
            words.push((selector::ROWS + row, sides));
        }
        let table = |name: &str, of: &dyn Fn([Sig<'m>; 2]) -> Sig<'m>| {
            let entries = words.iter().map(|&(selector, words)| (selector as u64, of(words)));
            m.table(name, self.x, entries.collect::<Vec<_>>(), 0)
        };
        let read = [table("read_0", &|[low, _]| low), table("read_1", &|[_, high]| high)];
        (read, table("read_known", &|_| m.bit(true)))
    }
}
