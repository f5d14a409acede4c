// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast search: alpha-beta in static order over an incrementally kept position, with exact bounds above leaves.
//!
//! Values are half-points for the side to move. The steps carry the rule numbers of the search contract.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use crate::evaluation::{
    Ceilings, Outcome, Picked, Remaining, ceilings, evaluate, floor, is_covered, ordered_moves,
};
use crate::geometry::Cell;
use crate::position::Position;
use crate::stop::Stop;

/// How far a returned value can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The node's value.
    Exact,
    /// At most this.
    Upper,
    /// At least this.
    Lower,
}

/// What the root decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootDecision {
    /// The move.
    pub cell: Cell,
    /// Its value for the side to move, half-points.
    pub score: i32,
}

/// Work done, by ply below the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes evaluated at each ply.
    pub nodes_at_ply: Vec<u64>,
    /// Moves dropped by the exact upper bound at each ply of the parent.
    pub bounded_at_ply: Vec<u64>,
    /// Nodes left at each ply because their first move is worth enough in any case.
    pub floored_at_ply: Vec<u64>,
}

fn bump(counts: &mut Vec<u64>, ply: usize) {
    if counts.len() <= ply {
        counts.resize(ply + 1, 0);
    }
    counts[ply] += 1;
}

impl Counters {
    /// Nodes evaluated in all.
    pub fn nodes(&self) -> u64 {
        self.nodes_at_ply.iter().sum()
    }
}

/// Where a node stands in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodePlace {
    /// Moves from the root, forced replies included (p).
    pub ply: usize,
    /// Levels and extensions left (d, x).
    pub remaining: Remaining,
}

/// The fast search over one position.
pub struct Search<'a> {
    position: &'a mut Position,
    levels: usize,
    /// Work done so far.
    pub counters: Counters,
    stop: Option<&'a Stop>,
    stopped: bool,
    /// Nodes until the next look at the flag.
    until_look: u32,
}

/// Nodes between two looks at the stop flag.
const LOOK: u32 = 256;

