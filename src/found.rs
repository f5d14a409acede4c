// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a command found: its exit code.

/// What a command found.
pub enum Found {
    /// Everything as it should be.
    Nothing,
    /// A fault; it has been reported.
    Fault,
}
