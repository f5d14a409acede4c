// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a search costs, by the core's own counters: cycles, passes, and where the clocks without a pass went.

use crate::bench::Event;
use crate::lockstep::{Fault, Session};
use engine_model::Cell;
use engine_model::search::RootDecision;
use hdl::stream::{Command, selector};

/// Counters of one search. All but `stones`, `levels` and `decision` are read from the core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchCost {
    /// Stones on the board before the search.
    pub stones: usize,
    /// Levels searched.
    pub levels: usize,
    /// Move and score, the model's and the core's; `None` when the game is over.
    pub decision: Option<RootDecision>,
    /// Clock cycles of the search.
    pub cycles: u64,
    /// Passes through the evaluator, all kinds.
    pub passes: u64,
    /// Passes among them that asked for further moves in order.
    pub orders: u64,
    /// Results dropped because their node had been left: cancelled work.
    pub cancelled: u64,
    /// Clocks without a pass while a pass for order was waited for.
    pub waits_order: u64,
    /// Clocks without a pass while siblings waited for a first child.
    pub waits_first: u64,
    /// Clocks without a pass while moves waited for a free context.
    pub waits_context: u64,
    /// Clocks lost to a visit that found no move (dropped by the bound, or its window closed).
    pub misses: u64,
    /// Nodes evaluated at each ply below the root; ply 1 first.
    pub nodes: Vec<u64>,
}

impl SearchCost {
    /// Clocks without a pass that no other counter explains: every context waits for results in the pipeline.
    pub fn starved(&self, clocks_per_pass: u64) -> u64 {
        let known = self.waits_order + self.waits_first + self.waits_context + self.misses;
        self.cycles.saturating_sub(self.passes * clocks_per_pass + known)
    }
}

/// Brings the core to the position after `moves`, to be searched with `levels` levels.
pub(crate) fn set_up(session: &mut Session, moves: &[Cell], levels: usize) -> Result<(), Fault> {
    let geometry = session.bench().layout().geometry.clone();
    session.command(Command::Reset, &[])?;
    for &cell in moves {
        let point = geometry.point(cell);
        session.command(Command::Place, &[point.x as u32, point.y as u32])?;
    }
    session.command(Command::Levels, &[levels as u32])?;
    Ok(())
}

/// Searches the position after `moves` with `levels` levels and reads the counters. The answer is compared with the
/// model's on the way.
pub fn search_cost(session: &mut Session, moves: &[Cell], levels: usize) -> Result<SearchCost, Fault> {
    set_up(session, moves, levels)?;
    let (_, predicted) = session.word(Command::Search as u32, &[])?;
    // The answer holds the move; this compares the score too.
    session.read(selector::GAME)?;
    let cycles = session.search_cycles()?;
    let [passes, cancelled] = session.read(selector::PASSES)?.map(u64::from);
    let [orders, waits_order] = session.read(selector::ORDERS)?.map(u64::from);
    let [waits_first, waits_context] = session.read(selector::WAITS)?.map(u64::from);
    let [misses, _] = session.read(selector::MISSES)?.map(u64::from);
    let max_path = session.bench().layout().max_path;
    let nodes = (1..=max_path)
        .map(|ply| session.read(selector::NODES + ply).map(|words| u64::from(words[0])))
        .collect::<Result<_, _>>()?;
    Ok(SearchCost {
        stones: moves.len(),
        levels,
        decision: predicted.decision,
        cycles,
        passes,
        orders,
        cancelled,
        waits_order,
        waits_first,
        waits_context,
        misses,
        nodes,
    })
}

/// Passes that retired in each stretch of `clocks` clocks of one search, from its first to its last: how full the
/// evaluator is as the search goes on. Needs a traced session.
pub fn occupancy(
    session: &mut Session,
    moves: &[Cell],
    levels: usize,
    clocks: u64,
) -> Result<Vec<u64>, Fault> {
    set_up(session, moves, levels)?;
    let mut retired: Vec<u64> = Vec::new();
    let begin = session.bench().cycle();
    session.command_observed(Command::Search, &[], &mut |cycle, event| {
        if let Event::Node(_) = event {
            let stretch = ((cycle - begin) / clocks) as usize;
            retired.resize(retired.len().max(stretch + 1), 0);
            retired[stretch] += 1;
        }
    })?;
    Ok(retired)
}
