// SPDX-License-Identifier: MIT OR Apache-2.0
//! The curves as pictures, each a file of its own.

use super::plan::{Curve, Series};
use super::tables::{bins, pairs, searches};
use crate::points::point::{Area as Taken, Figures, Search};
use figures::number::count;
use figures::picture::{
    Area, BROAD, DASH, Drawn, Entry, FAINT, HEIGHT, Mark, Named, RADIUS, colour, draw, key, key_height,
    log_range, named_steps, standalone, style,
};
use plotters::prelude::*;
use std::ops::Range;

/// Room left of every chart, for its figures and their name.
const LEFT: u32 = 88;
const BELOW: u32 = 46;
/// Height of the panel with the busy share.
const BUSY: u32 = 200;
/// Several series at one value stand this far apart, in parts of the axis.
const APART: f64 = 0.009;

/// The picture of a curve.
pub fn picture(curve: Curve, series: &[Series]) -> String {
    standalone(&match curve {
        Curve::Levels | Curve::Contexts | Curve::Board => cycles(curve, series),
        Curve::Candidates => candidates(curve, series),
        Curve::Area => area(curve, series),
    })
}

/// The axis of a curve: where its values lie, and how they are named.
struct Axis {
    /// Every step is a doubling.
    doubling: bool,
    values: Vec<usize>,
    range: Range<f64>,
}

impl Axis {
    fn of(curve: Curve, series: &[Series]) -> Axis {
        let doubling = curve == Curve::Contexts;
        let mut values: Vec<usize> =
            series.iter().flat_map(|series| series.points.iter().map(|(value, _)| *value)).collect();
        values.sort_unstable();
        values.dedup();
        let mut axis = Axis { doubling, values, range: 0.0..1.0 };
        let ends =
            [axis.values.first(), axis.values.last()].map(|value| axis.at(value.copied().unwrap_or(1)));
        let room = ((ends[1] - ends[0]) * 0.06).max(0.3);
        axis.range = ends[0] - room..ends[1] + room;
        axis
    }

    fn at(&self, value: usize) -> f64 {
        if self.doubling { (value as f64).log2() } else { value as f64 }
    }

    /// Beside the value, so that several series do not hide each other.
    fn beside(&self, value: usize, series: usize) -> f64 {
        self.at(value) + series as f64 * APART * (self.range.end - self.range.start)
    }

    fn named(&self) -> Named {
        let places = self.values.iter().map(|&value| self.at(value)).collect();
        Named { range: self.range.clone(), places }
    }

    fn name(&self, at: f64) -> String {
        format!("{:.0}", if self.doubling { at.exp2() } else { at })
    }
}

/// Cycles and passes above, busy share below.
fn cycles(curve: Curve, series: &[Series]) -> String {
    let mut entries: Vec<Entry> = series
        .iter()
        .enumerate()
        .map(|(index, series)| (Mark::Line, colour(index), format!("{}: cycles, mean", series.name)))
        .collect();
    let first = colour(0);
    entries.push((Mark::Bar, first, "median to p95".into()));
    entries.push((Mark::Dashed, first, "passes, mean".into()));
    let axis = Axis::of(curve, series);
    draw(key_height(&entries) + HEIGHT + BUSY, |area| {
        let rest = key(area, &entries)?;
        let (above, below) = rest.split_vertically(HEIGHT);
        cycles_panel(&above, &axis, series)?;
        busy_panel(&below, curve, &axis, series)
    })
}

fn cycles_panel(area: &Area, axis: &Axis, series: &[Series]) -> Drawn {
    let figures =
        |search: &Search| [search.cycles.median, search.cycles.p95, search.cycles.mean, search.passes.mean];
    let range = log_range(series.iter().flat_map(searches).flat_map(|(_, search)| figures(search)));
    let steps = named_steps(&range);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(BELOW / 2)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(axis.named(), range.log_scale().with_key_points(steps))?;
    style(&mut chart.configure_mesh())
        .y_desc("clock cycles, passes per move")
        .x_label_formatter(&|at| axis.name(*at))
        .y_label_formatter(&|cycles| count(*cycles))
        .draw()?;
    for (index, series) in series.iter().enumerate() {
        let colour = colour(index);
        let line = |figure: fn(&Search) -> f64| {
            searches(series).map(move |(value, search)| (axis.beside(value, index), figure(search)))
        };
        for (value, search) in searches(series) {
            let at = axis.beside(value, index);
            let bar = vec![(at, search.cycles.median), (at, search.cycles.p95)];
            chart.draw_series([PathElement::new(bar, colour.mix(FAINT).stroke_width(BROAD))])?;
        }
        let passes = line(|search| search.passes.mean);
        chart.draw_series(
            passes.clone().map(|place| Circle::new(place, RADIUS - 1, colour.stroke_width(1))),
        )?;
        chart.draw_series(DashedLineSeries::new(passes, DASH.0, DASH.1, colour.mix(0.8).stroke_width(2)))?;
        let mean = line(|search| search.cycles.mean);
        chart.draw_series(LineSeries::new(mean.clone(), colour.stroke_width(2)))?;
        chart.draw_series(mean.map(|place| Circle::new(place, RADIUS, colour.filled())))?;
    }
    Ok(())
}

