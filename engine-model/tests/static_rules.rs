// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each static rule is proved against brute force: what it calls won, lost or forced is so by full search.
#![allow(missing_docs)]

mod common;
use common::{config, random_position};
use engine_model::evaluation::{Outcome, Remaining, evaluate, is_restricted, ordered_moves};
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};

/// Whether the side to move can complete a line within `plies` plies against any defence, every empty cell tried.
fn wins_within(position: &mut Position, plies: usize) -> bool {
    let empties = |p: &Position| -> Vec<Cell> {
        (0..p.tables().geometry.cells() as Cell).filter(|&c| p.is_empty(c)).collect()
    };
    if plies == 0 || position.is_over() {
        return false;
    }
    for cell in empties(position) {
        position.play(cell).unwrap();
        let won = position.winner().is_some() || (plies > 2 && loses_within(position, plies - 1));
        position.undo();
        if won {
            return true;
        }
    }
    false
}

/// Whether the side to move loses within `plies` plies whatever it plays.
fn loses_within(position: &mut Position, plies: usize) -> bool {
    if position.is_over() || plies < 2 {
        return false;
    }
    for cell in 0..position.tables().geometry.cells() as Cell {
        if !position.is_empty(cell) {
            continue;
        }
        position.play(cell).unwrap();
        let lost = position.winner().is_none() && wins_within(position, plies - 1);
        position.undo();
        if !lost {
            return false;
        }
    }
    true
}

#[derive(Default, Debug)]
struct Seen {
    win: usize,
    loss: usize,
    forced: usize,
    double: usize,
    restricted: usize,
}

fn prove(config: &Config, positions: usize, seed: u64, seen: &mut Seen) {
    let tables = Tables::new(config);
    let mut rng = fastrand::Rng::with_seed(seed);
    for _ in 0..positions {
        let stones = rng.usize(0..tables.geometry.cells());
        let mut position = random_position(&tables, &mut rng, stones);
        if position.is_over() {
            continue;
        }
        let evaluation = evaluate(&position, Remaining { depth: 1, extensions: 0 });
        // Each win takes exactly the plies its rule says: so by full search, and not sooner.
        match evaluation.outcome {
            Outcome::Win => {
                seen.win += 1;
                assert!(wins_within(&mut position, 1));
                let cell = evaluation.best.unwrap().cell;
                position.play(cell).unwrap();
                assert!(position.winner().is_some());
            }
            Outcome::Loss => {
                seen.loss += 1;
                assert!(loses_within(&mut position, 2), "{:?}", position.moves());
            }
            Outcome::Forced => {
                seen.forced += 1;
                let only = evaluation.best.unwrap().cell;
                for cell in 0..tables.geometry.cells() as Cell {
                    if position.is_empty(cell) && cell != only {
                        position.play(cell).unwrap();
                        assert!(wins_within(&mut position, 1));
                        position.undo();
                    }
                }
            }
            Outcome::Double => {
                seen.double += 1;
                assert!(!wins_within(&mut position, 1));
                let cell = evaluation.best.unwrap().cell;
                position.play(cell).unwrap();
                assert!(loses_within(&mut position, 2), "{:?}", position.moves());
            }
            Outcome::Open => {
                assert!(!wins_within(&mut position, 1) && !loses_within(&mut position, 2));
                if is_restricted(&position) {
                    seen.restricted += 1;
                    // Every move left out loses to the opponent's double: within 4 plies of it.
                    let moves: Vec<Cell> = ordered_moves(&position).iter().map(|m| m.cell).collect();
                    assert!(!moves.is_empty());
                    for cell in 0..tables.geometry.cells() as Cell {
                        if position.is_empty(cell) && !moves.contains(&cell) {
                            position.play(cell).unwrap();
                            assert!(wins_within(&mut position, 3), "{:?}", position.moves());
                            position.undo();
                        }
                    }
                }
            }
            Outcome::Full | Outcome::Lost => unreachable!("the game is not over"),
        }
    }
}

#[test]
fn rules_hold_by_brute_force() {
    let mut seen = Seen::default();
    prove(&config(4, 4, 3, 1), 8_000, 1, &mut seen);
    prove(&config(5, 4, 4, 1), 8_000, 2, &mut seen);
    prove(&config(5, 5, 4, 1), 6_000, 3, &mut seen);
    prove(&config(6, 6, 5, 1), 8_000, 4, &mut seen);
    prove(&config(8, 2, 4, 1), 4_000, 5, &mut seen);
    // Each kind must have been met often enough to mean something.
    println!("{seen:?}");
    assert!(seen.win > 1000 && seen.loss > 300 && seen.forced > 1000, "{seen:?}");
    assert!(seen.double > 300 && seen.restricted > 200, "{seen:?}");
}
