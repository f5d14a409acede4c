// SPDX-License-Identifier: MIT OR Apache-2.0
//! Other people's algorithms by name.

use crate::opponents::{five_tuple, greedy, line_shape};
use crate::pvs::{Options, Pvs};
use engine_model::{Config, Engine};

/// Makes a player of the game (columns, rows, number in a row) of a configuration.
pub type Maker = fn(&Config) -> Box<dyn Engine>;

/// All of them.
pub const PLAYERS: [(&str, Maker); 4] = [
    ("greedy", |config| Box::new(greedy(config))),
    ("five-tuple", |config| Box::new(five_tuple(config))),
    ("line-shape", |config| Box::new(line_shape(config))),
    ("pvs", |config| Box::new(Pvs::new(config, Options::default()))),
];

/// Most levels that any of them searches.
pub const MOST_LEVELS: usize = crate::opponents::MOST;

/// The player of this name.
pub fn player(name: &str) -> Option<Maker> {
    PLAYERS.iter().find(|(known, _)| *known == name).map(|(_, maker)| *maker)
}

/// All names, as a list in words.
pub fn names() -> String {
    PLAYERS.map(|(name, _)| name).join(", ")
}
