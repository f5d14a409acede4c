// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emitted text: the same bytes on every run, modules once, no initial values, snapshots of the leaf circuits.
#![allow(missing_docs)]

use engine_model::{Cell, Config, Engine, ModelEngine};
use hdl::Layout;
use hdl::circuits::evaluator::*;
use hdl::circuits::level::*;
use hdl::circuits::search::*;
use hdl::stream::{Command, Status};
use std::collections::HashSet;
use std::path::Path;

fn shipped(name: &str) -> Config {
    let file = format!("{}/../configs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Config::from_toml(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn every_run_gives_the_same_bytes() {
    for name in ["gomoku15", "gomoku7", "tictactoe"] {
        let config = shipped(name);
        let [first, second] = [(); 2].map(|()| hdl::package::files(&config));
        assert_eq!(first, second);
    }
}

#[test]
fn modules_stand_once_under_readable_names() {
    for name in ["gomoku15", "gomoku7", "tictactoe"] {
        let emission = hdl::emit_engine(&shipped(name));
        let names: HashSet<&String> = emission.modules.iter().collect();
        assert_eq!(names.len(), emission.modules.len());
        let heads: Vec<&str> = emission.verilog.lines().filter(|l| l.starts_with("module ")).collect();
        assert_eq!(heads.len(), emission.modules.len());
        // Level controllers are one module unless they differ: the root's, the next, those between, the last.
        assert!(heads.iter().filter(|h| h.contains("level_controller")).count() <= 4);
        let bodies: HashSet<&str> = emission
            .verilog
            .split("\nmodule ")
            .skip(1)
            .map(|module| module.split_once('(').unwrap().1)
            .collect();
        assert_eq!(bodies.len(), heads.len());
        for line in emission.verilog.lines() {
            let code = line.split("//").next().unwrap().replace("$signed", "");
            assert!(!code.contains('$'), "{line}");
            assert!(!code.contains("initial"), "{line}");
            assert!(!code.contains("{0{") && !code.contains(" 0'd"), "a zero width: {line}");
        }
        assert!(emission.verilog.starts_with(&format!("// {name}_engine: Gomoku search engine")));
    }
}

#[test]
fn trace_outputs_are_there_only_when_asked_for() {
    let config = shipped("gomoku7");
    let has_trace = |trace| {
        let emission = hdl::emit_engine(&Config { trace, ..config.clone() });
        emission.ports.iter().any(|port| port.name.starts_with("trace_"))
            && emission.verilog.contains("trace_")
    };
    assert!(has_trace(true));
    assert!(!has_trace(false));
}

#[test]
fn leaf_circuits() {
    let config = Config { contexts: 1, ..shipped("tictactoe") };
    let layout = Layout::new(&config);
    for circuit in [
        candidates::candidates(&layout),
        window_flags::window_flags(&layout, 0),
        node_builder::node_builder(&layout),
        node_outcome::node_outcome(&layout),
        root_board::root_board(&layout),
        level_controller::level_controller(&layout, 1),
        level_controller::level_controller(&layout, 2),
        move_store::move_store(&layout),
        move_picker::move_picker(&layout),
        board_slices::board_slices(&Layout::new(&Config { rows_per_clock: 2, ..config.clone() })),
    ] {
        let emission = hdl::emit::emit(&circuit, "t", &config);
        let text = emission.verilog.split_once("\nmodule ").unwrap().1;
        insta::assert_snapshot!(circuit.kind(), format!("module {text}"));
    }
}

/// A move of the opponent and what gomoku15 answers, word by word.
fn example() -> String {
    let config = shipped("gomoku15");
    let (columns, x, y) = (config.columns, 7, 7);
    let mut engine = ModelEngine::new(&config);
    engine.play((y * columns + x) as Cell).unwrap();
    let answer = usize::from(engine.search(None).unwrap().cell.expect("the game goes on"));
    let (play, status) = (Command::Play as u32, Status::Move as u32);
    let word = |coordinate: usize| format!("0x{:08x}", status << 8 | coordinate as u32);
    format!(
        "gomoku15, empty board: the opponent plays in the middle, the engine answers.\n\n\
         | port | word | meaning |\n|---|---|---|\n\
         | `s_axis_data` | 0x{x:08x}, 0x{y:08x} | x, y of the opponent's move |\n\
         | `s_axis_control` | 0x{play:08x} | {:?} |\n\
         | `m_axis_data` | {} | {:?}, x = {} |\n\
         | `m_axis_data`, tlast | {} | {:?}, y = {} |\n",
        Command::Play,
        word(answer % columns),
        Status::Move,
        answer % columns,
        word(answer / columns),
        Status::Move,
        answer / columns,
    )
}

/// `UPDATE_EXPECT=1 cargo test -p hdl` writes the document anew.
#[test]
fn the_protocol_document_is_not_stale() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/stream-protocol.md");
    let text = format!(
        "# Stream protocol\n\nThe words on the core's AXI4-Stream ports, for whoever connects the bare core; behind a bus the same words go \
         through [registers](register-map.md).\nGenerated from `hdl/src/stream.rs` by `UPDATE_EXPECT=1 cargo test -p hdl`.\n\n{}\n{}",
        example(),
        hdl::document::protocol()
    );
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
}

/// Sources of circuits: this crate's and the slots'.
fn circuit_sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            circuit_sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn no_circuit_is_written_in_verilog() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in ["src/circuits", "../soc-integration/src/circuits"] {
        circuit_sources(&root.join(folder), &mut sources);
    }
    assert!(sources.len() > 40, "{sources:?}");
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        for verilog in ["always @", "assign ", "posedge", "1'b", "'d{", "<= {", "endcase", "wire ["] {
            assert!(!text.contains(verilog), "{} has {verilog:?}", path.display());
        }
    }
}
