// SPDX-License-Identifier: MIT OR Apache-2.0
//! The curves as one self-contained page.

use super::plan::{Bases, Curve, Series};
use super::tables::{self, Fresh, bins, pairs, searches};
use crate::measure::plots::without_search;
use crate::points::point::{Figures, Point, Search};
use figures::chart::{Axis, Chart, Kind, Series as Drawn};
use figures::html::{Origin, chart, escape, footer, shell, table_html};

/// The page of everything that has been measured.
pub fn page(bases: &Bases, points: &[Point], fresh: Fresh, origin: &Origin) -> String {
    let title = format!("{}: what a search costs", bases.main.name);
    let mut body = format!("<h1>{}</h1>\n<p>{}</p>\n", escape(&title), escape(&introduction(bases)));
    for curve in Curve::ALL {
        let series = bases.series(curve, points);
        if series.is_empty() {
            continue;
        }
        charts(curve, &series).iter().for_each(|drawn| body.push_str(&chart(drawn)));
        body.push_str(&table_html(&tables::table(curve, &series, fresh)));
        if let Some(marks) = tables::marks(curve, &series, fresh) {
            body.push_str(&format!("<p>{}</p>\n", escape(&marks)));
        }
    }
    let limits = tables::limits(bases, points, fresh);
    if !limits.rows.is_empty() {
        body.push_str(&table_html(&limits));
    }
    body.push_str(&footer(origin));
    shell(&title, &body)
}

/// What the page shows, and what its figures rest on.
fn introduction(bases: &Bases) -> String {
    format!(
        "What a search of {} costs in clock cycles when one thing is changed at a time: levels, contexts, board, the number of moves to \
         look at. The cycles are counted in a simulation of the core's Verilog, node by node in lockstep with its model; they are exact \
         and the same on every machine. Areas are estimates by Yosys, before packing.",
        bases.main.name
    )
}

/// The charts of a curve.
fn charts(curve: Curve, series: &[Series]) -> Vec<Chart> {
    match curve {
        Curve::Levels | Curve::Contexts | Curve::Board => vec![cycles(curve, series), busy(curve, series)],
        Curve::Candidates => vec![candidates(curve, series)],
        Curve::Area => vec![area(curve, series)],
    }
}

/// The axis of a curve's values; contexts double from one to the next.
fn axis(curve: Curve) -> Axis {
    let axis = Axis::new(curve.axis());
    if curve == Curve::Contexts { axis.log() } else { axis.whole() }
}

/// A figure of each search of a series.
fn line(series: &Series, name: String, colour: usize, kind: Kind, figure: fn(&Search) -> f64) -> Drawn {
    let points = searches(series).map(|(value, search)| (value as f64, figure(search))).collect();
    Drawn { name, colour, kind, points }
}

fn cycles(curve: Curve, series: &[Series]) -> Chart {
    let mut drawn = Vec::new();
    for (colour, of) in series.iter().enumerate() {
        // Between the median and what a twentieth of the positions reach.
        drawn.push(line(of, String::new(), colour, Kind::Edge, |search| search.cycles.median));
        drawn.push(line(of, String::new(), colour, Kind::Edge, |search| search.cycles.p95));
        drawn.push(line(of, format!("{}: cycles, mean", of.name), colour, Kind::Curve, |search| {
            search.cycles.mean
        }));
        let passes = format!("{}: passes, mean", of.name);
        drawn.push(line(of, passes, colour, Kind::Hollow, |search| search.passes.mean));
    }
    Chart {
        title: format!(
            "Clock cycles and passes per move against {}; the band runs from the median to p95",
            curve.axis()
        ),
        x: axis(curve),
        y: Axis::new("per move").log(),
        series: drawn,
        stacked: false,
    }
}

fn busy(curve: Curve, series: &[Series]) -> Chart {
    let of = |(colour, of): (usize, &Series)| {
        line(of, of.name.clone(), colour, Kind::Curve, |search| 100.0 * search.busy)
    };
    Chart {
        title: format!(
            "Share of the clocks in which a pass goes into the evaluator, against {}",
            curve.axis()
        ),
        x: axis(curve),
        y: Axis::new("evaluator busy, %").between(0.0, 100.0),
        series: series.iter().enumerate().map(of).collect(),
        stacked: false,
    }
}

fn candidates(curve: Curve, series: &[Series]) -> Chart {
    let mut drawn = Vec::new();
    let mut decided = 0;
    for (colour, of) in series.iter().enumerate() {
        for (_, search) in searches(of) {
            let points: Vec<(f64, f64)> = pairs(search)
                .filter(|(_, cycles)| *cycles > 0)
                .map(|(moves, cycles)| (moves as f64, cycles as f64))
                .collect();
            decided += pairs(search).count() - points.len();
            drawn.push(Drawn {
                name: format!("{}, a position", of.name),
                colour,
                kind: Kind::Points,
                points,
            });
            let points = bins(search).iter().map(|bin| (bin.moves, bin.cycles.median)).collect();
            let name = format!("{}, median of a bin", of.name);
            drawn.push(Drawn { name, colour, kind: Kind::Line, points });
        }
    }
    Chart {
        title: format!("Clock cycles of a position against its moves at the root{}", without_search(decided)),
        x: Axis::new(curve.axis()).whole(),
        y: Axis::new("clock cycles of the search").log(),
        series: drawn,
        stacked: false,
    }
}

fn area(curve: Curve, series: &[Series]) -> Chart {
    let mut drawn = Vec::new();
    for of in series {
        let areas = || {
            of.points.iter().filter_map(|(value, point)| match &point.figures {
                Figures::Area(area) => Some((*value as f64, area)),
                Figures::Search(_) => None,
            })
        };
        let luts = areas().map(|(value, area)| (value, area.lut as f64)).collect();
        let registers = areas().map(|(value, area)| (value, area.ff as f64)).collect();
        drawn.push(Drawn { name: format!("{}: LUT", of.name), colour: 0, kind: Kind::Curve, points: luts });
        drawn.push(Drawn {
            name: format!("{}: FF", of.name),
            colour: 1,
            kind: Kind::Curve,
            points: registers,
        });
    }
    Chart {
        title: format!("Cells of the core against {}: estimates, before packing", curve.axis()),
        x: axis(curve),
        y: Axis::new("cells"),
        series: drawn,
        stacked: false,
    }
}
