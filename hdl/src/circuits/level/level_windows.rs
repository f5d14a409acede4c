// SPDX-License-Identifier: MIT OR Apache-2.0
//! The windows of a level's contexts: children's values against them, and how they follow the ancestors'.

use super::contexts::{Contexts, Events, Words};
use super::late_choice::choose_late;
use super::level_return::{comes_as_loss, is_loss, is_loss_now, turns_to_loss};
use super::ports::LevelInputs;
use super::value_above::value_above;
use super::window_follow::window_follow;
use super::words::Level;
use crate::layout::Layout;
use kit::{Circuit, Instance, Module, Sig, bundle, cat, one_hot, when};

/// Order of two root moves given as {gain, rank}: whether `a` precedes `b`.
fn earlier<'m>(layout: &Layout, a: Sig<'m>, b: Sig<'m>) -> Sig<'m> {
    let key =
        |order: Sig<'m>| cat([order.bits(layout.cell_bits..order.width), !order.bits(0..layout.cell_bits)]);
    key(a).more(key(b))
}

/// The limit of a window without an upper end.
fn unlimited<'m>(m: &'m Module, of: &Level) -> Sig<'m> {
    m.constant(of.layout.value_bits, of.layout.scoring.win_score as usize - 2)
}

/// What a clock makes of windows.
pub(super) struct Windows<'m> {
    /// The child's value raises alpha.
    pub better: Sig<'m>,
    /// It reaches the limit.
    pub reaches: Sig<'m>,
    pub new_alpha: Sig<'m>,
    /// It is a loss.
    pub new_alpha_lost: Sig<'m>,
    pub new_limit: Sig<'m>,
    /// A window that starts has no upper end.
    pub starts_unlimited: Sig<'m>,
    pub now_alpha: Sig<'m>,
    pub now_closed: Sig<'m>,
    /// With floors: a child may still be worth more than alpha.
    pub floor_above: Option<Sig<'m>>,
    /// With a transposition table: what is known of a child is more than alpha, than the limit.
    pub known_exceeds: Option<[Sig<'m>; 2]>,
    /// Whose alpha is written, by context.
    pub written: Vec<Sig<'m>>,
    /// Whose is in any case.
    pub anyway: Vec<Sig<'m>>,
    /// One's is.
    pub writes: Sig<'m>,
    pub written_row: Sig<'m>,
    /// A limit is written.
    pub narrows: Sig<'m>,
    pub narrowed_row: Sig<'m>,
    /// Below the root: how windows follow the level above.
    pub following: Option<Following<'m>>,
    /// At the root: the place of the best move so far.
    pub best_order: Option<Sig<'m>>,
    /// What children see.
    pub for_children: Option<ForChildren<'m>>,
}

/// How windows follow the level above.
pub(super) struct Following<'m> {
    /// The context that is brought up to date takes the limit of the window above.
    pub lowers: Vec<Sig<'m>>,
    /// A raised alpha is above the new limit.
    pub cuts: Sig<'m>,
    /// Context whose place and parent have been read.
    pub turn_row: Sig<'m>,
    pub visit_parent: Sig<'m>,
    pub visit_order: Option<Sig<'m>>,
}

/// A window as children see it.
#[derive(Clone, Copy)]
pub(super) struct Window<'m> {
    pub alpha: Sig<'m>,
    pub limit: Sig<'m>,
}

/// What children see of a context.
pub(super) struct ForChildren<'m> {
    /// Of that which a visit below asks for.
    pub visit: Window<'m>,
    /// Of that which a start below does.
    pub start: Window<'m>,
    /// Whether its alpha is a loss, and above it whether its limit is one from the other side.
    pub start_losses: Sig<'m>,
    pub changed: Sig<'m>,
    pub changed_row: Sig<'m>,
}

/// A value: of the context with a number, with its complement's mark.
#[derive(Clone, Copy)]
struct Value<'m> {
    row: Sig<'m>,
    turned: Sig<'m>,
    keep: Sig<'m>,
}

/// A child's value, and whether that is a loss.
#[derive(Clone, Copy)]
struct Child<'m> {
    value: Sig<'m>,
    lost: Sig<'m>,
}

