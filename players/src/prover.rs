// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proves a win: continuous fours to any length, and the search contract's threats to some levels of all moves.
//!
//! What it says of a win by fours is certain. What the search says holds for the moves of the contract: candidates within the
//! configuration's radius, of which none is left out.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use super::hash::key_of;
use super::{FastEngine, SoftwareEngine};
use engine_model::config::{Config, MAX_EXTENSIONS, MAX_LEVELS, RuleSet};
use engine_model::engine::Engine;
use engine_model::geometry::Cell;
use engine_model::position::{Position, Tables};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Nodes of a search for continuous fours after which it gives up.
const MOST_NODES: u32 = 100_000;

/// Levels of a search that takes no time.
const NEAR: usize = 4;

/// Proves wins in the game of a configuration.
pub struct Prover {
    tables: Arc<Tables>,
    /// Of a game that the contract cannot have there is none.
    engine: Option<FastEngine>,
    levels: usize,
}

impl Prover {
    /// Its search goes to so many levels (brought into 1 to [`MAX_LEVELS`]) of full width, all rules, and as many forced replies as
    /// there may be.
    pub fn new(config: &Config, levels: usize) -> Prover {
        let levels = levels.clamp(1, MAX_LEVELS);
        let config = Config {
            levels,
            extensions: MAX_EXTENSIONS,
            beam: vec![0],
            rules: RuleSet::Restricted,
            ..config.clone()
        };
        let engine = config.check().ok().and_then(|()| FastEngine::new(&config, &[], 1).ok());
        Prover { tables: Tables::new(&config), engine, levels }
    }

    /// The side to move after these moves wins with so many moves of both sides (1: with its next one); negative: it loses; nothing
    /// if neither is proved, or the game is over, or these moves are no game.
    pub fn plies(&mut self, moves: &[Cell]) -> Option<i32> {
        let mut position = Position::from_moves(&self.tables, moves).ok()?;
        if position.is_over() {
            return None;
        }
        self.of_position(&mut position)
    }

    fn of_position(&mut self, position: &mut Position) -> Option<i32> {
        // A short win is found sooner by all moves, and is the shorter one.
        let near = NEAR.min(self.levels);
        if let Some(plies) = self.searched(position, 1..=near).or_else(|| wins_by_fours(position)) {
            return Some(plies);
        }
        let (own, other) = (position.side_to_move(), 1 - position.side_to_move());
        if position.completing_cells(own) == 0 && position.completing_cells(other) == 1 {
            // One reply only: what comes after it is what this is worth.
            let forced = position.completing_cell(other)?;
            position.place(forced);
            let plies = if position.is_over() { None } else { self.of_position(position) };
            position.remove();
            return plies.map(|plies| -(plies + plies.signum()));
        }
        self.searched(position, near + 1..=self.levels)
    }

    /// What searches of so many levels see.
    fn searched(&mut self, position: &Position, levels: RangeInclusive<usize>) -> Option<i32> {
        let engine = self.engine.as_mut()?;
        SoftwareEngine::set_position(engine, position.moves()).ok()?;
        let mut levels = levels;
        levels.find_map(|levels| {
            let score = engine.decide(levels).decision?.score;
            engine.decided(score).or_else(|| within(&self.tables, score, levels))
        })
    }
}

/// A win or a loss among the moves of the contract, all of which were searched, that the contract itself does not call one, as it looks no
/// further than the candidates: in how many moves of both sides at most.
fn within(tables: &Tables, score: i32, levels: usize) -> Option<i32> {
    let scoring = &tables.scoring;
    let largest_leaf = 2 * scoring.max_potential + scoring.max_gain + scoring.four_three_bonus;
    // Rule 4 sees a win three moves beyond the last node.
    let plies = (levels + tables.config.extensions + 3) as i32;
    (score.abs() == scoring.unproved && scoring.unproved > largest_leaf).then_some(plies * score.signum())
}

/// Plies in which the side to move wins by fours alone, each of which the opponent has to answer (VCF); not the least number.
pub fn wins_by_fours(position: &mut Position) -> Option<i32> {
    let mut fours = Fours { failed: HashSet::new(), nodes: 0 };
    fours.plies(position)
}

/// A search for continuous fours.
struct Fours {
    /// Keys of positions from which there is no win.
    failed: HashSet<u64>,
    nodes: u32,
}

impl Fours {
    fn plies(&mut self, position: &mut Position) -> Option<i32> {
        self.nodes += 1;
        let (own, other) = (position.side_to_move(), 1 - position.side_to_move());
        if position.is_over() || self.nodes > MOST_NODES {
            return None;
        }
        if position.completing_cells(own) > 0 {
            return Some(1);
        }
        let threats = position.completing_cells(other);
        let wanted = |cell: &Cell| {
            position.is_empty(*cell)
                && position.makes_four(own, *cell)
                && (threats == 0 || threats == 1 && position.completes(other, *cell))
        };
        let moves: Vec<Cell> = (0..position.tables().geometry.cells() as Cell).filter(wanted).collect();
        if moves.is_empty() {
            return None;
        }
        // Two positions of one key would hide a win at worst.
        let stones = position.moves().iter().enumerate();
        let key = stones.fold(0, |key, (index, cell)| key ^ key_of(*cell, index % 2));
        if self.failed.contains(&key) {
            return None;
        }
        for cell in moves {
            position.place(cell);
            // The opponent completes a line of its own first, or closes the four, or cannot.
            let found = if position.completing_cells(other) > 0 {
                None
            } else if position.completing_cells(own) > 1 {
                Some(3)
            } else {
                position.completing_cell(own).and_then(|reply| {
                    position.place(reply);
                    let plies = self.plies(position);
                    position.remove();
                    plies.map(|plies| plies + 2)
                })
            };
            position.remove();
            if found.is_some() {
                return found;
            }
        }
        self.failed.insert(key);
        None
    }
}
