// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packages as folders.

use hdl::package::File;
use std::path::{Path, PathBuf};

/// Writes a package below the tests' own folder, without what an earlier run has left there.
pub fn write(name: &str, package: &[File]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for file in package {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.text).unwrap();
    }
    folder
}
