// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the evaluator says of one node. The RTL's evaluator pipeline returns exactly these fields.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use crate::config::RuleSet;
use crate::geometry::Cell;
use crate::position::Position;

/// The first static rule that fits, numbered as in the search contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    /// No rule of 0 to 4 fits.
    Open = 0,
    /// Rule 0: the board is full.
    Full = 1,
    /// Rule 1: the mover completes a line.
    Win = 2,
    /// Rule 2: the opponent has two or more completing cells.
    Loss = 3,
    /// Rule 3: the opponent has exactly one completing cell.
    Forced = 4,
    /// Rule 4: the mover has a double cell.
    Double = 5,
    /// The opponent already holds a line (only a root can).
    Lost = 6,
}

impl Outcome {
    /// All outcomes by code.
    pub const ALL: [Outcome; 7] = [
        Outcome::Open,
        Outcome::Full,
        Outcome::Win,
        Outcome::Loss,
        Outcome::Forced,
        Outcome::Double,
        Outcome::Lost,
    ];

    /// Its name in small letters.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// The outcome with this code.
    pub fn from_code(code: u8) -> Option<Outcome> {
        Outcome::ALL.get(code as usize).copied()
    }
}

/// A cell that the evaluator picked, with its gain in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The cell.
    pub cell: Cell,
    /// Its gain for the side to move, points.
    pub gain: i32,
    /// Whether playing it makes a four.
    pub makes_four: bool,
}

/// The evaluator's answer for one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEvaluation {
    /// First rule that fits.
    pub outcome: Outcome,
    /// First cell in static order of: completing cells of the mover, else of the opponent, else double cells, else the
    /// moves of rule 6 (candidates at depth 0). At depth 0 without extensions always of the candidates.
    pub best: Option<Picked>,
    /// Leaf value in half-points with G = gain of `best` (0 without one).
    pub leaf_value: i32,
    /// Potential difference for the side to move, points.
    pub potential: i32,
}

/// How much search remains below a node; decides which set of cells the leaf value looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Levels left (d of the contract).
    pub depth: usize,
    /// Extensions left (x of the contract).
    pub extensions: usize,
}

