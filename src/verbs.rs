// SPDX-License-Identifier: MIT OR Apache-2.0
//! The help of tengen alone: its verbs by what one wants to do.

use clap::Command;
use std::fmt::Write;

/// What one wants to do, and the verbs for it, in their order.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Make", &["generate", "boards", "configs", "firmware", "slot"]),
    ("Check", &["cosim", "regress", "original", "board"]),
    ("Play", &["web", "play", "solve", "brain", "openings", "tactics", "learn"]),
    ("Measure", &["measure", "match", "curves", "explore", "area", "report"]),
    ("Keep", &["record", "models", "completions", "manual", "help"]),
];

/// The command with its verbs in groups in `--help`.
pub fn grouped(command: Command) -> Command {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "\n{title}:");
        for name in names {
            // A verb that this system has not is not told; `help` is clap's own.
            let about = match command.find_subcommand(name) {
                Some(verb) => verb.get_about().map(ToString::to_string).unwrap_or_default(),
                None if *name == "help" => "Print this message or the help of the given verb".into(),
                None => continue,
            };
            let _ = writeln!(text, "  {name:<12} {about}");
        }
    }
    command.help_template(format!("{{about}}\n\n{{usage-heading}} {{usage}}\n{text}\nOptions:\n{{options}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_verb_is_in_one_group() {
        let command = crate::Cli::command();
        let mut verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .filter(|name| *name != "help")
            .collect();
        verbs.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(verbs, grouped);
    }
}
