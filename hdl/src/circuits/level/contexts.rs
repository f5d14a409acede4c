// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a level remembers of its contexts, and what happens to each in a clock.

use super::ports::LevelInputs;
use super::words::{Ahead, LEFT_BITS, Level};
use crate::layout::GENERATION_BITS;
use engine_model::scoring::bits_for;
use kit::{Memory, Module, Sig, when};

kit::record! {
    /// Registers of a context.
    pub struct Row {
        /// It holds a node.
        active,
        /// Its generation rises in the next clock.
        ages,
        /// A child's value has raised alpha.
        raised,
        /// A value has reached its limit.
        cut,
        /// Its node is seen by its own mover.
        negate,
        /// A visit may find moves.
        has_moves,
        /// A pass for order is to be asked for.
        order_wanted,
        /// It has been.
        order_pending,
        /// Only for moves that make a four.
        fours_only,
        /// Older results in flight are told apart by it.
        generation,
        /// Its alpha is a loss.
        lost,
        /// Children in flight.
        pending,
        /// Children that have returned, saturating.
        returned,
        /// It is reserved for a child.
        reserved,
        /// The context above that it belongs to.
        parent,
        /// Moves that the last visit left, saturating.
        left,
        /// Visits under way.
        visits,
        /// A move that is not searched may save its node: the beam has cut it, or it is no candidate.
        unproved,
        /// Moves of the beam that are left.
        beam_left,
        /// It has been freed: its children are, a clock later.
        kill,
        /// Its parent's window has changed since it was brought up to date.
        behind,
        /// The next pass for order asks for the reply to it.
        replies,
        /// Of its moves only those that survive a reply are left.
        surviving,
        /// Its first child was on its way when it started.
        begun,
        /// It is its parent's first child.
        eldest,
        /// It goes no further than its first child.
        held,
        /// Its window has no upper end: no value cuts it off.
        unlimited,
    }
}

/// Registers that reset clears.
const CLEARED: [&str; 5] = ["active", "ages", "generation", "reserved", "kill"];

impl Level<'_> {
    fn row(&self) -> Row<usize> {
        let only = |has: bool, width: usize| usize::from(has) * width;
        Row {
            generation: GENERATION_BITS,
            pending: self.count_bits[0],
            returned: self.count_bits[1],
            reserved: only(!self.root, 1),
            parent: only(!self.root, self.above_bits),
            left: only(!self.beamed, LEFT_BITS),
            visits: only(!self.beamed, LEFT_BITS),
            beam_left: only(self.beamed, self.layout.count_bits),
            behind: only(!self.root, 1),
            replies: only(self.answered, 1),
            surviving: only(self.answered, 1),
            begun: only(self.ahead == Some(Ahead::Answers), 1),
            eldest: only(matches!(self.ahead, Some(Ahead::Answers | Ahead::Held)), 1),
            held: only(self.may_be_held(), 1),
            unlimited: only(self.begins_all(), 1),
            ..Row::uniform(1)
        }
    }
}

/// A word of each context, of which one is written a clock.
pub(super) struct Words<'m> {
    name: &'static str,
    kept: Kept<'m>,
}

enum Kept<'m> {
    Registers(Vec<Sig<'m>>),
    /// Of so many contexts.
    Memory(Memory<'m>, usize),
}

/// From so many contexts on their words are a memory: of fewer a choice among registers is as small.
const ROWS_IN_MEMORY: usize = 8;

impl<'m> Words<'m> {
    fn new(m: &'m Module, name: &'static str, rows: usize, width: usize) -> Words<'m> {
        let kept = match rows < ROWS_IN_MEMORY {
            true => Kept::Registers((0..rows).map(|r| m.register(&format!("{name}_{r}"), width)).collect()),
            false => Kept::Memory(m.memory(name, width, rows.next_power_of_two()), rows),
        };
        Words { name, kept }
    }

    /// Of the context with a number.
    pub fn read(&self, m: &'m Module, hint: &str, row: Sig<'m>) -> Sig<'m> {
        match &self.kept {
            Kept::Registers(words) => m.select(&format!("{hint}_read"), row, words),
            Kept::Memory(memory, _) => m.wire(&format!("{hint}_read"), memory.read(row)),
        }
    }

    /// Of every context; of a memory only for the trace, which no core on a chip has: each takes a port.
    pub fn each(&self, m: &'m Module) -> Vec<Sig<'m>> {
        match &self.kept {
            Kept::Registers(words) => words.clone(),
            Kept::Memory(memory, rows) => {
                let number = |r: usize| m.constant(bits_for(rows - 1), r);
                (0..*rows).map(|r| memory.read(number(r))).collect()
            }
        }
    }

    /// At the edge, if it `writes`, the context with the number becomes that value.
    pub fn write(&self, m: &'m Module, writes: Sig<'m>, row: Sig<'m>, value: Sig<'m>) {
        let row = || m.wire(&format!("{}_row", self.name), row);
        match &self.kept {
            Kept::Registers(words) if words.len() == 1 => m.at_edge([when(writes, [words[0].set(value)])]),
            Kept::Registers(words) => {
                let row = row();
                for (r, word) in words.iter().enumerate() {
                    m.at_edge([when(writes & row.is(r), [word.set(value)])]);
                }
            }
            Kept::Memory(memory, _) => m.at_edge([when(writes, [memory.write(row(), value)])]),
        }
    }
}

