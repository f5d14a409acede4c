// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every win and loss that a configuration claims is proved: whatever the loser plays, anywhere on the board.
#![allow(missing_docs)]

#[path = "../../engine-model/tests/common/mod.rs"]
mod common;

use common::named;
use engine_model::evaluation::ordered_moves;
use engine_model::position::Tables;
use engine_model::sample::{self, Most};
use engine_model::{BoundKind, Cell, Config, LeafKind, Position, RuleSet};
use players::{FastEngine, SoftwareEngine};
use std::collections::HashMap;
use std::sync::Arc;

/// The stones of the side that moves first (0) or second (1), sorted.
fn stones(position: &Position, first: usize) -> Vec<Cell> {
    let mut cells: Vec<Cell> = position.moves().iter().skip(first).step_by(2).copied().collect();
    cells.sort_unstable();
    cells
}

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
        let key = (stones(position, 0), stones(position, 1), plies);
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

/// Whether the side to move wins, or loses, within so many plies: every move of both sides is tried, so that nothing of an engine's is
/// relied on. For small boards.
struct Exhaustive {
    tables: Arc<Tables>,
    known: HashMap<(Vec<Cell>, Vec<Cell>, i32), bool>,
}

impl Exhaustive {
    fn new(config: &Config) -> Exhaustive {
        Exhaustive { tables: Tables::new(config), known: HashMap::new() }
    }

    /// Empty cells, those that gain most first.
    fn cells(&self, position: &Position, pick: impl Fn(Cell) -> bool) -> Vec<Cell> {
        let all = 0..self.tables.geometry.cells() as Cell;
        let mut cells: Vec<Cell> = all.filter(|&cell| position.is_empty(cell) && pick(cell)).collect();
        cells.sort_by_key(|&cell| -position.gain(position.side_to_move(), cell));
        cells
    }

    fn after<T>(
        &mut self,
        position: &mut Position,
        cell: Cell,
        ask: impl FnOnce(&mut Self, &mut Position) -> T,
    ) -> T {
        position.place(cell);
        let answer = ask(self, position);
        position.remove();
        answer
    }

