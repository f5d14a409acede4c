// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a command found: its exit code, and an error in words.

/// What a command found.
pub enum Found {
    /// Everything as it should be.
    Nothing,
    /// A fault; it has been reported.
    Fault,
}

/// An error and its causes, each once: many a message holds its cause already.
pub fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;
    use lab::recorded::RecordedError;

    #[test]
    fn a_cause_is_told_once() {
        let cause = serde_json::from_str::<u8>("x").unwrap_err();
        let of_cause = cause.to_string();
        let error = anyhow!(RecordedError::Results(cause)).context("a.jsonl");
        assert_eq!(format!("{error:#}").matches(&of_cause).count(), 2);
        let text = message(&error);
        assert!(text.starts_with("a.jsonl: ") && text.matches(&of_cause).count() == 1, "{text}");
    }
}
