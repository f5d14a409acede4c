// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which contexts of a level are cut.

use super::contexts::{Contexts, Events};
use super::level_windows::Windows;
use super::words::Level;
use kit::{Circuit, Module, Sig, bundle};

/// Contexts that are cut next, a bit each: those of `stays`, and those of `may` if a child's value is `better` and `reaches` the limit:
/// out `cut`. A module of its own, so that a synthesizer that optimizes module by module leaves what is known late one table. No clock.
fn cut_by_value(rows: usize) -> Circuit {
    let m = Module::combinational(
        &format!("cut_by_value_{rows}"),
        "Contexts that are cut, once a child's value has been compared.\nCombinational.",
    );
    let [stays, may] = ["stays", "may"].map(|name| m.input(name, rows));
    let [better, reaches] = ["better", "reaches"].map(|name| m.input(name, 1));
    m.output("cut", stays | (may & better.times(rows) & reaches.times(rows)));
    m.circuit()
}

/// Which contexts are cut next. A value that is better and no cut finds none: a cut's alpha is above its limit.
pub(super) fn cuts<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    events: &[Events<'m>],
    windows: &Windows<'m>,
) -> Vec<Sig<'m>> {
    m.comment("Contexts that are cut.");
    let (stays, may): (Vec<Sig>, Vec<Sig>) = (0..of.rows)
        .map(|r| {
            let cut = contexts.rows[r].cut;
            let cut = match &windows.following {
                Some(following) => following.lowers[r].mux(following.cuts, cut),
                None => cut,
            };
            (!windows.anyway[r] & cut, !windows.anyway[r] & events[r].updates)
        })
        .unzip();
    let by_value = m.child("cutting", cut_by_value(of.rows));
    by_value.drive("stays", bundle(&stays));
    by_value.drive("may", bundle(&may));
    by_value.drive("better", windows.better);
    by_value.drive("reaches", windows.reaches);
    by_value.get("cut").each_bit()
}
