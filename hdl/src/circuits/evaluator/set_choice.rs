// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which plane of cells a pass asks for.

use crate::layout::{Layout, PassKind};
use engine_model::RuleSet;
use kit::{Circuit, Module, Sig};

/// Planes to choose from, by number.
pub const CHOICES: [&str; 5] = ["candidate", "own_complete", "other_complete", "own_double", "restricted"];
/// Bits of such a number.
pub const CHOICE_BITS: usize = 3;

kit::record! {
    /// What a set is chosen by.
    pub struct Asked {
        /// The mover has a completing cell.
        own_wins,
        /// The opponent has one.
        other_wins,
        /// The mover has a double cell.
        own_has_double,
        /// The opponent has one.
        other_has_double,
        /// No level is left.
        depth_zero,
        /// Neither level nor extension is left.
        leaf,
        /// What the pass is for.
        kind,
    }
}

/// Widths of what a set is chosen by.
pub fn asked(layout: &Layout) -> Asked<usize> {
    Asked { kind: layout.tag.kind, ..Asked::uniform(1) }
}

/// Chooses the set of the first static rule that fits: out `choice`, a number of [`CHOICES`], and what the pass is for:
/// it `takes_all` of the set, not only what follows; `is_probe`; `only_fours`; with ceilings also `is_whole`, every empty cell is asked for,
/// and `surviving`, only what survives the reply. No clock.
pub fn set_choice(layout: &Layout) -> Circuit {
    let rules = layout.config.rules;
    let m =
        Module::combinational("set_choice", "The set of the first static rule that fits.\nCombinational.");
    let asked = asked(layout).inputs(&m);
    let code = |plane: &str| -> Sig<'_> {
        let number = CHOICES.iter().position(|&name| name == plane).expect("a plane of the list");
        m.constant(CHOICE_BITS, number)
    };
    let on = |set: RuleSet| m.bit(rules >= set);
    let kind = |kind: PassKind| asked.kind.is(kind as u64);
    let is_node = m.wire("is_node", kind(PassKind::Node));
    let is_probe = m.wire("is_probe", kind(PassKind::Probe));
    let only_fours = m.wire("only_fours", kind(PassKind::OrderFours));
    m.comment("The moves of rule 6, and of the passes that ask for further ones of them.");
    let restricts = on(RuleSet::Restricted) & asked.other_has_double & !asked.depth_zero;
    let moves = m.wire("moves", restricts.mux(code("restricted"), code("candidate")));
    m.comment("A node: the set of the first static rule that fits; a leaf plays nothing and wants G.");
    let by_double = (on(RuleSet::Double) & asked.own_has_double).mux(code("own_double"), moves);
    let by_reply = (on(RuleSet::Forced) & asked.other_wins).mux(code("other_complete"), by_double);
    let by_win = asked.own_wins.mux(code("own_complete"), by_reply);
    let choice = (!is_node).mux(moves, asked.leaf.mux(code("candidate"), by_win));
    m.output("choice", choice);
    let mut takes_all = is_node;
    if layout.config.has_ceilings() {
        let surviving = m.wire("is_surviving", kind(PassKind::Surviving));
        takes_all = takes_all | kind(PassKind::Reply) | surviving;
        m.output("is_whole", kind(PassKind::Answered));
        m.output("surviving", surviving | kind(PassKind::OrderSurviving));
    }
    m.output("takes_all", takes_all);
    m.output("is_probe", is_probe);
    m.output("only_fours", only_fours);
    m.circuit()
}
