// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every node, every return and every decision of the RTL against the model.
//!
//! The order in which the RTL visits nodes is its own business. What is checked of each event stands alone: a node's
//! evaluation follows from its path, its place (levels and extensions left) from its parent's, a return from the
//! model's value of that subtree, the decision from the model's.
//!
//! Rule numbers are those of docs/search-contract.md, section 5.

use crate::bench::Event;
use crate::described::Describe;
use crate::moves::Moves;
use crate::passed::{Passed, Passing};
use crate::trace::{TraceDecision, TraceNode, TraceReturn, Winner};
use engine_model::evaluation::{
    NodeEvaluation, Outcome, Picked, Remaining, evaluate, floor, is_unproved, ordered_moves,
};
use engine_model::position::Tables;
use engine_model::search::{Bound, NodePlace, RootDecision, Search};
use engine_model::{Cell, Position};
use hdl::Layout;
use hdl::layout::PassKind;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// A disagreement between RTL and model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cycle {cycle}, {kind} [{}], {field}: expected {expected}, got {got}", path.join(" "))]
pub struct Mismatch {
    /// Cycle of the event.
    pub cycle: u64,
    /// What kind of event: node, order, probe, return, decision, answer.
    pub kind: &'static str,
    /// Moves from the root of the search, `x,y` each.
    pub path: Vec<String>,
    /// Field that differs.
    pub field: &'static str,
    /// What the model says.
    pub expected: String,
    /// What the RTL said.
    pub got: String,
}

/// What the scoreboard knows of a node that has retired.
pub(crate) struct Node {
    pub(crate) remaining: Remaining,
    outcome: Outcome,
    best: Option<Picked>,
    /// Moves of rule 6 in static order, and what of them has come out.
    pub(crate) moves: Option<Moves>,
    /// Of a node of which only what survives a reply is left: what that may be, by the alpha that it was told by.
    pub(crate) surviving: Vec<Moves>,
}

impl Node {
    fn new(remaining: Remaining, evaluation: &NodeEvaluation) -> Node {
        let NodeEvaluation { outcome, best, .. } = *evaluation;
        Node { remaining, outcome, best, moves: None, surviving: Vec::new() }
    }
}

/// A change of the game's position that a command will bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Place(Cell),
    TakeBack(Cell),
}

/// Checks events of one core.
pub struct Scoreboard {
    tables: Arc<Tables>,
    pub(crate) layout: Layout,
    position: Position,
    pub(crate) levels: usize,
    pub(crate) nodes: HashMap<Vec<Cell>, Node>,
    changes: VecDeque<Change>,
    /// Decisions of the searches that are to come, with their levels: several under a limit.
    expected: VecDeque<(usize, RootDecision)>,
    /// The last that came.
    decided: Option<RootDecision>,
    nodes_at_ply: Vec<u64>,
    /// Nodes compared so far, passes for order and gains included.
    pub nodes_compared: u64,
    /// Controller returns compared so far.
    pub returns_compared: u64,
    passed: Passing,
}

impl Scoreboard {
    /// A scoreboard at the empty board.
    pub fn new(tables: &Arc<Tables>) -> Scoreboard {
        Scoreboard {
            position: Position::new(tables),
            layout: Layout::new(&tables.config),
            levels: tables.config.levels,
            nodes: HashMap::new(),
            changes: VecDeque::new(),
            expected: VecDeque::new(),
            decided: None,
            nodes_at_ply: Vec::new(),
            tables: tables.clone(),
            nodes_compared: 0,
            returns_compared: 0,
            passed: Passing::new(&Layout::new(&tables.config)),
        }
    }

    /// Passes that have come by since power-up.
    pub fn passed(&self) -> Passed {
        self.passed.so_far()
    }

    /// Announces the next command: moves that will be played or taken back, and the decisions the model makes, with their levels.
    /// `levels`: of a search without a decision to come.
    pub fn expect(
        &mut self,
        levels: usize,
        played: Option<Cell>,
        taken_back: Option<Cell>,
        decisions: impl IntoIterator<Item = (usize, RootDecision)>,
    ) {
        self.expected = decisions.into_iter().collect();
        self.decided = None;
        self.levels = self.expected.front().map_or(levels, |&(levels, _)| levels);
        self.changes.extend(played.map(Change::Place));
        self.changes.extend(taken_back.map(Change::TakeBack));
        self.nodes.clear();
        self.nodes_at_ply.clear();
    }

    /// Sets the position anew, after a reset or an abort.
    pub fn set_position(&mut self, position: &Position) {
        self.position = position.clone();
        self.changes.clear();
        self.nodes.clear();
        self.expected.clear();
    }

