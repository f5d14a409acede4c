// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is tested, by name: every circuit alone in the kit's simulator (on the gomoku7 board, those of the evaluator also slice by
//! slice); verilated, the engine with all faults to choose from (on a 5 x 5 board) and engines of unusual configurations.

use crate::faults::{self, FaultSet};
use cosim::models::CircuitModel;
use cosim::verilate::Waves;
use engine_model::named::named;
use engine_model::{BoundKind, Config};
use hdl::Emission;
use hdl::circuits::evaluator::*;
use hdl::circuits::face::*;
use hdl::circuits::level::level_controller;
use hdl::circuits::search::*;
use hdl::circuits::{DIRECTION_NAMES, evaluator};
use hdl::layout::Layout;
use kit::{Circuit, Fault};

/// The board that faults are put into.
pub const SMALL_CONFIG: &str = include_str!("../small.toml");

/// Names and texts of the unusual configurations.
pub const VARIANTS: [(&str, &str); 10] = [
    ("bare", include_str!("../variants/bare.toml")),
    ("wide", include_str!("../variants/wide.toml")),
    ("line", include_str!("../variants/line.toml")),
    ("forced", include_str!("../variants/forced.toml")),
    ("shallow", include_str!("../variants/shallow.toml")),
    ("tall", include_str!("../variants/tall.toml")),
    ("crowded", include_str!("../variants/crowded.toml")),
    ("answered", include_str!("../variants/answered.toml")),
    ("ahead", include_str!("../variants/ahead.toml")),
    ("transposed", include_str!("../variants/transposed.toml")),
];

/// The simulation of a name: an engine with all faults to choose from, or of an unusual configuration.
pub fn described(name: &str) -> CircuitModel {
    let config = |name: &str| {
        let mut known = [("small", SMALL_CONFIG)].into_iter().chain(VARIANTS);
        let (_, text) = known.find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no {name}"));
        Config::from_toml(text).expect("it is a configuration")
    };
    match faults::SETS.iter().find(|set| set.model == name) {
        Some(set) => with_all_faults(set, config(set.config)),
        None => described_as(name, hdl::emit_engine(&config(name)), config(name)),
    }
}

/// The circuit of a name, alone, and its configuration.
pub fn alone(name: &str) -> (Circuit, Config) {
    let config = Config { trace: true, bound: BoundKind::Reply, ..named("gomoku7").expect("it is named") };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no circuit {name}"));
    let found = |circuits: Vec<Circuit>, kind: &str| {
        let mut circuits = circuits.into_iter();
        circuits.find(|circuit| circuit.kind() == kind).unwrap_or_else(|| panic!("no circuit {name}"))
    };
    if let Some((kind, rows)) = name.rsplit_once("_by_") {
        let config = Config { rows_per_clock: number(rows), ..config };
        return (found(sliced(&Layout::new(&config)), kind), config);
    }
    if let Some((kind, low_gain)) = name.rsplit_once("_from_") {
        let config = Config { low_gain: number(low_gain), ..config };
        return (found(whole(&Layout::new(&config)), kind), config);
    }
    if let Some(kind) = name.strip_suffix("_ahead").filter(|kind| !kind.starts_with("level_")) {
        let config = Config { ahead: 1, ..config };
        return (found(whole(&Layout::new(&config)), kind), config);
    }
    let all = || Config { beam: vec![0], ..config.clone() };
    // As the main core: paths are shortened.
    let short = || Config { ahead: 1, bound: BoundKind::Answer, ..all() };
    let varied = |suffix: &str| match suffix {
        "all" => Some(all()),
        "short" => Some(short()),
        "transposed" => Some(Config { extensions: 0, levels: 5, transpositions: 64, ..short() }),
        _ => None,
    };
    if let Some(level) = name.strip_prefix("level_") {
        let (level, config) = match level.split_once('_') {
            Some((level, "ahead")) => (level, Config { ahead: 1, ..all() }),
            Some((level, suffix)) => (level, varied(suffix).unwrap_or_else(|| panic!("no circuit {name}"))),
            None => (level, config),
        };
        return (level_controller::level_controller(&Layout::new(&config), number(level)), config);
    }
    if let Some((kind, config)) =
        name.rsplit_once('_').and_then(|(kind, suffix)| Some((kind, varied(suffix)?)))
    {
        return (found(whole(&Layout::new(&config)), kind), config);
    }
    (found(whole(&Layout::new(&config)), name), config)
}

pub(crate) fn described_as(name: &str, emission: Emission, config: Config) -> CircuitModel {
    let title = format!("{name}, alone");
    CircuitModel {
        name: name.into(),
        title,
        clock: "aclk".into(),
        config,
        waves: None,
        coverage: false,
        emission,
    }
}

fn with_all_faults(set: &FaultSet, config: Config) -> CircuitModel {
    let faults: Vec<Fault> = set.faults.iter().map(|(fault, _)| *fault).collect();
    let top = format!("{}_engine", config.name);
    let engine = hdl::engine(&config).with_faults(&faults, &top, faults::SELECT);
    let engine = engine.unwrap_or_else(|error| panic!("{error}"));
    let emission = hdl::emit::emit(&engine, &config.name, &config);
    assert_eq!(emission.top, top, "faults see their choice by the name of the top module");
    CircuitModel { waves: Some(Waves::Vcd), ..described_as(set.model, emission, config) }
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
        visit_choice::visit_choice(layout),
        visit_choice::visit_reserves(layout),
        game_controller::game_controller(layout),
        command_face::command_face(layout),
        axis_register::axis_register(),
    ]);
    let keeps = layout.config.has_transpositions();
    circuits.extend(keeps.then(|| transposition_table::transposition_table(layout)));
    circuits.extend(layout.config.has_beam().then(|| beam_picker::beam_picker(layout)));
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
