// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves two levels above the leaves that one reply refutes: `engine_model::evaluation::ceilings`, whose proof holds for any reply.
//!
//! The model looks exactly whether a move makes a double cell, or a four-three once it is answered. That costs two boards, more than the
//! move's leaves do here; so what may make one is not refuted, or not with the bonus:
//!
//! - A double cell's two windows are of one line, and then the move opens a three; or they cross, and then one of them was there: the move
//!   shares a window of k-3 stones with a cell that made a four. (It shares but one line with that cell.)
//! - A four-three cell is one when the reply stands; or the move has part in its three, and shares a window with a cell that makes a four
//!   then; or in its four, and shares a window of k-3 stones with one that opens a three then.

use super::board::{Board, Scan, Tables, bits};
use super::lanes::Lane;
use super::patterns::{MAKES_FOUR, OPEN_THREE};
use super::search::Searcher;
use engine_model::config::RuleSet;
use engine_model::evaluation::Remaining;
use engine_model::search::NodePlace;

/// As many moves must be left for it to be worth a board.
const FEWEST: u32 = 8;

impl<G: Lane, const N: usize, const W: usize, const L: usize> Searcher<G, N, W, L> {
    /// Those of `cells`, moves of the open node at `place`, that may be worth more than `limit`.
    #[inline(always)]
    pub fn unrefuted(
        &mut self,
        tables: &Tables<G, N, W, L>,
        place: NodePlace,
        scan: Scan,
        cells: [u64; W],
        limit: i32,
    ) -> [u64; W] {
        let NodePlace { ply, remaining: Remaining { depth, extensions } } = place;
        let board = &self.boards[ply];
        let applies = depth == 2
            && tables.config.rules >= RuleSet::Forced
            && self.beam(tables, depth - 1) == usize::MAX
            && board.stones > 0
            && board.stones + 2 < tables.cells
            && cells.iter().map(|word| word.count_ones()).sum::<u32>() >= FEWEST;
        if !applies {
            return cells;
        }
        let (own, other) = (board.side(), 1 - board.side());
        let Some((reply, answer)) = board.best_candidate(other) else { return cells };
        if extensions > 0 && board.flags[other][reply] & MAKES_FOUR != 0 {
            return cells;
        }
        let scoring = &tables.scoring;
        self.answered.follow_with(tables, board, reply, other);
        let answered = &self.answered;
        let largest = if scoring.half_gain { answered.largest_gain(own) } else { 0 };
        // What a move's gain, once the reply stands, and its growth may come to.
        let left = limit - 2 * (board.potential() - answer) - largest;
        let above = |left: i32| {
            let most = if scoring.half_gain { scoring.most_gain_within(left) } else { left.div_euclid(2) };
            answered.cells_above(own, most)
        };
        let in_reach = |board: &Board<G, N, W, L>, flag: u16| {
            let mut all = [0; W];
            for cell in bits(board.cells_with(own, flag)) {
                all.iter_mut().zip(tables.in_reach[cell]).for_each(|(all, reach)| *all |= reach);
            }
            all
        };
        let (fours, opens) = match scan.own & (MAKES_FOUR | OPEN_THREE) {
            0 => ([0; W], [0; W]),
            _ => (board.cells_with(own, MAKES_FOUR), board.cells_with(own, OPEN_THREE)),
        };
        let crossed = if scan.own & MAKES_FOUR == 0 { [0; W] } else { in_reach(board, MAKES_FOUR) };
        let threes = board.cells_above(own, scoring.three_gain - 1);
        let tempting = above(left);
        // Where the bonus counts.
        let then = answered.flags[own].iter().fold(0, |union, flags| union | flags);
        let (mut everywhere, mut by_three, mut by_four) = (false, [0; W], [0; W]);
        let mut with_bonus = [0; W];
        if scoring.four_three_bonus > 0 && then & (MAKES_FOUR | OPEN_THREE) != 0 {
            everywhere = answered.has_four_three(own, then);
            (by_three, by_four) = (in_reach(answered, MAKES_FOUR), in_reach(answered, OPEN_THREE));
            with_bonus = above(left - scoring.four_three_bonus);
        }
        let mut kept: [u64; W] = std::array::from_fn(|word| {
            let double = opens[word] | crossed[word] & threes[word];
            let bonus = if everywhere { u64::MAX } else { by_three[word] | by_four[word] & threes[word] };
            cells[word] & (tempting[word] | fours[word] | double | bonus & with_bonus[word])
        });
        kept[reply / 64] |= cells[reply / 64] & 1 << (reply % 64);
        kept
    }
}
