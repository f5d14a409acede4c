// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits as typed signals: every signal has a width that is known when the program runs, a place in the Rust source, and one
//! driver. Mistakes are told with that place before any tool runs; the same description is printed as Verilog and simulated.
//! [How a circuit is written](../../../docs/hdl.md).
//!
//! - `module`: a circuit under description. `signal`: signals and operators. `description`: what both write into.
//! - `record`: bundles. `error`: what can be wrong.
//! - `net`: the netlist behind them; `print` writes it, `simulator` runs it.

mod description;
mod error;
mod module;
mod net;
mod print;
mod record;
mod signal;
mod simulator;

pub use description::Description;
pub use error::{DesignError, DesignErrors, Mistake};
pub use module::Module;
pub use net::Statement;
pub use signal::{Operand, Signal, When, cat, when};
pub use simulator::{Simulator, Value};
