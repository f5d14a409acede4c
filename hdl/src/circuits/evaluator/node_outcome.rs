// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first static rule that fits, the leaf value, and the value of a node that ends here.

use crate::circuits::search::node_tag::rank_to_cell;
use crate::layout::{Evaluated, Layout, OUTCOME_BITS};
use engine_model::evaluation::REPLY_GRAIN;
use engine_model::{Outcome, RuleSet};
use kit::{Circuit, Module, Sig, cat};

kit::record! {
    /// What a node's outcome follows from.
    pub struct Known {
        /// The mover has a completing cell.
        own_wins,
        /// The opponent has exactly one.
        other_wins_once,
        /// The opponent has two or more.
        other_wins_twice,
        /// The mover has a double cell.
        own_has_double,
        /// The opponent holds a line.
        line,
        /// No cell is empty.
        full,
        /// One is.
        one_empty,
        /// The mover has a four-three cell.
        four_three,
        /// The pass found a cell.
        found,
        /// Its rank.
        rank,
        /// Its group.
        cell_group,
        /// Its gain.
        gain,
        /// It makes a four.
        makes_four,
        /// The set holds others.
        more,
        /// Moves from the root.
        length,
        /// Sum of window scores, seen by the mover.
        node_potential,
        /// The opponent has a double cell.
        other_has_double,
        /// A level is left.
        goes_deeper,
        /// An extension is left.
        extendable,
        /// The opponent's largest gain without its lowest bits.
        reply,
        /// The opponent has a four-three cell.
        other_four_three,
    }
}

/// Widths of what a node's outcome follows from.
pub fn known(layout: &Layout) -> Known<usize> {
    let (floor, bonus) = (usize::from(layout.config.has_floor()), usize::from(layout.has_bonus()));
    Known {
        four_three: bonus,
        rank: layout.cell_bits,
        cell_group: layout.group_bits,
        gain: layout.gain_bits,
        length: layout.length_bits,
        node_potential: layout.potential_bits,
        other_has_double: usize::from(
            layout.config.has_floor() || layout.config.rules >= RuleSet::Restricted,
        ),
        goes_deeper: floor,
        extendable: floor,
        reply: if layout.compares_replies() { layout.reply_bits() } else { 0 },
        other_four_three: floor * bonus,
        ..Known::uniform(1)
    }
}

/// What is said of a result in the clock before it, where levels are told at once; its cell where it goes straight back at once.
pub(super) fn next(layout: &Layout) -> Vec<&'static str> {
    match layout.goes_back_at_once() {
        true => vec!["next_outcome", "next_found", "next_cell", "next_value"],
        false => vec!["next_outcome", "next_value"],
    }
}

