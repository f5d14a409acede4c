// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parts of the search have in common: its ports, its counters, the names of levels.

use crate::kit::constant;
use crate::layout::Layout;

/// Width of the cycle counter.
pub const CYCLE_BITS: usize = 64;
/// Width of the pass and node counters.
pub const COUNTER_BITS: usize = 32;

/// Width of the limit of a search in clocks.
pub const LIMIT_BITS: usize = 32;

/// What the command face drives in the search core.
pub fn command_ports(layout: &Layout) -> [(&'static str, usize); 8] {
    [
        ("clear", 1),
        ("operation", 1),
        ("operation_code", 2),
        ("operation_cell", layout.cell_bits),
        ("abort_search", 1),
        ("levels", layout.level_bits),
        ("limit", LIMIT_BITS),
        ("query_cell", layout.cell_bits),
    ]
}

/// What the search core shows the command face.
pub fn status_ports(layout: &Layout) -> [(&'static str, usize); 21] {
    [
        ("idle", 1),
        ("operation_done", 1),
        ("operation_aborted", 1),
        ("over", 2),
        ("decided_cell", layout.cell_bits),
        ("score", layout.value_bits),
        ("decided_levels", layout.level_bits),
        ("query_occupied", 1),
        ("first", layout.cells),
        ("second", layout.cells),
        ("stones", layout.count_bits),
        ("last_cell", layout.cell_bits),
        ("cycles", CYCLE_BITS),
        ("passes", COUNTER_BITS),
        ("stale", COUNTER_BITS),
        ("orders", COUNTER_BITS),
        ("waits_order", COUNTER_BITS),
        ("waits_first", COUNTER_BITS),
        ("waits_context", COUNTER_BITS),
        ("misses", COUNTER_BITS),
        ("nodes", COUNTER_BITS * layout.max_path),
    ]
}

/// Name of a level's instance.
pub fn level_name(level: usize) -> String {
    format!("level_{level}")
}

/// Whether `signal` is the number of `level`.
pub(crate) fn of_level(layout: &Layout, signal: &str, level: usize) -> String {
    format!("({signal} == {})", constant(layout.level_bits, level))
}
