// SPDX-License-Identifier: MIT OR Apache-2.0
//! A typed circuit kit over rust-hdl: signals whose widths are run-time values, described in Rust.
//!
//! Every signal has a width that is known when the program runs, a place in the Rust source, and one driver. Mistakes are told with
//! that place before any tool runs; the same description is printed as Verilog and simulated.
//! rust-hdl's own `Signal<_, Bits<N>>` fixes a width when the crate is compiled; here it is a value of the running program. A [`Circuit`] is therefore a rust-hdl [`Block`](rust_hdl::prelude::Block)
//! whose ports are [`Port`] atoms of any width.
//!
//! - `module`: a circuit under description; `clocked`, its registers and memories; `instance`, its children, by `port`s; `functions` on signals.
//! - `sig`: signals and operators, on `number`s too; `edge`: what happens at the clock's edge. `description`: what all write into.
//! - `record`: bundles. `states`: values with names. `error`: what can be wrong.
//! - `fault`: changes put into a netlist on purpose, by name; `mutant`: all that its nodes allow; `select`: how an input chooses one. `choices`: what decides, under names.
//! - `net`: the netlist behind them; `expression`, `print_edge` and `print` write it, `hierarchy` all modules of a circuit, `simulator` runs it, on `value`s; `waves` shows what it did, `chain` the longest
//!   way between registers.

mod chain;
mod choices;
mod circuit;
mod clocked;
mod description;
mod edge;
mod error;
mod expression;
mod fault;
mod functions;
mod hierarchy;
mod instance;
mod keywords;
mod module;
mod mutant;
mod net;
mod number;
mod port;
mod print;
mod print_edge;
mod record;
mod select;
mod sig;
mod simulator;
mod states;
mod unread;
mod value;
mod waves;

pub use chain::Chain;
pub use choices::Choice;
pub use circuit::Circuit;
pub use clocked::Memory;
pub use description::Description;
pub use edge::when;
pub use error::{DesignError, DesignErrors, Mistake};
pub use fault::{Change, Fault, FaultError, Operator};
pub use functions::{First, one_hot};
pub use hierarchy::Modules;
pub use instance::Instance;
pub use module::Module;
pub use mutant::Mutant;
pub use net::Statement;
pub use number::Number;
pub use port::{Direction, Port};
pub use record::{Field, Packed};
pub use sig::{Operand, Sig, all_of, any_of, bundle, cat};
pub use simulator::Simulator;
pub use states::{States, state_bits};
pub use value::Value;
pub use waves::Waves;
