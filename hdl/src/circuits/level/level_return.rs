// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of its contexts a level returns, and what.

use super::contexts::{Contexts, Row};
use super::level_offers::Ready;
use super::ports::LevelInputs;
use super::words::{BoundCode, Level};
use kit::{Circuit, Module, Sig, bundle, cat, one_hot, when};

/// The first context that is over, and what it returns. A module of its own, so that a synthesizer that optimizes module by module makes
/// this way short; it would be the longest of a level.
///
/// A bit per context: `active`, `cut`, `idle` (it is over if it is active and either), `freed`, `negate`, `raised`, `lost`, `unproved`. Out
/// its number `row`; read of it `is_freed`, `is_lost` (without a proof), `keep`, `bound`. No clock.
///
/// Whether there is one is told by [`any_over`], which, a bit each, and its parent by [`first_over`]: what is read would make them late.
fn return_choice(of: &Level) -> Circuit {
    let module = Module::combinational(
        &of.kind().replacen("level_controller", "return_choice", 1),
        "Which context of a level returns: the first that is over, and what.\nCombinational.",
    );
    choose(&module, of);
    module.circuit()
}

fn choose(m: &Module, of: &Level) {
    let each = |name: &str, width: usize| m.input(name, of.rows * width).each_word(width);
    let [active, cut, idle, freed] = ["active", "cut", "idle", "freed"].map(|name| each(name, 1));
    let over = |r: usize| m.part("over", active[r] & (cut[r] | idle[r]));
    let over: Vec<Sig> = (0..of.rows).map(over).collect();
    let (lost, unproved) = (each("lost", 1), each("unproved", 1));
    let lost = |r: usize| m.part("unproved_loss", unproved[r] & lost[r]);
    m.comment("Whether it is a loss that is not proved comes along the tree, with the number.");
    let marks: Vec<Sig> = (0..of.rows).map(|r| cat([freed[r], lost(r)])).collect();
    let first = m.first_set_with("ending", of.index, &over, &marks);
    m.output("is_freed", first.mark.bit(1));
    let row = m.output("row", first.number);
    let read = |name: &str, width: usize| m.select(&format!("{name}_read"), row, &each(name, width));
    m.output("is_lost", first.mark.bit(0));
    // The root's node and the game look from the same side.
    let negate = read("negate", 1);
    m.output("keep", if of.root { !negate } else { negate });
    let [lower, exact, upper] =
        [BoundCode::Lower, BoundCode::Exact, BoundCode::Upper].map(|code| m.constant(2, code as usize));
    let cut = m.select("cut_read", row, &cut);
    m.output("bound", cut.mux(lower, read("raised", 1).mux(exact, upper)));
}

/// Contexts that are over, of a bit per context `active`, `cut`, `idle`.
fn over(m: &Module, rows: usize) -> Sig<'_> {
    let [active, cut, idle] = ["active", "cut", "idle"].map(|name| m.input(name, rows));
    m.wire("over", active & (cut | idle))
}

/// Whether a context is over, of a bit per context `active`, `cut`, `idle`: out `any`. No clock.
fn any_over(rows: usize) -> Circuit {
    let m = Module::combinational(
        &format!("any_over_{rows}"),
        "Whether a context of a level is over.\nCombinational.",
    );
    m.output("any", over(&m, rows).any());
    m.circuit()
}

/// The first context that is over, of a bit per context `active`, `cut`, `idle` and, below the root, a word `parent`: out a bit per
/// context `at`, and of its parent the number `first_parent` and a bit per context above, `parent_at`. No clock.
fn first_over(of: &Level) -> Circuit {
    let m = Module::combinational(
        &of.kind().replacen("level_controller", "first_over", 1),
        "The first context of a level that is over, and its parent.\nCombinational.",
    );
    let over = over(&m, of.rows).each_bit();
    m.output("at", bundle(&m.first_alone("over_at", &over)));
    if !of.root {
        let width = of.above_bits;
        let parents = m.input("parent", of.rows * width).each_word(width);
        m.comment("The parent comes along a tree, and waits for no number.");
        let first = m.first_set_with("first", of.index, &over, &parents);
        m.output("parent_at", one_hot(first.mark, of.above));
        if !of.second {
            m.output("first_parent", first.mark);
        }
    }
    m.circuit()
}

/// Whether a value is a loss. Wins less their plies are the values whose upper bits are all set: a loss has its sign and then zeros.
pub(super) fn is_loss<'m>(of: &Level, value: Sig<'m>) -> Sig<'m> {
    value.sign() & !value.bits(loss_bits(of)..of.layout.value_bits - 1).any()
}

/// The same of a value that comes as itself or, with `keep` low, as its complement, which is one less: no sum is waited for.
pub(super) fn comes_as_loss<'m>(of: &Level, turned: Sig<'m>, keep: Sig<'m>) -> Sig<'m> {
    let one_more = !keep & turned.bits(0..loss_bits(of)).all();
    is_loss(of, turned) & !one_more
}

/// Whether the complement of a value is one: what a bound is from the other side.
pub(super) fn turns_to_loss<'m>(of: &Level, value: Sig<'m>) -> Sig<'m> {
    !value.sign() & value.bits(loss_bits(of)..of.layout.value_bits - 1).all()
}

/// Whether a value in half-points that is known now is one.
pub(super) fn is_loss_now(of: &Level, value: i32) -> bool {
    let bits = of.layout.value_bits;
    let word = value as u32 & (u32::MAX >> (u32::BITS - bits as u32));
    word >> loss_bits(of) == 1 << (bits - 1 - loss_bits(of))
}

/// Low bits that losses differ in.
fn loss_bits(of: &Level) -> usize {
    let scoring = &of.layout.scoring;
    (scoring.win_score - scoring.unproved).ilog2() as usize
}