/// Decides a node from the facts of its position and the picked cell: an open node with a floor has that for its value. Out `result`,
/// an [`Evaluated`]; and, where levels are told at once, what of it is wanted without a clock. Latency 1, initiation interval 1, no reset.
pub fn node_outcome(layout: &Layout) -> Circuit {
    let module = Module::new(
        "node_outcome",
        "Rule outcome, leaf value and the value of a node that is not searched further.\n\
         Latency 1, initiation interval 1, no reset (data only).",
        false,
    );
    let m = &module;
    let known = known(layout).inputs_at(0, m);
    let (rules, bits) = (layout.config.rules, layout.value_bits);
    let code = |outcome: Outcome| m.constant(OUTCOME_BITS, outcome as usize);
    let mut choice = code(Outcome::Open);
    if rules >= RuleSet::Double {
        choice = known.own_has_double.mux(code(Outcome::Double), choice);
    }
    if rules >= RuleSet::Forced {
        choice = known.other_wins_once.mux(code(Outcome::Forced), choice);
        choice = known.other_wins_twice.mux(code(Outcome::Loss), choice);
    }
    choice = known.own_wins.mux(code(Outcome::Win), choice);
    choice = known.line.mux(code(Outcome::Lost), known.full.mux(code(Outcome::Full), choice));
    let outcome = m.wire("outcome", choice);
    m.comment("Half-points: twice the potential, plus the best gain, plus the four-three bonus.");
    let mut leaf = known.node_potential.sign_extend(bits - 1).doubled();
    if layout.scoring.half_gain {
        leaf = leaf + known.gain.zero_extend(bits);
    }
    if layout.has_bonus() {
        let no_threat = m.wire("no_threat", !(known.other_wins_once | known.other_wins_twice));
        let bonus = m.constant(bits, layout.scoring.four_three_bonus as usize);
        leaf = leaf + (known.four_three & no_threat).mux(bonus, 0);
    }
    let leaf = m.wire("leaf_value", leaf);
    m.comment(
        "A win p+1 or p+3 moves from the root, a loss after p+2: sooner wins and later losses are better.",
    );
    let ply = m.wire("ply", known.length.zero_extend(bits));
    let win = |plies: i32| m.constant(bits, (layout.scoring.win_score - plies) as usize) - ply;
    let is = |other: Outcome| outcome.is(code(other));
    let value = is(Outcome::Loss).mux(win(2).negated(), is(Outcome::Double).mux(win(3), leaf));
    let value = is(Outcome::Full).mux(0, is(Outcome::Win).mux(win(1), value));
    let value = m.wire("value", value);
    let cell = rank_to_cell(m, layout, known.rank);
    m.comment("Rule 6: whether the moves hold all that may save the node.");
    let covered = match rules {
        RuleSet::None => known.other_wins_once | known.other_wins_twice,
        RuleSet::Forced | RuleSet::Double => m.bit(false),
        RuleSet::Restricted => known.other_has_double,
    };
    let unproved = m.wire("unproved", is(Outcome::Open) & !covered);
    let floor = layout.config.has_floor().then(|| floor(m, layout, known, outcome));
    let result = Evaluated {
        outcome,
        found: known.found,
        cell,
        rank: known.rank,
        group: known.cell_group,
        gain: known.gain,
        makes_four: known.makes_four,
        more: known.more,
        one_empty: known.one_empty,
        unproved,
        leaf_value: leaf,
        value: floor.map_or(value, |(holds, floor)| holds.mux(floor, value)),
        floor_holds: floor.map_or(m.zero(0), |(holds, _)| holds),
    };
    if layout.tells_at_once() {
        for name in next(layout) {
            let said = match name {
                "next_outcome" => result.outcome,
                "next_found" => result.found,
                "next_cell" => result.cell,
                _ => result.value,
            };
            m.output(name, said);
        }
    }
    m.output("result", m.delayed("result", result.pack()));
    module.circuit()
}

/// What the first move is worth at least, by [`engine_model::evaluation::floor`]: whether it is known, and how much.
fn floor<'m>(m: &'m Module, layout: &Layout, known: Known<Sig<'m>>, outcome: Sig<'m>) -> (Sig<'m>, Sig<'m>) {
    let (bits, scoring) = (layout.value_bits, &layout.scoring);
    m.comment("What the first move is worth at least: one bit more than a value has.");
    let wide = bits + 1;
    let gain = |width: usize| known.gain.zero_extend(width);
    let more = layout.gain_bits + 1;
    // On a narrow board it may be more than any gain.
    let growth = (scoring.quiet_growth as usize).min((1 << more) - 1);
    let mut cost = vec![];
    let gained = if scoring.half_gain {
        let ones = m.constant(REPLY_GRAIN, (1usize << REPLY_GRAIN) - 1);
        cost.push(cat([known.reply, ones]).zero_extend(wide));
        // A quiet move gains twice its gain less the growth, where that is more than once.
        let larger = m.wire("outgrows", gain(more).more(growth));
        let beyond = m.wire("beyond", gain(more) - growth);
        let extra = m.wire("extra", (larger & !known.makes_four).times(more) & beyond);
        gain(wide) + extra.zero_extend(wide)
    } else {
        gain(bits).doubled()
    };
    if layout.has_bonus() {
        let bonus = m.constant(wide, scoring.four_three_bonus as usize);
        cost.push((known.other_four_three & !known.makes_four).mux(bonus, 0));
    }
    let gained = m.wire("gained", gained);
    let cost = match cost.into_iter().reduce(|a, b| a + b) {
        Some(cost) => m.wire("cost", cost),
        None => m.zero(wide),
    };
    let potential = known.node_potential.sign_extend(bits).doubled();
    let floor = m.wire("floor_value", potential + (gained - cost));
    let answered = known.makes_four.mux(known.extendable, known.other_has_double);
    let open = outcome.is(m.constant(OUTCOME_BITS, Outcome::Open as usize));
    let whole = known.found & known.goes_deeper & !known.one_empty & open & !answered;
    let fits = floor.bit(bits).is(floor.bit(bits - 1));
    (m.wire("floor_holds", whole & fits), floor.bits(0..bits))
}
