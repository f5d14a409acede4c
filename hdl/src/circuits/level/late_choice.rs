// SPDX-License-Identifier: MIT OR Apache-2.0
//! What has to be ready before a signal that is known late: both words of a choice, a number's bits.

use kit::{Circuit, Module, Sig, one_hot};

/// One of two words, `if_set` and `if_clear`, by `late`; out `word`. A module of its own, so that a synthesizer that optimizes module
/// by module computes both words first and leaves the late signal one table. No clock.
pub fn late_choice(width: usize) -> Circuit {
    let m = Module::combinational(
        &format!("late_choice_{width}"),
        "One of two words, by a signal that is known late.\nCombinational.",
    );
    let late = m.input("late", 1);
    let [if_set, if_clear] = ["if_set", "if_clear"].map(|name| m.input(name, width));
    m.output("word", late.mux(if_set, if_clear));
    m.circuit()
}

/// Such a choice as a child of this name.
pub(crate) fn choose_late<'m>(
    m: &'m Module,
    name: &str,
    late: Sig<'m>,
    if_set: Sig<'m>,
    if_clear: Sig<'m>,
) -> Sig<'m> {
    let choice = m.child(name, late_choice(if_set.width));
    choice.drive("late", late);
    choice.drive("if_set", if_set);
    choice.drive("if_clear", if_clear);
    choice.get("word")
}

/// The bit of a `number`, of `count`: out `at`. A module of its own for the same reason. No clock.
fn number_bits(width: usize, count: usize) -> Circuit {
    let m = Module::combinational(
        &format!("number_bits_{count}"),
        "A bit for each number, the first lowest.\nCombinational.",
    );
    let number = m.input("number", width);
    m.output("at", one_hot(number, count));
    m.circuit()
}

/// A number's bit as a child of this name.
pub(super) fn bit_of_number<'m>(m: &'m Module, name: &str, number: Sig<'m>, count: usize) -> Sig<'m> {
    let bits = m.child(name, number_bits(number.width, count));
    bits.drive("number", number);
    bits.get("at")
}
