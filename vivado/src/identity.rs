// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a package is called, the part it names, and whom it is for.

/// Vendor of the package's name (VLNV).
pub const VENDOR: &str = "tengen";
/// Library of the package's name.
pub const LIBRARY: &str = "gomoku";
/// Part that scripts name where somebody must: the one of wujian100's board.
pub const PART: &str = "xc7a200tfbg484-2";
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
