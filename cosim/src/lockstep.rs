// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games played by the RTL in lockstep with the model.

use crate::bench::{Bench, BenchOptions, Event};
use crate::coverage::Coverage;
pub use crate::fault::Fault;
use crate::models::Model;
use crate::scoreboard::Scoreboard;
use crate::speed::{Speed, thread_time};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};
use hdl::Layout;
use hdl::face_model::{Answer, Expected, FaceModel, Predicted};
use hdl::stream::{Command, Status, selector};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::Arc;

/// Cycles after which a command that has not been answered counts as hung.
pub const HANG_CYCLES: u64 = 20_000_000;

/// The same while a waveform is written, which a hang would make gigabytes long.
pub const WAVE_CYCLES: u64 = 300_000;

/// One core, its protocol reference and its scoreboard.
pub struct Session {
    bench: Bench,
    face: FaceModel,
    scoreboard: Scoreboard,
    traced: bool,
    speed: Speed,
    limit: u64,
}

impl Session {
    /// A session with a freshly powered-up core of `config`. Without trace outputs only answers are compared.
    pub fn new(model: &'static Model, config: &Config, traced: bool, options: BenchOptions) -> Session {
        let config = Config { trace: traced, ..config.clone() };
        let tables = Tables::new(&config);
        Session {
            bench: Bench::new(model, Layout::new(&config), options),
            face: FaceModel::new(&config),
            scoreboard: Scoreboard::new(&tables),
            traced,
            speed: Speed::default(),
            limit: HANG_CYCLES,
        }
    }

    /// Cycles after which a command counts as hung, instead of [`HANG_CYCLES`].
    pub fn set_limit(&mut self, cycles: u64) {
        self.limit = cycles;
    }

    /// The streams and the core.
    pub fn bench(&mut self) -> &mut Bench {
        &mut self.bench
    }

    /// The protocol reference.
    pub fn face(&self) -> &FaceModel {
        &self.face
    }

    /// The scoreboard.
    pub fn scoreboard(&self) -> &Scoreboard {
        &self.scoreboard
    }

    /// Sends one complete command, waits for its answer if it has one, compares everything.
    pub fn command(&mut self, command: Command, arguments: &[u32]) -> Result<Option<Answer>, Fault> {
        self.word(command as u32, arguments).map(|(answer, _)| answer)
    }

    /// The same, showing every trace event to `observer` before it is compared.
    pub fn command_observed(
        &mut self,
        command: Command,
        arguments: &[u32],
        observer: &mut dyn FnMut(u64, &Event),
    ) -> Result<Option<Answer>, Fault> {
        self.exchange(command as u32, arguments, observer).map(|(answer, _)| answer)
    }

    /// The same for any control word; also returns what the reference predicted.
    pub fn word(&mut self, word: u32, arguments: &[u32]) -> Result<(Option<Answer>, Predicted), Fault> {
        self.exchange(word, arguments, &mut |_, _| {})
    }

    /// The same, showing every trace event to `observer` before it is compared.
    pub(crate) fn exchange(
        &mut self,
        word: u32,
        arguments: &[u32],
        observer: &mut dyn FnMut(u64, &Event),
    ) -> Result<(Option<Answer>, Predicted), Fault> {
        let mut predicted = self.face.apply(word, arguments);
        self.announce(&predicted);
        self.bench.send(word, arguments);
        let (cycle, time) = (self.bench.cycle(), thread_time());
        let answer = match predicted.answer {
            Expected::Nothing => self.bench.deliver(self.limit, SILENT_CYCLES).map(|()| None),
            _ => self.bench.answer(self.limit).map(Some),
        };
        self.speed += Speed { cycles: self.bench.cycle() - cycle, time: thread_time() - time };
        if word == Command::Reset as u32 {
            self.resynchronise();
        }
        // A wrong node says more than the wrong answer or the hang that follows from it.
        self.show_events(observer)?;
        let answer = answer?;
        self.settle(&mut predicted)?;
        self.compare(word, arguments, predicted.answer, answer)?;
        Ok((answer, predicted))
    }

