// SPDX-License-Identifier: MIT OR Apache-2.0
//! Engines by name: `model`, `rtl`, other people's algorithms, or a port with a board on it.

use crate::board_line::{EngineArguments, board, reached};
use crate::configs::{MAIN, NAMED, load};
use crate::sides::Side;
use crate::software::{Learn, MODEL, check_learns, is_software, software};
use anyhow::{Context, bail};
use boards::board::of_digest;
use driver::engine::AnyBoard;
use engine_model::{Config, Engine};
use players::roster::names;

/// An engine on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct ChosenEngine {
    /// Engine: model, rtl (the simulated core), greedy, five-tuple, line-shape, pvs, or the path of a board's port
    #[arg(long = "engine", value_name = "ENGINE", default_value = MODEL[0])]
    pub name: String,
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE")]
    pub config: Option<String>,
    /// Maximum number of levels of a search; without it the number in the configuration
    #[arg(long, value_name = "N")]
    pub levels: Option<usize>,
    #[command(flatten)]
    pub arguments: EngineArguments,
}

impl ChosenEngine {
    /// The engine; `learn` as in [`fn@open`].
    pub fn open(&self, learn: Option<Learn>) -> anyhow::Result<Box<dyn Engine>> {
        open(&self.name, self.config.as_deref(), &self.arguments.framed(), learn)
    }
}

/// The engine of this name. `config` is what a model or simulated core plays, and what a board must hold; a board that is
/// asked for without one may hold any named configuration, and says which.
///
/// `learn`: what is done with a file of what `pvs` has learnt.
pub fn open(
    name: &str,
    config: Option<&str>,
    arguments: &EngineArguments,
    learn: Option<Learn>,
) -> anyhow::Result<Box<dyn Engine>> {
    if is_software(name) {
        return software(name, &load(config.unwrap_or(MAIN))?, &arguments.pvs, learn);
    }
    check_learns(name, learn.is_some())?;
    if name == "rtl" {
        let config = config.unwrap_or(MAIN);
        return Ok(Side::parse(&format!("{name}:{config}"))?.engine(arguments)?);
    }
    let line = &arguments.line;
    check_name(name)?;
    if let Some(config) = config {
        return board(name, &load(config)?, line);
    }
    let board = reached(name, line)?;
    let config = held(&board)?;
    Ok(Box::new(board.engine(&config)?))
}

/// Whether a name is a port's.
fn is_port(name: &str) -> bool {
    name.contains(['/', '\\']) || name.to_ascii_uppercase().starts_with("COM")
}

/// Refuses what is no port's path.
pub fn check_port(name: &str) -> anyhow::Result<()> {
    if is_port(name) {
        return Ok(());
    }
    bail!("{name:?} is no port: write its path, as /dev/ttyUSB0")
}

/// Refuses a name that no engine has.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    if name == "rtl" || is_software(name) || is_port(name) {
        return Ok(());
    }
    bail!(
        "no engine {name:?}: use {}, rtl, {}, or the path of a board's port, as /dev/ttyUSB0",
        MODEL[0],
        names()
    )
}

/// The configuration that a design for this board comes with, if it fits what the board tells; else the first named one that does:
/// configurations that differ in scores only look alike.
pub fn held(board: &AnyBoard) -> anyhow::Result<Config> {
    let hardware = match board {
        AnyBoard::Framed(board) => board.hardware(),
        AnyBoard::Original(_) => None,
    };
    let design = hardware.and_then(|hardware| of_digest(hardware.board));
    let own = design.and_then(|name| boards::board::Board::named(name).ok()).map(|board| board.config);
    for name in own.as_deref().into_iter().chain(NAMED.iter().map(|(name, _)| *name)) {
        let config = load(name)?;
        if board.holds(&config) {
            return Ok(config);
        }
    }
    match board {
        AnyBoard::Framed(board) => {
            bail!(
                "no named configuration is like the board's ({}): give its file with --config",
                board.identity()
            )
        }
        AnyBoard::Original(_) => load(MAIN).context("the original protocol's board"),
    }
}
