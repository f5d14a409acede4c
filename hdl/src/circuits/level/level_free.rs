// SPDX-License-Identifier: MIT OR Apache-2.0
//! The free contexts that a level has at hand.

use super::contexts::Contexts;
use super::late_choice::bit_of_number;
use super::ports::LevelInputs;
use super::words::Level;
use kit::{Circuit, Module, Sig, bundle, when};

/// A place for a free context.
#[derive(Clone, Copy)]
struct Place<'m> {
    has: Sig<'m>,
    row: Sig<'m>,
}

/// What a level says of its free contexts.
pub(super) struct AtHand<'m> {
    pub any: Sig<'m>,
    pub both: Sig<'m>,
    pub first: Sig<'m>,
    pub second: Sig<'m>,
    /// The same, a bit for each context.
    pub at: [Sig<'m>; 2],
}

/// Of contexts that are `free`, a bit each, those that come to wait where none does: out whether there is `any`, the one `found` for the
/// first place (filled unless it `has_next`), the one `for_other`, whether that `fills_other` (unless it `has_other`), and a bit for each
/// that `comes`. A module of its own, so that a synthesizer that optimizes module by module makes this way short. No clock.
fn free_choice(of: &Level) -> Circuit {
    let m = Module::combinational(
        &format!("free_choice_{}", of.rows),
        "Which free contexts wait to be had.\nCombinational.",
    );
    let free = m.input("free", of.rows).each_bit();
    let [has_next, has_other] = ["has_next", "has_other"].map(|name| m.input(name, 1));
    let [(any, found), (any_other, found_other)] = m.first_two_set("free", of.index, &free);
    m.output("any", any);
    m.output("found", found);
    let for_other = m.output("for_other", has_next.mux(found, found_other));
    let fills_next = m.wire("fills_next", !has_next & any);
    let fills_other = m.output("fills_other", !has_other & has_next.mux(any, any_other));
    let comes = |r: usize| (fills_next & found.is(r)) | (fills_other & for_other.is(r));
    m.output("comes", bundle((0..of.rows).map(comes)));
    m.circuit()
}

/// What [`left_at_hand`] tells.
const LEFT_AT_HAND: [&str; 6] =
    ["keeps_first", "keeps_second", "has_first", "has_second", "has_any", "has_both"];

/// What is at hand in the next clock: whether the first and the second place keep theirs, whether each has one then, either has, both have;
/// of whether the first, the second and those behind them have one, and who takes one.
fn left_at_hand<'m>(m: &'m Module, has: [Sig<'m>; 4], reserves: [Sig<'m>; 2]) -> [Sig<'m>; 6] {
    let ([first, second, next, other], [reserve_first, reserve_second]) = (has, reserves);
    let takes_first = reserve_first & first | reserve_second & !second;
    let takes_second = reserve_second & second | reserve_first & !first;
    let keeps_first = m.wire("keeps_first", first & !takes_first);
    let keeps_second = m.wire("keeps_second", second & !takes_second);
    let [has_first, has_second] = [keeps_first | next, keeps_second | other];
    [keeps_first, keeps_second, has_first, has_second, has_first | has_second, has_first & has_second]
}

/// The same as a module of its own, each answer one table: who takes one is known late. In `has` and `reserves`, a bit each, the first
/// lowest. No clock.
fn left_at_hand_alone() -> Circuit {
    let m = Module::combinational("left_at_hand", "Which free contexts are left at hand.\nCombinational.");
    let [has, reserves] = [("has", 4), ("reserves", 2)].map(|(name, width)| m.input(name, width));
    let (has, reserves) = ([0, 1, 2, 3].map(|i| has.bit(i)), [0, 1].map(|i| reserves.bit(i)));
    for (name, left) in LEFT_AT_HAND.into_iter().zip(left_at_hand(&m, has, reserves)) {
        m.output(name, left);
    }
    m.circuit()
}

/// Two free contexts are kept at hand, one for first children and what else asks without a visit, one for visits; either takes the
/// other's if it has none. Behind each waits another, found among all a clock or more before: who takes one is known late.
/// Low numbers are taken first, and go first in everything else: so the contexts that have been longest under way end
/// first, which saves passes against the newest first.
pub(super) fn free_contexts<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    input: &LevelInputs<Sig<'m>>,
) -> AtHand<'m> {
    m.comment("Free contexts at hand: the first for a first child, the second for a visit.");
    let place = |name: &str| Place {
        has: m.control(&format!("has_{name}"), 1, 0),
        row: m.register(&format!("{name}_kept"), of.index),
    };
    let [first, second, next, other] = ["first", "second", "next", "other"].map(place);
    let [free_any, free_both] = ["free_any", "free_both"].map(|name| m.control(name, 1, 0));
    let had = [first, second, next, other].map(|place| place.has);
    let reserves = [input.reserve_first, input.reserve_second];
    let [keeps_first, keeps_second, has_first, has_second, any_then, both_then] =
        match of.layout.shortens_paths() {
            false => left_at_hand(m, had, reserves),
            true => {
                let left = m.child("left", left_at_hand_alone());
                left.drive("has", bundle(&had));
                left.drive("reserves", bundle(&reserves));
                LEFT_AT_HAND.map(|name| left.get(name))
            }
        };
    m.comment("What waits behind them comes from all contexts, as they were a clock before.");
    let idle = m.wire("idle_contexts", input.clear | !input.searching);
    let at_hand: Vec<Sig> = (0..of.rows).map(|r| m.control(&format!("at_hand_{r}"), 1, 0)).collect();
    let free: Vec<Sig> = (0..of.rows)
        .map(|r| {
            let row = contexts.rows[r];
            m.cleared(&format!("free_{r}"), !row.reserved & !row.active & !at_hand[r]) & !at_hand[r]
        })
        .collect();
    let choice = m.child("waiting", free_choice(of));
    choice.drive("free", bundle(&free));
    choice.drive("has_next", next.has);
    choice.drive("has_other", other.has);
    let [any, fills_other, found, for_other] =
        ["any", "fills_other", "found", "for_other"].map(|name| choice.get(name));
    for (r, at_hand) in at_hand.into_iter().enumerate() {
        let comes = choice.get("comes").bit(r);
        m.at_edge([at_hand.set(!idle & (comes | (at_hand & !contexts.rows[r].reserved)))]);
    }
    let flags = [
        (first.has, has_first),
        (second.has, has_second),
        (free_any, any_then),
        (free_both, both_then),
        (next.has, next.has.mux(keeps_first, any)),
        (other.has, other.has.mux(keeps_second, fills_other)),
    ];
    m.at_edge([when(idle, flags.map(|(flag, _)| flag.set(false)))
        .otherwise(flags.map(|(flag, value)| flag.set(value)))]);
    m.at_edge([
        when(!keeps_first, [first.row.set(next.row)]),
        when(!keeps_second, [second.row.set(other.row)]),
    ]);
    m.at_edge([when(!next.has, [next.row.set(found)]), when(!other.has, [other.row.set(for_other)])]);
    let first_free = m.wire("first_free", first.has.mux(first.row, second.row));
    let second_free = m.wire("second_free", second.has.mux(second.row, first.row));
    AtHand {
        any: free_any,
        both: free_both,
        first: first_free,
        second: second_free,
        at: [
            bit_of_number(m, "first_free_bits", first_free, of.rows),
            bit_of_number(m, "second_free_bits", second_free, of.rows),
        ],
    }
}
