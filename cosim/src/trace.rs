// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `trace_*` outputs, decoded by the layout that the RTL was built from.

use engine_model::Cell;
use engine_model::evaluation::{Outcome, Picked};
use engine_model::search::Bound;
use hdl::layout::{Field, Layout, Packed, PassKind};

/// Bits `offset..offset+width` of 32-bit words, width at most 64.
pub fn bits(words: &[u32], offset: usize, width: usize) -> u64 {
    (0..width)
        .filter(|i| words[(offset + i) / 32] >> ((offset + i) % 32) & 1 == 1)
        .fold(0, |value, i| value | 1 << i)
}

/// The same as a signed number.
pub fn signed(words: &[u32], offset: usize, width: usize) -> i32 {
    let value = bits(words, offset, width) as i64;
    (if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }) as i32
}

/// The pass a result belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceTag {
    /// Moves from the root.
    pub path: Vec<Cell>,
    /// Potential the core carries along, points.
    pub potential: i32,
    /// Extensions left.
    pub extensions: usize,
    /// Whether no level is left.
    pub depth_zero: bool,
    /// What the pass is for.
    pub kind: PassKind,
    /// Level that asked.
    pub level: usize,
    /// Its context that asked; contexts are numbered through all levels.
    pub context: usize,
    /// The context of the level below that is reserved for the node; 0 for none.
    pub child: usize,
}

/// First cell of one group, and whether the group holds others of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winner {
    /// The cell.
    pub picked: Picked,
    /// Whether the set has more cells of the group.
    pub more: bool,
    /// Whether one of those makes a four.
    pub more_four: bool,
    /// With beams: the gain of the next cell of its group; 0 if it has none.
    pub next: i32,
}

/// One retired node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceNode {
    /// Whether its generation was current; stale results are dropped by the core.
    pub fresh: bool,
    /// The pass.
    pub tag: TraceTag,
    /// Rule outcome, `None` for a code that does not exist.
    pub outcome: Option<Outcome>,
    /// The picked cell.
    pub best: Option<Picked>,
    /// Leaf value, half-points.
    pub leaf_value: i32,
    /// Value of a node that ends here, half-points; of one that has a floor, that.
    pub value: i32,
    /// Whether the value is what the node's first move is worth at least.
    pub floor_holds: bool,
    /// Whether losing by all its moves does not prove it lost.
    pub unproved: bool,
    /// Whether exactly one cell is empty.
    pub one_empty: bool,
    /// Whether the set holds more than the best.
    pub more: bool,
    /// First cell of each group.
    pub winners: Vec<Option<Winner>>,
}

/// One controller's return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceReturn {
    /// Level, 1 = the root's moves.
    pub level: usize,
    /// Path of its node.
    pub path: Vec<Cell>,
    /// Extensions left at its node.
    pub extensions: usize,
    /// Value, half-points, for the node's side to move.
    pub value: i32,
    /// Exact or which bound; `None` for a code that does not exist.
    pub bound: Option<Bound>,
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceDecision {
    /// The move.
    pub cell: Cell,
    /// Its score, half-points.
    pub score: i32,
}

/// Reads packed trace vectors of one configuration.
pub struct Decoder {
    layout: Layout,
}

struct Fields<'a> {
    packed: &'a dyn Packed,
    words: &'a [u32],
    base: usize,
}

impl Fields<'_> {
    fn field(&self, name: &str) -> (Field, usize) {
        let field = self.packed.field(name);
        let offset = self.base + field.offset;
        (field, offset)
    }

    fn get(&self, name: &str) -> u64 {
        let (field, offset) = self.field(name);
        bits(self.words, offset, field.width)
    }

    fn signed(&self, name: &str) -> i32 {
        let (field, offset) = self.field(name);
        signed(self.words, offset, field.width)
    }

    /// The moves from the root.
    fn path(&self, layout: &Layout) -> Vec<Cell> {
        let (field, offset) = self.field("path");
        let (bits_each, length) = (layout.cell_bits, self.get("length") as usize);
        let mut path: Vec<Cell> = (0..length.min(field.width / bits_each))
            .map(|i| bits(self.words, offset + i * bits_each, bits_each) as Cell)
            .collect();
        if layout.newest_first() {
            path.reverse();
        }
        path
    }
}

impl Decoder {
    /// Decoder of a configuration.
    pub fn new(layout: Layout) -> Decoder {
        Decoder { layout }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn winner(&self, words: &[u32], base: usize) -> Option<Winner> {
        let fields = Fields { packed: &self.layout.winner, words, base };
        let by_rank = &self.layout.geometry.by_rank;
        (fields.get("found") == 1).then(|| Winner {
            picked: Picked {
                // A rank that does not exist becomes a cell that does not.
                cell: by_rank.get(fields.get("rank") as usize).copied().unwrap_or(Cell::MAX),
                gain: fields.get("gain") as i32,
                makes_four: fields.get("four") == 1,
            },
            more: fields.get("more") == 1,
            more_four: fields.get("more_four") == 1,
            next: if self.layout.winner.next > 0 { fields.get("next") as i32 } else { 0 },
        })
    }

    /// `trace_node`: {winners, fresh, result, tag}.
    pub fn node(&self, words: &[u32]) -> TraceNode {
        let tag = Fields { packed: &self.layout.tag, words, base: 0 };
        let result = Fields { packed: &self.layout.result, words, base: self.layout.tag.width() };
        let fresh = bits(words, self.layout.tag.width() + self.layout.result.width(), 1) == 1;
        let winners_base = self.layout.tag.width() + self.layout.result.width() + 1;
        TraceNode {
            fresh,
            tag: TraceTag {
                path: tag.path(&self.layout),
                potential: tag.signed("potential"),
                extensions: tag.get("extensions") as usize,
                depth_zero: tag.get("depth_zero") == 1,
                kind: PassKind::from_code(tag.get("kind")),
                level: tag.get("level") as usize,
                context: tag.get("context") as usize,
                child: tag.get("child") as usize,
            },
            outcome: Outcome::from_code(result.get("outcome") as u8),
            best: (result.get("found") == 1).then(|| Picked {
                cell: result.get("cell") as Cell,
                gain: result.get("gain") as i32,
                makes_four: result.get("makes_four") == 1,
            }),
            leaf_value: result.signed("leaf_value"),
            value: result.signed("value"),
            floor_holds: self.layout.config.has_floor() && result.get("floor_holds") == 1,
            unproved: result.get("unproved") == 1,
            one_empty: result.get("one_empty") == 1,
            more: result.get("more") == 1,
            winners: (0..self.layout.groups)
                .map(|group| self.winner(words, winners_base + group * self.layout.winner.width()))
                .collect(),
        }
    }

    /// `trace_return` of one level.
    pub fn returned(&self, words: &[u32], level: usize) -> TraceReturn {
        let base = (level - 1) * self.layout.returned.width();
        let fields = Fields { packed: &self.layout.returned, words, base };
        TraceReturn {
            level,
            path: fields.path(&self.layout),
            extensions: fields.get("extensions") as usize,
            value: fields.signed("value"),
            bound: [Some(Bound::Exact), Some(Bound::Upper), Some(Bound::Lower), None]
                [fields.get("bound") as usize],
        }
    }

    /// `trace_decision`.
    pub fn decision(&self, words: &[u32]) -> TraceDecision {
        let fields = Fields { packed: &self.layout.decision, words, base: 0 };
        TraceDecision { cell: fields.get("cell") as Cell, score: fields.signed("score") }
    }
}
