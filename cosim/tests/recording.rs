// SPDX-License-Identifier: MIT OR Apache-2.0
//! A recorded search says what the core's counters and the model say, and a search that is given up leaves the position as it was.
#![allow(missing_docs)]

use cosim::bench::BenchOptions;
use cosim::lockstep::Session;
use cosim::measure::search_cost;
use cosim::models::{Kind, model};
use cosim::recording::{Pass, record};
use cosim::rtl_engine::RtlEngine;
use cosim::waits::{Cause, Clock};
use engine_model::named::named;
use engine_model::{Cell, Engine, EngineError, ModelEngine};
use hdl::layout::PassKind;

#[test]
fn a_recording_agrees_with_the_counters() {
    let config = named("gomoku7").unwrap();
    let mut session =
        Session::new(model(&config, Kind::TracedCore).unwrap(), &config, true, BenchOptions::unstalled(1));
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
    let held = |level: usize| {
        let of = |clock: &Clock| clock.windows[level].iter().flatten().count();
        recording.clocks.iter().map(of).max()
    };
    assert_eq!(held(0), Some(1));
    assert!(held(1) > Some(1) && held(2) > Some(1));
    // The root's window narrows from below, by what its moves return.
    let root: Vec<i32> =
        recording.clocks.iter().filter_map(|clock| clock.windows[0][0]).map(|window| window.alpha).collect();
    assert!(root.is_sorted() && root.first() < root.last());
    assert!(recording.returns.iter().any(|(_, of)| of.level == 2));
    // Whoever asks for a pass holds the node above it: the last one for which its context was reserved.
    let mut looked_at = 0;
    for (index, pass) in recording.passes.iter().enumerate() {
        let tag = &pass.node.tag;
        let reserved = |before: &&Pass| {
            before.node.tag.level + 1 == tag.level
                && before.node.tag.child == tag.context
                && before.retired <= pass.issued
        };
        if tag.level > 1 && tag.kind == PassKind::Node {
            let holder = recording.passes[..index].iter().rev().find(reserved).unwrap();
            assert!(tag.path.starts_with(&holder.node.tag.path), "{tag:?} asked by {:?}", holder.node.tag);
            looked_at += 1;
        }
    }
    assert!(looked_at > 50, "{looked_at}");
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
    let mut engine =
        RtlEngine::new(model(&config, Kind::Core).unwrap(), &config, false, BenchOptions::unstalled(1));
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
