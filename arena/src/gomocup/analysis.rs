// SPDX-License-Identifier: MIT OR Apache-2.0
//! What managers for analysis ask beyond Gomocup's protocol, in Yixin's words: the best moves of a position, and what a search finds
//! on its way.

use super::session::Session;
use super::thinking::place;
use engine_model::Position;
use engine_model::evaluation::ordered_moves;

/// Most moves beside the best that are looked at for each that is wanted.
const LOOKED_AT: usize = 3;

impl Session<'_> {
    /// The best moves of the position, each with its score, and the best one as the answer; none is played.
    pub(super) fn best(&mut self, count: usize, said: &mut Vec<String>) -> Result<String, String> {
        let (decision, levels) = self.search(said)?;
        let cell = decision.cell.ok_or("the game is over: send RESTART")?;
        let game = self.game()?;
        let mut ranked = vec![(decision.score, cell)];
        let position = Position::from_moves(&game.tables, &game.moves).map_err(|error| error.to_string())?;
        let others = ordered_moves(&position).into_iter().map(|m| m.cell).filter(|&other| other != cell);
        let mut line = game.moves.clone();
        for other in others.take(if count > 1 { LOOKED_AT * count } else { 0 }) {
            line.push(other);
            let over = Position::from_moves(&game.tables, &line).is_ok_and(|position| position.is_over());
            // What the opponent makes of it, a level less deep: from its own side.
            let score = match over {
                true => Some(decision.score),
                false => {
                    game.engine.set_position(&line).map_err(|error| error.to_string())?;
                    let reply =
                        game.engine.search(Some(levels.max(2) - 1)).map_err(|error| error.to_string())?;
                    reply.cell.map(|_| -reply.score)
                }
            };
            line.pop();
            ranked.extend(score.map(|score| (score.min(decision.score), other)));
        }
        // The first stays first: the search preferred it.
        ranked[1..].sort_by_key(|(score, _)| -score);
        for (number, (score, cell)) in ranked.iter().take(count).enumerate().filter(|_| count > 1) {
            said.push(format!("MESSAGE ({}) EV {score} PV {}", number + 1, place(&game.tables, *cell)));
        }
        Ok(game.text(cell))
    }
}
