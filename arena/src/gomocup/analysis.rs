// SPDX-License-Identifier: MIT OR Apache-2.0
//! What managers for analysis ask beyond Gomocup's protocol, in Yixin's words: the best moves of a position.

use super::session::Session;
use super::thinking::place;
use crate::solve::{Iteration, Solver, Worth};
use engine_model::evaluation::ordered_moves;
use std::time::Duration;

/// Moves beside the best that are looked at for each that is wanted: the limit of a move is for the best alone.
const LOOKED_AT: usize = 3;

impl Session<'_> {
    /// The best moves of the position, each with its score, and the best one as the answer; none is played.
    pub(super) fn best(&mut self, count: usize, said: &mut Vec<String>) -> Result<String, String> {
        let (decision, levels) = self.search(said)?;
        let cell = decision.cell.ok_or("the game is over: send RESTART")?;
        let game = self.game()?;
        let answer = game.text(cell);
        if count > 1 {
            let worth = Worth { score: decision.score, decided: game.engine.decided(decision.score) };
            let found = Iteration { levels, cell, worth, decision, time: Duration::ZERO };
            let ordered = ordered_moves(&game.position(&game.moves)?).into_iter().map(|m| m.cell);
            let cells = ordered.take(LOOKED_AT.saturating_mul(count)).collect();
            let mut solver = Solver { engine: game.engine.as_mut(), tables: game.tables.clone() };
            let ranked =
                solver.best_moves(&game.moves, &found, cells, count).map_err(|error| error.to_string())?;
            for (number, (cell, worth)) in ranked.into_iter().enumerate() {
                said.push(format!(
                    "MESSAGE ({}) EV {} PV {}",
                    number + 1,
                    worth.score,
                    place(&game.tables, cell)
                ));
            }
        }
        Ok(answer)
    }
}