/// A comparison of a value with a bound, which is read of the context with a number; with a pair, of the second of both unless the first of
/// the pair is set.
fn compared<'m>(
    m: &'m Module,
    of: &Level,
    name: &str,
    value: Value<'m>,
    below: Option<(Sig<'m>, Value<'m>)>,
    bounds: &dyn Fn(&str, Sig<'m>) -> Sig<'m>,
    writes: Option<usize>,
) -> Instance<'m> {
    let above = m.child(name, value_above(of.layout, below.is_some(), writes));
    let drive = |prefix: &str, value: Value<'m>| {
        above.drive(&format!("{prefix}bound"), bounds(&format!("{prefix}{name}"), value.row));
        above.drive(&format!("{prefix}turned"), value.turned);
        above.drive(&format!("{prefix}keep"), value.keep);
    };
    drive("", value);
    if let Some((ended, below)) = below {
        above.drive("ended", ended);
        drive("below_", below);
    }
    above
}

/// One window is written a clock: that of the context that starts, else that a child's value raises, else the one that
/// is brought up to date, unless its context was updated since it was read. A change is told to the level below, whose
/// contexts of that parent take their turn.
pub(super) fn windows<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    events: &[Events<'m>],
    input: &LevelInputs<Sig<'m>>,
) -> Windows<'m> {
    let bits = of.layout.value_bits;
    m.comment("A child's value against the window of its parent; -v is ~v + 1.");
    let value = Value { row: input.update_row, turned: input.update_turned, keep: input.update_keep };
    let below = Value { row: input.below_row, turned: input.below_turned, keep: input.below_keep };
    let below = of.updated_by_either().then_some((input.update_ended, below));
    let writes = (!of.root).then_some(of.rows);
    let [alphas, limits] = [&contexts.alpha, &contexts.limit]
        .map(|words: &Words<'m>| move |name: &str, row: Sig<'m>| words.read(m, name, row));
    let above_alpha = compared(m, of, "exceeds_alpha", value, below, &alphas, writes);
    let above_limit = compared(m, of, "exceeds_limit", value, below, &limits, None);
    let floor_above = of.floors().then(|| {
        let floor = Value { row: input.floor_row, turned: input.floor_turned, keep: m.bit(false) };
        compared(m, of, "exceeds_floor", floor, None, &alphas, None).get("exceeded")
    });
    let known_exceeds = of.looks_up.then(|| {
        let known = Value { row: input.known_row, turned: input.known_turned, keep: m.bit(false) };
        let above = compared(m, of, "known_exceeds_alpha", known, None, &alphas, None);
        [above, compared(m, of, "known_exceeds_limit", known, None, &limits, None)]
            .map(|compared| compared.get("exceeded"))
    });
    let keep_low = |low: Sig<'m>| low.zero_extend(bits);
    let is_value = |value: Value<'m>| value.turned + keep_low(!value.keep);
    let child_value = match below {
        Some((ended, below)) => ended.mux(is_value(value), is_value(below)),
        None => is_value(value),
    };
    let child_value = m.wire("child_value", child_value);
    let is_lost = |value: Value<'m>| comes_as_loss(of, value.turned, value.keep);
    let child_lost = match below {
        Some((ended, below)) => ended.mux(is_lost(value), is_lost(below)),
        None => is_lost(value),
    };
    let child = Child { value: child_value, lost: child_lost };
    let reaches = m.wire("reaches", above_limit.get("exceeded"));
    if of.root {
        let root = Root { m, of, contexts, events, input };
        return root.windows(child, reaches, above_alpha.get("exceeded"), (value, below));
    }
    let better = m.wire("better", above_alpha.get("exceeded"));
    let [up_alpha, own_alpha] = ["up_alpha", "own_alpha"].map(|name| m.register(name, bits));
    let [up_limit, own_limit] = ["up_limit", "own_limit"].map(|name| m.register(name, bits));
    let [up_higher, up_lower] = ["up_higher", "up_lower"].map(|name| m.register(name, 1));
    m.comment("Contexts whose parent's window has changed are brought up to date while none is visited.");
    let [scan, found] = ["scan", "found"].map(|name| m.control(name, 1, 0));
    let [scan_row, found_row] = ["scan_row", "found_row"].map(|name| m.register(name, of.index));
    let update_row = match of.updated_by_either() {
        true => m.wire("updated_row", input.update_ended.mux(input.update_row, input.below_row)),
        false => input.update_row,
    };
    let offer_row = contexts.offer.offer_row;
    let turn_row = m.delayed("turn_row", input.take.mux(offer_row, scan_row));
    m.comment("Its parent and its place are read a clock ahead, and stay if it is active.");
    let scanned = contexts.read(m, "scanned", scan_row, |row| row.active);
    let turn = m.cleared("turn", input.take | (scan & scanned));
    let [taken, scanned] = [("offer_row_parent", offer_row), ("scan_row_parent", scan_row)]
        .map(|(name, row)| contexts.read(m, name, row, |row| row.parent));
    let visit_parent = m.delayed("visit_parent", input.take.mux(taken, scanned));
    let visit_order = contexts.order.as_ref().map(|order| {
        let taken = order.read(m, "offer_row_order", offer_row);
        m.delayed("visit_order", input.take.mux(taken, order.read(m, "scan_row_order", scan_row)))
    });
    let seen_at = m.delayed("seen_at", one_hot(turn_row, of.rows) & turn.times(of.rows));
    let seen = m.delayed("seen", turn);
    let behind: Vec<Sig> = (0..of.rows)
        .map(|r| {
            let row = contexts.rows[r];
            let on_its_way = |under_way: Sig<'m>, which: Sig<'m>| !(under_way & which.is(r));
            let waits = row.behind
                & row.active
                & on_its_way(found, found_row)
                & on_its_way(scan, scan_row)
                & on_its_way(turn, turn_row)
                & !seen_at.bit(r);
            // Found a clock before anybody is chosen by it.
            m.cleared(&format!("waits_for_turn_{r}"), waits) & on_its_way(found, found_row)
        })
        .collect();
    let next = m.first_set("next_behind", of.index, &behind);
    let moves_on = !(input.take & scan);
    let finds = moves_on | !found;
    m.at_edge([when(input.clear, [scan.set(false), found.set(false)])
        .otherwise([when(moves_on, [scan.set(found)]), when(finds, [found.set(next.any)])])]);
    if of.layout.shortens_paths() {
        // Whether a visit begins is known late: of a condition a synthesizer makes a reset, which is later.
        let stays = (scan & found).mux(found_row, next.number);
        let next_row = choose_late(m, "next_found_row", input.take, stays, next.number);
        m.at_edge([when(moves_on, [scan_row.set(found_row)]), found_row.set(next_row)]);
    } else {
        m.at_edge([when(moves_on, [scan_row.set(found_row)]), when(finds, [found_row.set(next.number)])]);
    }
    let read = |name: &str, register: &dyn Fn(&super::contexts::Row<Sig<'m>>) -> Sig<'m>| {
        contexts.read(m, &format!("seen_{name}"), turn_row, register)
    };
    let alpha = contexts.alpha.read(m, "seen_alpha", turn_row);
    let limit = contexts.limit.read(m, "seen_limit", turn_row);
    let (active, raised) = (read("active", &|row| row.active), read("raised", &|row| row.raised));
    let negate = match of.layout.shortens_paths() {
        // With the parent: what it chooses is compared at once.
        true => {
            let [taken, scanned] = [("offer_row_negate", offer_row), ("scan_row_negate", scan_row)]
                .map(|(name, row)| contexts.read(m, name, row, |row| row.negate));
            m.delayed("turn_negate", input.take.mux(taken, scanned))
        }
        false => read("negate", &|row| row.negate),
    };
    m.comment("A window in flight is at worst wider than it could be.");
    let from_above = |name: &str, same_side: Sig<'m>, alpha: Sig<'m>, limit: Sig<'m>| {
        let from_alpha = m.wire(&format!("{name}_alpha"), same_side.mux(alpha, !limit));
        (from_alpha, m.wire(&format!("{name}_limit"), same_side.mux(limit, !alpha)))
    };
    let (from_alpha, from_limit) = from_above("from", negate, input.above_alpha, input.above_limit);
    let (starting_alpha, starting_limit) =
        from_above("starting", input.start_negate, input.start_alpha, input.start_limit);
    let seen_active = m.delayed("seen_active", active);
    let seen_raised = m.delayed("seen_raised", raised);
    let since = m.delayed("updated_since", input.update & update_row.is(turn_row));
    let higher = m.wire("from_higher", from_alpha.signed_more(alpha));
    m.at_edge([
        own_alpha.set(alpha),
        own_limit.set(limit),
        up_alpha.set(from_alpha),
        up_limit.set(from_limit),
        up_higher.set(higher),
        up_lower.set(from_limit.signed_less(limit)),
    ]);
    m.comment("Known a clock before a visit looks at it.");
    let now_alpha = m.register("now_alpha", bits);
    m.at_edge([now_alpha.set(higher.mux(from_alpha, alpha))]);
    let now_limit = m.wire("now_limit", up_lower.mux(up_limit, own_limit));
    let cuts = m.wire("cuts", seen_raised & !up_higher & own_alpha.signed_more(up_limit));
    m.comment("Another window is written in this clock, or this one was since it was read.");
    let follow = m.child("follow", window_follow(of));
    follow.drive("seen_at", seen_at);
    follow.drive("seen", seen);
    follow.drive("starts", bundle(events.iter().map(|event| event.starts)));
    follow.drive("start", input.start);
    follow.drive("update", input.update);
    follow.drive("fresh", !since);
    follow.drive("active", seen_active);
    follow.drive("up_higher", up_higher);
    follow.drive("up_lower", up_lower);
    let new_alpha = input.start.mux(starting_alpha, input.update.mux(child.value, up_alpha));
    let [alpha_lost, limit_lost] = [0, 1].map(|bit| input.start_losses.bit(bit));
    let starting_lost = input.start_negate.mux(alpha_lost, limit_lost);
    let new_alpha_lost = input.start.mux(starting_lost, input.update.mux(child.lost, is_loss(of, up_alpha)));
    let new_limit = input.start.mux(starting_limit, up_limit);
    for (r, row) in contexts.rows.iter().enumerate() {
        let told = input.above_changed & row.parent.is(input.above_changed_row);
        let settles = follow.get("settles").bit(r);
        m.at_edge([when(told, [row.behind.set(true)]).else_when(settles, [row.behind.set(false)])]);
    }
    above_alpha.drive("may", bundle(events.iter().map(|event| event.updates)));
    above_alpha.drive("anyway", follow.get("anyway"));
    above_alpha.drive("update", input.update);
    above_alpha.drive("active", contexts.read(m, "updated_active", input.update_row, |row| row.active));
    if of.updated_by_either() {
        let active = contexts.read(m, "below_updated_active", input.below_row, |row| row.active);
        above_alpha.drive("below_active", active);
    }
    above_alpha.drive("anyway_any", follow.get("writes"));
    let seen_row = m.delayed("seen_row", turn_row);
    let narrowed_row = input.start.mux(input.start_row, seen_row);
    let for_children = (!of.last).then(|| {
        let changes = (input.update & better) | follow.get("changes");
        // A start and a visit may ask in the same clock.
        let asked = |who: &str, row: Sig<'m>| Window {
            alpha: contexts.alpha.read(m, &format!("{who}_window_alpha"), row),
            limit: contexts.limit.read(m, &format!("{who}_window_limit"), row),
        };
        let start = asked("start", input.window_start_row);
        ForChildren {
            visit: asked("visit", input.window_row),
            start,
            start_losses: cat([turns_to_loss(of, start.limit), is_loss(of, start.alpha)]),
            changed: m.delayed("changed", changes),
            changed_row: m.delayed("changed_row", input.update.mux(update_row, seen_row)),
        }
    });
    Windows {
        better,
        reaches,
        new_alpha: m.wire("new_alpha", new_alpha),
        new_alpha_lost: m.wire("new_alpha_lost", new_alpha_lost),
        new_limit: m.wire("new_limit", new_limit),
        starts_unlimited: match of.begins_all() {
            true => m.wire("starts_unlimited", starting_limit.is(unlimited(m, of))),
            false => m.zero(0),
        },
        now_alpha,
        now_closed: now_alpha.signed_more(now_limit),
        floor_above,
        known_exceeds,
        written: above_alpha.get("written").each_bit(),
        anyway: follow.get("anyway").each_bit(),
        writes: above_alpha.get("writes"),
        written_row: input.update.mux(update_row, narrowed_row),
        narrows: follow.get("narrows"),
        narrowed_row,
        following: Some(Following {
            lowers: follow.get("lowers").each_bit(),
            cuts,
            turn_row,
            visit_parent,
            visit_order,
        }),
        best_order: None,
        for_children,
    }
}

