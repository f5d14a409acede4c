// SPDX-License-Identifier: MIT OR Apache-2.0
//! A child's value against one of its parent's bounds.

use crate::kit::{Body, Circuit, constant};
use crate::layout::Layout;

/// Whether a child's value is above the bound of the context whose bit is set in `at`, and which contexts are written
/// therefore. A module of its own, so that a synthesizer that optimizes module by module makes this way short: it is
/// the longest of a level.
///
/// Ports: `at` (a bit per context, one set; of one context there is none), `bounds` (signed, context 0 lowest),
/// `turned` with `keep` (the value, or its complement with `keep` low: -v is ~v + 1); out `above`. With `writes`
/// also, a bit per context, `may` (written if the value is above) and `anyway` (written in any case); out `written`.
/// No clock.
pub fn value_above(layout: &Layout, rows: usize, writes: bool) -> Circuit {
    let bits = layout.value_bits;
    let mut circuit = Circuit::new(
        &format!("value_above_{rows}{}", if writes { "_writes" } else { "" }),
        "Whether a child's value is above a bound of its parent's context.\nCombinational.",
    );
    if rows > 1 {
        circuit.input("at", rows);
    }
    circuit.inputs(&[("bounds", rows * bits), ("turned", bits), ("keep", 1)]);
    circuit.output("above", 1);
    let mut body = Body::new();
    let bound = if rows == 1 {
        "bounds".to_string()
    } else {
        let of_row = |row: usize| format!("bounds[{}:{}]", (row + 1) * bits - 1, row * bits);
        body.masked("bound", bits, "at", &(0..rows).map(of_row).collect::<Vec<_>>())
    };
    body.comment("v > b if v + ~b carries, -v = ~v + 1 > b if ~v + ~b + 1 does; the sign bits turned, as carries are unsigned.");
    let (sign, low) = (bits - 1, bits - 2);
    body.raw(format!(
        "
wire [{bits}:0] compared = {{1'b0, ~turned[{sign}], turned[{low}:0]}} + {{1'b0, {bound}[{sign}], ~{bound}[{low}:0]}} + {{{zeros}, ~keep}};
",
        zeros = constant(bits, 0),
    ));
    body.drive("above", format!("compared[{bits}]"));
    if writes {
        circuit.inputs(&[("may", rows), ("anyway", rows)]);
        circuit.output("written", rows);
        body.drive("written", format!("anyway | (may & {{{rows}{{above}}}})"));
    }
    circuit.set_body(body.finish());
    circuit
}
