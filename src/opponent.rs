// SPDX-License-Identifier: MIT OR Apache-2.0
//! Engines by name: `model`, `rtl`, other people's algorithms, or a port with a board on it.

use crate::configs::{MAIN, NAMED, load};
use crate::sides::Side;
use crate::software::{Learn, MODEL, PvsArguments, check_learns, is_software, software};
use anyhow::{Context, bail};
use driver::Patience;
use driver::engine::{AnyBoard, Protocol, connect};
use driver::transport::Port;
use engine_model::{Config, Engine};
use players::roster::names;

/// How a board is reached.
#[derive(clap::Args, Clone, Debug)]
pub struct LineArguments {
    /// Rate of a board's serial line
    #[arg(long, help_heading = "A board's serial line", value_name = "BAUD", default_value_t = driver::transport::DEFAULT_BAUD)]
    pub baud: u32,
    /// Protocol of a board's serial line
    #[arg(long, help_heading = "A board's serial line", value_name = "PROTOCOL", value_enum, default_value_t = ProtocolName::Auto)]
    pub protocol: ProtocolName,
}

impl LineArguments {
    /// For who sets whole positions and chooses levels, which the original protocol cannot: frames unless something else is asked
    /// for.
    pub fn framed(&self) -> LineArguments {
        let protocol = match self.protocol {
            ProtocolName::Auto => ProtocolName::Framed,
            asked => asked,
        };
        LineArguments { protocol, ..self.clone() }
    }
}

impl Default for LineArguments {
    fn default() -> LineArguments {
        LineArguments { baud: driver::transport::DEFAULT_BAUD, protocol: ProtocolName::Auto }
    }
}

/// What engines need beside their names.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct EngineArguments {
    #[command(flatten)]
    pub line: LineArguments,
    #[command(flatten)]
    pub pvs: PvsArguments,
}

/// An engine on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct ChosenEngine {
    /// What plays: model, rtl (the simulated core), greedy, five-tuple, line-shape, pvs, or the path of a board's port
    #[arg(long = "engine", value_name = "ENGINE", default_value = MODEL[0])]
    pub name: String,
    /// Configuration: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE")]
    pub config: Option<String>,
    /// Most levels of a search; else as built
    #[arg(long, value_name = "N")]
    pub levels: Option<usize>,
    #[command(flatten)]
    pub arguments: EngineArguments,
}

impl ChosenEngine {
    /// The engine; `learn` as in [`open`].
    pub fn open(&self, learn: Option<Learn>) -> anyhow::Result<Box<dyn Engine>> {
        open(&self.name, self.config.as_deref(), &self.arguments.framed(), learn)
    }
}

impl EngineArguments {
    /// As [`LineArguments::framed`].
    pub fn framed(&self) -> EngineArguments {
        EngineArguments { line: self.line.framed(), pvs: self.pvs.clone() }
    }
}

/// A protocol on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProtocolName {
    /// Found out
    Auto,
    /// Frames with sequence number and check
    Framed,
    /// Eight bytes, two lines
    Original,
}

impl From<ProtocolName> for Protocol {
    fn from(name: ProtocolName) -> Protocol {
        match name {
            ProtocolName::Auto => Protocol::Auto,
            ProtocolName::Framed => Protocol::Framed,
            ProtocolName::Original => Protocol::Original,
        }
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

fn reached(path: &str, line: &LineArguments) -> anyhow::Result<AnyBoard> {
    let port = Port { path: path.into(), baud: line.baud };
    Ok(connect(Box::new(port), Patience::default(), line.protocol.into())?)
}

/// The board on a port, which must hold this configuration.
pub fn board(path: &str, config: &Config, line: &LineArguments) -> anyhow::Result<Box<dyn Engine>> {
    Ok(Box::new(reached(path, line)?.engine(config)?))
}

/// The first named configuration that fits what a board tells: configurations that differ in scores only look alike.
fn held(board: &AnyBoard) -> anyhow::Result<Config> {
    for (name, _) in NAMED {
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
