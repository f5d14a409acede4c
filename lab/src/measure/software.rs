// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the software engines take for the same decisions.

use super::hardware::Hardware;
use super::row::{MeasureFault, Progress, Row};
use engine_model::Cell;
use figures::clock::Clock;
use figures::statistics::Distribution;
use players::{FastEngine, IncrementalEngine, NaiveEngine, SoftwareEngine};
use std::time::{Duration, Instant};

/// Searches of a position, the fastest of which counts.
pub const REPEATS: usize = 3;
/// A search that takes longer is not repeated: what disturbs it is small against it.
pub const REPEATED_BELOW: Duration = Duration::from_millis(500);
/// Most levels the naive engine is asked for.
pub const NAIVE_LEVELS: usize = 4;

/// An engine's times for the positions of a row.
#[derive(Clone, Debug)]
pub struct Software {
    /// Short name.
    pub engine: &'static str,
    /// The algorithm in one line.
    pub algorithm: String,
    /// Threads it searches with.
    pub threads: usize,
    /// Best time for each position.
    pub seconds: Vec<f64>,
    /// Nodes it evaluated for each position.
    pub nodes: Vec<u64>,
}

/// How many times as fast the core is.
#[derive(Clone, Copy, Debug)]
pub struct Speedup {
    /// At this clock.
    pub clock: Clock,
    /// Time of all positions against time of all positions.
    pub total: f64,
    /// Position by position.
    pub each: Distribution,
}

impl Software {
    /// Times per position.
    pub fn spread(&self) -> Distribution {
        Distribution::of(self.seconds.iter().copied())
    }

    /// How many times as fast the core is at each position.
    pub fn ratios(&self, hardware: &Hardware, clock: Clock) -> Vec<f64> {
        let pairs = self.seconds.iter().zip(&hardware.costs);
        pairs.map(|(seconds, cost)| seconds / clock.seconds(cost.cycles as f64)).collect()
    }

    /// How many times as fast the core is at this clock.
    pub fn speedup(&self, hardware: &Hardware, clock: Clock) -> Speedup {
        Speedup {
            clock,
            total: self.seconds.iter().sum::<f64>() / clock.seconds(hardware.all_cycles()),
            each: Distribution::of(self.ratios(hardware, clock)),
        }
    }
}

/// Times every engine on the positions of a row, one after the other, and compares each decision with the core's.
pub fn measure(
    row: &Row,
    positions: &[Vec<Cell>],
    hardware: &Hardware,
    naive: bool,
    progress: Progress,
) -> Result<Vec<Software>, MeasureFault> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let legal = "the empty board is legal";
    let mut engines: Vec<(usize, usize, Box<dyn SoftwareEngine>)> = Vec::new();
    if naive && row.levels <= NAIVE_LEVELS {
        engines.push((1, 1, Box::new(NaiveEngine::new(&row.config, &[]).expect(legal))));
    }
    engines.push((1, REPEATS, Box::new(IncrementalEngine::new(&row.config, &[]).expect(legal))));
    engines.push((1, REPEATS, Box::new(FastEngine::new(&row.config, &[], 1).expect(legal))));
    if cores > 1 {
        engines.push((cores, REPEATS, Box::new(FastEngine::new(&row.config, &[], cores).expect(legal))));
    }
    let time = |(threads, repeats, mut engine): (usize, usize, Box<dyn SoftwareEngine>)| {
        let mut software = Software {
            engine: engine.name(),
            algorithm: engine.describe(),
            threads,
            seconds: Vec::new(),
            nodes: Vec::new(),
        };
        for (index, (position, cost)) in positions.iter().zip(&hardware.costs).enumerate() {
            engine.set_position(position).expect("the core has taken the same moves");
            let mut best = Duration::MAX;
            for _ in 0..repeats {
                let begin = Instant::now();
                let result = engine.decide(row.levels);
                best = best.min(begin.elapsed());
                if result.decision != cost.decision {
                    return Err(MeasureFault::Software {
                        engine: software.engine,
                        row: row.label(),
                        position: index + 1,
                        expected: cost.decision,
                        got: result.decision,
                    });
                }
                if software.nodes.len() == index {
                    software.nodes.push(result.nodes);
                }
                if best > REPEATED_BELOW {
                    break;
                }
            }
            software.seconds.push(best.as_secs_f64());
            progress(&row.label(), software.engine, index + 1);
        }
        Ok(software)
    };
    engines.into_iter().map(time).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosim::measure::SearchCost;
    use engine_model::search::RootDecision;

    #[test]
    fn another_decision_is_a_fault() {
        let row = Row { config: engine_model::named::named("gomoku7").unwrap(), levels: 2 };
        let position: Vec<Cell> = vec![24, 17, 16];
        let mut engine = IncrementalEngine::new(&row.config, &position).unwrap();
        let right = engine.decide(row.levels).decision.unwrap();
        let run = |decision| {
            let cost = SearchCost { decision: Some(decision), cycles: 1, ..SearchCost::default() };
            let hardware = Hardware { costs: vec![cost], interval: 1, occupancy: None };
            measure(&row, std::slice::from_ref(&position), &hardware, true, &|_, _, _| {})
        };
        let engines = run(right).unwrap();
        assert_eq!(engines.first().map(|engine| engine.engine), Some("naive"));
        assert!(engines.iter().all(|engine| engine.seconds.len() == 1 && engine.nodes[0] > 0));
        let fault = run(RootDecision { score: right.score + 1, ..right }).unwrap_err().to_string();
        assert!(fault.starts_with("gomoku7@2, position 1: naive decides"), "{fault}");
    }
}
