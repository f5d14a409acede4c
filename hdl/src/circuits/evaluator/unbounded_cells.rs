// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells whose worth no gain bounds: a stone there makes a four, or leaves a double cell or a four-three cell.

use super::cell_threats::{PATTERNS, pattern_output};
use super::cover::{Cover, DIRECTIONS, elsewhere, flag_input};
use super::window_flags::pattern_flags;
use crate::layout::Layout;
use kit::{Circuit, Module, Sig, any_of};
use std::collections::BTreeMap;
use std::ops::Range;

/// Window flags that it looks at, as far as the configuration has them.
pub fn windows_looked_at(layout: &Layout) -> impl Iterator<Item = &'static str> {
    pattern_flags(layout).into_iter().filter(|flag| ["own_three_missing", "own_four_missing"].contains(flag))
}

/// Looks a stone of the mover ahead. With a stone on c
///
/// - c makes a four, or an open four: it lies between the empty ends of two neighbouring windows with k-3 stones;
/// - another cell e is a double or four-three cell that was none: a window through both, with k-3 stones, makes e a four, and e makes one
///   in another direction already, or lies there between the empty ends of two windows with k-3 stones; or e makes a four already, and two
///   neighbouring windows of another direction with k-4 stones have both c and e between their empty ends. (c and e share one line.)
///
/// In, planes: `occupied` where [`Layout::looks_at_pairs`]; of each direction the [`PATTERNS`] of cells, and the windows' flags
/// [`windows_looked_at`], at the bit of the first cell. Out `unbounded`, which means nothing where a stone is: exactly what
/// [`engine_model::evaluation::Ceilings::is_unbounded`] says. Latency 2, initiation interval 1, no reset (data only).
pub fn unbounded_cells(layout: &Layout) -> Circuit {
    let m = Module::new(
        "unbounded_cells",
        "Cells where a stone of the mover makes a four, or leaves a double or four-three cell.\n\
         Latency 2, initiation interval 1, no reset (data only).",
        false,
    );
    let cells = layout.cells;
    let pairs = layout.looks_at_pairs();
    let occupied = if pairs { m.input_at(0, "occupied", cells) } else { m.zero(cells) };
    let [fours, threes] =
        PATTERNS.map(|pattern| DIRECTIONS.map(|d| m.input_at(0, &pattern_output(d, pattern), cells)));
    let mut flags = BTreeMap::new();
    for direction in DIRECTIONS {
        for flag in windows_looked_at(layout) {
            flags.insert((direction, flag), m.input_at(0, &flag_input(direction, flag), cells));
        }
    }
    let cover = Cover { m: &m, layout, occupied, flags };
    let k = layout.config.in_a_row;
    m.comment(
        "First clock: windows that a stone makes more of, by what their other cells are in other directions.",
    );
    let now = any_of(fours.into_iter().chain(threes));
    let mut unbounded = vec![m.delayed("unbounded_now", now)];
    for direction in DIRECTIONS {
        let stride = layout.frame.geometry.stride(direction);
        let other_fours = m.part("other_fours", elsewhere(fours, direction));
        let promising = match layout.has_bonus() {
            true => m.part("promising", other_fours | elsewhere(threes, direction)),
            false => other_fours,
        };
        let window = cover.flag(direction, "own_three_missing") & within(promising, stride, 0..k);
        unbounded.extend(cover.shifted(direction, m.stage("makes_more", window), 0));
        if pairs {
            let pair = cover.pairs(direction, "own_four_missing") & within(other_fours, stride, 1..k);
            unbounded.extend(cover.shifted(direction, m.stage("makes_open", pair), 1));
        }
    }
    m.comment("Second clock: their cells.");
    let all = m.wire("all_unbounded", any_of(unbounded));
    m.output("unbounded", m.delayed("unbounded", all));
    drop(cover);
    m.circuit()
}

/// Windows, at the bit of their first cell, that have the plane set at one of these places.
fn within<'m>(plane: Sig<'m>, stride: usize, places: Range<usize>) -> Sig<'m> {
    any_of(places.map(|i| plane.down(i * stride)))
}
