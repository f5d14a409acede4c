// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a level's contexts: what changes them.

use super::contexts::{Contexts, Events};
use super::late_choice::choose_late;
use super::level_return::Frees;
use super::level_windows::Windows;
use super::ports::LevelInputs;
use super::words::{Ahead, Level, PENDING_BITS};
use kit::{Circuit, Module, Sig, Statement, all_of, any_of, bundle, cat, when};

/// How a count's bits, each a table of those below it, are described.
#[derive(Clone, Copy)]
enum Tables {
    /// Bit by bit.
    Bits,
    /// All at once, by shifts: the same tables, a third of the operations in simulation.
    Words,
}

impl Tables {
    fn of(level: &Level) -> Tables {
        if level.layout.by_words() { Tables::Words } else { Tables::Bits }
    }

    /// Where a bit below is set.
    fn any_below(count: Sig<'_>) -> Sig<'_> {
        any_of((1..count.width).map(|places| count.up(places)))
    }

    /// A count and one.
    fn one_more(self, count: Sig<'_>) -> Sig<'_> {
        let bit = |i: usize| match i {
            0 => !count.bit(0),
            _ => count.bit(i) ^ all_of((0..i).map(|below| count.bit(below))),
        };
        match self {
            Tables::Bits => bundle((0..count.width).map(bit)),
            Tables::Words => count ^ !Tables::any_below(!count),
        }
    }

    /// A count less one.
    fn one_less(self, count: Sig<'_>) -> Sig<'_> {
        let bit = |i: usize| match i {
            0 => !count.bit(0),
            _ => count.bit(i) ^ !any_of((0..i).map(|below| count.bit(below))),
        };
        match self {
            Tables::Bits => bundle((0..count.width).map(bit)),
            Tables::Words => count ^ !Tables::any_below(count),
        }
    }

    /// A count less two.
    fn two_less(self, count: Sig<'_>) -> Sig<'_> {
        cat([self.one_less(count.bits(1..count.width)), count.bit(0)])
    }
}

/// Children in flight: `pending` of them, less one that `returns` and one whose visit `misses`, and one more if the offer is taken and
/// its context is `visited`: out `if_taken`, `if_kept`. Counted in tables, not by carries, in a module of its own: what happens is known
/// late, and all at once. No clock.
fn in_flight(of: &Level, bits: usize) -> Circuit {
    let tables = Tables::of(of);
    let m = Module::combinational(
        &if bits == PENDING_BITS { "in_flight".into() } else { format!("in_flight_{bits}") },
        "Children of a context that are in flight, once the offer is taken and if it is not.\nCombinational.",
    );
    let pending = m.input("pending", bits);
    let [returns, misses, visited] = ["returns", "misses", "visited"].map(|name| m.input(name, 1));
    let (either, both) = (returns | misses, returns & misses);
    let (one_less, two_less) = (tables.one_less(pending), tables.two_less(pending));
    let more = both.mux(one_less, either.mux(pending, tables.one_more(pending)));
    let less = m.output("if_kept", both.mux(two_less, either.mux(one_less, pending)));
    m.output("if_taken", visited.mux(more, less));
    m.circuit()
}

/// What a level's registers follow.
pub(super) struct Rows<'m, 'a> {
    pub m: &'m Module,
    pub of: &'a Level<'a>,
    pub contexts: &'a Contexts<'m>,
    pub events: &'a [Events<'m>],
    pub input: &'a LevelInputs<Sig<'m>>,
    pub windows: &'a Windows<'m>,
    /// Which are cut next.
    pub cuts: &'a [Sig<'m>],
    /// What is freed in this clock.
    pub frees: &'a [Frees<'m>],
    /// Below the root: what may be reserved, for a first child and for a visit, a bit each.
    pub free: Option<[Sig<'m>; 2]>,
}

impl<'m> Rows<'m, '_> {
    /// Every context's registers.
    pub fn describe(&self) {
        let m = self.m;
        self.words();
        for r in 0..self.of.rows {
            m.comment(&format!("Context {r}."));
            self.life(r);
            self.window(r);
            self.moves(r);
        }
    }

    fn life(&self, r: usize) {
        let (m, input) = (self.m, self.input);
        let (row, event) = (self.contexts.rows[r], self.events[r]);
        // Also of a context that starts as it is freed, or was freed as it was offered: a child's context was just reserved.
        let kills = |frees: Sig<'m>| {
            (frees & (row.active | event.starts)) | (input.take & event.offered & !row.active)
        };
        // A clock later, as what returns is known late: a freed context is not in use again before that.
        let ages = when(row.ages, [row.generation.set(row.generation + 1)]);
        let Some([first_free, second_free]) = self.free else {
            let Frees::Known(frees) = self.frees[r] else { unreachable!("the root's context is one") };
            m.at_edge([
                row.kill.set(kills(frees)),
                when(frees, [row.active.set(false)]).else_when(event.starts, [row.active.set(true)]),
                row.ages.set(frees & row.active),
                ages,
            ]);
            return;
        };
        let wire = |name: &str, value| m.wire(&format!("{name}_{r}"), value);
        let first = wire("reserves_first", input.reserve_first & first_free.bit(r));
        let second = wire("reserves_second", input.reserve_second & second_free.bit(r));
        let released =
            (input.release_a & input.release_a_row.is(r)) | (input.release_b & input.release_b_row.is(r));
        let releases = wire("releases", released);
        // Who is reserved was free: nothing else happens to it.
        let stays = |frees: Sig<'m>| row.reserved & !frees & !event.starts & !releases;
        let active = |frees: Sig<'m>| !frees & (row.active | event.starts);
        let ageing = |frees: Sig<'m>| frees & (row.reserved | row.active);
        let life = [row.kill, row.reserved, row.active, row.ages];
        let next = match self.frees[r] {
            Frees::Known(frees) => {
                let reserved = ((first | second) & !input.clear) | stays(frees);
                [kills(frees), reserved, active(frees), ageing(frees)]
            }
            Frees::Late { at, if_at, anyway } => {
                let late = |name: &str, of: &dyn Fn(Sig<'m>) -> Sig<'m>| {
                    choose_late(m, &format!("{name}_{r}"), at, of(if_at), of(anyway))
                };
                let reserved = m.child(&format!("next_reserved_{r}"), reserved());
                for (port, bit) in [
                    ("at", at),
                    ("stays_if_at", stays(if_at)),
                    ("stays_anyway", stays(anyway)),
                    ("reserves", (first | second) & !input.clear),
                ] {
                    reserved.drive(port, bit);
                }
                // Nobody hears of it below the last level.
                let kill = match self.of.last {
                    true => at.mux(kills(if_at), kills(anyway)),
                    false => late("next_kill", &kills),
                };
                [kill, reserved.get("reserved"), late("next_active", &active), late("next_ages", &ageing)]
            }
        };
        m.at_edge(life.into_iter().zip(next).map(|(register, next)| register.set(next)).chain([ages]));
        m.at_edge([when(first, [row.parent.set(input.reserve_first_parent)])
            .else_when(second, [row.parent.set(input.reserve_second_parent)])]);
        let has_eldest = row.eldest.width > 0;
        if has_eldest {
            m.at_edge([when(first | second, [row.eldest.set(first)])]);
        }
        if self.of.may_be_held() {
            let above = m.select(&format!("held_above_{r}"), row.parent, &input.above_holds.each_bit());
            let held = if has_eldest { above & !row.eldest } else { above };
            m.at_edge([row.held.set(held)]);
        }
    }

    /// What is one word of each context: alpha is written by a start, by the parent's window, or by a child's value that is better.
    fn words(&self) {
        let (m, windows, contexts) = (self.m, self.windows, self.contexts);
        m.comment("Windows.");
        contexts.alpha.write(m, windows.writes, windows.written_row, windows.new_alpha);
        contexts.limit.write(m, windows.narrows, windows.narrowed_row, windows.new_limit);
        if let Some(order) = &contexts.order {
            order.write(m, self.input.start, self.input.start_row, self.input.start_order);
        }
    }

    fn window(&self, r: usize) {
        let (m, windows) = (self.m, self.windows);
        let row = self.contexts.rows[r];
        m.comment("Only a child's value that is better raises alpha.");
        let (raised, lost) = (!windows.anyway[r], windows.new_alpha_lost);
        if self.of.root && self.of.layout.shortens_paths() {
            // Of a condition a synthesizer makes a reset, which is later.
            let next = choose_late(
                m,
                "next_mark",
                windows.written[r],
                cat([raised, lost]),
                cat([row.raised, row.lost]),
            );
            m.at_edge([row.raised.set(next.bit(1)), row.lost.set(next.bit(0))]);
        } else {
            m.at_edge([when(windows.written[r], [row.raised.set(raised), row.lost.set(lost)])]);
        }
        m.at_edge([row.cut.set(self.cuts[r])]);
        if let Some(following) = windows.following.as_ref().filter(|_| self.of.begins_all()) {
            m.at_edge([when(self.events[r].starts, [row.unlimited.set(windows.starts_unlimited)])
                .else_when(following.lowers[r], [row.unlimited.set(false)])]);
        }
    }

    fn moves(&self, r: usize) {
        let (m, input, of) = (self.m, self.input, self.of);
        let (row, event) = (self.contexts.rows[r], self.events[r]);
        let wire = |name: &str, value| m.wire(&format!("{name}_{r}"), value);
        m.comment("What a visit dropped by a window that the context does not have yet may not end it.");
        let behind = if of.root { m.bit(false) } else { input.leaf_children & row.behind };
        let settles = wire("settles", event.drains & !input.drained_closed & !behind);
        let misses = wire("misses", event.drains & !input.drained_issue);
        let counts = m.child(&format!("in_flight_{r}"), in_flight(of, row.pending.width));
        counts.drive("pending", row.pending);
        counts.drive("returns", event.updates);
        counts.drive("misses", misses);
        counts.drive("visited", event.visited);
        let [mut if_taken, mut if_kept] = ["if_taken", "if_kept"].map(|name| counts.get(name));
        if of.survivor {
            // There was none: the first child has returned, and the other moves have waited for this order.
            let first = (event.orders & input.ordered_issued).zero_extend(row.pending.width);
            (if_taken, if_kept) = (if_taken | first, if_kept | first);
        }
        let pending = self.late(&format!("next_pending_{r}"), if_taken, if_kept);
        let for_order = event.offered & self.contexts.offer.offer_order;
        let asks: Vec<Statement> = match of.layout.shortens_paths() {
            // Whether a visit begins is known late.
            true => {
                let [wanted, pending] = [row.order_wanted, row.order_pending];
                let if_taken = cat([wanted & !for_order, pending | for_order]);
                let next = self.late(&format!("next_order_{r}"), if_taken, cat([wanted, pending]));
                vec![row.order_wanted.set(next.bit(1)), row.order_pending.set(next.bit(0))]
            }
            false => {
                vec![when(
                    event.takes & self.contexts.offer.offer_order,
                    [row.order_wanted.set(false), row.order_pending.set(true)],
                )]
            }
        };
        let mut starts = vec![
            row.negate.set(input.start_negate),
            row.pending.set(input.start_issued.zero_extend(row.pending.width)),
            row.returned.set(0),
            row.order_pending.set(false),
            row.fours_only.set(false),
        ];
        if !of.beamed {
            starts.push(row.unproved.set(input.start_unproved));
        }
        if of.ahead == Some(Ahead::Answers) {
            starts.push(row.begun.set(input.start_issued));
        }
        let mut goes_on = vec![
            row.pending.set(pending),
            when(event.updates & !row.returned.all(), [row.returned.set(row.returned + 1)]),
        ];
        goes_on.extend(asks);
        goes_on.push(when(event.orders, [row.order_pending.set(false)]));
        let (begin, then) = match of.beamed {
            true => self.beam(r, settles),
            false => self.full_width(r, settles),
        };
        starts.extend(begin);
        goes_on.extend(then);
        if of.answered {
            starts.extend([row.replies.set(input.start_replies), row.surviving.set(false)]);
            goes_on.push(when(event.orders & row.replies, [row.replies.set(false), row.surviving.set(true)]));
        }
        m.at_edge([when(event.starts, starts).otherwise(goes_on)]);
        if !of.beamed {
            m.comment("Of a new set nothing is known: its first visit goes alone.");
            let tables = Tables::of(self.of);
            let more = event.drains.mux(row.visits, tables.one_more(row.visits));
            let less = event.drains.mux(tables.one_less(row.visits), row.visits);
            let visits = self.late(&format!("next_visits_{r}"), event.visited.mux(more, less), less);
            m.at_edge([when(event.starts, [row.left.set(0), row.visits.set(0)]).otherwise([
                row.visits.set(visits),
                when(settles, [row.left.set(input.drained_count)]).else_when(event.orders, [row.left.set(0)]),
            ])]);
        }
    }

    /// A count once the offer is taken, else as it is: that is known late, and both sums stand ready.
    fn late(&self, name: &str, if_taken: Sig<'m>, else_: Sig<'m>) -> Sig<'m> {
        choose_late(self.m, name, self.input.take, if_taken, else_)
    }

