// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilates every circuit alone (on the gomoku7 board, those of the evaluator also slice by slice), the engine with
//! all faults to choose from (on a 5 x 5 board), and engines of unusual configurations.

use engine_model::scoring::bits_for;
use engine_model::{BoundKind, Config};
use hdl::circuits::*;
use hdl::kit::{self, Body, Circuit, Direction};
use hdl::layout::Layout;
use std::path::{Path, PathBuf};
use verilate::{Port, Source, Toolchain};

#[path = "src/faults.rs"]
#[allow(dead_code)]
mod faults;
#[path = "src/inject.rs"]
mod inject;

const SMALL_CONFIG: &str = include_str!("small.toml");

type Error = Box<dyn std::error::Error>;

fn main() {
    println!("cargo:rerun-if-changed=src/faults.rs");
    println!("cargo:rerun-if-changed=src/inject.rs");
    println!("cargo:rerun-if-changed=small.toml");
    if let Err(message) = build() {
        println!("cargo::error={}", message.to_string().replace('\n', " | "));
        std::process::exit(1);
    }
}

fn build() -> Result<(), Error> {
    let out_dir = PathBuf::from(std::env::var("OUT_DIR")?);
    let toolchain = Toolchain::find(verilate::cache_folder(&out_dir))?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/gomoku7.toml");
    println!("cargo:rerun-if-changed={}", file.display());
    let shipped = Config::from_toml(&std::fs::read_to_string(file)?)?;
    let config = Config { trace: true, bound: BoundKind::Reply, ..shipped };
    let mut sources = Vec::new();
    for (name, circuit) in alone(&Layout::new(&config)) {
        sources.push(source(&name, hdl::emit::emit(&circuit, "alone", &config)?, &config));
    }
    let all = Config { beam: vec![0], ..config.clone() };
    for level in 2..=all.levels {
        let circuit = level_controller::level_controller(&Layout::new(&all), level);
        sources.push(source(&format!("level_{level}_all"), hdl::emit::emit(&circuit, "alone", &all)?, &all));
    }
    for rows_per_clock in faults::SLICED {
        let config = Config { rows_per_clock, ..config.clone() };
        for circuit in sliced(&Layout::new(&config)) {
            let emission = hdl::emit::emit(&circuit, "alone", &config)?;
            sources.push(source(&format!("{}_by_{rows_per_clock}", circuit.kind()), emission, &config));
        }
    }

    let small = Config::from_toml(SMALL_CONFIG)?;
    let emission = hdl::emit_engine(&small)?;
    let prefix = format!("{}_", small.name);
    let verilog = inject::inject(&emission.verilog, &prefix, &emission.top, faults::FAULTS)?;
    let mut faulty = source(faults::MODEL, hdl::Emission { verilog, ..emission }, &small);
    faulty.ports.push(Port {
        name: inject::SELECT.into(),
        width: bits_for(faults::FAULTS.len()),
        input: true,
    });
    sources.push(Source { waves: true, ..faulty });
    for name in faults::VARIANTS {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("variants/{name}.toml"));
        println!("cargo:rerun-if-changed={}", file.display());
        let config = Config::from_toml(&std::fs::read_to_string(file)?)?;
        sources.push(source(name, hdl::emit_engine(&config)?, &config));
    }
    toolchain.build(&sources, &out_dir.join("models.rs"))?;
    Ok(())
}

/// Every circuit of the whole board at once, by the name of its model.
fn alone(layout: &Layout) -> Vec<(String, Circuit)> {
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
        soc_integration::circuits::register_file::register_file(layout),
    ]);
    let mut named: Vec<_> = circuits.into_iter().map(|c| (c.kind().to_string(), c)).collect();
    named.extend(
        (1..=layout.config.levels)
            .map(|level| (format!("level_{level}"), level_controller::level_controller(layout, level))),
    );
    named
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

fn source(name: &str, emission: hdl::Emission, config: &Config) -> Source {
    let ports = emission.ports.iter().map(|p| Port {
        name: p.name.clone(),
        width: p.width,
        input: p.direction == Direction::Input,
    });
    Source {
        name: name.to_string(),
        top: emission.top,
        ports: ports.collect(),
        clock: "aclk".into(),
        face: "axis".into(),
        waves: false,
        verilog: emission.verilog,
        config: config.to_toml(),
    }
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
