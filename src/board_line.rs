// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards on a serial line, as the command line names them.

use crate::software::PvsArguments;
use driver::Patience;
use driver::engine::{AnyBoard, Protocol, connect};
use driver::transport::Port;
use engine_model::{Config, Engine};

/// How a board is reached.
#[derive(clap::Args, Clone, Debug)]
pub struct LineArguments {
    /// Baud rate of a board's serial line; `tengen boards` tells those of the designs for boards
    #[arg(long, help_heading = "A board's serial line", value_name = "BAUD", default_value_t = driver::transport::DEFAULT_BAUD, value_parser = clap::value_parser!(u32).range(1..))]
    pub baud: u32,
    /// Protocol of a board's serial line
    #[arg(long, help_heading = "A board's serial line", value_name = "PROTOCOL", value_enum, default_value_t = ProtocolName::Auto)]
    pub protocol: ProtocolName,
    /// Multiply the driver's timeouts by this factor: a simulated board is slower than a real one
    #[arg(long, help_heading = "A board's serial line", value_name = "TIMES", default_value_t = 1.0, value_parser = times)]
    pub patience: f64,
}

/// A number of times.
fn times(text: &str) -> Result<f64, String> {
    let times: Option<f64> = text.parse().ok().filter(|times| (0.1..=1e6).contains(times));
    times.ok_or_else(|| "write a number from 0.1 to 1000000".into())
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

    /// As it is written on a command line, but for what is the default.
    pub fn told(&self) -> String {
        let usual = LineArguments::default();
        let mut told = String::new();
        if self.baud != usual.baud {
            told += &format!(" --baud {}", self.baud);
        }
        if self.patience != usual.patience {
            told += &format!(" --patience {}", self.patience);
        }
        if let Some(name) = clap::ValueEnum::to_possible_value(&self.protocol)
            && self.protocol != usual.protocol
        {
            told += &format!(" --protocol {}", name.get_name());
        }
        told
    }
}

impl Default for LineArguments {
    fn default() -> LineArguments {
        LineArguments { baud: driver::transport::DEFAULT_BAUD, protocol: ProtocolName::Auto, patience: 1.0 }
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

impl EngineArguments {
    /// As [`LineArguments::framed`].
    pub fn framed(&self) -> EngineArguments {
        EngineArguments { line: self.line.framed(), pvs: self.pvs.clone() }
    }
}

/// A protocol on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProtocolName {
    /// Detect it
    Auto,
    /// Frames with sequence number and CRC
    Framed,
    /// Commands of eight bytes, answers of two lines
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

/// The board on a port, whatever it holds.
pub fn reached(path: &str, line: &LineArguments) -> anyhow::Result<AnyBoard> {
    let port = Port { path: path.into(), baud: line.baud };
    Ok(connect(Box::new(port), Patience::default().times(line.patience), line.protocol.into())?)
}

/// The board on a port, which must hold this configuration.
pub fn board(path: &str, config: &Config, line: &LineArguments) -> anyhow::Result<Box<dyn Engine>> {
    Ok(Box::new(reached(path, line)?.engine(config)?))
}
