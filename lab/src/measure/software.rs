// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the software engines take for the same decisions.

use super::hardware::Hardware;
use super::row::{MeasureFault, Progress, Row};
use engine_model::Cell;
use figures::clock::Clock;
use figures::statistics::Distribution;
use players::{FastEngine, IncrementalEngine, NaiveEngine, SoftwareEngine, SoftwareResult};
use std::time::{Duration, Instant};

/// Rounds over all positions; an engine's best time of each position counts.
pub const ROUNDS: usize = 20;
/// A round that takes an engine longer makes its rounds fewer, [`FEW_ROUNDS`] or one: what disturbs it is small against it, and it is
/// not the best.
pub const LONG_ROUND: Duration = Duration::from_secs(3);
/// The same for one round only.
pub const LONGEST_ROUND: Duration = Duration::from_secs(15);
/// Rounds of an engine that takes long.
pub const FEW_ROUNDS: usize = 4;
/// A search that takes less is timed twice in a round, so that the caches are its own when it is timed again.
pub const WARMED_BELOW: Duration = Duration::from_millis(5);
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
    /// Best time for each position: of the processor on one thread, by the wall clock on several.
    pub seconds: Vec<f64>,
    /// Best time for each position by the wall clock.
    pub wall: Vec<f64>,
    /// Time of all positions in each round, as in `seconds`.
    pub rounds: Vec<f64>,
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

    /// Times of a position, mean over all of them, in the best round, the median one and the slowest.
    pub fn round_means(&self) -> [f64; 3] {
        let Distribution { median, max, .. } = Distribution::of(self.rounds.iter().copied());
        let best = self.rounds.iter().copied().fold(f64::INFINITY, f64::min);
        [best, median, max].map(|total| total / self.seconds.len().max(1) as f64)
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

/// An engine under the clock.
struct Timed {
    engine: Box<dyn SoftwareEngine>,
    software: Software,
    /// Rounds it takes part in, once the first has told.
    rounds: usize,
}

/// The time that this thread has had of a processor, and the wall clock's.
fn now() -> (Duration, Instant) {
    (cosim::speed::thread_time(), Instant::now())
}

impl Timed {
    fn new(engine: Box<dyn SoftwareEngine>, threads: usize, positions: usize) -> Timed {
        let software = Software {
            engine: engine.name(),
            algorithm: engine.describe(),
            threads,
            seconds: vec![f64::INFINITY; positions],
            wall: vec![f64::INFINITY; positions],
            rounds: Vec::new(),
            nodes: vec![0; positions],
        };
        Timed { engine, software, rounds: ROUNDS }
    }

    /// One search, timed.
    fn search(&mut self, levels: usize, index: usize) -> (SoftwareResult, f64) {
        let (cpu, wall) = now();
        let result = self.engine.decide(levels);
        let (cpu_after, wall_after) = now();
        let wall = (wall_after - wall).as_secs_f64();
        let cpu = (cpu_after - cpu).as_secs_f64();
        let counted = if self.software.threads > 1 { wall } else { cpu };
        let best = |kept: &mut f64, time: f64| *kept = kept.min(time);
        best(&mut self.software.seconds[index], counted);
        best(&mut self.software.wall[index], wall);
        self.software.nodes[index] = result.nodes;
        (result, counted)
    }

    /// How many rounds it goes on for, now that one is over.
    fn after_first_round(&mut self) {
        let round = Duration::from_secs_f64(self.software.rounds[0]);
        self.rounds = match round {
            round if round > LONGEST_ROUND => 1,
            round if round > LONG_ROUND => FEW_ROUNDS,
            _ => ROUNDS,
        };
    }
}

fn engines(row: &Row, naive: bool) -> Vec<(usize, Box<dyn SoftwareEngine>)> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let legal = "the empty board is legal";
    let mut engines: Vec<(usize, Box<dyn SoftwareEngine>)> = Vec::new();
    if naive && row.levels <= NAIVE_LEVELS {
        engines.push((1, Box::new(NaiveEngine::new(&row.config, &[]).expect(legal))));
    }
    engines.push((1, Box::new(IncrementalEngine::new(&row.config, &[]).expect(legal))));
    engines.push((1, Box::new(FastEngine::new(&row.config, &[], 1).expect(legal))));
    if cores > 1 {
        engines.push((cores, Box::new(FastEngine::new(&row.config, &[], cores).expect(legal))));
    }
    engines
}

/// Times every engine on the positions of a row, in rounds over positions and engines, and compares each decision with the core's.
pub fn measure(
    row: &Row,
    positions: &[Vec<Cell>],
    hardware: &Hardware,
    naive: bool,
    progress: Progress,
) -> Result<Vec<Software>, MeasureFault> {
    let engines = engines(row, naive).into_iter();
    let mut engines: Vec<Timed> =
        engines.map(|(threads, engine)| Timed::new(engine, threads, positions.len())).collect();
    for round in 0..ROUNDS {
        engines
            .iter_mut()
            .filter(|timed| round < timed.rounds)
            .for_each(|timed| timed.software.rounds.push(0.0));
        for (index, (position, cost)) in positions.iter().zip(&hardware.costs).enumerate() {
            for timed in engines.iter_mut().filter(|timed| round < timed.rounds) {
                timed.engine.set_position(position).expect("the core has taken the same moves");
                let (result, mut time) = timed.search(row.levels, index);
                if result.decision != cost.decision {
                    return Err(MeasureFault::Software {
                        engine: timed.software.engine,
                        row: row.label(),
                        position: index + 1,
                        expected: row.told(cost.decision),
                        got: row.told(result.decision),
                    });
                }
                if time < WARMED_BELOW.as_secs_f64() {
                    time = time.min(timed.search(row.levels, index).1);
                }
                timed.software.rounds[round] += time;
            }
            progress(&row.label(), &format!("software, round {} of {ROUNDS}", round + 1), index + 1);
        }
        if round == 0 {
            engines.iter_mut().for_each(Timed::after_first_round);
        }
    }
    Ok(engines.into_iter().map(|timed| timed.software).collect())
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