impl<'a> Search<'a> {
    /// A search of `levels` levels; the position is as before when it ends.
    pub fn new(position: &'a mut Position, levels: usize) -> Search<'a> {
        let counters = Counters::default();
        Search { position, levels, counters, stop: None, stopped: false, until_look: LOOK }
    }

    /// The same search, ended by this flag: what it says then means nothing.
    pub fn stopped_by(self, stop: &'a Stop) -> Search<'a> {
        Search { stop: Some(stop), ..self }
    }

    /// Whether the flag has ended it.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether to go on; looks at the flag now and then.
    fn goes_on(&mut self) -> bool {
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = LOOK;
            self.stopped |= self.stop.is_some_and(Stop::is_set);
        }
        !self.stopped
    }

    /// The root's decision, or `None` when the game is over.
    pub fn decide(&mut self) -> Option<RootDecision> {
        if self.position.is_over() {
            return None;
        }
        let tables = self.position.tables().clone();
        let remaining = Remaining { depth: self.levels, extensions: tables.config.extensions };
        let evaluation = evaluate(self.position, remaining);
        bump(&mut self.counters.nodes_at_ply, 0);
        let best = evaluation.best?;
        let infinity = tables.scoring.win_score;
        if self.position.stones() == 0 {
            return Some(RootDecision { cell: best.cell, score: 0 });
        }
        let score = match evaluation.outcome {
            Outcome::Win => tables.scoring.win_at(1),
            Outcome::Loss => -tables.scoring.win_at(2),
            Outcome::Double => tables.scoring.win_at(3),
            Outcome::Forced => {
                let place = NodePlace { ply: 0, remaining };
                self.forced_reply(place, best.cell, -infinity, infinity)
            }
            Outcome::Open | Outcome::Full | Outcome::Lost => {
                let mut decision: Option<RootDecision> = None;
                let (moves, least) = self.beam_moves(0);
                for cell in moves {
                    let alpha = decision.map_or(-infinity, |d| d.score);
                    let child =
                        NodePlace { ply: 1, remaining: Remaining { depth: self.levels - 1, ..remaining } };
                    let score = self.child(cell.cell, child, alpha, infinity);
                    if decision.is_none_or(|d| score > d.score) {
                        decision = Some(RootDecision { cell: cell.cell, score });
                    }
                }
                return decision.map(|d| RootDecision { score: d.score.max(least), ..d });
            }
        };
        Some(RootDecision { cell: best.cell, score })
    }

    /// What a move of the root is worth, as the child that it is in a search of these levels: exact, half-points for the side that moves.
    /// Any empty cell is one, also outside of the root's set.
    pub fn worth_of(&mut self, cell: Cell) -> i32 {
        let tables = self.position.tables();
        let (infinity, extensions) = (tables.scoring.win_score, tables.config.extensions);
        let remaining = Remaining { depth: self.levels - 1, extensions };
        self.child(cell, NodePlace { ply: 1, remaining }, -infinity, infinity)
    }

    /// The moves of rule 6 in static order, cut to the beam of a node `used` levels below the root, and what the node is worth at
    /// least: where a move that is not among them may save it, it is no proved loss.
    fn beam_moves(&self, used: usize) -> (Vec<Picked>, i32) {
        let mut moves = ordered_moves(self.position);
        let tables = self.position.tables();
        let beam = tables.config.beam_at(used);
        let cut = beam > 0 && moves.len() > beam;
        if cut {
            moves.truncate(beam);
        }
        let proved = !cut && is_covered(self.position);
        (moves, if proved { i32::MIN } else { -tables.scoring.unproved })
    }

    /// Minus the value of the node after `cell`, within (alpha, beta) of the side to move now.
    fn child(&mut self, cell: Cell, place: NodePlace, alpha: i32, beta: i32) -> i32 {
        self.position.place(cell);
        let value = -self.value(place, -beta, -alpha);
        self.position.remove();
        value
    }

    /// Rule 3: the forced reply costs an extension, else a level, else the node is a leaf (not called then).
    fn forced_reply(&mut self, place: NodePlace, cell: Cell, alpha: i32, beta: i32) -> i32 {
        let Remaining { depth, extensions } = place.remaining;
        let remaining = if extensions > 0 {
            Remaining { depth, extensions: extensions - 1 }
        } else {
            Remaining { depth: depth - 1, extensions: 0 }
        };
        self.child(cell, NodePlace { ply: place.ply + 1, remaining }, alpha, beta)
    }

    /// Value of the current position as a node at `place`: exact inside (alpha, beta), else a bound on its side
    /// (fail-soft).
    pub fn value(&mut self, place: NodePlace, alpha: i32, beta: i32) -> i32 {
        if !self.goes_on() {
            return 0;
        }
        let tables = self.position.tables().clone();
        let Remaining { depth, extensions } = place.remaining;
        bump(&mut self.counters.nodes_at_ply, place.ply);
        let evaluation = evaluate(self.position, place.remaining);
        match evaluation.outcome {
            Outcome::Full => return 0,
            Outcome::Win => return tables.scoring.win_at(place.ply + 1),
            Outcome::Loss => return -tables.scoring.win_at(place.ply + 2),
            Outcome::Forced if extensions > 0 || depth > 0 => {
                let cell = evaluation.best.expect("a forced node has its cell").cell;
                return self.forced_reply(place, cell, alpha, beta);
            }
            Outcome::Forced => return evaluation.leaf_value,
            Outcome::Double => return tables.scoring.win_at(place.ply + 3),
            Outcome::Lost => return -tables.scoring.win_at(place.ply),
            Outcome::Open if depth == 0 => return evaluation.leaf_value,
            Outcome::Open => {}
        }
        // Rule 6.
        // The first move alone may be enough, and its leaf need not be looked at.
        if depth == 1
            && let Some(floor) = floor(self.position, place.remaining, &evaluation)
            && floor >= beta
        {
            bump(&mut self.counters.floored_at_ply, place.ply);
            return floor;
        }
        let bounded = depth == 1 && tables.config.has_bound();
        let one_empty = self.position.stones() + 1 == tables.geometry.cells();
        let child = NodePlace { ply: place.ply + 1, remaining: Remaining { depth: depth - 1, extensions } };
        let mut best = i32::MIN;
        let mut known: Option<Option<Ceilings>> = None;
        let (moves, least) = self.beam_moves(self.levels - depth);
        for mv in moves {
            let upper = 2 * (evaluation.potential + mv.gain);
            if bounded && !mv.makes_four && !one_empty && upper <= alpha.max(best) {
                bump(&mut self.counters.bounded_at_ply, place.ply);
                best = best.max(upper);
                continue;
            }
            // Two levels above leaves one reply may refute a move.
            if depth == 2 && best > i32::MIN {
                let known = known.get_or_insert_with(|| {
                    ceilings(self.position, place.remaining, &evaluation, self.levels)
                });
                let limit = alpha.max(best);
                let ceiling = known.as_ref().and_then(|known| known.within(self.position, &mv, limit));
                if let Some(ceiling) = ceiling {
                    bump(&mut self.counters.bounded_at_ply, place.ply);
                    best = best.max(ceiling);
                    continue;
                }
            }
            best = best.max(self.child(mv.cell, child, alpha.max(best), beta));
            if best >= beta || self.stopped {
                break;
            }
        }
        best.max(least)
    }

    /// The value of the current position as a node at `place`, whatever it is.
    pub fn exact_value(&mut self, place: NodePlace) -> i32 {
        let infinity = self.position.tables().scoring.win_score;
        self.value(place, -infinity, infinity)
    }
}
