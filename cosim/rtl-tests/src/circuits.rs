// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is tested, by name: every circuit alone (on the gomoku7 board, those of the evaluator also slice by slice), the
//! engine with all faults to choose from (on a 5 x 5 board), and engines of unusual configurations.

use crate::{faults, inject};
use cosim::models::CircuitModel;
use cosim::verilate::Waves;
use engine_model::named::named;
use engine_model::scoring::bits_for;
use engine_model::{BoundKind, Config};
use hdl::Emission;
use hdl::circuits::evaluator::*;
use hdl::circuits::face::*;
use hdl::circuits::level::level_controller;
use hdl::circuits::search::*;
use hdl::circuits::{DIRECTION_NAMES, evaluator};
use hdl::kit::{self, Body, Circuit, Direction};
use hdl::layout::Layout;

const SMALL_CONFIG: &str = include_str!("../small.toml");

/// Names and texts of the unusual configurations.
pub const VARIANTS: [(&str, &str); 7] = [
    ("bare", include_str!("../variants/bare.toml")),
    ("wide", include_str!("../variants/wide.toml")),
    ("line", include_str!("../variants/line.toml")),
    ("forced", include_str!("../variants/forced.toml")),
    ("shallow", include_str!("../variants/shallow.toml")),
    ("tall", include_str!("../variants/tall.toml")),
    ("crowded", include_str!("../variants/crowded.toml")),
];

/// What has this name.
pub fn described(name: &str) -> CircuitModel {
    if name == faults::MODEL {
        return with_all_faults();
    }
    if let Some((_, text)) = VARIANTS.iter().find(|(known, _)| *known == name) {
        let config = Config::from_toml(text).expect("a variant is a configuration");
        let emission = hdl::emit_engine(&config).expect("a variant is an engine");
        return described_as(name, emission, config);
    }
    let config = Config { trace: true, bound: BoundKind::Reply, ..named("gomoku7").expect("it is named") };
    let alone = |circuit: &Circuit, config: Config| {
        let emission = hdl::emit::emit(circuit, "alone", &config).expect("a circuit of ours is sound");
        described_as(name, emission, config)
    };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no circuit {name}"));
    let found = |circuits: Vec<Circuit>, kind: &str| {
        let mut circuits = circuits.into_iter();
        circuits.find(|circuit| circuit.kind() == kind).unwrap_or_else(|| panic!("no circuit {name}"))
    };
    if let Some((kind, rows)) = name.rsplit_once("_by_") {
        let config = Config { rows_per_clock: number(rows), ..config };
        return alone(&found(sliced(&Layout::new(&config)), kind), config);
    }
    if let Some(level) = name.strip_prefix("level_") {
        let (level, config) = match level.strip_suffix("_all") {
            Some(level) => (level, Config { beam: vec![0], ..config }),
            None => (level, config),
        };
        return alone(&level_controller::level_controller(&Layout::new(&config), number(level)), config);
    }
    alone(&found(whole(&Layout::new(&config)), name), config)
}

fn described_as(name: &str, emission: Emission, config: Config) -> CircuitModel {
    let title = format!("{name}, alone");
    CircuitModel { name: name.into(), title, clock: "aclk".into(), config, waves: None, emission }
}

fn with_all_faults() -> CircuitModel {
    let small = Config::from_toml(SMALL_CONFIG).expect("the small configuration is one");
    let emission = hdl::emit_engine(&small).expect("the small configuration is an engine");
    let prefix = format!("{}_", small.name);
    let verilog = inject::inject(&emission.verilog, &prefix, &emission.top, faults::FAULTS)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut faulty = described_as(faults::MODEL, Emission { verilog, ..emission }, small);
    faulty.emission.ports.push(kit::Port {
        name: inject::SELECT.into(),
        width: bits_for(faults::FAULTS.len()),
        direction: Direction::Input,
    });
    CircuitModel { waves: Some(Waves::Vcd), ..faulty }
}

/// Every circuit of the whole board at once but the level controllers.
fn whole(layout: &Layout) -> Vec<Circuit> {
    let mut circuits = evaluation(layout);
    circuits.extend([
        node_builder::node_builder(layout),
        node_outcome::node_outcome(layout),
        root_board::root_board(layout),
        move_store::move_store(layout),
        move_picker::move_picker(layout),
        request_queue::request_queue(40),
        with_registers("visit_choice_registered", visit_choice::visit_choice(layout)),
        game_controller::game_controller(layout),
        command_face::command_face(layout),
        axis_register_alone(),
    ]);
    circuits
}

/// What differs when the board is seen slice by slice.
fn sliced(layout: &Layout) -> Vec<Circuit> {
    let mut circuits = evaluation(layout);
    circuits.push(board_slices::board_slices(layout));
    circuits
}

/// The evaluator and its parts.
fn evaluation(layout: &Layout) -> Vec<Circuit> {
    let mut circuits = vec![
        candidates::candidates(layout),
        cell_gains::cell_gains(layout),
        cell_threats::cell_threats(layout),
        best_cell::best_cell(layout),
        largest_gain::largest_gain(layout),
        evaluator::evaluator(layout),
    ];
    for direction in 0..DIRECTION_NAMES.len() {
        circuits.push(window_flags::window_flags(layout, direction));
    }
    circuits
}

/// A circuit without a clock, its outputs in registers: every model has a clock.
fn with_registers(name: &str, inner: Circuit) -> Circuit {
    let mut circuit = Circuit::new(name, "Registers behind a combinational circuit.");
    circuit.clocked(false);
    let mut body = Body::new();
    for kit::Port { name, width, direction } in inner.ports() {
        if *direction == Direction::Input {
            circuit.input(name, *width);
            body.drive(&format!("inner${name}"), name);
        } else {
            circuit.output(name, *width);
            body.drive_register(name, format!("inner${name}"));
        }
    }
    circuit.child("inner", inner);
    circuit.set_body(body.finish());
    circuit
}

/// The register between outer ports, as it is a rust-hdl block of its own.
fn axis_register_alone() -> Circuit {
    let mut circuit = Circuit::new("axis_register_alone", "The input register between ports.");
    circuit.clocked(true);
    let inputs = [("flush", 1), ("s_tdata", 32), ("s_tvalid", 1), ("m_tready", 1)];
    let outputs = [("s_tready", 1), ("m_tdata", 32), ("m_tvalid", 1)];
    inputs.iter().for_each(|&(name, width)| circuit.input(name, width));
    outputs.iter().for_each(|&(name, width)| circuit.output(name, width));
    let register = axis_register::AxisRegister::default();
    circuit.block_child("register", "axis_register", register, &axis_register::KINDS);
    let mut body = Body::new();
    for (name, _) in inputs.iter().chain(&[("aclk", 1), ("aresetn", 1)]) {
        body.drive(&format!("register${name}"), name);
    }
    for (name, _) in outputs {
        body.drive(name, format!("register${name}"));
    }
    circuit.set_body(body.finish());
    circuit
}
