// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock before a result: whose it is and, where the levels are told at once, what it means to them.

use super::core::Core;
use super::transpositions::{Transposed, transposed};
use crate::circuits::level::words::Level;
use crate::layout::{Layout, OUTCOME_BITS, PassKind};
use engine_model::Outcome;
use kit::{Sig, any_of, one_hot};

/// What is known in the clock before the result, in registers.
pub(super) struct Before<'m> {
    pub searched: Sig<'m>,
    pub extendable: Sig<'m>,
    pub claims: Vec<Sig<'m>>,
    pub at: Vec<Sig<'m>>,
    pub hit: Vec<Sig<'m>>,
    pub row: Vec<Sig<'m>>,
    pub child: Vec<Option<Sig<'m>>>,
    pub of_game: Sig<'m>,
    pub leaf_children: Vec<Sig<'m>>,
    pub floored: Vec<Sig<'m>>,
    /// With a transposition table: what is known of its stones ends it.
    pub transposed: Option<Sig<'m>>,
    pub child_valid: Sig<'m>,
    pub early: Option<Early<'m>>,
}

/// The clock before the result.
pub(super) fn arrivals<'m>(core: &Core<'m, '_>, evaluator_latency: usize) -> Before<'m> {
    let (m, layout, levels) = (core.m, core.layout, core.depth());
    let (next, comes, game) = (core.result.next, core.result.next_valid, core.game);
    m.comment("A clock before the result: whose it is.");
    let level = m.wire("next_level", next.level);
    let context = next.context;
    let child = (levels > 1).then_some(next.child);
    let generation = m.wire("next_generation", next.generation);
    // What its tag says of a node is known before its outcome is.
    let is_node = next.kind.is(PassKind::Node as u64);
    let goes_deeper = is_node & !next.depth_zero;
    let searched = m.delayed("searched", goes_deeper);
    let extendable = m.delayed("extendable", next.extensions.is_not(0));
    m.comment("What is left of a search that has decided is dropped at once.");
    let child_valid = m.declare("child_valid", 1);
    let goes_on = m.wire("goes_on", game.searching & !child_valid & !game.stop_levels & !core.stop);
    let [mut claims, mut at, mut hit, mut rows] = [const { Vec::new() }; 4];
    let (mut children, mut of_game) = (Vec::new(), None);
    let known = transposed(core, evaluator_latency);
    let (soon, mut hits, mut told_levels) = (soon(core, known), Vec::new(), Vec::new());
    for number in 0..=levels {
        let here = level.is(number);
        // Where levels are told at once only what goes straight back asks, and of a leaf, which comes to the last level, nothing does.
        let asked = soon.is_none() || (layout.goes_back_at_once() && number < levels);
        at.push(if asked { m.delayed(&format!("at_{number}"), here) } else { m.bit(false) });
        if number + 1 < levels {
            // A node that starts at the next level asks for its first child's context one below; so does one there whose survivors come.
            let claiming = match layout.survivor_level() {
                None => comes & here & goes_deeper,
                Some(surviving) if surviving == number + 1 => {
                    let survives = level.is(surviving) & next.kind.is(PassKind::Surviving as u64);
                    comes & ((here & goes_deeper) | survives)
                }
                // The brackets keep the text of cores that have been measured.
                Some(_) => comes & (here & goes_deeper),
            };
            claims.push(m.delayed(&format!("claims_{}", number + 1), claiming));
        }
        if number == 0 {
            let mine = comes & here & generation.is(game.generation);
            of_game = Some(m.cleared("of_game", mine & game.awaiting));
            hit.push(m.cleared("hit_0", mine & goes_on));
            hits.push(mine);
            continue;
        }
        let outputs = core.level(number);
        let row = core.row_of(number, context, &format!("next_in_{number}"));
        core.tell(number, |to| to.generation_row = Some(row));
        if layout.reads_parents_early(number) {
            core.tell(number, |to| to.soon_row = Some(soon_row(core, number)));
        }
        rows.push(m.delayed(&format!("row_{number}"), row));
        children.push(child.filter(|_| number > 1).map(|child| {
            let row = core.row_of(number, child, &format!("next_child_in_{number}"));
            m.delayed(&format!("child_{number}"), row)
        }));
        // What returns is known late.
        let mine = comes & here & generation.is(outputs.generation);
        let stays = mine & outputs.generation_stays;
        if let Some(soon) = soon {
            let stays = m.wire(&format!("stays_{number}"), stays);
            told_levels.push(Told::new(core, soon, number, stays, row));
            hits.push(stays);
        }
        let hitting = m.cleared(&format!("hitting_{number}"), stays & goes_on);
        let left = m.delayed(&format!("left_{number}"), outputs.generation_leaves);
        hit.push(m.wire(&format!("hit_{number}"), hitting & !left));
    }
    let deepest = |level: usize| m.delayed(&format!("deepest_is_{level}"), game.levels_now.is(level));
    let leaf_children: Vec<Sig> = (1..=levels).map(deepest).collect();
    let floored = (2..=levels)
        .filter(|&level| Level::new(layout, level).floors())
        .map(|level| floor(core, level, leaf_children[level]))
        .collect();
    let of_game = of_game.expect("the game is level 0");
    let early = soon.map(|soon| Early::new(core, soon, hits, told_levels));
    Before {
        searched,
        extendable,
        claims,
        at,
        hit,
        row: rows,
        child: children,
        of_game,
        leaf_children,
        floored,
        transposed: known.map(|known| m.delayed("transposed", known.ends)),
        child_valid,
        early,
    }
}

