// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games through the registers of a slot, every answer compared with the protocol's reference.

use super::{BusError, Master};
use crate::described;
use crate::lockstep::{HANG_CYCLES, random_candidate};
use crate::models::Model;
use engine_model::Config;
use hdl::face_model::{Answer, Expected, FaceModel, Predicted};
use hdl::stream::{ANSWER_WORDS, Command, Status, selector};
use soc_integration::Face;
use soc_integration::register_map::{
    CONTROL, COUNTERS, CYCLES_HIGH, CYCLES_LOW, DATA_IN, DATA_OUT, DECIDED_LEVELS, ERRORS, INTERRUPT_ENABLE,
    LIMIT, NODES, STATUS,
};

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotFault {
    /// The bus broke a rule.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// No answer, or no room for a word.
    #[error("{what} within {clocks} clocks (at cycle {cycle})")]
    Timeout {
        /// What did not happen.
        what: &'static str,
        /// Clocks waited.
        clocks: u64,
        /// Cycle.
        cycle: u64,
    },
    /// An answer is wrong.
    #[error("cycle {cycle}, answer to word {word:#010x} with data {arguments:?}: expected {}, got {}", described::expected(*expected), described::got(*got))]
    Answer {
        /// Cycle.
        cycle: u64,
        /// Control word.
        word: u32,
        /// Data words.
        arguments: Vec<u32>,
        /// What the protocol says.
        expected: Expected,
        /// What came.
        got: Option<Answer>,
    },
    /// A register, or the interrupt line, says something else than it should.
    #[error("cycle {cycle}: {what} is {got}, expected {expected}")]
    Value {
        /// Cycle.
        cycle: u64,
        /// Which.
        what: String,
        /// Expected.
        expected: u64,
        /// Seen.
        got: u64,
    },
}

/// A slot with the protocol's reference beside it.
pub struct SlotSession {
    /// The bus.
    pub master: Master,
    reference: FaceModel,
    config: Config,
    limit: u64,
    answers: u64,
    played: Played,
}

/// Clocks in which a word must be taken once the core is idle.
const WORD_CLOCKS: u64 = 10_000;

impl SlotSession {
    /// A slot after reset with its interrupt enabled.
    pub fn new(
        model: &'static Model,
        face: Face,
        config: &Config,
        seed: u64,
        idle: f64,
    ) -> Result<SlotSession, SlotFault> {
        let mut master = Master::new(model, face, seed, idle);
        master.write(INTERRUPT_ENABLE.offset, INTERRUPT_ENABLE.mask("ANSWER"))?;
        let config = soc_integration::behind_bus(config);
        Ok(SlotSession {
            master,
            reference: FaceModel::new(&config),
            config,
            limit: HANG_CYCLES,
            answers: 0,
            played: Played::default(),
        })
    }

    /// The protocol's reference.
    pub fn reference(&self) -> &FaceModel {
        &self.reference
    }

    /// A reset by wire for `clocks` clocks, also in the middle of a search; the interrupt is enabled again.
    pub fn reset(&mut self, clocks: u64) -> Result<(), SlotFault> {
        self.master.reset(clocks);
        self.reference = FaceModel::new(&self.config);
        self.answers = 0;
        Ok(self.master.write(INTERRUPT_ENABLE.offset, INTERRUPT_ENABLE.mask("ANSWER"))?)
    }

    /// What has been played so far.
    pub fn played(&self) -> Played {
        Played { answers: self.answers, simulated_cycles: self.master.cycle(), ..self.played.clone() }
    }

    fn value(&self, what: &str, expected: u64, got: u64) -> Result<(), SlotFault> {
        if expected == got {
            return Ok(());
        }
        Err(SlotFault::Value { cycle: self.master.cycle(), what: what.into(), expected, got })
    }

