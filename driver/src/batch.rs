// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many positions in one call.

use crate::board::{Board, Limits, RESTORATIONS, Solved, bytes_of, encode};
use crate::error::BoardError;
use crate::session::Broken;
use engine_model::Point;
use std::sync::atomic::Ordering;

impl Board {
    /// Searches positions, each reached by its moves from the empty board: several in one frame where there is no processor, one after the
    /// other where there is. What each search found, `None` where the game is over. The game on the board is the same afterwards.
    pub fn search_each(
        &mut self,
        positions: &[Vec<Point>],
        limits: Limits,
    ) -> Result<Vec<Option<Solved>>, BoardError> {
        let built = self.identity.levels;
        if let Some(asked) = limits.levels.filter(|asked| !(1..=built).contains(asked)) {
            return Err(BoardError::Levels { asked, built });
        }
        for &point in positions.iter().flatten() {
            encode(point, &self.identity)?;
        }
        let own = self.moves.clone();
        if self.host.is_none() {
            let mut all = Vec::new();
            for moves in positions {
                self.set_position(moves)?;
                all.push(self.search(limits)?.map(Solved::from));
            }
            self.set_position(&own)?;
            return Ok(all);
        }
        self.session.cancel.store(false, Ordering::Relaxed);
        let encoded: Vec<Vec<u8>> = positions.iter().map(|moves| bytes_of(moves)).collect();
        for _ in 0..RESTORATIONS {
            if self.unsure {
                self.restore()?;
            }
            self.unsure = true;
            let Some(host) = &mut self.host else { return Err(BoardError::Lost) };
            match host.batch(&mut self.session, &encoded, limits) {
                Ok(all) => {
                    self.unsure = false;
                    return Ok(all);
                }
                Err(Broken::Error(error)) => return Err(error),
                Err(Broken::Line(error)) => self.session.reopen(&error)?,
                Err(Broken::Session) => {}
            }
        }
        Err(BoardError::Lost)
    }
}