    /// Asks the core which of the searches that a limit allowed was its last.
    pub fn settle(&mut self, predicted: &mut Predicted) -> Result<(), Fault> {
        if predicted.deepening.is_empty() {
            return Ok(());
        }
        self.bench.send(Command::Read as u32, &[selector::LIMIT as u32]);
        let [_, levels] = self.bench.answer(self.limit)?.words;
        let allowed: Vec<usize> = predicted.deepening.iter().map(|(levels, _)| *levels).collect();
        match self.face.settle(predicted, levels as usize) {
            Some(expected) => predicted.answer = expected,
            None => return Err(Fault::Levels { allowed, got: levels }),
        }
        Ok(())
    }

    /// Tells the scoreboard what the next command does.
    pub fn announce(&mut self, predicted: &Predicted) {
        let levels = self.face.levels();
        let decided = predicted.decision.map(|decision| (levels, decision));
        let decisions = predicted.deepening.iter().copied().chain(decided).collect::<Vec<_>>();
        self.scoreboard.expect(levels, predicted.played, predicted.taken_back, decisions);
    }

    /// Applies a command to the reference only, for a bench that drives the core itself.
    pub fn predict(&mut self, word: u32, arguments: &[u32]) -> Predicted {
        self.face.apply(word, arguments)
    }

    /// Takes back the search part of a prediction, for a bench that aborts it.
    pub fn predict_abort(&mut self, predicted: &mut Predicted) {
        self.face.abort(predicted);
    }

    /// Sets the scoreboard to the reference's position, dropping what was announced.
    pub fn resynchronise(&mut self) {
        let position = self.face.position().clone();
        self.bench.take_events();
        self.scoreboard.set_position(&position);
    }

    /// A hardware reset for `cycles` clocks, also in the middle of a search.
    pub fn reset(&mut self, cycles: usize) {
        self.bench.reset(cycles);
        self.face = FaceModel::new(&self.bench.layout().config.clone());
        self.resynchronise();
    }

    /// Compares the trace events so far.
    pub fn check_events(&mut self) -> Result<(), Fault> {
        self.show_events(&mut |_, _| {})
    }

    /// Runs on for so many clocks, showing every trace event to `observer` before it is compared.
    pub fn run_observed(&mut self, clocks: u64, observer: &mut dyn FnMut(u64, &Event)) -> Result<(), Fault> {
        self.bench.run(clocks)?;
        self.show_events(observer)
    }

    fn show_events(&mut self, observer: &mut dyn FnMut(u64, &Event)) -> Result<(), Fault> {
        for (cycle, event) in self.bench.take_events() {
            observer(cycle, &event);
            self.scoreboard.check(cycle, &event)?;
        }
        Ok(())
    }

    /// Compares an answer with what is expected.
    pub fn compare(
        &self,
        word: u32,
        arguments: &[u32],
        expected: Expected,
        got: Option<Answer>,
    ) -> Result<(), Fault> {
        if expected.allows(got) {
            return Ok(());
        }
        let cycle = self.bench.cycle();
        Err(Fault::Answer { cycle, word, arguments: arguments.to_vec(), expected, got })
    }

    /// Two words behind a selector.
    pub fn read(&mut self, selected: usize) -> Result<[u32; 2], Fault> {
        let answer = self.command(Command::Read, &[selected as u32])?;
        Ok(answer.map_or([0, 0], |answer| answer.words))
    }

    /// Cycles of the last search, by the core's own counter.
    pub fn search_cycles(&mut self) -> Result<u64, Fault> {
        let [low, high] = self.read(selector::CYCLES)?;
        Ok(u64::from(high) << 32 | u64::from(low))
    }
}

/// Clocks given to a command that has no answer, after its words have been taken.
const SILENT_CYCLES: u64 = 40;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The configuration.
    pub config: Config,
    /// Seed of everything random.
    pub seed: u64,
    /// Engine moves to play in all.
    pub moves: u64,
    /// Start positions; none = random openings.
    pub games: Vec<Vec<Cell>>,
    /// Back-pressure and idle probability.
    pub back_pressure: f64,
    /// Whether to use the model with trace outputs.
    pub traced: bool,
    /// Plays only this game of the seed.
    pub only_game: Option<u64>,
    /// Cycles after which a command counts as hung.
    pub limit: u64,
    /// Writes a waveform of this engine move of the game played.
    pub waves: Option<(PathBuf, u64)>,
}

/// Everything needed to see a fault again.
#[derive(Clone, Debug)]
pub struct FaultReport {
    /// What was found.
    pub fault: Fault,
    /// Which game of the seed.
    pub game: u64,
    /// Engine moves of this game before the one that failed.
    pub engine_move: u64,
    /// Clocks since power-up when it was seen.
    pub cycle: u64,
    /// Moves on the board when it happened.
    pub moves: Vec<Cell>,
}