    /// The position as the events so far have made it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Nodes at each ply of the last search as they came by (first evaluations only).
    pub fn nodes_at_ply(&self) -> &[u64] {
        &self.nodes_at_ply
    }

    pub(crate) fn mismatch(
        &self,
        cycle: u64,
        kind: &'static str,
        path: &[Cell],
        field: &'static str,
        expected: impl Describe,
        got: impl Describe,
    ) -> Mismatch {
        let geometry = &self.tables.geometry;
        Mismatch {
            cycle,
            kind,
            path: path.iter().map(|cell| cell.description(geometry)).collect(),
            field,
            expected: expected.description(geometry),
            got: got.description(geometry),
        }
    }

    /// Checks one event.
    pub fn check(&mut self, cycle: u64, event: &Event) -> Result<(), Mismatch> {
        if let Event::Node(node) = event {
            self.passed.count(cycle, node);
        }
        match event {
            Event::Node(node) if !node.fresh => Ok(()),
            Event::Node(node) => {
                self.nodes_compared += 1;
                self.ensure_root();
                match node.tag.kind {
                    PassKind::Node => self.check_node(cycle, node),
                    PassKind::Probe => self.check_probe(cycle, node),
                    PassKind::Order | PassKind::OrderFours => self.check_order(cycle, node),
                    PassKind::Reply => self.check_reply(cycle, node),
                    PassKind::Answered => self.check_answered(cycle, node),
                    PassKind::Surviving => self.check_surviving(cycle, node),
                    PassKind::OrderSurviving => self.check_order_surviving(cycle, node),
                }
            }
            Event::Return(returned) => {
                self.returns_compared += 1;
                self.ensure_root();
                self.check_return(cycle, returned)
            }
            Event::Decision(decision) => {
                self.passed.ended(cycle);
                self.check_decision(cycle, decision)
            }
        }
    }

    /// Records the root: the core keeps its evaluation from the command before.
    fn ensure_root(&mut self) {
        let remaining = Remaining { depth: self.levels, extensions: self.tables.config.extensions };
        let position = &self.position;
        self.nodes.entry(Vec::new()).or_insert_with(|| Node::new(remaining, &evaluate(position, remaining)));
    }

    /// Runs `f` at the position after `path`.
    pub(crate) fn at<T>(&mut self, path: &[Cell], f: impl FnOnce(&mut Position) -> T) -> Option<T> {
        let mut played = 0;
        let legal = path.iter().all(|&cell| {
            let ok = self.position.play(cell).is_ok();
            played += usize::from(ok);
            ok
        });
        let result = legal.then(|| f(&mut self.position));
        (0..played).for_each(|_| {
            self.position.undo();
        });
        result
    }

    /// Levels and extensions of a node by its parent's, or what is wrong with the path.
    fn place_of(&mut self, path: &[Cell]) -> Result<Remaining, String> {
        let Some((&last, parent_path)) = path.split_last() else {
            return Ok(Remaining { depth: self.levels, extensions: self.tables.config.extensions });
        };
        let beam = |used: usize| self.tables.config.beam_at(used);
        let levels = self.levels;
        let Some(parent) = self.nodes.get(parent_path) else {
            return Err("a parent that has been evaluated".into());
        };
        let (remaining, outcome, best) = (parent.remaining, parent.outcome, parent.best);
        match outcome {
            Outcome::Forced if remaining.depth + remaining.extensions > 0 => {
                if best.map(|b| b.cell) != Some(last) {
                    return Err(format!("the forced reply, {}", best.description(&self.tables.geometry)));
                }
                Ok(if remaining.extensions > 0 {
                    Remaining { extensions: remaining.extensions - 1, ..remaining }
                } else {
                    Remaining { depth: remaining.depth - 1, extensions: 0 }
                })
            }
            Outcome::Open if remaining.depth > 0 => {
                let width = beam(levels - remaining.depth);
                let moves = self.moves_of(parent_path, width);
                if width == 0 {
                    if !moves.list.iter().any(|m| m.cell == last) {
                        return Err("a move of its parent".into());
                    }
                } else {
                    let next = moves.next_in_beam();
                    if next.map(|mv| mv.cell) != Some(last) {
                        let beam = moves.beam;
                        let next = next.description(&self.tables.geometry);
                        return Err(format!("the next move in the beam of {beam}, {next}"));
                    }
                    moves.searches(last);
                }
                Ok(Remaining { depth: remaining.depth - 1, ..remaining })
            }
            _ => Err(format!("no child of a node that ends by {}", outcome.name())),
        }
    }

