// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report's pictures as SVG that takes the page's text colour.

use super::Measured;
use super::Report;
use super::hardware::Occupancy;
use figures::number::count;
use figures::picture::{
    HEIGHT, INK, colour, draw, label, label_width, log_range, one_two_five, style, whole_steps,
};
use plotters::prelude::*;

/// Bars of a histogram per factor of ten.
const BARS_PER_DECADE: f64 = 12.0;

/// Cycles of each search against the stones on the board.
pub fn cycles_against_stones(report: &Report) -> String {
    let costs = || report.rows.iter().flat_map(|measured| &measured.hardware.costs);
    let range = log_range(costs().map(|cost| cost.cycles as f64));
    let low = costs().map(|cost| cost.stones).min().unwrap_or(0) as f64 - 1.0;
    let high = costs().map(|cost| cost.stones).max().unwrap_or(0) as f64 + 1.0;
    draw(HEIGHT, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(48)
            .y_label_area_size(84)
            .build_cartesian_2d(low..high, range.log_scale())?;
        style(&mut chart.configure_mesh())
            .x_labels(whole_steps(high - low))
            .x_desc("stones on the board")
            .y_desc("clock cycles of the search")
            .x_label_formatter(&|stones| format!("{stones:.0}"))
            .y_label_formatter(&|cycles| {
                if one_two_five(*cycles) { count(*cycles) } else { String::new() }
            })
            .draw()?;
        for (index, measured) in report.rows.iter().enumerate() {
            let style = colour(index).mix(0.75).filled();
            let points = measured.hardware.costs.iter();
            chart.draw_series(
                points.map(|cost| Circle::new((cost.stones as f64, cost.cycles as f64), 4, style)),
            )?;
        }
        Ok(())
    })
}

/// The range of all speed-ups of a report at its clock.
fn speedups(report: &Report) -> std::ops::Range<f64> {
    let ratios = report.rows.iter().flat_map(|measured| {
        measured.software.iter().flat_map(|software| software.ratios(&measured.hardware, report.clock))
    });
    log_range(ratios)
}

/// How many positions have which speed-up, one series per engine.
pub fn speedup_distribution(report: &Report, measured: &Measured) -> String {
    let range = speedups(report);
    let bar = |ratio: f64| (ratio.log10() * BARS_PER_DECADE).floor() as i64;
    let edge = |bar: i64| 10_f64.powf(bar as f64 / BARS_PER_DECADE);
    let (first, last) = (bar(range.start), bar(range.end));
    let bars: Vec<Vec<usize>> = measured
        .software
        .iter()
        .map(|software| {
            let mut bars = vec![0; (last - first + 1) as usize];
            for ratio in software.ratios(&measured.hardware, report.clock) {
                bars[(bar(ratio) - first) as usize] += 1;
            }
            bars
        })
        .collect();
    let most = bars.iter().flatten().copied().max().unwrap_or(1).max(1);
    draw(HEIGHT, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .x_label_area_size(48)
            .y_label_area_size(60)
            .build_cartesian_2d((edge(first)..edge(last + 1)).log_scale(), 0.0..most as f64 * 1.08)?;
        style(&mut chart.configure_mesh())
            .x_desc(format!("times as fast as the engine, core at {}", report.clock))
            .y_labels(whole_steps(most as f64))
            .y_desc("positions")
            .x_label_formatter(&|ratio| format!("{}x", short(*ratio)))
            .y_label_formatter(&|positions| format!("{positions:.0}"))
            .draw()?;
        for (software, bars) in measured.software.iter().zip(&bars) {
            let colour = colour(report.place_of(software.engine));
            let held = || (first..).zip(bars).filter(|(_, positions)| **positions > 0).map(|(bar, _)| bar);
            let (Some(lowest), Some(highest)) = (held().next(), held().last()) else { continue };
            let mut outline = vec![(edge(lowest), 0.0)];
            for bar in lowest..=highest {
                let positions = bars[(bar - first) as usize] as f64;
                outline.extend([edge(bar), edge(bar + 1)].map(|edge| (edge, positions)));
            }
            outline.push((edge(highest + 1), 0.0));
            chart.draw_series([Polygon::new(outline.clone(), colour.mix(0.22))])?;
            chart.draw_series([PathElement::new(outline, colour.stroke_width(2))])?;
        }
        Ok(())
    })
}

/// A figure of a logarithmic axis without needless digits.
fn short(figure: f64) -> String {
    if figure >= 1.0 { count(figure) } else { format!("{}", (figure * 1e4).round() / 1e4) }
}

/// How full the evaluator was as a search went on.
pub fn occupancy(occupancy: &Occupancy, interval: u64, series: usize) -> String {
    let full = occupancy.clocks as f64 / interval as f64;
    let end = (occupancy.passes.len() as u64 * occupancy.clocks) as f64;
    draw(HEIGHT * 3 / 4, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(28)
            .x_label_area_size(48)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..end, 0.0..full * 1.04)?;
        style(&mut chart.configure_mesh())
            .x_labels(8)
            .x_desc("clock cycles since the command")
            .y_desc(format!("passes in {} clocks", occupancy.clocks))
            .x_label_formatter(&|cycles| count(*cycles))
            .y_label_formatter(&|passes| format!("{passes:.0}"))
            .draw()?;
        let mut steps = vec![(0.0, 0.0)];
        for (index, &passes) in occupancy.passes.iter().enumerate() {
            let begin = (index as u64 * occupancy.clocks) as f64;
            steps.extend([begin, begin + occupancy.clocks as f64].map(|clock| (clock, passes as f64)));
        }
        steps.push((end, 0.0));
        chart.draw_series([Polygon::new(steps.clone(), colour(series).mix(0.3))])?;
        chart.draw_series([PathElement::new(steps, colour(series).stroke_width(1))])?;
        chart
            .draw_series([PathElement::new(vec![(0.0, full), (end, full)], INK.mix(0.5).stroke_width(1))])?;
        Ok(())
    })
}

/// Where the clocks of each row go: a bar per row, stacked by cause.
pub fn clocks(report: &Report) -> String {
    const BAR: u32 = 46;
    let rows = report.rows.len();
    let longest = report.rows.iter().map(|measured| measured.row.label().chars().count()).max();
    let names = label_width(longest.unwrap_or(0)) + 20;
    draw(BAR * rows as u32 + 80, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(28)
            .x_label_area_size(48)
            .y_label_area_size(names)
            .build_cartesian_2d(0.0..100.0, 0.0..rows as f64)?;
        style(&mut chart.configure_mesh())
            .disable_y_mesh()
            .y_labels(0)
            .x_labels(11)
            .x_desc("clock cycles, %")
            .x_label_formatter(&|share| format!("{share:.0}"))
            .draw()?;
        let mut names = Vec::new();
        for (index, measured) in report.rows.iter().enumerate() {
            let bottom = (rows - 1 - index) as f64;
            let mut from = 0.0;
            for (cause, share) in measured.hardware.clocks().iter().enumerate() {
                let to = (from + 100.0 * share.share).min(100.0);
                chart.draw_series([Rectangle::new(
                    [(from, bottom + 0.18), (to, bottom + 0.82)],
                    colour(cause).mix(0.85).filled(),
                )])?;
                from = to;
            }
            names.push((chart.backend_coord(&(0.0, bottom + 0.5)), measured.row.label()));
        }
        use plotters::style::text_anchor::{HPos, Pos, VPos};
        let style = label().pos(Pos::new(HPos::Right, VPos::Center));
        for ((x, y), name) in names {
            area.draw_text(&name, &style, (x - 10, y))?;
        }
        Ok(())
    })
}
