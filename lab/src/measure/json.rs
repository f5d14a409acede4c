// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report as one JSON object.

use super::software::{ROUNDS, Software};
use super::{Measured, Report};
use figures::clock::Clock;
use figures::statistics::{Distribution, mean};
use serde_json::{Map, Value, json};

/// The object of a report.
pub fn object(report: &Report) -> Value {
    let rows = &report.rows;
    let compilation = report.machine.compilation;
    let targets = report.targets.iter().map(|judged| {
        json!({
            "what": judged.target.what, "value": judged.value, "must": judged.target.must, "aim": judged.target.aim,
            "must_met": judged.target.must_met(judged.value), "aim_met": judged.target.aim_met(judged.value),
            "verdict": judged.target.verdict(judged.value),
        })
    });
    json!({
        "config": report.config,
        "clock_hz": report.clock.hz,
        "clocks_hz": report.clocks().iter().map(|clock| clock.hz).collect::<Vec<_>>(),
        "positions": report.positions,
        "positions_source": report.positions_source,
        "levels": rows.iter().map(level).collect::<Vec<_>>(),
        "software": rows
            .iter()
            .flat_map(|measured| measured.software.iter().map(|software| engine(report, measured, software)))
            .collect::<Vec<_>>(),
        "targets": targets.collect::<Vec<_>>(),
        "timing": {
            "rounds": ROUNDS, "clock": "processor time of the thread; wall clock of several threads",
            "tables": "built beforehand, not counted",
        },
        "machine": {
            "processor": report.machine.processor,
            "cores": report.machine.cores,
            "others": report.machine.others, "disturbed": report.machine.disturbed(),
            "rustc": compilation.rustc,
            "opt_level": compilation.opt_level,
            "target": compilation.target,
            "rustflags": compilation.flags,
            "debug_assertions": compilation.debug_assertions,
        },
        "simulator": report.machine.simulator,
        "core": report.label(),
        "board": report.board.as_ref().map(|board| {
            let [single, batch] = board.per_second();
            json!({
                "name": board.name, "pseudo_terminal": board.pseudo_terminal, "baud": board.baud, "clock_hz": board.clock.hz, "seconds": board.seconds, "line_seconds": board.line_seconds,
                "batch_seconds": board.batch_seconds, "positions_per_second": { "single": single, "batch": batch },
            })
        }),
        "mismatches": 0,
    })
}

fn level(measured: &Measured) -> Value {
    let Measured { row, hardware, .. } = measured;
    let (cycles, passes) = (hardware.cycles(), hardware.passes());
    let [busy, bubbles @ ..] = hardware.clocks();
    let bubbles: Map<String, Value> =
        bubbles.iter().map(|share| (share.key.to_string(), json!(share.share))).collect();
    json!({
        "config": row.config.name,
        "levels": row.levels,
        "width": row.width(),
        "cycles": {
            "mean": cycles.mean, "median": cycles.median, "p95": cycles.p95, "max": cycles.max,
            "each": hardware.costs.iter().map(|cost| cost.cycles).collect::<Vec<_>>(),
        },
        "passes": { "mean": passes.mean, "median": passes.median, "p95": passes.p95, "max": passes.max },
        "clocks_per_pass": hardware.interval,
        "busy": busy.share,
        "bubbles": bubbles,
        "throughput": {
            "engine": measured.throughput.engine, "threads": measured.throughput.threads,
            "rounds": measured.throughput.rounds, "positions_per_second": measured.throughput.per_second(),
        },
        "cancelled_of_passes": hardware.cancelled(),
        "orders_of_passes": hardware.orders(),
        "nodes_per_ply": hardware.nodes_per_ply(),
        "occupancy": hardware.occupancy.as_ref().map(|occupancy| {
            json!({
                "position": occupancy.position + 1, "clocks": occupancy.clocks, "passes": occupancy.passes,
            })
        }),
    })
}

fn engine(report: &Report, measured: &Measured, software: &Software) -> Value {
    let (seconds, [best, median, slowest]) = (software.spread(), software.round_means());
    let nodes = Distribution::of(software.nodes.iter().map(|&nodes| nodes as f64));
    let at = |clock: Clock| software.speedup(&measured.hardware, clock);
    let speedups = report.clocks().into_iter().map(|clock| {
        let speedup = at(clock);
        json!({
            "clock_hz": speedup.clock.hz, "total": speedup.total, "median": speedup.each.median,
            "p10": speedup.each.p10, "p90": speedup.each.p90,
        })
    });
    json!({
        "engine": software.engine,
        "config": measured.row.config.name,
        "levels": measured.row.levels,
        "algorithm": software.algorithm,
        "threads": software.threads,
        "seconds": {
            "mean": seconds.mean, "median": seconds.median, "max": seconds.max, "each": software.seconds,
        },
        "wall_seconds": { "mean": mean(software.wall.iter().copied()) },
        "rounds": { "count": software.rounds.len(), "best": best, "median": median, "slowest": slowest },
        "nodes": { "mean": nodes.mean, "median": nodes.median, "max": nodes.max },
        "speedup": at(report.clock).total,
        "speedups": speedups.collect::<Vec<_>>(),
    })
}
