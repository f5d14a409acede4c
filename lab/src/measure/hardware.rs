// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the simulated core's own counters say of its searches.

use super::row::{MeasureFault, Progress, Row};
use cosim::Model;
use cosim::bench::BenchOptions;
use cosim::lockstep::{Fault, Session};
use cosim::measure::{SearchCost, occupancy, search_cost};
use engine_model::Cell;
use figures::statistics::{Distribution, mean};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stretches the occupancy of one search is shown in, at most.
const STRETCHES: u64 = 160;
/// Clocks of the shortest stretch.
const SHORTEST_STRETCH: u64 = 32;

/// The searches of a row, one per position.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// Counters of each search.
    pub costs: Vec<SearchCost>,
    /// Clocks the evaluator needs for a pass.
    pub interval: u64,
    /// How full the evaluator was during the search of median length; `None` without a traced model.
    pub occupancy: Option<Occupancy>,
}

/// Passes over one search.
#[derive(Clone, Debug)]
pub struct Occupancy {
    /// Which position.
    pub position: usize,
    /// Clocks of a stretch.
    pub clocks: u64,
    /// Passes in each stretch.
    pub passes: Vec<u64>,
}

/// A part of all clocks: what the evaluator did in them, or why it did nothing.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Key of the JSON object.
    pub key: &'static str,
    /// In words.
    pub name: &'static str,
    /// Share of all clocks.
    pub share: f64,
}

impl Hardware {
    fn total(&self, figure: impl Fn(&SearchCost) -> u64) -> f64 {
        self.costs.iter().map(|cost| figure(cost) as f64).sum()
    }

    /// Cycles per search.
    pub fn cycles(&self) -> Distribution {
        Distribution::of(self.costs.iter().map(|cost| cost.cycles as f64))
    }

    /// Cycles of all searches.
    pub fn all_cycles(&self) -> f64 {
        self.total(|cost| cost.cycles)
    }

    /// Passes per search.
    pub fn passes(&self) -> Distribution {
        Distribution::of(self.costs.iter().map(|cost| cost.passes as f64))
    }

    /// Share of the clocks in which the evaluator works on a pass.
    pub fn busy(&self) -> f64 {
        self.total(|cost| cost.passes * self.interval) / self.all_cycles().max(1.0)
    }

    /// Every clock of all searches, by what the evaluator did or waited for; the first share is [`Self::busy`].
    pub fn clocks(&self) -> [Share; 6] {
        let share = |key, name, figure: &dyn Fn(&SearchCost) -> u64| Share {
            key,
            name,
            share: self.total(figure) / self.all_cycles().max(1.0),
        };
        [
            share("busy", "busy", &|cost| cost.passes * self.interval),
            share("wait_order", "next move in order awaited", &|cost| cost.waits_order),
            share("wait_first_child", "first child awaited", &|cost| cost.waits_first),
            share("wait_context", "free context awaited", &|cost| cost.waits_context),
            share("misses", "visit without a move", &|cost| cost.misses),
            share("starved", "starved: all results in the pipeline", &|cost| cost.starved(self.interval)),
        ]
    }

    /// Share of the passes whose result was dropped: cancelled work.
    pub fn cancelled(&self) -> f64 {
        self.total(|cost| cost.cancelled) / self.total(|cost| cost.passes).max(1.0)
    }

    /// Share of the passes that asked for further moves in order.
    pub fn orders(&self) -> f64 {
        self.total(|cost| cost.orders) / self.total(|cost| cost.passes).max(1.0)
    }

    /// Mean number of nodes at each ply, ply 1 first, to the deepest that has any.
    pub fn nodes_per_ply(&self) -> Vec<f64> {
        let deepest =
            self.costs.iter().filter_map(|cost| cost.nodes.iter().rposition(|&nodes| nodes > 0)).max();
        (0..deepest.map_or(0, |ply| ply + 1))
            .map(|ply| {
                mean(self.costs.iter().map(|cost| cost.nodes.get(ply).map_or(0.0, |&nodes| nodes as f64)))
            })
            .collect()
    }

    /// The search whose length is the median.
    fn median_search(&self) -> usize {
        let mut order: Vec<usize> = (0..self.costs.len()).collect();
        order.sort_by_key(|&index| self.costs[index].cycles);
        order[order.len() / 2]
    }
}

/// Searches every position in the core that ships, each from its reset, so that neither the order nor the number of
/// threads shows.
pub fn measure(
    row: &Row,
    shipped: &'static Model,
    positions: &[Vec<Cell>],
    progress: Progress,
) -> Result<Hardware, MeasureFault> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<Result<SearchCost, Fault>>>> = Mutex::new(vec![None; positions.len()]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(positions.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(position) = positions.get(index)
                {
                    let result = search_cost(&mut session(row, shipped), position, row.levels);
                    if result.is_err() {
                        // No further position is begun.
                        next.store(positions.len(), Ordering::Relaxed);
                    }
                    results.lock().expect("no thread panics with it")[index] = Some(result);
                    progress(&row.label(), "RTL simulation", done.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    let mut costs = Vec::new();
    for (position, result) in results.into_inner().expect("all threads have ended").into_iter().enumerate() {
        match result {
            Some(Ok(cost)) => costs.push(cost),
            Some(Err(fault)) => return Err(row.rtl_fault(position, &fault)),
            // Left out because of a fault further on.
            None => {}
        }
    }
    let interval = row.config.rows.div_ceil(row.config.rows_per_clock) as u64;
    Ok(Hardware { costs, interval, occupancy: None })
}

fn session(row: &Row, model: &'static Model) -> Session {
    // Stalls on the streams are the co-simulation's business.
    let options = BenchOptions::unstalled(1);
    Session::new(model, &row.config, model.config.trace, options)
}

/// Looks at the search of median length clock by clock, in the core with trace outputs.
pub fn watch(
    row: &Row,
    traced: &'static Model,
    hardware: &Hardware,
    positions: &[Vec<Cell>],
) -> Result<Occupancy, MeasureFault> {
    let position = hardware.median_search();
    let cycles = hardware.costs[position].cycles;
    let clocks = cycles.div_ceil(STRETCHES).div_ceil(SHORTEST_STRETCH).max(1) * SHORTEST_STRETCH;
    let passes = occupancy(&mut session(row, traced), &positions[position], row.levels, clocks)
        .map_err(|fault| row.rtl_fault(position, &fault))?;
    Ok(Occupancy { position, clocks, passes })
}
