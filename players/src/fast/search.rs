// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search below the root: alpha-beta over copied boards, the last level computed without making its moves.
//!
//! The steps carry the rule numbers of the search contract; values are half-points for the side to move.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use super::board::{Board, Scan, Tables, bits};
use super::lanes::Lane;
use super::patterns::{COMPLETES, DOUBLE_IN_LINE, MAKES_FOUR, is_double};
use engine_model::config::RuleSet;
use engine_model::evaluation::Remaining;
use engine_model::geometry::Cell;
use engine_model::search::NodePlace;

/// A move as one number that sorts by static order, the first move being the largest: its gain, then its rank
/// counted down in the low bits. Positive; 0 is no move.
pub type MoveKey = i32;

/// Bits of the rank, and the value that ranks are counted down from. A gain takes 17 bits at most.
const RANK_BITS: u32 = 9;
const LAST_RANK: MoveKey = (1 << RANK_BITS) - 1;

/// Move lists are filled up with no moves to a multiple of this, so that they can be compared as vectors.
const KEY_LANES: usize = 8;

/// What a node of rule 6 is worth at least, no beam considered: see `evaluation::is_covered`.
#[inline(always)]
fn least<G, const N: usize, const W: usize, const L: usize>(
    tables: &Tables<G, N, W, L>,
    restricted: bool,
    scan: Scan,
) -> i32 {
    if restricted || scan.other & COMPLETES != 0 { i32::MIN } else { -tables.scoring.unproved }
}

/// The largest key of a filled-up list below `limit`, 0 if there is none.
#[inline(always)]
fn next_below(keys: &[MoveKey], limit: MoveKey) -> MoveKey {
    let mut best = [0; KEY_LANES];
    for chunk in keys.as_chunks::<KEY_LANES>().0 {
        for (best, &key) in best.iter_mut().zip(chunk) {
            *best = (*best).max(if key < limit { key } else { 0 });
        }
    }
    best.into_iter().fold(0, MoveKey::max)
}

/// What the static rules say of a node.
pub enum Verdict {
    /// Rule 0.
    Full,
    /// Rule 1: the mover's completing cells.
    Win,
    /// Rule 2.
    Loss,
    /// Rule 3: the only move.
    Forced(usize),
    /// Rule 4.
    Double,
    /// None of them.
    Open,
}

/// What the moves of one node have in common.
struct Branch {
    /// Place of the nodes after them.
    child: NodePlace,
    /// Whether the exact upper bound holds: the children are leaves, rules 2 and 3 are on, no move fills the board.
    bounded: bool,
    /// Whether a leaf after a move that makes no four has only its potential and best gain. The opponent's doubles
    /// and four-threes may outlive the move: such leaves are evaluated on their own board.
    plain_leaves: bool,
}

/// One searcher: a board per ply and its counters.
pub struct Searcher<G, const N: usize, const W: usize, const L: usize> {
    /// The board after each move from the root, as far as the path goes.
    pub boards: Vec<Board<G, N, W, L>>,
    /// A board with the opponent's reply on it, while moves are looked at that it may refute.
    pub answered: Board<G, N, W, L>,
    /// Move lists by ply, kept for their memory.
    lists: Vec<Vec<MoveKey>>,
    pub levels: usize,
    /// Nodes evaluated.
    pub nodes: u64,
    /// Whether the processor has the instructions of the vector build.
    vector: bool,
}

/// Whether the processor has what the vector build is compiled for.
fn has_vector_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// The node's body compiled with AVX2 and bit manipulation; same results.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn node_with_vectors<G: Lane, const N: usize, const W: usize, const L: usize>(
    searcher: &mut Searcher<G, N, W, L>,
    tables: &Tables<G, N, W, L>,
    cell: usize,
    place: NodePlace,
    alpha: i32,
    beta: i32,
) -> i32 {
    searcher.node(tables, cell, place, alpha, beta)
}

impl<G, const N: usize, const W: usize, const L: usize> Tables<G, N, W, L> {
    /// The cell of a move key.
    #[inline(always)]
    pub fn cell_of(&self, key: MoveKey) -> usize {
        self.by_rank[(LAST_RANK - (key & LAST_RANK)) as usize].into()
    }
}

impl<G: Lane, const N: usize, const W: usize, const L: usize> Searcher<G, N, W, L> {
    /// A searcher at the empty board; with `vector` unset it uses no instruction beyond the build's target.
    pub fn new(tables: &Tables<G, N, W, L>, vector: bool) -> Searcher<G, N, W, L> {
        let plies = tables.config.max_path() + 1;
        Searcher {
            boards: vec![tables.empty; plies],
            answered: tables.empty,
            lists: (0..plies).map(|_| Vec::with_capacity(tables.cells)).collect(),
            levels: 1,
            nodes: 0,
            vector: vector && has_vector_instructions(),
        }
    }

