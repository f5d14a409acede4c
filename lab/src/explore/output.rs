// SPDX-License-Identifier: MIT OR Apache-2.0
//! The points as a table, a picture and a page.

use super::front::{Explored, differences};
use figures::number::{count, percent};
use figures::picture::{
    Area, Drawn, Entry, FAINT, HEIGHT, Mark, RADIUS, colour, draw, key, key_height, log_range, name_points,
    named_steps, standalone, style,
};
use figures::table::Table;
use plotters::prelude::*;
use serde_json::{Value, json};

/// Marks a point of the front.
const FRONT: &str = "front";
/// What a reader of the points should know.
pub const NOTES: [&str; 2] = [
    "`front`: no other point of the same search has fewer cycles and no more LUTs, or fewer LUTs and no more cycles.",
    "Points of one search give the same moves; LUTs, registers and paths are estimates (Yosys for xc7, before packing).",
];
/// Marks a point of an earlier core.
const EARLIER: &str = "earlier core";

/// In the key: a point that is not on the front, whatever its search.
const BEATEN: RGBColor = RGBColor(0xb8, 0xc4, 0xd0);

/// The searches that points belong to, each once, in their order.
pub fn groups(all: &[Explored]) -> Vec<&str> {
    let mut groups: Vec<&str> = all.iter().map(|point| point.group.as_str()).collect();
    groups.dedup();
    groups
}

/// Nanoseconds of a search at the clock that the longest path allows.
fn microseconds(point: &Explored) -> Option<f64> {
    point.area.path_ns.map(|ns| point.search.cycles.mean * ns / 1e3)
}

/// One table of all points, search by search, the fastest first.
pub fn table(all: &[Explored]) -> Table {
    let (keys, values) = differences(all);
    let mut head = vec!["search"];
    head.extend(keys.iter().map(String::as_str));
    head.extend([
        "cycles, mean",
        "p95",
        "busy, %",
        "LUT",
        "FF",
        "longest path, ns",
        "us a search at that clock",
        "",
    ]);
    let mut table = Table::new("Cycles per move and area (estimates, before packing)", &head);
    for (point, values) in all.iter().zip(values) {
        let mut cells = vec![point.group.clone()];
        cells.extend(values);
        let (cycles, area) = (&point.search.cycles, &point.area);
        cells.extend([count(cycles.mean), count(cycles.p95), percent(point.search.busy)]);
        cells.extend([count(area.lut as f64), count(area.ff as f64)]);
        let figure = |figure: Option<f64>| figure.map_or_else(|| "-".into(), |figure| format!("{figure:.2}"));
        cells.extend([figure(area.path_ns), figure(microseconds(point))]);
        let mark = match (point.current, point.front) {
            (false, _) => EARLIER,
            (true, true) => FRONT,
            (true, false) => "",
        };
        cells.push(mark.into());
        table.rows.push(cells);
    }
    table
}

/// What makes a point different from the others, for its place in the picture.
fn tag(values: &[String]) -> String {
    values.join(" ")
}

/// Cycles against LUTs, the fronts as lines.
pub fn picture(all: &[Explored]) -> String {
    let groups = groups(all);
    let mut entries: Vec<Entry> = groups
        .iter()
        .enumerate()
        .map(|(index, group)| (Mark::Line, colour(index), format!("{group}: front")))
        .collect();
    entries.push((Mark::Dot, BEATEN, "beaten".into()));
    let cycles = log_range(all.iter().map(|point| point.place().0));
    let luts = all.iter().map(|point| point.place().1);
    let (low, high) = (luts.clone().fold(f64::MAX, f64::min), luts.fold(0.0, f64::max));
    let room = ((high - low) * 0.12).max(high * 0.05);
    let luts = (low - room).max(0.0)..high + room;
    let (keys, values) = differences(all);
    standalone(&draw(key_height(&entries) + HEIGHT, |area: &Area| -> Drawn {
        let steps = named_steps(&cycles);
        let mut chart = ChartBuilder::on(&key(area, &entries)?)
            .margin(12)
            .x_label_area_size(46)
            .y_label_area_size(88)
            .build_cartesian_2d(luts.clone(), cycles.clone().log_scale().with_key_points(steps))?;
        style(&mut chart.configure_mesh())
            .x_desc(format!("LUTs of the core, estimate (beside a point: {})", keys.join(", ")))
            .y_desc("clock cycles of a search, mean")
            .x_label_formatter(&|luts| count(*luts))
            .y_label_formatter(&|cycles| count(*cycles))
            .draw()?;
        let tags: Vec<String> = values.iter().map(|values| tag(values)).collect();
        let places = all.iter().map(|point| {
            let (cycles, lut) = point.place();
            chart.backend_coord(&(lut, cycles))
        });
        let named: Vec<((i32, i32), &str)> = places.zip(tags.iter().map(String::as_str)).collect();
        let frame = chart.plotting_area().get_pixel_range();
        for (index, group) in groups.iter().enumerate() {
            let colour = colour(index);
            let mut front: Vec<(f64, f64)> = Vec::new();
            for point in all.iter().filter(|point| point.group == *group) {
                let (cycles, lut) = point.place();
                if point.front {
                    front.push((lut, cycles));
                }
                let shade = colour.mix(if point.front { 1.0 } else { FAINT });
                chart.draw_series([Circle::new((lut, cycles), RADIUS, shade.filled())])?;
            }
            front.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
            chart.draw_series(LineSeries::new(front, colour.stroke_width(2)))?;
        }
        name_points(area, frame, &named)
    }))
}

/// The page beside the picture.
pub fn page(all: &[Explored], picture: &str, command: &str) -> String {
    let mut simulators: Vec<&str> = all.iter().map(|point| point.search.simulator.as_str()).collect();
    simulators.extend(all.iter().map(|point| point.area.synthesis.as_str()));
    simulators.sort_unstable();
    simulators.dedup();
    format!(
        "# Cycles against area\n\nLast written by `{command}`; {}.\n\n![Cycles against LUTs]({picture})\n\n{}\n{}\n",
        simulators.join("; "),
        table(all).markdown(),
        NOTES.join("\n"),
    )
}

/// The points for other programs.
pub fn objects(all: &[Explored]) -> Vec<Value> {
    let (keys, values) = differences(all);
    let object = |(point, values): (&Explored, &Vec<String>)| {
        let varied: serde_json::Map<String, Value> =
            keys.iter().cloned().zip(values.iter().map(|value| json!(value))).collect();
        json!({
            "config": point.config.name,
            "search": point.group,
            "varied": varied,
            "parameters": point.config,
            "cycles": point.search.cycles,
            "busy": point.search.busy,
            "positions": point.search.positions,
            "area": point.area,
            "us_at_path": microseconds(point),
            "current": point.current,
            "front": point.front,
        })
    };
    all.iter().zip(&values).map(object).collect()
}
