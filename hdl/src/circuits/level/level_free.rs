// SPDX-License-Identifier: MIT OR Apache-2.0
//! The free contexts that a level has at hand.

use super::contexts::Contexts;
use super::late_choice::choose_late;
use super::ports::LevelInputs;
use super::words::Level;
use crate::kit::{Module, Sig, when};

crate::record! {
    /// Free contexts at hand.
    pub struct Free {
        /// One, for a visit.
        second_kept,
        /// One, for a first child.
        first_kept,
        /// There are two.
        free_both,
        /// There is one.
        free_any,
        /// The second is there.
        has_second,
        /// The first is.
        has_first,
    }
}

/// What a level says of its free contexts.
pub(super) struct AtHand<'m> {
    pub any: Sig<'m>,
    pub both: Sig<'m>,
    pub first: Sig<'m>,
    pub second: Sig<'m>,
}

/// Two free contexts are kept at hand, one for first children, one for visits; either takes the other's if it has none.
/// Low numbers are taken first, and go first in everything else: so the contexts that have been longest under way end
/// first, which saves passes against the newest first.
pub(super) fn free_contexts<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    input: &LevelInputs<Sig<'m>>,
) -> AtHand<'m> {
    m.comment("Free contexts at hand: the first for a first child, the second for a visit.");
    let widths = Free { second_kept: of.index, first_kept: of.index, ..Free::uniform(1) };
    let kept = widths.map(|name, width| match name {
        "first_kept" | "second_kept" => m.register(name, width),
        _ => m.control(name, width, 0),
    });
    let Free { has_first, has_second, first_kept, second_kept, .. } = kept;
    let free: Vec<Sig> = (0..of.rows)
        .map(|r| {
            let row = contexts.rows[r];
            let mine = (has_first & first_kept.is(r)) | (has_second & second_kept.is(r));
            m.wire(&format!("free_{r}"), !row.reserved & !row.active & !mine)
        })
        .collect();
    let [(any, first), (any_other, second)] = m.first_two_set("free", of.index, &free);
    let free_other = m.wire("free_other", any);
    let free_others = m.wire("free_others", any_other);
    let first_free = m.wire("first_free", has_first.mux(first_kept, second_kept));
    let second_free = m.wire("second_free", has_second.mux(second_kept, first_kept));
    m.comment(
        "Who takes one is known late, and of a visit last: what is at hand next stands ready for each case.",
    );
    let next = |keeps_first: Sig<'m>, keeps_second: Sig<'m>| {
        let has_first = m.part("next_first", keeps_first | free_other);
        let has_second = m.part("next_second", keeps_second | keeps_first.mux(free_other, free_others));
        Free {
            has_first,
            has_second,
            free_any: has_first | has_second,
            free_both: has_first & has_second,
            first_kept: keeps_first.mux(first_kept, first),
            second_kept: keeps_second.mux(second_kept, keeps_first.mux(first, second)),
        }
        .pack()
    };
    let (no, both) = (m.bit(false), has_first & has_second);
    let (none, of_first) = (next(has_first, has_second), next(no, both));
    let (of_second, of_both) = (next(both, no), next(no, no));
    let unvisited = choose_late(m, "free_unless_visited", input.reserve_first, of_first, none);
    let visited = choose_late(m, "free_if_visited", input.reserve_first, of_both, of_second);
    let chosen = widths.unpack(choose_late(m, "free_next", input.reserve_second, visited, unvisited));
    let flags = [
        (kept.has_first, chosen.has_first),
        (kept.has_second, chosen.has_second),
        (kept.free_any, chosen.free_any),
        (kept.free_both, chosen.free_both),
    ];
    m.at_edge([when(input.clear | !input.searching, flags.map(|(flag, _)| flag.set(false)))
        .otherwise(flags.map(|(flag, next)| flag.set(next)))]);
    m.at_edge([first_kept.set(chosen.first_kept), second_kept.set(chosen.second_kept)]);
    AtHand { any: kept.free_any, both: kept.free_both, first: first_free, second: second_free }
}
