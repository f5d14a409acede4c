// SPDX-License-Identifier: MIT OR Apache-2.0
//! Five-tuples: every window of k cells counts by the stones of the one side that has any in it.

use super::board::Judge;
use engine_model::config::Config;
use engine_model::geometry::{Cell, Geometry};

/// Worth of a window by the stones that are missing in it, for five in a row: 5, 4, 3, 2 and 1 stones are worth 1,000,000, 4000,
/// 600, 20 and 1. More missing stones are worth nothing; with fewer in a row the small ones do not occur.
const BY_MISSING: [i32; 5] = [1_000_000, 4_000, 600, 20, 1];

/// Windows with the stones of either side in them.
pub struct Tuples {
    windows_of: Vec<Vec<u16>>,
    stones: Vec<[u8; 2]>,
    /// By stones in a window of one side only.
    worth: Vec<i32>,
    balance: i32,
}

impl Tuples {
    /// Of the empty board.
    pub fn new(config: &Config) -> Tuples {
        let k = config.in_a_row;
        let geometry = Geometry::new(config.columns, config.rows, k, 1);
        let missing = |stones: usize| BY_MISSING.get(k - stones).copied().unwrap_or(0);
        let worth = (0..=k).map(|stones| if stones == 0 { 0 } else { missing(stones) }).collect();
        Tuples {
            stones: vec![[0; 2]; geometry.windows.len()],
            windows_of: geometry.windows_of,
            worth,
            balance: 0,
        }
    }

    fn of_window(&self, window: u16) -> i32 {
        match self.stones[usize::from(window)] {
            [own, 0] => self.worth[usize::from(own)],
            [0, other] => -self.worth[usize::from(other)],
            _ => 0,
        }
    }

    fn change(&mut self, cell: Cell, side: usize, change: impl Fn(&mut u8)) {
        let windows = std::mem::take(&mut self.windows_of[usize::from(cell)]);
        for &window in &windows {
            self.balance -= self.of_window(window);
            change(&mut self.stones[usize::from(window)][side]);
            self.balance += self.of_window(window);
        }
        self.windows_of[usize::from(cell)] = windows;
    }
}

impl Judge for Tuples {
    fn placed(&mut self, cell: Cell, side: usize) {
        self.change(cell, side, |stones| *stones += 1);
    }

    fn removed(&mut self, cell: Cell, side: usize) {
        self.change(cell, side, |stones| *stones -= 1);
    }

    fn balance(&self) -> i32 {
        self.balance
    }

    fn urgency(&self, cell: Cell) -> i32 {
        let next = |stones: u8| self.worth[usize::from(stones) + 1];
        let of = |window: &u16| match self.stones[usize::from(*window)] {
            [0, 0] => next(0),
            [stones, 0] | [0, stones] => next(stones),
            _ => 0,
        };
        self.windows_of[usize::from(cell)].iter().map(of).sum()
    }
}