fn busy_panel(area: &Area, curve: Curve, axis: &Axis, series: &[Series]) -> Drawn {
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(BELOW)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(axis.named(), 0.0..100.0)?;
    style(&mut chart.configure_mesh())
        .y_labels(5)
        .x_desc(curve.axis())
        .y_desc("evaluator busy, %")
        .x_label_formatter(&|at| axis.name(*at))
        .y_label_formatter(&|share| format!("{share:.0}"))
        .draw()?;
    for (index, series) in series.iter().enumerate() {
        let busy = searches(series).map(|(value, search)| (axis.beside(value, index), 100.0 * search.busy));
        chart.draw_series(LineSeries::new(busy.clone(), colour(index).stroke_width(2)))?;
        chart.draw_series(busy.map(|place| Circle::new(place, RADIUS, colour(index).filled())))?;
    }
    Ok(())
}

/// One point per position, and the median of each bin.
fn candidates(curve: Curve, series: &[Series]) -> String {
    let mut entries: Vec<Entry> = Vec::new();
    for (index, series) in series.iter().enumerate() {
        entries.push((Mark::Dot, colour(index), format!("{}, a position", series.name)));
    }
    entries.push((Mark::Line, colour(0), "median of a bin of positions".into()));
    let all = || series.iter().flat_map(searches).flat_map(|(_, search)| pairs(search));
    let range = log_range(all().map(|(_, cycles)| cycles as f64));
    let moves = all().map(|(moves, _)| moves);
    let (low, high) = (moves.clone().min().unwrap_or(0) as f64, moves.max().unwrap_or(0) as f64);
    let room = ((high - low) * 0.04).max(1.0);
    draw(key_height(&entries) + HEIGHT, |area| {
        let steps = named_steps(&range);
        let mut chart = ChartBuilder::on(&key(area, &entries)?)
            .margin(12)
            .x_label_area_size(BELOW)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(low - room..high + room, range.log_scale().with_key_points(steps))?;
        style(&mut chart.configure_mesh())
            .x_desc(curve.axis())
            .y_desc("clock cycles of the search")
            .x_label_formatter(&|moves| format!("{moves:.0}"))
            .y_label_formatter(&|cycles| count(*cycles))
            .draw()?;
        for (index, series) in series.iter().enumerate() {
            let colour = colour(index);
            for (_, search) in searches(series) {
                let positions = pairs(search).filter(|(_, cycles)| *cycles > 0);
                let places = positions.map(|(moves, cycles)| (moves as f64, cycles as f64));
                chart.draw_series(places.map(|place| Circle::new(place, 3, colour.mix(0.5).filled())))?;
                let medians: Vec<(f64, f64)> =
                    bins(search).iter().map(|bin| (bin.moves, bin.cycles.median)).collect();
                chart.draw_series(LineSeries::new(medians.clone(), colour.stroke_width(2)))?;
                chart.draw_series(
                    medians.into_iter().map(|place| Circle::new(place, RADIUS + 1, colour.filled())),
                )?;
            }
        }
        Ok(())
    })
}

/// One kind of cells.
type Cells = fn(&Taken) -> u64;

/// LUTs and registers.
fn area(curve: Curve, series: &[Series]) -> String {
    let taken = |series: &Series| -> Vec<(usize, Taken)> {
        let areas = series.points.iter().filter_map(|(value, point)| match &point.figures {
            Figures::Area(area) => Some((*value, area.clone())),
            Figures::Search(_) => None,
        });
        areas.collect()
    };
    let figures: [(&str, Cells); 2] = [("LUT", |area| area.lut), ("FF", |area| area.ff)];
    let entries: Vec<Entry> = figures
        .iter()
        .enumerate()
        .map(|(index, (name, _))| (Mark::Line, colour(index), (*name).into()))
        .collect();
    let axis = Axis::of(curve, series);
    let most = series.iter().flat_map(taken).flat_map(|(_, area)| [area.lut, area.ff]).max().unwrap_or(1);
    draw(key_height(&entries) + HEIGHT, |area| {
        let mut chart = ChartBuilder::on(&key(area, &entries)?)
            .margin(12)
            .x_label_area_size(BELOW)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(axis.named(), 0.0..most.max(1) as f64 * 1.08)?;
        style(&mut chart.configure_mesh())
            .y_labels(8)
            .x_desc(curve.axis())
            .y_desc("cells of the core, estimate")
            .x_label_formatter(&|at| axis.name(*at))
            .y_label_formatter(&|cells| count(*cells))
            .draw()?;
        for series in series {
            for (index, (_, figure)) in figures.iter().enumerate() {
                let places: Vec<(f64, f64)> = taken(series)
                    .iter()
                    .map(|(value, area)| (axis.at(*value), figure(area) as f64))
                    .collect();
                chart.draw_series(LineSeries::new(places.clone(), colour(index).stroke_width(2)))?;
                chart.draw_series(
                    places.into_iter().map(|place| Circle::new(place, RADIUS, colour(index).filled())),
                )?;
            }
        }
        Ok(())
    })
}
