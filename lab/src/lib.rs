// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measurements of a core, and what is shown of them.
//!
//! - [`measure`]: the core against software on the same positions; report as table, object and page.
//! - [`points`]: measured points, kept in a file and measured again only when something has changed.
//! - [`curves`], [`explore`]: points drawn against what was varied; [`recorded`]: the points that came along, for data sheets.
//! - [`recording`]: runs that documents quote.
//! - [`regress`]: plans of many runs in lockstep, and their report.
//! - [`slurm`]: many commands as an array job of a cluster.
//! - [`targets`]: must and aim of each figure, once.
//!
//! It prints nothing; of files it knows the results file of [`points`] only.

pub mod curves;
pub mod explore;
pub mod measure;
pub mod points;
pub mod recorded;
pub mod recording;
pub mod regress;
pub mod slurm;
pub mod targets;
