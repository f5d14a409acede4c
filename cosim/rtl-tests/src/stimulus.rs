// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random positions, and words to and from the ports of a circuit under test.

use cosim::trace::{bits, signed};
use engine_model::evaluation::{Picked, Remaining, evaluate, is_unproved};
use engine_model::position::Tables;
use engine_model::{Cell, Position};
use fastrand::Rng;
use hdl::Layout;
use hdl::circuits::evaluator::gains;
use hdl::layout::Packed;
use kit::{Circuit, Simulator};
use std::cell::RefCell;
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

/// Board cell at a place of the frame that shows slice `slice`; `None` in a wall.
pub fn cell_of_frame(layout: &Layout, place: usize, slice: usize) -> Option<Cell> {
    let above = layout.frame.margin * layout.config.columns;
    let cell = (slice * layout.frame.core_cells + place).checked_sub(above)?;
    (cell < layout.cells).then_some(cell as Cell)
}

/// Random positions, each slice of each in turn.
pub fn views(tables: &Arc<Tables>, layout: &Layout, seed: u64, count: usize) -> Vec<(Position, usize)> {
    let slices = layout.frame.slices;
    positions(tables, seed, count.div_ceil(slices))
        .into_iter()
        .flat_map(|position| (0..slices).map(move |slice| (position.clone(), slice)))
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
    let (_, config) = crate::circuits::alone(name);
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

/// Gives a circuit the core cells' gains, cell by cell, as its ports take them.
pub fn set_gains(unit: &mut Unit, layout: &Layout, gains: impl Iterator<Item = i32>) {
    let gains: Vec<i32> = gains.collect();
    let bits = 0..layout.gain_bits;
    for (number, (port, _)) in gains::ports(layout, layout.gain_bits).iter().enumerate() {
        let words = match layout.by_words() {
            true => pack(gains.iter().map(|gain| gain >> number & 1 == 1)),
            false => pack(gains.iter().flat_map(|gain| bits.clone().map(move |bit| gain >> bit & 1 == 1))),
        };
        unit.set_words(port, &words);
    }
}

/// The core cells' gains that come out of a circuit, cell by cell.
pub fn gains_of(unit: &Unit, layout: &Layout) -> Vec<i32> {
    let (bits, cells) = (layout.gain_bits, layout.frame.core_cells);
    let ports = gains::ports(layout, bits).into_iter();
    let words: Vec<Vec<u32>> = ports.map(|(port, _)| unit.words(&port)).collect();
    let at = |cell: usize, bit: usize| if layout.by_words() { (bit, cell) } else { (0, cell * bits + bit) };
    let value = |cell: usize, bit: usize| {
        let (port, at) = at(cell, bit);
        ((words[port][at / 32] >> (at % 32) & 1) as i32) << bit
    };
    (0..cells).map(|cell| (0..bits).map(|bit| value(cell, bit)).sum()).collect()
}

/// Sets `width` bits from `offset` on.
pub fn set_field(words: &mut [u32], offset: usize, width: usize, value: u64) {
    for i in 0..width {
        let (word, bit) = ((offset + i) / 32, (offset + i) % 32);
        words[word] = words[word] & !(1 << bit) | ((value >> i & 1) as u32) << bit;
    }
}

/// First cell of a group in static order, and whether the group has others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The first cell.
    pub first: Option<Picked>,
    /// Whether there are more.
    pub more: bool,
    /// Whether one of those makes a four.
    pub more_four: bool,
    /// Gain of the next one, 0 if there is none.
    pub next: i32,
}

impl Group {
    /// Adds a cell of the group that follows in static order.
    pub fn add(&mut self, picked: Picked) {
        if self.first.is_none() {
            self.first = Some(picked);
        } else {
            if !self.more {
                self.next = picked.gain;
            }
            self.more = true;
            self.more_four |= picked.makes_four;
        }
    }
}