    /// The moves of a retired node; the first pass has brought out the first cells already. In a beam none has been searched.
    fn moves_of(&mut self, path: &[Cell], beam: usize) -> &mut Moves {
        if self.nodes[path].moves.is_none() {
            let list = self.at(path, |position| ordered_moves(position)).unwrap_or_default();
            let within = if beam > 0 { list.len().min(beam) } else { list.len() };
            let mut moves = Moves { out: vec![false; list.len()], beam: within, list };
            if beam == 0 {
                let winners = moves.winners(&self.layout, false);
                moves.take(&self.layout, &winners);
            }
            self.nodes.get_mut(path).expect("the node has retired").moves = Some(moves);
        }
        self.nodes.get_mut(path).expect("the node has retired").moves.as_mut().expect("just filled")
    }

    fn check_node(&mut self, cycle: u64, node: &TraceNode) -> Result<(), Mismatch> {
        let path = &node.tag.path;
        let remaining = self
            .place_of(path)
            .map_err(|wanted| self.mismatch(cycle, "node", path, "path", wanted, &node.tag))?;
        let Some((evaluation, floor, value, one_empty, unproved)) = self.at(path, |position| {
            let evaluation = evaluate(position, remaining);
            let empty = position.tables().geometry.cells() - position.stones();
            let floor = floor(position, remaining, &evaluation);
            let value = floor.unwrap_or_else(|| ending_value(position, &evaluation, path.len()));
            (evaluation, floor, value, empty == 1, is_unproved(position, &evaluation))
        }) else {
            return Err(self.mismatch(cycle, "node", path, "path", "legal moves", path));
        };
        let expected_depth_zero = remaining.depth == 0;
        macro_rules! compare {
            ($field:literal, $expected:expr, $got:expr) => {
                if $expected != $got {
                    return Err(self.mismatch(cycle, "node", path, $field, $expected, $got));
                }
            };
        }
        compare!("extensions", remaining.extensions, node.tag.extensions);
        compare!("depth_zero", expected_depth_zero, node.tag.depth_zero);
        compare!("potential", evaluation.potential, node.tag.potential);
        compare!("outcome", Some(evaluation.outcome), node.outcome);
        compare!("best", evaluation.best, node.best);
        compare!("leaf_value", evaluation.leaf_value, node.leaf_value);
        compare!("floor_holds", floor.is_some(), node.floor_holds);
        compare!("value", value, node.value);
        compare!("one_empty", one_empty, node.one_empty);
        compare!("unproved", unproved, node.unproved);
        if evaluation.outcome == Outcome::Open && remaining.depth > 0 {
            let list = self.at(path, |position| ordered_moves(position)).unwrap_or_default();
            let more = list.len() > 1;
            compare!("more", more, node.more);
            let moves = Moves { out: vec![false; list.len()], beam: list.len(), list };
            let winners = moves.winners(&self.layout, false);
            compare!("winners", winners, node.winners.clone());
        }
        if self.nodes_at_ply.len() <= path.len() {
            self.nodes_at_ply.resize(path.len() + 1, 0);
        }
        self.nodes_at_ply[path.len()] += 1;
        let record = Node::new(remaining, &evaluation);
        if self.nodes.insert(path.clone(), record).is_some() && !path.is_empty() {
            return Err(self.mismatch(cycle, "node", path, "visits", "one", "another"));
        }
        Ok(())
    }

    fn check_probe(&mut self, cycle: u64, node: &TraceNode) -> Result<(), Mismatch> {
        let path: &[Cell] = &[];
        let Some(change) = self.changes.pop_front() else {
            return Err(self.mismatch(
                cycle,
                "probe",
                path,
                "reason",
                "no change of the position",
                node.best,
            ));
        };
        let (Change::Place(cell) | Change::TakeBack(cell)) = change;
        if let Change::TakeBack(_) = change {
            self.position.undo();
        }
        let side = self.position.side_to_move();
        let gain = self.position.gain(side, cell);
        let got = node.best.map(|b| (b.cell, b.gain));
        if got != Some((cell, gain)) {
            return Err(self.mismatch(cycle, "probe", path, "cell and gain", Some((cell, gain)), got));
        }
        if let Change::Place(_) = change {
            self.position.play(cell).map_err(|e| {
                let text = e.to_string();
                self.mismatch(cycle, "probe", path, "move", text, cell)
            })?;
        }
        // The next root is another one.
        self.nodes.clear();
        Ok(())
    }

