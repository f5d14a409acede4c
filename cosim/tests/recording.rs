// SPDX-License-Identifier: MIT OR Apache-2.0
//! A recorded search says what the core's counters and the model say, and a search that is given up leaves the position as it was.
#![allow(missing_docs)]

use cosim::bench::BenchOptions;
use cosim::lockstep::Session;
use cosim::measure::search_cost;
use cosim::models::{Kind, model};
use cosim::recording::record;
use cosim::rtl_engine::RtlEngine;
use cosim::waits::Cause;
use engine_model::named::named;
use engine_model::{Cell, Engine, EngineError, ModelEngine};
use hdl::layout::PassKind;

const QUIET: BenchOptions = BenchOptions { seed: 1, idle: 0.0, back_pressure: 0.0 };

#[test]
fn a_recording_agrees_with_the_counters() {
    let config = named("gomoku7").unwrap();
    let mut session = Session::new(model(&config, Kind::TracedCore).unwrap(), &config, true, QUIET);
    let moves: Vec<Cell> = vec![24, 10, 38];
    let cost = search_cost(&mut session, &moves, config.levels).unwrap();
    let recording = record(&mut session, &moves, config.levels).unwrap();
    assert_eq!((recording.decision, recording.cycles), (cost.decision, cost.cycles));
    assert_eq!(recording.passes.len() as u64, cost.passes);
    assert_eq!(recording.clocks.iter().filter(|clock| clock.issued).count() as u64, cost.passes);
    for cause in [Cause::Miss, Cause::Context, Cause::Order, Cause::First] {
        let seen = recording.clocks.iter().filter(|clock| clock.cause == Some(cause)).count() as u64;
        let counted = match cause {
            Cause::Miss => cost.misses,
            Cause::Context => cost.waits_context,
            Cause::Order => cost.waits_order,
            _ => cost.waits_first,
        };
        assert_eq!(seen, counted, "{cause:?}");
    }
    assert!(recording.passes.iter().all(|pass| pass.retired - pass.issued == recording.latency));
    let held = recording.clocks.iter().flat_map(|clock| clock.held.iter().copied());
    assert!(held.max() > Some(1) && recording.clocks.iter().all(|clock| clock.held.len() == config.levels));
    assert!(recording.returns.iter().any(|(_, of)| of.level == 2));
    // The nodes of each ply, by the counters and as they came out.
    for (index, nodes) in cost.nodes.iter().enumerate() {
        let fresh = recording.passes.iter().filter(|pass| {
            pass.node.fresh && pass.node.tag.kind == PassKind::Node && pass.node.tag.path.len() == index + 1
        });
        assert_eq!(fresh.count() as u64, *nodes, "ply {}", index + 1);
    }
}

#[test]
fn a_search_that_is_given_up_leaves_the_position() {
    let config = named("gomoku7").unwrap();
    let mut engine = RtlEngine::new(model(&config, Kind::Core).unwrap(), &config, false, QUIET);
    let moves: Vec<Cell> = vec![24, 17, 16];
    engine.set_position(&moves).unwrap();
    let stop = engine.stop().unwrap();
    stop.set();
    assert!(matches!(engine.search(None), Err(EngineError::Stopped)));
    stop.clear();
    let mut golden = ModelEngine::new(&config);
    golden.set_position(&moves).unwrap();
    let expected = golden.search(None).unwrap();
    let got = engine.search(None).unwrap();
    assert_eq!((got.cell, got.score), (expected.cell, expected.score));
}
