// SPDX-License-Identifier: MIT OR Apache-2.0
//! Window scores, gains, the score of a win, and the widths that follow from them.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use crate::config::{Config, LeafKind};
use crate::geometry::Geometry;

/// Tables and ranges of one configuration's evaluation. Points unless a field says half-points.
#[derive(Clone, Debug)]
pub struct Scoring {
    /// `s[n]`: worth of a clean window with n own stones, n = 0..k-1.
    pub window_scores: Vec<i32>,
    /// Bonus of a four-three cell, half-points.
    pub four_three_bonus: i32,
    /// Whether a leaf counts the best gain.
    pub half_gain: bool,
    /// Largest possible gain of a cell.
    pub max_gain: i32,
    /// No potential difference exceeds this in size.
    pub max_potential: i32,
    /// No gain of the opponent grows by more when a move makes no four: it is in windows with at most k-3 stones, each of
    /// which becomes worth a step of `window_scores` more to block, and two cells share at most k-1.
    pub quiet_growth: i32,
    /// What a stone adds to a clean window with k-3 of its side, points: a cell that gains less is in none, as no window gains less than
    /// nothing.
    pub three_gain: i32,
    /// No gain of its own side grows by more when a move makes no four, points: windows with at most k-3 stones, of which two cells share
    /// at most k-1.
    pub own_step: i32,
    /// Nor by more than so many times its own gain; `None`: that says nothing.
    pub own_ratio: Option<i32>,
    /// Score of a win at ply 0, half-points: a power of two above every leaf value plus every ply.
    pub win_score: i32,
    /// No leaf value exceeds this in size, every win and loss that is proved does, half-points: a win less a power of two. A node
    /// of rule 6 is worth no less than minus this where a move that was not tried may save it: a beam has cut moves, or the
    /// candidates are not all that may ([`crate::evaluation::is_covered`]).
    pub unproved: i32,
}

/// Smallest number of bits that holds the unsigned `value`.
pub fn bits_for(value: usize) -> usize {
    (usize::BITS - value.leading_zeros()).max(1) as usize
}

impl Config {
    /// Tables and widths of the evaluation.
    pub fn scoring(&self) -> Scoring {
        Scoring::new(self, &self.geometry())
    }
}

impl Scoring {
    /// Tables of `config` on `geometry`.
    pub fn new(config: &Config, geometry: &Geometry) -> Scoring {
        let window_scores: Vec<i32> = config.window_scores.iter().map(|&s| s as i32).collect();
        let k = config.in_a_row;
        let steps = window_scores.windows(2).skip(1).take(k - 3).map(|pair| pair[1] - pair[0]);
        let mut scoring = Scoring {
            quiet_growth: steps.max().unwrap_or(0) * (k as i32 - 1),
            three_gain: window_scores[k - 2] - window_scores[k - 3],
            own_step: 0,
            own_ratio: Some(0),
            four_three_bonus: config.four_three_bonus as i32,
            half_gain: config.leaf == LeafKind::HalfGain,
            max_gain: 0,
            max_potential: geometry.windows.len() as i32 * window_scores[k - 1],
            win_score: 0,
            unproved: 0,
            window_scores,
        };
        for three in scoring.window_scores.windows(3).take(k - 2) {
            let (worth, grows) = (three[1] - three[0], three[2] - 2 * three[1] + three[0]);
            scoring.own_step = scoring.own_step.max(grows * (k as i32 - 1));
            if grows > 0 {
                // Rounded up; nothing that was worth nothing bounds what grows.
                let ratio = (worth > 0).then(|| (grows + worth - 1) / worth);
                scoring.own_ratio = scoring.own_ratio.zip(ratio).map(|(most, ratio)| most.max(ratio));
            }
        }
        let largest = (0..k)
            .flat_map(|n| (0..k - n).map(move |m| (n, m)))
            .map(|(n, m)| scoring.window_gain(n, m))
            .max();
        scoring.max_gain = largest.unwrap_or(0) * geometry.max_windows_of_a_cell() as i32;
        let max_leaf = 2 * scoring.max_potential + scoring.max_gain + scoring.four_three_bonus;
        // A win is found at most 3 plies beyond the last node of a path (rule 4).
        let last_ply = config.max_path() as i32 + 3;
        let plies = (last_ply as u32 + 1).next_power_of_two() as i32;
        scoring.win_score = ((max_leaf + plies) as u32).next_power_of_two() as i32;
        scoring.unproved = scoring.win_score - plies;
        // Every entry is at most MAX_WINDOW_SCORE, with more in a row less, and a board has at most 1,444 windows: no overflow.
        scoring
    }

    /// Worth of a window with `own` and `other` stones, seen from the side of `own`; 0 when it is dead. A complete one
    /// keeps the worth of k-1 stones: a completing stone adds 0, so a gain is always exactly a difference.
    pub fn window_potential(&self, own: usize, other: usize) -> i32 {
        let score = |n: usize| self.window_scores[n.min(self.window_scores.len() - 1)];
        match (own, other) {
            (n, 0) => score(n),
            (0, m) => -score(m),
            _ => 0,
        }
    }

    /// How much the potential difference grows when the side of `own` plays into a window with an empty cell.
    pub fn window_gain(&self, own: usize, other: usize) -> i32 {
        let last = self.window_scores.len() - 1;
        match (own, other) {
            (n, 0) if n < last => self.window_scores[n + 1] - self.window_scores[n],
            (_, 0) => 0,
            (0, m) => self.window_scores[m],
            _ => 0,
        }
    }

    /// How much any gain of the opponent grows at most by a move of this gain, points: what it adds to the opponent's
    /// blocking, and without a four no more than `quiet_growth` ([`crate::evaluation::floor`]).
    pub fn growth(&self, gain: i32, makes_four: bool) -> i32 {
        if makes_four { gain } else { gain.min(self.quiet_growth) }
    }

    /// The largest gain g for which 2 g and what it makes other gains of its side grow by at most ([`Scoring::own_step`], or
    /// [`Scoring::own_ratio`] times g if that is less; [`crate::evaluation::ceilings`]) are no more than `left` half-points.
    pub fn most_gain_within(&self, left: i32) -> i32 {
        let stepped = (left - self.own_step).div_euclid(2);
        self.own_ratio.map_or(stepped, |ratio| stepped.max(left.div_euclid(2 + ratio)))
    }

    /// Leaf value in half-points from potential difference, largest gain and bonus flag.
    pub fn leaf_value(&self, potential: i32, best_gain: i32, four_three: bool) -> i32 {
        2 * potential
            + if self.half_gain { best_gain } else { 0 }
            + if four_three { self.four_three_bonus } else { 0 }
    }

    /// Score of a win completed at ply `ply`.
    pub fn win_at(&self, ply: usize) -> i32 {
        self.win_score - ply as i32
    }

    /// Bits of a gain.
    pub fn gain_bits(&self) -> usize {
        bits_for(self.max_gain as usize)
    }

    /// Bits of a signed potential difference.
    pub fn potential_bits(&self) -> usize {
        bits_for(self.max_potential as usize) + 1
    }

    /// Bits of a signed value: the win score itself does not occur, so its own bit serves as the sign.
    pub fn value_bits(&self) -> usize {
        bits_for(self.win_score as usize)
    }
}
