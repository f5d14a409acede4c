// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compilers that do not know the extension's name in `-march`, as GCC before 11; a stand-in refuses it in front of the one that is there.
#![allow(missing_docs)]

use soc_integration::firmware::{Options, TOOLS, build_with};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn a_compiler_that_does_not_know_the_extensions_name_builds_the_firmware() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("older-compilers");
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let prefix = bin.join("older-");
    for tool in ["gcc", "objcopy", "size"] {
        let refuses = "for a; do case $a in *_zicsr*) echo \"error: '$a': unsupported extension 'zicsr'\" >&2; exit 1;; esac; done";
        let file = bin.join(format!("older-{tool}"));
        std::fs::write(&file, format!("#!/bin/sh\n{refuses}\nexec {TOOLS}{tool} \"$@\"\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let options = Options { slot: 0, clock_hz: 20_000_000, baud: 115_200 };
    let built = |place: &str, prefix| build_with(&folder.join(place), options, prefix).unwrap();
    let image = built("by-it", prefix.to_str());
    assert!(image.bytes == built("by-todays", None).bytes, "the same instructions");
}
