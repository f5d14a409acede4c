// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be measured: a configuration, and what of it.

use super::point::{Figures, Point, Set};
use engine_model::Config;
use engine_model::named::{MAIN, named};

/// What is measured of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Searches.
    Search {
        /// Levels.
        levels: usize,
        /// Positions.
        set: Set,
    },
    /// Area.
    Area,
}

/// Something to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Configuration.
    pub config: Config,
    /// What of it.
    pub what: What,
}

impl Subject {
    /// For reports.
    pub fn label(&self) -> String {
        match self.what {
            What::Search { levels, .. } => format!("{}@{levels}", self.config.name),
            What::Area => format!("{}, area", self.config.name),
        }
    }

    /// Whether the point speaks of this, perhaps of an earlier state of it.
    pub fn names(&self, point: &Point) -> bool {
        let same = match (&point.figures, self.what) {
            (Figures::Search(search), What::Search { levels, set }) => {
                (search.levels, search.positions.set) == (levels, set)
            }
            (Figures::Area(_), What::Area) => true,
            _ => false,
        };
        same && point.config.name == self.config.name
    }
}

/// The set that a configuration's searches are measured on: the frozen one if it plays the same game.
pub fn natural_set(config: &Config) -> Set {
    let game = |config: &Config| (config.columns, config.rows, config.in_a_row);
    match named(MAIN) {
        Some(main) if game(&main) == game(config) => Set::Frozen,
        _ => Set::SelfPlay,
    }
}