    fn wins(&mut self, position: &mut Position, plies: i32) -> bool {
        let (own, other) = (position.side_to_move(), 1 - position.side_to_move());
        if position.is_over() || plies < 1 {
            return false;
        }
        if position.completing_cells(own) > 0 {
            return true;
        }
        if plies < 3 {
            return false;
        }
        let threats = position.completing_cells(other) > 0;
        let pick = |cell: Cell| {
            (!threats || position.completes(other, cell)) && (plies > 4 || position.makes_four(own, cell))
        };
        let key = (stones(position, 0), stones(position, 1), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let cells = self.cells(position, pick);
        let wins = cells.into_iter().any(|cell| self.after(position, cell, |s, p| s.loses(p, plies - 1)));
        self.known.insert(key, wins);
        wins
    }

    fn loses(&mut self, position: &mut Position, plies: i32) -> bool {
        if position.winner().is_some() {
            return true;
        }
        if position.is_full() || position.completing_cells(position.side_to_move()) > 0 {
            return false;
        }
        let other = 1 - position.side_to_move();
        match position.completing_cells(other) {
            0 if plies < 4 => return false,
            0 => self.cells(position, |_| true),
            1 => self.cells(position, |cell| position.completes(other, cell)),
            _ => return plies >= 2,
        }
        .into_iter()
        .all(|cell| self.after(position, cell, |s, p| s.wins(p, plies - 1)))
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

/// A position of a few stones anywhere that nobody has won.
fn sparse(tables: &Arc<Tables>, rng: &mut fastrand::Rng, stones: usize) -> Position {
    let cells = tables.geometry.cells() as Cell;
    let mut position = Position::new(tables);
    for _ in 0..stones {
        let cell = rng.u16(0..cells);
        if position.is_empty(cell) {
            position.place(cell);
            if position.winner().is_some() {
                position.remove();
            }
        }
    }
    position
}

/// Whether what is claimed of a position is so, by trying every move; `None` where nothing is claimed, or too much to try.
fn is_so(judge: &mut Judge, exhaustive: &mut Exhaustive, position: &mut Position) -> Option<(i32, bool)> {
    /// Plies that trying every move of a board of 49 cells takes seconds for at most.
    const TRIED: i32 = 7;
    let levels = judge.tables.config.levels;
    let (cell, plies) = judge.claim(position, levels).filter(|(_, plies)| plies.abs() <= TRIED)?;
    let so = if plies < 0 {
        exhaustive.loses(position, -plies)
    } else {
        exhaustive.after(position, cell, |s, p| s.loses(p, plies - 1))
    };
    Some((plies, so))
}

/// Small boards at random: the one cell that saves a node often has no stone within the radius.
#[test]
fn every_claim_on_small_boards_is_so() {
    const POSITIONS: usize = 6000;
    for rules in [RuleSet::None, RuleSet::Forced, RuleSet::Double, RuleSet::Restricted] {
        for candidate_radius in [1, 2] {
            let mut rng = fastrand::Rng::with_seed(1);
            let mut claimed = [0; 2];
            let mut tried = 0;
            while tried < POSITIONS {
                let mut most = Most::SMALL;
                most.side = 7;
                let random = sample::configuration("small", most, |range| rng.usize(range));
                // Beams are drawn as well; most of the boards have none.
                let beam = if rng.u32(0..4) == 0 { random.beam.clone() } else { vec![0] };
                let levels = rng.usize(random.beam.len().max(2)..=6);
                let config = Config { rules, candidate_radius, beam, levels, ..random };
                config.check().unwrap();
                let tables = Tables::new(&config);
                let (mut judge, mut exhaustive) = (Judge::new(&config), Exhaustive::new(&config));
                for _ in 0..40 {
                    let stones = rng.usize(2..10).min(tables.geometry.cells() - 1);
                    let mut position = sparse(&tables, &mut rng, stones);
                    tried += 1;
                    if position.stones() == 0 || is_decided(&position) {
                        continue;
                    }
                    if let Some((plies, so)) = is_so(&mut judge, &mut exhaustive, &mut position) {
                        assert!(so, "{plies} plies after {:?} of {}", position.moves(), config.to_toml());
                        claimed[usize::from(plies < 0)] += 1;
                    }
                }
            }
            println!("{rules:?}, radius {candidate_radius}: {claimed:?} wins and losses claimed");
            assert!(claimed[0] > 30, "{rules:?} {claimed:?}");
        }
    }
}

/// Losses that were claimed although a cell without a stone beside it held out longer, or won.
#[test]
fn a_saving_cell_may_be_no_candidate() {
    let board = |columns, rows, in_a_row, levels, rules: RuleSet| Config {
        name: "sparse".into(),
        columns,
        rows,
        in_a_row,
        levels,
        beam: vec![0],
        extensions: 0,
        candidate_radius: 1,
        rules,
        leaf: LeafKind::HalfGain,
        window_scores: [0, 1, 4, 12][..in_a_row].to_vec(),
        four_three_bonus: 0,
        rows_per_clock: rows,
        bound: BoundKind::None,
        ..named("gomoku15")
    };
    for (config, moves) in [
        (board(6, 6, 4, 4, RuleSet::Double), &[21, 29, 26][..]),
        (board(5, 7, 3, 6, RuleSet::Double), &[33, 4, 12]),
        (board(6, 4, 3, 5, RuleSet::Forced), &[22, 0, 14]),
        (board(6, 3, 3, 5, RuleSet::None), &[1, 5, 17]),
        (board(6, 6, 4, 5, RuleSet::Restricted), &[27, 7, 22, 35, 29]),
        (board(6, 5, 4, 4, RuleSet::Restricted), &[13, 12, 25, 4]),
    ] {
        let tables = Tables::new(&config);
        let mut position = Position::from_moves(&tables, moves).unwrap();
        let (mut judge, mut exhaustive) = (Judge::new(&config), Exhaustive::new(&config));
        let claim = is_so(&mut judge, &mut exhaustive, &mut position);
        assert!(claim.is_none_or(|(_, so)| so), "{claim:?} after {moves:?} of {}", config.to_toml());
    }
}
