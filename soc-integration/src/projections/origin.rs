// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a projection comes from.

/// First line of every projection.
pub const ORIGIN: &str =
    "Generated from soc-integration/src/register_map.rs by `UPDATE_EXPECT=1 cargo test -p soc-integration`.";
