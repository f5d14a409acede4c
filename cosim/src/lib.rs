// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilated RTL and golden model in lockstep.
//!
//! - [`models`]: simulations by configuration, compiled when they are asked for.
//! - [`dut`]: one instance of a verilated model, port by port.
//! - [`axis`]: AXI4-Stream source, sink and monitor with seeded idle and back-pressure.
//! - [`mod@bench`]: the engine core between them: commands in, answers and trace events out.
//! - [`bus`]: the engine in a slot between bus-functional masters: AHB-Lite, APB, AXI4-Lite.
//! - [`mod@line`]: a top level with a serial line, bit by bit at its pins, as the driver's line too.
//! - [`trace`]: what the `trace_*` outputs say, decoded.
//! - [`scoreboard`]: every node, return and decision against the model.
//! - `counters`: the core's own counters against the trace.
//! - [`coverage`]: which signals changed and which conditions were met both ways.
//! - [`speed`]: how many clocks a second of the processor.
//! - [`recording`]: one search, clock by clock.
//! - [`report`]: a fault in words, and its waveform's save file.
//! - [`rtl_engine`]: the simulated core as an [`engine_model::Engine`].
//! - [`lockstep`]: games played in lockstep, with statistics and the replay of a mismatch.

pub mod axis;
pub mod bench;
pub mod bus;
mod counters;
pub mod coverage;
mod described;
pub mod dut;
mod fault;
pub mod line;
pub mod lockstep;
pub mod measure;
pub mod models;
mod moves;
pub mod passed;
pub mod recording;
mod replies;
pub mod report;
pub mod rtl_engine;
pub mod scoreboard;
pub mod speed;

pub mod trace;
pub mod waits;
pub mod waves;

pub use models::{Kind, Model, ModelError};
pub use verilate;
