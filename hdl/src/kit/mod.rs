// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every circuit is built with: rust-hdl blocks whose port widths are run-time values.
//!
//! rust-hdl's own `Signal<_, Bits<N>>` fixes a width when the crate is compiled; a tengen configuration arrives when
//! the program runs. A [`Circuit`] is therefore a rust-hdl [`Block`](rust_hdl::prelude::Block) whose ports are
//! [`Port`] atoms of any width and whose behaviour is Verilog text written by Rust code from the model's tables.
//! A [`typed::Module`] is where new circuits are written: it checks, prints and simulates them.
//! Circuits whose widths are fixed are ordinary `#[hdl_gen]` blocks and become children like any other.

mod body;
mod circuit;
mod states;
pub mod typed;

pub use body::{Body, concatenated, constant, hex, one_hot, range, sign_extend, zero_extend};
pub use circuit::{Circuit, Direction, Port};
pub use states::{state_bits, states};
