// SPDX-License-Identifier: MIT OR Apache-2.0
//! A game position with its counts and gains kept incrementally: one move touches only the windows through its cell.

use crate::config::Config;
use crate::geometry::{Cell, DIRECTION_COUNT, Geometry};
use crate::scoring::Scoring;
use std::sync::Arc;

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The cell is not on the board.
    #[error("move {x},{y} is outside the {columns} x {rows} board")]
    Outside {
        /// Column asked for.
        x: usize,
        /// Row asked for.
        y: usize,
        /// Columns of the board.
        columns: usize,
        /// Rows of the board.
        rows: usize,
    },
    /// The cell holds a stone.
    #[error("move {x},{y}: the cell is occupied")]
    Occupied {
        /// Column asked for.
        x: usize,
        /// Row asked for.
        y: usize,
    },
    /// A side has won or the board is full.
    #[error("the game is over")]
    GameOver,
}

/// Constant tables shared by all positions of one configuration.
#[derive(Debug)]
pub struct Tables {
    /// The configuration.
    pub config: Config,
    /// The board.
    pub geometry: Geometry,
    /// The evaluation.
    pub scoring: Scoring,
    /// gain[own][other] of a window with an empty cell.
    window_gain: Vec<Vec<i32>>,
    /// potential[own][other] of a window.
    window_potential: Vec<Vec<i32>>,
}

impl Tables {
    /// Tables of a checked configuration.
    pub fn new(config: &Config) -> Arc<Tables> {
        let geometry = config.geometry();
        let scoring = Scoring::new(config, &geometry);
        let k = config.in_a_row;
        let table = |f: &dyn Fn(usize, usize) -> i32| -> Vec<Vec<i32>> {
            (0..=k).map(|own| (0..=k).map(|other| f(own, other)).collect()).collect()
        };
        Arc::new(Tables {
            window_gain: table(&|n, m| if n + m < k { scoring.window_gain(n, m) } else { 0 }),
            window_potential: table(&|n, m| scoring.window_potential(n, m)),
            config: config.clone(),
            geometry,
            scoring,
        })
    }
}

/// The counts of one side.
#[derive(Clone, Debug)]
struct SideCounts {
    /// Stones per window.
    stones: Vec<u8>,
    /// Per cell: gain of playing it, whether or not it is empty.
    gain: Vec<i32>,
    /// Per cell: windows it would complete.
    completions: Vec<u8>,
    /// Number of cells with a completion.
    completing_cells: usize,
    /// Per direction and cell: clean windows with k-2 stones through it.
    fours: [Vec<u8>; DIRECTION_COUNT],
    /// Clean windows with k-2 stones.
    four_windows: usize,
    /// Clean windows with k-3 stones.
    three_windows: usize,
    /// Windows holding k stones.
    lines: usize,
}

/// A position: the moves so far and everything counted from them. Sides are 0 (moved first) and 1.
#[derive(Clone, Debug)]
pub struct Position {
    tables: Arc<Tables>,
    moves: Vec<Cell>,
    owner: Vec<Option<u8>>,
    sides: [SideCounts; 2],
    /// Potential difference seen from side 0.
    potential: i32,
    /// Per cell: stones within the candidate radius.
    stones_near: Vec<u16>,
}

impl Position {
    /// The empty board.
    pub fn new(tables: &Arc<Tables>) -> Position {
        let cells = tables.geometry.cells();
        let empty_gain = tables.window_gain[0][0];
        let side = SideCounts {
            stones: vec![0; tables.geometry.windows.len()],
            gain: tables.geometry.windows_of.iter().map(|w| w.len() as i32 * empty_gain).collect(),
            completions: vec![0; cells],
            completing_cells: 0,
            fours: std::array::from_fn(|_| vec![0; cells]),
            four_windows: 0,
            three_windows: 0,
            lines: 0,
        };
        let mut position = Position {
            tables: tables.clone(),
            moves: Vec::with_capacity(cells),
            owner: vec![None; cells],
            sides: [side.clone(), side],
            potential: 0,
            stones_near: vec![0; cells],
        };
        // With k = 3 an empty window already counts as one with k-3 stones.
        for window in 0..tables.geometry.windows.len() {
            position.count_patterns(window, 1);
        }
        position
    }

    /// The position after `moves`, played in turn from the empty board.
    pub fn from_moves(tables: &Arc<Tables>, moves: &[Cell]) -> Result<Position, IllegalMove> {
        let mut position = Position::new(tables);
        moves.iter().try_for_each(|&cell| position.play(cell))?;
        Ok(position)
    }

    /// Tables of the configuration.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// Moves so far.
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// Number of stones.
    pub fn stones(&self) -> usize {
        self.moves.len()
    }

    /// Side to move: 0 or 1.
    pub fn side_to_move(&self) -> usize {
        self.moves.len() % 2
    }

    /// Owner of a cell's stone.
    pub fn owner(&self, cell: Cell) -> Option<usize> {
        self.owner[cell as usize].map(usize::from)
    }

