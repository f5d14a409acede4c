// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board as structure of arrays, one lane per cell: copied to the next ply and changed there, never undone.

use super::lanes::{CHUNK, Lane, has_bit};
use super::patterns::{Entry, MAKES_FOUR, OPEN_THREE, Patterns, is_four_three};
use engine_model::config::Config;
use engine_model::geometry::{Cell, DIRECTION_COUNT, Geometry};
use engine_model::scoring::Scoring;

/// Where a cell lies in its line of one direction.
#[derive(Clone, Copy, Default)]
struct LinePlace {
    /// Which line.
    line: u16,
    /// Cells of the line before it.
    at: u8,
}

/// From a move to a cell on one of its lines.
#[derive(Clone, Copy)]
struct Step {
    direction: usize,
    /// In cells.
    distance: usize,
}

/// Constant tables of one configuration for boards of at most N cells, W words of 64 cells and L lines.
pub struct Tables<G, const N: usize, const W: usize, const L: usize> {
    pub config: Config,
    pub scoring: Scoring,
    /// Cells from the centre outward.
    pub by_rank: Vec<Cell>,
    /// Per cell: its place in `by_rank`.
    pub rank: Vec<u16>,
    pub cells: usize,
    patterns: Patterns,
    /// Stones that can share a window lie at most this far apart: k-1.
    reach: usize,
    stride: [usize; DIRECTION_COUNT],
    places: Vec<[LinePlace; DIRECTION_COUNT]>,
    neighbours: Vec<Vec<Cell>>,
    near_bits: Vec<[u64; W]>,
    /// Neighbours within the candidate radius that lie on no line of the cell within its reach.
    off_line: Vec<Vec<Cell>>,
    /// Lanes that a stone on the cell does not touch: -1, else 0.
    pub untouched: Vec<[G; N]>,
    /// Cells that share a line with the cell, close enough for a window.
    pub in_reach: Vec<[u64; W]>,
    /// The empty board.
    pub empty: Board<G, N, W, L>,
}

/// One position.
#[derive(Clone, Copy)]
pub struct Board<G, const N: usize, const W: usize, const L: usize> {
    /// Per side and cell: gain in points, 0 under a stone.
    pub gain: [[G; N]; 2],
    /// Per side and cell: flags of [`super::patterns`], 0 under a stone.
    pub flags: [[u16; N]; 2],
    /// -1 where a stone is within the candidate radius (stones included), else 0.
    pub near: [G; N],
    /// Candidates, one bit each.
    pub candidates: [u64; W],
    occupied: [u64; W],
    /// Per line and side: stones from bit 0; beyond the line's end both sides' bits are set.
    lines: [[u32; 2]; L],
    /// Potential difference seen from side 0, points.
    potential: i32,
    /// Number of stones.
    pub stones: usize,
}

/// What one pass over all lanes finds.
#[derive(Clone, Copy)]
pub struct Scan {
    /// Union of the mover's flags.
    pub own: u16,
    /// Union of the opponent's flags.
    pub other: u16,
    /// Largest gain of the mover over the candidates, 0 without one.
    pub best_gain: i32,
}

/// The set bits of a bitboard, from the lowest.
#[inline(always)]
pub fn bits<const W: usize>(words: [u64; W]) -> impl Iterator<Item = usize> {
    words.into_iter().enumerate().flat_map(|(index, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| index * 64 + word.trailing_zeros() as usize);
            word &= word.wrapping_sub(1);
            bit
        })
    })
}

