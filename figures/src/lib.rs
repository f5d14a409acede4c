// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures as people read them, whatever they are of.
//!
//! - [`clock`]: frequencies as text, and how long so many cycles take.
//! - [`statistics`]: what a list of figures looks like; [`number`]: one of them as text.
//! - [`table`]: tables for terminal, Markdown and browser.
//! - [`chart`]: charts of pages, described; [`html`]: self-contained pages.
//! - [`picture`]: what the pictures of documents share.
//!
//! No file and no printing.

pub mod chart;
pub mod clock;
pub mod html;
mod labels;
pub mod number;
pub mod picture;
pub mod statistics;
pub mod table;
