// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sides of a match by name: `[BACKEND:]CONFIG[@LEVELS]`.

use crate::configs::AtLevels;
use anyhow::{Context, bail};
use engine_model::{Engine, EngineError, ModelEngine};

/// What an engine is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The golden model.
    Model,
    /// The simulated core.
    Rtl,
}

impl Backend {
    const ALL: [(&str, Backend); 2] = [("model", Backend::Model), ("rtl", Backend::Rtl)];

    fn name(self) -> &'static str {
        Backend::ALL.iter().find(|(_, backend)| *backend == self).map_or("", |(name, _)| *name)
    }
}

/// One side of a match.
#[derive(Clone, Debug)]
pub struct Side {
    /// What it is made of.
    pub backend: Backend,
    /// How it searches.
    pub search: AtLevels,
}

impl Side {
    /// The side of this name, ready to be made: its configuration is read and checked, its simulation is there.
    pub fn parse(text: &str) -> anyhow::Result<Side> {
        let (backend, rest) = match text.split_once(':') {
            None => (Backend::Model, text),
            Some((prefix, rest)) => {
                let Some((_, backend)) = Backend::ALL.iter().find(|(name, _)| *name == prefix) else {
                    let known: Vec<&str> = Backend::ALL.iter().map(|(name, _)| *name).collect();
                    bail!(
                        "side {text:?}: no backend {prefix:?}: use one of {}, as in model:gomoku15",
                        known.join(", ")
                    );
                };
                (*backend, rest)
            }
        };
        let search = AtLevels::parse(rest).with_context(|| format!("side {text:?}"))?;
        let side = Side { backend, search };
        side.check_built()?;
        Ok(side)
    }

    /// Name for reports, as it would be asked for.
    pub fn label(&self) -> String {
        let levels = self.search.levels.map_or(String::new(), |levels| format!("@{levels}"));
        format!("{}:{}{levels}", self.backend.name(), self.search.source)
    }

    /// Everything that determines its moves, as text.
    pub fn identity(&self) -> String {
        let levels = self.search.levels.unwrap_or(self.search.config.levels);
        format!("{} {levels}\n{}", self.backend.name(), self.search.config.to_toml())
    }

    #[cfg(feature = "simulate")]
    fn check_built(&self) -> anyhow::Result<()> {
        if self.backend == Backend::Rtl && cosim::model(&self.search.config, false).is_none() {
            bail!(crate::cmd::cosim::not_built(
                &self.search.config,
                &format!("set TENGEN_CONFIGS={} and build again", self.search.source)
            ));
        }
        Ok(())
    }

    #[cfg(not(feature = "simulate"))]
    fn check_built(&self) -> anyhow::Result<()> {
        if self.backend == Backend::Rtl {
            bail!(
                "side {:?}: this build holds no simulation: build it with the feature simulate",
                self.label()
            );
        }
        Ok(())
    }

    /// A fresh engine.
    pub fn engine(&self) -> Result<Box<dyn Engine>, EngineError> {
        match self.backend {
            Backend::Model => Ok(Box::new(ModelEngine::new(&self.search.config))),
            Backend::Rtl => self.rtl_engine(),
        }
    }

    #[cfg(feature = "simulate")]
    fn rtl_engine(&self) -> Result<Box<dyn Engine>, EngineError> {
        use cosim::bench::BenchOptions;
        use cosim::rtl_engine::RtlEngine;
        match cosim::model(&self.search.config, false) {
            Some(model) => {
                // Stalls on the streams are the co-simulation's business.
                let options = BenchOptions { idle: 0.0, back_pressure: 0.0, ..BenchOptions::default() };
                Ok(Box::new(RtlEngine::new(model, &self.search.config, false, options)))
            }
            None => Err(self.not_simulated()),
        }
    }

    #[cfg(not(feature = "simulate"))]
    fn rtl_engine(&self) -> Result<Box<dyn Engine>, EngineError> {
        Err(self.not_simulated())
    }

    fn not_simulated(&self) -> EngineError {
        EngineError::Backend { backend: self.label(), reason: "this build holds no simulation of it".into() }
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
            ("configs/tictactoe.toml@9", "model:configs/tictactoe.toml@9", Some(9)),
        ] {
            let side = Side::parse(text).unwrap();
            assert_eq!((side.label().as_str(), side.search.levels), (label, levels));
            assert_eq!(side.engine().unwrap().config(), &side.search.config);
        }
    }

    #[test]
    fn wrong_sides_are_refused() {
        for (text, part) in [
            ("board:gomoku15", "no backend \"board\": use one of model, rtl"),
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