impl<G: Lane, const N: usize, const W: usize, const L: usize> Tables<G, N, W, L> {
    /// Tables of a checked configuration whose board fits.
    pub fn new(config: &Config) -> Tables<G, N, W, L> {
        let geometry = config.geometry();
        let scoring = Scoring::new(config, &geometry);
        let (cells, reach) = (geometry.cells(), config.in_a_row - 1);
        let patterns = Patterns::new(&scoring, config.in_a_row);
        let mut tables = Tables {
            config: config.clone(),
            scoring,
            by_rank: geometry.by_rank.clone(),
            rank: geometry.rank.clone(),
            cells,
            patterns,
            reach,
            stride: std::array::from_fn(|direction| geometry.stride(direction)),
            places: vec![Default::default(); cells],
            neighbours: geometry.neighbours.clone(),
            near_bits: vec![[0; W]; cells],
            off_line: vec![Vec::new(); cells],
            untouched: vec![[G::from(-1); N]; cells],
            in_reach: vec![[0; W]; cells],
            empty: Board {
                gain: [[G::default(); N]; 2],
                flags: [[0; N]; 2],
                near: [G::from(-1); N],
                candidates: [0; W],
                occupied: [0; W],
                lines: [[u32::MAX; 2]; L],
                potential: 0,
                stones: 0,
            },
        };
        tables.lay_lines(&geometry);
        for cell in 0..cells {
            for &near in &geometry.neighbours[cell] {
                tables.near_bits[cell][near as usize / 64] |= 1 << (near % 64);
                if tables.untouched[cell][near as usize] != G::default() {
                    tables.off_line[cell].push(near);
                    tables.untouched[cell][near as usize] = G::default();
                }
            }
            tables.empty.candidates[cell / 64] |= 1 << (cell % 64);
            for direction in 0..DIRECTION_COUNT {
                let LinePlace { line, at } = tables.places[cell][direction];
                let around = tables.extended(tables.empty.lines[line as usize]).map(|side| side >> at);
                tables.empty.change(cell, tables.entry(around), Entry::default(), direction);
            }
        }
        tables
    }

    /// Numbers the lines and marks what a stone touches along them.
    fn lay_lines(&mut self, geometry: &Geometry) {
        let mut line = 0;
        for direction in 0..DIRECTION_COUNT {
            let (dx, dy) = engine_model::geometry::DIRECTIONS[direction];
            let step = |cell: usize, sign: isize| {
                let point = geometry.point(cell as Cell);
                let x = point.x.checked_add_signed(sign * dx)?;
                geometry.cell(x, point.y.checked_add_signed(sign * dy)?)
            };
            for first in 0..self.cells {
                if step(first, -1).is_some() {
                    continue;
                }
                let members: Vec<usize> =
                    std::iter::successors(Some(first), |&cell| step(cell, 1).map(usize::from)).collect();
                for (at, &cell) in members.iter().enumerate() {
                    self.places[cell][direction] = LinePlace { line, at: at as u8 };
                    let (from, to) = (at.saturating_sub(self.reach), members.len().min(at + self.reach + 1));
                    for &touched in &members[from..to] {
                        self.untouched[cell][touched] = G::default();
                        self.in_reach[cell][touched / 64] |= 1 << (touched % 64);
                    }
                }
                self.empty.lines[line as usize] = [u32::MAX << members.len(); 2];
                line += 1;
            }
        }
    }

    /// A line with its borders: bit i + k-1 is cell i, beyond both ends both sides' bits are set.
    #[inline(always)]
    fn extended(&self, line: [u32; 2]) -> [u64; 2] {
        line.map(|side| (u64::from(side) | !u64::from(u32::MAX)) << self.reach | ((1 << self.reach) - 1))
    }

    /// The entry of the neighbourhood that begins at bit 0.
    #[inline(always)]
    fn entry(&self, around: [u64; 2]) -> Entry {
        self.patterns.entry(around.map(|side| side & ((1 << (2 * self.reach + 1)) - 1)))
    }

