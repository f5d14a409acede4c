// SPDX-License-Identifier: MIT OR Apache-2.0
//! Software engines by name, and what may be chosen of them.

use anyhow::bail;
use engine_model::{Config, Engine, ModelEngine};
use players::pvs::{Options, Pvs};
use players::roster::player;
use std::path::Path;
use tournament::learned::{Learner, read};

/// Names of the golden model: the second one is that of the search contract it keeps.
pub const MODEL: [&str; 2] = ["model", "contract"];
/// The engine with options.
pub const PVS: &str = "pvs";

/// What may be chosen of `pvs`.
#[derive(clap::Args, Clone, Debug, PartialEq, Eq)]
pub struct PvsArguments {
    /// Threads of pvs; its score does not depend on them
    #[arg(long, help_heading = "Engine pvs", value_name = "N", default_value_t = PvsArguments::default().pvs_threads, value_parser = clap::value_parser!(u16).range(1..=256))]
    pvs_threads: u16,
    /// Transposition table of pvs, in MiB; 0: none
    #[arg(long, help_heading = "Engine pvs", value_name = "MIB", default_value_t = PvsArguments::default().pvs_table, value_parser = clap::value_parser!(u16).range(0..=16384))]
    pvs_table: u16,
    /// pvs considers only squares at most this far outside the smallest rectangle that holds all stones
    #[arg(long, help_heading = "Engine pvs", value_name = "CELLS", default_value_t = PvsArguments::default().pvs_margin, value_parser = clap::value_parser!(u16).range(0..=20))]
    pvs_margin: u16,
    /// pvs plays a random one of those of its N best moves that are near enough to the best (--pvs-near); 1: always the best
    #[arg(long, help_heading = "Engine pvs", value_name = "N", default_value_t = PvsArguments::default().pvs_choices, value_parser = clap::value_parser!(u16).range(1..=100))]
    pvs_choices: u16,
    /// A move counts as near enough if it is at most this many points worse than the best, in points of pvs's own evaluation (a window of three stones: 600)
    #[arg(long, help_heading = "Engine pvs", value_name = "POINTS", default_value_t = PvsArguments::default().pvs_near, value_parser = clap::value_parser!(i32).range(0..=1_000_000))]
    pvs_near: i32,
    /// Seed of the random choice: the same seed makes the same choice in the same position
    #[arg(long, help_heading = "Engine pvs", value_name = "SEED", default_value_t = PvsArguments::default().pvs_seed)]
    pvs_seed: u64,
}

impl Default for PvsArguments {
    fn default() -> PvsArguments {
        let Options { threads, table_bytes, margin, choices, near, seed, .. } = Options::default();
        PvsArguments {
            pvs_threads: threads as u16,
            pvs_table: (table_bytes >> 20) as u16,
            pvs_margin: margin as u16,
            pvs_choices: choices as u16,
            pvs_near: near,
            pvs_seed: seed,
        }
    }
}

impl PvsArguments {
    fn options(&self) -> Options {
        Options {
            threads: self.pvs_threads.into(),
            table_bytes: usize::from(self.pvs_table) << 20,
            margin: self.pvs_margin.into(),
            choices: self.pvs_choices.into(),
            near: self.pvs_near,
            seed: self.pvs_seed,
            ..Options::default()
        }
    }

    /// What is not as usual, as it was asked for; empty if everything is.
    pub fn told(&self) -> String {
        let usual = PvsArguments::default();
        let told = [
            ("threads", u64::from(self.pvs_threads), u64::from(usual.pvs_threads)),
            ("table", self.pvs_table.into(), usual.pvs_table.into()),
            ("margin", self.pvs_margin.into(), usual.pvs_margin.into()),
            ("choices", self.pvs_choices.into(), usual.pvs_choices.into()),
            ("near", self.pvs_near.unsigned_abs().into(), usual.pvs_near.unsigned_abs().into()),
            ("seed", self.pvs_seed, usual.pvs_seed),
        ];
        let told: Vec<String> = told
            .iter()
            .filter(|(_, value, usual)| value != usual)
            .map(|(name, value, _)| format!("{name} {value}"))
            .collect();
        told.join(", ")
    }
}

/// Bytes that a program with this engine needs: what the process takes without tables (8 to 14 MB were seen), and the table.
pub fn needs(name: &str, pvs: &PvsArguments) -> u64 {
    const PROCESS: u64 = 16 << 20;
    PROCESS + if name == PVS { u64::from(pvs.pvs_table) << 20 } else { 0 }
}

/// Whether a software engine has this name.
pub fn is_software(name: &str) -> bool {
    MODEL.contains(&name) || player(name).is_some()
}

/// What is done with a file of what `pvs` has learnt.
#[derive(Clone, Copy, Debug)]
pub enum Learn<'a> {
    /// It is read, and what is learnt is added; if there is none, it is begun.
    Keep(&'a Path),
    /// It is read.
    Read(&'a Path),
}

/// Refuses a file of an engine that does not learn.
pub fn check_learns(name: &str, learn: bool) -> anyhow::Result<()> {
    if learn && name != PVS {
        bail!("--learn: {name} does not learn, {PVS} does");
    }
    Ok(())
}

fn warn(path: &Path, damaged: &[usize]) {
    if !damaged.is_empty() {
        say!("warning: {}: lines cut off or changed, left out: {damaged:?}", path.display());
    }
}

/// The software engine of this name, which [`is_software`] knows.
pub fn software(
    name: &str,
    config: &Config,
    pvs: &PvsArguments,
    learn: Option<Learn>,
) -> anyhow::Result<Box<dyn Engine>> {
    check_learns(name, learn.is_some())?;
    if MODEL.contains(&name) {
        return Ok(Box::new(ModelEngine::new(config)));
    }
    if name == PVS {
        let mut pvs = Pvs::new(config, pvs.options());
        return Ok(match learn {
            None => Box::new(pvs),
            Some(Learn::Read(path)) => {
                let learned = read(path)?;
                warn(path, &learned.damaged);
                learned.lessons.iter().for_each(|lesson| _ = pvs.learn(lesson));
                Box::new(pvs)
            }
            Some(Learn::Keep(path)) => {
                let learner = Learner::open(pvs, path)?;
                warn(path, learner.damaged());
                Box::new(learner)
            }
        });
    }
    match player(name) {
        Some(make) => Ok(make(config)),
        None => bail!("no software engine {name:?}"),
    }
}
