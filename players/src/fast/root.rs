// SPDX-License-Identifier: MIT OR Apache-2.0
//! The root: static rules, then its moves on one thread or split among several.

use super::board::{Tables, bits};
use super::lanes::Lane;
use super::patterns::{COMPLETES, DOUBLE_IN_LINE, MAKES_FOUR, is_double};
use super::search::{MoveKey, Searcher, Verdict};
use crate::SoftwareResult;
use engine_model::config::Config;
use engine_model::evaluation::Remaining;
use engine_model::geometry::Cell;
use engine_model::search::{NodePlace, RootDecision};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// A root move may start before the results of this many moves ahead of it are known. A constant, so that every
/// window, and with it every node count, is the same for any number of threads.
const MOVES_IN_FLIGHT: usize = 4;

/// A search of any board size, as [`super::FastEngine`] holds it.
pub trait RootSearch: Send {
    /// Searches the position after `moves`, a game that is not over, with `levels` levels on `threads` threads.
    fn decide(&mut self, moves: &[Cell], levels: usize, threads: usize) -> SoftwareResult;
}

/// The searchers of one configuration, one per thread.
pub struct Root<G, const N: usize, const W: usize, const L: usize> {
    tables: Tables<G, N, W, L>,
    searchers: Vec<Searcher<G, N, W, L>>,
    vector: bool,
}

/// Scores of the root's moves by their place in static order, as far as they are known.
struct Scores {
    known: Mutex<Vec<Option<i32>>>,
    changed: Condvar,
}

impl Scores {
    /// Waits until the moves that `index` depends on are known and returns their best score.
    fn best_before(&self, index: usize) -> Option<i32> {
        let needed = index.saturating_sub(MOVES_IN_FLIGHT).max(index.min(1));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        while known[..needed].iter().any(Option::is_none) {
            known = self.changed.wait(known).unwrap_or_else(PoisonError::into_inner);
        }
        known[..needed].iter().copied().flatten().max()
    }

    fn set(&self, index: usize, score: i32) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(score);
        self.changed.notify_all();
    }
}

impl<G: Lane, const N: usize, const W: usize, const L: usize> Root<G, N, W, L> {
    /// A search of a checked configuration whose board fits.
    pub fn new(config: &Config, vector: bool) -> Root<G, N, W, L> {
        Root { tables: Tables::new(config), searchers: Vec::new(), vector }
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

/// Splits `moves` among the searchers, the calling thread being the first. A move's alpha comes from moves earlier in
/// static order alone, so a tie never beats them.
fn search_split<G: Lane, const N: usize, const W: usize, const L: usize>(
    tables: &Tables<G, N, W, L>,
    searchers: &mut [Searcher<G, N, W, L>],
    moves: &[MoveKey],
    child: NodePlace,
) -> Option<RootDecision> {
    let scores = Scores { known: Mutex::new(vec![None; moves.len()]), changed: Condvar::new() };
    let next = AtomicUsize::new(0);
    let search_next = |searcher: &mut Searcher<G, N, W, L>| {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(&key) = moves.get(index) else { return false };
        let alpha = scores.best_before(index).unwrap_or(-tables.scoring.win_score);
        let score = searcher.child(tables, tables.cell_of(key), child, alpha, tables.scoring.win_score);
        scores.set(index, score);
        true
    };
    let (first, others) = searchers.split_first_mut()?;
    // Every other move waits for the first: threads started before would idle.
    search_next(first);
    let helpers = others.len().min(moves.len().saturating_sub(2));
    std::thread::scope(|scope| {
        for other in &mut others[..helpers] {
            other.boards[0] = first.boards[0];
            scope.spawn(|| while search_next(other) {});
        }
        while search_next(first) {}
    });
    let known = scores.known.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A score that did not exceed its alpha is at most that of an earlier move: the first largest one is exact.
    let mut decision: Option<RootDecision> = None;
    for (&key, score) in moves.iter().zip(known) {
        if let Some(score) = score
            && decision.is_none_or(|d| score > d.score)
        {
            decision = Some(RootDecision { cell: tables.cell_of(key) as Cell, score });
        }
    }
    decision
}

impl<G: Lane, const N: usize, const W: usize, const L: usize> RootSearch for Root<G, N, W, L> {
    fn decide(&mut self, moves: &[Cell], levels: usize, threads: usize) -> SoftwareResult {
        let Root { tables, searchers, vector } = self;
        let tables = &*tables;
        while searchers.len() < threads {
            searchers.push(Searcher::new(tables, *vector));
        }
        let searchers = &mut searchers[..threads];
        let mut board = tables.empty;
        for &cell in moves {
            let parent = board;
            board.follow(tables, &parent, cell.into());
        }
        for searcher in searchers.iter_mut() {
            searcher.nodes = 0;
            searcher.levels = levels;
        }
        let searcher = &mut searchers[0];
        searcher.boards[0] = board;
        searcher.nodes = 1;
        let (scoring, infinity) = (&tables.scoring, tables.scoring.win_score);
        let remaining = Remaining { depth: levels, extensions: tables.config.extensions };
        let scan = board.scan();
        let (side, opponent) = (board.side(), 1 - board.side());
        let decided = |cell: Option<Cell>, score| cell.map(|cell| RootDecision { cell, score });
        let completing = |side| board.cells_with(side, COMPLETES);
        let decision = match searcher.verdict(tables, 0, scan) {
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
                let keys = searcher.root_moves(tables, scan);
                let child = NodePlace { ply: 1, remaining: Remaining { depth: levels - 1, ..remaining } };
                if threads == 1 {
                    search_in_turn(tables, searcher, &keys, child)
                } else {
                    search_split(tables, searchers, &keys, child)
                }
            }
        };
        let nodes = searchers.iter().map(|searcher| searcher.nodes).sum();
        SoftwareResult { decision, nodes }
    }
}
