// SPDX-License-Identifier: MIT OR Apache-2.0
//! Widths and packed layouts of one configuration: the RTL slices by them, the co-simulation decodes by them.

use crate::grouping::Grouping;
pub use crate::records::{Decision, Evaluated, KeptNode, Last, Returned, Tag, Winner};
use engine_model::evaluation::{CEILING_BITS, REPLY_GRAIN};
use engine_model::scoring::{Scoring, bits_for};
use engine_model::{Config, Geometry, RuleSet};
use kit::Sig;
pub use kit::{Field, Packed};
use std::ops::Range;

/// Bits of a context's generation: older results in flight are told apart by it.
///
/// A generation can rise every clock (resets do), so it must not come round while a result is in flight: the search
/// core asserts that it has more values than the longest way from request to result has clocks.
pub const GENERATION_BITS: usize = 8;
/// Bits of an outcome code.
pub const OUTCOME_BITS: usize = 3;

/// What a pass through the evaluator is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PassKind {
    /// Evaluates a node for the first time.
    Node = 0,
    /// Asks for the node's next moves in static order, those that came out before excluded.
    Order = 1,
    /// The same among moves that make a four.
    OrderFours = 2,
    /// Asks for the gain of the one cell that the game controller names.
    Probe = 3,
    /// Asks for the opponent's best reply at a node, as if its mover had passed.
    Reply = 4,
    /// Asks which of a node's moves survive that reply: its board is the node's with the reply on it.
    Answered = 5,
    /// Asks for the first of the node's moves that do.
    Surviving = 6,
    /// Asks for the next of these in static order, those that came out before excluded.
    OrderSurviving = 7,
}

impl PassKind {
    /// All of them, by code.
    pub const ALL: [PassKind; 8] = [
        PassKind::Node,
        PassKind::Order,
        PassKind::OrderFours,
        PassKind::Probe,
        PassKind::Reply,
        PassKind::Answered,
        PassKind::Surviving,
        PassKind::OrderSurviving,
    ];

    /// The kind with this code.
    pub fn from_code(code: u64) -> PassKind {
        PassKind::ALL[code as usize % PassKind::ALL.len()]
    }
}

/// The part of the board that the evaluator sees in one clock. With the whole board at once (one slice) it is the
/// board; otherwise `core_rows` rows whose cells are evaluated, with `margin` rows on either side so that every window
/// through them is whole. Rows off the board are walls: stones of both sides.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Clocks per node.
    pub slices: usize,
    /// Rows evaluated per clock.
    pub core_rows: usize,
    /// Rows of context above and below.
    pub margin: usize,
    /// Windows of the frame (the candidate radius and ranks in it are not used).
    pub geometry: Geometry,
    /// Cells of the frame.
    pub cells: usize,
    /// Cells evaluated per clock.
    pub core_cells: usize,
}

impl Frame {
    fn new(config: &Config) -> Frame {
        let (columns, core_rows) = (config.columns, config.rows_per_clock);
        let slices = config.rows.div_ceil(core_rows);
        let margin = if slices == 1 { 0 } else { config.in_a_row - 1 };
        let rows = core_rows + 2 * margin;
        let geometry = Geometry::new(columns, rows, config.in_a_row, 1);
        Frame { slices, core_rows, margin, cells: columns * rows, core_cells: columns * core_rows, geometry }
    }

    /// The core cells of a plane of the frame.
    #[track_caller]
    pub fn core_of<'m>(&self, plane: Sig<'m>) -> Sig<'m> {
        let low = self.margin * self.geometry.columns;
        plane.bits(low..low + self.core_cells)
    }
}

