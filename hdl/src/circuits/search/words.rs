// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parts of the search have in common: its ports, its counters, the names of levels.

use crate::layout::Layout;

/// Width of the cycle counter.
pub const CYCLE_BITS: usize = 64;
/// Width of the pass and node counters.
pub const COUNTER_BITS: usize = 32;

/// Width of the limit of a search in clocks.
pub const LIMIT_BITS: usize = 32;

kit::record! {
    /// What the command face drives in the search core.
    pub struct Commands {
        /// A new game, at once, whatever runs.
        clear,
        /// An operation is asked for while the core is idle.
        operation,
        /// Which.
        operation_code,
        /// The cell that it is of.
        operation_cell,
        /// Ends a search without a decision.
        abort_search,
        /// Levels of a search.
        levels,
        /// Its limit in clocks; 0 for none.
        limit,
        /// A cell that is asked for.
        query_cell,
    }
}

/// Widths of what the command face drives.
pub fn commands(layout: &Layout) -> Commands<usize> {
    Commands {
        operation_code: 2,
        operation_cell: layout.cell_bits,
        levels: layout.level_bits,
        limit: LIMIT_BITS,
        query_cell: layout.cell_bits,
        ..Commands::uniform(1)
    }
}

kit::record! {
    /// What the search core shows the command face.
    pub struct CoreStatus {
        /// No operation is under way.
        idle,
        /// The operation has ended.
        operation_done,
        /// It has been aborted.
        operation_aborted,
        /// How the game stands.
        over,
        /// The last decision.
        decided_cell,
        /// Its score.
        score,
        /// Levels that it was decided with.
        decided_levels,
        /// The cell asked for a clock ago holds a stone.
        query_occupied,
        /// Stones of the side that moved first.
        first,
        /// Stones of the other.
        second,
        /// How many.
        stones,
        /// The last move.
        last_cell,
        /// Clocks of the last search.
        cycles,
        /// Passes of it through the evaluator.
        passes,
        /// Results that it dropped.
        stale,
        /// Passes for order.
        orders,
        /// Clocks without a pass because one for order was waited for.
        waits_order,
        /// Because a first child was.
        waits_first,
        /// Because a free context was.
        waits_context,
        /// Because a visit found no move.
        misses,
        /// Nodes, a counter for each ply from 1, the first lowest.
        nodes,
    }
}

/// Widths of what the search core shows.
pub fn core_status(layout: &Layout) -> CoreStatus<usize> {
    CoreStatus {
        idle: 1,
        operation_done: 1,
        operation_aborted: 1,
        over: 2,
        decided_cell: layout.cell_bits,
        score: layout.value_bits,
        decided_levels: layout.level_bits,
        query_occupied: 1,
        first: layout.cells,
        second: layout.cells,
        stones: layout.count_bits,
        last_cell: layout.cell_bits,
        cycles: CYCLE_BITS,
        nodes: COUNTER_BITS * layout.max_path,
        ..CoreStatus::uniform(COUNTER_BITS)
    }
}

/// Name of a level's instance.
pub fn level_name(level: usize) -> String {
    format!("level_{level}")
}
