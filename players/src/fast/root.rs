// SPDX-License-Identifier: MIT OR Apache-2.0
//! The root: static rules, then its moves on one thread or split among several.
//!
//! Several threads split two nodes of a search, one after the other: the one behind the root's first move, whose window is open and
//! which holds about half of the tree (Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975), then the root itself. Of each the
//! first move comes first, as everywhere below.

use super::board::{Board, Tables, bits};
use super::lanes::Lane;
use super::patterns::{COMPLETES, DOUBLE_IN_LINE, MAKES_FOUR, is_double};
use super::pool::{Pool, Work, wait_until};
use super::search::{MoveKey, Searcher, Verdict};
use crate::SoftwareResult;
use engine_model::config::Config;
use engine_model::evaluation::Remaining;
use engine_model::geometry::Cell;
use engine_model::search::{NodePlace, RootDecision};
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// A move of a split node may start before the results of this many moves ahead of it are known. A constant, so that every
/// window, and with it every node count, is the same for any number of threads.
const MOVES_IN_FLIGHT: usize = 3;

/// A search of any board size, as [`super::FastEngine`] holds it.
pub trait RootSearch: Send {
    /// Takes the position after `moves`.
    fn set(&mut self, moves: &[Cell]);
    /// Searches it, a game that is not over, with `levels` levels.
    fn decide(&mut self, levels: usize) -> SoftwareResult;
}

/// The searchers of one configuration: one of the calling thread, the others of a pool's.
pub struct Root<G, const N: usize, const W: usize, const L: usize> {
    tables: Arc<Tables<G, N, W, L>>,
    board: Board<G, N, W, L>,
    searcher: Searcher<G, N, W, L>,
    others: Option<(Arc<Split<G, N, W, L>>, Pool)>,
}

/// A score that is not known yet.
const UNKNOWN: i32 = i32::MIN;

/// What the threads of a search share.
struct Split<G, const N: usize, const W: usize, const L: usize> {
    tables: Arc<Tables<G, N, W, L>>,
    task: RwLock<Task<G, N, W, L>>,
    /// Scores of the node's moves by their place in static order.
    scores: Vec<AtomicI32>,
    /// The next move that nobody has taken.
    next: AtomicUsize,
    /// Nodes of the pool's threads.
    nodes: AtomicU64,
}

/// A node whose window is open, its moves in static order, and where their children lie.
struct Task<G, const N: usize, const W: usize, const L: usize> {
    board: Board<G, N, W, L>,
    levels: usize,
    moves: Vec<MoveKey>,
    child: NodePlace,
}

impl<G: Lane, const N: usize, const W: usize, const L: usize> Split<G, N, W, L> {
    /// The best score of the moves that `index` depends on, once they are known.
    fn best_before(&self, index: usize) -> Option<i32> {
        let needed = index.saturating_sub(MOVES_IN_FLIGHT).max(index.min(1));
        let score = |score: &AtomicI32| {
            wait_until(|| score.load(Ordering::Acquire) != UNKNOWN);
            score.load(Ordering::Relaxed)
        };
        self.scores[..needed].iter().map(score).max()
    }

    /// Searches moves that nobody has taken until there is none. A move's alpha comes from moves earlier in static order alone, so a
    /// tie never beats them.
    fn search(&self, searcher: &mut Searcher<G, N, W, L>) {
        let (tables, infinity) = (&*self.tables, self.tables.scoring.win_score);
        let task = self.task.read().unwrap_or_else(PoisonError::into_inner);
        searcher.boards[task.child.ply - 1] = task.board;
        searcher.levels = task.levels;
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&key) = task.moves.get(index) else { return };
            let alpha = self.best_before(index).unwrap_or(-infinity);
            let score = searcher.child(tables, tables.cell_of(key), task.child, alpha, infinity);
            self.scores[index].store(score, Ordering::Release);
        }
    }

    /// A thread of the pool.
    fn work(self: &Arc<Self>, vector: bool) -> Work
    where
        G: Send + Sync + 'static,
    {
        let split = self.clone();
        let mut searcher = Searcher::new(&split.tables, vector);
        Box::new(move || {
            searcher.nodes = 0;
            split.search(&mut searcher);
            split.nodes.fetch_add(searcher.nodes, Ordering::Relaxed);
        })
    }
}

