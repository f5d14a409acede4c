// SPDX-License-Identifier: MIT OR Apache-2.0
//! A child's value against one of its parent's bounds.

use crate::layout::Layout;
use kit::{Circuit, Module, Sig, cat};

/// Whether a child's value is above the bound of the context whose bit is set in `at`, and which contexts are written
/// therefore. A module of its own, so that a synthesizer that optimizes module by module makes this way short: it is
/// the longest of a level.
///
/// `at` (a bit per context, one set; of one context there is none), `bounds` (signed, context 0 lowest), `turned` with `keep` (the
/// value, or its complement with `keep` low: -v is ~v + 1); out `above`. With `either` there are two such values, the other in
/// `below_at`, `below_turned`, `below_keep`, which is meant while `ended` is low: each is compared for itself, as `ended` would have
/// many to tell. With `writes` also, a bit per context, `may` (written if the value is above) and `anyway` (written in any case); out
/// `written`. No clock.
pub fn value_above(layout: &Layout, rows: usize, either: bool, writes: bool) -> Circuit {
    let bits = layout.value_bits;
    let m = Module::combinational(
        &format!(
            "value_above_{rows}{}{}",
            if either { "_either" } else { "" },
            if writes { "_writes" } else { "" }
        ),
        "Whether a child's value is above a bound of its parent's context.\nCombinational.",
    );
    let bounds = m.input("bounds", rows * bits);
    let value = |prefix: &str| {
        let at = (rows > 1).then(|| m.input(&format!("{prefix}at"), rows));
        let [turned, keep] =
            [("turned", bits), ("keep", 1)].map(|(name, width)| m.input(&format!("{prefix}{name}"), width));
        let bound = match at {
            Some(at) => m.masked(&format!("{prefix}bound"), at, &bounds.each_word(bits)),
            None => bounds,
        };
        exceeds(&m, &format!("{prefix}compared"), turned, keep, bound)
    };
    let own = value("");
    let above =
        m.output("exceeded", if either { m.input("ended", 1).mux(own, value("below_")) } else { own });
    if writes {
        let (may, anyway) = (m.input("may", rows), m.input("anyway", rows));
        m.output("written", anyway | may.only_if(above));
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
