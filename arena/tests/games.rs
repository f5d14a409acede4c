// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games and series between the model and engines that misbehave on purpose.
#![allow(missing_docs)]

use arena::game::{Colour, Ending, ForfeitReason, Game, Player, play_game};
use arena::openings::parse_openings;
use arena::series::{Contestant, End, Identity, Outcome, Record, RecordError, Series, Shard, collect, tasks};
use arena::summary::{Summary, summarise};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Decision, Engine, EngineError, IllegalMove, ModelEngine};
use std::collections::VecDeque;
use std::sync::Arc;

const GOMOKU7: &str = include_str!("../../configs/gomoku7.toml");
const TICTACTOE: &str = include_str!("../../configs/tictactoe.toml");
const OPENINGS: &str = "0,0\n0,0, 1,0\n0,0, 1,1\n0,0, 1,0, 0,-1\n-1,0, 1,0\n0,0, 2,0, -1,1\n";

fn config(text: &str) -> Config {
    Config::from_toml(text).unwrap()
}

/// Plays the cells it was given, in turn, whatever happens on the board.
struct Scripted {
    config: Config,
    answers: VecDeque<Option<Cell>>,
    refuses: Option<Cell>,
}

impl Scripted {
    fn new(config: &Config, answers: &[Option<Cell>]) -> Scripted {
        Scripted { config: config.clone(), answers: answers.iter().copied().collect(), refuses: None }
    }
}

