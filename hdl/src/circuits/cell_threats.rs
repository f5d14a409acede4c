// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threat planes and the yes/no facts that the static rules ask for.

use super::DIRECTION_NAMES;
use super::line_cells::cell_flags;
use crate::kit::{Body, Circuit};
use crate::layout::Layout;

/// Planes it returns.
pub const PLANES: [&str; 5] = ["own_complete", "other_complete", "own_double", "four", "restricted"];
/// One-bit facts it returns.
pub const FACTS: [&str; 6] =
    ["own_wins", "other_wins_once", "other_wins_twice", "own_has_double", "other_has_double", "line"];

/// Name of a direction's flag at the input.
pub fn flag_input(direction: usize, flag: &str) -> String {
    format!("{}_{flag}", DIRECTION_NAMES[direction])
}

/// Combines the four directions.
///
/// Ports: `aclk`; `occupied` and `DIRECTION_FLAG` in; out the [`PLANES`] (cells that complete a line of the mover, of
/// the opponent; double cells of the mover; cells that make a four of the mover; moves of the restricted rule 6), the
/// [`FACTS`] and, with the bonus, `four_three`. Latency 3, initiation interval 1, no reset.
pub fn cell_threats(layout: &Layout) -> Circuit {
    let cells = layout.frame.core_cells;
    let directions = 0..DIRECTION_NAMES.len();
    let mut circuit = Circuit::new(
        "cell_threats",
        "Completing, double and four-making cells of both sides, and the facts the static rules ask for.\n\
         Latency 3, initiation interval 1, no reset (data only).",
    );
    circuit.clocked(false);
    circuit.input("occupied", cells);
    for direction in directions.clone() {
        for flag in cell_flags(layout) {
            circuit.input(flag_input(direction, flag), if flag == "line_exists" { 1 } else { cells });
        }
    }
    for plane in PLANES {
        circuit.output(plane, cells);
    }
    for fact in FACTS {
        circuit.output(fact, 1);
    }
    if layout.has_bonus() {
        circuit.output("four_three", 1);
    }

    let mut body = Body::new();
    let all = |flag: &str| -> Vec<String> { directions.clone().map(|d| flag_input(d, flag)).collect() };
    let two_of = |planes: &[String]| -> String {
        let mut pairs = Vec::new();
        for (i, a) in planes.iter().enumerate() {
            for b in &planes[i + 1..] {
                pairs.push(format!("({a} & {b})"));
            }
        }
        pairs.join(" | ")
    };
    body.comment("First clock: planes of all directions, on empty cells.");
    let mut plane =
        |name: &str, expression: String| body.register(name, cells, format!("({expression}) & ~occupied"));
    let own_complete = plane("own_complete_q", all("own_completes").join(" | "));
    let other_complete = plane("other_complete_q", all("other_completes").join(" | "));
    let own_four = plane("own_four_q", all("own_four").join(" | "));
    let other_four = plane("other_four_q", all("other_four").join(" | "));
    let own_double =
        plane("own_double_q", format!("{} | {}", two_of(&all("own_four")), all("own_span").join(" | ")));
    let other_double = plane(
        "other_double_q",
        format!("{} | {}", two_of(&all("other_four")), all("other_span").join(" | ")),
    );
    let four_three = layout.has_bonus().then(|| {
        let pairs: Vec<String> = directions
            .clone()
            .map(|four| {
                let threes: Vec<String> = directions
                    .clone()
                    .filter(|&three| three != four)
                    .map(|three| flag_input(three, "own_three_span"))
                    .collect();
                format!("({} & ({}))", flag_input(four, "own_four"), threes.join(" | "))
            })
            .collect();
        plane("four_three_q", pairs.join(" | "))
    });
    let line = body.register("line_q", 1, all("line_exists").join(" | "));

    body.comment(
        "Second clock: cells folded towards one, with 'any' and, for the opponent's, 'more than one'.",
    );
    let fold_to = cells.div_ceil(16).max(1);
    let any = |body: &mut Body, hint: &str, plane: &str, width: usize, to: usize| -> (String, usize) {
        let (mut name, mut width) = (plane.to_string(), width);
        while width > to {
            let half = width.div_ceil(2);
            name = body.wire(hint, half, fold(&name, width, half, "|"));
            width = half;
        }
        (name, width)
    };
    let mut folded = Vec::new();
    let mut facts: Vec<(&str, &String)> = vec![
        ("own_wins", &own_complete),
        ("own_has_double", &own_double),
        ("other_has_double", &other_double),
    ];
    if let Some(plane) = &four_three {
        facts.push(("four_three", plane));
    }
    for (fact, plane) in facts {
        let (name, width) = any(&mut body, &format!("{fact}_fold"), plane, cells, fold_to);
        folded.push((fact, body.register(&format!("{fact}_folded"), width, name)));
    }
    let fold_counted = |body: &mut Body, one: String, many: Option<String>, width: usize, to: usize| {
        let (mut one, mut many, mut width) = (one, many, width);
        while width > to {
            let half = width.div_ceil(2);
            let both = fold(&one, width, half, "&");
            let carried = many.map(|m| format!(" | {}", fold(&m, width, half, "|"))).unwrap_or_default();
            many = Some(body.wire("other_many_fold", half, format!("{both}{carried}")));
            one = body.wire("other_any_fold", half, fold(&one, width, half, "|"));
            width = half;
        }
        (one, many.unwrap_or_else(|| format!("{width}'d0")), width)
    };
    let (one, many, width) = fold_counted(&mut body, other_complete.clone(), None, cells, fold_to);
    let one = body.register("other_any_folded", width, one);
    let many = body.register("other_many_folded", width, many);

    body.comment("Third clock: the facts.");
    for (fact, name) in folded {
        body.drive_register(fact, format!("|{name}"));
    }
    let (any_one, any_many, _) = fold_counted(&mut body, one, Some(many), width, 1);
    body.drive_register("other_wins_once", format!("{any_one} & ~{any_many}"));
    body.drive_register("other_wins_twice", &any_many);
    let line = body.register("line_q", 1, &line);
    body.drive_register("line", line);
    for (output, source) in
        [("own_complete", &own_complete), ("other_complete", &other_complete), ("own_double", &own_double)]
    {
        let delayed = body.register(&format!("{output}_q"), cells, source);
        body.drive_register(output, delayed);
    }
    let four = body.register("four_q", cells, &own_four);
    body.drive_register("four", four);
    let restricted = body.register("restricted_q", cells, format!("{own_four} | {other_four}"));
    body.drive_register("restricted", restricted);
    circuit.set_body(body.finish());
    circuit
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
