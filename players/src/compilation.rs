// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the engines have been compiled.

/// Compiler and flags of this crate: what a time of its engines depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compilation {
    /// Compiler and version.
    pub rustc: &'static str,
    /// Optimisation level of this crate, which a profile may set apart from the others'.
    pub opt_level: &'static str,
    /// Target triple.
    pub target: &'static str,
    /// Flags besides (RUSTFLAGS); empty = none.
    pub flags: &'static str,
    /// Whether debug assertions are compiled in.
    pub debug_assertions: bool,
}

/// Of this build.
pub const COMPILATION: Compilation = Compilation {
    rustc: env!("PLAYERS_RUSTC"),
    opt_level: env!("PLAYERS_OPT_LEVEL"),
    target: env!("PLAYERS_TARGET"),
    flags: env!("PLAYERS_RUSTFLAGS"),
    debug_assertions: cfg!(debug_assertions),
};
