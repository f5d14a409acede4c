// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a job cannot be run.

use area::tool::ToolError;
use cosim::ModelError;

/// Why a job cannot be run at all: a fault of the core is an outcome instead.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// There is no simulation.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A tool is missing, or a file cannot be written.
    #[error(transparent)]
    Tool(#[from] ToolError),
}
