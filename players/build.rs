// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells the crate how it is compiled, for reports of what its software engines take.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTFLAGS");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let version = Command::new(variable("RUSTC")).arg("-V").output();
    let version =
        version.map_or_else(|_| "rustc".into(), |out| String::from_utf8_lossy(&out.stdout).into_owned());
    println!("cargo::rustc-env=PLAYERS_RUSTC={}", version.trim());
    println!("cargo::rustc-env=PLAYERS_OPT_LEVEL={}", variable("OPT_LEVEL"));
    println!("cargo::rustc-env=PLAYERS_TARGET={}", variable("TARGET"));
    // Cargo separates flags by the unit separator, so that a flag may hold a space.
    println!(
        "cargo::rustc-env=PLAYERS_RUSTFLAGS={}",
        variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ")
    );
}
