// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regression: a plan of runs in lockstep, of packages' test benches and of random configurations, each a job of its own, and one
//! report of all.
//!
//! - [`plan`]: the plan's text and the jobs it stands for.
//! - [`job`]: one job, and what came of it; `tools`: what others' tools say of a package.
//! - [`report`]: all outcomes as a page.

mod error;
pub mod job;
pub mod plan;
pub mod report;
mod tools;

pub use job::{Check, Job, JobError, Outcome};
pub use plan::{Plan, PlanError};