    /// Pushes a word when STATUS says that it will be taken.
    fn push(&mut self, register: u32, room: &'static str, value: u32) -> Result<(), SlotFault> {
        let begin = self.master.cycle();
        while self.master.read(STATUS.offset)? & STATUS.mask(room) == 0 {
            if self.master.cycle() - begin > WORD_CLOCKS {
                return Err(SlotFault::Timeout {
                    what: "no room for a word",
                    clocks: WORD_CLOCKS,
                    cycle: self.master.cycle(),
                });
            }
        }
        Ok(self.master.write(register, value)?)
    }

    /// Sends a control word and its arguments.
    pub fn send(&mut self, word: u32, arguments: &[u32]) -> Result<(), SlotFault> {
        self.push(CONTROL.offset, "CONTROL_ROOM", word)?;
        arguments.iter().try_for_each(|&argument| self.push(DATA_IN.offset, "DATA_ROOM", argument))
    }

    /// Waits for the interrupt and reads an answer; the line must be high until its second word has been read.
    pub fn answer(&mut self) -> Result<Answer, SlotFault> {
        let begin = self.master.cycle();
        while !self.master.interrupt() {
            if self.master.cycle() - begin > self.limit {
                return Err(SlotFault::Timeout {
                    what: "no answer",
                    clocks: self.limit,
                    cycle: self.master.cycle(),
                });
            }
            self.master.idle(1);
        }
        self.answers += 1;
        let mut words = [0; ANSWER_WORDS];
        for (index, word) in words.iter_mut().enumerate() {
            let status = self.master.read(STATUS.offset)?;
            let last = u64::from(index + 1 == ANSWER_WORDS);
            self.value("STATUS.ANSWER", 1, u64::from(status & STATUS.mask("ANSWER") != 0))?;
            self.value("STATUS.LAST", last, u64::from(status & STATUS.mask("LAST") != 0))?;
            self.value("the interrupt line before a word is read", 1, self.master.interrupt().into())?;
            *word = self.master.read(DATA_OUT.offset)?;
        }
        self.value("the interrupt line after the answer", 0, self.master.interrupt().into())?;
        self.value("interrupts", self.answers, self.master.interrupt_rises())?;
        Ok(Answer { words })
    }

    /// A complete command: its answer, compared, and what the reference predicted.
    pub fn word(&mut self, word: u32, arguments: &[u32]) -> Result<(Option<Answer>, Predicted), SlotFault> {
        let mut predicted = self.reference.apply(word, arguments);
        self.send(word, arguments)?;
        let got = if predicted.answer == Expected::Nothing { None } else { Some(self.answer()?) };
        if !predicted.deepening.is_empty() {
            // Under a limit the core says which search was its last.
            let levels = self.master.read(DECIDED_LEVELS.offset)?;
            let settled = self.reference.settle(&mut predicted, levels as usize);
            predicted.answer = settled.unwrap_or(Expected::Nothing);
        }
        if predicted.answer.allows(got) {
            return Ok((got, predicted));
        }
        Err(SlotFault::Answer {
            cycle: self.master.cycle(),
            word,
            arguments: arguments.to_vec(),
            expected: predicted.answer,
            got,
        })
    }

    /// A command and its answer's status.
    pub fn command(&mut self, command: Command, arguments: &[u32]) -> Result<Option<Status>, SlotFault> {
        Ok(self.word(command as u32, arguments)?.0.and_then(|answer| answer.status()))
    }

    /// Two words behind a selector, over the streams.
    fn selected(&mut self, selected: usize) -> Result<[u32; 2], SlotFault> {
        let (answer, _) = self.word(Command::Read as u32, &[selected as u32])?;
        Ok(answer.map_or([0; 2], |answer| answer.words))
    }

    /// Clock cycles of the last search, by the registers.
    pub fn cycles(&mut self) -> Result<u64, SlotFault> {
        let low = self.master.read(CYCLES_LOW.offset)?;
        let high = self.master.read(CYCLES_HIGH.offset)?;
        Ok(u64::from(high) << 32 | u64::from(low))
    }