/// Context in a level of the result that comes in two clocks.
fn soon_row<'m>(core: &Core<'m, '_>, level: usize) -> Sig<'m> {
    let soon = core.layout.tag.unpack(core.evaluate.get("soon_tag")).context;
    core.row_of(level, soon, &format!("soon_in_{level}"))
}

/// The clock before the result: whether its node is left by its floor, as its parent's window is now. A window is at
/// worst wider than it will be.
fn floor<'m>(core: &Core<'m, '_>, level: usize, deepest_below: Sig<'m>) -> Sig<'m> {
    let (m, layout) = (core.m, core.layout);
    m.comment(&format!("Level {level}: children that their floor ends."));
    // Of one context there is nothing to choose.
    let row = (layout.contexts_at(level) > 1)
        .then(|| m.delayed(&format!("floor_row_{level}"), soon_row(core, level)));
    core.tell(level, |to| {
        to.floor_row = row;
        to.floor_turned = Some(!core.evaluate.get("next_floor"));
    });
    // A node after a forced reply that cost no level may look from its parent's side.
    let next = core.result.next;
    let holds = core.evaluate.get("next_floor_holds");
    let meant = deepest_below & next.level.is(level) & !next.negate & holds;
    m.delayed(&format!("floored_{level}"), meant & !core.level(level).floor_above)
}

/// What the result that comes in a clock is, unless its generation has passed by then.
#[derive(Clone, Copy)]
pub(super) struct Soon<'m> {
    /// A forced reply goes straight back, to the same context.
    pub again: Sig<'m>,
    /// A node is searched further.
    pub further: Sig<'m>,
    /// It ends.
    ends: Sig<'m>,
    /// A pass for order comes back.
    in_order: Sig<'m>,
    /// Where it goes straight back at once: the pass has found a cell, and which.
    pub found: Sig<'m>,
    pub cell: Sig<'m>,
    /// What a node that ends leaves: its value or the complement.
    pub turned: Sig<'m>,
}

/// Whether a pass is for moves in order.
pub(super) fn in_order<'m>(layout: &Layout, kind: Sig<'m>) -> Sig<'m> {
    let is = |pass: PassKind| kind.is(pass as u64);
    let orders = is(PassKind::Order) | is(PassKind::OrderFours);
    match layout.answered_level() {
        Some(_) => orders | is(PassKind::OrderSurviving) | is(PassKind::Surviving),
        None => orders,
    }
}

