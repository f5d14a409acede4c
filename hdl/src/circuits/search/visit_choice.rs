// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which level's offer a visit takes.

use crate::layout::Layout;
use kit::{Circuit, Module, Sig, any_of, bundle};

/// Takes the offer of the deepest level that has something due, else of the deepest that may run ahead. A module of
/// its own, so that a synthesizer that optimizes module by module keeps it as shallow as it can be: every level waits
/// for it.
///
/// A bit for each level, the root's lowest: `offer`, of it `due`; and for all but the last: it `needs` a context
/// of the level below, of which there are `free_any`, `free_both` (two), and one may be `claimed` by what goes straight back. `few`
/// visits are under way: one may run ahead; a visit `may` begin at all. Out `take`, at most one bit. No clock.
///
/// Three levels that offer, with and without what makes one due, a free context below, room to run ahead:
#[doc = concat!("```text\n", include_str!("../../../tests/snapshots/waves__visit_choice.snap"), "\n```")]
pub fn visit_choice(layout: &Layout) -> Circuit {
    let m = Module::combinational(
        "visit_choice",
        "The offer that a visit takes: of the deepest level that has one due, else of the deepest.\nCombinational.",
    );
    let (takes, _) = takes(&m, layout);
    m.output("take", bundle(&takes));
    m.circuit()
}

/// Which levels' offers take a context of the level below: the same choice, and nothing else waits for it. A module of its own, so that
/// no synthesizer that keeps hierarchy drives both from one table: the free contexts are the end of a long path, and `take` has
/// hundreds of loads. In as of [`visit_choice`]; out `reserve`, a bit for each level but the last. No clock.
pub fn visit_reserves(layout: &Layout) -> Circuit {
    let m = Module::combinational(
        "visit_reserves",
        "The levels whose offer a visit takes with a context of the level below.\nCombinational.",
    );
    let (takes, needs) = takes(&m, layout);
    m.output("reserve", bundle(needs.iter().zip(&takes).map(|(&needs, &take)| take & needs)));
    m.circuit()
}

/// The inputs, which of the levels' offers is taken, and of all but the last which need a context below.
fn takes<'m>(m: &'m Module, layout: &Layout) -> (Vec<Sig<'m>>, Vec<Sig<'m>>) {
    let levels = layout.config.levels;
    let (offer, due) = (m.input("offer", levels), m.input("due", levels));
    let (few, may) = (m.input("few", 1), m.input("may", 1));
    let below = (levels > 1)
        .then(|| ["needs", "claimed", "free_any", "free_both"].map(|port| m.input(port, levels - 1)));
    let (mut any, mut dues) = (Vec::new(), Vec::new());
    for level in 0..levels {
        let free = match below {
            Some(ports) if level + 1 < levels => {
                let [needs, claimed, any, both] = ports.map(|port| port.bit(level));
                !needs | claimed.mux(both, any)
            }
            _ => m.bit(true),
        };
        any.push(m.wire(&format!("any_{level}"), offer.bit(level) & free));
        dues.push(m.wire(&format!("due_{level}"), offer.bit(level) & due.bit(level) & free));
    }
    let any_due = any_of(dues.iter().copied());
    let takes = (0..levels)
        .map(|level| {
            let due = dues[level] & !any_below(m, &dues, level);
            let ahead = few & any[level] & !any_below(m, &any, level) & !any_due;
            may & (due | ahead)
        })
        .collect();
    (takes, below.map_or(Vec::new(), |[needs, ..]| needs.each_bit()))
}

/// Whether a bit of the levels below one is set.
fn any_below<'m>(m: &'m Module, bits: &[Sig<'m>], level: usize) -> Sig<'m> {
    bits[level + 1..].iter().copied().reduce(|a, b| a | b).unwrap_or_else(|| m.bit(false))
}
