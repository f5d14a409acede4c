// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sides of a match by name: `[BACKEND:]CONFIG[@LEVELS]`, `board:PORT`, `brain:PROGRAM ARGUMENTS`.

use crate::board_line::{EngineArguments, board};
use crate::configs::AtLevels;
use crate::found;
use crate::software::{MODEL, PVS, PvsArguments, software};
use anyhow::{Context as _, bail};
use cosim::Kind;
use cosim::bench::BenchOptions;
use cosim::models::{Wanted, load, model};
use cosim::rtl_engine::RtlEngine;
use engine_model::{Config, Engine, EngineError, ModelEngine};
use players::FastEngine;
use players::roster::{MOST_LEVELS, names, player};
use std::time::Duration;
use tournament::program::{Called, Late};

/// What an engine is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The golden model.
    Model,
    /// The fast software: the model's moves in a fraction of its time.
    Fast,
    /// The simulated core.
    Rtl,
    /// Somebody else's algorithm, by its name.
    Player(String),
    /// A board on this port.
    Board(String),
    /// Somebody's program, by the Gomocup protocol.
    Program(Called),
}

impl Backend {
    /// What has this name of itself: all but boards and programs.
    pub fn named(name: &str) -> Option<Backend> {
        match name {
            "fast" => Some(Backend::Fast),
            "rtl" => Some(Backend::Rtl),
            _ if MODEL.contains(&name) => Some(Backend::Model),
            _ => player(name).map(|_| Backend::Player(name.into())),
        }
    }
}

/// What may stand before the colon of a side.
fn prefixes() -> String {
    format!("model, fast, rtl, {}, board, brain", names())
}

/// One side of a match.
#[derive(Clone, Debug)]
pub struct Side {
    /// What it is made of.
    pub backend: Backend,
    /// How it searches; of a program only the game.
    pub search: AtLevels,
    /// What was chosen of it that is not as usual.
    pub options: String,
}

/// What sides need that their names do not say.
pub struct Context<'a> {
    /// The configuration of a board or program, if its other side has none.
    pub config: Option<&'a str>,
    /// Time for a move of a program.
    pub turn: Duration,
    /// What was chosen of `pvs`.
    pub pvs: &'a PvsArguments,
}

impl Side {
    /// The side of this name, ready to be made: its configuration is read and checked.
    pub fn parse(text: &str) -> anyhow::Result<Side> {
        let (prefix, rest) = text.split_once(':').unwrap_or(("model", text));
        let Some(backend) = Backend::named(prefix) else {
            bail!("side {text:?}: no backend {prefix:?}: use one of {}, as in model:gomoku15", prefixes());
        };
        let most = matches!(backend, Backend::Player(_)).then_some(MOST_LEVELS);
        let search = AtLevels::parse_up_to(rest, most).with_context(|| format!("side {text:?}"))?;
        Ok(Side { backend, search, options: String::new() })
    }

    /// Both sides of a match. A board or a program plays the game of the other side's configuration, or of the one given.
    pub fn pair(a: &str, b: &str, context: &Context) -> anyhow::Result<(Side, Side)> {
        let foreign = |text: &str| -> anyhow::Result<Option<Backend>> {
            match text.split_once(':') {
                Some(("board", path)) => Ok(Some(Backend::Board(path.into()))),
                Some(("brain", command)) => {
                    let command = shlex::split(command).filter(|words| !words.is_empty());
                    let Some(command) = command else {
                        bail!("side {text:?}: write brain:PROGRAM ARGUMENTS, quoted as for a shell");
                    };
                    Ok(Some(Backend::Program(Called { command, turn: context.turn })))
                }
                _ => Ok(None),
            }
        };
        let own = |text: &str| -> anyhow::Result<Side> {
            let side = Side::parse(text)?;
            let is_pvs = side.backend == Backend::Player(PVS.into());
            Ok(if is_pvs { Side { options: context.pvs.told(), ..side } } else { side })
        };
        Ok(match (foreign(a)?, foreign(b)?) {
            (None, None) => (own(a)?, own(b)?),
            (Some(a), None) => {
                let b = own(b)?;
                (Side { backend: a, search: b.game(), options: String::new() }, b)
            }
            (None, Some(b)) => {
                let a = own(a)?;
                let search = a.game();
                (a, Side { backend: b, search, options: String::new() })
            }
            (Some(a), Some(b)) => {
                let Some(config) = context.config else {
                    bail!("name the game of {a} and {b} with --config");
                };
                let search = AtLevels { levels: None, ..AtLevels::parse(config)? };
                (
                    Side { backend: a, search: search.clone(), options: String::new() },
                    Side { backend: b, search, options: String::new() },
                )
            }
        })
    }

    /// Its configuration, all levels.
    fn game(&self) -> AtLevels {
        AtLevels { levels: None, ..self.search.clone() }
    }

