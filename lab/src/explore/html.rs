// SPDX-License-Identifier: MIT OR Apache-2.0
//! The points as one self-contained page.

use super::front::Explored;
use super::output::{NOTES, groups, table};
use figures::chart::{Axis, Chart, Kind, Series};
use figures::html::{Origin, chart, escape, footer, shell, table_html};

/// The page.
pub fn page(all: &[Explored], origin: &Origin) -> String {
    let title = "Cycles against area";
    let notes: String =
        NOTES.iter().map(|note| format!("<p>{}</p>\n", escape(&note.replace('`', "")))).collect();
    let body = format!(
        "<h1>{title}</h1>\n{}{}{notes}{}",
        chart(&fronts(all)),
        table_html(&table(all)),
        footer(origin)
    );
    shell(title, &body)
}

/// Every point, and of each search the front as a line.
fn fronts(all: &[Explored]) -> Chart {
    let mut series = Vec::new();
    for (colour, group) in groups(all).into_iter().enumerate() {
        let of = |front: bool| -> Vec<(f64, f64)> {
            let points = all.iter().filter(|point| point.group == group && point.front == front);
            let mut places: Vec<(f64, f64)> =
                points.map(|point| (point.area.lut as f64, point.search.cycles.mean)).collect();
            places.sort_by(|a, b| a.0.total_cmp(&b.0));
            places
        };
        if !of(true).is_empty() {
            let name = format!("{group}: front");
            series.push(Series { name, colour, kind: Kind::Curve, points: of(true) });
        }
        if !of(false).is_empty() {
            let name = format!("{group}: beaten, or of an earlier core");
            series.push(Series { name, colour, kind: Kind::Hollow, points: of(false) });
        }
    }
    Chart {
        title: "Clock cycles of a search against LUTs of the core (estimates, before packing)".into(),
        x: Axis::new("LUTs"),
        y: Axis::new("clock cycles of a search, mean").log(),
        series,
        stacked: false,
    }
}
