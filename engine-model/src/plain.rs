// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain reference: recursive minimax that recounts every window of every node from scratch.
//!
//! docs/search-contract.md as a program: it shares no table, no count, no number and no pruning with the fast path, only the
//! configuration. It is slow on purpose. Only the lists of lines are kept, since they do not change with the stones.

use crate::config::{Config, LeafKind, RuleSet};

/// Contents of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stone {
    Empty,
    First,
    Second,
}

/// The plain reference of one configuration.
pub struct Plain<'a> {
    config: &'a Config,
    /// W of the contract, section 4.
    win_score: i32,
    /// -(W - P) there: what an open node is worth at least.
    floor: i32,
    /// The windows of k cells, and the spans of k + 1.
    windows: Vec<Line>,
    spans: Vec<Line>,
    board: Vec<Vec<Stone>>,
    turn: Stone,
}

type Xy = (i32, i32);

/// The number of a direction, and cells in a row in it.
type Line = (usize, Vec<Xy>);

/// The smallest power of two that is no less.
fn power_of_two(least: i32) -> i32 {
    let mut power = 1;
    while power < least {
        power *= 2;
    }
    power
}

const DIRECTIONS: [Xy; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The lines of so many cells that lie on the board.
fn lines(config: &Config, length: usize) -> Vec<Line> {
    let (m, n) = (config.columns as i32, config.rows as i32);
    let mut all = Vec::new();
    for (d, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
        for (x, y) in cells(config) {
            let line: Vec<Xy> = (0..length as i32).map(|i| (x + i * dx, y + i * dy)).collect();
            if line.iter().all(|(x, y)| (0..m).contains(x) && (0..n).contains(y)) {
                all.push((d, line));
            }
        }
    }
    all
}

/// The cells of the board, row by row.
fn cells(config: &Config) -> Vec<Xy> {
    let (m, n) = (config.columns as i32, config.rows as i32);
    (0..n).flat_map(|y| (0..m).map(move |x| (x, y))).collect()
}

fn opponent(side: Stone) -> Stone {
    match side {
        Stone::First => Stone::Second,
        Stone::Second => Stone::First,
        Stone::Empty => Stone::Empty,
    }
}

impl<'a> Plain<'a> {
    /// The reference at the position after `moves` (x, y).
    pub fn new(config: &'a Config, moves: &[(usize, usize)]) -> Plain<'a> {
        let mut plain = Plain {
            config,
            win_score: 0,
            floor: 0,
            windows: lines(config, config.in_a_row),
            spans: lines(config, config.in_a_row + 1),
            board: vec![vec![Stone::Empty; config.columns]; config.rows],
            turn: Stone::First,
        };
        let margin = power_of_two((config.levels + config.extensions) as i32 + 4);
        plain.win_score = power_of_two(plain.largest_leaf() + margin);
        plain.floor = margin - plain.win_score;
        for &(x, y) in moves {
            plain.board[y][x] = plain.turn;
            plain.turn = opponent(plain.turn);
        }
        plain
    }

    /// W: the score of a win.
    pub fn win_score(&self) -> i32 {
        self.win_score
    }

    /// The formula of the contract's section 4 for W, without P: no leaf value is larger.
    fn largest_leaf(&self) -> i32 {
        let s = &self.config.window_scores;
        let through = |cell: &Xy| self.windows.iter().filter(|(_, window)| window.contains(cell)).count();
        let most = self.cells().iter().map(through).max().unwrap_or(0) as i32;
        let steps = s.windows(2).map(|pair| pair[1] - pair[0]);
        let largest = steps.chain(s.iter().copied()).max().unwrap_or(0) as i32;
        let last = s.last().copied().unwrap_or(0) as i32;
        2 * self.windows.len() as i32 * last + most * largest + self.config.four_three_bonus as i32
    }

    fn at(&self, (x, y): Xy) -> Option<Stone> {
        if x < 0 || y < 0 {
            return None;
        }
        self.board.get(y as usize)?.get(x as usize).copied()
    }

    fn cells(&self) -> Vec<Xy> {
        cells(self.config)
    }

    fn empty_cells(&self) -> Vec<Xy> {
        self.cells().into_iter().filter(|&c| self.at(c) == Some(Stone::Empty)).collect()
    }

    fn count(&self, cells: &[Xy], side: Stone) -> usize {
        cells.iter().filter(|&&c| self.at(c) == Some(side)).count()
    }

    /// Clean for `side` with exactly `stones` of its stones.
    fn is_clean_with(&self, cells: &[Xy], side: Stone, stones: usize) -> bool {
        self.count(cells, opponent(side)) == 0 && self.count(cells, side) == stones
    }

    /// Potential difference seen from `side`.
    pub fn potential_of(&self, first: bool) -> i32 {
        let side = if first { Stone::First } else { Stone::Second };
        let mut sum = 0;
        for (_, cells) in &self.windows {
            let (n, m) = (self.count(cells, side), self.count(cells, opponent(side)));
            if n < self.config.in_a_row && m == 0 {
                sum += self.config.window_scores[n] as i32;
            } else if m < self.config.in_a_row && n == 0 {
                sum -= self.config.window_scores[m] as i32;
            }
        }
        sum
    }

    fn potential(&self) -> i32 {
        self.potential_of(self.turn == Stone::First)
    }

    fn gain(&self, cell: Xy) -> i32 {
        let k = self.config.in_a_row;
        let s = &self.config.window_scores;
        let mut sum = 0;
        for (_, cells) in &self.windows {
            if !cells.contains(&cell) {
                continue;
            }
            let (n, m) = (self.count(cells, self.turn), self.count(cells, opponent(self.turn)));
            if m == 0 && n + 1 < k {
                sum += (s[n + 1] - s[n]) as i32;
            } else if n == 0 && m > 0 {
                sum += s[m] as i32;
            }
        }
        sum
    }

    /// Gain of an empty cell for the side to move.
    pub fn gain_of(&self, x: usize, y: usize) -> i32 {
        self.gain((x as i32, y as i32))
    }

    fn completing(&self, side: Stone) -> Vec<Xy> {
        let k = self.config.in_a_row;
        self.empty_cells()
            .into_iter()
            .filter(|c| self.windows.iter().any(|(_, w)| w.contains(c) && self.is_clean_with(w, side, k - 1)))
            .collect()
    }

    fn fours_through(&self, side: Stone, cell: Xy) -> Vec<usize> {
        let k = self.config.in_a_row;
        let mut directions: Vec<usize> = self
            .windows
            .iter()
            .filter(|(_, w)| w.contains(&cell) && self.is_clean_with(w, side, k - 2))
            .map(|&(d, _)| d)
            .collect();
        directions.sort_unstable();
        directions.dedup();
        directions
    }

    /// Directions in which the empty cell lies strictly inside a (k+1)-span with empty ends whose two windows are
    /// clean with `stones` stones.
    fn spans_through(&self, side: Stone, cell: Xy, stones: usize) -> Vec<usize> {
        let k = self.config.in_a_row;
        let mut found = Vec::new();
        for (d, span) in &self.spans {
            let inside = span[1..k].contains(&cell);
            let ends_empty = self.at(span[0]) == Some(Stone::Empty) && self.at(span[k]) == Some(Stone::Empty);
            if inside
                && ends_empty
                && self.is_clean_with(&span[..k], side, stones)
                && self.is_clean_with(&span[1..], side, stones)
            {
                found.push(*d);
            }
        }
        found
    }

    fn doubles(&self, side: Stone) -> Vec<Xy> {
        self.empty_cells()
            .into_iter()
            .filter(|&c| {
                self.fours_through(side, c).len() >= 2
                    || !self.spans_through(side, c, self.config.in_a_row - 2).is_empty()
            })
            .collect()
    }

    fn has_four_three(&self, side: Stone) -> bool {
        let k = self.config.in_a_row;
        k >= 4
            && self.empty_cells().into_iter().any(|c| {
                let threes = self.spans_through(side, c, k - 3);
                self.fours_through(side, c).iter().any(|four| threes.iter().any(|three| three != four))
            })
    }

    fn candidates(&self) -> Vec<Xy> {
        let r = self.config.candidate_radius as i32;
        let blank = self.cells().len() == self.empty_cells().len();
        self.empty_cells()
            .into_iter()
            .filter(|&(x, y)| {
                blank
                    || (-r..=r).any(|dy| {
                        (-r..=r).any(|dx| matches!(self.at((x + dx, y + dy)), Some(s) if s != Stone::Empty))
                    })
            })
            .collect()
    }

    fn in_static_order(&self, mut cells: Vec<Xy>) -> Vec<Xy> {
        let (m, n) = (self.config.columns as i32, self.config.rows as i32);
        cells.sort_by_key(|&(x, y)| {
            let (dx, dy) = (2 * x - (m - 1), 2 * y - (n - 1));
            (-self.gain((x, y)), dx * dx + dy * dy, y * m + x)
        });
        cells
    }

    fn leaf(&self) -> i32 {
        let best = self.candidates().iter().map(|&c| self.gain(c)).max().unwrap_or(0);
        let half_gain = if self.config.leaf == LeafKind::HalfGain { best } else { 0 };
        let bonus = if self.has_four_three(self.turn) && self.completing(opponent(self.turn)).is_empty() {
            self.config.four_three_bonus as i32
        } else {
            0
        };
        2 * self.potential() + half_gain + bonus
    }

    /// The moves of rule 6 within the beam, `used` levels below the root, and whether a move that is not among them may save the node.
    fn moves(&self, used: usize) -> (Vec<Xy>, bool) {
        let k = self.config.in_a_row;
        let restricted =
            self.config.rules >= RuleSet::Restricted && !self.doubles(opponent(self.turn)).is_empty();
        let mut moves = if restricted {
            self.empty_cells()
                .into_iter()
                .filter(|c| {
                    self.windows.iter().any(|(_, w)| {
                        w.contains(c)
                            && (self.is_clean_with(w, Stone::First, k - 2)
                                || self.is_clean_with(w, Stone::Second, k - 2))
                    })
                })
                .collect()
        } else {
            self.candidates()
        };
        moves = self.in_static_order(moves);
        let beam = self.config.beam[used.min(self.config.beam.len() - 1)];
        let cut = beam > 0 && moves.len() > beam;
        if cut {
            moves.truncate(beam);
        }
        let covered = restricted || !self.completing(opponent(self.turn)).is_empty();
        (moves, cut || !covered)
    }

    /// A node's value: it is not said to be lost where a move that was not tried may save it.
    fn said(&self, value: i32, open: bool) -> i32 {
        if open { value.max(self.floor) } else { value }
    }

    fn after<T>(&mut self, (x, y): Xy, f: impl FnOnce(&mut Self) -> T) -> T {
        self.board[y as usize][x as usize] = self.turn;
        self.turn = opponent(self.turn);
        let result = f(self);
        self.turn = opponent(self.turn);
        self.board[y as usize][x as usize] = Stone::Empty;
        result
    }

    /// Value of the current node: p moves from the root, d of `levels` levels and x extensions left.
    pub fn value(&mut self, p: i32, d: usize, x: usize, levels: usize) -> i32 {
        let rules = self.config.rules;
        if self.empty_cells().is_empty() {
            return 0;
        }
        if !self.completing(self.turn).is_empty() {
            return self.win_score - (p + 1);
        }
        let threats = self.completing(opponent(self.turn));
        if rules >= RuleSet::Forced && threats.len() >= 2 {
            return -(self.win_score - (p + 2));
        }
        if rules >= RuleSet::Forced && threats.len() == 1 {
            return match (d, x) {
                (0, 0) => self.leaf(),
                (_, 0) => self.after(threats[0], |s| -s.value(p + 1, d - 1, 0, levels)),
                _ => self.after(threats[0], |s| -s.value(p + 1, d, x - 1, levels)),
            };
        }
        if rules >= RuleSet::Double && !self.doubles(self.turn).is_empty() {
            return self.win_score - (p + 3);
        }
        if d == 0 {
            return self.leaf();
        }
        let (moves, open) = self.moves(levels - d);
        let best = moves
            .into_iter()
            .map(|c| self.after(c, |s| -s.value(p + 1, d - 1, x, levels)))
            .max()
            .expect("a board with an empty cell has a move");
        self.said(best, open)
    }

    /// The root's move and score, or `None` when the game is over.
    pub fn decide(&mut self, levels: usize) -> Option<((usize, usize), i32)> {
        let k = self.config.in_a_row;
        let line = self
            .windows
            .iter()
            .any(|(_, w)| self.count(w, Stone::First) == k || self.count(w, Stone::Second) == k);
        if line || self.empty_cells().is_empty() {
            return None;
        }
        if self.empty_cells().len() == self.cells().len() {
            let (x, y) = self.in_static_order(self.cells())[0];
            return Some(((x as usize, y as usize), 0));
        }
        let rules = self.config.rules;
        let x = self.config.extensions;
        let first = |s: &Self, cells: Vec<Xy>| s.in_static_order(cells)[0];
        let (own, threats) = (self.completing(self.turn), self.completing(opponent(self.turn)));
        let doubles = self.doubles(self.turn);
        let (cell, score) = if !own.is_empty() {
            (first(self, own), self.win_score - 1)
        } else if rules >= RuleSet::Forced && threats.len() >= 2 {
            (first(self, threats), -(self.win_score - 2))
        } else if rules >= RuleSet::Forced && threats.len() == 1 {
            let score = if x > 0 {
                self.after(threats[0], |s| -s.value(1, levels, x - 1, levels))
            } else {
                self.after(threats[0], |s| -s.value(1, levels - 1, 0, levels))
            };
            (threats[0], score)
        } else if rules >= RuleSet::Double && !doubles.is_empty() {
            (first(self, doubles), self.win_score - 3)
        } else {
            let mut best: Option<(Xy, i32)> = None;
            let (moves, open) = self.moves(0);
            for cell in moves {
                let score = self.after(cell, |s| -s.value(1, levels - 1, x, levels));
                if best.is_none_or(|(_, b)| score > b) {
                    best = Some((cell, score));
                }
            }
            let (cell, score) = best.expect("a board with an empty cell has a move");
            (cell, self.said(score, open))
        };
        Some(((cell.0 as usize, cell.1 as usize), score))
    }
}
