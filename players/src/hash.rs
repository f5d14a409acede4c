// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of positions: one number for each stone of either side, all of a position's put together by exclusive or (A. Zobrist).

use engine_model::geometry::Cell;

/// A number without visible order from a number (splitmix64, S. Vigna).
pub(super) fn mix(number: u64) -> u64 {
    let mut word = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The key of a stone of either side.
pub(super) fn key_of(cell: Cell, side: usize) -> u64 {
    mix(u64::from(cell) * 2 + side as u64)
}
