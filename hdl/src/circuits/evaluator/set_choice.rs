// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which plane of cells a pass asks for.

use crate::kit::{Body, Circuit};
use crate::layout::{Layout, PassKind};
use engine_model::RuleSet;

/// Planes to choose from, by number.
pub const CHOICES: [&str; 5] = ["candidate", "own_complete", "other_complete", "own_double", "restricted"];

/// Chooses the set of the first static rule that fits.
///
/// Ports: facts `own_wins`, `other_wins`, `own_has_double`, `other_has_double`; from the tag `depth_zero`, `leaf`,
/// `kind`; out `choice` (a number of [`CHOICES`]), `is_node`, `is_probe`, `only_fours`. No clock.
pub fn set_choice(layout: &Layout) -> Circuit {
    let rules = layout.config.rules;
    let mut circuit =
        Circuit::new("set_choice", "The set of the first static rule that fits.\nCombinational.");
    for fact in ["own_wins", "other_wins", "own_has_double", "other_has_double", "depth_zero", "leaf"] {
        circuit.input(fact, 1);
    }
    circuit.input("kind", 2);
    circuit.outputs(&[("choice", 3), ("is_node", 1), ("is_probe", 1), ("only_fours", 1)]);
    let on = |needed: RuleSet| if rules >= needed { "1'b1" } else { "1'b0" };
    let mut body = Body::new();
    for (output, kind) in
        [("is_node", PassKind::Node), ("is_probe", PassKind::Probe), ("only_fours", PassKind::OrderFours)]
    {
        body.drive(output, format!("(kind == 2'd{})", kind as usize));
    }
    body.comment("The moves of rule 6, and of the passes that ask for further ones of them.");
    let restricted = on(RuleSet::Restricted);
    let moves = body.wire(
        "moves",
        3,
        format!(
            "({restricted} & other_has_double & ~depth_zero) ? {} : {}",
            code("restricted"),
            code("candidate")
        ),
    );
    body.comment("A node: the set of the first static rule that fits; a leaf plays nothing and wants G.");
    body.drive(
        "choice",
        format!(
            "~is_node ? {moves} : leaf ? {} : own_wins ? {} : ({} & other_wins) ? {} : \
             ({} & own_has_double) ? {} : {moves}",
            code("candidate"),
            code("own_complete"),
            on(RuleSet::Forced),
            code("other_complete"),
            on(RuleSet::Double),
            code("own_double"),
        ),
    );
    circuit.set_body(body.finish());
    circuit
}

fn code(plane: &str) -> String {
    let number = CHOICES.iter().position(|&name| name == plane).expect("a plane of the list");
    format!("3'd{number}")
}
