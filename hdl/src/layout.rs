// SPDX-License-Identifier: MIT OR Apache-2.0
//! Widths and packed layouts of one configuration: the RTL slices by them, the co-simulation decodes by them.

use engine_model::scoring::{Scoring, bits_for};
use engine_model::{Config, Geometry};

/// Bits of a level controller's generation: older results in flight are told apart by it.
///
/// A generation can rise every clock (resets do), so it must not come round while a result is in flight: the
/// evaluator asserts that it has more values than the path from request to result has clocks.
pub const GENERATION_BITS: usize = 5;
/// Bits of the context number in a tag (one context so far).
pub const CONTEXT_BITS: usize = 4;
/// Bits of an outcome code.
pub const OUTCOME_BITS: usize = 3;

/// What a pass through the evaluator is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PassKind {
    /// Evaluates a node for the first time.
    Node = 0,
    /// Asks for the node's next move in static order, tried ones excluded.
    Order = 1,
    /// The same among moves that make a four.
    OrderFours = 2,
    /// Asks for the gain of the one cell not excluded.
    Probe = 3,
}

impl PassKind {
    /// The kind with this code.
    pub fn from_code(code: u64) -> PassKind {
        [PassKind::Node, PassKind::Order, PassKind::OrderFours, PassKind::Probe][code as usize & 3]
    }
}

/// One field of a packed vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// Lowest bit.
    pub offset: usize,
    /// Width in bits.
    pub width: usize,
}

/// Fields packed from bit 0 upward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    fields: Vec<Field>,
    width: usize,
}

impl Packed {
    fn new(fields: &[(&'static str, usize)]) -> Packed {
        let mut offset = 0;
        let fields = fields
            .iter()
            .map(|&(name, width)| {
                offset += width;
                Field { name, offset: offset - width, width }
            })
            .collect();
        Packed { fields, width: offset }
    }

    /// Total width in bits.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A field by name. The names are this file's own: an unknown one is a bug.
    pub fn field(&self, name: &str) -> &Field {
        self.fields.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no field {name}"))
    }

    /// Verilog slice of a field: `vector[high:low]`.
    pub fn of(&self, vector: &str, name: &str) -> String {
        let field = self.field(name);
        if field.width == 1 {
            format!("{vector}[{}]", field.offset)
        } else {
            format!("{vector}[{}:{}]", field.offset + field.width - 1, field.offset)
        }
    }

    /// Verilog concatenation that packs one expression per field, given lowest first in the order of the fields.
    pub fn pack(&self, expressions: &[(&str, String)]) -> String {
        let parts: Vec<String> = self
            .fields
            .iter()
            .rev()
            .map(|f| {
                let found = expressions.iter().find(|(name, _)| *name == f.name);
                found.unwrap_or_else(|| panic!("field {} has no expression", f.name)).1.clone()
            })
            .collect();
        format!("{{{}}}", parts.join(", "))
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
    /// Most moves on a path.
    pub max_path: usize,
    /// Bits of a path length.
    pub length_bits: usize,
    /// The tag that accompanies a node through the evaluator.
    pub tag: Packed,
    /// What the evaluator returns beside the tag.
    pub result: Packed,
    /// A controller's return as shown on `trace_return`.
    pub returned: Packed,
    /// A decision as shown on `trace_decision`.
    pub decision: Packed,
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
        let tag = Packed::new(&[
            ("path", max_path * cell_bits),
            ("length", length_bits),
            ("potential", potential_bits),
            ("extensions", extension_bits),
            ("depth_zero", 1),
            ("negate", 1),
            ("kind", 2),
            ("generation", GENERATION_BITS),
            ("level", level_bits),
            ("context", CONTEXT_BITS),
        ]);
        let result = Packed::new(&[
            ("outcome", OUTCOME_BITS),
            ("found", 1),
            ("cell", cell_bits),
            ("gain", gain_bits),
            ("makes_four", 1),
            ("one_empty", 1),
            ("leaf_value", value_bits),
            ("value", value_bits),
        ]);
        let returned = Packed::new(&[
            ("path", max_path * cell_bits),
            ("length", length_bits),
            ("extensions", extension_bits),
            ("value", value_bits),
            ("bound", 2),
        ]);
        let decision = Packed::new(&[("cell", cell_bits), ("score", value_bits)]);
        Layout {
            cells,
            cell_bits,
            count_bits: bits_for(cells),
            gain_bits,
            potential_bits,
            value_bits,
            level_bits,
            extension_bits,
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

    /// Whether the configuration has the four-three bonus.
    pub fn has_bonus(&self) -> bool {
        self.scoring.four_three_bonus > 0
    }

    /// Binary digits of a window's gain: bits of the largest entry of the gain table.
    pub fn gain_digits(&self) -> usize {
        let k = self.config.in_a_row;
        let largest = (0..k).flat_map(|n| (0..k - n).map(move |m| (n, m)));
        bits_for(largest.map(|(n, m)| self.scoring.window_gain(n, m)).max().unwrap_or(0) as usize)
    }

    /// Bits of the count of a digit's windows through a cell in one direction.
    pub fn digit_count_bits(&self) -> usize {
        bits_for(self.config.in_a_row)
    }
}