/// Every width and layout of a configuration.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The configuration.
    pub config: Config,
    /// The board.
    pub geometry: Geometry,
    /// The evaluation's tables.
    pub scoring: Scoring,
    /// Number of cells: width of a plane.
    pub cells: usize,
    /// Bits of a cell index.
    pub cell_bits: usize,
    /// Bits of a count of cells (0 to all).
    pub count_bits: usize,
    /// Bits of a gain.
    pub gain_bits: usize,
    /// Bits of a signed potential.
    pub potential_bits: usize,
    /// Bits of a signed value.
    pub value_bits: usize,
    /// Bits of a level number (0 = root to `levels`).
    pub level_bits: usize,
    /// Bits of an extension count.
    pub extension_bits: usize,
    /// Bits of a context number: contexts are numbered through all levels, the root's is 0.
    pub context_bits: usize,
    /// Groups of cells: a pass returns the first cell in static order of each.
    pub groups: usize,
    /// Bits of a group number.
    pub group_bits: usize,
    /// Which cell is in which.
    pub grouping: Grouping,
    /// What the evaluator sees in a clock.
    pub frame: Frame,
    /// First cell of one group: `next` with beams only.
    pub winner: Winner<usize>,
    /// Most moves on a path.
    pub max_path: usize,
    /// Bits of a path length.
    pub length_bits: usize,
    /// The tag that accompanies a node through the evaluator.
    pub tag: Tag<usize>,
    /// What the evaluator returns beside the tag.
    pub result: Evaluated<usize>,
    /// A controller's return as shown on `trace_return`.
    pub returned: Returned<usize>,
    /// A decision as shown on `trace_decision`.
    pub decision: Decision<usize>,
}

impl Layout {
    /// Layout of a checked configuration.
    pub fn new(config: &Config) -> Layout {
        let geometry = config.geometry();
        let scoring = config.scoring();
        let cells = geometry.cells();
        let cell_bits = bits_for(cells - 1);
        let max_path = config.max_path();
        let length_bits = bits_for(max_path);
        let level_bits = bits_for(config.levels);
        let extension_bits = bits_for(config.extensions);
        let (gain_bits, potential_bits, value_bits) =
            (scoring.gain_bits(), scoring.potential_bits(), scoring.value_bits());
        let frame = Frame::new(config);
        let context_bits = bits_for(contexts(config) - 1);
        let grouping = Grouping::new(&geometry, frame.core_cells);
        let groups = grouping.members.len();
        let group_bits = bits_for(groups - 1);
        let next = if config.has_beam() { gain_bits } else { 0 };
        let winner = Winner { next, rank: cell_bits, gain: gain_bits, ..Winner::uniform(1) };
        let tag = Tag {
            path: max_path * cell_bits,
            length: length_bits,
            potential: potential_bits,
            extensions: extension_bits,
            depth_zero: 1,
            negate: 1,
            kind: if config.has_ceilings() { 3 } else { 2 },
            generation: GENERATION_BITS,
            level: level_bits,
            context: context_bits,
            child: context_bits,
            order: gain_bits + cell_bits,
        };
        let result = Evaluated {
            outcome: OUTCOME_BITS,
            found: 1,
            cell: cell_bits,
            rank: cell_bits,
            group: group_bits,
            gain: gain_bits,
            makes_four: 1,
            more: 1,
            one_empty: 1,
            unproved: 1,
            leaf_value: value_bits,
            value: value_bits,
            floor_holds: usize::from(config.has_floor()),
        };
        let returned = Returned {
            path: tag.path,
            length: length_bits,
            extensions: extension_bits,
            value: value_bits,
            bound: 2,
        };
        let decision = Decision { cell: cell_bits, score: value_bits };
        Layout {
            cells,
            cell_bits,
            count_bits: bits_for(cells),
            gain_bits,
            potential_bits,
            value_bits,
            level_bits,
            extension_bits,
            context_bits,
            groups,
            group_bits,
            grouping,
            frame,
            winner,
            max_path,
            length_bits,
            tag,
            result,
            returned,
            decision,
            config: config.clone(),
            geometry,
            scoring,
        }
    }

    /// Bits of the opponent's largest gain as the evaluator compares it; none if its lowest bits are all there are.
    pub fn reply_bits(&self) -> usize {
        self.gain_bits.saturating_sub(REPLY_GRAIN)
    }

    /// Bits of a move's gain that are compared with what a reply leaves of it.
    pub fn ceiling_bits(&self) -> usize {
        self.gain_bits.min(CEILING_BITS)
    }