/// Whether the root's alpha is `written`: `anyway`, or as it `may` be, by a value that has `exceeded` it or one `above_less`, alpha - 1, of a move that
/// `ties` go to. A module of its own, so that a synthesizer that optimizes module by module leaves what is known late one table. No clock.
fn root_written() -> Circuit {
    let m = Module::combinational("root_written", "Whether the root's alpha is written.\nCombinational.");
    let [anyway, may, above, ties, above_less] =
        ["anyway", "may", "exceeded", "ties", "above_less"].map(|name| m.input(name, 1));
    m.output("written", anyway | (may & (above | (ties & above_less))));
    m.circuit()
}

/// The root's window: ties count.
struct Root<'m, 'a> {
    m: &'m Module,
    of: &'a Level<'a>,
    contexts: &'a Contexts<'m>,
    events: &'a [Events<'m>],
    input: &'a LevelInputs<Sig<'m>>,
}

impl<'m> Root<'m, '_> {
    fn windows(
        self,
        child: Child<'m>,
        reaches: Sig<'m>,
        above: Sig<'m>,
        (value, below_value): (Value<'m>, Option<(Sig<'m>, Value<'m>)>),
    ) -> Windows<'m> {
        let Root { m, of, contexts, events, input } = self;
        let bits = of.layout.value_bits;
        let (row, event) = (contexts.rows[0], events[0]);
        m.comment("Place of the best root move so far: ties go to the earlier one. Not below alpha is above alpha - 1.");
        let best_order = m.register("best_order", of.order_bits());
        let alpha_less = m.register("alpha_less", bits);
        let less = compared(m, of, "exceeds_alpha_less", value, below_value, &|_, _| alpha_less, None);
        let before = m.wire("precedes_best", earlier(of.layout, input.update_order, best_order));
        let better = m.wire("better", above | (row.raised & less.get("exceeded") & before));
        let less_one = |value: Value<'m>| value.turned - value.keep.zero_extend(bits);
        let child_less = match below_value {
            Some((ended, below)) => ended.mux(less_one(value), less_one(below)),
            None => less_one(value),
        };
        let child_less = m.wire("child_less", child_less);
        let infinity = of.layout.scoring.win_score as usize - 1;
        let below = unlimited(m, of);
        let least_lost = m.bit(is_loss_now(of, -(infinity as i32)));
        let updates_better = m.wire("updates_better", input.update & row.active & better);
        m.at_edge([when(input.start, [alpha_less.set(!below - 1)])
            .else_when(updates_better, [alpha_less.set(child_less)])]);
        m.at_edge([when(event.updates & better, [best_order.set(input.update_order)])]);
        let now_alpha = m.delayed("now_alpha", alpha_less);
        let anyway = m.wire("anyway_0", event.starts);
        let written = match of.ahead {
            None => anyway | (event.updates & better),
            // With more around it a synthesizer would spread it over three tables.
            Some(_) => {
                let written = m.child("writing", root_written());
                for (port, value) in [
                    ("anyway", anyway),
                    ("may", event.updates),
                    ("exceeded", above),
                    ("ties", row.raised & before),
                    ("above_less", less.get("exceeded")),
                ] {
                    written.drive(port, value);
                }
                written.get("written")
            }
        };
        let written = m.wire("written_0", written);
        Windows {
            better,
            reaches,
            new_alpha: m.wire("new_alpha", input.start.mux(!below, child.value)),
            new_alpha_lost: m.wire("new_alpha_lost", input.start.mux(least_lost, child.lost)),
            new_limit: m.wire("new_limit", below),
            starts_unlimited: m.zero(0),
            // A move the bound leaves no more than a tie may be the earlier one.
            now_alpha,
            now_closed: row.cut,
            floor_above: None,
            known_exceeds: None,
            written: vec![written],
            anyway: vec![anyway],
            writes: written,
            written_row: m.zero(1),
            narrows: event.starts,
            narrowed_row: m.zero(1),
            following: None,
            best_order: Some(best_order),
            for_children: (!of.last).then(|| self.for_children(better, alpha_less, best_order)),
        }
    }

    /// What children see of the root is a clock behind; a move earlier than the best so far may tie there: its window is one wider.
    fn for_children(&self, better: Sig<'m>, alpha_less: Sig<'m>, best_order: Sig<'m>) -> ForChildren<'m> {
        let (m, row) = (self.m, self.contexts.rows[0]);
        let changes = m.delayed("changes", self.input.update & better);
        let [alpha, limit] = [&self.contexts.alpha, &self.contexts.limit].map(|words| words.each(m)[0]);
        let alpha = m.delayed("alpha_shown", alpha);
        let less = m.delayed("less_shown", alpha_less);
        let best = m.delayed("best_order_shown", best_order);
        let raised = m.delayed("raised_shown", row.raised);
        let ties = |order: Sig<'m>| raised & earlier(self.of.layout, order, best);
        let window = |ties: Sig<'m>| Window { alpha: ties.mux(less, alpha), limit };
        let start_ties = m.wire("start_ties", ties(self.input.window_start_order));
        // Both are known long before it is known whether the move is earlier.
        let [less_lost, alpha_lost] = [less, alpha].map(|alpha| is_loss(self.of, alpha));
        ForChildren {
            visit: window(ties(self.input.window_order)),
            start: window(start_ties),
            start_losses: cat([turns_to_loss(self.of, limit), start_ties.mux(less_lost, alpha_lost)]),
            changed: m.delayed("changed", changes),
            changed_row: m.delayed("changed_row", m.bit(false)),
        }
    }
}