/// A limit up to which the bound drops gains: one in three drops none or, as gains are below 100, all.
pub fn random_limit(layout: &Layout, rng: &mut Rng) -> i32 {
    let largest = (1 << (layout.value_bits - 1)) - 1;
    match rng.u32(0..6) {
        0 => -rng.i32(1..=largest),
        1 => rng.i32(100..=largest),
        _ => rng.i32(0..21),
    }
}

/// The groups as winners, packed; an empty group is all 0.
pub fn winners_words(layout: &Layout, groups: &[Group]) -> Vec<u32> {
    let width = layout.winner.width();
    let mut words = vec![0; (groups.len() * width).div_ceil(32)];
    for (number, group) in groups.iter().enumerate() {
        let Some(first) = group.first else { continue };
        for (name, value) in [
            ("found", 1),
            ("gain", first.gain as u64),
            ("rank", layout.geometry.rank[first.cell as usize].into()),
            ("four", first.makes_four.into()),
            ("more", group.more.into()),
            ("more_four", group.more_four.into()),
            ("next", group.next as u64),
        ] {
            // Of no bits without beams.
            let field = layout.winner.field(name);
            set_field(&mut words, number * width + field.offset, field.width, value);
        }
    }
    words
}

/// Winners with everything else of an empty group set to 0: it means nothing.
pub fn found_winners(layout: &Layout, winners: &[u32]) -> Vec<u32> {
    let width = layout.winner.width();
    let found = layout.winner.field("found").offset;
    let mut words = winners.to_vec();
    for group in 0..layout.groups {
        if bits(winners, group * width + found, 1) == 0 {
            set_field(&mut words, group * width, width, 0);
        }
    }
    words
}

/// Words of a packed vector from its fields; missing ones are 0.
pub fn packed(layout: &dyn Packed, fields: &[(&str, i64)]) -> Vec<u32> {
    let mut words = vec![0u32; layout.width().div_ceil(32)];
    for (name, value) in fields {
        let field = layout.field(name);
        set_field(&mut words, field.offset, field.width.min(64), *value as u64);
    }
    words
}

/// The result the evaluator gives of a node, packed (without the value of a node that ends).
pub fn result_of(layout: &Layout, position: &Position, remaining: Remaining) -> Vec<u32> {
    let evaluation = evaluate(position, remaining);
    let best = evaluation.best;
    let rank = best.map_or(0, |b| layout.geometry.rank[b.cell as usize]);
    packed(
        &layout.result,
        &[
            ("outcome", evaluation.outcome as i64),
            ("found", best.is_some().into()),
            ("cell", best.map_or(0, |b| b.cell.into())),
            ("rank", rank.into()),
            ("group", best.map_or(0, |b| layout.group_of(b.cell as usize) as i64)),
            ("gain", best.map_or(0, |b| b.gain.into())),
            ("makes_four", best.is_some_and(|b| b.makes_four).into()),
            ("one_empty", (position.stones() + 1 == layout.cells).into()),
            ("unproved", is_unproved(position, &evaluation).into()),
            ("leaf_value", evaluation.leaf_value.into()),
        ],
    )
}

/// A circuit under test in the kit's simulator, its ports by name.
pub struct Unit {
    circuit: Circuit,
    simulator: RefCell<Simulator>,
    /// Layout of its configuration.
    pub layout: Layout,
}

impl Unit {
    /// A fresh instance of the circuit, its registers in a random state, out of reset if it has one.
    pub fn new(name: &str, seed: u32) -> Unit {
        let (circuit, config) = crate::circuits::alone(name);
        let mut simulator = circuit.simulator();
        let mut rng = fastrand::Rng::with_seed(seed.into());
        simulator.scramble(|| rng.u64(..));
        let mut unit = Unit { circuit, simulator: RefCell::new(simulator), layout: Layout::new(&config) };
        if unit.simulator.get_mut().set("aresetn", &[0]) {
            (0..3).for_each(|_| unit.tick());
            unit.set("aresetn", 1);
        }
        unit
    }

