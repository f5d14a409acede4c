// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gain of every cell from the gain flags of the windows through it.

use super::gains;
use crate::circuits::DIRECTION_NAMES;
use crate::layout::Layout;
use kit::{Circuit, Module, Sig, any_of, bundle, cat};
use std::collections::BTreeMap;

/// Name of a direction's gain flag at the input.
pub fn gain_input(direction: usize, flag: usize) -> String {
    format!("{}_gain_flag_{flag}", DIRECTION_NAMES[direction])
}

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
/// `DIRECTION_gain_flag_J` planes of the frame in (windows at the bit of their first cell); out the gains of the core cells
/// ([`gains::ports`]). Latency 2: counts and the sum's lower half, its higher half. Initiation interval 1, no reset.
pub fn cell_gains(layout: &Layout) -> Circuit {
    let (frame, core) = (layout.frame.cells, layout.frame.core_cells);
    let mut inputs = BTreeMap::new();
    let module = Module::new(
        "cell_gains",
        "Gain of every cell: flags of the windows through it added up by their weights, bit-sliced.\n\
         Latency 2, initiation interval 1, no reset (data only).",
        false,
    );
    let m = &module;
    for direction in 0..DIRECTION_NAMES.len() {
        for (flag, _) in layout.gain_flags() {
            inputs.insert((direction, flag), m.input_at(0, &gain_input(direction, flag), frame));
        }
    }
    let mut by_weight: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (flag, weight) in layout.gain_flags() {
        by_weight.entry(weight).or_default().push(flag);
    }
    let mut columns = Columns { m, planes: vec![Vec::new(); layout.gain_bits] };
    for (weight, flags) in by_weight {
        let flags: Vec<Plane> =
            flags.into_iter().flat_map(|flag| flags_of_cells(m, layout, flag, &inputs)).collect();
        let packed = pack(m, &format!("weight_{weight}"), core, &flags);
        for six in packed.chunks(COUNTED) {
            let room = layout.gain_bits - weight.ilog2() as usize;
            for (bit, count) in count(m, "count", six, room).into_iter().enumerate() {
                for column in (0..usize::BITS as usize).filter(|column| weight >> column & 1 == 1) {
                    columns.push(column + bit, count.clone());
                }
            }
        }
    }
    m.comment("Every column's counts, counted once more where there are six.");
    columns.count_sixes(core);
    m.comment("Column by column, each down to one plane.");
    let half = columns.half_of_the_way();
    (0..half).for_each(|column| columns.finish(column));
    columns.register();
    m.comment("The higher columns.");
    (0..layout.gain_bits).for_each(|column| columns.finish(column));
    if layout.by_words() {
        for (column, (name, cells)) in gains::ports(layout, layout.gain_bits).into_iter().enumerate() {
            let plane = columns.plane(column).unwrap_or_else(|| m.zero(cells));
            m.output(&name, m.delayed(&name, plane));
        }
    } else {
        m.comment("From planes to cells.");
        let gains: Vec<Sig> = (0..core)
            .map(|cell| {
                let bits: Vec<Sig> = (0..layout.gain_bits).map(|bit| columns.bit(bit, cell)).collect();
                m.delayed(&format!("gain_of_{cell}"), bundle(&bits))
            })
            .collect();
        m.output("gains", bundle(&gains));
    }
    drop((columns, inputs));
    module.circuit()
}

/// A plane of the core cells and where it can be set.
#[derive(Clone)]
struct Plane<'m> {
    signal: Sig<'m>,
    somewhere: Vec<bool>,
}

/// A flag of the windows through every cell: a plane for each direction and place of the cell in its window.
fn flags_of_cells<'m>(
    m: &'m Module,
    layout: &Layout,
    flag: usize,
    inputs: &BTreeMap<(usize, usize), Sig<'m>>,
) -> Vec<Plane<'m>> {
    let frame = &layout.frame;
    let core = frame.core_cells;
    let first = frame.margin * frame.geometry.columns;
    let mut planes = Vec::new();
    for (direction, name) in DIRECTION_NAMES.iter().enumerate() {
        let input = inputs[&(direction, flag)];
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
                Some(low) => input.bits(low..low + core),
                None => cat([input.bits(0..core + first - back), m.zero(back - first)]),
            };
            let name = format!("{name}_flag_{flag}_place_{place}");
            planes.push(Plane { signal: m.wire(&name, shifted & m.plane(&somewhere)), somewhere });
        }
    }
    planes
}