    /// Static rules 0 to 4 for the board at `ply`.
    #[inline(always)]
    pub fn verdict(&self, tables: &Tables<G, N, W, L>, ply: usize, scan: Scan) -> Verdict {
        let board = &self.boards[ply];
        let rules = tables.config.rules;
        if board.stones == tables.cells {
            return Verdict::Full;
        }
        if scan.own & COMPLETES != 0 {
            return Verdict::Win;
        }
        if rules >= RuleSet::Forced && scan.other & COMPLETES != 0 {
            let mut threats = bits(board.cells_with(1 - board.side(), COMPLETES));
            return match (threats.next(), threats.next()) {
                (Some(only), None) => Verdict::Forced(only),
                _ => Verdict::Loss,
            };
        }
        if rules >= RuleSet::Double && self.has_double(ply, board.side(), scan.own) {
            return Verdict::Double;
        }
        Verdict::Open
    }

    /// Whether `side`, with `union` of its flags, has a double cell.
    #[inline(always)]
    fn has_double(&self, ply: usize, side: usize, union: u16) -> bool {
        union & DOUBLE_IN_LINE != 0 || is_double(union) && self.boards[ply].any(side, is_double)
    }

    /// Leaf value of the board at `ply`.
    #[inline(always)]
    fn leaf_value(&self, tables: &Tables<G, N, W, L>, ply: usize, scan: Scan) -> i32 {
        let (scoring, board) = (&tables.scoring, &self.boards[ply]);
        let four_three = scoring.four_three_bonus > 0
            && scan.other & COMPLETES == 0
            && board.has_four_three(board.side(), scan.own);
        scoring.leaf_value(board.potential(), scan.best_gain, four_three)
    }

    /// A cell of the board at `ply` as a move of its side to move.
    #[inline(always)]
    pub fn key(&self, tables: &Tables<G, N, W, L>, ply: usize, cell: usize) -> MoveKey {
        let board = &self.boards[ply];
        let gain: i32 = board.gain[board.side()][cell].into();
        (gain as MoveKey) << RANK_BITS | (LAST_RANK - MoveKey::from(tables.rank[cell]))
    }

    /// Cells of rule 6 before the beam.
    #[inline(always)]
    pub fn move_cells(&self, ply: usize, restricted: bool) -> [u64; W] {
        let board = &self.boards[ply];
        if !restricted {
            return board.candidates;
        }
        let fours = |side| board.cells_with(side, MAKES_FOUR);
        let (mine, theirs) = (fours(0), fours(1));
        std::array::from_fn(|word| mine[word] | theirs[word])
    }

    /// Whether rule 6 restricts the moves of the board at `ply`.
    #[inline(always)]
    pub fn is_restricted(&self, tables: &Tables<G, N, W, L>, ply: usize, scan: Scan) -> bool {
        tables.config.rules >= RuleSet::Restricted
            && self.has_double(ply, 1 - self.boards[ply].side(), scan.other)
    }

    /// Rule 3: the reply costs an extension, else a level.
    #[inline(always)]
    pub fn forced_reply(
        &mut self,
        tables: &Tables<G, N, W, L>,
        place: NodePlace,
        cell: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Remaining { depth, extensions } = place.remaining;
        let remaining = match extensions {
            0 => Remaining { depth: depth - 1, extensions },
            _ => Remaining { depth, extensions: extensions - 1 },
        };
        self.child(tables, cell, NodePlace { ply: place.ply + 1, remaining }, alpha, beta)
    }

    /// Minus the value of the node `place` after `cell` on the board one ply above it: exact inside (alpha, beta) of
    /// the side that plays `cell`, else a bound on its side.
    pub fn child(
        &mut self,
        tables: &Tables<G, N, W, L>,
        cell: usize,
        place: NodePlace,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.vector {
            // SAFETY: `vector` is set only where the processor was found to have these instructions.
            return unsafe { -node_with_vectors(self, tables, cell, place, -beta, -alpha) };
        }
        -self.node(tables, cell, place, -beta, -alpha)
    }

