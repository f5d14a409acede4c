// SPDX-License-Identifier: MIT OR Apache-2.0
//! One search of the traced core, clock by clock: what went into the evaluator and came out of it, what returned, what every level held.

use crate::bench::Event;
use crate::lockstep::{Fault, Session};
use crate::measure::set_up;
use crate::trace::{TraceNode, TraceReturn};
use crate::waits::Clock;
use engine_model::Cell;
use engine_model::search::RootDecision;
use hdl::document::node_latency;
use hdl::stream::Command;
use std::path::Path;

/// A pass through the evaluator.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Clock of the search in which it was issued.
    pub issued: u64,
    /// Clock in which its result came out.
    pub retired: u64,
    /// What came out.
    pub node: TraceNode,
}

/// A recorded search. Its clocks are counted from its first one, which is 0.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Moves of the position that was searched.
    pub moves: Vec<Cell>,
    /// Levels searched.
    pub levels: usize,
    /// What was decided; `None` when a static rule or the end of the game left nothing to search.
    pub decision: Option<RootDecision>,
    /// Clocks of the search by the core's own counter.
    pub cycles: u64,
    /// Cycle since power-up of clock 0: where a waveform of the same search has it.
    pub begin: u64,
    /// Clocks that a pass takes from the level that asks to its result.
    pub latency: u64,
    /// Every clock of the search.
    pub clocks: Vec<Clock>,
    /// Every pass, in the order in which they were issued.
    pub passes: Vec<Pass>,
    /// Every return of a level controller, with its clock.
    pub returns: Vec<(u64, TraceReturn)>,
}

/// Clocks after an answer in which what is still in the pipeline comes out.
const DRAIN: u64 = 64;

/// Searches the position after `moves` with `levels` levels, compared with the model node by node on the way. Needs a traced session.
pub fn record(session: &mut Session, moves: &[Cell], levels: usize) -> Result<Recording, Fault> {
    set_up(session, moves, levels)?;
    recorded(session, moves, levels)
}

/// The same, with a waveform of the search as the session's model writes them; why none could be written.
pub fn record_with_waves(
    session: &mut Session,
    moves: &[Cell],
    levels: usize,
    waves: &Path,
) -> Result<std::io::Result<Recording>, Fault> {
    set_up(session, moves, levels)?;
    if let Err(error) = session.bench().dut().open_waves(waves) {
        return Ok(Err(error));
    }
    let recording = recorded(session, moves, levels);
    session.bench().dut().close_waves();
    recording.map(Ok)
}

fn recorded(session: &mut Session, moves: &[Cell], levels: usize) -> Result<Recording, Fault> {
    session.bench().keep_clocks();
    let mut nodes = Vec::new();
    let mut returned = Vec::new();
    let mut observer = |cycle: u64, event: &Event| match event {
        Event::Node(node) => nodes.push((cycle, node.clone())),
        Event::Return(of) => returned.push((cycle, of.clone())),
        Event::Decision(_) => {}
    };
    let (_, predicted) = session.exchange(Command::Search as u32, &[], &mut observer)?;
    session.run_observed(DRAIN, &mut observer)?;
    let clocks = session.bench().take_clocks();
    let begin = clocks.first().map_or(session.bench().cycle(), |(cycle, _)| *cycle);
    let cycles = session.search_cycles()?;
    let latency = node_latency(session.bench().layout()) as u64;
    // Passes come out in the order in which they went in.
    let issued = clocks.iter().filter(|(_, clock)| clock.issued).map(|(cycle, _)| cycle - begin);
    let passes = issued
        .zip(nodes.into_iter().filter(|(cycle, _)| *cycle >= begin))
        .map(|(issued, (cycle, node))| Pass { issued, retired: cycle - begin, node })
        .collect();
    Ok(Recording {
        moves: moves.to_vec(),
        levels,
        decision: predicted.decision,
        cycles,
        begin,
        latency,
        passes,
        clocks: clocks.into_iter().map(|(_, clock)| clock).collect(),
        returns: returned.into_iter().map(|(cycle, of)| (cycle.saturating_sub(begin), of)).collect(),
    })
}