/// The same flags of every cell in as few planes as the cell with most of them needs, each cell's in the first ones. A
/// flag whose plane is among a cell's first ones stays there; the others go where there is room.
fn pack<'m>(m: &'m Module, hint: &str, cells: usize, planes: &[Plane<'m>]) -> Vec<Plane<'m>> {
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
            Plane { signal, somewhere } if somewhere == mask => *signal,
            Plane { signal, .. } => *signal & m.plane(mask),
        };
        let somewhere = (0..cells).map(|cell| sources.values().any(|mask| mask[cell])).collect();
        let mut whole = sources.iter().filter(|(from, mask)| planes[**from].somewhere == **mask);
        let signal = match (sources.len(), whole.next()) {
            (1, Some((from, _))) => planes[*from].signal,
            _ => m.part(hint, any_of(sources.iter().map(term))),
        };
        packed.push(Plane { signal, somewhere });
    }
    packed
}

/// The count of up to six planes, which has so many bits at most, least significant first.
fn count<'m>(m: &'m Module, hint: &str, planes: &[Plane<'m>], bits: usize) -> Vec<Plane<'m>> {
    let signals: Vec<Sig> = planes.iter().map(|plane| plane.signal).collect();
    let set = |cell: usize| planes.iter().filter(|plane| plane.somewhere[cell]).count();
    let most: Vec<usize> = (0..signals[0].width).map(|cell| set(cell).min((1 << bits) - 1)).collect();
    let largest = most.iter().copied().max().unwrap_or(0);
    let bits = m.small_count(hint, &signals, largest).into_iter().enumerate();
    bits.map(|(bit, signal)| Plane { signal, somewhere: most.iter().map(|&most| most >> bit > 0).collect() })
        .collect()
}

/// Planes of a sum by weight: those of column w are worth 2^w each. What exceeds the sum's width is never set.
struct Columns<'m> {
    m: &'m Module,
    planes: Vec<Vec<Plane<'m>>>,
}

impl<'m> Columns<'m> {
    fn push(&mut self, column: usize, plane: Plane<'m>) {
        if plane.somewhere.contains(&true) {
            self.planes[column].push(plane);
        }
    }

    /// Counts `taken` of a column's planes, the first ones.
    fn count_first(&mut self, column: usize, taken: usize) {
        let taken: Vec<Plane> = self.planes[column].drain(..taken).collect();
        self.push_count(column, &taken);
    }

    fn push_count(&mut self, column: usize, planes: &[Plane<'m>]) {
        let room = self.planes.len() - column;
        for (bit, plane) in count(self.m, "sum", planes, room).into_iter().enumerate() {
            self.push(column + bit, plane);
        }
    }

    /// Counts six planes at a time, those of one column that are set in most cells first, once.
    fn count_sixes(&mut self, cells: usize) {
        let before = self.planes.clone();
        let mut groups = Vec::new();
        for (column, planes) in before.into_iter().enumerate() {
            if planes.len() < COUNTED {
                continue;
            }
            let mut planes = pack(self.m, &format!("column_{column}"), cells, &planes);
            self.planes[column] = planes.split_off(planes.len() / COUNTED * COUNTED);
            groups.extend(planes.chunks(COUNTED).map(|six| (column, six.to_vec())));
        }
        for (column, six) in groups {
            self.push_count(column, &six);
        }
    }

    /// Counts a column's planes until one is left.
    fn finish(&mut self, column: usize) {
        while self.planes[column].len() > 1 {
            let taken = self.planes[column].len().min(COUNTED);
            self.count_first(column, taken);
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
    fn register(&mut self) {
        for plane in self.planes.iter_mut().flatten() {
            let hint = plane.signal.name().map_or("plane_q".into(), |name| format!("{name}_q"));
            plane.signal = self.m.stage(&hint, plane.signal);
        }
    }

    /// The plane of a column that is finished, if it is ever set.
    fn plane(&self, column: usize) -> Option<Sig<'m>> {
        self.planes[column].first().map(|plane| plane.signal)
    }

    /// A cell's bit of it.
    fn bit(&self, column: usize, cell: usize) -> Sig<'m> {
        self.plane(column).map_or_else(|| self.m.bit(false), |plane| plane.bit(cell))
    }
}