/// A level's contexts and its offer.
pub(super) struct Contexts<'m> {
    pub rows: Vec<Row<Sig<'m>>>,
    /// Lower end of a window.
    pub alpha: Words<'m>,
    /// Upper end, less one.
    pub limit: Words<'m>,
    /// In the second level: place of the root move.
    pub order: Option<Words<'m>>,
    /// Context `r` is freed with its parent.
    pub parent_freed: Vec<Sig<'m>>,
    pub offer: Offer<Sig<'m>>,
    /// Context `r` is the one offered: the offer's number once more, as who is asked is many.
    pub offered: Vec<Sig<'m>>,
    /// The context that an update is of, a bit each.
    pub update_at: Sig<'m>,
}

kit::record! {
    /// What may be issued next, the valid bit highest.
    pub struct Offer {
        /// Its context.
        offer_row,
        /// It is a pass for order.
        offer_order,
        /// It is due.
        offer_due,
        /// It needs a context of the level below.
        offer_needs,
        /// There is one.
        offer,
    }
}

/// Widths of an offer.
pub(super) fn offer(of: &Level) -> Offer<usize> {
    Offer { offer_row: of.index, offer_needs: usize::from(!of.last), ..Offer::uniform(1) }
}

impl<'m> Contexts<'m> {
    /// Declares them.
    pub fn new(m: &'m Module, of: &Level, input: &LevelInputs<Sig<'m>>) -> Contexts<'m> {
        let mut parent_freed = Vec::new();
        let mut rows = Vec::new();
        for r in 0..of.rows {
            let row = of.row().map(|name, width| match width {
                0 => m.zero(0),
                _ if CLEARED.contains(&name) => m.control(&format!("{name}_{r}"), width, 0),
                _ => m.register(&format!("{name}_{r}"), width),
            });
            parent_freed.push(match of.root {
                true => m.bit(false),
                false => {
                    let killed = m.select(&format!("killed_above_{r}"), row.parent, &input.killed.each_bit());
                    m.wire(&format!("parent_freed_{r}"), killed)
                }
            });
            rows.push(row);
        }
        let offer = offer(of).map(|name, width| match (name, width) {
            (_, 0) => m.zero(0),
            ("offer", _) => m.control(name, width, 0),
            _ => m.register(name, width),
        });
        let offered = (0..of.rows).map(|r| m.control(&format!("offered_{r}"), 1, 0)).collect();
        let update_at = match of.updated_by_either() {
            true => m.wire("updated_at", input.update_ended.mux(input.update_at, input.below_at)),
            false => input.update_at,
        };
        let words = |name: &'static str, width: usize| Words::new(m, name, of.rows, width);
        let [alpha, limit] = ["alpha", "limit"].map(|name| words(name, of.layout.value_bits));
        let order = of.second.then(|| words("order", of.order_bits()));
        Contexts { rows, alpha, limit, order, parent_freed, offer, offered, update_at }
    }

    /// A register of every context.
    pub fn all(&self, register: impl Fn(&Row<Sig<'m>>) -> Sig<'m>) -> Vec<Sig<'m>> {
        self.rows.iter().map(register).collect()
    }

    /// The register of the context with a number.
    pub fn read(
        &self,
        m: &'m Module,
        hint: &str,
        row: Sig<'m>,
        register: impl Fn(&Row<Sig<'m>>) -> Sig<'m>,
    ) -> Sig<'m> {
        m.select(&format!("{hint}_read"), row, &self.all(register))
    }
}

/// What happens to a context in a clock.
#[derive(Clone, Copy)]
pub(super) struct Events<'m> {
    /// It is the one offered.
    pub offered: Sig<'m>,
    pub starts: Sig<'m>,
    pub updates: Sig<'m>,
    /// A pass for order came back.
    pub orders: Sig<'m>,
    pub takes: Sig<'m>,
    /// It is the one offered, for a child.
    pub visited: Sig<'m>,
    pub drains: Sig<'m>,
}

/// What happens to each.
pub(super) fn events<'m>(
    m: &'m Module,
    of: &Level,
    contexts: &Contexts<'m>,
    input: &LevelInputs<Sig<'m>>,
) -> Vec<Events<'m>> {
    m.comment("What happens to each context.");
    let offer = contexts.offer;
    (0..of.rows)
        .map(|r| {
            let active = contexts.rows[r].active;
            let wire = |name: &str, value| m.wire(&format!("{name}_{r}"), value);
            let offered = contexts.offered[r];
            Events {
                offered,
                starts: wire("starts", input.start & input.start_row.is(r)),
                updates: wire("updates", input.update & active & contexts.update_at.bit(r)),
                orders: wire("orders", input.ordered & input.ordered_row.is(r)),
                takes: wire("takes", input.take & offered),
                visited: wire("visited", offered & !offer.offer_order),
                drains: wire("drains", active & input.drained_at.bit(r)),
            }
        })
        .collect()
}