/// Whether the first cell precedes the second in static order; both given as (gain, rank).
fn precedes(a: (i32, u16), b: (i32, u16)) -> bool {
    a.0 > b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// Empty cells that satisfy `pick`, first in static order of `side`'s gains.
fn first_in_order(position: &Position, side: usize, pick: impl Fn(Cell) -> bool) -> Option<Picked> {
    let geometry = &position.tables().geometry;
    let mut best: Option<(i32, u16)> = None;
    for cell in 0..geometry.cells() as Cell {
        if !position.is_empty(cell) || !pick(cell) {
            continue;
        }
        let key = (position.gain(side, cell), geometry.rank[cell as usize]);
        if best.is_none_or(|b| precedes(key, b)) {
            best = Some(key);
        }
    }
    best.map(|(gain, rank)| picked(position, side, geometry.by_rank[rank as usize], gain))
}

fn picked(position: &Position, side: usize, cell: Cell, gain: i32) -> Picked {
    Picked { cell, gain, makes_four: position.makes_four(side, cell) }
}

/// Whether rule 6 restricts the moves of this node: the opponent threatens a double.
pub fn is_restricted(position: &Position) -> bool {
    position.tables().config.rules >= RuleSet::Restricted && position.has_double(1 - position.side_to_move())
}

/// Whether the moves of rule 6 hold every move that may save the node, so that all of them losing proves it lost.
///
/// They do in two cases. The opponent has a completing cell (a node of rule 6 only in the rule set `none`): a move elsewhere loses at
/// once, and the cell has a stone beside it, k-1 >= 2 of them in its window, so it is a candidate. Or the moves are restricted: a move
/// outside of every window with k-2 stones leaves the opponent its double cell and makes no four, so it loses in four plies.
///
/// They need not where the moves are the candidates: the one cell that stops two lines of the opponent may have no stone beside it.
/// Such a node is worth at least minus [`Scoring::unproved`](crate::scoring::Scoring::unproved), as is one whose moves a beam has cut.
pub fn is_covered(position: &Position) -> bool {
    position.completing_cells(1 - position.side_to_move()) > 0 || is_restricted(position)
}

/// Whether a node that loses by all moves of rule 6 is not proved lost by that: it is open, and not covered.
pub fn is_unproved(position: &Position, evaluation: &NodeEvaluation) -> bool {
    evaluation.outcome == Outcome::Open && !is_covered(position)
}

/// Whether rule 6 has the cell among the node's moves.
fn is_move(position: &Position, restricted: bool, cell: Cell) -> bool {
    if restricted {
        position.is_empty(cell) && (position.makes_four(0, cell) || position.makes_four(1, cell))
    } else {
        position.is_candidate(cell)
    }
}

/// The moves of rule 6 in static order, before the beam.
pub fn ordered_moves(position: &Position) -> Vec<Picked> {
    let side = position.side_to_move();
    let geometry = &position.tables().geometry;
    let restricted = is_restricted(position);
    let mut moves: Vec<(i32, u16, Cell)> = (0..geometry.cells() as Cell)
        .filter(|&cell| is_move(position, restricted, cell))
        .map(|cell| (-position.gain(side, cell), geometry.rank[cell as usize], cell))
        .collect();
    moves.sort_unstable();
    moves.into_iter().map(|(gain, _, cell)| picked(position, side, cell, -gain)).collect()
}

/// Evaluates the node `position` for its side to move. The search never reaches a position in which the side to
/// move holds a line.
pub fn evaluate(position: &Position, remaining: Remaining) -> NodeEvaluation {
    let tables = position.tables();
    let rules = tables.config.rules;
    let (own, other) = (position.side_to_move(), 1 - position.side_to_move());
    let threats = position.completing_cells(other);
    let leaf = remaining.depth == 0 && remaining.extensions == 0;

    let outcome = if position.winner() == Some(other) {
        Outcome::Lost
    } else if position.is_full() {
        Outcome::Full
    } else if position.completing_cells(own) > 0 {
        Outcome::Win
    } else if rules >= RuleSet::Forced && threats >= 2 {
        Outcome::Loss
    } else if rules >= RuleSet::Forced && threats == 1 {
        Outcome::Forced
    } else if rules >= RuleSet::Double && position.has_double(own) {
        Outcome::Double
    } else {
        Outcome::Open
    };

    // The pick follows the same priorities cell by cell, as the evaluator's one comparison tree does. A leaf without
    // extensions plays nothing: its pick is the candidate that gives G.
    let best = if leaf {
        first_in_order(position, own, |cell| position.is_candidate(cell))
    } else if position.completing_cells(own) > 0 {
        first_in_order(position, own, |cell| position.completes(own, cell))
    } else if rules >= RuleSet::Forced && threats > 0 {
        first_in_order(position, own, |cell| position.completes(other, cell))
    } else if rules >= RuleSet::Double && position.has_double(own) {
        first_in_order(position, own, |cell| position.is_double(own, cell))
    } else {
        let restricted = remaining.depth > 0 && is_restricted(position);
        first_in_order(position, own, |cell| is_move(position, restricted, cell))
    };
    let four_three = tables.scoring.four_three_bonus > 0 && threats == 0 && position.has_four_three(own);
    let best_gain = best.map_or(0, |b| b.gain);
    let potential = position.potential();
    NodeEvaluation {
        outcome,
        best,
        leaf_value: tables.scoring.leaf_value(potential, best_gain, four_three),
        potential,
    }
}

/// Low bits of the opponent's gains that [`floor`] does without.
pub const REPLY_GRAIN: usize = 3;

/// What the first move of an open node is worth at least if its child is a leaf, in half-points; `None` where nothing
/// is known, or the configuration asks for no floors. With E the potential, g the move's gain and G the opponent's largest gain over the empty cells it is
///
/// 2 (E + g) - G - growth - bonus,
///
/// where the lowest [`REPLY_GRAIN`] bits of G count as set: the core compares the others only.
///
/// The child's leaf value is -2 (E + g) + G' + B, for the opponent. G': the move is dead weight in the opponent's own windows,
/// so no gain grows by those; what grows is what the opponent gains by blocking. A window through the move and another cell
/// with m of the mover's stones and none of the opponent's was worth `s[m]` to block and is worth `s[m+1]`, and the
/// difference is part of g, so G' <= G + g. Such windows lie on one line, at most k-1 of them, and if the move makes no four
/// m is at most k-3: growth is the smaller of g and [`crate::scoring::Scoring::quiet_growth`]. B: a four-three cell of the
/// opponent was one before the move, and counts only if that makes no four.
///
/// No rule but 5 may decide the child for the opponent. It has no completing cell, or the node were not open; a double cell
/// (rule 4) it must not have, unless the move makes a four; then the child is a leaf only without extensions. The move
/// may not fill the board.
pub fn floor(position: &Position, remaining: Remaining, evaluation: &NodeEvaluation) -> Option<i32> {
    let tables = position.tables();
    let scoring = &tables.scoring;
    let other = 1 - position.side_to_move();
    let best = evaluation.best.filter(|_| tables.config.has_floor())?;
    let one_empty = position.stones() + 1 == tables.geometry.cells();
    let replies_by_rule = if best.makes_four { remaining.extensions > 0 } else { position.has_double(other) };
    if evaluation.outcome != Outcome::Open || remaining.depth == 0 || one_empty || replies_by_rule {
        return None;
    }
    let empty = || (0..tables.geometry.cells() as Cell).filter(|&cell| position.is_empty(cell));
    let mut floor = 2 * (evaluation.potential + best.gain);
    if scoring.half_gain {
        let reply = empty().map(|cell| position.gain(other, cell)).max().unwrap_or(0);
        floor -= reply | ((1 << REPLY_GRAIN) - 1);
        floor -= scoring.growth(best.gain, best.makes_four);
    }
    if !best.makes_four && position.has_four_three(other) {
        floor -= scoring.four_three_bonus;
    }
    // The core's values end here.
    (floor >= -scoring.win_score).then_some(floor)
}

/// Bits of a move's gain that [`ceilings`] compare: of a move that gains more nothing is said.
pub const CEILING_BITS: usize = 8;

/// What the opponent's reply leaves of the moves of an open node two levels above the leaves: see [`ceilings`].
#[derive(Clone, Debug)]
pub struct Ceilings {
    own: usize,
    reply: Cell,
    /// A move that makes a four is answered by an extension.
    extends: bool,
    /// 2 (E - g) + G + growth, half-points.
    base: i32,
    /// By cell: gain for the side to move once the reply stands, points.
    gains: Vec<i32>,
}

impl Ceilings {
    /// What a move of the node is worth at most, half-points, if that is no more than `limit`; `None` where it may be worth more or
    /// nothing is known. `position` is the node's.
    pub fn within(&self, position: &mut Position, mv: &Picked, limit: i32) -> Option<i32> {
        let gain = self.gains[mv.cell as usize];
        let worth = self.base + 2 * gain;
        let wide = gain >> CEILING_BITS > 0;
        let open = worth > limit || wide || mv.cell == self.reply || (self.extends && mv.makes_four);
        (!open && !self.is_unbounded(position, mv.cell)).then_some(worth)
    }

    /// Whether nothing is known of an empty cell as a move, as one of the mover's patterns may be worth more: once the reply stands, it
    /// makes a four, leaves a double cell (where that is a rule), or leaves a four-three cell.
    pub fn is_unbounded(&self, position: &mut Position, cell: Cell) -> bool {
        let own = self.own;
        let tables = position.tables();
        let (double, bonus) = (tables.config.rules >= RuleSet::Double, tables.scoring.four_three_bonus > 0);
        position.with_stone(1 - own, self.reply, |position| {
            position.makes_four(own, cell)
                || position.with_stone(own, cell, |position| {
                    (double && position.has_double(own)) || (bonus && position.has_four_three(own))
                })
        })
    }

    /// The reply.
    pub fn reply(&self) -> Cell {
        self.reply
    }
}

/// Upper bounds of moves of an open node whose grandchildren are leaves; `None` where there are none.
///
/// The opponent's first candidate d in the static order of its own gains answers every other move c. With E the node's potential, g
/// the gain of d for the opponent, g' the gain of c for the mover once d stands, G the mover's largest gain over the empty cells once d
/// stands, c is worth at most
///
/// 2 (E - g + g') + G + growth,
///
/// where G and growth count where leaves count the best gain, and growth is
/// [`Scoring::own_step`](crate::scoring::Scoring::own_step). Of a move whose g' has more than [`CEILING_BITS`] bits nothing is said, nor
/// of one that makes a four, or leaves the mover a double cell or (with a bonus) a four-three cell, all of it once d stands:
/// [`Ceilings::is_unbounded`].
///
/// Why it holds. The node is open: nobody has a completing cell.
///
/// 1. After c, d is among the opponent's moves, or c loses. Completing cells of the mover after c are cells of windows that c makes a
///    four in. Once d stands c makes none, so each of them is d: there is at most one, and d is the forced reply. Else, if rule 4 holds, c
///    loses, which is less than the bound, as E - g + g' is a potential. Else the moves are the candidates, and d is one still, as the
///    board was not empty, the level has no beam, and the board is not full; or, if the mover has double cells, the cells of windows with
///    k-2 stones of one side. Once d stands no double cell is left, so d lies in one of the windows that made one.
/// 2. A forced reply costs a level like any other if no extension is left; with one, moves that make a four are not bounded.
/// 3. After c and d rules 1 and 4 do not hold for the mover. Rule 2 makes it lose. If d makes a four (rule 3) the node is a leaf only
///    without extensions; with some there are no bounds. So its value is at most the leaf's, and the opponent's choice among its moves
///    can but lower it. Two cells at least are empty before d, or rule 0 might hold.
/// 4. The leaf is 2 E'' + G'' without a bonus. Potentials do not depend on the order of moves: E'' = E - g + g'.
/// 5. G'' <= G + growth. By c gains of the mover do not grow but in its own clean windows through c. One with n stones was worth
///    `s[n+1] - s[n]` to a cell and becomes worth `s[n+2] - s[n+1]`, with n <= k-3, as c makes no four; a cell shares at most k-1 windows
///    with c, of one line. They grow by no more than [`own_ratio`](crate::scoring::Scoring::own_ratio) times what they give c itself
///    either, a part of g'.
///
/// Two ways to look less closely follow, which the fast software takes: a move that makes no four and leaves no double cell before d
/// stands does neither with d there, as d takes windows from the mover and adds none; and a move that may leave a four-three cell is worth
/// at most the bonus more.
pub fn ceilings(
    position: &mut Position,
    remaining: Remaining,
    evaluation: &NodeEvaluation,
    levels: usize,
) -> Option<Ceilings> {
    let tables = position.tables().clone();
    let scoring = &tables.scoring;
    let cells = tables.geometry.cells() as Cell;
    let (own, other) = (position.side_to_move(), 1 - position.side_to_move());
    let applies = tables.config.has_bound()
        && evaluation.outcome == Outcome::Open
        && remaining.depth == 2
        && tables.config.beam_at(levels - 1) == 0
        && (1..cells as usize - 2).contains(&position.stones());
    if !applies {
        return None;
    }
    let reply = first_in_order(position, other, |cell| position.is_candidate(cell))?;
    let extends = remaining.extensions > 0;
    if reply.makes_four && extends {
        return None;
    }
    let (gains, largest) = position.with_stone(other, reply.cell, |position| {
        let gains: Vec<i32> = (0..cells).map(|cell| position.gain(own, cell)).collect();
        let empty = (0..cells).filter(|&cell| position.is_empty(cell));
        let largest = empty.map(|cell| gains[cell as usize]).max().unwrap_or(0);
        (gains, largest)
    });
    let growth = if scoring.half_gain { scoring.own_step } else { 0 };
    let base = scoring.leaf_value(evaluation.potential - reply.gain, largest, false) + growth;
    Some(Ceilings { own, reply: reply.cell, extends, base, gains })
}
