// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which level's offer a visit takes.

use crate::kit::{Body, Circuit};
use crate::layout::Layout;

/// Takes the offer of the deepest level that has something due, else of the deepest that may run ahead. A module of
/// its own, so that a synthesizer that optimizes module by module keeps it as shallow as it can be: every level waits
/// for it.
///
/// Ports, a bit for each level, the root's lowest: `offer`, of it `due`; and for all but the last: it `needs` a context
/// of the level below, of which there are `free_any`, `free_both` (two), and one may be `claimed` by a first child. `few`
/// visits are under way: one may run ahead; a visit `may` begin at all. Out `take`, at most one bit. No clock.
pub fn visit_choice(layout: &Layout) -> Circuit {
    let levels = layout.config.levels;
    let mut circuit = Circuit::new(
        "visit_choice",
        "The offer that a visit takes: of the deepest level that has one due, else of the deepest.\nCombinational.",
    );
    circuit.inputs(&[("offer", levels), ("due", levels), ("few", 1), ("may", 1)]);
    if levels > 1 {
        for port in ["needs", "claimed", "free_any", "free_both"] {
            circuit.input(port, levels - 1);
        }
    }
    circuit.output("take", levels);
    let bit = |port: &str, level: usize, width: usize| match width {
        1 => port.to_string(),
        _ => format!("{port}[{level}]"),
    };
    let mut body = Body::new();
    for level in 0..levels {
        let offer = bit("offer", level, levels);
        let free = match level + 1 < levels {
            true => {
                let [needs, claimed, any, both] =
                    ["needs", "claimed", "free_any", "free_both"].map(|port| bit(port, level, levels - 1));
                format!(" & (~{needs} | ({claimed} ? {both} : {any}))")
            }
            false => String::new(),
        };
        body.raw(format!(
            "wire any_{level} = {offer}{free};\nwire due_{level} = {offer} & {due}{free};",
            due = bit("due", level, levels),
        ));
    }
    let of = |name: &str, levels: std::ops::Range<usize>| -> String {
        let bits: Vec<String> = levels.map(|level| format!("{name}_{level}")).collect();
        if bits.is_empty() { "1'b0".into() } else { bits.join(" | ") }
    };
    let all_due = of("due", 0..levels);
    for level in 0..levels {
        let (due_below, any_below) = (of("due", level + 1..levels), of("any", level + 1..levels));
        body.drive(
            &bit("take", level, levels),
            format!(
                "may & ((due_{level} & ~({due_below})) | (few & any_{level} & ~({any_below}) & ~({all_due})))"
            ),
        );
    }
    circuit.set_body(body.finish());
    circuit
}
