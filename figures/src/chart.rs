// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts as what they show; a page draws them (`assets/charts.js`).

use serde::Serialize;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Points.
    Points,
    /// Circles: of the colour of points of the same subject, but told from them.
    Hollow,
    /// A line.
    Line,
    /// Points on a line.
    Curve,
    /// Steps, each from its place to the next one, with what is below them.
    Steps,
    /// Nothing; between two of them one behind the other lies a band.
    Edge,
}

/// Figures of a kind.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// Its name in the key; empty: none.
    pub name: String,
    /// Number of its colour.
    pub colour: usize,
    /// How it is drawn.
    pub kind: Kind,
    /// Places and figures; the places ascend but for points.
    pub points: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Axis {
    /// What it counts, with its unit.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Whether only whole numbers are named.
    pub whole: bool,
    /// Its lower end; none: as the figures have it.
    pub from: Option<f64>,
    /// Its upper end.
    pub to: Option<f64>,
}

impl Axis {
    /// A linear axis over all figures.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// The same, logarithmic.
    pub fn log(self) -> Axis {
        Axis { log: true, ..self }
    }

    /// The same with whole numbers.
    pub fn whole(self) -> Axis {
        Axis { whole: true, ..self }
    }

    /// The same between two ends.
    pub fn between(self, from: f64, to: f64) -> Axis {
        Axis { from: Some(from), to: Some(to), ..self }
    }
}

/// A chart.
#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// Its series. Stacked ones have the same places.
    pub series: Vec<Series>,
    /// Whether the series lie on one another, the first one lowest, as steps.
    pub stacked: bool,
}

impl Chart {
    /// The description that a page draws from.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("names and figures are JSON")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html;
    use crate::picture::SERIES;

    #[test]
    fn a_description_is_what_the_script_reads() {
        let series = Series { name: "a".into(), colour: 1, kind: Kind::Points, points: vec![(1.0, 2.5)] };
        let (x, y) = (Axis::new("clocks").log(), Axis::new("%").between(0.0, 100.0));
        let chart = Chart { title: "t".into(), x, y, series: vec![series], stacked: false };
        assert_eq!(
            chart.json(),
            r#"{"title":"t","x":{"label":"clocks","log":true,"whole":false,"from":null,"to":null},"y":{"label":"%","log":false,"whole":false,"from":0.0,"to":100.0},"series":[{"name":"a","colour":1,"kind":"points","points":[[1.0,2.5]]}],"stacked":false}"#
        );
    }

    #[test]
    fn pages_and_pictures_have_the_same_colours() {
        for (index, colour) in SERIES.iter().enumerate() {
            let plotters::style::RGBColor(red, green, blue) = colour;
            let wanted = format!("--series-{index}: #{red:02x}{green:02x}{blue:02x};");
            assert!(html::STYLE.contains(&wanted), "{wanted}");
        }
    }
}
