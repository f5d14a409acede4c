// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file of a little core, for tests that ask about anything but the core.

use engine_model::sample;
use std::path::Path;
use std::sync::Once;

const FILE: &str = "little/little.toml";

/// Its place, as seen from `CARGO_TARGET_TMPDIR`.
pub fn file() -> &'static str {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(write);
    FILE
}

fn write() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(FILE);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    // In one step: another program may be reading it, and write the same.
    let part = file.with_extension(std::process::id().to_string());
    std::fs::write(&part, sample::little(1).to_toml()).unwrap();
    std::fs::rename(part, file).unwrap();
}
