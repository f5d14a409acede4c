// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands of this program as an array job of Slurm: scripts in a folder.

use anyhow::Context;
use lab::slurm::{FILES, scripts};
use std::path::{Path, PathBuf};

/// The folder, made if it is not there, by its whole path: tasks run anywhere.
pub fn folder(path: &Path) -> anyhow::Result<PathBuf> {
    let failed = || format!("cannot make the folder {}", path.display());
    std::fs::create_dir_all(path).with_context(failed)?;
    path.canonicalize().with_context(failed)
}

/// A file's whole path, whether it is there or not.
pub fn absolute(path: &Path) -> anyhow::Result<String> {
    let absolute = std::path::absolute(path).with_context(|| format!("no such path: {}", path.display()))?;
    Ok(absolute.display().to_string())
}

/// What of a verb is given to a cluster in parts.
#[derive(clap::Args, Clone, Debug)]
pub struct Parts {
    /// Run nothing: write into this folder a Slurm array job of --shards tasks and a job that merges their results; `sh DIR/submit`
    /// submits both
    #[arg(long, value_name = "DIR", requires = "shards")]
    pub slurm: Option<PathBuf>,
    /// Number of tasks of the array job that --slurm writes
    #[arg(long, value_name = "N", requires = "slurm", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub shards: Option<u32>,
}

impl Parts {
    /// Folder and number of parts, if the verb is to be given away.
    pub fn asked(&self) -> Option<(&Path, u32)> {
        self.slurm.as_deref().zip(self.shards)
    }
}

/// The arguments of this very call without these options, each with or without a value.
pub fn own_arguments(without: &[(&str, bool)]) -> Vec<String> {
    kept(std::env::args().skip(1), without)
}

fn kept(arguments: impl Iterator<Item = String>, without: &[(&str, bool)]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut value = false;
    for argument in arguments {
        if std::mem::take(&mut value) {
            continue;
        }
        let name = argument.split('=').next().unwrap_or_default();
        match without.iter().find(|(option, _)| *option == name) {
            Some((_, takes_value)) => value = *takes_value && !argument.contains('='),
            None => kept.push(argument),
        }
    }
    kept
}

/// Writes the scripts: a task for each list of this program's arguments, then one that merges.
pub fn write(folder: &Path, name: &str, tasks: &[Vec<String>], merge: &[String]) -> anyhow::Result<()> {
    // By this very program.
    let program = std::env::current_exe().context("this program does not know its own file")?;
    let program = program.display().to_string();
    let quoted = |words: &[String]| {
        let words = std::iter::once(&program).chain(words).map(String::as_str);
        shlex::try_join(words).context("a path holds a zero byte")
    };
    // Files are meant as this call sees them.
    let here = std::env::current_dir().context("the working folder has gone")?.display().to_string();
    let here = shlex::try_quote(&here).context("a path holds a zero byte")?.into_owned();
    let line = |words: &[String]| anyhow::Ok(format!("cd {here} && {}", quoted(words)?));
    let lines: anyhow::Result<Vec<String>> = tasks.iter().map(|task| line(task)).collect();
    let place = folder.display().to_string();
    let place = shlex::try_quote(&place).context("a path holds a zero byte")?;
    let scripts = scripts(name, &lines?, &place, &line(merge)?);
    for (name, text) in FILES.iter().zip([&scripts.jobs, &scripts.array, &scripts.merge, &scripts.submit]) {
        std::fs::write(folder.join(name), text)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
    }
    Ok(())
}

/// The command that submits what was written into a folder, as a shell reads it.
pub fn submission(folder: &Path) -> anyhow::Result<String> {
    let script = folder.join("submit").display().to_string();
    shlex::try_join(["sh", &script]).context("a path holds a zero byte")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_blank_is_quoted() {
        assert_eq!(submission(Path::new("of a plan")).unwrap(), "sh 'of a plan/submit'");
    }

    #[test]
    fn a_task_has_the_arguments_of_the_call_but_some() {
        let call = "match a b --slurm out --shards=4 --openings f --json --turn 5";
        let without = [("--slurm", true), ("--shards", true), ("--json", false)];
        let kept = kept(call.split(' ').map(String::from), &without);
        assert_eq!(kept.join(" "), "match a b --openings f --turn 5");
    }
}
