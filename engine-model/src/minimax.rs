// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a search without alpha-beta would visit.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use crate::Position;
use crate::evaluation::{Outcome, Remaining, evaluate, ordered_moves};

/// Nodes that plain minimax visits at so many levels by the rules of the contract, the root not counted: all moves of every open node, no bound,
/// no cutoff. `None` if there are more than `most`. The position is unchanged.
pub fn nodes(position: &mut Position, levels: usize, most: u64) -> Option<u64> {
    let mut count = Count { levels, most, visited: 0 };
    let extensions = position.tables().config.extensions;
    if !position.is_over() && position.stones() > 0 {
        count.below(position, Remaining { depth: levels, extensions });
    }
    (count.visited <= most).then_some(count.visited)
}

struct Count {
    levels: usize,
    most: u64,
    visited: u64,
}

impl Count {
    /// Counts the nodes below this one.
    fn below(&mut self, position: &mut Position, remaining: Remaining) {
        let Remaining { depth, extensions } = remaining;
        let evaluation = evaluate(position, remaining);
        match (evaluation.outcome, evaluation.best) {
            (Outcome::Forced, Some(reply)) if extensions > 0 => {
                self.child(position, reply.cell, Remaining { depth, extensions: extensions - 1 });
            }
            (Outcome::Forced, Some(reply)) if depth > 0 => {
                self.child(position, reply.cell, Remaining { depth: depth - 1, extensions });
            }
            (Outcome::Open, _) if depth > 0 => {
                let width = position.tables().config.beam_at(self.levels - depth);
                let width = if width == 0 { usize::MAX } else { width };
                for picked in ordered_moves(position).into_iter().take(width) {
                    self.child(position, picked.cell, Remaining { depth: depth - 1, extensions });
                }
            }
            _ => {}
        }
    }

    fn child(&mut self, position: &mut Position, cell: crate::Cell, remaining: Remaining) {
        self.visited += 1;
        if self.visited > self.most {
            return;
        }
        position.place(cell);
        self.below(position, remaining);
        position.undo();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::named;
    use crate::notation::parse_game;
    use crate::position::Tables;
    use crate::search::Search;
    use crate::{Config, RuleSet};

    fn position(config: &Config, moves: &str) -> Position {
        let tables = Tables::new(config);
        Position::from_moves(&tables, &parse_game(moves, 1, &tables.geometry).unwrap()).unwrap()
    }

    /// Without static rules 2 to 4: every candidate of a position that goes on and whose side to move cannot complete a row.
    fn by_hand(position: &mut Position, depth: usize) -> u64 {
        let cells = 0..position.tables().geometry.cells() as crate::Cell;
        let side = position.side_to_move();
        if depth == 0 || cells.clone().any(|cell| position.is_empty(cell) && position.completes(side, cell)) {
            return 0;
        }
        let open = cells.filter(|&cell| position.is_empty(cell) && position.is_candidate(cell));
        open.collect::<Vec<_>>()
            .into_iter()
            .map(|cell| {
                position.place(cell);
                let below = by_hand(position, depth - 1);
                position.undo();
                1 + below
            })
            .sum()
    }

    #[test]
    fn every_candidate_of_every_open_node_is_counted() {
        let config = Config { rules: RuleSet::None, ..named("tictactoe").unwrap() };
        for (moves, levels) in [("1,1", 8), ("0,0 1,1", 7), ("0,2 1,1 2,1 0,1 1,2", 4), ("0,0", 1)] {
            let mut position = position(&config, moves);
            let wanted = by_hand(&mut position, levels);
            assert!(wanted > 2, "{moves}");
            let before = position.moves().to_vec();
            assert_eq!(nodes(&mut position, levels, wanted), Some(wanted), "{moves}");
            assert_eq!(nodes(&mut position, levels, wanted - 1), None, "{moves}");
            assert_eq!(position.moves(), before);
        }
        assert_eq!(nodes(&mut position(&config, ""), 4, 9), Some(0), "the centre, by rule");
    }

    #[test]
    fn alpha_beta_visits_fewer() {
        let config = named("gomoku15").unwrap();
        let mut position = position(&config, "7,7 8,6 6,6 8,8");
        let all = nodes(&mut position, 2, 10_000).unwrap();
        let mut search = Search::new(&mut position, 2);
        search.decide();
        let visited: u64 = search.counters.nodes_at_ply.iter().skip(1).sum();
        assert!(visited < all, "{visited} of {all}");
    }
}