/// Of every result, if the levels are told at once.
fn soon<'m>(core: &Core<'m, '_>, known: Option<Transposed<'m>>) -> Option<Soon<'m>> {
    let (m, layout, next) = (core.m, core.layout, core.result.next);
    if !layout.tells_at_once() {
        return None;
    }
    let evaluated = |name: &str| core.evaluate.get(&format!("next_{name}"));
    let code = evaluated("outcome");
    let outcome = |outcome: Outcome| code.is(m.constant(OUTCOME_BITS, outcome as usize));
    let kind = |kind: PassKind| next.kind.is(kind as u64);
    let (node, extendable) = (kind(PassKind::Node), next.extensions.is_not(0));
    let forced = m.wire("next_forced", outcome(Outcome::Forced));
    let again = m.wire("next_again", node & forced & extendable);
    let open = outcome(Outcome::Open) | (forced & !extendable);
    let further = node & !next.depth_zero & open;
    let further = m.wire("next_further", known.map_or(further, |known| further & !known.ends));
    let back = |name: &str| if layout.goes_back_at_once() { evaluated(name) } else { m.bit(false) };
    let value = evaluated("value");
    let turned = next.negate.mux(value, !value);
    Some(Soon {
        again,
        further,
        ends: m.wire("next_ends", node & !again & !further),
        in_order: in_order(layout, next.kind),
        found: back("found"),
        cell: back("cell"),
        turned: known.map_or(turned, |known| known.ends.mux(known.turned, turned)),
    })
}

/// What was known in the clock before the result, where levels are told at once.
pub(super) struct Early<'m> {
    pub soon: Soon<'m>,
    /// A context, or the game, waits for it; known where it goes straight back at once.
    pub hits: Sig<'m>,
    /// What it means to the level N, from 1.
    pub told: Vec<Told<'m>>,
    /// And to the game: its search has a value.
    pub to_the_game: Sig<'m>,
}

impl<'m> Early<'m> {
    /// With what it means to the levels, if the result hits the game or a context of a level, from 0.
    pub fn new(core: &Core<'m, '_>, soon: Soon<'m>, hits: Vec<Sig<'m>>, told: Vec<Told<'m>>) -> Early<'m> {
        let m = core.m;
        // The game's own passes are no search's.
        let of_search = hits[0] & !core.game.awaiting & !core.stop;
        let to_the_game = m.cleared("ended_at_0", of_search & soon.ends);
        let hits = any_of(hits);
        let hits = if core.layout.goes_back_at_once() { m.wire("hits", hits) } else { hits };
        Early { soon, hits, told, to_the_game }
    }
}

/// What a result means to the level whose context asked for it, and to the one below, in registers: there with the result.
///
/// A context that has been left in the clock before takes no notice, nor does one below it; and a search that has decided has every
/// context cleared in the clock of the result.
#[derive(Clone, Copy)]
pub(super) struct Told<'m> {
    /// A child's value has come, for this context, a bit each.
    pub ended: Sig<'m>,
    pub ended_at: Sig<'m>,
    /// A pass for order has.
    pub ordered: Sig<'m>,
    /// In the level below a context starts, or is given back.
    pub below: Option<Below<'m>>,
}

/// What a result means to the level below.
#[derive(Clone, Copy)]
pub(super) struct Below<'m> {
    pub starts: Sig<'m>,
    /// Where paths are shortened: none does. What waits for that alone has few to tell.
    pub starts_none: Option<Sig<'m>>,
    pub gives_back: Sig<'m>,
}

impl<'m> Told<'m> {
    /// To the level with a number, from 1, if the result `hits` its context `row`.
    pub fn new(core: &Core<'m, '_>, soon: Soon<'m>, number: usize, hits: Sig<'m>, row: Sig<'m>) -> Told<'m> {
        let (m, stop) = (core.m, core.stop);
        let told = |name: &str, level: usize, value: Sig<'m>| m.cleared(&format!("{name}_{level}"), value);
        let starts = hits & soon.further & !stop;
        let below = |level: usize| Below {
            starts: told("start_at", level, starts),
            // Below the last level nobody waits.
            starts_none: (core.layout.shortens_paths() && level < core.depth()).then(|| {
                let none = m.control(&format!("no_start_at_{level}"), 1, 1);
                m.at_edge([none.set(!starts)]);
                none
            }),
            gives_back: told("gives_back", level, hits & soon.ends & !core.result.next.depth_zero),
        };
        let rows = core.layout.contexts_at(number);
        Told {
            ended: told("ended_at", number, hits & soon.ends),
            ended_at: m.delayed(&format!("ended_context_{number}"), one_hot(row, rows)),
            ordered: told("ordered_at", number, hits & soon.in_order),
            below: (number < core.depth()).then(|| below(number + 1)),
        }
    }
}

/// What a result says, as the levels hear of it: with it, or a clock later.
pub(super) fn told<'m>(core: &Core<'m, '_>, name: &str, value: Sig<'m>) -> Sig<'m> {
    match core.layout.tells_at_once() {
        true => core.m.wire(name, value),
        false => core.m.delayed(name, value),
    }
}
