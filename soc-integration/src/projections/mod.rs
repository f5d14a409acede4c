// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register map for other readers than this crate. What is checked in is compared with these texts by a test.

pub mod c_header;
pub mod markdown;
pub mod svd;

/// Checked-in projections: path from the workspace's root, and the text.
pub fn files() -> [(&'static str, String); 3] {
    [
        ("soc-integration/firmware/tengen_regs.h", c_header::text()),
        ("soc-integration/tengen.svd", svd::text()),
        ("docs/register-map.md", markdown::text()),
    ]
}

/// First line of every projection.
const ORIGIN: &str =
    "Generated from soc-integration/src/register_map.rs by `UPDATE_EXPECT=1 cargo test -p soc-integration`.";