    /// Compares the counter registers with what the core answers over its streams.
    pub fn check_counters(&mut self) -> Result<(), SlotFault> {
        let [low, high] = self.selected(selector::CYCLES)?;
        let [passes, stale] = self.selected(selector::PASSES)?;
        let [orders, waits_order] = self.selected(selector::ORDERS)?;
        let [waits_first, waits_context] = self.selected(selector::WAITS)?;
        let [misses, _] = self.selected(selector::MISSES)?;
        let [limit, levels] = self.selected(selector::LIMIT)?;
        let mut expected = vec![
            ("LIMIT", LIMIT.offset, limit),
            ("DECIDED_LEVELS", DECIDED_LEVELS.offset, levels),
            ("CYCLES_LOW", CYCLES_LOW.offset, low),
            ("CYCLES_HIGH", CYCLES_HIGH.offset, high),
        ];
        let of_port = |port: &str| match port {
            "passes" => passes,
            "stale" => stale,
            "orders" => orders,
            "waits_order" => waits_order,
            "waits_first" => waits_first,
            "waits_context" => waits_context,
            _ => misses,
        };
        expected
            .extend(COUNTERS.iter().map(|(port, register)| (register.name, register.offset, of_port(port))));
        for ply in 0..self.config.max_path() {
            let [nodes, _] = self.selected(selector::NODES + ply + 1)?;
            expected.push(("NODES", NODES.offset + 4 * ply as u32, nodes));
        }
        for (name, offset, expected) in expected {
            let got = self.master.read(offset)?;
            self.value(name, expected.into(), got.into())?;
        }
        Ok(())
    }
}

/// Figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Engine moves.
    pub moves: u64,
    /// Games begun.
    pub games: u64,
    /// Answers compared.
    pub answers: u64,
    /// Clock cycles of every search, by the cycle registers.
    pub searches: Vec<u64>,
    /// Clock cycles simulated.
    pub simulated_cycles: u64,
}

/// Engine moves between two comparisons of the counters.
const COUNTERS_EVERY: u64 = 8;

/// Plays at least `moves` engine moves against random opponents, game after game, a reset command in between.
pub fn play(session: &mut SlotSession, moves: u64, seed: u64) -> Result<Played, SlotFault> {
    let mut rng = fastrand::Rng::with_seed(seed);
    session.played = Played::default();
    while session.played.moves < moves {
        session.command(Command::Reset, &[])?;
        session.played.games += 1;
        let (columns, rows) = (session.config.columns as u32, session.config.rows as u32);
        let mut opponent = if rng.bool() { vec![columns, rows] } else { random_move(session, &mut rng) };
        loop {
            let status = session.command(Command::Play, &opponent)?;
            if matches!(status, Some(Status::Move | Status::EngineWins | Status::EngineDraws)) {
                session.played.moves += 1;
                let cycles = session.cycles()?;
                session.played.searches.push(cycles);
            }
            if !matches!(status, Some(Status::Move | Status::Occupied | Status::Outside)) {
                break;
            }
            if session.played.moves.is_multiple_of(COUNTERS_EVERY) {
                session.check_counters()?;
            }
            opponent = random_move(session, &mut rng);
        }
    }
    let errors = session.master.read(ERRORS.offset)?;
    session.value("ERRORS", 0, errors.into())?;
    Ok(session.played())
}

/// A candidate; once in twenty moves any point on the board or just off it.
fn random_move(session: &SlotSession, rng: &mut fastrand::Rng) -> Vec<u32> {
    let position = session.reference.position();
    let geometry = &position.tables().geometry;
    match random_candidate(position, rng).filter(|_| rng.u32(0..20) > 0) {
        Some(cell) => {
            let point = geometry.point(cell);
            vec![point.x as u32, point.y as u32]
        }
        None => vec![rng.u32(0..=geometry.columns as u32), rng.u32(0..=geometry.rows as u32)],
    }
}
