// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search of other people's algorithms as plainly as it can be written.
#![allow(missing_docs)]

use engine_model::Cell;
use players::opponents::WIN;
use players::opponents::board::Board;

/// Plain minimax of other people's algorithms, over these moves.
pub fn minimax(board: &mut Board, depth: usize, ply: i32, moves: &dyn Fn(&Board) -> Vec<Cell>) -> i32 {
    let mut best = i32::MIN;
    for cell in moves(board) {
        let value = if board.place(cell) {
            WIN - (ply + 1)
        } else if board.is_full() {
            0
        } else if depth == 1 {
            -board.value()
        } else {
            -minimax(board, depth - 1, ply + 1, moves)
        };
        board.remove();
        best = best.max(value);
    }
    best
}
