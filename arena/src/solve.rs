// SPDX-License-Identifier: MIT OR Apache-2.0
//! An engine's view of a position, by nothing but its searches.

use engine_model::position::Tables;
use engine_model::search::Search;
use engine_model::{Cell, Decision, Engine, EngineError, Position};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A score as it stands for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The engine's own measure.
    pub score: i32,
    /// Moves of both sides to the end, if the score tells: positive for a win.
    pub decided: Option<i32>,
}

impl Worth {
    /// A won position is worth more than any score, the sooner the more; a lost one the less, the sooner.
    fn rank(self) -> (i32, i32) {
        match self.decided {
            Some(plies) if plies > 0 => (1, -plies),
            Some(plies) => (-1, -plies),
            None => (0, self.score),
        }
    }

    /// What it is worth to the side that moved to get there.
    fn before(self) -> Worth {
        match self.decided {
            None => Worth { score: -self.score, decided: None },
            // A move further from the end, and in the score so much nearer to nothing.
            Some(plies) => {
                Worth { score: -(self.score - self.score.signum()), decided: Some(-(plies + plies.signum())) }
            }
        }
    }
}

/// A worth in words.
pub fn told(worth: Worth) -> String {
    match worth.decided {
        Some(plies) if plies > 0 => format!("wins in {plies}"),
        Some(plies) => format!("loses in {}", -plies),
        None => format!("{:+}", worth.score),
    }
}

/// One search.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Levels searched.
    pub levels: usize,
    /// The move.
    pub cell: Cell,
    /// What the position is worth by it.
    pub worth: Worth,
    /// What the engine answered.
    pub decision: Decision,
    /// Wall clock.
    pub time: Duration,
}

/// What is found.
#[derive(Debug)]
pub struct Solution {
    /// Searches of growing depth; the last one's move is the answer.
    pub iterations: Vec<Iteration>,
    /// The last search's move, then the best of the others, each as a child of that search; empty if there is no such search. A move that
    /// the search did not look at, as outside its beam, may have a higher score than the first.
    pub moves: Vec<(Cell, Worth)>,
    /// How the engine sees the game go on: each move by a search of one level less than the one before.
    pub line: Vec<Cell>,
}

impl Solution {
    /// Whether a move that was not chosen has a higher score than the one that was.
    pub fn outranked(&self) -> bool {
        self.moves.first().is_some_and(|(_, first)| self.moves.iter().any(|(_, of)| of.rank() > first.rank()))
    }
}

/// Why the first move of a game is what it is.
pub const FIRST_MOVE: &str = "the first move is the centre, by rule";

/// Why a move that was not played can have a higher score than the one that was.
pub fn why_outranked(keeps_contract: bool) -> &'static str {
    if keeps_contract {
        "a move with a higher score than the one played was not searched: the beam left it out at the root"
    } else {
        "a move with a higher score than the one played: the scores are of other searches than the decision"
    }
}

/// An engine at work on positions of one game.
pub struct Solver<'a> {
    /// The engine.
    pub engine: &'a mut dyn Engine,
    /// Of its configuration.
    pub tables: Arc<Tables>,
}