impl<G: Lane + Send + Sync + 'static, const N: usize, const W: usize, const L: usize> Root<G, N, W, L> {
    /// A search of a checked configuration whose board fits, on so many threads.
    pub fn new(config: &Config, vector: bool, threads: usize) -> Root<G, N, W, L> {
        let tables = Arc::new(Tables::new(config));
        let others = (threads > 1).then(|| {
            let child = NodePlace { ply: 1, remaining: Remaining { depth: 0, extensions: 0 } };
            let split = Arc::new(Split {
                tables: tables.clone(),
                task: RwLock::new(Task { board: tables.empty, levels: 1, moves: Vec::new(), child }),
                scores: (0..tables.cells).map(|_| AtomicI32::new(UNKNOWN)).collect(),
                next: AtomicUsize::new(0),
                nodes: AtomicU64::new(0),
            });
            let pool = Pool::new((1..threads).map(|_| split.work(vector)).collect());
            (split, pool)
        });
        let searcher = Searcher::new(&tables, vector);
        Root { board: tables.empty, tables, searcher, others }
    }
}

/// Searches `moves` in turn; each must beat the best before it.
fn search_in_turn<G: Lane, const N: usize, const W: usize, const L: usize>(
    tables: &Tables<G, N, W, L>,
    searcher: &mut Searcher<G, N, W, L>,
    moves: &[MoveKey],
    child: NodePlace,
) -> Option<RootDecision> {
    let infinity = tables.scoring.win_score;
    let mut decision: Option<RootDecision> = None;
    for &key in moves {
        let alpha = decision.map_or(-infinity, |d| d.score);
        let score = searcher.child(tables, tables.cell_of(key), child, alpha, infinity);
        if score > alpha {
            decision = Some(RootDecision { cell: tables.cell_of(key) as Cell, score });
        }
    }
    decision
}

/// Splits the moves of the node above `child` among all threads, the calling one being the first; `known` is the first one's score
/// where it has been searched.
fn search_split<G: Lane, const N: usize, const W: usize, const L: usize>(
    (split, pool): (&Split<G, N, W, L>, &Pool),
    searcher: &mut Searcher<G, N, W, L>,
    moves: Vec<MoveKey>,
    child: NodePlace,
    known: Option<i32>,
) -> Option<RootDecision> {
    split.scores[..moves.len()].iter().for_each(|score| score.store(UNKNOWN, Ordering::Relaxed));
    if let Some(score) = known {
        split.scores[0].store(score, Ordering::Relaxed);
    }
    split.next.store(known.iter().len(), Ordering::Relaxed);
    let task = Task { board: searcher.boards[child.ply - 1], levels: searcher.levels, moves, child };
    *split.task.write().unwrap_or_else(PoisonError::into_inner) = task;
    // Unless it is known, every other move waits for the first: the threads are awake by then.
    pool.begin();
    split.search(searcher);
    pool.finish();
    let task = split.task.read().unwrap_or_else(PoisonError::into_inner);
    // A score that did not exceed its alpha is at most that of an earlier move: the first largest one is exact.
    let mut decision: Option<RootDecision> = None;
    for (&key, score) in task.moves.iter().zip(&split.scores) {
        let score = score.load(Ordering::Acquire);
        if decision.is_none_or(|d| score > d.score) {
            decision = Some(RootDecision { cell: split.tables.cell_of(key) as Cell, score });
        }
    }
    decision
}

