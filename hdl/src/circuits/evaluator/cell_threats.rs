// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threat planes and the yes/no facts that the static rules ask for.

use super::window_flags::pattern_flags;
use crate::circuits::DIRECTION_NAMES;
use crate::kit::{Body, Circuit, hex};
use crate::layout::Layout;

/// Clocks from the windows' flags to planes and facts.
pub const LATENCY: usize = 2;

/// Planes it returns.
pub const PLANES: [&str; 5] = ["own_complete", "other_complete", "own_double", "four", "restricted"];
/// One-bit facts it returns.
pub const FACTS: [&str; 6] =
    ["own_wins", "other_wins_once", "other_wins_twice", "own_has_double", "other_has_double", "line"];

/// Name of a direction's flag at the input.
pub fn flag_input(direction: usize, flag: &str) -> String {
    format!("{}_{flag}", DIRECTION_NAMES[direction])
}

/// Facts about four-three cells, and whose they are: with the bonus the mover's, with floors the opponent's as well.
pub fn four_threes(layout: &Layout) -> impl Iterator<Item = (&'static str, &'static str)> {
    let sides = usize::from(layout.has_bonus()) * (1 + usize::from(layout.config.has_floor()));
    [("four_three", "own"), ("other_four_three", "other")].into_iter().take(sides)
}

/// Spreads the windows' flags to their cells and combines the four directions.
///
/// Ports: `aclk`; planes of the frame `occupied` and `DIRECTION_FLAG` (see [`pattern_flags`], windows at the bit of
/// their first cell) in; out the [`PLANES`] of the core cells (cells that complete a line of the mover, of the
/// opponent; double cells of the mover; cells that make a four of the mover; moves of the restricted rule 6), the
/// [`FACTS`] and those of [`four_threes`]. With several slices `other_has_double` may also tell of cells near the core.
/// Latency [`LATENCY`], initiation interval 1, no reset.
pub fn cell_threats(layout: &Layout) -> Circuit {
    let (frame, cells) = (layout.frame.cells, layout.frame.core_cells);
    let directions = 0..DIRECTION_NAMES.len();
    let mut circuit = Circuit::new(
        "cell_threats",
        &format!(
            "Completing, double and four-making cells of both sides, and the facts the static rules ask for.\n\
             Latency {LATENCY}, initiation interval 1, no reset (data only)."
        ),
    );
    circuit.clocked(false);
    circuit.input("occupied", frame);
    for direction in directions.clone() {
        for flag in pattern_flags(layout) {
            circuit.input(flag_input(direction, flag), frame);
        }
    }
    for plane in PLANES {
        circuit.output(plane, cells);
    }
    for fact in FACTS {
        circuit.output(fact, 1);
    }
    for (fact, _) in four_threes(layout) {
        circuit.output(fact, 1);
    }

    let mut body = Body::new();
    body.comment("First clock: the cells of the windows, on empty cells where no direction is asked for.");
    let cover = Cover { layout };
    let taken = body.wire("taken", cells, layout.frame.core_of("occupied"));
    let mut completing = Vec::new();
    for side in ["own", "other"] {
        let windows = directions.clone().map(|d| (d, flag_input(d, &format!("{side}_one_missing"))));
        let planes: Vec<String> = windows.flat_map(|(d, flag)| cover.all(&mut body, d, &flag)).collect();
        let plane = format!("({}) & ~{taken}", planes.join(" | "));
        completing.push(body.register(&format!("{side}_complete_q"), cells, plane));
    }
    let [own_complete, other_complete] = &completing[..] else { unreachable!("two sides") };
    let mut fours = |side: &str| -> Vec<String> {
        let spread = |d: usize| {
            let planes = cover.all(&mut body, d, &flag_input(d, &format!("{side}_two_missing")));
            body.wire(&format!("{side}_fours"), cells, planes.join(" | "))
        };
        directions.clone().map(spread).collect()
    };
    let (own_fours, other_fours) = (fours("own"), fours("other"));
    body.comment(
        "Two neighbouring windows with as many stones each: one end is empty exactly if the other is.",
    );
    let own_spans: Vec<String> =
        directions.clone().flat_map(|d| cover.inside_pairs(&mut body, d, "own_two_missing")).collect();
    let own_span = body.wire("own_span", cells, own_spans.join(" | "));
    // Between the ends one cell is always empty: of the opponent's it is enough that there are two such windows.
    let other_spans: Vec<String> = directions
        .clone()
        .map(|d| {
            let pairs = cover.pairs(&mut body, d, "other_two_missing");
            body.wire("other_span", 1, format!("|{pairs}"))
        })
        .collect();
    let threes: Vec<Vec<String>> = four_threes(layout)
        .map(|(_, side)| {
            let spread = |d: usize| {
                let planes = cover.inside_pairs(&mut body, d, &format!("{side}_three_missing"));
                body.wire(&format!("{side}_threes"), cells, planes.join(" | "))
            };
            directions.clone().map(spread).collect()
        })
        .collect();
    let lines: Vec<String> = directions
        .clone()
        .map(|d| body.wire("line_exists", 1, format!("|{}", flag_input(d, "other_line"))))
        .collect();

    body.comment("Planes of all directions, on empty cells.");
    let mut plane =
        |name: &str, expression: String| body.register(name, cells, format!("({expression}) & ~{taken}"));
    let own_four = plane("own_four_q", own_fours.join(" | "));
    let other_four = plane("other_four_q", other_fours.join(" | "));
    let own_double = plane("own_double_q", format!("{} | {own_span}", two_of(&own_fours)));
    let other_double = plane("other_double_q", two_of(&other_fours));
    let mut four_three = Vec::new();
    for ((fact, _), (fours, threes)) in
        four_threes(layout).zip([&own_fours, &other_fours].into_iter().zip(&threes))
    {
        let pairs: Vec<String> = directions
            .clone()
            .map(|four| {
                let threes: Vec<&str> =
                    directions.clone().filter(|&three| three != four).map(|d| threes[d].as_str()).collect();
                format!("({} & ({}))", fours[four], threes.join(" | "))
            })
            .collect();
        four_three.push((fact, plane(&format!("{fact}_q"), pairs.join(" | "))));
    }
    let line = body.register("line_q", 1, lines.join(" | "));
    let other_span = body.register("other_span_q", 1, other_spans.join(" | "));

    body.comment("Second clock: the facts, and whether more than one cell completes a line of the opponent.");
    let mut facts: Vec<(&str, &String)> = vec![
        ("own_wins", own_complete),
        ("own_has_double", &own_double),
        ("other_has_double", &other_double),
    ];
    facts.extend(four_three.iter().map(|(fact, plane)| (*fact, plane)));
    for (fact, plane) in facts {
        let also = if fact == "other_has_double" { format!("{other_span} | ") } else { String::new() };
        body.drive_register(fact, format!("{also}|{plane}"));
    }
    let (any, many) = any_and_many(&mut body, other_complete, cells);
    body.drive_register("other_wins_once", format!("{any} & ~{many}"));
    body.drive_register("other_wins_twice", &many);
    body.drive_register("line", line);
    body.drive_register("own_complete", own_complete);
    body.drive_register("other_complete", other_complete);
    body.drive_register("own_double", &own_double);
    body.drive_register("four", &own_four);
    body.drive_register("restricted", format!("{own_four} | {other_four}"));
    circuit.set_body(body.finish());
    circuit
}

