// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stream protocol answers, by the book: the reference for every command, legal or not.

use crate::stream::{ANSWER_WORDS, Command, IDENTITY, Status, selector, version_word};
use engine_model::engine::{DEEPENING_STEP, deepening};
use engine_model::evaluation::{Outcome, Remaining, evaluate};
use engine_model::position::Tables;
use engine_model::search::{RootDecision, Search};
use engine_model::{Cell, Config, IllegalMove, Position};
use std::sync::Arc;

/// An answer of two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The words as sent.
    pub words: [u32; ANSWER_WORDS],
}

impl Answer {
    /// An answer with a status and coordinates.
    pub fn new(status: Status, x: usize, y: usize) -> Answer {
        Answer { words: [x, y].map(|low| (status as u32) << 8 | low as u32) }
    }

    /// The status both words carry, if they agree and it exists.
    pub fn status(&self) -> Option<Status> {
        let [a, b] = self.words.map(|word| word >> 8);
        (a == b && a <= 0xff).then(|| Status::from_code(a as u8)).flatten()
    }
}

/// What must come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// No answer.
    Nothing,
    /// Exactly this answer.
    Words(Answer),
    /// An answer whose words only the hardware knows (counters; a search under a limit, whose [`Predicted::deepening`] tells
    /// which answers there may be).
    Any,
}

impl Expected {
    /// Whether this answer, or none, is what must come out.
    pub fn allows(self, got: Option<Answer>) -> bool {
        match (self, got) {
            (Expected::Nothing, None) | (Expected::Any, Some(_)) => true,
            (Expected::Words(expected), Some(got)) => expected == got,
            _ => false,
        }
    }
}

/// The effect of one complete command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicted {
    /// The answer.
    pub answer: Expected,
    /// Move played for the opponent or by placement.
    pub played: Option<Cell>,
    /// Move taken back.
    pub taken_back: Option<Cell>,
    /// Decision of the search, if there was one.
    pub decision: Option<RootDecision>,
    /// Of a search under a limit: levels and decision of each one that it may go through. The reference's position is as before
    /// the search until [`FaceModel::settle`] is told which was the last.
    pub deepening: Vec<(usize, RootDecision)>,
    /// Score and levels of the decision before this command, where known.
    pub before: (Option<i32>, Option<usize>),
}

/// The core as its protocol describes it.
pub struct FaceModel {
    tables: Arc<Tables>,
    position: Position,
    levels: usize,
    limit: u32,
    /// Of the last decision; unknown when a search under a limit has been aborted, which may have decided before.
    last_score: Option<i32>,
    decided_levels: Option<usize>,
}

