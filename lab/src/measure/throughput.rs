// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many positions at once: every processor core searches its own, which is fairer to software than one search on all of them.

use super::hardware::Hardware;
use super::row::{MeasureFault, Progress, Row};
use super::software::{FEW_ROUNDS, LONG_ROUND, ROUNDS};
use engine_model::Cell;
use engine_model::search::RootDecision;
use figures::clock::Clock;
use players::{FastEngine, SoftwareEngine};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A round goes over the positions as often as it takes to last so long: threads that begin and end at different times count little then.
const SHORTEST_ROUND: Duration = Duration::from_millis(100);

/// Positions a second of all processor cores together, each thread with an engine of its own.
#[derive(Clone, Debug)]
pub struct Throughput {
    /// Name of the engine.
    pub engine: &'static str,
    /// Threads, one a processor core.
    pub threads: usize,
    /// Positions a second in each round; the best one counts.
    pub rounds: Vec<f64>,
}

impl Throughput {
    /// Positions a second in the best round.
    pub fn per_second(&self) -> f64 {
        self.rounds.iter().copied().fold(0.0, f64::max)
    }

    /// Positions a second of one core of ours.
    pub fn of_core(hardware: &Hardware, clock: Clock) -> f64 {
        hardware.costs.len() as f64 / clock.seconds(hardware.all_cycles())
    }
}

/// What a thread has done in a round.
struct Share {
    positions: usize,
    searching: Duration,
    wrong: Option<(usize, Option<RootDecision>)>,
}

/// One round: threads take the next position until all are taken `times` times.
fn round(
    row: &Row,
    positions: &[Vec<Cell>],
    hardware: &Hardware,
    engines: &mut [FastEngine],
    times: usize,
) -> Vec<Share> {
    let (next, begin) = (AtomicUsize::new(0), Barrier::new(engines.len()));
    let all = positions.len() * times;
    let work = |engine: &mut FastEngine| {
        let mut share = Share { positions: 0, searching: Duration::ZERO, wrong: None };
        begin.wait();
        loop {
            let taken = next.fetch_add(1, Ordering::Relaxed);
            if taken >= all {
                return share;
            }
            let index = taken % positions.len();
            engine.set_position(&positions[index]).expect("the core has taken the same moves");
            let begun = Instant::now();
            let result = engine.decide(row.levels);
            share.searching += begun.elapsed();
            share.positions += 1;
            if result.decision != hardware.costs[index].decision {
                share.wrong = Some((index, result.decision));
                return share;
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = engines.iter_mut().map(|engine| scope.spawn(|| work(engine))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that searches")).collect()
    })
}

/// Measures the fast engine on all processor cores. A thread's rate is of the time in which it searches, by the wall clock.
///
/// # Errors
/// [`MeasureFault::Software`] if a decision is not the core's.
pub fn measure(
    row: &Row,
    positions: &[Vec<Cell>],
    hardware: &Hardware,
    progress: Progress,
) -> Result<Throughput, MeasureFault> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let engine = || FastEngine::new(&row.config, &[], 1).expect("the empty board is legal");
    let mut engines: Vec<FastEngine> = (0..threads).map(|_| engine()).collect();
    let mut throughput = Throughput { engine: engines[0].name(), threads, rounds: Vec::new() };
    let (mut rounds, mut times) = (ROUNDS, 1);
    while throughput.rounds.len() < rounds && !positions.is_empty() {
        let begun = Instant::now();
        let shares = round(row, positions, hardware, &mut engines, times);
        let took = begun.elapsed();
        if let Some((index, got)) = shares.iter().find_map(|share| share.wrong) {
            return Err(MeasureFault::Software {
                engine: throughput.engine,
                row: row.label(),
                position: index + 1,
                expected: row.told(hardware.costs[index].decision),
                got: row.told(got),
            });
        }
        let rate = |share: &Share| share.positions as f64 / share.searching.as_secs_f64().max(1e-9);
        // A thread that came too late for any position has no rate.
        let rates = shares.iter().filter(|share| share.positions > 0).map(rate);
        throughput.rounds.push(rates.sum());
        if throughput.rounds.len() == 1 {
            rounds = if took > LONG_ROUND { FEW_ROUNDS } else { ROUNDS };
            times = (SHORTEST_ROUND.as_secs_f64() / took.as_secs_f64().max(1e-6)).ceil() as usize;
        }
        progress(
            &row.label(),
            &format!("software on all cores, round {} of {rounds}", throughput.rounds.len()),
            positions.len(),
        );
    }
    Ok(throughput)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosim::measure::SearchCost;

    #[test]
    fn another_decision_is_a_fault() {
        let row = Row { config: engine_model::named::named("gomoku7").unwrap(), levels: 2 };
        let position: Vec<Cell> = vec![24, 17, 16];
        let right = FastEngine::new(&row.config, &position, 1).unwrap().decide(row.levels).decision.unwrap();
        let run = |decision| {
            let cost = SearchCost { decision: Some(decision), cycles: 1, ..SearchCost::default() };
            let hardware = Hardware { costs: vec![cost], interval: 1, occupancy: None };
            measure(&row, std::slice::from_ref(&position), &hardware, &|_, _, _| {})
        };
        assert_eq!(run(right).unwrap().rounds.len(), ROUNDS);
        let fault = run(RootDecision { score: right.score + 1, ..right }).unwrap_err().to_string();
        assert!(fault.starts_with("gomoku7@2, position 1: fast decides"), "{fault}");
    }
}
