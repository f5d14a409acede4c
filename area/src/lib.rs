// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a synthesised core costs and how fast it may be.
//!
//! [`synthesis`] runs Yosys and keeps its netlist, [`netlist`] reads it, [`primitive`] knows the cells of the 7 series and the ECP5,
//! [`utilisation`] counts them per module, [`flat`] unfolds the hierarchy, [`timing`] finds its longest paths by the
//! figures of [`artix7`] or [`ecp5`] ([`delay`] says what such figures are), and [`route`] has another family's open place-and-route
//! measure a clock, which [`comparison`] holds against the estimate path by path. [`fit`] asks openXC7 whether a core fits a part.
//! [`tool`] runs programs and keeps what they made.
//!
//! The crate knows no circuit of ours: it is given Verilog text and a top module.

pub mod artix7;
pub mod comparison;
pub mod delay;
pub mod ecp5;
pub mod fit;
pub mod flat;
pub mod netlist;
pub mod primitive;
pub mod route;
pub mod synthesis;
pub mod timing;
pub mod tool;
pub mod utilisation;
