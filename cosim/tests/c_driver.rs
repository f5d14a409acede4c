// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver in C that packages have, compiled for this machine, with the simulated slots at the other end of a pipe.
#![allow(missing_docs)]

use cosim::Kind;
use cosim::bus::Master;
use engine_model::{Config, Engine, ModelEngine};
use soc_integration::Face;
use soc_integration::firmware::{DRIVER_HEADER, DRIVER_SOURCE};
use soc_integration::package::EXAMPLE;
use soc_integration::projections::c_header;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the program believes the registers to be.
const BASE: usize = 0x4020_0000;

fn config() -> Config {
    Config::from_toml(include_str!("../../configs/gomoku7.toml")).unwrap()
}

/// Compiles a program with the driver, every warning an error.
fn compile(name: &str, program: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-driver-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let files = [
        ("program.c", program),
        ("tengen.c", DRIVER_SOURCE),
        ("tengen.h", DRIVER_HEADER),
        ("tengen_regs.h", &c_header::text()),
        ("access.h", include_str!("c/access.h")),
    ];
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let output = Command::new("cc")
        .args([
            "-std=c99",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-DTENGEN_ACCESS=\"access.h\"",
        ])
        .args([&format!("-DBASE={BASE}u"), "-o", "program", "program.c", "tengen.c"])
        .current_dir(&folder)
        .output()
        .expect("Rust needs a C compiler to link");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("program")
}

/// Runs a program over a bus, or over one where nobody is; its other lines and its exit code.
fn run(program: &Path, mut bus: Option<Master>) -> (Vec<String>, Option<i32>) {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it was compiled");
    let mut input = child.stdin.take().unwrap();
    let mut said = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let offset = |text: &str| u32::try_from(text.parse::<usize>().unwrap() - BASE).unwrap();
        match words[..] {
            ["read", address] => {
                let value = bus.as_mut().map_or(0, |bus| bus.read(offset(address)).unwrap());
                writeln!(input, "{value}").unwrap();
            }
            ["write", address, value] => {
                if let Some(bus) = &mut bus {
                    bus.write(offset(address), value.parse().unwrap()).unwrap();
                }
            }
            _ => said.push(line),
        }
    }
    (said, child.wait().unwrap().code())
}

fn master(face: Face) -> Master {
    let model = cosim::models::model(&config(), Kind::Slot(face)).unwrap();
    Master::new(model, face, 9, 0.2)
}

#[test]
fn the_example_plays_the_models_game_over_every_bus() {
    let program = compile("example", EXAMPLE);
    let mut model = ModelEngine::new(&config());
    let mut expected = vec!["board 7x6".to_string()];
    let geometry = config().geometry();
    loop {
        let cell = model.search(None).unwrap().cell.expect("the game goes on");
        let point = geometry.point(cell);
        expected.push(format!("{},{}", point.x, point.y));
        if model.position().is_over() {
            expected.push(if model.position().winner().is_some() { "won" } else { "drawn" }.into());
            break;
        }
    }
    assert!(expected.len() > 8, "{expected:?}");
    for face in Face::ALL {
        let (said, code) = run(&program, Some(master(face)));
        let moves: Vec<&str> = said.iter().map(|line| line.split(" in ").next().unwrap()).collect();
        assert_eq!((moves, code), (expected.iter().map(String::as_str).collect(), Some(0)), "{face:?}");
    }
    let (said, code) = run(&program, None);
    assert_eq!((said, code), (vec![format!("no core at 0x{BASE:x}")], Some(1)));
}

#[test]
fn every_command_does_what_the_header_says() {
    let program = compile("commands", include_str!("c/commands.c"));
    for face in Face::ALL {
        assert_eq!(run(&program, Some(master(face))), (vec!["good".to_string()], Some(0)), "{face:?}");
    }
    let (said, code) = run(&program, None);
    assert_eq!(code, Some(1));
    assert!(said[0].contains("tengen_place"), "{said:?}");
}
