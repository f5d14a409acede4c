// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a job cannot be run.

use area::tool::ToolError;
use cosim::ModelError;
use hdl::EmitError;

/// Why a job cannot be run at all: a fault of the core is an outcome instead.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// There is no simulation.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no Verilog.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// A tool is missing, or a file cannot be written.
    #[error(transparent)]
    Tool(#[from] ToolError),
}
