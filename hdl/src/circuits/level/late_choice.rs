// SPDX-License-Identifier: MIT OR Apache-2.0
//! A choice by a signal that is known late.

use crate::kit::{Body, Circuit};

/// One of two words. A module of its own, so that a synthesizer that optimizes module by module computes both words
/// first and leaves the late signal one table.
///
/// Ports: `late`; words of `width` bits `if_set`, `if_clear`; out `word`. No clock.
pub fn late_choice(width: usize) -> Circuit {
    let mut circuit = Circuit::new(
        &format!("late_choice_{width}"),
        "One of two words, by a signal that is known late.\nCombinational.",
    );
    circuit.inputs(&[("late", 1), ("if_set", width), ("if_clear", width)]);
    circuit.output("word", width);
    let mut body = Body::new();
    body.drive("word", "late ? if_set : if_clear");
    circuit.set_body(body.finish());
    circuit
}
