// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regression: a plan of runs in lockstep, each a job of its own, and one report of all.
//!
//! - [`plan`]: the plan's text and the jobs it stands for.
//! - [`job`]: one job, and what came of it.
//! - [`report`]: all outcomes as a page.
//! - [`slurm`]: the jobs as an array job of a cluster.

pub mod job;
pub mod plan;
pub mod report;
pub mod slurm;

pub use job::{Job, Outcome};
pub use plan::{Plan, PlanError};
