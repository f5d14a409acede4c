// SPDX-License-Identifier: MIT OR Apache-2.0
//! A series of games: from both sides of each opening, cut into shards, played in parallel, resumed where it stopped.
//!
//! Every game is played by engines made for it alone, so that its moves depend on nothing but the two sides and the opening:
//! not on threads, shards or the games before.

pub use crate::game::Effort;
use crate::game::{Colour, Ending, Game, Player, play_game};
use engine_model::notation::format_game;
use engine_model::position::Tables;
use engine_model::{Cell, Engine, EngineError, Geometry};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Games from one opening: one with either side as black.
pub const GAMES_PER_OPENING: usize = 2;

/// Part `index` of `count`, from 1. Both games of an opening are in the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub index: usize,
    /// How many parts.
    pub count: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
            _ => Err("write I/N with I from 1 to N, for example 1/4".into()),
        }
    }
}

impl Shard {
    /// Whether the thing with this number, from 0, is in the part.
    pub fn takes(self, number: usize) -> bool {
        number % self.count == self.index - 1
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Number of the game in the series, from 0.
    pub game: usize,
    /// Index of its opening.
    pub opening: usize,
    /// Colour of the first side.
    pub colour_of_a: Colour,
}

/// The games of a series in order, or those of one shard.
pub fn tasks(games: usize, shard: Option<Shard>) -> Vec<Task> {
    (0..games)
        .map(|game| Task {
            game,
            opening: game / GAMES_PER_OPENING,
            colour_of_a: if game % GAMES_PER_OPENING == 0 { Colour::Black } else { Colour::White },
        })
        .filter(|task| shard.is_none_or(|shard| shard.takes(task.opening)))
        .collect()
}

/// Result of a game for side a.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Side a won.
    Win,
    /// Nobody won.
    Draw,
    /// Side b won.
    Loss,
}

/// How a game ended, as it is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// A line was completed.
    Line,
    /// The board is full.
    Full,
    /// The cap on moves was reached.
    MoveCap,
    /// The loser broke a rule or failed.
    Forfeit,
}

/// What is kept of a game: plain data, one line of a records file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Fingerprint of the match: games with different ones must not be mixed.
    pub fingerprint: String,
    /// Side a, as it was asked for.
    pub a: String,
    /// Side b.
    pub b: String,
    /// Number of the game in the series, from 0.
    pub game: usize,
    /// Result for side a.
    pub outcome: Outcome,
    /// How it ended.
    pub end: End,
    /// What the loser of a forfeit did.
    pub reason: Option<String>,
    /// Colour of side a.
    pub colour_of_a: Colour,
    /// Moves of the opening.
    pub opening: String,
    /// Number of moves, the opening's included.
    pub length: usize,
    /// All moves.
    pub moves: String,
    /// What side a spent.
    pub effort_of_a: Effort,
    /// What side b spent.
    pub effort_of_b: Effort,
}

impl Record {
    fn new(identity: &Identity, task: Task, opening: &[Cell], game: Game, geometry: &Geometry) -> Record {
        let outcome = match game.ending.winner() {
            None => Outcome::Draw,
            Some(winner) if winner == task.colour_of_a => Outcome::Win,
            Some(_) => Outcome::Loss,
        };
        let (end, reason) = match &game.ending {
            Ending::Line { .. } => (End::Line, None),
            Ending::Full => (End::Full, None),
            Ending::MoveCap => (End::MoveCap, None),
            Ending::Forfeit { reason, .. } => (End::Forfeit, Some(reason.to_string())),
        };
        let (effort_of_a, effort_of_b) = match task.colour_of_a {
            Colour::Black => (game.black, game.white),
            Colour::White => (game.white, game.black),
        };
        Record {
            fingerprint: identity.fingerprint.clone(),
            a: identity.a.clone(),
            b: identity.b.clone(),
            game: task.game,
            outcome,
            end,
            reason,
            colour_of_a: task.colour_of_a,
            opening: format_game(opening, geometry),
            length: game.moves.len(),
            moves: format_game(&game.moves, geometry),
            effort_of_a,
            effort_of_b,
        }
    }

    /// Whether both records are of the same game; the time it took does not matter.
    pub fn same_game(&self, other: &Record) -> bool {
        let timeless = |record: &Record| {
            let mut record = record.clone();
            record.effort_of_a.seconds = 0.0;
            record.effort_of_b.seconds = 0.0;
            record
        };
        timeless(self) == timeless(other)
    }
}

