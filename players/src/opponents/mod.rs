// SPDX-License-Identifier: MIT OR Apache-2.0
//! Algorithms of other people to play against: they keep the rules of the game, not the search contract.
//!
//! - [`greedy`]: the best cell of the whole board by five-tuples, without a search.
//! - [`five_tuple`]: alpha-beta over the neighbours of stones, leaves by five-tuples.
//! - [`line_shape`]: alpha-beta in centre-out order, leaves by the shapes on the board's lines.
//!
//! All three are [`Opponent`]s: a judge ([`tuples::Tuples`] or [`lines::Lines`]) under one search of fixed depth.

pub mod board;
pub mod lines;
mod search;
pub mod tuples;

use engine_model::Config;
pub use search::{MOST, Opponent, WIN, WINS};
use search::{Order, Plan};

/// Levels of a five-tuple search unless told otherwise: what its source finds affordable.
pub const FIVE_TUPLE_DEPTH: usize = 3;
/// Levels of a line-shape search unless told otherwise: those of the wujian100 core (docs/glossary.md, sources).
pub const LINE_SHAPE_DEPTH: usize = 4;

/// The cell with the best value after it, wherever on the board; the first from the centre outward of equals.
pub fn greedy(config: &Config) -> Opponent {
    let plan = Plan { name: "greedy", depth: 1, searches: false, whole_board: true, order: Order::CentreOut };
    Opponent::new(config, plan, Box::new(tuples::Tuples::new(config)))
}

/// Alpha-beta with five-tuples at the leaves; moves next to stones, those that change most first.
pub fn five_tuple(config: &Config) -> Opponent {
    let plan = Plan {
        name: "five-tuple",
        depth: FIVE_TUPLE_DEPTH,
        searches: true,
        whole_board: false,
        order: Order::Urgent,
    };
    Opponent::new(config, plan, Box::new(tuples::Tuples::new(config)))
}

/// Alpha-beta with line shapes at the leaves; moves next to stones, from the centre outward.
pub fn line_shape(config: &Config) -> Opponent {
    let plan = Plan {
        name: "line-shape",
        depth: LINE_SHAPE_DEPTH,
        searches: true,
        whole_board: false,
        order: Order::CentreOut,
    };
    Opponent::new(config, plan, Box::new(lines::Lines::new(config)))
}