/// Figures of a run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Engine moves played.
    pub moves: u64,
    /// Games begun.
    pub games: u64,
    /// Nodes compared.
    pub nodes_compared: u64,
    /// Controller returns compared.
    pub returns_compared: u64,
    /// Results dropped by the core as stale.
    pub stale: u64,
    /// Cycles of every search with all levels, by the core's own counter.
    pub cycles: Vec<u64>,
    /// Clock cycles simulated.
    pub simulated_cycles: u64,
    /// Clocks between a command and its answer, and what they took: the model's own time does not count.
    pub speed: Speed,
    /// The same of the fastest game, which jobs beside this one disturbed least.
    pub fastest: Speed,
    /// What has changed, if the model counts.
    pub coverage: Coverage,
    /// Decisions in order: fingerprint of the run.
    pub decisions: Vec<Cell>,
}

impl Tally {
    /// Fingerprint of the moves chosen.
    pub fn fingerprint(&self) -> String {
        let decisions: Vec<u8> = self.decisions.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        Sha256::digest(&decisions).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Most engine moves of one game.
const MOVES_PER_GAME: u64 = 40;
/// Most stones of a random opening.
const OPENING_STONES: usize = 8;
/// Boards of at most this many cells are played through completely.
const COMPLETE_TREE_CELLS: usize = 9;

/// Plays a plan; `progress` hears of every engine move. A fault ends the run and is returned with the figures so far.
pub fn run(
    plan: &Plan,
    model: &'static Model,
    progress: &mut dyn FnMut(&Tally),
) -> (Tally, Option<FaultReport>) {
    let mut tally = Tally::default();
    let tables = Tables::new(&plan.config);
    let complete = tables.geometry.cells() <= COMPLETE_TREE_CELLS && plan.games.is_empty();
    let mut game = plan.only_game.unwrap_or(0);
    loop {
        let mut player = Player::new(plan, model, &tables, game);
        // Games 0 and 1 of a small board are its whole tree, from either side.
        let played = if complete && game < 2 {
            player.complete_tree(game as usize, &mut tally, progress)
        } else {
            player.game(plan, &mut tally, progress)
        };
        player.finish(&mut tally);
        if let Err(fault) = played {
            let moves = player.session.scoreboard().position().moves().to_vec();
            let cycle = fault.cycle().unwrap_or_else(|| player.session.bench.cycle());
            return (
                tally,
                Some(FaultReport { fault, game, engine_move: player.engine_moves, cycle, moves }),
            );
        }
        game += 1;
        let trees_left = complete && game < 2;
        if plan.only_game.is_some() || (tally.moves >= plan.moves && !trees_left) {
            return (tally, None);
        }
    }
}

/// One of the candidates, if there is one.
pub(crate) fn random_candidate(position: &Position, rng: &mut fastrand::Rng) -> Option<Cell> {
    let candidates = position.candidates();
    (!candidates.is_empty()).then(|| candidates[rng.usize(0..candidates.len())])
}

struct Player<'a> {
    session: Session,
    tables: &'a Arc<Tables>,
    rng: fastrand::Rng,
    game: u64,
    engine_moves: u64,
    waves: Option<(PathBuf, u64)>,
}

impl<'a> Player<'a> {
    fn new(plan: &Plan, model: &'static Model, tables: &'a Arc<Tables>, game: u64) -> Player<'a> {
        // Each game stands alone, so that one can be replayed without those before it.
        let mut rng = fastrand::Rng::with_seed(plan.seed ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let options =
            BenchOptions { seed: rng.u64(..), idle: plan.back_pressure, back_pressure: plan.back_pressure };
        let mut session = Session::new(model, &plan.config, plan.traced, options);
        session.set_limit(if plan.waves.is_some() { WAVE_CYCLES } else { plan.limit });
        Player { session, tables, rng, game, engine_moves: 0, waves: plan.waves.clone() }
    }

    fn finish(&mut self, tally: &mut Tally) {
        tally.games += 1;
        tally.nodes_compared += self.session.scoreboard.nodes_compared;
        tally.returns_compared += self.session.scoreboard.returns_compared;
        tally.stale += self.session.scoreboard.passed().stale;
        tally.simulated_cycles += self.session.bench.cycle();
        tally.speed += self.session.speed;
        tally.fastest = tally.fastest.max(self.session.speed);
        tally.coverage.add(self.session.bench.dut().counts());
    }

