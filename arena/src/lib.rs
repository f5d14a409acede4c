// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matches between engines.
//!
//! - [`gomocup`]: the Gomocup protocol, around any engine.
//! - [`openings`]: the positions games start from, read from text.
//! - [`game`]: one game between two engines, under a referee.
//! - [`series`]: many games, from both sides of every opening, as a list of plain records.
//! - [`statistics`]: what the results say: score, Elo with its interval, likelihood of superiority.
//! - [`sprt`]: when a match may end early; [`sgf`], [`psq`]: its games for other programs.
//! - [`games`]: games from a text of any of these forms.
//! - [`solve`]: an engine's view of a position; [`drawing`]: a board as text.
//! - [`summary`]: everything a report needs, from the records alone.
//!
//! No file, port or printing here: texts come in, plain data goes out. Clocks measure how long engines
//! think, and [`gomocup`] ends a search by one.

pub mod drawing;
pub mod game;
mod game_error;
pub mod games;
pub mod gomocup;
pub mod openings;
pub mod psq;
pub mod series;
pub mod sgf;
mod sgf_words;
pub mod solve;
pub mod sprt;
pub mod statistics;
pub mod summary;
pub mod text;
