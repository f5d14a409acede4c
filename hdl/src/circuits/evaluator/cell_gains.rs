// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gain of every cell from the gain flags of the windows through it.

use crate::circuits::DIRECTION_NAMES;
use crate::kit::{Body, Circuit, constant, hex};
use crate::layout::Layout;
use std::collections::BTreeMap;

/// Name of a direction's gain flag at the input.
pub fn gain_input(direction: usize, flag: usize) -> String {
    format!("{}_gain_flag_{flag}", DIRECTION_NAMES[direction])
}

/// Clocks from the flags to the gains: counts and the sum's lower half, its higher half.
pub const LATENCY: usize = 2;

/// Planes that become a count by one table of six inputs a bit.
const COUNTED: usize = 6;

/// Counts in a row before the sum is added up column by column.
const COUNTS_BEFORE: usize = 2;

/// Adds up the gain flags of the windows through every cell, each worth its weight: bit-sliced, all cells at once.
///
/// A flag of the windows in which a cell has place i is the flag's plane, shifted by i strides. A cell has only as
/// many windows as the board leaves it, so the windows of every cell are moved to its first places by constant masks,
/// which cost nothing: no table of six inputs is left half empty. Flags of one weight are counted together, six planes
/// to three of a count, twice; then what is left is added column by column from the lowest, each column's carries
/// going to the next two.
///
/// Ports: `aclk`; `DIRECTION_gain_flag_J` planes of the frame in (windows at the bit of their first cell); out `gains` of
/// the core cells, side by side ([`Layout::gain_of`]). Latency [`LATENCY`], initiation interval 1, no reset.
pub fn cell_gains(layout: &Layout) -> Circuit {
    let (frame, core) = (layout.frame.cells, layout.frame.core_cells);
    let mut circuit = Circuit::new(
        "cell_gains",
        &format!(
            "Gain of every cell: flags of the windows through it added up by their weights, bit-sliced.\n\
             Latency {LATENCY}, initiation interval 1, no reset (data only)."
        ),
    );
    circuit.clocked(false);
    for direction in 0..DIRECTION_NAMES.len() {
        for (flag, _) in layout.gain_flags() {
            circuit.input(gain_input(direction, flag), frame);
        }
    }
    circuit.output("gains", layout.gains_width());
    let mut by_weight: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (flag, weight) in layout.gain_flags() {
        by_weight.entry(weight).or_default().push(flag);
    }
    let mut body = Body::new();
    let mut columns = Columns { planes: vec![Vec::new(); layout.gain_bits], cells: core };
    for (weight, flags) in by_weight {
        let flags: Vec<Plane> =
            flags.into_iter().flat_map(|flag| flags_of_cells(&mut body, layout, flag)).collect();
        let packed = pack(&mut body, &format!("weight_{weight}"), core, &flags);
        for six in packed.chunks(COUNTED) {
            let room = layout.gain_bits - weight.ilog2() as usize;
            for (bit, count) in count(&mut body, "count", core, six, room).into_iter().enumerate() {
                for column in (0..usize::BITS as usize).filter(|column| weight >> column & 1 == 1) {
                    columns.push(column + bit, count.clone());
                }
            }
        }
    }
    body.comment("Every column's counts, counted once more where there are six.");
    columns.count_sixes(&mut body);
    body.comment("Column by column, each down to one plane.");
    let half = columns.half_of_the_way();
    (0..half).for_each(|column| columns.finish(&mut body, column));
    columns.register(&mut body);
    body.comment("The higher columns.");
    (0..layout.gain_bits).for_each(|column| columns.finish(&mut body, column));
    body.comment("From planes to cells.");
    let gains: Vec<String> = (0..core)
        .map(|cell| {
            let bits: Vec<String> = (0..layout.gain_bits).rev().map(|bit| columns.bit(bit, cell)).collect();
            body.register(&format!("gain_of_{cell}"), layout.gain_bits, format!("{{{}}}", bits.join(", ")))
        })
        .collect();
    body.drive("gains", crate::kit::concatenated(&gains));
    circuit.set_body(body.finish());
    circuit
}

/// A plane of the core cells and where it can be set.
#[derive(Clone)]
struct Plane {
    name: String,
    somewhere: Vec<bool>,
}

/// A flag of the windows through every cell: a plane for each direction and place of the cell in its window.
fn flags_of_cells(body: &mut Body, layout: &Layout, flag: usize) -> Vec<Plane> {
    let frame = &layout.frame;
    let core = frame.core_cells;
    let first = frame.margin * frame.geometry.columns;
    let mut planes = Vec::new();
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        let input = gain_input(direction, flag);
        for place in 0..layout.config.in_a_row {
            let back = place * frame.geometry.stride(direction);
            let starts = |cell: usize| {
                let start = (first + cell).checked_sub(back);
                start.is_some_and(|start| frame.geometry.window_at[direction][start].is_some())
            };
            let somewhere: Vec<bool> = (0..core).map(starts).collect();
            if !somewhere.contains(&true) {
                continue;
            }
            let shifted = match first.checked_sub(back) {
                Some(0) if frame.cells == core => input.clone(),
                Some(low) => format!("{input}[{}:{low}]", low + core - 1),
                None => format!("{{{input}[{}:0], {}'d0}}", core - 1 + first - back, back - first),
            };
            let windows = format!("{shifted} & {}", hex(&somewhere));
            let name = body.wire(&format!("{name}_flag_{flag}_place_{place}"), core, windows);
            planes.push(Plane { name, somewhere });
        }
    }
    planes
}