    #[inline(always)]
    fn node(
        &mut self,
        tables: &Tables<G, N, W, L>,
        cell: usize,
        place: NodePlace,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes += 1;
        let (above, below) = self.boards.split_at_mut(place.ply);
        below[0].follow(tables, &above[place.ply - 1], cell);
        let NodePlace { ply, remaining: Remaining { depth, extensions } } = place;
        let scan = self.boards[ply].scan();
        match self.verdict(tables, ply, scan) {
            Verdict::Full => return 0,
            Verdict::Win => return tables.scoring.win_at(ply + 1),
            Verdict::Loss => return -tables.scoring.win_at(ply + 2),
            Verdict::Forced(cell) if depth > 0 || extensions > 0 => {
                return self.forced_reply(tables, place, cell, alpha, beta);
            }
            Verdict::Forced(_) => return self.leaf_value(tables, ply, scan),
            Verdict::Double => return tables.scoring.win_at(ply + 3),
            Verdict::Open if depth == 0 => return self.leaf_value(tables, ply, scan),
            Verdict::Open => {}
        }
        // Rule 6.
        let mut list = std::mem::take(&mut self.lists[ply]);
        let value = self.moves(tables, place, scan, &mut list, alpha, beta);
        self.lists[ply] = list;
        value
    }

    /// Makes `list` the moves to `cells`, filled up.
    #[inline(always)]
    fn fill(&self, tables: &Tables<G, N, W, L>, ply: usize, list: &mut Vec<MoveKey>, cells: [u64; W]) {
        list.clear();
        for (index, mut word) in cells.into_iter().enumerate() {
            while word != 0 {
                list.push(self.key(tables, ply, index * 64 + word.trailing_zeros() as usize));
                word &= word - 1;
            }
        }
        while !list.len().is_multiple_of(KEY_LANES) {
            list.push(0);
        }
    }

    /// Number of moves in the beam of a node with `depth` levels left.
    #[inline(always)]
    pub fn beam(&self, tables: &Tables<G, N, W, L>, depth: usize) -> usize {
        match tables.config.beam_at(self.levels - depth) {
            0 => usize::MAX,
            beam => beam,
        }
    }

    /// Rule 6: the moves of a node in static order. Without a beam the first moves are tried before the rest is
    /// looked at: most nodes end there.
    #[inline(always)]
    fn moves(
        &mut self,
        tables: &Tables<G, N, W, L>,
        place: NodePlace,
        scan: Scan,
        list: &mut Vec<MoveKey>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let NodePlace { ply, remaining: Remaining { depth, extensions } } = place;
        let (side, stones) = (self.boards[ply].side(), self.boards[ply].stones);
        let other_double =
            tables.config.rules >= RuleSet::Double && self.has_double(ply, 1 - side, scan.other);
        let restricted = tables.config.rules >= RuleSet::Restricted && other_double;
        let bounded = depth == 1 && tables.config.rules >= RuleSet::Forced && stones + 1 < tables.cells;
        let four_three = tables.scoring.four_three_bonus > 0;
        let branch = Branch {
            child: NodePlace { ply: ply + 1, remaining: Remaining { depth: depth - 1, extensions } },
            bounded,
            plain_leaves: bounded
                && !other_double
                && !(four_three && self.boards[ply].has_four_three(1 - side, scan.other)),
        };
        if branch.plain_leaves {
            // What the first move is worth at least may be enough: see `evaluation::floor`.
            let floor = self.floor(tables, ply, scan, extensions);
            if floor >= beta {
                return floor;
            }
        }
        let beam = self.beam(tables, depth);
        let least = least(tables, restricted, scan);
        let full_width = beam == usize::MAX;
        let mut left = self.move_cells(ply, restricted);
        let mut best = i32::MIN;
        if full_width && !restricted {
            let first = self.boards[ply].cells_above(side, scan.best_gain - 1);
            for word in 0..W {
                let mut cells = left[word] & first[word];
                left[word] ^= cells;
                while cells != 0 {
                    let cell = word * 64 + cells.trailing_zeros() as usize;
                    cells &= cells - 1;
                    best = best.max(self.after(tables, &branch, cell, alpha.max(best), beta));
                    if best >= beta {
                        return best;
                    }
                }
            }
        }
        if full_width && bounded {
            left = self.above_bound(ply, scan, left, alpha.max(best));
            best = best.max(alpha);
        }
        if full_width && !restricted {
            let limit = alpha.max(best);
            let kept = self.unrefuted(tables, place, scan, left, limit);
            // What is refuted is worth no more.
            if kept != left {
                (left, best) = (kept, limit);
            }
        }
        self.fill(tables, ply, list, left);
        let mut key = MoveKey::MAX;
        for _ in 0..beam {
            key = next_below(list, key);
            if key == 0 {
                return best.max(least);
            }
            best = best.max(self.after(tables, &branch, tables.cell_of(key), alpha.max(best), beta));
            if best >= beta {
                return best;
            }
        }
        // A move that the beam has cut may save the node: it is no proved loss.
        if next_below(list, key) != 0 { best.max(-tables.scoring.unproved) } else { best.max(least) }
    }

