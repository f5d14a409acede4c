// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board on a line, by its core's counters and by the clock on the wall.

use super::hardware::Hardware;
use super::row::{MeasureFault, Progress, Row};
use cosim::measure::SearchCost;
use driver::BoardError;
use driver::board::{Board, Limits, Solved};
use driver::transport::is_pseudo_terminal;
use engine_model::engine::ModelEngine;
use engine_model::search::RootDecision;
use engine_model::{Cell, Engine, Point};
use figures::clock::Clock;
use figures::statistics::Distribution;
use std::time::{Duration, Instant};

/// What was measured on a board beside its core's counters.
#[derive(Clone, Debug)]
pub struct OnBoard {
    /// What the board is, or its port.
    pub name: String,
    /// Whether its port is a pseudo-terminal: the board is simulated, or another program passes its line on.
    pub pseudo_terminal: bool,
    /// Rate of its line in bits a second.
    pub baud: u32,
    /// Clock of the core, as the board tells it.
    pub clock: Clock,
    /// Wall time of each position, sent and searched by itself, in seconds.
    pub seconds: Vec<f64>,
    /// Of these, what the bytes took on the line at its rate.
    pub line_seconds: Vec<f64>,
    /// Wall time of all positions in one call, in seconds.
    pub batch_seconds: f64,
}

impl OnBoard {
    /// Wall time of a position.
    pub fn each(&self) -> Distribution {
        Distribution::of(self.seconds.iter().copied())
    }

    /// Positions a second, one by one and in one call.
    pub fn per_second(&self) -> [f64; 2] {
        let positions = self.seconds.len() as f64;
        [self.seconds.iter().sum(), self.batch_seconds].map(|seconds: f64| positions / seconds.max(1e-9))
    }
}

/// Why a board was not measured.
#[derive(Debug, thiserror::Error)]
pub enum OnBoardError {
    /// The line or the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// It decides otherwise than the model.
    #[error(transparent)]
    Fault(#[from] MeasureFault),
}

/// Searches every position on the board, one by one and then in one call; each decision and score is the model's.
pub fn measure(
    row: &Row,
    board: &mut Board,
    name: String,
    positions: &[Vec<Cell>],
    progress: Progress,
) -> Result<(Hardware, OnBoard), OnBoardError> {
    let geometry = row.config.geometry();
    let limits = Limits { levels: Some(row.levels), cycles: None };
    let points: Vec<Vec<Point>> =
        positions.iter().map(|moves| moves.iter().map(|&cell| geometry.point(cell)).collect()).collect();
    let decided = |found: Option<Solved>| {
        let found = found?;
        let cell = geometry.cell(found.point.x, found.point.y)?;
        Some(RootDecision { cell, score: found.score })
    };
    let mut model = ModelEngine::new(&row.config);
    let (mut costs, mut seconds, mut line_seconds) = (Vec::new(), Vec::new(), Vec::new());
    let mut decisions = Vec::new();
    for (index, (moves, points)) in positions.iter().zip(&points).enumerate() {
        let (begun, before) = (Instant::now(), board.statistics());
        board.set_position(points)?;
        let found = board.search(limits)?;
        seconds.push(begun.elapsed().as_secs_f64());
        let after = board.statistics();
        let bytes = after.sent + after.received - before.sent - before.received;
        line_seconds.push(board.line_time(bytes).as_secs_f64());
        let counters = board.counters()?;
        let decision = decided(found.map(Solved::from));
        compare(row, index, predicted(&mut model, moves, row.levels), decision)?;
        decisions.push(decision);
        costs.push(SearchCost {
            stones: moves.len(),
            levels: row.levels,
            decision,
            cycles: counters.cycles,
            passes: counters.passes.into(),
            orders: counters.orders.into(),
            cancelled: counters.stale.into(),
            waits_order: counters.waits_order.into(),
            waits_first: counters.waits_first.into(),
            waits_context: counters.waits_context.into(),
            misses: counters.misses.into(),
            nodes: counters.nodes.iter().map(|nodes| u64::from(*nodes)).collect(),
        });
        progress(&row.label(), "board", index + 1);
    }
    let begun = Instant::now();
    let batch = board.search_each(&points, limits)?;
    let batch_seconds = begun.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    for (index, (found, expected)) in batch.iter().zip(&decisions).enumerate() {
        compare(row, index, *expected, decided(*found))?;
    }
    let clock = Clock { hz: f64::from(board.identity().clock_hz) };
    let interval = row.config.rows.div_ceil(row.config.rows_per_clock) as u64;
    let hardware = Hardware { costs, interval, occupancy: None };
    let (pseudo_terminal, baud) = (is_pseudo_terminal(&board.name()), board.baud());
    Ok((hardware, OnBoard { name, pseudo_terminal, baud, clock, seconds, line_seconds, batch_seconds }))
}

/// The decision on the position at an index, if it is the model's.
fn compare(
    row: &Row,
    index: usize,
    expected: Option<RootDecision>,
    got: Option<RootDecision>,
) -> Result<(), MeasureFault> {
    if got == expected {
        return Ok(());
    }
    Err(MeasureFault::Board {
        row: row.label(),
        position: index + 1,
        expected: row.told(expected),
        got: row.told(got),
    })
}

/// What the model decides.
fn predicted(model: &mut ModelEngine, moves: &[Cell], levels: usize) -> Option<RootDecision> {
    model.set_position(moves).ok()?;
    let decision = model.search(Some(levels)).ok()?;
    Some(RootDecision { cell: decision.cell?, score: decision.score })
}