    /// Clocks from its pipeline's inputs to an output.
    pub fn latency(&self, output: &str) -> usize {
        self.circuit.latency(output)
    }

    /// Sets a port of at most 32 bits.
    pub fn set(&mut self, name: &str, value: u32) {
        self.set_words(name, &[value]);
    }

    /// Sets a port from words of 32 bits, the lowest first.
    pub fn set_words(&mut self, name: &str, words: &[u32]) {
        let words: Vec<u64> = words
            .chunks(2)
            .map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32)
            .collect();
        assert!(self.simulator.get_mut().set(name, &words), "there is no input {name}");
    }

    /// Sets a plane: one bit a cell.
    pub fn set_plane(&mut self, name: &str, plane: impl Fn(Cell) -> bool) {
        let words = pack((0..self.layout.cells as Cell).map(plane));
        self.set_words(name, &words);
    }

    /// Sets a plane of the frame that shows `slice`; walls are `None`.
    pub fn set_frame(&mut self, name: &str, slice: usize, plane: impl Fn(Option<Cell>) -> bool) {
        let cells = 0..self.layout.frame.cells;
        let words = pack(cells.map(|place| plane(cell_of_frame(&self.layout, place, slice))));
        self.set_words(name, &words);
    }

    /// The same without so many cells of the frame, its first ones.
    pub fn set_frame_below(
        &mut self,
        name: &str,
        slice: usize,
        above: usize,
        plane: impl Fn(Option<Cell>) -> bool,
    ) {
        let cells = above..self.layout.frame.cells;
        let words = pack(cells.map(|place| plane(cell_of_frame(&self.layout, place, slice))));
        self.set_words(name, &words);
    }

    /// Sets a plane of the cells evaluated in `slice`; those off the board get `outside`.
    pub fn set_core(&mut self, name: &str, slice: usize, outside: bool, plane: impl Fn(Cell) -> bool) {
        let words = self.core_words(slice, outside, plane);
        self.set_words(name, &words);
    }

    fn core_words(&self, slice: usize, outside: bool, plane: impl Fn(Cell) -> bool) -> Vec<u32> {
        let core = 0..self.layout.frame.core_cells;
        pack(core.map(|c| self.layout.cell_of_core(c, slice).map_or(outside, |cell| plane(cell as Cell))))
    }

    /// Reads a port of at most 32 bits.
    pub fn get(&self, name: &str) -> u32 {
        self.words(name)[0]
    }

    /// Reads a port as words.
    pub fn words(&self, name: &str) -> Vec<u32> {
        let value =
            self.simulator.borrow_mut().get(name).unwrap_or_else(|| panic!("there is no signal {name}"));
        let words = value.words().iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
        words.take(value.width().div_ceil(32)).collect()
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
        let expected = pack((0..self.layout.cells as Cell).map(plane));
        assert_eq!(self.words(name), expected, "{name} after {:?}", position.moves());
    }

    /// The same of a plane of the cells evaluated in `slice`; those off the board must not be set.
    pub fn expect_core(&self, name: &str, slice: usize, plane: impl Fn(Cell) -> bool, position: &Position) {
        let expected = self.core_words(slice, false, plane);
        assert_eq!(self.words(name), expected, "{name}, slice {slice} after {:?}", position.moves());
    }

    /// One clock.
    pub fn tick(&mut self) {
        self.simulator.get_mut().tick();
    }
}

/// Signed number of `width` bits in the low bits of a word.
pub fn sign(value: u32, width: usize) -> i32 {
    signed(&[value], 0, width)
}

/// Names of the circuit `name` that sees the board slice by slice.
pub fn slices(name: &str) -> Vec<String> {
    crate::faults::SLICED.map(|rows| format!("{name}_by_{rows}")).into()
}

/// Names of the circuit `name`: of the whole board at once, and slice by slice.
pub fn with_slices(name: &str) -> Vec<String> {
    std::iter::once(name.to_string()).chain(slices(name)).collect()
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