impl Solver<'_> {
    fn search(&mut self, moves: &[Cell], levels: usize) -> Result<Option<Iteration>, EngineError> {
        self.engine.set_position(moves)?;
        let begin = Instant::now();
        let decision = self.engine.search(Some(levels))?;
        let time = begin.elapsed();
        let worth = Worth { score: decision.score, decided: self.engine.decided(decision.score) };
        Ok(decision.cell.map(|cell| Iteration { levels, cell, worth, decision, time }))
    }

    /// What a position is worth to the side to move, with so many levels; of a full board nothing.
    fn worth(&mut self, moves: &[Cell], levels: usize) -> Result<Worth, EngineError> {
        let found = self.search(moves, levels)?;
        // A full board.
        Ok(found.map_or(Worth { score: 0, decided: None }, |iteration| iteration.worth))
    }

    /// Looks at an open position with growing depth up to `levels`.
    pub fn deepen(
        &mut self,
        moves: &[Cell],
        levels: usize,
        searched: &mut dyn FnMut(&Iteration),
    ) -> Result<Vec<Iteration>, EngineError> {
        let mut iterations: Vec<Iteration> = Vec::new();
        let step = self.engine.step();
        let mut next = step.min(levels);
        while let Some(iteration) = self.search(moves, next)? {
            searched(&iteration);
            let over = iteration.worth.decided.is_some();
            iterations.push(iteration);
            if next == levels || over {
                break;
            }
            next = (next + step).min(levels);
        }
        Ok(iterations)
    }

    /// The same, and its `best` best moves and how the game goes on.
    pub fn solve(
        &mut self,
        moves: &[Cell],
        levels: usize,
        best: usize,
        searched: &mut dyn FnMut(&Iteration),
    ) -> Result<Solution, EngineError> {
        let iterations = self.deepen(moves, levels, searched)?;
        let Some(last) = iterations.last().cloned() else {
            return Ok(Solution { iterations, moves: Vec::new(), line: Vec::new() });
        };
        let candidates = Position::from_moves(&self.tables, moves)?.candidates();
        // The first move of a game is a rule's, which compares nothing.
        let moves_found = match (best, moves) {
            (0 | 1, _) => Vec::new(),
            (_, []) => vec![(last.cell, last.worth)],
            _ => self.best_moves(moves, &last, candidates, best)?,
        };
        let line = self.line(moves, &last)?;
        Ok(Solution { iterations, moves: moves_found, line })
    }

    /// The move of the last search, then the best of the cells, `best` in all. Of an engine that keeps the search contract each is worth what it is as
    /// a child of that search (beams and extensions count from its root); of others, what a search of one level less after it says, and
    /// none if there is no such search.
    pub fn best_moves(
        &mut self,
        moves: &[Cell],
        last: &Iteration,
        mut cells: Vec<Cell>,
        best: usize,
    ) -> Result<Vec<(Cell, Worth)>, EngineError> {
        let keeps_contract = self.engine.keeps_contract();
        if last.levels < 2 && !keeps_contract {
            return Ok(Vec::new());
        }
        // The engine's own choice may lie outside.
        cells.retain(|cell| *cell != last.cell);
        let mut found = vec![(last.cell, last.worth)];
        let mut position = Position::from_moves(&self.tables, moves)?;
        for cell in cells {
            let worth = if keeps_contract {
                let score = self.as_child(&mut position, cell, last.levels)?;
                Worth { score, decided: self.engine.decided(score) }
            } else {
                let after = [moves, &[cell]].concat();
                // A line that is complete: as good as the engine's own move then is.
                let wins = Position::from_moves(&self.tables, &after)?.winner().is_some();
                match wins && last.worth.decided == Some(1) {
                    true => last.worth,
                    false => self.worth(&after, last.levels - 1)?.before(),
                }
            };
            found.push((cell, worth));
        }
        // The decision stays first.
        found[1..].sort_by_key(|(_, worth)| std::cmp::Reverse(worth.rank()));
        found.truncate(best);
        Ok(found)
    }

    /// A move's score in a search of the contract, ended as the engine's own are.
    fn as_child(&self, position: &mut Position, cell: Cell, levels: usize) -> Result<i32, EngineError> {
        let stop = self.engine.stop().unwrap_or_default();
        let mut search = Search::new(position, levels).stopped_by(&stop);
        let score = search.worth_of(cell);
        if search.was_stopped() { Err(EngineError::Stopped) } else { Ok(score) }
    }

    fn line(&mut self, moves: &[Cell], first: &Iteration) -> Result<Vec<Cell>, EngineError> {
        let mut all = [moves, &[first.cell]].concat();
        // A win in view is followed to its end, which lies beyond the last level.
        let most = first.worth.decided.map_or(first.levels, |plies| plies.unsigned_abs() as usize);
        for played in 1..most {
            if Position::from_moves(&self.tables, &all)?.is_over() {
                break;
            }
            let levels = first.levels.saturating_sub(played).max(1);
            let Some(next) = self.search(&all, levels)? else { break };
            all.push(next.cell);
        }
        Ok(all.split_off(moves.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_model::ModelEngine;
    use engine_model::named::named;
    use engine_model::notation::parse_games;

    fn solved(moves: &[Cell], levels: usize) -> Solution {
        let config = named("gomoku15").unwrap();
        let mut engine = ModelEngine::new(&config);
        let tables = Tables::new(&config);
        let mut solver = Solver { engine: &mut engine, tables };
        solver.solve(moves, levels, 5, &mut |_| ()).unwrap()
    }

    #[test]
    fn the_best_move_by_its_own_search_is_the_decision() {
        let config = named("gomoku15").unwrap();
        let text = include_str!("../../positions/midgame_120.txt");
        for moves in parse_games(text, &config.geometry()).unwrap().iter().step_by(10) {
            let solution = solved(moves, 4);
            let last = solution.iterations.last().unwrap();
            // Full width, no extensions: the children's searches are the tree's.
            assert_eq!(solution.moves[0], (last.cell, last.worth), "{moves:?}");
            assert!(solution.moves.windows(2).all(|pair| pair[0].1.rank() >= pair[1].1.rank()));
            assert!(!solution.outranked());
            assert_eq!(solution.line[0], last.cell);
        }
        let empty = solved(&[], 4);
        assert_eq!(empty.moves, [(112, empty.iterations[0].worth)], "the centre, by rule");
    }

    /// With beams a position is another one as a root than as a child.
    #[test]
    fn a_move_is_scored_as_the_child_it_is() {
        let config = named("gomoku7").unwrap();
        let tables = Tables::new(&config);
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..60 {
            let mut position = Position::new(&tables);
            for _ in 0..rng.usize(1..8) {
                let cells = position.candidates();
                if !position.is_over() {
                    position.place(cells[rng.usize(0..cells.len())]);
                }
            }
            if position.is_over() {
                continue;
            }
            let moves = position.moves().to_vec();
            let mut engine = ModelEngine::new(&config);
            let mut solver = Solver { engine: &mut engine, tables: tables.clone() };
            let solution = solver.solve(&moves, config.levels, 42, &mut |_| ()).unwrap();
            let last = solution.iterations.last().unwrap();
            assert_eq!(solution.moves[0], (last.cell, last.worth), "{moves:?}");
            for (cell, worth) in &solution.moves {
                let score = Search::new(&mut position, last.levels).worth_of(*cell);
                // A forced reply keeps its level where an extension is left.
                assert!(*cell == last.cell || worth.score == score, "{moves:?} {cell}");
            }
        }
    }

    /// A beam leaves moves out at the root; some of them have a higher score than the move that is played, which stays first all the same.
    #[test]
    fn the_decision_comes_first_though_the_beam_left_a_better_move_out() {
        let config = named("gomoku15-deep").unwrap();
        let tables = Tables::new(&config);
        let text = include_str!("../../positions/midgame_120.txt");
        let outranked = parse_games(text, &tables.geometry).unwrap().into_iter().any(|moves| {
            let mut engine = ModelEngine::new(&config);
            let mut solver = Solver { engine: &mut engine, tables: tables.clone() };
            let solution = solver.solve(&moves, 2, 225, &mut |_| ()).unwrap();
            let last = solution.iterations.last().unwrap();
            assert_eq!(solution.moves[0], (last.cell, last.worth), "{moves:?}");
            solution.outranked()
        });
        assert!(outranked, "no beam left a better move out");
    }

    #[test]
    fn a_win_is_told_and_followed_to_its_end() {
        let at = |x: usize, y: usize| (y * 15 + x) as Cell;
        // An open three, the other side's stones far apart.
        let moves = [at(5, 7), at(0, 0), at(6, 7), at(14, 0), at(7, 7), at(0, 14)];
        let solution = solved(&moves, 4);
        let last = solution.iterations.last().unwrap();
        assert_eq!((last.levels, last.worth.decided), (2, Some(3)), "a double cell needs no level");
        assert_eq!(solution.moves[0].1.decided, Some(3));
        assert_eq!(solution.line.len(), 3);
        let config = named("gomoku15").unwrap();
        let end =
            Position::from_moves(&Tables::new(&config), &[&moves[..], &solution.line].concat()).unwrap();
        assert_eq!(end.winner(), Some(0));
        // One move before the end, and at it.
        let won = solved(&[&moves[..], &solution.line[..2]].concat(), 4);
        assert_eq!(won.moves[0].1.decided, Some(1));
        let over = solved(&[&moves[..], &solution.line].concat(), 4);
        assert!(over.iterations.is_empty());
    }
}