    /// Lets the engine move (by `command`), checks its counters, and tells whether the game goes on.
    fn engine_move(
        &mut self,
        command: Command,
        arguments: &[u32],
        tally: &mut Tally,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<bool, Fault> {
        let before = self.session.scoreboard.passed();
        let waits_before = self.session.bench.waits();
        let answer = self.command(command, arguments)?;
        self.session.bench.dut().close_waves();
        let status = answer.and_then(|a| a.status());
        let moved = matches!(status, Some(Status::Move | Status::EngineWins | Status::EngineDraws));
        if moved {
            let nodes = self.session.scoreboard.nodes_at_ply().to_vec();
            let cycles = self.session.search_cycles()?;
            if self.session.face.levels() == self.tables.config.levels {
                tally.cycles.push(cycles);
            }
            if self.session.traced {
                // What is still in the pipeline has come out while the cycles were read.
                let passed = self.session.scoreboard.passed().since(before);
                let waits = self.session.bench.waits().since(waits_before);
                self.session.check_counters(&nodes, passed, waits, cycles)?;
            }
            tally.moves += 1;
            self.engine_moves += 1;
            tally.decisions.extend(self.session.face.position().moves().last());
            progress(tally);
        }
        Ok(status == Some(Status::Move))
    }

    /// A command; the waveform begins with the first one after the engine move before the one that is wanted.
    fn command(&mut self, command: Command, arguments: &[u32]) -> Result<Option<Answer>, Fault> {
        if let Some((file, from)) = &self.waves
            && *from <= self.engine_moves
        {
            // Opening can only fail for want of a place to write, which the caller has checked.
            let _ = self.session.bench.dut().open_waves(file);
            self.waves = None;
        }
        self.session.command(command, arguments)
    }

    fn place(&mut self, cell: Cell) -> Result<bool, Fault> {
        let point = self.tables.geometry.point(cell);
        let answer = self.command(Command::Place, &[point.x as u32, point.y as u32])?;
        Ok(answer.and_then(|a| a.status()) == Some(Status::Done))
    }

    /// A random candidate, for openings and for the opponent.
    fn random_candidate(&mut self) -> Option<Cell> {
        random_candidate(self.session.face.position(), &mut self.rng)
    }

    /// One game: an opening, then self-play or a random opponent, now and then with fewer levels.
    fn game(
        &mut self,
        plan: &Plan,
        tally: &mut Tally,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(), Fault> {
        let mut running = true;
        if plan.games.is_empty() {
            for _ in 0..self.rng.usize(0..=OPENING_STONES) {
                if let Some(cell) = self.random_candidate()
                    && running
                {
                    running = self.place(cell)?;
                }
            }
        } else {
            for &cell in &plan.games[self.game as usize % plan.games.len()] {
                running = running && self.place(cell)?;
            }
        }
        if self.rng.u32(0..8) == 0 {
            let levels = self.rng.usize(1..=plan.config.levels);
            self.command(Command::Levels, &[levels as u32])?;
        }
        let self_play = self.rng.bool();
        let target = plan.only_game.map_or(plan.moves, |_| u64::MAX);
        while running && self.engine_moves < MOVES_PER_GAME && tally.moves < target {
            running = if self_play {
                self.engine_move(Command::Search, &[], tally, progress)?
            } else if let Some(cell) = self.random_candidate() {
                let point = self.tables.geometry.point(cell);
                self.engine_move(Command::Play, &[point.x as u32, point.y as u32], tally, progress)?
            } else {
                false
            };
        }
        Ok(())
    }

    /// Every opponent line against the engine as the given side.
    fn complete_tree(
        &mut self,
        side: usize,
        tally: &mut Tally,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(), Fault> {
        let position = self.session.face.position().clone();
        if position.side_to_move() == side {
            if self.engine_move(Command::Search, &[], tally, progress)? {
                self.complete_tree(side, tally, progress)?;
            }
            self.command(Command::TakeBack, &[])?;
            return Ok(());
        }
        for cell in (0..self.tables.geometry.cells() as Cell).filter(|&c| position.is_empty(c)) {
            if self.place(cell)? {
                self.complete_tree(side, tally, progress)?;
            }
            self.command(Command::TakeBack, &[])?;
        }
        Ok(())
    }
}
