// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a report says of a series, from its records alone.

use crate::game::Colour;
use crate::series::{Effort, End, GAMES_PER_OPENING, Outcome, Record};
use crate::statistics::{Score, Spread, Strength, spread, strength};
use std::collections::{BTreeMap, HashSet};

/// What one side spent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spent {
    /// Moves it chose.
    pub moves: u64,
    /// Nodes per move.
    pub nodes: Option<Spread>,
    /// Clock cycles per move, where its backend has a clock.
    pub cycles: Option<Spread>,
    /// Wall time of its searches, seconds.
    pub seconds: f64,
}

/// A series in numbers; scores are those of side a.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// All games.
    pub score: Score,
    /// Games in which side a was black.
    pub as_black: Score,
    /// Games in which side a was white.
    pub as_white: Score,
    /// Strength of side a over side b.
    pub strength: Strength,
    /// Different move sequences among the games: fewer than games means that some count twice.
    pub distinct: u64,
    /// Moves per game, the opening's included.
    pub length: Option<Spread>,
    /// Games by their length: the fewest moves of each class of [`LENGTHS`], rising, and side a's score in it.
    pub by_length: Vec<(usize, Score)>,
    /// Openings in their order, each with its one or two games.
    pub openings: Vec<Score>,
    /// Games ended by the cap on moves.
    pub capped: u64,
    /// Games forfeited by side a and by side b.
    pub forfeits: [u64; 2],
    /// What side a spent.
    pub a: Spent,
    /// What side b spent.
    pub b: Spent,
}

/// Moves that a class of lengths spans.
pub const LENGTHS: usize = 10;

/// The score one record adds to side a.
pub fn score_of(record: &Record) -> Score {
    let mut score = Score::default();
    match record.outcome {
        Outcome::Win => score.wins = 1,
        Outcome::Draw => score.draws = 1,
        Outcome::Loss => score.losses = 1,
    }
    score
}

/// Sums up records of one match, each game once.
pub fn summarise<'a>(records: impl IntoIterator<Item = &'a Record>) -> Summary {
    let records: Vec<&Record> = records.into_iter().collect();
    let (mut score, mut as_black, mut as_white) = (Score::default(), Score::default(), Score::default());
    let mut openings: BTreeMap<usize, Score> = BTreeMap::new();
    let mut by_length: BTreeMap<usize, Score> = BTreeMap::new();
    let (mut capped, mut forfeits) = (0, [0; 2]);
    for record in &records {
        let game = score_of(record);
        score.add(game);
        match record.colour_of_a {
            Colour::Black => as_black.add(game),
            Colour::White => as_white.add(game),
        }
        by_length.entry(record.length / LENGTHS * LENGTHS).or_default().add(game);
        openings.entry(record.game / GAMES_PER_OPENING).or_default().add(game);
        match record.end {
            End::MoveCap => capped += 1,
            End::Forfeit => forfeits[usize::from(record.outcome == Outcome::Win)] += 1,
            End::Line | End::Full => {}
        }
    }
    let distinct: HashSet<&str> = records.iter().map(|record| record.moves.as_str()).collect();
    let openings: Vec<Score> = openings.into_values().collect();
    Summary {
        score,
        as_black,
        as_white,
        strength: strength(&openings),
        distinct: distinct.len() as u64,
        length: spread(records.iter().map(|record| record.length as u64).collect()),
        by_length: by_length.into_iter().collect(),
        openings,
        capped,
        forfeits,
        a: spent(records.iter().map(|record| &record.effort_of_a)),
        b: spent(records.iter().map(|record| &record.effort_of_b)),
    }
}

fn spent<'a>(efforts: impl Iterator<Item = &'a Effort>) -> Spent {
    let (mut nodes, mut cycles, mut seconds) = (Vec::new(), Vec::new(), 0.0);
    for effort in efforts {
        nodes.extend(&effort.nodes);
        cycles.extend(&effort.cycles);
        seconds += effort.seconds;
    }
    Spent { moves: nodes.len() as u64, nodes: spread(nodes), cycles: spread(cycles), seconds }
}
