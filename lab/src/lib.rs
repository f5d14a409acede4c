// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is measured of cores beyond a single run.
//!
//! - [`regress`]: plans of many runs in lockstep, and their report.
//!
//! It reads and writes no file: texts come in and go out.

pub mod regress;
