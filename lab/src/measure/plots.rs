// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report's charts.

use super::Measured;
use super::Report;
use super::hardware::Occupancy;
use figures::chart::{Axis, Chart, Kind, Series};
use figures::picture::log_range;

/// Bars of a histogram per factor of ten.
const BARS_PER_DECADE: f64 = 12.0;

/// What a chart with a logarithmic axis of cycles leaves out, for its title; nothing if nothing is left out.
pub fn without_search(positions: usize) -> String {
    match positions {
        0 => String::new(),
        1 => "; left out: 1 position that a static rule decides, which takes no cycles".into(),
        _ => format!("; left out: {positions} positions that a static rule decides, which take no cycles"),
    }
}

/// Cycles of each search against the stones on the board.
pub fn cycles_against_stones(report: &Report) -> Chart {
    let all = report.rows.iter().flat_map(|measured| &measured.hardware.costs);
    let decided = all.filter(|cost| cost.cycles == 0).count();
    let series = report.rows.iter().enumerate().map(|(colour, measured)| {
        let costs = measured.hardware.costs.iter();
        let points = costs.map(|cost| (cost.stones as f64, cost.cycles as f64));
        Series {
            name: measured.row.label(),
            colour,
            kind: Kind::Points,
            // Of no cycles there is no logarithm: a static rule decided.
            points: points.filter(|(_, cycles)| *cycles > 0.0).collect(),
        }
    });
    Chart {
        title: format!(
            "Clock cycles of a search against the stones on the board, one point per position{}",
            without_search(decided)
        ),
        x: Axis::new("stones on the board").whole(),
        y: Axis::new("clock cycles of the search").log(),
        series: series.collect(),
        stacked: false,
    }
}

/// The range of all speed-ups of a report at its clock.
fn speedups(report: &Report) -> std::ops::Range<f64> {
    let ratios = report.rows.iter().flat_map(|measured| {
        measured.software.iter().flat_map(|software| software.ratios(&measured.hardware, report.clock))
    });
    log_range(ratios)
}

/// How many positions have which speed-up, one series per engine.
pub fn speedup_distribution(report: &Report, measured: &Measured) -> Chart {
    let range = speedups(report);
    let bar = |ratio: f64| (ratio.log10() * BARS_PER_DECADE).floor() as i64;
    let edge = |bar: i64| 10_f64.powf(bar as f64 / BARS_PER_DECADE);
    let (first, last) = (bar(range.start), bar(range.end));
    let series = measured.software.iter().map(|software| {
        let mut bars = vec![0; (last - first + 1) as usize];
        for ratio in software.ratios(&measured.hardware, report.clock) {
            bars[(bar(ratio) - first) as usize] += 1;
        }
        let (lowest, highest) = (bars.iter().position(|&bar| bar > 0), bars.iter().rposition(|&bar| bar > 0));
        let held = lowest.zip(highest).map_or(0..0, |(lowest, highest)| lowest..highest + 1);
        let place = |index: usize| edge(first + index as i64);
        let mut points: Vec<(f64, f64)> =
            held.clone().map(|index| (place(index), f64::from(bars[index]))).collect();
        // From nothing up and down to nothing again.
        if !held.is_empty() {
            points.insert(0, (place(held.start), 0.0));
            points.push((place(held.end), 0.0));
        }
        let name = software.engine.to_string();
        Series { name, colour: report.place_of(software.engine), kind: Kind::Steps, points }
    });
    Chart {
        title: format!("Speed-up of {} over software, distribution over positions", measured.row.label()),
        x: Axis::new(format!("times as fast as the engine, core at {}", report.clock))
            .log()
            .between(edge(first), edge(last + 1)),
        y: Axis::new("positions").whole(),
        series: series.collect(),
        stacked: false,
    }
}

/// How full the evaluator was as a search went on.
pub fn occupancy(title: String, occupancy: &Occupancy, interval: u64, colour: usize) -> Chart {
    let full = occupancy.clocks as f64 / interval as f64;
    let begin = |index: usize| (index as u64 * occupancy.clocks) as f64;
    let end = begin(occupancy.passes.len());
    let mut points: Vec<(f64, f64)> =
        occupancy.passes.iter().enumerate().map(|(index, &passes)| (begin(index), passes as f64)).collect();
    points.push((end, 0.0));
    Chart {
        title,
        x: Axis::new("clock cycles since the command"),
        y: Axis::new(format!("passes in {} clocks", occupancy.clocks)).between(0.0, full * 1.04),
        series: vec![
            Series { name: "passes".into(), colour, kind: Kind::Steps, points },
            // The last colour is grey.
            Series {
                name: "full evaluator".into(),
                colour: 5,
                kind: Kind::Line,
                points: vec![(0.0, full), (end, full)],
            },
        ],
        stacked: false,
    }
}

/// Where the clocks of each row go, % by cause.
pub fn clocks(report: &Report) -> Vec<(String, Vec<f64>)> {
    let row = |measured: &Measured| {
        let shares = measured.hardware.clocks();
        (measured.row.label(), shares.iter().map(|share| 100.0 * share.share).collect())
    };
    report.rows.iter().map(row).collect()
}
