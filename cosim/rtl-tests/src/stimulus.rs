// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random positions, and words to and from the ports of a circuit under test.

use cosim::dut::{Dut, PortId};
use cosim::trace::{bits, signed};
use engine_model::evaluation::{Remaining, evaluate};
use engine_model::position::Tables;
use engine_model::{Cell, Position};
use hdl::Layout;
use hdl::layout::Packed;
use std::sync::Arc;

/// A random position that nobody has won, grown near the stones already there so that patterns occur.
pub fn random_position(tables: &Arc<Tables>, rng: &mut fastrand::Rng, stones: usize) -> Position {
    let mut position = Position::new(tables);
    for _ in 0..stones {
        let open: Vec<Cell> =
            (0..tables.geometry.cells() as Cell).filter(|&c| position.is_candidate(c)).collect();
        if open.is_empty() {
            break;
        }
        position.play(open[rng.usize(0..open.len())]).expect("a candidate of a running game is legal");
        if position.winner().is_some() {
            position.undo();
            break;
        }
    }
    position
}

/// `count` random positions of any number of stones.
pub fn positions(tables: &Arc<Tables>, seed: u64, count: usize) -> Vec<Position> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let cells = tables.geometry.cells();
    (0..count)
        .map(|_| {
            let stones = rng.usize(0..=cells);
            random_position(tables, &mut rng, stones)
        })
        .collect()
}
/// Whether a cell holds a stone of `side`.
pub fn owner_is(position: &Position, side: usize) -> impl Fn(Cell) -> bool + '_ {
    move |cell| position.owner(cell) == Some(side)
}

/// Side to move and its opponent.
pub fn sides(position: &Position) -> (usize, usize) {
    (position.side_to_move(), 1 - position.side_to_move())
}

/// Tables and layout of a model's configuration.
pub fn layout_of(name: &str) -> (Arc<Tables>, Layout) {
    let config = crate::config_of(crate::model(name));
    (Tables::new(&config), Layout::new(&config))
}

/// Bits as 32-bit words, lowest first.
pub fn pack(bits: impl IntoIterator<Item = bool>) -> Vec<u32> {
    let mut words = Vec::new();
    for (i, bit) in bits.into_iter().enumerate() {
        if i % 32 == 0 {
            words.push(0);
        }
        words[i / 32] |= u32::from(bit) << (i % 32);
    }
    words
}

/// Words of a packed vector from its fields; missing ones are 0.
pub fn packed(layout: &Packed, fields: &[(&str, i64)]) -> Vec<u32> {
    let mut words = vec![0u32; layout.width().div_ceil(32)];
    for (name, value) in fields {
        let field = layout.field(name);
        for i in (0..field.width.min(64)).filter(|i| value >> i & 1 == 1) {
            words[(field.offset + i) / 32] |= 1 << ((field.offset + i) % 32);
        }
    }
    words
}

/// The result the evaluator gives of a node, packed (without the value of a node that ends).
pub fn result_of(layout: &Layout, position: &Position, remaining: Remaining) -> Vec<u32> {
    let evaluation = evaluate(position, remaining);
    let best = evaluation.best;
    packed(
        &layout.result,
        &[
            ("outcome", evaluation.outcome as i64),
            ("found", best.is_some().into()),
            ("cell", best.map_or(0, |b| b.cell.into())),
            ("gain", best.map_or(0, |b| b.gain.into())),
            ("makes_four", best.is_some_and(|b| b.makes_four).into()),
            ("one_empty", (position.stones() + 1 == layout.cells).into()),
            ("leaf_value", evaluation.leaf_value.into()),
        ],
    )
}

/// A circuit under test, its ports by name.
pub struct Unit {
    /// The instance.
    pub dut: Dut,
    /// Number of cells: width of a plane.
    pub cells: usize,
}

impl Unit {
    /// A fresh instance of the circuit, out of reset if it has one.
    pub fn new(name: &str, seed: u32) -> Unit {
        let model = crate::model(name);
        let cells = crate::config_of(model).geometry().cells();
        let mut unit = Unit { dut: Dut::new(model, seed), cells };
        if let Some(reset) = unit.dut.find("aresetn") {
            for input in model.ports.iter().filter(|p| p.input) {
                let port = unit.dut.port(input.name);
                unit.dut.set(port, &[]);
            }
            (0..3).for_each(|_| unit.dut.tick());
            unit.dut.set_word(reset, 1);
        }
        unit
    }

    fn port(&self, name: &str) -> PortId {
        self.dut.port(name)
    }

    /// Sets a port of at most 32 bits.
    pub fn set(&mut self, name: &str, value: u32) {
        let port = self.port(name);
        self.dut.set_word(port, value);
    }

    /// Sets a port from words.
    pub fn set_words(&mut self, name: &str, words: &[u32]) {
        let port = self.port(name);
        self.dut.set(port, words);
    }

    /// Sets a plane: one bit a cell.
    pub fn set_plane(&mut self, name: &str, plane: impl Fn(Cell) -> bool) {
        let words = pack((0..self.cells as Cell).map(plane));
        self.set_words(name, &words);
    }

    /// Reads a port of at most 32 bits.
    pub fn get(&self, name: &str) -> u32 {
        self.dut.get_word(self.port(name))
    }

    /// Reads a port as words.
    pub fn words(&self, name: &str) -> Vec<u32> {
        self.dut.get(self.port(name))
    }

    /// Reads a field of a packed port.
    pub fn field(&self, name: &str, field: &hdl::layout::Field) -> u64 {
        bits(&self.words(name), field.offset, field.width)
    }

    /// Reads a signed field of a packed port.
    pub fn signed_field(&self, name: &str, field: &hdl::layout::Field) -> i32 {
        signed(&self.words(name), field.offset, field.width)
    }

    /// Asserts that a plane is what the model says.
    pub fn expect_plane(&self, name: &str, plane: impl Fn(Cell) -> bool, position: &Position) {
        let expected = pack((0..self.cells as Cell).map(plane));
        assert_eq!(self.words(name), expected, "{name} after {:?}", position.moves());
    }

    /// One clock.
    pub fn tick(&mut self) {
        self.dut.tick();
    }
}

/// Feeds one stimulus a clock and compares each with its answer `latency` clocks later: the pipeline takes a new one
/// every clock.
pub fn pipelined<T>(
    unit: &mut Unit,
    latency: usize,
    stimuli: Vec<T>,
    mut drive: impl FnMut(&mut Unit, &T),
    mut check: impl FnMut(&Unit, &T),
) {
    for clock in 0..stimuli.len() + latency {
        if let Some(stimulus) = stimuli.get(clock) {
            drive(unit, stimulus);
        }
        unit.tick();
        if clock + 1 >= latency && clock + 1 - latency < stimuli.len() {
            check(unit, &stimuli[clock + 1 - latency]);
        }
    }
}
