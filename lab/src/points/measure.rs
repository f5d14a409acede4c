// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is measured of a configuration, and whether it has been.

use super::point::{Each, Figures, Positions, Search, Set};
use super::positions::{TooFew, self_play};
use super::results::Results;
use super::subject::{Subject, What};
use crate::measure::{MeasureFault, Progress, Row, hardware};
use cosim::Model;
use engine_model::evaluation::ordered_moves;
use engine_model::notation::{NotationError, format_game, parse_games};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};
use std::cell::RefCell;
use std::collections::HashMap;
use vivado::package::sha256;

/// Why there are no positions for a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionsError {
    /// The frozen set is of another board.
    #[error(transparent)]
    Frozen(#[from] NotationError),
    /// None can be made.
    #[error(transparent)]
    SelfPlay(#[from] TooFew),
}

/// Positions and how they are known.
#[derive(Clone, Debug)]
pub struct Known {
    /// Moves from the empty board.
    pub moves: Vec<Vec<Cell>>,
    /// Their identity.
    pub positions: Positions,
}

/// The positions of all configurations, each made once.
#[derive(Debug)]
pub struct Library {
    frozen: &'static str,
    limit: usize,
    known: RefCell<HashMap<(Set, String), Known>>,
}

impl Library {
    /// The first `limit` positions of each set; `frozen` is the text of the frozen one.
    pub fn new(frozen: &'static str, limit: usize) -> Library {
        Library { frozen, limit, known: RefCell::default() }
    }

    /// The positions of a configuration.
    pub fn positions(&self, config: &Config, set: Set) -> Result<Known, PositionsError> {
        // By all parameters: what is made depends on scores and rules too.
        let key = (set, config.to_toml());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let geometry = config.geometry();
        let moves = match set {
            Set::Frozen => parse_games(self.frozen, &geometry)?.into_iter().take(self.limit).collect(),
            Set::SelfPlay => self_play(config, self.limit)?,
        };
        let text: Vec<String> = moves.iter().map(|moves: &Vec<Cell>| format_game(moves, &geometry)).collect();
        let positions = Positions { set, count: moves.len(), sha256: sha256(&text.join("\n")) };
        let known = Known { moves, positions };
        self.known.borrow_mut().insert(key, known.clone());
        Ok(known)
    }

    /// Whether the file holds the subject as it is now: with this core and these positions.
    pub fn holds(&self, results: &Results, subject: &Subject, core: &str) -> Result<bool, PositionsError> {
        let Some(point) = results.of(subject) else { return Ok(false) };
        let same_positions = match (&point.figures, subject.what) {
            (Figures::Search(search), What::Search { set, .. }) => {
                search.positions == self.positions(&subject.config, set)?.positions
            }
            _ => true,
        };
        Ok(same_positions && point.config == subject.config && point.core_sha256 == core)
    }
}

/// Searches the positions in the simulated core.
pub fn search(
    config: &Config,
    levels: usize,
    shipped: &'static Model,
    known: &Known,
    progress: Progress,
) -> Result<Search, MeasureFault> {
    let row = Row { config: config.clone(), levels };
    let hardware = hardware::measure(&row, shipped, &known.moves, progress)?;
    let tables = Tables::new(config);
    let candidates = |moves: &Vec<Cell>| {
        Position::from_moves(&tables, moves).map_or(0, |position| ordered_moves(&position).len())
    };
    let [busy, bubbles @ ..] = hardware.clocks();
    Ok(Search {
        levels,
        width: row.width(),
        positions: known.positions.clone(),
        simulator: shipped.simulator.clone(),
        cycles: hardware.cycles(),
        passes: hardware.passes(),
        clocks_per_pass: hardware.interval,
        busy: busy.share,
        bubbles: bubbles.iter().map(|share| (share.key.into(), share.share)).collect(),
        cancelled_of_passes: hardware.cancelled(),
        orders_of_passes: hardware.orders(),
        each: Each {
            stones: hardware.costs.iter().map(|cost| cost.stones).collect(),
            candidates: known.moves.iter().map(candidates).collect(),
            cycles: hardware.costs.iter().map(|cost| cost.cycles).collect(),
        },
    })
}
