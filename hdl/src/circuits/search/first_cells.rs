// SPDX-License-Identifier: MIT OR Apache-2.0
//! What both pickers of moves know of a context's first cells.

use crate::layout::Layout;
use kit::{Circuit, Module, Sig, when};

/// Whether a `gain` is no larger than a signed `limit`: out `low`. A module of its own, and one for each gain: the limit comes late, and
/// what its upper bits say would else be asked of one signal by all. No clock.
fn gain_is_low(layout: &Layout) -> Circuit {
    let m = Module::combinational(
        "gain_is_low",
        "Whether a gain is no larger than a signed limit.\nCombinational.",
    );
    let gain = m.input("gain", layout.gain_bits);
    let limit = m.input("limit", layout.value_bits);
    m.output("low", is_low(&m, layout, gain, limit));
    m.circuit()
}

fn is_low<'m>(m: &'m Module, layout: &Layout, gain: Sig<'m>, limit: Sig<'m>) -> Sig<'m> {
    let large = match layout.gain_bits + 1 < layout.value_bits {
        true => limit.bits(layout.gain_bits..layout.value_bits - 1).any(),
        false => m.bit(false),
    };
    !limit.sign() & (large | gain.at_most(limit.bits(0..layout.gain_bits)))
}

/// What the bound leaves of a group: with its first cell's `gain`, whether it is a `four`, whether one was `found`, whether the group has
/// `more`; `bounded` and the signed `limit` of the visit, and whether `fours_only` are asked for. Out whether the first cell `stays` and
/// whether the rest `needs` another pass. A module of its own, and one for each group, for the same reason: behind the comparison there is
/// one table. No clock.
pub(super) fn group_judged(layout: &Layout) -> Circuit {
    let m = Module::combinational(
        "group_judged",
        "What the exact upper bound leaves of a group of cells.\nCombinational.",
    );
    let [found, four, more, fours_only, bounded] =
        ["found", "four", "more", "fours_only", "bounded"].map(|name| m.input(name, 1));
    let gain = m.input("gain", layout.gain_bits);
    let limit = m.input("limit", layout.value_bits);
    let dropped = m.wire("dropped", bounded & is_low(&m, layout, gain, limit));
    m.output("stays", found & (four | !dropped));
    m.output("needs", found & more & (fours_only | !dropped));
    m.circuit()
}

/// The exact upper bound, as a visit is told of it.
#[derive(Clone, Copy)]
pub(super) struct Bound<'m> {
    /// It may be used.
    pub bounded: Sig<'m>,
    /// Gains up to this are dropped, signed.
    pub limit: Sig<'m>,
}

impl<'m> Bound<'m> {
    /// Whether it drops a gain, but for a four.
    pub fn drops(self, m: &'m Module, layout: &Layout, name: &str, gain: Sig<'m>) -> Sig<'m> {
        let low = m.child(name, gain_is_low(layout));
        low.drive("gain", gain);
        low.drive("limit", self.limit);
        self.bounded & low.get("low")
    }
}

/// A new set of first cells: that one has come, of which context, whether the first of all is on its way already.
#[derive(Clone, Copy)]
pub(super) struct Mark<'m> {
    pub mark: Sig<'m>,
    pub context: Sig<'m>,
    pub issued: Sig<'m>,
}

/// By context: whether no visit has issued any of its set, and whether its first of all had been issued when the set came. A visit
/// `writes` what it has issued of the context `written`.
pub(super) fn new_sets<'m>(
    m: &'m Module,
    layout: &Layout,
    told: Mark<'m>,
    (writes, written): (Sig<'m>, Sig<'m>),
) -> (Vec<Sig<'m>>, Vec<Sig<'m>>) {
    (0..layout.contexts())
        .map(|context| {
            let new = m.register(&format!("unvisited_{context}"), 1);
            let was = m.register(&format!("first_issued_{context}"), 1);
            let marks = told.mark & told.context.is(context);
            m.at_edge([when(marks, [new.set(true), was.set(told.issued)])
                .else_when(writes & written.is(context), [new.set(false)])]);
            (new, was)
        })
        .unzip()
}
