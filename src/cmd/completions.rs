// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen completions` and `tengen manual`: what a shell and `man` read.

use crate::found::Found;
use clap::Command;
use clap_complete::{Shell, generate};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Shell that is to complete `tengen`
    shell: Shell,
}

/// Prints the script.
pub fn run(arguments: &Arguments, mut command: Command) -> anyhow::Result<Found> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "tengen", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Found::Nothing)
}

/// Arguments of `manual`.
#[derive(clap::Args)]
pub struct ManualArguments {
    /// Write a page for each verb too, `tengen-VERB.1`, into this folder; else print the one of tengen
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints or writes the pages.
pub fn manual(arguments: &ManualArguments, command: Command) -> anyhow::Result<Found> {
    match &arguments.out {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder))
                .map_err(|error| anyhow::anyhow!("cannot write into {}: {error}", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            std::io::stdout().lock().write_all(&page)?;
        }
    }
    Ok(Found::Nothing)
}
