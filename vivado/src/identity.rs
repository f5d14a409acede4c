// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a package is called, the part it names, and whom it is for.

use sha2::{Digest, Sha256};

/// Vendor of the package's name (VLNV).
pub const VENDOR: &str = "tengen";
/// Library of the package's name.
pub const LIBRARY: &str = "gomoku";
/// Part that scripts name where somebody must: the one of wujian100's board.
pub const PART: &str = "xc7a200tfbg484-2";
/// Families that the core is offered for, in Vivado's words: the 7 series, with whose primitives the area is estimated, UltraScale,
/// UltraScale+ and the Zynqs among them. The text is plain Verilog; no family has been tried by its vendor's tool.
pub const FAMILIES: [&str; 13] = [
    "artix7",
    "artix7l",
    "kintex7",
    "kintex7l",
    "spartan7",
    "virtex7",
    "zynq",
    "artixuplus",
    "kintexu",
    "kintexuplus",
    "virtexu",
    "virtexuplus",
    "zynquplus",
];
/// How far the core is for a family, in Vivado's words: nobody has had it through yet.
pub const LIFE_CYCLE: &str = "Beta";

/// What of a package is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Verilog, documents, software, test bench.
    Plain,
    /// These and a FuseSoC core file.
    FuseSoc,
    /// These and everything that Vivado reads.
    Vivado,
}

/// SHA-256 in hexadecimal.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