/// The score of the root's first move, whose replies are split; none where rules decide the reply or leaves follow it.
fn search_first<G: Lane, const N: usize, const W: usize, const L: usize>(
    others: (&Split<G, N, W, L>, &Pool),
    searcher: &mut Searcher<G, N, W, L>,
    first: MoveKey,
    child: NodePlace,
) -> Option<i32> {
    let NodePlace { ply, remaining } = child;
    if remaining.depth < 2 {
        return None;
    }
    let tables = &*others.0.tables;
    let (root, below) = searcher.boards.split_at_mut(ply);
    below[0].follow(tables, &root[ply - 1], tables.cell_of(first));
    let scan = searcher.boards[ply].scan();
    let Verdict::Open = searcher.verdict(tables, ply, scan) else { return None };
    searcher.nodes += 1;
    let (replies, least) = searcher.ordered_moves(tables, ply, remaining.depth, scan);
    let reply = NodePlace { ply: ply + 1, remaining: Remaining { depth: remaining.depth - 1, ..remaining } };
    search_split(others, searcher, replies, reply, None).map(|decision| -decision.score.max(least))
}

impl<G: Lane + Send + Sync + 'static, const N: usize, const W: usize, const L: usize> RootSearch
    for Root<G, N, W, L>
{
    fn set(&mut self, moves: &[Cell]) {
        self.board = self.tables.empty;
        for &cell in moves {
            let parent = self.board;
            self.board.follow(&self.tables, &parent, cell.into());
        }
    }

    fn decide(&mut self, levels: usize) -> SoftwareResult {
        let Root { tables, board, searcher, others } = self;
        let (tables, board) = (&**tables, *board);
        searcher.levels = levels;
        searcher.boards[0] = board;
        searcher.nodes = 1;
        let (scoring, infinity) = (&tables.scoring, tables.scoring.win_score);
        let remaining = Remaining { depth: levels, extensions: tables.config.extensions };
        let scan = board.scan();
        let (side, opponent) = (board.side(), 1 - board.side());
        let decided = |cell: Option<Cell>, score| cell.map(|cell| RootDecision { cell, score });
        let completing = |side| board.cells_with(side, COMPLETES);
        let decision = match searcher.verdict(tables, 0, scan) {
            _ if board.stones == 0 => decided(searcher.first_of(tables, 0, board.candidates), 0),
            Verdict::Full => None,
            Verdict::Win => decided(searcher.first_of(tables, 0, completing(side)), scoring.win_at(1)),
            Verdict::Loss => decided(searcher.first_of(tables, 0, completing(opponent)), -scoring.win_at(2)),
            Verdict::Double => {
                let mut doubles = [0; W];
                for cell in bits(board.cells_with(side, DOUBLE_IN_LINE | MAKES_FOUR)) {
                    doubles[cell / 64] |= u64::from(is_double(board.flags[side][cell])) << (cell % 64);
                }
                decided(searcher.first_of(tables, 0, doubles), scoring.win_at(3))
            }
            Verdict::Forced(cell) => {
                let score =
                    searcher.forced_reply(tables, NodePlace { ply: 0, remaining }, cell, -infinity, infinity);
                Some(RootDecision { cell: cell as Cell, score })
            }
            Verdict::Open => {
                let (keys, least) = searcher.ordered_moves(tables, 0, levels, scan);
                let child = NodePlace { ply: 1, remaining: Remaining { depth: levels - 1, ..remaining } };
                let decision = match others {
                    None => search_in_turn(tables, searcher, &keys, child),
                    Some((split, pool)) => {
                        let first =
                            keys.first().and_then(|&key| search_first((split, pool), searcher, key, child));
                        search_split((split, pool), searcher, keys, child, first)
                    }
                };
                decision.map(|d| RootDecision { score: d.score.max(least), ..d })
            }
        };
        let elsewhere = others.as_ref().map_or(0, |(split, _)| split.nodes.swap(0, Ordering::Relaxed));
        SoftwareResult { decision, nodes: searcher.nodes + elsewhere }
    }
}
