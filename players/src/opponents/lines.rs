// SPDX-License-Identifier: MIT OR Apache-2.0
//! Line shapes: the board cut into its lines in four directions, each valued by the runs of stones on it.

use super::board::Judge;
use engine_model::config::Config;
use engine_model::geometry::{Cell, DIRECTION_COUNT, DIRECTIONS, Geometry};

/// Worth of a run by the stones it lacks (none, one, two, three) and its open ends (one, two). The original's figures are not
/// known; these keep its order: a shape counts ten of the next smaller one.
const RUNS: [[i32; 2]; 4] = [[100_000, 100_000], [1_000, 10_000], [100, 1_000], [10, 100]];

/// The lines with their values.
pub struct Lines {
    in_a_row: usize,
    /// Lines as long as a row that wins, or longer.
    lines: Vec<Vec<Cell>>,
    /// Per cell: its line in each direction, if that is long enough.
    line_of: Vec<[Option<u16>; DIRECTION_COUNT]>,
    owner: Vec<Option<usize>>,
    values: Vec<i32>,
    balance: i32,
}

impl Lines {
    /// Of the empty board.
    pub fn new(config: &Config) -> Lines {
        let geometry = Geometry::new(config.columns, config.rows, config.in_a_row, 1);
        let cells = geometry.cells();
        let (mut lines, mut line_of) = (Vec::new(), vec![[None; DIRECTION_COUNT]; cells]);
        for (direction, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
            let step = |cell: Cell, sign: isize| {
                let point = geometry.point(cell);
                let (x, y) = (point.x.checked_add_signed(sign * dx)?, point.y.checked_add_signed(sign * dy)?);
                geometry.cell(x, y)
            };
            for first in (0..cells as Cell).filter(|cell| step(*cell, -1).is_none()) {
                let line: Vec<Cell> = std::iter::successors(Some(first), |cell| step(*cell, 1)).collect();
                if line.len() >= config.in_a_row {
                    line.iter()
                        .for_each(|cell| line_of[usize::from(*cell)][direction] = Some(lines.len() as u16));
                    lines.push(line);
                }
            }
        }
        let values = vec![0; lines.len()];
        Lines { in_a_row: config.in_a_row, lines, line_of, owner: vec![None; cells], values, balance: 0 }
    }

    /// What the runs of a line are worth: side 0's less side 1's.
    fn value(&self, line: &[Cell]) -> i32 {
        let owner = |index: usize| self.owner[usize::from(line[index])];
        let (mut total, mut from) = (0, 0);
        while from < line.len() {
            let Some(side) = owner(from) else {
                from += 1;
                continue;
            };
            let to = (from..line.len()).find(|index| owner(*index) != Some(side)).unwrap_or(line.len());
            let before = from > 0 && owner(from - 1).is_none();
            let after = to < line.len() && owner(to).is_none();
            let missing = self.in_a_row.saturating_sub(to - from);
            let open = usize::from(before) + usize::from(after);
            let worth = match (missing, open) {
                (0, _) => RUNS[0][0],
                (_, 0) => 0,
                (missing, open) => RUNS.get(missing).map_or(0, |by_open| by_open[open - 1]),
            };
            total += if side == 0 { worth } else { -worth };
            from = to;
        }
        total
    }

    fn update(&mut self, cell: Cell) {
        for line in self.line_of[usize::from(cell)].into_iter().flatten().map(usize::from) {
            let value = self.value(&self.lines[line]);
            self.balance += value - self.values[line];
            self.values[line] = value;
        }
    }
}

impl Judge for Lines {
    fn placed(&mut self, cell: Cell, side: usize) {
        self.owner[usize::from(cell)] = Some(side);
        self.update(cell);
    }

    fn removed(&mut self, cell: Cell, _: usize) {
        self.owner[usize::from(cell)] = None;
        self.update(cell);
    }

    fn balance(&self) -> i32 {
        self.balance
    }

    fn urgency(&self, _: Cell) -> i32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_worth_what_they_lack_and_leave_open() {
        let config = engine_model::named::named("gomoku15").unwrap();
        let mut lines = Lines::new(&config);
        let cell = |x: usize, y: usize| (y * 15 + x) as Cell;
        // Three in a row, both ends open; the other directions see single stones, which count nothing.
        (5..8).for_each(|x| lines.placed(cell(x, 7), 0));
        assert_eq!(lines.balance(), 1_000);
        lines.placed(cell(8, 7), 1);
        assert_eq!(lines.balance(), 100);
        lines.placed(cell(4, 7), 1);
        assert_eq!(lines.balance(), 0);
        lines.removed(cell(4, 7), 1);
        (3..5).for_each(|x| lines.placed(cell(x, 7), 0));
        assert_eq!(lines.balance(), 100_000);
        for x in 3..9 {
            lines.removed(cell(x, 7), usize::from(x == 8));
        }
        assert_eq!(lines.balance(), 0);
        // Every line of 15 x 15 with five cells or more: rows, columns, and 21 diagonals each way.
        assert_eq!(lines.lines.len(), 15 + 15 + 2 * 21);
    }
}
