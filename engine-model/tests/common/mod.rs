// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations and random positions shared by the model's tests.
#![allow(dead_code, missing_docs)] // each test file uses its own part

use engine_model::position::Tables;
use engine_model::{BoundKind, Cell, Config, LeafKind, Position, RuleSet};
use std::sync::Arc;

/// A shipped configuration.
pub fn named(name: &str) -> Config {
    engine_model::named::named(name).unwrap()
}

pub fn config(columns: usize, rows: usize, in_a_row: usize, levels: usize) -> Config {
    Config {
        name: "test".into(),
        columns,
        rows,
        in_a_row,
        levels,
        beam: vec![0],
        extensions: 0,
        candidate_radius: 1,
        rules: RuleSet::Restricted,
        leaf: LeafKind::HalfGain,
        window_scores: [0, 1, 4, 12, 28, 60][..in_a_row].to_vec(),
        four_three_bonus: if in_a_row >= 4 { 64 } else { 0 },
        contexts: 3,
        rows_per_clock: rows,
        bound: BoundKind::Reply,
        trace: false,
        clock_mhz: 100,
        ahead: 0,
        low_gain: 0,
        transpositions: 0,
    }
}

/// A random position of at most `stones` stones that no side has won, grown near the stones already there so that
/// patterns occur; also its moves as points.
pub fn random_position(tables: &Arc<Tables>, rng: &mut fastrand::Rng, stones: usize) -> Position {
    let cells = tables.geometry.cells();
    let wild = rng.u32(0..3) == 0;
    let mut position = Position::new(tables);
    for _ in 0..stones {
        let open: Vec<Cell> = (0..cells as Cell)
            .filter(|&c| position.is_empty(c) && (wild || position.is_candidate(c)))
            .collect();
        if open.is_empty() {
            break;
        }
        position.play(open[rng.usize(0..open.len())]).expect("an empty cell of a running game is legal");
        if position.winner().is_some() {
            position.undo();
            break;
        }
    }
    position
}

pub fn points(position: &Position) -> Vec<(usize, usize)> {
    let geometry = &position.tables().geometry;
    position.moves().iter().map(|&c| (geometry.point(c).x, geometry.point(c).y)).collect()
}