/// The least value that is no proved loss: where what was searched is lost and another move may save the node.
fn least_unproved<'m>(m: &'m Module, of: &Level) -> Sig<'m> {
    let (bits, scoring) = (of.layout.value_bits, &of.layout.scoring);
    m.constant(bits, (1usize << bits) - scoring.unproved as usize)
}

/// Whether a context is freed.
#[derive(Clone, Copy)]
pub(super) enum Frees<'m> {
    Known(Sig<'m>),
    /// Below the root, where paths are shortened: if it is the one that returns, `at`, which is known late; and if not.
    Late {
        at: Sig<'m>,
        if_at: Sig<'m>,
        anyway: Sig<'m>,
    },
}

/// A context's return.
pub(super) struct Return<'m> {
    pub returns: Sig<'m>,
    pub ending: Sig<'m>,
    /// What is freed in this clock.
    pub frees: Vec<Frees<'m>>,
    pub done: Sig<'m>,
    pub done_new: Sig<'m>,
    pub done_row: Sig<'m>,
    pub done_value: Sig<'m>,
    pub done_turned: Option<Sig<'m>>,
    pub done_keep: Sig<'m>,
    pub done_bound: Sig<'m>,
    pub done_order: Option<Sig<'m>>,
    pub done_parent: Option<Sig<'m>>,
    pub done_parent_at: Option<Sig<'m>>,
}

/// One context returns a clock; its return stays until it is taken, or its parent is killed.
pub(super) fn returns<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    ready: &[Ready<'m>],
    best_order: Option<Sig<'m>>,
    input: &LevelInputs<Sig<'m>>,
) -> Return<'m> {
    m.comment("One context returns a clock.");
    let choice = m.child("returning", return_choice(of));
    let drive = |name: &str, register: &dyn Fn(&Row<Sig<'m>>) -> Sig<'m>| {
        choice.drive(name, bundle(&contexts.all(register)));
    };
    drive("active", &|row| row.active);
    drive("cut", &|row| row.cut);
    drive("lost", &|row| row.lost);
    drive("negate", &|row| row.negate);
    drive("raised", &|row| row.raised);
    drive("unproved", &|row| row.unproved);
    // Once for what is kept of the return and once for what is freed: one answer would have many to tell.
    let [any, frees_any] = ["whether_over", "whether_frees"].map(|name| m.child(name, any_over(of.rows)));
    let first = m.child("which_over", first_over(of));
    for child in [any, frees_any, first] {
        child.drive("active", bundle(&contexts.all(|row| row.active)));
        child.drive("cut", bundle(&contexts.all(|row| row.cut)));
    }
    if !of.root {
        first.drive("parent", bundle(&contexts.all(|row| row.parent)));
    }
    for child in [choice, any, frees_any, first] {
        child.drive("idle", bundle(ready.iter().map(|ready| ready.idle)));
    }
    choice.drive("freed", bundle(&contexts.parent_freed));
    let (done, done_new) = (m.control("done", 1, 0), m.control("done_new", 1, 0));
    let may = m.wire("may_return", (!done | input.done_ready) & !input.clear);
    let returns = m.wire("returns", any.get("any") & may);
    let at = first.get("at");
    let returned = m.wire("frees_returned", frees_any.get("any") & may);
    let freed = |r: usize| match of.layout.shortens_paths() && !of.root {
        true => {
            let anyway = contexts.parent_freed[r] | input.clear;
            Frees::Late { at: at.bit(r), if_at: returned | anyway, anyway }
        }
        false => {
            let freed = (returned & at.bit(r)) | contexts.parent_freed[r] | input.clear;
            Frees::Known(m.wire(&format!("frees_{r}"), freed))
        }
    };
    let frees = (0..of.rows).map(freed).collect();
    let kept = |name: &str, value: Sig<'m>| {
        let register = m.register(name, value.width);
        m.at_edge([when(returns, [register.set(value)])]);
        register
    };
    let done_parent_at = (!of.root).then(|| kept("done_parent_at", first.get("parent_at")));
    let done_parent = (!of.root && !of.second).then(|| kept("done_parent", first.get("first_parent")));
    let alive = done_parent_at.map_or(m.bit(true), |parent_at| !(parent_at & input.killed).any());
    let ending_alive = !choice.get("is_freed");
    m.at_edge([when(input.clear, [done.set(false), done_new.set(false)]).otherwise([
        done_new.set(returns & ending_alive),
        when(returns, [done.set(ending_alive)]).else_when(input.done_ready | !alive, [done.set(false)]),
    ])]);
    let row = choice.get("row");
    let alpha = contexts.alpha.read(m, "ending_alpha", row);
    let value = m.wire("ending_value", choice.get("is_lost").mux(least_unproved(m, of), alpha));
    let order = contexts.order.as_ref().map(|order| order.read(m, "ending_order", row)).or(best_order);
    let keeps = choice.get("keep");
    let done_row = kept("done_row", row);
    // The root, which compares it with more than others, may find it turned in a register.
    let (done_value, done_turned) = match of.returns_turned() {
        true => (value, Some(kept("done_turned", keeps.mux(value, !value)))),
        false => (kept("done_value", value), None),
    };
    let done_keep = kept("done_keep", keeps);
    let done_value = done_turned.map_or(done_value, |turned| done_keep.mux(turned, !turned));
    Return {
        returns,
        ending: row,
        frees,
        done,
        done_new,
        done_row,
        done_value,
        done_turned,
        done_keep,
        done_bound: kept("done_bound", choice.get("bound")),
        done_order: order.map(|order| kept("done_order", order)),
        done_parent,
        done_parent_at,
    }
}
