// SPDX-License-Identifier: MIT OR Apache-2.0
//! What both pickers of moves know of a context's first cells.

use crate::kit::{Module, Sig, when};
use crate::layout::Layout;

/// The exact upper bound, as a visit is told of it.
#[derive(Clone, Copy)]
pub(super) struct Bound<'m> {
    /// It may be used.
    pub bounded: Sig<'m>,
    /// Gains up to this are dropped.
    pub limit: Sig<'m>,
    /// None is.
    pub limit_none: Sig<'m>,
    /// All are.
    pub limit_all: Sig<'m>,
}

impl<'m> Bound<'m> {
    /// Whether it drops a gain, but for a four.
    pub fn drops(self, gain: Sig<'m>) -> Sig<'m> {
        let small = self.limit_all | gain.at_most(self.limit);
        self.bounded & !self.limit_none & small
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