/// Windows' flags at their cells.
struct Cover<'a> {
    layout: &'a Layout,
}

impl Cover<'_> {
    /// Planes of the core cells whose OR says whether a flagged window of the direction covers the cell. The window
    /// that starts i cells before a cell covers it for i = 0..k-1.
    fn all(&self, body: &mut Body, direction: usize, flag: &str) -> Vec<String> {
        let frame = &self.layout.frame;
        let exists: Vec<bool> = frame.geometry.window_at[direction].iter().map(Option::is_some).collect();
        let windows = body.wire("windows", frame.cells, format!("{flag} & {}", hex(&exists)));
        self.shifted(body, direction, &windows, 0)
    }

    /// The same for the cells strictly between the ends of two neighbouring flagged windows with empty ends.
    fn inside_pairs(&self, body: &mut Body, direction: usize, flag: &str) -> Vec<String> {
        let pairs = self.pairs(body, direction, flag);
        self.shifted(body, direction, &pairs, 1)
    }

    /// Two neighbouring flagged windows, the first cell empty: at the bit of that cell.
    fn pairs(&self, body: &mut Body, direction: usize, flag: &str) -> String {
        let (frame, input) = (&self.layout.frame, flag_input(direction, flag));
        let exists = |place: usize| frame.geometry.window_at[direction][place].is_some();
        let stride = frame.geometry.stride(direction);
        let both: Vec<bool> = (0..frame.cells)
            .map(|place| exists(place) && place + stride < frame.cells && exists(place + stride))
            .collect();
        let text = format!("{input} & ({input} >> {stride}) & ~occupied & {}", hex(&both));
        body.wire(&format!("{input}_pair"), frame.cells, text)
    }

    fn shifted(&self, body: &mut Body, direction: usize, plane: &str, from: usize) -> Vec<String> {
        let frame = &self.layout.frame;
        let stride = frame.geometry.stride(direction);
        (from..self.layout.config.in_a_row)
            .map(|i| {
                let shifted = if i == 0 { plane.to_string() } else { format!("({plane} << {})", i * stride) };
                frame.core_of(&body.wire("covering", frame.cells, shifted))
            })
            .collect()
    }
}

/// Expression that is set where two of the planes are.
fn two_of(planes: &[String]) -> String {
    let mut pairs = Vec::new();
    for (i, a) in planes.iter().enumerate() {
        for b in &planes[i + 1..] {
            pairs.push(format!("({a} & {b})"));
        }
    }
    pairs.join(" | ")
}

/// Whether any bit of the plane is set, and whether more than one is: halves folded upon each other.
fn any_and_many(body: &mut Body, plane: &str, width: usize) -> (String, String) {
    let (mut one, mut many, mut width) = (plane.to_string(), None, width);
    while width > 1 {
        let half = width.div_ceil(2);
        let both = fold(&one, width, half, "&");
        let carried = many.map(|many: String| format!(" | {}", fold(&many, width, half, "|")));
        many = Some(body.wire("many_fold", half, format!("{both}{}", carried.unwrap_or_default())));
        one = body.wire("any_fold", half, fold(&one, width, half, "|"));
        width = half;
    }
    (one, many.unwrap_or_else(|| "1'b0".into()))
}

/// Lower half of a vector combined with its upper half (padded with 0).
fn fold(name: &str, width: usize, half: usize, operator: &str) -> String {
    if width == 1 {
        return name.to_string();
    }
    let low = format!("{name}[{}:0]", half - 1);
    let high = format!("{name}[{}:{half}]", width - 1);
    let high = if width == 2 * half { high } else { format!("{{1'b0, {high}}}") };
    format!("({low} {operator} {high})")
}
