// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells, directions and windows of an (m,n,k) board.

/// Index of a cell: y * columns + x.
pub type Cell = u16;

/// A cell by column (from the left) and row (from the top), both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Column from the left.
    pub x: usize,
    /// Row from the top.
    pub y: usize,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The four directions as steps (dx, dy): row, column, diagonal down-right, diagonal down-left.
pub const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// Number of directions.
pub const DIRECTION_COUNT: usize = DIRECTIONS.len();

/// k consecutive cells in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Index into [`DIRECTIONS`].
    pub direction: usize,
    /// The k cells; the first is the one with the smallest index.
    pub cells: Vec<Cell>,
}

/// Everything about the board that does not change during a game.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Columns m.
    pub columns: usize,
    /// Rows n.
    pub rows: usize,
    /// Stones in a row k.
    pub in_a_row: usize,
    /// Candidate radius r.
    pub radius: usize,
    /// All windows, by direction, then by first cell.
    pub windows: Vec<Window>,
    /// Per direction and cell: the window that starts there, if any.
    pub window_at: [Vec<Option<u16>>; DIRECTION_COUNT],
    /// Per cell: the windows through it.
    pub windows_of: Vec<Vec<u16>>,
    /// Per cell: the other cells within the candidate radius.
    pub neighbours: Vec<Vec<Cell>>,
    /// Cells from the centre outward: by (2x-(m-1))^2 + (2y-(n-1))^2, then by index.
    pub by_rank: Vec<Cell>,
    /// Per cell: its place in `by_rank`.
    pub rank: Vec<u16>,
}

impl Geometry {
    /// Builds the tables of a board of `columns` x `rows`, `in_a_row` to win.
    pub fn new(columns: usize, rows: usize, in_a_row: usize, radius: usize) -> Geometry {
        let cells = columns * rows;
        let mut windows = Vec::new();
        let mut window_at: [Vec<Option<u16>>; DIRECTION_COUNT] = std::array::from_fn(|_| vec![None; cells]);
        let mut windows_of = vec![Vec::new(); cells];
        for (direction, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
            for (start, window_here) in window_at[direction].iter_mut().enumerate() {
                let (x, y) = ((start % columns) as isize, (start / columns) as isize);
                let reach = in_a_row as isize - 1;
                let (end_x, end_y) = (x + dx * reach, y + dy * reach);
                if end_x < 0 || end_x >= columns as isize || end_y >= rows as isize {
                    continue;
                }
                let id = windows.len() as u16;
                let members: Vec<Cell> = (0..in_a_row as isize)
                    .map(|i| ((y + dy * i) * columns as isize + x + dx * i) as Cell)
                    .collect();
                for &cell in &members {
                    windows_of[cell as usize].push(id);
                }
                *window_here = Some(id);
                windows.push(Window { direction, cells: members });
            }
        }
        let mut by_rank: Vec<Cell> = (0..cells as Cell).collect();
        by_rank.sort_by_key(|&cell| {
            let (x, y) = ((cell as usize % columns) as isize, (cell as usize / columns) as isize);
            let (from_x, from_y) = (2 * x - (columns as isize - 1), 2 * y - (rows as isize - 1));
            (from_x * from_x + from_y * from_y, cell)
        });
        let mut rank = vec![0; cells];
        for (place, &cell) in by_rank.iter().enumerate() {
            rank[cell as usize] = place as u16;
        }
        let neighbours = (0..cells)
            .map(|cell| {
                let (x, y) = (cell % columns, cell / columns);
                (0..cells)
                    .filter(|&other| {
                        let (ox, oy) = (other % columns, other / columns);
                        other != cell && ox.abs_diff(x) <= radius && oy.abs_diff(y) <= radius
                    })
                    .map(|other| other as Cell)
                    .collect()
            })
            .collect();
        Geometry {
            columns,
            rows,
            in_a_row,
            radius,
            windows,
            window_at,
            windows_of,
            neighbours,
            by_rank,
            rank,
        }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// Distance in cell indices between neighbours of a line in `direction` (always positive).
    pub fn stride(&self, direction: usize) -> usize {
        let (dx, dy) = DIRECTIONS[direction];
        (dy * self.columns as isize + dx) as usize
    }

    /// Column and row of a cell.
    pub fn point(&self, cell: Cell) -> Point {
        Point { x: cell as usize % self.columns, y: cell as usize / self.columns }
    }

    /// Cell of a column and row, if on the board.
    pub fn cell(&self, x: usize, y: usize) -> Option<Cell> {
        (x < self.columns && y < self.rows).then(|| (y * self.columns + x) as Cell)
    }

    /// Largest number of windows through one cell.
    pub fn max_windows_of_a_cell(&self) -> usize {
        self.windows_of.iter().map(Vec::len).max().unwrap_or(0)
    }
}