/// Why records do not belong together, or not to a series.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Games of two matches.
    #[error("game {game} is of another match: {found}, not {expected}")]
    OtherMatch {
        /// Number of the game.
        game: usize,
        /// The match of the record.
        found: Box<Identity>,
        /// The match of the others.
        expected: Box<Identity>,
    },
    /// A game occurs twice, differently.
    #[error("game {0} occurs twice with different moves, results or counts")]
    Contradiction(usize),
    /// A game was played from another opening than the series gives it.
    #[error("game {game} was played from {found:?}, but the opening of that game is {expected:?}")]
    OtherOpening {
        /// Number of the game.
        game: usize,
        /// Opening of the record.
        found: String,
        /// Opening of the series.
        expected: String,
    },
}

/// Records by the number of their game. They must be of one match; the same game twice is kept once.
pub fn collect(records: impl IntoIterator<Item = Record>) -> Result<BTreeMap<usize, Record>, RecordError> {
    let mut kept: BTreeMap<usize, Record> = BTreeMap::new();
    for record in records {
        if let Some(first) = kept.values().next() {
            Identity::of(first).check(&record)?;
        }
        match kept.get(&record.game) {
            Some(known) if !known.same_game(&record) => return Err(RecordError::Contradiction(record.game)),
            Some(_) => {}
            None => {
                kept.insert(record.game, record);
            }
        }
    }
    Ok(kept)
}

/// Which match a record belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Side a, as it was asked for.
    pub a: String,
    /// Side b.
    pub b: String,
    /// Fingerprint of everything that determines a game but its number and opening.
    pub fingerprint: String,
}

impl Identity {
    /// The match of a record.
    pub fn of(record: &Record) -> Identity {
        Identity { a: record.a.clone(), b: record.b.clone(), fingerprint: record.fingerprint.clone() }
    }

    /// Checks that a record is of this match.
    pub fn check(&self, record: &Record) -> Result<(), RecordError> {
        if self.fingerprint == record.fingerprint {
            return Ok(());
        }
        let (found, expected) = (Box::new(Identity::of(record)), Box::new(self.clone()));
        Err(RecordError::OtherMatch { game: record.game, found, expected })
    }
}

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} against {} (fingerprint {})", self.a, self.b, self.fingerprint)
    }
}

/// Makes a fresh engine for one game.
pub type MakeEngine<'a> = &'a (dyn Fn() -> Result<Box<dyn Engine>, EngineError> + Sync);

/// One side of a series.
pub struct Contestant<'a> {
    /// Makes its engine.
    pub make: MakeEngine<'a>,
    /// Levels of its searches; `None` = as built.
    pub levels: Option<usize>,
}

/// A series of games.
pub struct Series<'a> {
    /// Which match it is.
    pub identity: Identity,
    /// The referee's tables.
    pub tables: Arc<Tables>,
    /// The openings; game g is played from opening g / 2.
    pub openings: &'a [Vec<Cell>],
    /// Side a.
    pub a: Contestant<'a>,
    /// Side b.
    pub b: Contestant<'a>,
    /// Games are draws at this many moves, the opening's included.
    pub max_moves: Option<usize>,
}

impl Series<'_> {
    /// Checks that a record is one of this series.
    pub fn check(&self, record: &Record) -> Result<(), RecordError> {
        self.identity.check(record)?;
        if let Some(opening) = self.openings.get(record.game / GAMES_PER_OPENING) {
            let expected = format_game(opening, &self.tables.geometry);
            if record.opening != expected {
                let found = record.opening.clone();
                return Err(RecordError::OtherOpening { game: record.game, found, expected });
            }
        }
        Ok(())
    }

    /// Plays `tasks` on `threads` threads. `finished` is called in this thread as games end, in any order; when it fails
    /// no further game is begun. An engine that cannot be made ends the series.
    pub fn run<E: From<EngineError>>(
        &self,
        tasks: &[Task],
        threads: usize,
        finished: &mut dyn FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, tasks.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(&task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if sender.send(self.play(task)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut result = Ok(());
            for game in receiver {
                result = game.map_err(E::from).and_then(&mut *finished);
                if result.is_err() {
                    next.store(tasks.len(), Ordering::Relaxed);
                    break;
                }
            }
            result
        })
    }

    fn play(&self, task: Task) -> Result<Record, EngineError> {
        let opening = &self.openings[task.opening];
        let (mut a, mut b) = ((self.a.make)()?, (self.b.make)()?);
        let a = Player { engine: a.as_mut(), levels: self.a.levels };
        let b = Player { engine: b.as_mut(), levels: self.b.levels };
        let (black, white) = match task.colour_of_a {
            Colour::Black => (a, b),
            Colour::White => (b, a),
        };
        let game = play_game(&self.tables, opening, black, white, self.max_moves);
        Ok(Record::new(&self.identity, task, opening, game, &self.tables.geometry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_every_point_once() {
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for index in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.takes(index)).count(), 1);
        }
    }
}