    fn check_order(&mut self, cycle: u64, node: &TraceNode) -> Result<(), Mismatch> {
        let path = &node.tag.path;
        let Some(record) = self.nodes.get(path) else {
            return Err(self.mismatch(cycle, "order", path, "path", "a node that has been evaluated", path));
        };
        let fours = node.tag.kind == PassKind::OrderFours;
        let beam = self.tables.config.beam_at(self.levels.saturating_sub(record.remaining.depth));
        let layout = self.layout.clone();
        let moves = self.moves_of(path, beam);
        if beam > 0 && moves.next_in_beam().is_none() {
            let limit = moves.beam;
            return Err(self.mismatch(cycle, "order", path, "beam", limit, "a pass for more"));
        }
        let winners = moves.winners(&layout, fours);
        let key =
            |w: &Winner| (w.picked.gain, std::cmp::Reverse(layout.geometry.rank[w.picked.cell as usize]));
        let best = winners.iter().flatten().max_by_key(|w| key(w)).map(|w| w.picked);
        if beam == 0 {
            moves.take(&layout, &winners);
        }
        if best != node.best {
            return Err(self.mismatch(cycle, "order", path, "next move", best, node.best));
        }
        if winners != node.winners {
            return Err(self.mismatch(cycle, "order", path, "winners", winners, &node.winners));
        }
        Ok(())
    }

    fn check_return(&mut self, cycle: u64, returned: &TraceReturn) -> Result<(), Mismatch> {
        let path = &returned.path;
        let Some(record) = self.nodes.get(path) else {
            return Err(self.mismatch(cycle, "return", path, "path", "a node that has been evaluated", path));
        };
        let remaining = record.remaining;
        let level = self.levels + 1 - remaining.depth;
        if level != returned.level {
            return Err(self.mismatch(cycle, "return", path, "level", level, returned.level));
        }
        if remaining.extensions != returned.extensions {
            return Err(self.mismatch(
                cycle,
                "return",
                path,
                "extensions",
                remaining.extensions,
                returned.extensions,
            ));
        }
        let Some(bound) = returned.bound else {
            return Err(self.mismatch(
                cycle,
                "return",
                path,
                "bound",
                "exact, upper or lower",
                returned.bound,
            ));
        };
        let (value, levels) = (returned.value, self.levels);
        let place = NodePlace { ply: path.len(), remaining };
        // The narrowest window that tells: a search with it costs no more than the RTL's own.
        let (alpha, beta) = match bound {
            Bound::Exact => (value - 1, value + 1),
            Bound::Upper => (value, value + 1),
            Bound::Lower => (value - 1, value),
        };
        let model = self
            .at(path, |position| Search::new(position, levels).value(place, alpha, beta))
            .expect("the path of a retired node is legal");
        let agrees = match bound {
            Bound::Exact => model == value,
            Bound::Upper => model <= value,
            Bound::Lower => model >= value,
        };
        if !agrees {
            let exact = self.at(path, |position| Search::new(position, levels).exact_value(place));
            return Err(self.mismatch(cycle, "return", path, "value", exact, (bound, value)));
        }
        Ok(())
    }

    fn check_decision(&mut self, cycle: u64, decision: &TraceDecision) -> Result<(), Mismatch> {
        let got = RootDecision { cell: decision.cell, score: decision.score };
        let next = self.expected.pop_front();
        // The limit ends a search that has one before it to fall back on.
        let cut = self.decided == Some(got) && next.is_some();
        if next.map(|(_, decision)| decision) != Some(got) && !cut {
            return Err(self.mismatch(cycle, "decision", &[], "move and score", next, got));
        }
        // The move is played in the end; a deeper search comes before it.
        if self.decided.replace(got).is_some() {
            self.changes.pop_back();
        }
        self.changes.push_back(Change::Place(got.cell));
        if let Some(&(levels, _)) = self.expected.front() {
            self.levels = levels;
            self.nodes.clear();
        }
        Ok(())
    }
}

/// Value the core gives a node that ends at its evaluation: by rule, else the leaf value.
fn ending_value(position: &Position, evaluation: &NodeEvaluation, ply: usize) -> i32 {
    let scoring = &position.tables().scoring;
    match evaluation.outcome {
        Outcome::Full => 0,
        Outcome::Win => scoring.win_at(ply + 1),
        Outcome::Loss => -scoring.win_at(ply + 2),
        Outcome::Double => scoring.win_at(ply + 3),
        Outcome::Forced | Outcome::Open | Outcome::Lost => evaluation.leaf_value,
    }
}