impl Engine for Scripted {
    fn name(&self) -> String {
        "scripted".into()
    }
    fn config(&self) -> &Config {
        &self.config
    }
    fn new_game(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
    fn set_position(&mut self, _: &[Cell]) -> Result<(), EngineError> {
        Ok(())
    }
    fn play(&mut self, cell: Cell) -> Result<(), EngineError> {
        if self.refuses == Some(cell) {
            return Err(EngineError::Backend { backend: self.name(), reason: "will not".into() });
        }
        Ok(())
    }
    fn search(&mut self, _: Option<usize>) -> Result<Decision, EngineError> {
        match self.answers.pop_front() {
            Some(cell) => Ok(Decision { cell, score: 0, nodes: 7, cycles: Some(100) }),
            None => Err(EngineError::Backend { backend: self.name(), reason: "the script has ended".into() }),
        }
    }
}

fn game_of(config: &Config, opening: &[Cell], black: &[Option<Cell>], white: &[Option<Cell>]) -> Game {
    let (mut black, mut white) = (Scripted::new(config, black), Scripted::new(config, white));
    let tables = Tables::new(config);
    play_game(
        &tables,
        opening,
        Player { engine: &mut black, levels: None },
        Player { engine: &mut white, levels: None },
        None,
    )
}

#[test]
fn a_line_wins_and_effort_is_counted_by_side() {
    let game = game_of(&config(TICTACTOE), &[0, 3], &[Some(1), Some(2)], &[Some(4)]);
    assert!(matches!(game.ending, Ending::Line { winner: Colour::Black }), "{game:?}");
    assert_eq!(game.moves, [0, 3, 1, 4, 2]);
    assert_eq!((game.black.nodes, game.white.nodes), (vec![7, 7], vec![7]));
    assert_eq!(game.black.cycles, [100, 100]);
}

#[test]
fn a_full_board_and_the_cap_are_draws() {
    // X O X / X O O / O X X
    let opening = [0, 1, 2, 4, 3, 5, 7, 6];
    let game = game_of(&config(TICTACTOE), &opening, &[Some(8)], &[]);
    assert!(matches!(game.ending, Ending::Full), "{game:?}");
    assert_eq!(game.ending.winner(), None);

    let config = config(TICTACTOE);
    let (mut black, mut white) = (ModelEngine::new(&config), ModelEngine::new(&config));
    let players = [&mut black, &mut white].map(|engine| Player { engine, levels: None });
    let [black, white] = players;
    let game = play_game(&Tables::new(&config), &[4], black, white, Some(3));
    assert!(matches!(game.ending, Ending::MoveCap), "{game:?}");
    assert_eq!(game.moves.len(), 3);
}

#[test]
fn whoever_breaks_a_rule_forfeits() {
    let config = config(TICTACTOE);
    type Check = fn(&ForfeitReason) -> bool;
    type Case<'a> = (&'a [Option<Cell>], &'a [Option<Cell>], Colour, Check);
    let cases: [Case; 5] = [
        (&[Some(0)], &[], Colour::Black, |r| {
            matches!(r, ForfeitReason::Illegal(IllegalMove::Occupied { .. }))
        }),
        (&[Some(9)], &[], Colour::Black, |r| {
            matches!(r, ForfeitReason::Illegal(IllegalMove::Outside { .. }))
        }),
        (&[Some(5)], &[Some(5)], Colour::White, |r| {
            matches!(r, ForfeitReason::Illegal(IllegalMove::Occupied { .. }))
        }),
        (&[Some(5)], &[None], Colour::White, |r| matches!(r, ForfeitReason::NoMove)),
        (&[], &[], Colour::Black, |r| matches!(r, ForfeitReason::Engine(EngineError::Backend { .. }))),
    ];
    for (black, white, loser, check) in cases {
        let game = game_of(&config, &[0, 4], black, white);
        match &game.ending {
            Ending::Forfeit { by, reason } => assert!(*by == loser && check(reason), "{game:?}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(game.ending.winner(), Some(loser.other()));
    }
}

#[test]
fn refusing_a_legal_move_forfeits_too() {
    let config = config(TICTACTOE);
    let mut black = Scripted::new(&config, &[Some(8)]);
    let mut white = Scripted { refuses: Some(8), ..Scripted::new(&config, &[]) };
    let [black, white] =
        [&mut black, &mut white].map(|engine: &mut Scripted| Player { engine, levels: None });
    let game = play_game(&Tables::new(&config), &[], black, white, None);
    assert!(matches!(game.ending, Ending::Forfeit { by: Colour::White, .. }), "{game:?}");
    assert_eq!(game.moves, [8]);
}

type Make<'a> = &'a (dyn Fn() -> Result<Box<dyn Engine>, EngineError> + Sync);

/// All games from the test's openings, as played by `threads` threads in order of completion.
fn series(a: Make<'_>, b: Make<'_>, levels_of_b: usize, threads: usize, shard: Option<Shard>) -> Vec<Record> {
    let tables: Arc<Tables> = Tables::new(&config(GOMOKU7));
    let openings = parse_openings(OPENINGS, &tables).unwrap();
    let series = Series {
        identity: Identity { a: "a".into(), b: "b".into(), fingerprint: "f".into() },
        tables,
        openings: &openings,
        a: Contestant { make: a, levels: None },
        b: Contestant { make: b, levels: Some(levels_of_b) },
        max_moves: None,
    };
    let mut records = Vec::new();
    series
        .run::<EngineError>(&tasks(2 * openings.len(), shard), threads, &mut |record| {
            series.check(&record).unwrap();
            records.push(record);
            Ok(())
        })
        .unwrap();
    records
}

fn model() -> Result<Box<dyn Engine>, EngineError> {
    Ok(Box::new(ModelEngine::new(&config(GOMOKU7))))
}

/// What of a summary does not depend on the clock on the wall.
fn timeless(mut summary: Summary) -> Summary {
    summary.a.seconds = 0.0;
    summary.b.seconds = 0.0;
    summary
}

#[test]
fn a_series_is_reproducible_on_any_threads_and_shards() {
    let once = collect(series(&model, &model, 1, 1, None)).unwrap();
    let summary = summarise(once.values());
    assert_eq!(summary.score.games(), 12);
    assert_eq!((summary.forfeits, summary.capped), ([0, 0], 0));
    assert_eq!(summary.a.cycles, None);
    // Three levels against one: the result of the models as they are, and no accident.
    assert!(summary.strength.elo.value > 0.0, "{summary:?}");

    let parallel = collect(series(&model, &model, 1, 3, None)).unwrap();
    assert!(once.values().zip(parallel.values()).all(|(a, b)| a.same_game(b)));
    assert_eq!(timeless(summarise(parallel.values())), timeless(summary));

    let shards = (1..=4).flat_map(|index| series(&model, &model, 1, 1, Some(Shard { index, count: 4 })));
    let merged = collect(shards).unwrap();
    assert_eq!(merged.len(), once.len());
    assert!(once.values().zip(merged.values()).all(|(a, b)| a.same_game(b)));
}

#[test]
fn equal_sides_split_every_opening() {
    let summary = summarise(&series(&model, &model, 3, 2, None));
    assert_eq!(summary.strength.pairs, [0, 0, 6, 0, 0]);
    assert_eq!(summary.score.wins, summary.score.losses);
    assert_eq!(summary.distinct, 6);
}

#[test]
fn forfeits_are_recorded_and_counted_by_side() {
    let stuck = || -> Result<Box<dyn Engine>, EngineError> {
        Ok(Box::new(Scripted::new(&config(GOMOKU7), &[Some(24); 40])))
    };
    let records = series(&model, &stuck, 1, 2, None);
    let summary = summarise(&records);
    assert_eq!(summary.forfeits, [0, 12]);
    assert_eq!(summary.score.wins, 12);
    for record in records {
        assert_eq!((record.end, record.outcome), (End::Forfeit, Outcome::Win));
        assert!(record.reason.unwrap().starts_with("illegal move: move 3,3"));
    }
}

#[test]
fn an_engine_that_cannot_be_made_ends_the_series() {
    let tables = Tables::new(&config(GOMOKU7));
    let openings = parse_openings(OPENINGS, &tables).unwrap();
    let broken = || -> Result<Box<dyn Engine>, EngineError> {
        Err(EngineError::Backend { backend: "b".into(), reason: "not there".into() })
    };
    let series = Series {
        identity: Identity { a: "a".into(), b: "b".into(), fingerprint: "f".into() },
        tables,
        openings: &openings,
        a: Contestant { make: &model, levels: None },
        b: Contestant { make: &broken, levels: None },
        max_moves: None,
    };
    let error = series.run::<EngineError>(&tasks(12, None), 2, &mut |_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "b: not there");
}

#[test]
fn records_that_do_not_belong_together_are_refused() {
    let records = series(&model, &model, 1, 1, None);
    let twice = records.iter().chain(&records).cloned();
    assert_eq!(collect(twice).unwrap().len(), 12);

    let other = Record { fingerprint: "g".into(), ..records[1].clone() };
    let error = collect([records[0].clone(), other]).unwrap_err();
    assert!(matches!(error, RecordError::OtherMatch { game: 1, .. }), "{error}");

    let changed = Record { moves: "0,0".into(), ..records[1].clone() };
    let error = collect([records[1].clone(), changed]).unwrap_err();
    assert_eq!(error, RecordError::Contradiction(1));
}

#[test]
fn shards_cut_by_opening() {
    let games = |index| -> Vec<usize> {
        tasks(10, Some(Shard { index, count: 3 })).iter().map(|task| task.game).collect()
    };
    assert_eq!([games(1), games(2), games(3)], [vec![0, 1, 6, 7], vec![2, 3, 8, 9], vec![4, 5]]);
    let all = tasks(4, None);
    assert_eq!(all[3].colour_of_a, Colour::White);
    assert_eq!((all[2].opening, all[2].colour_of_a), (1, Colour::Black));
}