    /// What the first move is worth at least where leaves are plain; `i32::MIN` where it may be answered by rule.
    #[inline(always)]
    fn floor(&self, tables: &Tables<G, N, W, L>, ply: usize, scan: Scan, extensions: usize) -> i32 {
        let board = &self.boards[ply];
        let (fours, gain) = (scan.own & MAKES_FOUR != 0, scan.best_gain);
        if fours && extensions > 0 {
            return i32::MIN;
        }
        // Whichever cell it is that has the best gain: it may make a four.
        let lost = match tables.scoring.half_gain {
            true => board.largest_gain(1 - board.side()) + tables.scoring.growth(gain, fours),
            false => 0,
        };
        2 * (board.potential() + gain) - lost
    }

    /// Minus the value of the node after a move.
    #[inline(always)]
    fn after(
        &mut self,
        tables: &Tables<G, N, W, L>,
        branch: &Branch,
        cell: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if branch.bounded {
            self.last_move(tables, branch, cell, alpha, beta)
        } else {
            self.child(tables, cell, branch.child, alpha, beta)
        }
    }

    /// Those of `cells` whose exact upper bound, 2 (potential + gain), exceeds `floor`, or that make a four.
    #[inline(always)]
    fn above_bound(&self, ply: usize, scan: Scan, cells: [u64; W], floor: i32) -> [u64; W] {
        let board = &self.boards[ply];
        let gains = board.cells_above(board.side(), floor.div_euclid(2) - board.potential());
        let fours = match scan.own & MAKES_FOUR {
            0 => [0; W],
            _ => board.cells_with(board.side(), MAKES_FOUR),
        };
        std::array::from_fn(|word| cells[word] & (gains[word] | fours[word]))
    }

    /// A move one level above the leaves, rules 2 and 3 on: most leaves follow from the board above them and the
    /// move's own lines.
    #[inline(always)]
    fn last_move(
        &mut self,
        tables: &Tables<G, N, W, L>,
        branch: &Branch,
        cell: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let board = &self.boards[branch.child.ply - 1];
        let (side, opponent) = (board.side(), 1 - board.side());
        let gain: i32 = board.gain[side][cell].into();
        let upper = 2 * (board.potential() + gain);
        if board.flags[side][cell] & MAKES_FOUR == 0 {
            // Exact upper bounds: the opponent's potential, then also half of its best gain elsewhere.
            let untouched = if upper > alpha && tables.scoring.half_gain {
                board.best_untouched(tables, opponent, cell)
            } else {
                0
            };
            if upper - untouched <= alpha {
                return upper - untouched;
            }
            if branch.plain_leaves {
                self.nodes += 1;
                let touched = match tables.scoring.half_gain {
                    true => tables.best_reply_gain(board, cell, side),
                    false => 0,
                };
                return upper - untouched.max(touched);
            }
        }
        self.child(tables, cell, branch.child, alpha, beta)
    }

    /// All moves of the open node at `ply`, with `depth` levels left, in static order, cut to the beam, and what it is worth at least:
    /// no proved loss where a move that is not among them may save it.
    pub fn ordered_moves(
        &self,
        tables: &Tables<G, N, W, L>,
        ply: usize,
        depth: usize,
        scan: Scan,
    ) -> (Vec<MoveKey>, i32) {
        let restricted = self.is_restricted(tables, ply, scan);
        let cells = self.move_cells(ply, restricted);
        let mut keys: Vec<MoveKey> = bits(cells).map(|cell| self.key(tables, ply, cell)).collect();
        keys.sort_unstable_by(|a, b| b.cmp(a));
        let beam = self.beam(tables, depth);
        let least =
            if keys.len() > beam { -tables.scoring.unproved } else { least(tables, restricted, scan) };
        keys.truncate(beam);
        (keys, least)
    }

    /// First cell of a set in static order, for the side to move of the board at `ply`.
    pub fn first_of(&self, tables: &Tables<G, N, W, L>, ply: usize, cells: [u64; W]) -> Option<Cell> {
        bits(cells).map(|cell| self.key(tables, ply, cell)).max().map(|key| tables.cell_of(key) as Cell)
    }
}
