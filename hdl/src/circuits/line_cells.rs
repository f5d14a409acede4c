// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the window flags of one direction to what each cell sees in that direction.

use super::window_flags::pattern_flags;
use crate::kit::{Body, Circuit};
use crate::layout::Layout;

/// Per-cell planes of one direction. `*_span` is set strictly between the empty ends of two
/// neighbouring windows with two stones missing, `own_three_span` with three.
pub fn cell_flags(layout: &Layout) -> Vec<&'static str> {
    let mut names = vec![
        "own_completes",
        "other_completes",
        "own_four",
        "other_four",
        "own_span",
        "other_span",
        "line_exists",
    ];
    if layout.has_bonus() {
        names.push("own_three_span");
    }
    names
}

/// Spreads the window flags of `direction` to the cells of the windows.
///
/// Ports: `aclk`; `occupied` and the pattern flags of `window_flags` in, planes of the frame; out the [`cell_flags`] as
/// planes of the core cells, `line_exists` one bit. Flags are not yet masked with emptiness of the cell. Latency 1,
/// initiation interval 1, no reset.
pub fn line_cells(layout: &Layout, direction: usize) -> Circuit {
    let (cells, k) = (layout.frame.cells, layout.config.in_a_row);
    let stride = layout.frame.geometry.stride(direction);
    let mut circuit = Circuit::new(
        &format!("line_cells_{}", super::DIRECTION_NAMES[direction]),
        &format!(
            "Per cell: flags of the windows through it in one direction.\n\
             Latency 1, initiation interval 1, no reset (data only). Direction: {}.",
            super::DIRECTION_NAMES[direction]
        ),
    );
    circuit.clocked(false);
    circuit.input("occupied", cells);
    for flag in pattern_flags(layout) {
        circuit.input(flag, cells);
    }
    for flag in cell_flags(layout) {
        circuit.output(flag, if flag == "line_exists" { 1 } else { layout.frame.core_cells });
    }

    let mut body = Body::new();
    // The window that starts i cells before a cell covers it for i = 0..k-1.
    let covering = |body: &mut Body, hint: &str, plane: &str, from: usize, to: usize| -> Vec<String> {
        (from..to)
            .map(|i| {
                let shifted = if i == 0 { plane.to_string() } else { format!("({plane} << {})", i * stride) };
                body.wire(&format!("{hint}_cover"), cells, shifted)
            })
            .collect()
    };
    for (output, flag) in [
        ("own_completes", "own_one_missing"),
        ("other_completes", "other_one_missing"),
        ("own_four", "own_two_missing"),
        ("other_four", "other_two_missing"),
    ] {
        let planes = covering(&mut body, flag, flag, 0, k);
        let all = body.wire(&format!("{output}_frame"), cells, planes.join(" | "));
        body.drive_register(output, layout.frame.core_of(&all));
    }
    let mut spans = vec![("own_span", "own_two_missing"), ("other_span", "other_two_missing")];
    if layout.has_bonus() {
        spans.push(("own_three_span", "own_three_missing"));
    }
    body.comment(
        "Two neighbouring windows with as many stones each: one end is empty exactly if the other is.",
    );
    for (output, flag) in spans {
        let open =
            body.wire(&format!("{flag}_pair"), cells, format!("{flag} & ({flag} >> {stride}) & ~occupied"));
        let planes = covering(&mut body, &open, &open, 1, k);
        let all = body.wire(&format!("{output}_frame"), cells, planes.join(" | "));
        body.drive_register(output, layout.frame.core_of(&all));
    }
    body.drive_register("line_exists", "|other_line");
    circuit.set_body(body.finish());
    circuit
}
