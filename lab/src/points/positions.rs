// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of any board, made by the model: the same ones every time, all with the same number of stones.
//!
//! A game begins on one of the cells nearest the centre. Then each side plays one of the first few moves in static
//! order, drawn by the seed, and parries a completing cell of the other. At the wanted number of stones it gives a
//! position, unless a static rule decides it: a completing cell of either side or a double cell of the side to move,
//! as in the frozen set.

use engine_model::evaluation::ordered_moves;
use engine_model::position::Tables;
use engine_model::{Cell, Config, Position};
use std::collections::HashSet;
use std::sync::Arc;

/// How many positions a full set has: as many as the frozen set.
pub const COUNT: usize = 120;
/// Most stones of a position: the even number next to the frozen set's median.
const STONES: usize = 14;
/// A small board is filled to one part in this many at most.
const SHARE_OF_BOARD: usize = 3;
/// First moves, nearest the centre.
const FIRST_MOVES: usize = 9;
/// Moves in static order that are drawn from.
const CHOICES: usize = 8;
const SEED: u64 = 1;
/// Games begun for each position before the board is given up.
const GAMES_PER_POSITION: usize = 200;

/// A board on which too few undecided positions were found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "only {found} of {wanted} undecided positions with {stones} stones found on the {columns} x {rows} board: ask for \
     fewer with --limit, or leave the board out"
)]
pub struct TooFew {
    found: usize,
    wanted: usize,
    stones: usize,
    columns: usize,
    rows: usize,
}

/// Stones of the positions made on this board.
pub fn stones(config: &Config) -> usize {
    STONES.min(config.columns * config.rows / SHARE_OF_BOARD / 2 * 2)
}

/// The first `count` positions of a board. They depend on the game, the window scores and the rules alone.
pub fn self_play(config: &Config, count: usize) -> Result<Vec<Vec<Cell>>, TooFew> {
    let positions = at_most(config, count);
    if positions.len() < count {
        return Err(TooFew {
            found: positions.len(),
            wanted: count,
            stones: stones(config),
            columns: config.columns,
            rows: config.rows,
        });
    }
    Ok(positions)
}

/// Those of them that are found, which are fewer on small boards, or none.
pub fn at_most(config: &Config, count: usize) -> Vec<Vec<Cell>> {
    let tables = Tables::new(config);
    let stones = stones(config);
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut known = HashSet::new();
    let mut positions = Vec::new();
    for _ in 0..count * GAMES_PER_POSITION {
        if positions.len() == count {
            break;
        }
        if let Some(moves) = game(&tables, stones, &mut random)
            && known.insert(moves.clone())
        {
            positions.push(moves);
        }
    }
    positions
}

/// One game up to so many stones; `None` if it is decided by then.
fn game(tables: &Arc<Tables>, stones: usize, random: &mut fastrand::Rng) -> Option<Vec<Cell>> {
    let geometry = &tables.geometry;
    let mut position = Position::new(tables);
    let first = random.usize(..FIRST_MOVES.min(geometry.cells()));
    position.play(geometry.by_rank[first]).ok()?;
    while position.stones() < stones {
        let other = 1 - position.side_to_move();
        let cells = 0..geometry.cells() as Cell;
        let parry = cells.into_iter().find(|&cell| position.completes(other, cell));
        let moves = ordered_moves(&position);
        let drawn = random.usize(..CHOICES);
        let cell = parry.or_else(|| moves.get(drawn % moves.len().max(1)).map(|picked| picked.cell))?;
        position.play(cell).ok()?;
        if position.is_over() {
            return None;
        }
    }
    let decided = position.completing_cells(0) > 0
        || position.completing_cells(1) > 0
        || position.has_double(position.side_to_move());
    (!decided).then(|| position.moves().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::named::named;

    #[test]
    fn positions_are_the_same_every_time_and_undecided() {
        let config = named("gomoku15").unwrap();
        let all = self_play(&config, COUNT).unwrap();
        assert_eq!(all.len(), COUNT);
        // Fewer are the first of them.
        assert_eq!(self_play(&config, 5).unwrap(), all[..5]);
        let tables = Tables::new(&config);
        for moves in &all {
            assert_eq!(moves.len(), STONES);
            let position = Position::from_moves(&tables, moves).unwrap();
            assert!(!position.is_over() && !position.has_double(position.side_to_move()));
            assert_eq!([0, 1].map(|side| position.completing_cells(side)), [0, 0]);
        }
        // What is no part of the game does not show.
        let other = Config { levels: 2, beam: vec![0], contexts: 1, ..config };
        assert_eq!(self_play(&other, 5).unwrap(), all[..5]);
    }

    #[test]
    fn every_side_of_the_curve_has_enough() {
        let config = named("gomoku15").unwrap();
        for side in [7, 9, 19] {
            let config = Config { columns: side, rows: side, rows_per_clock: side, ..config.clone() };
            let positions = self_play(&config, COUNT).unwrap();
            assert!(positions.iter().all(|moves| moves.len() == STONES), "{side}");
        }
    }

    #[test]
    fn a_board_too_small_says_so() {
        let message = self_play(&named("tictactoe").unwrap(), COUNT).unwrap_err().to_string();
        assert!(message.contains("undecided positions with 2 stones found on the 3 x 3 board"), "{message}");
    }

    #[test]
    fn a_small_board_has_those_that_there_are() {
        let config = Config { columns: 5, ..named("tictactoe").unwrap() };
        let some = at_most(&config, COUNT);
        assert!((1..COUNT).contains(&some.len()), "{}", some.len());
        // Fewer are the first of them.
        assert!(some.starts_with(&at_most(&config, 5)));
    }
}