    /// Whether the cell is empty.
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.owner[cell as usize].is_none()
    }

    /// Whether every cell holds a stone.
    pub fn is_full(&self) -> bool {
        self.moves.len() == self.owner.len()
    }

    /// Side that holds a line of k, if any.
    pub fn winner(&self) -> Option<usize> {
        (0..2).find(|&side| self.sides[side].lines > 0)
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.is_full() || self.winner().is_some()
    }

    /// Whether the cell is a candidate: empty, and near a stone or on the empty board.
    pub fn is_candidate(&self, cell: Cell) -> bool {
        self.is_empty(cell) && (self.stones_near[cell as usize] > 0 || self.moves.is_empty())
    }

    /// All candidates, by index.
    pub fn candidates(&self) -> Vec<Cell> {
        (0..self.tables.geometry.cells() as Cell).filter(|&cell| self.is_candidate(cell)).collect()
    }

    /// Potential difference for the side to move, points.
    pub fn potential(&self) -> i32 {
        if self.side_to_move() == 0 { self.potential } else { -self.potential }
    }

    /// Gain of an empty cell for `side`, points.
    pub fn gain(&self, side: usize, cell: Cell) -> i32 {
        self.sides[side].gain[cell as usize]
    }

    /// Whether playing the cell completes a line of `side`.
    pub fn completes(&self, side: usize, cell: Cell) -> bool {
        self.sides[side].completions[cell as usize] > 0
    }

    /// The completing cell of `side` with the smallest index.
    pub fn completing_cell(&self, side: usize) -> Option<Cell> {
        (0..self.tables.geometry.cells() as Cell).find(|&cell| self.completes(side, cell))
    }

    /// Number of completing cells of `side`.
    pub fn completing_cells(&self, side: usize) -> usize {
        self.sides[side].completing_cells
    }

    /// Whether playing the empty cell makes a four: it lies in a clean window with k-2 stones of `side`.
    pub fn makes_four(&self, side: usize, cell: Cell) -> bool {
        self.sides[side].fours.iter().any(|direction| direction[cell as usize] > 0)
    }

    /// Whether the empty cell is a double cell of `side`: two completions at once.
    pub fn is_double(&self, side: usize, cell: Cell) -> bool {
        let counts = &self.sides[side];
        if counts.four_windows < 2 || !self.is_empty(cell) {
            return false;
        }
        let directions = counts.fours.iter().filter(|direction| direction[cell as usize] > 0).count();
        directions >= 2
            || (directions == 1
                && (0..DIRECTION_COUNT).any(|d| {
                    counts.fours[d][cell as usize] > 0
                        && self.in_open_span(side, d, cell, self.tables.config.in_a_row - 2)
                }))
    }

    /// Whether `side` has a double cell.
    pub fn has_double(&self, side: usize) -> bool {
        self.sides[side].four_windows >= 2
            && (0..self.owner.len() as Cell).any(|cell| self.is_double(side, cell))
    }

    /// Whether the empty cell makes a four in one direction and an open three in another, for `side`.
    pub fn is_four_three(&self, side: usize, cell: Cell) -> bool {
        let k = self.tables.config.in_a_row;
        let counts = &self.sides[side];
        if k < 4 || counts.four_windows == 0 || counts.three_windows < 2 || !self.is_empty(cell) {
            return false;
        }
        (0..DIRECTION_COUNT).any(|four| {
            counts.fours[four][cell as usize] > 0
                && (0..DIRECTION_COUNT)
                    .any(|three| three != four && self.in_open_span(side, three, cell, k - 3))
        })
    }

    /// Whether `side` has a cell that makes a four in one direction and an open three in another.
    pub fn has_four_three(&self, side: usize) -> bool {
        (0..self.owner.len() as Cell).any(|cell| self.is_four_three(side, cell))
    }

    /// Whether the cell lies between the empty ends of two neighbouring clean windows of `direction`, each with
    /// `stones` stones of `side`.
    fn in_open_span(&self, side: usize, direction: usize, cell: Cell, stones: usize) -> bool {
        let geometry = &self.tables.geometry;
        let (k, stride) = (geometry.in_a_row, geometry.stride(direction));
        let clean = |window: u16| {
            self.sides[side].stones[window as usize] as usize == stones
                && self.sides[1 - side].stones[window as usize] == 0
        };
        (1..k).any(|offset| {
            let Some(start) = (cell as usize).checked_sub(offset * stride) else { return false };
            let Some(first) = geometry.window_at[direction][start] else { return false };
            // The window must reach the cell along its own line; index arithmetic alone could leave the row.
            if geometry.windows[first as usize].cells[offset] != cell {
                return false;
            }
            let Some(Some(second)) = geometry.window_at[direction].get(start + stride).copied() else {
                return false;
            };
            clean(first)
                && clean(second)
                && self.is_empty(start as Cell)
                && self.is_empty((start + k * stride) as Cell)
        })
    }

    /// Checks that a move may be played.
    pub fn check(&self, cell: Cell) -> Result<(), IllegalMove> {
        let point = self.tables.geometry.point(cell);
        if cell as usize >= self.owner.len() {
            let (columns, rows) = (self.tables.geometry.columns, self.tables.geometry.rows);
            return Err(IllegalMove::Outside { x: point.x, y: point.y, columns, rows });
        }
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if !self.is_empty(cell) {
            return Err(IllegalMove::Occupied { x: point.x, y: point.y });
        }
        Ok(())
    }

    /// Plays a move for the side to move.
    pub fn play(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        self.check(cell)?;
        self.place(cell);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Cell> {
        let cell = self.moves.last().copied()?;
        self.remove();
        Some(cell)
    }

    /// Plays a move known to be legal, a search's own; any other is for [`Position::play`], which looks.
    pub fn place(&mut self, cell: Cell) {
        let side = self.side_to_move();
        self.moves.push(cell);
        self.owner[cell as usize] = Some(side as u8);
        self.change_windows(cell, side, 1);
        let tables = self.tables.clone();
        for &near in &tables.geometry.neighbours[cell as usize] {
            self.stones_near[near as usize] += 1;
        }
    }

    /// Takes back what [`Position::place`] has played.
    pub fn remove(&mut self) {
        let cell = self.moves.pop().expect("there is a move to take back");
        let side = self.side_to_move();
        self.change_windows(cell, side, -1);
        self.owner[cell as usize] = None;
        let tables = self.tables.clone();
        for &near in &tables.geometry.neighbours[cell as usize] {
            self.stones_near[near as usize] -= 1;
        }
    }

    /// Looks at the position as it would be with one more stone of a side on an empty cell, whoever's turn it is: gains and patterns are
    /// those with it, moves and candidates those without.
    pub fn with_stone<T>(&mut self, side: usize, cell: Cell, look: impl FnOnce(&mut Position) -> T) -> T {
        self.owner[cell as usize] = Some(side as u8);
        self.change_windows(cell, side, 1);
        let seen = look(self);
        self.change_windows(cell, side, -1);
        self.owner[cell as usize] = None;
        seen
    }

    /// Adds (`step` = 1) or removes (-1) a stone of `side` in every window through `cell`. The cell holds the stone.
    fn change_windows(&mut self, cell: Cell, side: usize, step: i8) {
        let tables = self.tables.clone();
        for &window in &tables.geometry.windows_of[cell as usize] {
            let w = window as usize;
            let before = [self.sides[0].stones[w] as usize, self.sides[1].stones[w] as usize];
            // Completing cells are found by looking for the empty cell: hide the stone in the state without it.
            if step > 0 {
                self.owner[cell as usize] = None;
            }
            self.count_patterns(w, -1);
            self.owner[cell as usize] = if step > 0 { Some(side as u8) } else { None };
            self.sides[side].stones[w] = (self.sides[side].stones[w] as i8 + step) as u8;
            let after = [self.sides[0].stones[w] as usize, self.sides[1].stones[w] as usize];
            self.count_patterns(w, 1);
            if step < 0 {
                self.owner[cell as usize] = Some(side as u8);
            }
            self.potential +=
                tables.window_potential[after[0]][after[1]] - tables.window_potential[before[0]][before[1]];
            for s in 0..2 {
                let change =
                    tables.window_gain[after[s]][after[1 - s]] - tables.window_gain[before[s]][before[1 - s]];
                if change != 0 {
                    for &other in &tables.geometry.windows[w].cells {
                        self.sides[s].gain[other as usize] += change;
                    }
                }
            }
        }
    }

    /// Adds (`sign` = 1) or removes (-1) what the window contributes to the pattern counts.
    fn count_patterns(&mut self, window: usize, sign: i8) {
        let tables = self.tables.clone();
        let (k, cells) = (tables.config.in_a_row, &tables.geometry.windows[window].cells);
        let bump = |count: &mut usize| *count = count.wrapping_add_signed(sign as isize);
        for s in 0..2 {
            if self.sides[1 - s].stones[window] > 0 {
                continue;
            }
            let stones = self.sides[s].stones[window] as usize;
            let owner = &self.owner;
            let counts = &mut self.sides[s];
            if stones == k {
                bump(&mut counts.lines);
            } else if stones == k - 1 {
                let hole =
                    cells.iter().find(|&&c| owner[c as usize].is_none()).expect("k-1 of k cells are taken");
                let count = &mut counts.completions[*hole as usize];
                let had = *count > 0;
                *count = count.wrapping_add_signed(sign);
                if had != (*count > 0) {
                    bump(&mut counts.completing_cells);
                }
            } else if stones == k - 2 {
                bump(&mut counts.four_windows);
                let direction = &mut counts.fours[tables.geometry.windows[window].direction];
                for &cell in cells {
                    direction[cell as usize] = direction[cell as usize].wrapping_add_signed(sign);
                }
            } else if stones + 3 == k {
                bump(&mut counts.three_windows);
            }
        }
    }
}