impl FaceModel {
    /// The core after reset.
    pub fn new(config: &Config) -> FaceModel {
        let tables = Tables::new(config);
        FaceModel {
            position: Position::new(&tables),
            levels: config.levels,
            limit: 0,
            last_score: Some(0),
            decided_levels: Some(0),
            tables,
        }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Levels in use.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The answer when a control word comes before the arguments are complete.
    pub fn interrupted() -> Expected {
        fail(Status::Interrupted)
    }

    /// What an aborted search answers; the opponent's move of a `Play` stays.
    pub fn aborted() -> Expected {
        fail(Status::Aborted)
    }

    /// One complete command.
    pub fn apply(&mut self, word: u32, arguments: &[u32]) -> Predicted {
        let mut predicted = Predicted {
            answer: Expected::Nothing,
            played: None,
            taken_back: None,
            decision: None,
            deepening: Vec::new(),
            before: (self.last_score, self.decided_levels),
        };
        let command = u8::try_from(word).ok().and_then(Command::from_code);
        let argument = |i: usize| arguments.get(i).copied().unwrap_or(0);
        predicted.answer = match command {
            None => fail(Status::UnknownCommand),
            Some(Command::Reset) => {
                self.position = Position::new(&self.tables);
                self.last_score = Some(0);
                Expected::Nothing
            }
            Some(Command::Abort) => Expected::Nothing,
            Some(Command::Search) => self.search(&mut predicted),
            Some(play @ (Command::Play | Command::Place)) => {
                let (x, y) = (argument(0) as usize, argument(1) as usize);
                let size = (self.tables.geometry.columns, self.tables.geometry.rows);
                if play == Command::Play && (x, y) == size {
                    self.search(&mut predicted)
                } else {
                    match self.place(x, y) {
                        Err(status) => fail(status),
                        Ok(cell) => {
                            predicted.played = Some(cell);
                            match self.over_status(Status::MoverWins, Status::MoverDraws) {
                                Some(status) => say(status, x, y),
                                None if play == Command::Place => say(Status::Done, x, y),
                                None => self.search(&mut predicted),
                            }
                        }
                    }
                }
            }
            Some(Command::Levels) => {
                let built = self.tables.config.levels;
                match argument(0) as usize {
                    levels if (1..=built).contains(&levels) => {
                        self.levels = levels;
                        say(Status::Done, levels, built)
                    }
                    _ => fail(Status::BadArgument),
                }
            }
            Some(Command::Limit) => {
                self.limit = argument(0);
                say(Status::Done, 0, 0)
            }
            Some(Command::TakeBack) => match self.position.undo() {
                None => fail(Status::NoMove),
                Some(cell) => {
                    predicted.taken_back = Some(cell);
                    let point = self.tables.geometry.point(cell);
                    say(Status::Done, point.x, point.y)
                }
            },
            Some(Command::Read) => self.read(argument(0) as usize),
        };
        predicted
    }

    fn over_status(&self, line: Status, full: Status) -> Option<Status> {
        if self.position.winner().is_some() { Some(line) } else { self.position.is_full().then_some(full) }
    }

    fn place(&mut self, x: usize, y: usize) -> Result<Cell, Status> {
        if self.position.is_over() {
            return Err(Status::GameOver);
        }
        let cell = self.tables.geometry.cell(x, y).ok_or(Status::Outside)?;
        match self.position.play(cell) {
            Ok(()) => Ok(cell),
            Err(IllegalMove::Occupied { .. }) => Err(Status::Occupied),
            Err(IllegalMove::Outside { .. }) => Err(Status::Outside),
            Err(IllegalMove::GameOver) => Err(Status::GameOver),
        }
    }

    fn search(&mut self, predicted: &mut Predicted) -> Expected {
        if self.position.is_over() {
            return fail(Status::GameOver);
        }
        if self.limit > 0 && self.is_searched() {
            let position = &mut self.position;
            let decided = |levels| Some((levels, Search::new(position, levels).decide()?));
            predicted.deepening = deepening(self.levels).filter_map(decided).collect();
            return Expected::Any;
        }
        let Some(decision) = Search::new(&mut self.position, self.levels).decide() else {
            return fail(Status::GameOver);
        };
        let levels = if self.limit > 0 { self.levels.min(DEEPENING_STEP) } else { self.levels };
        self.decided(predicted, decision, levels)
    }

    /// Whether no rule decides at the root: only then a limit lets searches go deeper.
    fn is_searched(&self) -> bool {
        let remaining = Remaining { depth: self.levels, extensions: self.tables.config.extensions };
        let outcome = evaluate(&self.position, remaining).outcome;
        self.position.stones() > 0 && matches!(outcome, Outcome::Open | Outcome::Forced)
    }

    /// The search under a limit ended with the decision of so many levels: its answer, or `None` if it cannot have.
    pub fn settle(&mut self, predicted: &mut Predicted, levels: usize) -> Option<Expected> {
        let &(_, decision) = predicted.deepening.iter().find(|(l, _)| *l == levels)?;
        Some(self.decided(predicted, decision, levels))
    }

    fn decided(&mut self, predicted: &mut Predicted, decision: RootDecision, levels: usize) -> Expected {
        self.decided_levels = Some(levels);
        self.position.play(decision.cell).expect("the model decides for a legal move");
        self.last_score = Some(decision.score);
        predicted.decision = Some(decision);
        let status = self.over_status(Status::EngineWins, Status::EngineDraws).unwrap_or(Status::Move);
        let point = self.tables.geometry.point(decision.cell);
        say(status, point.x, point.y)
    }

    /// Undoes the search part of a predicted command whose search was aborted.
    pub fn abort(&mut self, predicted: &mut Predicted) {
        if !std::mem::take(&mut predicted.deepening).is_empty() {
            (self.last_score, self.decided_levels) = (None, None);
        } else if predicted.decision.take().is_some() {
            self.position.undo();
            (self.last_score, self.decided_levels) = predicted.before;
        }
        predicted.answer = FaceModel::aborted();
    }

    fn read(&self, selected: usize) -> Expected {
        let config = &self.tables.config;
        let rows = selector::ROWS..selector::ROWS + config.rows;
        let nodes = selector::NODES + 1..selector::NODES + config.max_path() + 1;
        let words = match selected {
            selector::IDENTITY => [IDENTITY, version_word()],
            selector::CONFIGURATION => [
                (config.columns | config.rows << 8 | config.in_a_row << 16 | config.levels << 24) as u32,
                (self.levels
                    | config.contexts << 8
                    | config.extensions << 16
                    | usize::from(config.trace) << 24) as u32,
            ],
            selector::LIMIT => match self.decided_levels {
                Some(levels) => [self.limit, levels as u32],
                None => return Expected::Any,
            },
            selector::GAME => {
                let over = match (self.position.winner(), self.position.is_full()) {
                    (Some(_), _) => 1,
                    (None, true) => 2,
                    (None, false) => 0,
                };
                let Some(score) = self.last_score else { return Expected::Any };
                [score as u32, self.position.stones() as u32 | over << 16]
            }
            row if rows.contains(&row) => [0, 1].map(|side| {
                (0..config.columns)
                    .filter(|&x| {
                        let cell = self.tables.geometry.cell(x, row - selector::ROWS).expect("on the board");
                        self.position.owner(cell) == Some(side)
                    })
                    .fold(0, |word, x| word | 1 << x)
            }),
            selector::CYCLES | selector::PASSES | selector::ORDERS | selector::WAITS | selector::MISSES => {
                return Expected::Any;
            }
            ply if nodes.contains(&ply) => return Expected::Any,
            _ => return fail(Status::BadArgument),
        };
        Expected::Words(Answer { words })
    }
}

fn say(status: Status, x: usize, y: usize) -> Expected {
    Expected::Words(Answer::new(status, x, y))
}

fn fail(status: Status) -> Expected {
    say(status, 0, 0)
}
