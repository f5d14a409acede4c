// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that are run for what they print.

use crate::VerilateError;
use std::process::Command;

/// A program with its first arguments; what it says is in English, as it is looked into.
pub(crate) fn command(words: &[String]) -> Command {
    let (program, rest) = words.split_first().expect("a command has a name");
    let mut command = Command::new(program);
    command.args(rest).env("LC_ALL", "C");
    command
}

/// What a program prints that must succeed; one that cannot be run or fails is missing.
pub(crate) fn output(command: &mut Command) -> Result<String, VerilateError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let missing = |reason: String| VerilateError::Missing { tool: tool.clone(), reason };
    let output = command.output().map_err(|error| missing(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
        return Err(missing(format!("{}: {said}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
