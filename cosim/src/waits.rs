// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clocks of a search without a pass, by cause: a reference of its own for the core's counters, from what the contexts hold.
//!
//! In a clock of a search in which the evaluator could take a pass and gets none, the cause is the first of: a visit that ended a clock
//! before and found no move; a level that has moves but no context free below for what follows them; one whose next moves in
//! order are on their way; one whose other moves wait for earlier ones to return. What of them a level has follows here from the
//! registers of its contexts, in the core from its readiness for offers.

use crate::trace::{bits, signed};
use hdl::Layout;
use hdl::circuits::level::words::Waiting as Fields;
use hdl::circuits::level::words::{CUTS_BEFORE, most_pending, waiting, waiting_bits};

/// Clocks by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// Visits without a move.
    pub misses: u64,
    /// For a free context.
    pub context: u64,
    /// For moves in order.
    pub order: u64,
    /// For a first child.
    pub first: u64,
}

impl Waits {
    /// What has come since.
    pub fn since(self, before: Waits) -> Waits {
        Waits {
            misses: self.misses - before.misses,
            context: self.context - before.context,
            order: self.order - before.order,
            first: self.first - before.first,
        }
    }
}

/// Why a clock had no pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A visit that ended a clock before found no move.
    Miss,
    /// For a free context.
    Context,
    /// For moves in order.
    Order,
    /// For a first child.
    First,
    /// For results in the pipeline, no level having anything to visit.
    Results,
}

/// A clock of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Whether a pass was issued.
    pub issued: bool,
    /// Why none was, where one could have been.
    pub cause: Option<Cause>,
    /// What every context holds, by level, the root's first.
    pub windows: Vec<Vec<Option<Window>>>,
}

/// The window of a context that holds a node, half-points, seen by its level's side: it looks for values above the one and below the
/// other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What is sure already.
    pub alpha: i32,
    /// What cuts.
    pub beta: i32,
}

/// What a level waits for.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    context: bool,
    order: bool,
    first: bool,
}

/// Counts them, clock by clock.
pub struct Waiting {
    layout: Layout,
    /// Lowest bit and width of what the trace shows of a context.
    places: Fields<(usize, usize)>,
    /// All of its bits.
    width: usize,
    counted: Waits,
    /// Whether a visit found no move in the clock before.
    missed: bool,
}

impl Waiting {
    /// Of a core.
    pub fn new(layout: &Layout) -> Waiting {
        let widths = waiting(layout);
        let (places, width) = (widths.places(), widths.width());
        Waiting { layout: layout.clone(), places, width, counted: Waits::default(), missed: false }
    }

    /// So far.
    pub fn so_far(&self) -> Waits {
        self.counted
    }

    /// A clock, by `trace_clock`; `levels` gives `trace_waiting`. Answers why a clock in which a pass could be issued had none.
    pub fn clock(&mut self, clock: u32, levels: impl FnOnce() -> Vec<u32>) -> Option<Cause> {
        let cause = self.cause(clock, levels);
        let Waits { misses, context, order, first } = &mut self.counted;
        match cause {
            Some(Cause::Miss) => *misses += 1,
            Some(Cause::Context) => *context += 1,
            Some(Cause::Order) => *order += 1,
            Some(Cause::First) => *first += 1,
            Some(Cause::Results) | None => {}
        }
        cause
    }

    /// The same; answers all that is seen of the clock, if it is of a search.
    pub fn clock_seen(&mut self, clock: u32, words: &[u32]) -> Option<Clock> {
        let cause = self.clock(clock, || words.to_vec());
        let [searching, issued] = [0, 2].map(|number| clock >> number & 1 == 1);
        searching.then(|| Clock { issued, cause, windows: self.windows(words) })
    }

    /// Windows of the contexts that hold a node, by level.
    fn windows(&self, words: &[u32]) -> Vec<Vec<Option<Window>>> {
        let mut base = 0;
        let level = |level: usize| {
            let context = |context: usize| {
                let at = |(low, _): (usize, usize)| base + context * self.width + low;
                let value = |place: (usize, usize)| signed(words, at(place), place.1);
                let window =
                    || Window { alpha: value(self.places.alpha), beta: value(self.places.limit) + 1 };
                (bits(words, at(self.places.active), 1) == 1).then(window)
            };
            let windows = (0..self.layout.contexts_at(level)).map(context).collect();
            base += waiting_bits(&self.layout, level);
            windows
        };
        (1..=self.layout.config.levels).map(level).collect()
    }

    fn cause(&mut self, clock: u32, levels: impl FnOnce() -> Vec<u32>) -> Option<Cause> {
        let bit = |number: u32| clock >> number & 1 == 1;
        let [searching, possible, issued, misses] = [0, 1, 2, 3].map(bit);
        let missed = std::mem::replace(&mut self.missed, misses);
        if !searching || !possible || issued {
            return None;
        }
        if missed {
            return Some(Cause::Miss);
        }
        let words = levels();
        let mut base = 0;
        let mut any = Level::default();
        for level in 1..=self.layout.config.levels {
            let of = self.level(&words, base, level);
            any.context |= of.context;
            any.order |= of.order;
            any.first |= of.first;
            base += waiting_bits(&self.layout, level);
        }
        Some(match any {
            Level { context: true, .. } => Cause::Context,
            Level { order: true, .. } => Cause::Order,
            Level { first: true, .. } => Cause::First,
            _ => Cause::Results,
        })
    }

    fn level(&self, words: &[u32], base: usize, level: usize) -> Level {
        let config = &self.layout.config;
        let (root, last) = (level == 1, level == config.levels);
        let beamed = config.beam_at(level - 1) > 0;
        let contexts = self.layout.contexts_at(level);
        let end = base + contexts * self.width;
        let [leaf_children, child_free] = [0, 1].map(|place| bits(words, end + place, 1) == 1);
        // Leaves need no context.
        let room = last || leaf_children || child_free;
        let mut found = Level::default();
        for context in 0..contexts {
            let get = |(low, width): (usize, usize)| bits(words, base + context * self.width + low, width);
            let of = self.places;
            if get(of.active) == 0 {
                continue;
            }
            found.order |= get(of.order_pending) == 1;
            if get(of.cut) == 1 {
                continue;
            }
            let has_moves = get(of.has_moves) == 1;
            found.context |= has_moves && !leaf_children && !child_free;
            let (pending, returned) = (get(of.pending), get(of.returned));
            let unvisited = beamed || get(of.visits) == 0 || get(of.left) > get(of.visits);
            let next = if has_moves { room && unvisited } else { get(of.order_wanted) == 1 };
            let full = pending as usize >= most_pending(&self.layout, level);
            let due = match (config.ahead > 0, root) {
                (true, _) => {
                    let (low, width) = of.limit;
                    let limit = signed(words, base + context * self.width + low, width);
                    // Leaves of a node that nothing can cut off are all begun at once.
                    let begins_all = last && !root && limit == self.layout.scoring.win_score - 2;
                    let before = if level == 2 || last { CUTS_BEFORE } else { 0 };
                    pending == 0 || returned > pending + before || begins_all
                }
                (false, true) => pending == 0 || returned > 0,
                (false, false) => returned >= pending,
            };
            found.first |= next && !full && !due;
        }
        found
    }
}