    /// What a start and what each clock makes of the moves at full width.
    fn full_width(&self, r: usize, settles: Sig<'m>) -> (Vec<Statement>, Vec<Statement>) {
        let (input, row) = (self.input, self.contexts.rows[r]);
        // Its moves wait for those that survive a reply, which come as of a pass for order once the first child has returned.
        let replies = if self.of.answered { input.start_replies } else { self.m.bit(false) };
        let starts = vec![
            row.has_moves.set(!input.start_issued | (input.start_more & !replies)),
            row.order_wanted.set(replies),
        ];
        let none_left = !input.drained_left;
        let then = vec![
            when(self.events[r].orders, [row.has_moves.set(input.ordered_found)]),
            when(
                settles & row.has_moves,
                [
                    row.has_moves.set(input.drained_left),
                    row.order_wanted.set(none_left & input.drained_need),
                    row.fours_only.set(row.fours_only | (none_left & input.drained_fours)),
                ],
            ),
        ];
        (starts, then)
    }

    /// The same of a beam: one visit at a time, whose move is known to be the next in static order, or a pass for order.
    fn beam(&self, r: usize, settles: Sig<'m>) -> (Vec<Statement>, Vec<Statement>) {
        let (input, row, event) = (self.input, self.contexts.rows[r], self.events[r]);
        let issued = input.start_issued;
        let (only, last) = (input.beam.is(1), row.beam_left.is(1));
        let starts = vec![
            row.has_moves.set(!issued | (input.start_more & !only)),
            row.order_wanted.set(false),
            row.beam_left.set(input.beam - issued.zero_extend(row.beam_left.width)),
            row.unproved.set(input.start_unproved | (issued & input.start_more & only)),
        ];
        let more = input.drained_more;
        let then = vec![
            when(event.takes, [row.has_moves.set(false)]),
            when(event.orders, [row.has_moves.set(input.ordered_found)]),
            when(
                event.drains,
                [when(
                    input.drained_issue,
                    [
                        row.beam_left.set(row.beam_left - 1),
                        row.has_moves.set(more & !last),
                        // The last move of the beam, and others are left.
                        row.unproved.set(row.unproved | (more & last)),
                    ],
                )
                .else_when(input.drained_need, [row.order_wanted.set(true)])
                // What is dropped too early to end the context is visited again.
                .else_when(!settles, [row.has_moves.set(true)])],
            ),
        ];
        (starts, then)
    }
}

/// Whether a context is reserved: somebody `reserves` it, or it stays so, which depends on whether it is the one that returns, `at`. A module
/// of its own, of one table: both are known late. Out `reserved`. No clock.
fn reserved() -> Circuit {
    let m = Module::combinational("next_reserved", "Whether a context is reserved.\nCombinational.");
    let [at, if_at, anyway, reserves] =
        ["at", "stays_if_at", "stays_anyway", "reserves"].map(|name| m.input(name, 1));
    m.output("reserved", reserves | at.mux(if_at, anyway));
    m.circuit()
}
