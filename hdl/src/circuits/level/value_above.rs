// SPDX-License-Identifier: MIT OR Apache-2.0
//! A child's value against one of its parent's bounds.

use crate::layout::Layout;
use kit::{Circuit, Module, Sig, cat};

/// Whether a child's value is above a bound of its parent's context, and which contexts are written
/// therefore. A module of its own, so that a synthesizer that optimizes module by module makes this way short: it is
/// the longest of a level.
///
/// `bound` (signed), `turned` with `keep` (the value, or its complement with `keep` low: -v is ~v + 1); out `exceeded`. With `either` there
/// are two such values, the other in `below_bound`, `below_turned`, `below_keep`, which is meant while `ended` is low: each is compared for itself, as `ended` would have
/// many to tell. With `writes` also, a bit per context, `may` (written if the value is above) and `anyway` (written in any case), `update` (there is a value), `active` and `below_active` (its context is), `anyway_any` (one is written in any case); out
/// `written`, and whether any is, `writes`. No clock.
pub fn value_above(layout: &Layout, either: bool, writes: Option<usize>) -> Circuit {
    let bits = layout.value_bits;
    let m = Module::combinational(
        &format!(
            "value_above{}{}",
            if either { "_either" } else { "" },
            writes.map_or(String::new(), |rows| format!("_writes_{rows}"))
        ),
        "Whether a child's value is above a bound of its parent's context.\nCombinational.",
    );
    let value = |prefix: &str| {
        let [bound, turned, keep] = [("bound", bits), ("turned", bits), ("keep", 1)]
            .map(|(name, width)| m.input(&format!("{prefix}{name}"), width));
        exceeds(&m, &format!("{prefix}compared"), turned, keep, bound)
    };
    let own = value("");
    let below = either.then(|| (m.input("ended", 1), value("below_")));
    let above = m.output("exceeded", below.map_or(own, |(ended, below)| ended.mux(own, below)));
    if let Some(rows) = writes {
        let (may, anyway) = (m.input("may", rows), m.input("anyway", rows));
        m.output("written", anyway | may.only_if(above));
        let [update, active, anyway_any] = ["update", "active", "anyway_any"].map(|name| m.input(name, 1));
        let active = match below {
            Some((ended, _)) => ended.mux(active, m.input("below_active", 1)),
            None => active,
        };
        m.output("writes", anyway_any | (update & active & above));
    }
    m.circuit()
}

/// v > b if v + ~b carries, -v = ~v + 1 > b if ~v + ~b + 1 does; the sign bits turned, as carries are unsigned.
fn exceeds<'m>(m: &'m Module, name: &str, turned: Sig<'m>, keep: Sig<'m>, bound: Sig<'m>) -> Sig<'m> {
    let bits = turned.width;
    let low = 0..bits - 1;
    let value = cat([m.bit(false), !turned.sign(), turned.bits(low.clone())]);
    let less = cat([m.bit(false), bound.sign(), !bound.bits(low)]);
    m.wire(name, value + less + (!keep).zero_extend(bits + 1)).bit(bits)
}