    /// Calls `visit` with each empty cell whose neighbourhoods a stone of `side` on `cell` changes, the way there and
    /// the entry before and after.
    #[inline(always)]
    fn touched(
        &self,
        board: &Board<G, N, W, L>,
        cell: usize,
        side: usize,
        mut visit: impl FnMut(usize, Step, Entry, Entry),
    ) {
        for direction in 0..DIRECTION_COUNT {
            let LinePlace { line, at } = self.places[cell][direction];
            let line = self.extended(board.lines[line as usize % L]);
            let window = (1u64 << (2 * self.reach + 1)) - 1;
            let mut empty = !((line[0] | line[1]) >> at) & window & !(1 << self.reach);
            while empty != 0 {
                let offset = empty.trailing_zeros() as usize;
                empty &= empty - 1;
                let start = at as usize + offset - self.reach;
                let before = line.map(|side| side >> start);
                let mut after = before;
                after[side] |= 1 << (2 * self.reach - offset);
                let touched = cell + offset * self.stride[direction] - self.reach * self.stride[direction];
                let distance = offset.abs_diff(self.reach);
                visit(touched, Step { direction, distance }, self.entry(before), self.entry(after));
            }
        }
    }

    /// Largest gain of the opponent over the candidates that a stone of `side` on `cell` touches.
    #[inline(always)]
    pub fn best_reply_gain(&self, board: &Board<G, N, W, L>, cell: usize, side: usize) -> i32 {
        let opponent = 1 - side;
        let gain = &board.gain[opponent];
        let mut best = 0;
        let radius = self.config.candidate_radius;
        for &off_line in &self.off_line[cell] {
            best = best.max(gain[off_line as usize].into());
        }
        self.touched(board, cell, side, |touched, step, before, after| {
            if step.distance <= radius || board.near[touched] != G::default() {
                let change = i32::from(after.gain[opponent]) - i32::from(before.gain[opponent]);
                best = best.max(gain[touched].into() + change);
            }
        });
        best
    }
}

impl<G: Lane, const N: usize, const W: usize, const L: usize> Board<G, N, W, L> {
    /// Replaces one direction's entry of a cell.
    #[inline(always)]
    fn change(&mut self, cell: usize, after: Entry, before: Entry, direction: usize) {
        for side in 0..2 {
            self.gain[side][cell] += G::from(after.gain[side].wrapping_sub(before.gain[side]));
            self.flags[side][cell] ^= (after.flags[side] ^ before.flags[side]) << direction;
        }
    }

    /// Side to move.
    #[inline(always)]
    pub fn side(&self) -> usize {
        self.stones % 2
    }

    /// Potential difference for the side to move, points.
    #[inline(always)]
    pub fn potential(&self) -> i32 {
        if self.side() == 0 { self.potential } else { -self.potential }
    }

    /// Becomes `parent` with a move of its side to move on an empty cell.
    #[inline(always)]
    pub fn follow(&mut self, tables: &Tables<G, N, W, L>, parent: &Board<G, N, W, L>, cell: usize) {
        self.follow_with(tables, parent, cell, parent.side());
    }

    /// The same with a stone of any side.
    #[inline(always)]
    pub fn follow_with(
        &mut self,
        tables: &Tables<G, N, W, L>,
        parent: &Board<G, N, W, L>,
        cell: usize,
        side: usize,
    ) {
        // Field by field: copies of this size are faster in parts.
        let Board { gain, flags, near, candidates, occupied, lines, potential, stones } = self;
        gain.copy_from_slice(&parent.gain);
        flags.copy_from_slice(&parent.flags);
        near.copy_from_slice(&parent.near);
        lines.copy_from_slice(&parent.lines);
        (*candidates, *occupied) = (parent.candidates, parent.occupied);
        (*potential, *stones) = (parent.potential, parent.stones);
        let gain: i32 = self.gain[side][cell].into();
        self.potential += if side == 0 { gain } else { -gain };
        tables.touched(parent, cell, side, |touched, step, before, after| {
            self.change(touched, after, before, step.direction);
        });
        for direction in 0..DIRECTION_COUNT {
            let LinePlace { line, at } = tables.places[cell][direction];
            self.lines[line as usize % L][side] |= 1 << at;
        }
        for side in 0..2 {
            self.gain[side][cell] = G::default();
            self.flags[side][cell] = 0;
        }
        if self.stones == 0 {
            // Only on the empty board is every cell a candidate.
            self.near = [G::default(); N];
            self.candidates = [0; W];
        }
        for &near in &tables.neighbours[cell] {
            self.near[near as usize] = G::from(-1);
        }
        self.occupied[cell / 64] |= 1 << (cell % 64);
        for word in 0..W {
            self.candidates[word] =
                (self.candidates[word] | tables.near_bits[cell][word]) & !self.occupied[word];
        }
        self.stones += 1;
    }