/// The same flags of every cell in as few planes as the cell with most of them needs, each cell's in the first ones. A
/// flag whose plane is among a cell's first ones stays there; the others go where there is room.
fn pack(body: &mut Body, hint: &str, cells: usize, planes: &[Plane]) -> Vec<Plane> {
    let mut masks: Vec<BTreeMap<usize, Vec<bool>>> = vec![BTreeMap::new(); planes.len()];
    for cell in 0..cells {
        let here: Vec<usize> = (0..planes.len()).filter(|&p| planes[p].somewhere[cell]).collect();
        let (stay, go): (Vec<usize>, Vec<usize>) = here.iter().partition(|&&p| p < here.len());
        let room = (0..here.len()).filter(|to| !stay.contains(to));
        let moves = go.iter().copied().zip(room);
        for (from, to) in stay.iter().map(|&p| (p, p)).chain(moves) {
            masks[to].entry(from).or_insert_with(|| vec![false; cells])[cell] = true;
        }
    }
    let mut packed = Vec::new();
    for sources in masks.iter().filter(|sources| !sources.is_empty()) {
        // A plane is never set where it cannot be: taken as a whole it needs no mask.
        let term = |(&from, mask): (&usize, &Vec<bool>)| match &planes[from] {
            Plane { name, somewhere } if somewhere == mask => name.clone(),
            Plane { name, .. } => format!("({name} & {})", hex(mask)),
        };
        let terms: Vec<String> = sources.iter().map(term).collect();
        let somewhere = (0..cells).map(|cell| sources.values().any(|mask| mask[cell])).collect();
        let name = match &terms[..] {
            [whole] if !whole.starts_with('(') => whole.clone(),
            _ => body.wire(hint, cells, terms.join(" | ")),
        };
        packed.push(Plane { name, somewhere });
    }
    packed
}

/// The count of up to six planes, which has so many bits at most, least significant first.
fn count(body: &mut Body, hint: &str, cells: usize, planes: &[Plane], bits: usize) -> Vec<Plane> {
    let names: Vec<String> = planes.iter().map(|plane| plane.name.clone()).collect();
    let set = |cell: usize| planes.iter().filter(|plane| plane.somewhere[cell]).count();
    let most: Vec<usize> = (0..cells).map(|cell| set(cell).min((1 << bits) - 1)).collect();
    let largest = most.iter().copied().max().unwrap_or(0);
    let bits = body.small_count(hint, cells, &names, largest).into_iter().enumerate();
    bits.map(|(bit, name)| Plane { name, somewhere: most.iter().map(|&most| most >> bit > 0).collect() })
        .collect()
}

/// Planes of a sum by weight: those of column w are worth 2^w each. What exceeds the sum's width is never set.
struct Columns {
    planes: Vec<Vec<Plane>>,
    cells: usize,
}

impl Columns {
    fn push(&mut self, column: usize, plane: Plane) {
        if plane.somewhere.contains(&true) {
            self.planes[column].push(plane);
        }
    }

    /// Counts `taken` of a column's planes, the first ones.
    fn count_first(&mut self, body: &mut Body, column: usize, taken: usize) {
        let taken: Vec<Plane> = self.planes[column].drain(..taken).collect();
        self.push_count(body, column, &taken);
    }

    fn push_count(&mut self, body: &mut Body, column: usize, planes: &[Plane]) {
        let room = self.planes.len() - column;
        for (bit, plane) in count(body, "sum", self.cells, planes, room).into_iter().enumerate() {
            self.push(column + bit, plane);
        }
    }

    /// Counts six planes at a time, those of one column that are set in most cells first, once.
    fn count_sixes(&mut self, body: &mut Body) {
        let before = self.planes.clone();
        let mut groups = Vec::new();
        for (column, planes) in before.into_iter().enumerate() {
            if planes.len() < COUNTED {
                continue;
            }
            let mut planes = pack(body, &format!("column_{column}"), self.cells, &planes);
            self.planes[column] = planes.split_off(planes.len() / COUNTED * COUNTED);
            groups.extend(planes.chunks(COUNTED).map(|six| (column, six.to_vec())));
        }
        for (column, six) in groups {
            self.push_count(body, column, &six);
        }
    }

    /// Counts a column's planes until one is left.
    fn finish(&mut self, body: &mut Body, column: usize) {
        while self.planes[column].len() > 1 {
            let taken = self.planes[column].len().min(COUNTED);
            self.count_first(body, column, taken);
        }
    }

    /// The column at which half of all counts in a row lie before.
    fn half_of_the_way(&self) -> usize {
        let mut heights: Vec<usize> = self.planes.iter().map(Vec::len).collect();
        let mut in_a_row = vec![0];
        for column in 0..heights.len() {
            let mut steps = 0;
            while heights[column] > 1 {
                let taken = heights[column].min(COUNTED);
                heights[column] -= taken - 1;
                for (above, least) in [(1, 2), (2, 4)] {
                    if let Some(height) = heights.get_mut(column + above) {
                        *height += usize::from(taken >= least);
                    }
                }
                steps += 1;
            }
            in_a_row.push(in_a_row[column] + steps);
        }
        let all = in_a_row[heights.len()];
        in_a_row.iter().position(|&below| 2 * below + COUNTS_BEFORE >= all).unwrap_or(0)
    }

    /// Puts every plane into a register.
    fn register(&mut self, body: &mut Body) {
        for plane in self.planes.iter_mut().flatten() {
            plane.name = body.register(&format!("{}_q", plane.name), self.cells, &plane.name);
        }
    }

    /// A cell's bit of a column that is finished.
    fn bit(&self, column: usize, cell: usize) -> String {
        match self.planes[column].first() {
            Some(plane) => format!("{}[{cell}]", plane.name),
            None => constant(1, 0),
        }
    }
}