    /// Whether a floor asks for the opponent's largest gain.
    pub fn compares_replies(&self) -> bool {
        self.config.has_floor() && self.scoring.half_gain && self.reply_bits() > 0
    }

    /// The level whose nodes' moves the opponent's best reply may refute: two above the leaves of a search of all levels.
    pub fn answered_level(&self) -> Option<usize> {
        self.config.has_ceilings().then(|| self.config.levels - 1)
    }

    /// Lengths of the paths of nodes whose values a transposition table stores: from the shortest that lead to the same stones in more than
    /// one order to those of nodes above leaves. None without a table.
    pub fn stored_lengths(&self) -> Range<usize> {
        if self.config.has_transpositions() { 3..self.config.levels } else { 0..0 }
    }

    /// Whether the transposition table is asked for children of a level's nodes, whose paths are as long as the level's number says.
    pub fn looks_up(&self, level: usize) -> bool {
        self.stored_lengths().contains(&level)
    }

    /// Whether what can be asked for without a visit is: with moves ahead, the root's first move and a reply's first survivor.
    pub fn begins_at_once(&self) -> bool {
        self.config.ahead > 0
    }

    /// Whether what a result means is found out in the clock before it and reaches the levels with it, not a clock later. A floor, which is
    /// compared in that clock, would be too late.
    pub fn tells_at_once(&self) -> bool {
        self.begins_at_once() && !self.config.has_floor()
    }

    /// Whether paths between registers are shortened where that takes tables: where the period counts most, as no core does more in a
    /// clock.
    pub fn shortens_paths(&self) -> bool {
        self.goes_back_at_once()
    }

    /// Whether a result's tag is shown two clocks before it: to look up which context's window a floor is compared with, or where paths are
    /// shortened which is its context's parent; of one context there is nothing to look up. With a transposition table which level's windows say whether it ends.
    pub fn tells_soon(&self) -> bool {
        let of_contexts = self.config.has_floor() || self.reads_parents_early(self.config.levels);
        self.config.contexts > 1 && of_contexts || self.config.has_transpositions()
    }

    /// Whether the parent of a level's context, a result's, is read a clock before what the level above kills is looked up by it. Below the
    /// root there is but one parent, and of one context at each level as well.
    pub fn reads_parents_early(&self, level: usize) -> bool {
        self.shortens_paths() && level > 2 && self.config.contexts > 1
    }

    /// Whether a pass for order is told which cells have come out, a bit each, and not what came out of each group last: no gain is compared
    /// with another's. A beam goes on behind a move that may be of another group.
    pub fn marks_cells(&self) -> bool {
        self.shortens_paths() && !self.config.has_beam()
    }

    /// Whether what concerns all cells, or all bits of a count, is described in operations on words: to a synthesizer the same tables as bit by
    /// bit, in simulation a fraction of the operations. The cells' gains then travel as planes, one for each bit. Of the cores whose paths are
    /// not shortened the text stays as it is: they are the ones that boards hold, whose bitstreams have been made and measured.
    pub fn by_words(&self) -> bool {
        self.shortens_paths()
    }

    /// Bits of what a pass for order is told of the passes before.
    pub fn before_width(&self) -> usize {
        if self.marks_cells() { self.cells } else { self.groups * self.last().width() }
    }

    /// Whether a path begins with its newest move, not with the root's: then a move's place says which side's it is, seen from the node, and
    /// no plane changes sides. A path of one move is what it is.
    pub fn newest_first(&self) -> bool {
        self.shortens_paths() && self.max_path > 1
    }

    /// Whether a context may be visited in two clocks in a row. Where paths are shortened it waits for a clock: then what a visit picks is
    /// not known to the next, whose pick would have to leave it out.
    pub fn visits_in_a_row(&self) -> bool {
        !self.shortens_paths()
    }

    /// Whether what goes straight back from a result does so in its clock. A board that takes several clocks has none to spare in each.
    pub fn goes_back_at_once(&self) -> bool {
        self.tells_at_once() && self.frame.slices == 1
    }