    /// Name for reports, as it would be asked for.
    pub fn label(&self) -> String {
        match &self.backend {
            Backend::Model | Backend::Fast | Backend::Rtl | Backend::Player(_) => {
                let levels = self.search.levels.map_or(String::new(), |levels| format!("@{levels}"));
                let options =
                    if self.options.is_empty() { String::new() } else { format!(" ({})", self.options) };
                format!("{}:{}{levels}{options}", self.backend, self.search.source)
            }
            other => other.to_string(),
        }
    }

    /// Everything that determines its moves, as text; of a program, what is known of it.
    pub fn identity(&self) -> String {
        match &self.backend {
            Backend::Program(Called { turn, .. }) => {
                let Config { columns, rows, in_a_row, .. } = self.search.config;
                format!("{} {} {columns} {rows} {in_a_row}", self.backend, turn.as_millis())
            }
            Backend::Player(_) => {
                let Config { columns, rows, in_a_row, .. } = self.search.config;
                let options = &self.options;
                format!("{} {:?} {columns} {rows} {in_a_row}{options}", self.backend, self.search.levels)
            }
            backend => {
                let levels = self.search.levels.unwrap_or(self.search.config.levels);
                format!("{backend} {levels}\n{}", self.search.config.to_toml())
            }
        }
    }

    /// Gets the simulated ones among some sides ready, at the same time, before the first of them plays, and starts programs once: one
    /// that cannot start would lose every game.
    pub fn prepare(sides: &[&Side]) -> anyhow::Result<()> {
        for side in sides {
            if let Backend::Program(called) = &side.backend {
                Late::new(called, &side.search.config).start()?;
            }
        }
        let simulated = sides.iter().filter(|side| side.backend == Backend::Rtl);
        let wanted: Vec<_> = simulated.map(|side| Wanted::new(&side.search.config, Kind::Core)).collect();
        if !wanted.is_empty() {
            load(&wanted)?;
        }
        Ok(())
    }

    /// A fresh engine.
    pub fn engine(&self, arguments: &EngineArguments) -> Result<Box<dyn Engine>, EngineError> {
        let config = &self.search.config;
        match &self.backend {
            Backend::Model => Ok(Box::new(ModelEngine::new(config))),
            Backend::Fast => Ok(Box::new(FastEngine::new(config, &[], 1)?)),
            Backend::Rtl => self.rtl_engine(),
            Backend::Player(name) => software(name, config, &arguments.pvs, None).map_err(|error| {
                EngineError::Backend { backend: self.label(), reason: found::message(&error) }
            }),
            Backend::Board(path) => board(path, config, &arguments.line.framed()).map_err(|error| {
                EngineError::Backend { backend: self.label(), reason: found::message(&error) }
            }),
            Backend::Program(called) => Ok(Box::new(Late::new(called, config))),
        }
    }

    fn rtl_engine(&self) -> Result<Box<dyn Engine>, EngineError> {
        let config = &self.search.config;
        // Stalls on the streams are the co-simulation's business.
        let options = BenchOptions::unstalled(1);
        Ok(Box::new(RtlEngine::new(model(config, Kind::Core)?, config, false, options)))
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Backend::Model => write!(f, "model"),
            Backend::Fast => write!(f, "fast"),
            Backend::Rtl => write!(f, "rtl"),
            Backend::Player(name) => write!(f, "{name}"),
            Backend::Board(path) => write!(f, "board:{path}"),
            Backend::Program(called) => {
                let words = called.command.iter().map(String::as_str);
                write!(f, "brain:{}", shlex::try_join(words).unwrap_or_else(|_| called.command.join(" ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_read() {
        for (text, label, levels) in [
            ("gomoku15", "model:gomoku15", None),
            ("model:gomoku7@2", "model:gomoku7@2", Some(2)),
            ("fast:gomoku15@3", "fast:gomoku15@3", Some(3)),
            ("five-tuple:gomoku15@6", "five-tuple:gomoku15@6", Some(6)),
            ("line-shape:gomoku15", "line-shape:gomoku15", None),
            ("configs/tictactoe.toml@9", "model:configs/tictactoe.toml@9", Some(9)),
        ] {
            let side = Side::parse(text).unwrap();
            assert_eq!((side.label().as_str(), side.search.levels), (label, levels));
            assert_eq!(side.engine(&EngineArguments::default()).unwrap().config(), &side.search.config);
        }
    }

    #[test]
    fn wrong_sides_are_refused() {
        for (text, part) in [
            (
                "robot:gomoku15",
                "no backend \"robot\": use one of model, fast, rtl, greedy, five-tuple, line-shape, pvs, board, brain",
            ),
            ("five-tuple:gomoku15@21", "21 levels asked for: this engine has 1 to 20"),
            ("gomoku15@five", "\"five\" is not a number of levels"),
            ("gomoku15@5", "5 levels asked for: this engine has 1 to 4"),
            ("gomoku15@0", "0 levels asked for"),
            ("model:nothing", "no configuration \"nothing\""),
        ] {
            let message = format!("{:#}", Side::parse(text).unwrap_err());
            assert!(message.contains(part), "{message}");
        }
    }
}
