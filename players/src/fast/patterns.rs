// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one line through an empty cell says about that cell, tabulated for short lines.
//!
//! A neighbourhood is the 2k-1 cells of a line around the cell, one bit each per side, the cell itself in the middle
//! (bit k-1, always clear). A cell off the board has the bit of both sides set.

use engine_model::scoring::Scoring;

/// Direction bits of the cell's flags, one nibble each: windows it would complete.
pub const COMPLETES: u16 = 0x000f;
/// Clean windows with k-2 own stones through the cell (it makes a four).
pub const MAKES_FOUR: u16 = 0x00f0;
/// The cell lies between the empty ends of two neighbouring clean windows with k-2 own stones (a double in one line).
pub const DOUBLE_IN_LINE: u16 = 0x0f00;
/// The same with k-3 own stones (it makes an open three of what is there).
pub const OPEN_THREE: u16 = 0xf000;
/// The bits of direction 0 in each nibble; those of direction d lie d bits higher.
const DIRECTION_0: u16 = 0x1111;

/// Whether flags of one cell make it a double cell: one double in line, or fours in two directions.
#[inline(always)]
pub fn is_double(flags: u16) -> bool {
    let fours = flags & MAKES_FOUR;
    flags & DOUBLE_IN_LINE != 0 || fours & fours.wrapping_sub(MAKES_FOUR & DIRECTION_0) & MAKES_FOUR != 0
}

/// Whether flags of one cell make it a four-three cell: a four and an open three in different directions.
#[inline(always)]
pub fn is_four_three(flags: u16) -> bool {
    let (fours, threes) = ((flags & MAKES_FOUR) >> 4, flags >> 12);
    let either = fours | threes;
    fours != 0 && threes != 0 && either & either.wrapping_sub(1) != 0
}

/// What one line says about a cell, for both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Entry {
    /// Part of the gain that comes from this line, points, by side. At most [`MAX_LINE_GAIN`](engine_model::config::MAX_LINE_GAIN).
    pub gain: [i16; 2],
    /// Flags as if the line had direction 0, by side.
    pub flags: [u16; 2],
}

/// Neighbourhoods of lines up to this k are tabulated: 4 states of 2(k-1) cells.
const TABULATED_K: usize = 5;
const SIDE_BITS: usize = 2 * (TABULATED_K - 1);
const TABLE_ENTRIES: usize = 1 << (2 * SIDE_BITS);

/// The entries of all neighbourhoods of one configuration.
pub struct Patterns {
    k: usize,
    /// gain[own * (k + 1) + other] of a window with an empty cell.
    window_gain: Vec<i16>,
    /// Bits before the middle.
    low: u64,
    table: Option<Box<[Entry; TABLE_ENTRIES]>>,
}

impl Patterns {
    /// Tables of the scoring of a k-in-a-row game.
    pub fn new(scoring: &Scoring, k: usize) -> Patterns {
        let window_gain = (0..=k)
            .flat_map(|own| (0..=k).map(move |other| (own, other)))
            .map(|(own, other)| if own + other < k { scoring.window_gain(own, other) as i16 } else { 0 })
            .collect();
        let low = (1 << (k - 1)) - 1;
        let mut patterns = Patterns { k, window_gain, low, table: None };
        if k <= TABULATED_K {
            let spread = |key: u64| (key & low) | ((key & (low << (k - 1))) << 1);
            let entries: Box<[Entry]> = (0..TABLE_ENTRIES as u64)
                .map(|index| {
                    patterns.compute([spread(index & ((1 << SIDE_BITS) - 1)), spread(index >> SIDE_BITS)])
                })
                .collect();
            patterns.table = entries.try_into().ok();
        }
        patterns
    }

    /// The entry of a neighbourhood, given as the stones of both sides.
    #[inline(always)]
    pub fn entry(&self, stones: [u64; 2]) -> Entry {
        match &self.table {
            Some(table) => {
                let key = |side: u64| (side & self.low) | ((side >> 1) & (self.low << (self.k - 1)));
                let index = key(stones[0]) | key(stones[1]) << SIDE_BITS;
                table[index as usize % TABLE_ENTRIES]
            }
            None => self.compute(stones),
        }
    }

    /// Counts the windows of a neighbourhood.
    fn compute(&self, stones: [u64; 2]) -> Entry {
        let k = self.k;
        let mut entry = Entry::default();
        let outside = stones[0] & stones[1];
        for side in 0..2 {
            let (own, other) = (stones[side], stones[1 - side]);
            let clean_with = |start: usize| {
                let window = ((1u64 << k) - 1) << start;
                (other & window == 0).then_some((own & window).count_ones() as usize)
            };
            for start in 0..k {
                let window = ((1u64 << k) - 1) << start;
                if outside & window == 0 {
                    let count = |stones: u64| (stones & window).count_ones() as usize;
                    entry.gain[side] += self.window_gain[count(own) * (k + 1) + count(other)];
                }
                let Some(count) = clean_with(start) else { continue };
                if count == k - 1 {
                    entry.flags[side] |= COMPLETES & DIRECTION_0;
                }
                if count == k - 2 {
                    entry.flags[side] |= MAKES_FOUR & DIRECTION_0;
                }
                let ends = 1u64 << start | 1u64 << (start + k);
                let open = start + 1 < k
                    && (own | other) & ends == 0
                    && clean_with(start + 1).is_some_and(|next| next == count);
                if open && count == k - 2 {
                    entry.flags[side] |= DOUBLE_IN_LINE & DIRECTION_0;
                }
                if open && count + 3 == k && k >= 4 {
                    entry.flags[side] |= OPEN_THREE & DIRECTION_0;
                }
            }
        }
        entry
    }
}
