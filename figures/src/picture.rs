// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all pictures share: size, colours, text, ranges of axes.

pub use crate::labels::RADIUS;
use crate::labels::{self, LETTER};
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// Colours of series, legible on white and on black.
pub const SERIES: [RGBColor; 6] = [
    RGBColor(46, 134, 193),
    RGBColor(214, 126, 34),
    RGBColor(39, 160, 110),
    RGBColor(155, 89, 182),
    RGBColor(203, 67, 53),
    RGBColor(136, 146, 156),
];

/// The colour of the n-th series.
pub fn colour(index: usize) -> RGBColor {
    SERIES[index % SERIES.len()]
}

/// The colours of a side's games.
pub const WON: usize = 2;
/// Neither side's.
pub const DRAWN: usize = 5;
/// The other side's.
pub const LOST: usize = 4;

/// Stands for the page's text colour until the picture is complete.
pub const INK: RGBColor = BLACK;
const FONT: &str = "sans-serif";
const LABEL_SIZE: u32 = 14;
/// Width of every picture.
pub const WIDTH: u32 = 760;
/// Height of a picture.
pub const HEIGHT: u32 = 380;

/// What is drawn on.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What can go wrong while drawing into text: nothing that depends on the figures.
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

/// A picture so high.
pub fn draw(height: u32, body: impl FnOnce(&Area) -> Drawn) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        body(&area).expect("drawing into text does not fail");
        area.present().expect("drawing into text does not fail");
    }
    svg.replace("\"#000000\"", "\"currentColor\"")
}

/// The style of all text.
pub fn label() -> TextStyle<'static> {
    (FONT, LABEL_SIZE).into_font().color(&INK)
}

/// Axes and grid as in every picture.
pub fn style<'m, 'a, 'b, X, Y, DB>(
    mesh: &'m mut MeshStyle<'a, 'b, X, Y, DB>,
) -> &'m mut MeshStyle<'a, 'b, X, Y, DB>
where
    X: Ranged + ValueFormatter<X::ValueType>,
    Y: Ranged + ValueFormatter<Y::ValueType>,
    DB: DrawingBackend,
{
    mesh.label_style(label())
        .axis_desc_style(label())
        .axis_style(INK.mix(0.6))
        .bold_line_style(INK.mix(0.18))
        .light_line_style(TRANSPARENT)
}

/// The lowest and highest of these figures that lie above 0, with some room; a range that is not empty.
pub fn log_range(figures: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = figures
        .filter(|figure| *figure > 0.0)
        .fold((f64::MAX, 0.0_f64), |(low, high), figure| (low.min(figure), high.max(figure)));
    if low > high { 0.1..10.0 } else { low / 1.5..high * 1.5 }
}

/// The figures between these that are 1, 2 or 5 times a power of ten.
pub fn named_steps(range: &Range<f64>) -> Vec<f64> {
    let (low, high) = (range.start.log10().floor() as i32, range.end.log10().ceil() as i32);
    let steps = (low..=high).flat_map(|power| [1.0, 2.0, 5.0].map(|named| named * 10_f64.powi(power)));
    steps.filter(|step| range.contains(step)).collect()
}

/// A linear axis with figures at these places only.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its ends.
    pub range: Range<f64>,
    /// The places.
    pub places: Vec<f64>,
}

impl Ranged for Named {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        low + (share * f64::from(high - low)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.places.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// How a thing is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Points on a line.
    Line,
    /// A dashed line.
    Dashed,
    /// A broad faint bar.
    Bar,
    /// Points.
    Dot,
}

/// An entry of a key: how, in which colour, what.
pub type Entry = (Mark, RGBColor, String);

const KEY_LINE: i32 = 22;
const KEY_SAMPLE: i32 = 26;
/// Faintness of bars.
pub const FAINT: f64 = 0.28;
/// Broadness of bars.
pub const BROAD: u32 = 7;
/// Length of a dash and of the gap behind it.
pub const DASH: (i32, i32) = (6, 5);

/// Height of a key of these entries.
pub fn key_height(entries: &[Entry]) -> u32 {
    let last = places(entries).last().map_or(0, |(_, y)| *y);
    (last + KEY_LINE) as u32
}

/// Left end and middle height of each entry, line after line.
fn places(entries: &[Entry]) -> Vec<(i32, i32)> {
    let (mut x, mut y) = (KEY_LINE, KEY_LINE);
    let mut places = Vec::new();
    for (_, _, text) in entries {
        let width = KEY_SAMPLE + LETTER * text.chars().count() as i32 + KEY_LINE;
        if x > KEY_LINE && x + width > WIDTH as i32 {
            (x, y) = (KEY_LINE, y + KEY_LINE);
        }
        places.push((x, y));
        x += width;
    }
    places
}

/// Draws a key at the top of an area and gives the rest of the area.
pub fn key<'a>(area: &Area<'a>, entries: &[Entry]) -> Result<Area<'a>, Box<dyn std::error::Error>> {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let style = label().pos(Pos::new(HPos::Left, VPos::Center));
    for ((mark, colour, text), (x, y)) in entries.iter().zip(places(entries)) {
        let line = vec![(x, y), (x + KEY_SAMPLE - 8, y)];
        let dot = Circle::new((x + KEY_SAMPLE / 2 - 4, y), RADIUS, colour.filled());
        match mark {
            Mark::Line => {
                area.draw(&PathElement::new(line, colour.stroke_width(2)))?;
                area.draw(&dot)?;
            }
            Mark::Dashed => {
                for from in [x, x + DASH.0 + DASH.1] {
                    area.draw(&PathElement::new(
                        vec![(from, y), (from + DASH.0, y)],
                        colour.stroke_width(2),
                    ))?;
                }
            }
            Mark::Bar => area.draw(&PathElement::new(line, colour.mix(FAINT).stroke_width(BROAD)))?,
            Mark::Dot => area.draw(&dot)?,
        }
        area.draw_text(text, &style, (x + KEY_SAMPLE, y))?;
    }
    Ok(area.split_vertically(key_height(entries)).1)
}

/// Writes the names of points, which stand in pixels in the chart's frame.
pub fn name_points(area: &Area, frame: (Range<i32>, Range<i32>), points: &[((i32, i32), &str)]) -> Drawn {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let style = label().pos(Pos::new(HPos::Left, VPos::Top));
    let (x, y) = frame;
    let corners = labels::beside((x.start, y.start, x.end, y.end), points);
    // What a chart gives are pixels of the whole picture, what an area takes are its own.
    let (left, top) = area.get_base_pixel();
    for ((_, text), corner) in points.iter().zip(corners) {
        area.draw_text(text, &style, (corner.0 - left, corner.1 - top))?;
    }
    Ok(())
}

/// A picture as a file of its own: on white, whatever page shows it.
pub fn standalone(svg: &str) -> String {
    const INK_ON_WHITE: &str = "#1c2126";
    let svg = svg.replace("currentColor", INK_ON_WHITE);
    match svg.split_once('>') {
        Some((head, body)) => {
            format!("{head}>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>{body}")
        }
        None => svg,
    }
}
