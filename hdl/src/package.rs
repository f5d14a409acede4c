// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a generated core, as texts: writing them is the caller's business.

use crate::layout::Layout;
use engine_model::Config;

/// Waivers for `verilator --lint-only -Wall`, each with its reason.
const LINT_WAIVERS: &str = include_str!("../lint/waivers.vlt");

/// Those of a core with floors, behind the others.
const FLOOR_WAIVERS: &str = include_str!("../lint/floor_waivers.vlt");

/// Those of a core that refutes moves by a reply, behind them.
const CEILING_WAIVERS: &str = include_str!("../lint/ceiling_waivers.vlt");

/// Those of a core with a transposition table, behind them.
const TRANSPOSITION_WAIVERS: &str = include_str!("../lint/transposition_waivers.vlt");

/// Those of a core that is described in operations on words, behind them.
const WORD_WAIVERS: &str = include_str!("../lint/word_waivers.vlt");

/// The waivers that the core of a configuration needs.
pub fn lint_waivers(config: &Config) -> String {
    let floors = if config.has_floor() { FLOOR_WAIVERS } else { "" };
    let ceilings = if config.has_ceilings() { CEILING_WAIVERS } else { "" };
    let transpositions = if config.has_transpositions() { TRANSPOSITION_WAIVERS } else { "" };
    let words = if Layout::new(config).by_words() { WORD_WAIVERS } else { "" };
    format!("{LINT_WAIVERS}{floors}{ceilings}{transpositions}{words}")
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path below the output folder.
    pub path: String,
    /// What it is for, in a few words.
    pub purpose: &'static str,
    /// Contents.
    pub text: String,
}

/// The RTL of the core of a checked configuration, its file list and its lint waivers.
pub fn files(config: &Config) -> Vec<File> {
    let emission = crate::emit_engine(config);
    let rtl = format!("rtl/{}.v", emission.top);
    let file = |path: String, purpose: &'static str, text: String| File { path, purpose, text };
    vec![
        file(format!("{}.f", config.name), "file list", format!("{rtl}\n")),
        file("lint/waivers.vlt".into(), "Verilator lint waivers with reasons", lint_waivers(config)),
        file(rtl, "the core", emission.verilog),
    ]
}
