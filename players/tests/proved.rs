// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every win and loss that a configuration claims is proved: whatever the loser plays, anywhere on the board.
#![allow(missing_docs)]

#[path = "../../engine-model/tests/common/mod.rs"]
mod common;

use common::named;
use engine_model::evaluation::ordered_moves;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};
use players::{FastEngine, SoftwareEngine};
use std::collections::HashMap;
use std::sync::Arc;

/// Proves claims by the winner's moves as the claiming engine finds them, against every move of the loser.
struct Judge {
    engine: FastEngine,
    tables: Arc<Tables>,
    /// Stones of both sides, sorted, and the plies within which the side to move was shown to win, or not.
    known: HashMap<(Vec<Cell>, Vec<Cell>, i32), bool>,
}

impl Judge {
    fn new(config: &Config) -> Judge {
        let engine = FastEngine::new(config, &[], 1).unwrap();
        Judge { engine, tables: Tables::new(config), known: HashMap::new() }
    }

    /// The move and the plies of the win, or the plies of the loss (negative), that the engine claims with so many levels.
    fn claim(&mut self, position: &Position, levels: usize) -> Option<(Cell, i32)> {
        SoftwareEngine::set_position(&mut self.engine, position.moves()).unwrap();
        let decision = self.engine.decide(levels).decision?;
        let scoring = &self.tables.scoring;
        let plies = scoring.win_score - decision.score.abs();
        (decision.score.abs() > scoring.unproved).then_some((decision.cell, plies * decision.score.signum()))
    }

    /// Whether the side to move wins with at most so many moves of both sides.
    fn wins(&mut self, position: &mut Position, plies: i32) -> bool {
        let own = position.side_to_move();
        if position.is_over() || plies < 1 {
            return false;
        }
        if position.completing_cells(own) > 0 {
            return true;
        }
        let side = |first: usize| {
            let mut cells: Vec<Cell> = position.moves().iter().skip(first).step_by(2).copied().collect();
            cells.sort_unstable();
            cells
        };
        let key = (side(0), side(1), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let built = self.tables.config.levels;
        let mut found = None;
        for levels in 1..=built {
            if let Some((cell, claimed)) = self.claim(position, levels)
                && (1..=plies).contains(&claimed)
            {
                found = Some(cell);
                break;
            }
        }
        let wins = found.is_some_and(|cell| {
            position.place(cell);
            let loses = self.loses(position, plies - 1);
            position.remove();
            loses
        });
        self.known.insert(key, wins);
        wins
    }

    /// Whether the side to move loses within so many moves of both sides, whatever it plays.
    fn loses(&mut self, position: &mut Position, plies: i32) -> bool {
        if position.winner().is_some() {
            return true;
        }
        if position.is_full() || position.completing_cells(position.side_to_move()) > 0 {
            return false;
        }
        let winner = 1 - position.side_to_move();
        let threats = position.completing_cells(winner);
        let cells = (0..self.tables.geometry.cells() as Cell).filter(|&cell| position.is_empty(cell));
        // What lets the winner complete a line at once need not be tried.
        let replies: Vec<Cell> =
            cells.filter(|&cell| threats == 0 || position.completes(winner, cell)).collect();
        threats > 1 && plies >= 2
            || replies.into_iter().all(|cell| {
                position.place(cell);
                let wins = self.wins(position, plies - 1);
                position.remove();
                wins
            })
    }
}

/// Whether a rule says who wins without a search.
fn is_decided(position: &Position) -> bool {
    let (own, other) = (position.side_to_move(), 1 - position.side_to_move());
    position.is_over()
        || position.completing_cells(own) > 0
        || position.completing_cells(other) > 1
        || position.has_double(own)
}

/// A position of a game in which the better moves are the likelier ones: full of threats.
fn threatening(tables: &Arc<Tables>, rng: &mut fastrand::Rng, stones: usize) -> Position {
    let mut position = Position::new(tables);
    for _ in 0..stones {
        let moves = ordered_moves(&position);
        let completes = |cell: Cell| (0..2).any(|side| position.completes(side, cell));
        let quiet: Vec<Cell> = moves.iter().map(|m| m.cell).filter(|&cell| !completes(cell)).collect();
        if quiet.is_empty() || position.is_over() {
            break;
        }
        let among = quiet.len().min(if rng.u32(0..3) == 0 { 12 } else { 3 });
        let cell = quiet[rng.usize(0..among)];
        position.place(cell);
        if is_decided(&position) {
            position.remove();
        }
    }
    position
}

/// Wins and losses claimed in so many positions; each is proved.
fn claims(config: &Config, positions: usize, seed: u64) -> [usize; 2] {
    let tables = Tables::new(config);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut judge = Judge::new(config);
    let mut claimed = [0; 2];
    let mut tried = 0;
    while tried < positions {
        let most = (tables.geometry.cells() / 2).min(40);
        let stones = rng.usize(2..most);
        let mut position = threatening(&tables, &mut rng, stones);
        if is_decided(&position) {
            continue;
        }
        tried += 1;
        judge.known.clear();
        let Some((cell, plies)) = judge.claim(&position, config.levels) else { continue };
        claimed[usize::from(plies < 0)] += 1;
        let moves = position.moves().to_vec();
        let proved = if plies < 0 {
            judge.loses(&mut position, -plies)
        } else {
            position.place(cell);
            judge.loses(&mut position, plies - 1)
        };
        assert!(proved, "{}: {plies} plies are claimed by {cell} after {moves:?}", config.name);
    }
    claimed
}

#[test]
fn every_claim_is_proved() {
    let narrow = Config { name: "narrow".into(), beam: vec![3], ..named("gomoku15-deep") };
    let forced = Config { name: "forced".into(), extensions: 4, levels: 6, ..named("gomoku15-deep") };
    let shipped = ["tictactoe", "gomoku7", "gomoku15", "gomoku15-deep", "gomoku15-deep10"].map(named);
    for config in shipped.into_iter().chain([narrow, forced]) {
        config.check().unwrap();
        let positions = if config.name == "tictactoe" { 200 } else { 2000 };
        let [wins, losses] = claims(&config, positions, 1);
        println!(
            "{}: {positions} positions, {wins} wins and {losses} losses claimed, all proved",
            config.name
        );
        assert!(wins > 20, "{}", config.name);
    }
}
