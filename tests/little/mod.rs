// SPDX-License-Identifier: MIT OR Apache-2.0
//! A core that is synthesised and compiled in seconds, for tests that ask about anything but the core.

use engine_model::Config;
use std::path::Path;
use std::sync::Once;

const FILE: &str = "little/little.toml";

/// Its file, as seen from `CARGO_TARGET_TMPDIR`: tic-tac-toe at one level and with two contexts.
pub fn file() -> &'static str {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(write);
    FILE
}

fn write() {
    let shipped = Config::from_toml(include_str!("../../configs/tictactoe.toml")).unwrap();
    let config = Config { name: "little".into(), levels: 1, contexts: 2, ..shipped };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(FILE);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    // In one step: another program may be reading it, and write the same.
    let part = file.with_extension(std::process::id().to_string());
    std::fs::write(&part, config.to_toml()).unwrap();
    std::fs::rename(part, file).unwrap();
}
