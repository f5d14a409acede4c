// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register file and its faces, one circuit per file.

pub mod ahb_slot;
pub mod apb_slot;
pub mod axil_slot;
pub mod register_file;
pub mod reset_synchroniser;
pub mod slot_core;
