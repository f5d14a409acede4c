// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes that ask what the opponent's best reply leaves of a node's moves, against the model.

use crate::moves::Moves;
use crate::scoreboard::{Mismatch, Scoreboard};
use crate::trace::TraceNode;
use engine_model::Cell;
use engine_model::evaluation::{Ceilings, Picked, ceilings, evaluate, ordered_moves};

impl Scoreboard {
    /// What the model knows of a node's moves.
    fn ceilings_at(&mut self, path: &[Cell]) -> Option<Ceilings> {
        let remaining = self.nodes.get(path)?.remaining;
        let levels = self.levels;
        self.at(path, |position| {
            let evaluation = evaluate(position, remaining);
            ceilings(position, remaining, &evaluation, levels)
        })?
    }

    /// The reply to a node; nothing follows where the node has ended, and nothing is expected then.
    pub(crate) fn check_reply(&mut self, cycle: u64, node: &TraceNode) -> Result<(), Mismatch> {
        let Some((_, path)) = node.tag.path.split_last() else {
            return Err(self.mismatch(cycle, "reply", &[], "path", "a node and a move passed", &node.tag));
        };
        let (expected, got) = (self.ceilings_at(path).map(|known| known.reply()), node.best.map(|b| b.cell));
        match expected {
            Some(_) if got != expected => Err(self.mismatch(cycle, "reply", path, "reply", expected, got)),
            _ => Ok(()),
        }
    }

    /// The node with the reply on its board.
    pub(crate) fn check_answered(&mut self, cycle: u64, node: &TraceNode) -> Result<(), Mismatch> {
        let [path @ .., _, reply] = &node.tag.path[..] else {
            let wanted = "a node, a move passed, a reply";
            return Err(self.mismatch(cycle, "answered", &[], "path", wanted, &node.tag));
        };
        let expected = self.ceilings_at(path).map(|known| known.reply());
        match expected == Some(*reply) {
            true => Ok(()),
            false => Err(self.mismatch(cycle, "answered", path, "reply", expected, reply)),
        }
    }

    /// The moves that survive: those that may be worth more than some alpha, but for the first, which has been searched. Which alpha that
    /// was is not known: first cells of what some alpha leaves.
    pub(crate) fn check_surviving(&mut self, cycle: u64, node: &TraceNode) -> Result<(), Mismatch> {
        let path = &node.tag.path;
        let Some(known) = self.ceilings_at(path) else {
            return Err(self.mismatch(cycle, "surviving", path, "node", "one that is bounded", path));
        };
        let worths: Vec<(Picked, Option<i32>)> = self
            .at(path, |position| {
                let moves = ordered_moves(position);
                moves.into_iter().map(|mv| (mv, known.within(position, &mv, i32::MAX))).collect()
            })
            .unwrap_or_default();
        let mut limits: Vec<i32> = worths.iter().filter_map(|(_, worth)| *worth).collect();
        limits.push(i32::MIN);
        limits.sort_unstable();
        limits.dedup();
        let surviving = |limit: i32| {
            let survives = |(place, (mv, worth)): (usize, &(Picked, Option<i32>))| {
                (place > 0 && worth.is_none_or(|worth| worth > limit)).then_some(*mv)
            };
            let list: Vec<Picked> = worths.iter().enumerate().filter_map(survives).collect();
            Moves { out: vec![false; list.len()], beam: list.len(), list }
        };
        let all: Vec<Moves> = limits.into_iter().map(surviving).collect();
        self.take_surviving(cycle, node, all)
    }

    /// The next of them.
    pub(crate) fn check_order_surviving(&mut self, cycle: u64, node: &TraceNode) -> Result<(), Mismatch> {
        let all = self.nodes.get_mut(&node.tag.path).map(|record| std::mem::take(&mut record.surviving));
        self.take_surviving(cycle, node, all.unwrap_or_default())
    }

    /// Keeps those of what may survive whose first cells are the ones that came.
    fn take_surviving(&mut self, cycle: u64, node: &TraceNode, mut all: Vec<Moves>) -> Result<(), Mismatch> {
        let path = &node.tag.path;
        let layout = self.layout.clone();
        let wanted = all.first().map(|moves| moves.winners(&layout, false));
        all.retain(|moves| moves.winners(&layout, false) == node.winners);
        all.iter_mut().for_each(|moves| moves.take(&layout, &node.winners));
        let Some((record, first)) = self.nodes.get_mut(path).zip(all.first()) else {
            return Err(self.mismatch(cycle, "surviving", path, "winners", wanted, &node.winners));
        };
        // Lower limits come first: all that may be visited is among these.
        record.moves = Some(first.clone());
        record.surviving = all;
        Ok(())
    }
}
