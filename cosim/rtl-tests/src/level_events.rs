// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can happen to a level controller in a clock.

use engine_model::scoring::Scoring;
use fastrand::Rng;

/// Place of a root move in static order: gain and rank.
pub type Order = (u32, u32);

/// A node that starts in a context.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its context.
    pub row: usize,
    /// Whether its side to move is the parent's.
    pub negate: bool,
    /// Whether its first child is on its way.
    pub issued: bool,
    /// Whether its set holds others.
    pub more: bool,
    /// Whether another move may save it.
    pub unproved: bool,
    /// Whether these are to be asked for once it is known what survives a reply.
    pub replies: bool,
    /// The root move it is below.
    pub order: Order,
}

/// What a visit found.
#[derive(Clone, Copy, Debug)]
pub struct Drained {
    /// Context.
    pub row: usize,
    /// A child is issued, or none was asked for.
    pub issue: bool,
    /// The window is empty.
    pub closed: bool,
    /// Moves are left; in a beam behind the one that is issued.
    pub left: bool,
    /// How many.
    pub count: usize,
    /// Another pass for order is needed.
    pub need: bool,
    /// Only for moves that make a four.
    pub fours: bool,
}

/// A child's value.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// Context.
    pub row: usize,
    /// Value for the child's mover.
    pub value: i32,
    /// Whether it keeps its sign.
    pub keep: bool,
    /// Place among the root's moves.
    pub order: Order,
}

/// The parent's window: alpha and limit (beta - 1).
pub type Window = (i32, i32);

/// Everything that can happen in one clock.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// Frees everything.
    pub clear: bool,
    /// Parent for whose child the first free context is reserved.
    pub reserve_first: Option<usize>,
    /// The same with the second.
    pub reserve_second: Option<usize>,
    /// Reserved contexts that are given back.
    pub release: [Option<usize>; 2],
    /// A node starts.
    pub start: Option<Start>,
    /// A child's value; never with a start.
    pub update: Option<Update>,
    /// A pass for order is back: context, found.
    pub ordered: Option<(usize, bool)>,
    /// Whether a child's context may be had.
    pub child_any: bool,
    /// The offer is taken.
    pub take: bool,
    /// A visit's end.
    pub drained: Option<Drained>,
    /// Window of the parent of what is visited or brought up to date.
    pub above: Window,
    /// Window of the parent of what starts.
    pub start_above: Window,
    /// Context above whose window has changed.
    pub above_changed: Option<usize>,
    /// Contexts of the level above that were freed.
    pub killed: Vec<usize>,
    /// A return is taken.
    pub done_ready: bool,
}

/// Few values, so that ties occur; some are proved wins and losses.
pub fn random_value(rng: &mut Rng, scoring: &Scoring) -> i32 {
    let value = rng.i32(-12..=12);
    match rng.u32(0..6) {
        0 if value > 0 => scoring.win_at(value as usize),
        0 if value < 0 => -scoring.win_at(-value as usize),
        _ => value,
    }
}

/// What a level's inputs say of an `update`, with values of as many bits as `mask` has. Where one may come from two sources
/// `ended` tells from which; what the other says is not meant, and says anything (of `other`, a context). The `root` has one context.
pub fn update_ports(
    update: Option<Update>,
    mask: u32,
    other: usize,
    ended: Option<bool>,
    root: bool,
) -> Vec<(&'static str, u32)> {
    let row = update.map_or(0, |u| u.row);
    let at = update.map_or(0, |u| 1 << u.row);
    let turned = update.map_or(0, |u| if u.keep { u.value } else { !u.value }) as u32 & mask;
    let keep = u32::from(update.is_some_and(|u| u.keep));
    let meant = [row as u32, at, turned, keep];
    let not_meant = [other as u32, 1 << other, !turned & mask, 1 - keep];
    let (own, below) = if ended == Some(false) { (not_meant, meant) } else { (meant, not_meant) };
    let mut ports = vec![("update", u32::from(update.is_some()))];
    let first = usize::from(root);
    ports
        .extend(["update_row", "update_at", "update_turned", "update_keep"].into_iter().zip(own).skip(first));
    if let Some(ended) = ended {
        ports.push(("update_ended", ended.into()));
        ports.extend(
            ["below_row", "below_at", "below_turned", "below_keep"].into_iter().zip(below).skip(first),
        );
    }
    ports
}

impl Drained {
    /// What the inputs of a level say of it, of one with a beam, of one between two others.
    pub fn ports(&self, beamed: bool, between: bool) -> Vec<(&'static str, u32)> {
        let mut ports = vec![
            ("drained_issue", self.issue.into()),
            ("drained_closed", self.closed.into()),
            ("drained_need", self.need.into()),
        ];
        ports.extend(between.then_some(("drained_row", self.row as u32)));
        ports.extend(match beamed {
            true => vec![("drained_more", self.left.into())],
            false => vec![
                ("drained_left", self.left.into()),
                ("drained_count", self.count as u32),
                ("drained_fours", self.fours.into()),
            ],
        });
        ports
    }
}

/// How often things happened that the test is about.
#[derive(Debug, Default)]
#[allow(missing_docs)] // counters by their names
pub struct Seen {
    pub returns: [usize; 3],
    pub kills: usize,
    pub dropped_returns: usize,
    pub orders: usize,
    pub both_reserved: usize,
    pub wider: usize,
    pub saturated: usize,
    pub full: usize,
    pub followed: usize,
    pub changes: usize,
    pub again: usize,
    /// Visits of a beam that dropped a move.
    pub dropped_early: usize,
    /// Returns that the beam keeps from being a loss; nodes whose moves wait for what survives a reply.
    pub unproved: usize,
    pub answered: usize,
    pub waits: [usize; 3],
}

/// The window of a parent, which children look at turned round.
pub fn random_window(rng: &mut Rng, infinity: i32) -> Window {
    let (alpha, limit) = (rng.i32(-20..8), rng.i32(-8..20));
    match rng.u32(0..5) {
        0 => (-infinity, infinity - 1),
        1 => (alpha, infinity - rng.i32(1..20)),
        _ => (alpha, limit),
    }
}
