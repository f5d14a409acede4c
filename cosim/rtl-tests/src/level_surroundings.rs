// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the surroundings of a level controller owe it: visits, orders, children's values, nodes.

use crate::contexts::Contexts;
use crate::stimulus::Unit;
use fastrand::Rng;
use std::collections::VecDeque;

/// Something on its way back to a context, unless the context is left first.
#[derive(Clone, Copy)]
pub struct Due {
    /// Earliest clock.
    pub at: u32,
    /// Its context.
    pub row: usize,
    /// The context's generation then.
    pub generation: u32,
}

/// What a visit is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// A child.
    Child,
    /// A pass for order.
    Order,
}

/// What the surroundings of a level owe it.
#[derive(Default)]
pub struct Surroundings {
    /// Visits in order of their choice.
    pub visits: VecDeque<(Due, Visit)>,
    /// Results of passes for order.
    pub orders: Vec<Due>,
    /// Values of children.
    pub children: Vec<Due>,
    /// Reserved contexts whose node has not come yet.
    pub reserved: Vec<Due>,
}

impl Surroundings {
    /// Whether a pass for order of this context is under way.
    pub fn ordering(&self, row: usize, generation: u32) -> bool {
        let mine = |due: &Due| due.row == row && due.generation == generation;
        let visited = self.visits.iter().any(|(due, visit)| mine(due) && *visit == Visit::Order);
        visited || self.orders.iter().any(mine)
    }

    /// Forgets what belongs to contexts that were left.
    pub fn forget(&mut self, table: &Contexts) {
        let of_its_time = |due: &Due| table.rows[due.row].age() == due.generation;
        self.visits.retain(|(due, _)| of_its_time(due));
        self.orders.retain(of_its_time);
        self.children.retain(of_its_time);
        self.reserved.retain(of_its_time);
    }
}

/// One of the entries that are due, taken out.
pub fn take_due(list: &mut Vec<Due>, clock: u32, rng: &mut Rng) -> Option<Due> {
    let due: Vec<usize> = (0..list.len()).filter(|&i| list[i].at <= clock).collect();
    (!due.is_empty() && rng.u32(0..3) > 0).then(|| list.swap_remove(due[rng.usize(0..due.len())]))
}

/// Whether a level finds a value known of a context's child, seen by the child's mover, above the context's alpha, and above its limit.
pub fn known_exceeds(unit: &mut Unit, row: usize, value: i32) -> [bool; 2] {
    unit.set("known_row", row as u32);
    unit.set("known_turned", !value as u32 & ((1 << unit.layout.value_bits) - 1));
    ["known_above", "known_cuts"].map(|port| unit.get(port) == 1)
}