    /// One pass over all lanes.
    #[inline(always)]
    pub fn scan(&self) -> Scan {
        let side = self.side();
        let best_gain = self.best_gain(side);
        let (mut own, mut other) = (0, 0);
        for (&mine, &theirs) in self.flags[side].iter().zip(&self.flags[1 - side]) {
            own |= mine;
            other |= theirs;
        }
        Scan { own, other, best_gain }
    }

    /// Largest gain of `side` over the candidates, 0 without one.
    #[inline(always)]
    fn best_gain(&self, side: usize) -> i32 {
        let mut best = G::default();
        for (&gain, &near) in self.gain[side].iter().zip(&self.near) {
            best = best.max(gain & near);
        }
        best.into()
    }

    /// Whether `side`, with `union` of its flags, has a four-three cell.
    #[inline(always)]
    pub fn has_four_three(&self, side: usize, union: u16) -> bool {
        union & MAKES_FOUR != 0
            && union & OPEN_THREE != 0
            && is_four_three(union)
            && self.any(side, is_four_three)
    }

    /// A candidate with the largest gain of `side` among them, and that.
    #[inline(always)]
    pub fn best_candidate(&self, side: usize) -> Option<(usize, i32)> {
        let best = self.best_gain(side);
        let first = self.cells_above(side, best - 1);
        let cells = std::array::from_fn(|word| first[word] & self.candidates[word]);
        bits::<W>(cells).next().map(|cell| (cell, best))
    }

    /// Largest gain of `side`.
    #[inline(always)]
    pub fn largest_gain(&self, side: usize) -> i32 {
        self.gain[side].iter().fold(G::default(), |best, &gain| best.max(gain)).into()
    }

    /// Largest gain of `side` over the candidates that a stone on `cell` does not touch.
    #[inline(always)]
    pub fn best_untouched(&self, tables: &Tables<G, N, W, L>, side: usize, cell: usize) -> i32 {
        let mut best = G::default();
        for ((&gain, &near), &untouched) in
            self.gain[side].iter().zip(&self.near).zip(&tables.untouched[cell])
        {
            best = best.max(gain & near & untouched);
        }
        best.into()
    }

    /// Whether any cell's flags satisfy `test`.
    #[inline(always)]
    pub fn any(&self, side: usize, test: impl Fn(u16) -> bool) -> bool {
        let mut found = false;
        for &flags in &self.flags[side] {
            found |= test(flags);
        }
        found
    }

    /// Cells of `side` with a flag of `mask`, one bit each.
    #[inline(always)]
    pub fn cells_with(&self, side: usize, mask: u16) -> [u64; W] {
        chunk_bits(&self.flags[side], |lanes| has_bit(lanes, mask))
    }

    /// Cells whose gain for `side` exceeds `threshold`, one bit each.
    #[inline(always)]
    pub fn cells_above(&self, side: usize, threshold: i32) -> [u64; W] {
        chunk_bits(&self.gain[side], |lanes| G::above(lanes, threshold))
    }
}

/// One bit per lane from `test` of each chunk.
#[inline(always)]
fn chunk_bits<T, const N: usize, const W: usize>(
    lanes: &[T; N],
    test: impl Fn(&[T; CHUNK]) -> u16,
) -> [u64; W] {
    const { assert!(N.is_multiple_of(CHUNK) && N <= W * 64) };
    let mut found = [0; W];
    for (index, chunk) in lanes.as_chunks().0.iter().enumerate() {
        found[index * CHUNK / 64] |= u64::from(test(chunk)) << (index * CHUNK % 64);
    }
    found
}