    /// The level whose nodes' first survivor of the reply goes straight back. It is below the root, whose moves have an order.
    pub fn survivor_level(&self) -> Option<usize> {
        self.answered_level().filter(|_| self.begins_at_once())
    }

    /// Whether what survives a reply is looked for beyond fours: double cells are a rule.
    pub fn looks_ahead(&self) -> bool {
        self.config.has_ceilings() && self.config.rules >= RuleSet::Double
    }

    /// Whether that asks for windows that have k-4 stones.
    pub fn looks_at_pairs(&self) -> bool {
        self.looks_ahead() && self.has_bonus() && self.config.in_a_row >= 4
    }

    /// A code of what a pass is for.
    pub fn kind<'m>(&self, m: &'m kit::Module, kind: PassKind) -> Sig<'m> {
        m.constant(self.tag.kind, kind as usize)
    }

    /// Whether the configuration has the four-three bonus.
    pub fn has_bonus(&self) -> bool {
        self.scoring.four_three_bonus > 0
    }

    /// Weights of a window's gain flags: flag j is worth `s[j+1] - s[j]` (points); flags worth nothing are left out. A
    /// window's gain is the sum of its flags': with n own stones and none of the opponent's flag n is set, with m of
    /// the opponent's alone flags 0 to m-1.
    pub fn gain_flags(&self) -> Vec<(usize, usize)> {
        let scores = &self.scoring.window_scores;
        let step = |j: usize| (scores[j + 1] - scores[j]) as usize;
        (0..scores.len() - 1).map(|j| (j, step(j))).filter(|&(_, weight)| weight > 0).collect()
    }

    /// Widths of what is kept of a context's node.
    pub fn kept_node(&self) -> KeptNode<usize> {
        let Tag { path, length, potential, extensions, .. } = self.tag;
        let first = if self.config.has_ceilings() { self.cell_bits } else { 0 };
        KeptNode { path, length, potential, extensions, unbounded: 1, first }
    }

    /// Widths of what came out of a group last.
    pub fn last(&self) -> Last<usize> {
        Last { rank: self.cell_bits, gain: self.gain_bits, found: 1 }
    }

    /// Contexts of a level's controller.
    pub fn contexts_at(&self, level: usize) -> usize {
        contexts_at(&self.config, level)
    }

    /// Number of a level's first context.
    pub fn context_base(&self, level: usize) -> usize {
        context_base(&self.config, level)
    }

    /// Contexts of all levels.
    pub fn contexts(&self) -> usize {
        contexts(&self.config)
    }

    /// Width of the first cells of all groups.
    pub fn winners_width(&self) -> usize {
        self.groups * self.winner.width()
    }

    /// Real cell of core cell `core` in slice `slice`; `None` off the board.
    pub fn cell_of_core(&self, core: usize, slice: usize) -> Option<usize> {
        Some(slice * self.frame.core_cells + core).filter(|&cell| cell < self.cells)
    }

    /// Group of a core cell.
    pub fn group_of_core(&self, core: usize) -> usize {
        self.grouping.of_core[core]
    }

    /// Group of a cell of the board.
    pub fn group_of(&self, cell: usize) -> usize {
        self.group_of_core(cell % self.frame.core_cells)
    }
}

/// One context at the root; half as many again at the last level, whose nodes come and go fastest.
fn contexts_at(config: &Config, level: usize) -> usize {
    match level {
        1 => 1,
        _ if level == config.levels => (3 * config.contexts).div_ceil(2),
        _ => config.contexts,
    }
}

/// The root's context comes last: then, of most configurations, each level's numbers begin where the low bits of a number tell the contexts
/// of the level apart.
fn context_base(config: &Config, level: usize) -> usize {
    let before = if level == 1 { 2..config.levels + 1 } else { 2..level };
    before.map(|level| contexts_at(config, level)).sum()
}

fn contexts(config: &Config) -> usize {
    (1..=config.levels).map(|level| contexts_at(config, level)).sum()
}
