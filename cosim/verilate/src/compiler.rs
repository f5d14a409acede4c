// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C++ compiler: which one, and what it is told to optimise for.

use crate::VerilateError;
use crate::cache::hash;
use crate::tool::{command, output};
use std::path::{Path, PathBuf};

/// Optimisation of code that runs in every clock.
const OFTEN: &str = "-O1";
/// The same by Clang.
const OFTEN_BY_CLANG: &str = "-O2";
/// Of code that runs once.
const SELDOM: &str = "-O0";
/// The instructions of this machine, not only those of all of its kind.
const NATIVE: &str = "-march=native";
/// Verilator nests deeper than Clang expects of a program.
const DEEP: &str = "-fbracket-depth=4096";

/// The C++ compiler and its options.
#[derive(Debug)]
pub(crate) struct Compiler {
    /// As it was named.
    program: String,
    /// The program and what it is always given: a launcher's compiler, options that choose a machine.
    pub words: Vec<String>,
    /// What it says of itself.
    version: String,
    /// Whether it is Clang.
    pub is_clang: bool,
    /// Options for code that runs in every clock.
    pub often: Vec<String>,
    /// Options for code that runs once.
    pub seldom: Vec<String>,
    /// Hash of what the compiler defines with these options: the machine's instructions among them.
    defines: String,
}

impl Compiler {
    /// The one that `CXX` names; else the newest Clang on the path, whose models run faster than GCC's (docs/verification.md); else the
    /// system's. What runs often is compiled as `TENGEN_SIM_OPT` says; else for this machine alone, where the compiler can.
    pub fn find() -> Result<Compiler, VerilateError> {
        let chosen = |variable| std::env::var(variable).ok().filter(|value| !value.trim().is_empty());
        let version = |words: &[String]| output(command(words).arg("--version"));
        let (program, words, version) = match chosen("CXX") {
            Some(named) => {
                let words = words_of(&named)?;
                let version = version(&words)?;
                (named, words, version)
            }
            None => {
                let one = |name: String| vec![name];
                match newest_clang().map(|name| (version(&one(name.clone())), name)) {
                    Some((Ok(text), name)) => (name.clone(), one(name), text),
                    _ => ("c++".into(), one("c++".into()), version(&one("c++".into()))?),
                }
            }
        };
        let is_clang = version.contains("clang");
        let options = |told: &str| -> Vec<String> {
            let deep = is_clang.then_some(DEEP);
            told.split_whitespace().chain(deep).map(str::to_string).collect()
        };
        let told = chosen("TENGEN_SIM_OPT");
        let plain = options(told.as_deref().unwrap_or(if is_clang { OFTEN_BY_CLANG } else { OFTEN }));
        // Whoever names options or a machine means it.
        let named =
            told.is_some() || words.iter().any(|word| word.starts_with("-m") || word.starts_with("--target"));
        let native = (!named).then(|| [&plain[..], &[NATIVE.to_string()]].concat());
        let known = native.and_then(|native| defines(&words, &native).map(|defines| (native, defines)));
        let (often, defines) = known.unwrap_or_else(|| {
            let defines = defines(&words, &plain).unwrap_or_default();
            (plain, defines)
        });
        let seldom = options(SELDOM);
        Ok(Compiler { program, words, version, is_clang, often, seldom, defines })
    }

    /// Everything that what it compiles depends on. A library for instructions that this machine lacks has another identity.
    pub fn identity(&self) -> impl Iterator<Item = String> + '_ {
        let about = [&self.program, &self.version, &self.defines];
        about.into_iter().chain(&self.often).chain(&self.seldom).cloned()
    }
}

/// Hash of what a compiler defines with these options; nothing where it does not know one of them.
fn defines(words: &[String], options: &[String]) -> Option<String> {
    let said = output(command(words).args(options).args(["-dM", "-E", "-x", "c++", "/dev/null"])).ok()?;
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    Some(hash(lines))
}

/// The words of a variable as a shell splits them, unless all of it is the name of a file.
fn words_of(named: &str) -> Result<Vec<String>, VerilateError> {
    if Path::new(named).is_file() {
        return Ok(vec![named.into()]);
    }
    shlex::split(named).filter(|words| !words.is_empty()).ok_or_else(|| VerilateError::Missing {
        tool: named.into(),
        reason: "a quote of CXX has no end".into(),
    })
}

/// The name of Clang's C++ compiler.
const CLANG: &str = "clang++";

/// The newest Clang on the path, as `clang++` or as Debian calls one of several versions, `clang++-19`.
fn newest_clang() -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let numbered = names.filter_map(|name| {
        let number: u32 = name.strip_prefix(CLANG)?.strip_prefix('-')?.parse().ok()?;
        Some((number, name))
    });
    let plain = output(command(&[CLANG.to_string()]).arg("--version")).ok();
    let plain = plain.map(|said| (major_version(&said).unwrap_or(0), CLANG.to_string()));
    // Of two that are equally new the one without a number, which comes last.
    numbered.chain(plain).max_by_key(|&(number, _)| number).map(|(_, name)| name)
}

/// The first number behind the word "version".
fn major_version(said: &str) -> Option<u32> {
    let behind = said.split("version ").nth(1)?;
    behind.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clang_says_of_its_version_is_read() {
        for (said, major) in [
            ("Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu", Some(14)),
            ("Ubuntu clang version 18.1.3 (1ubuntu1)", Some(18)),
            ("Apple clang version 16.0.0 (clang-1600.0.26.3)", Some(16)),
            ("clang version unknown", None),
            ("", None),
        ] {
            assert_eq!(major_version(said), major, "{said}");
        }
    }
}
