// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packaged test bench: Verilog that plays the recorded games through the core's own face and compares each answer, with
//! random waits on both sides. It runs in Icarus Verilog and in Verilator (`--timing`) and needs nothing but the package. Its
//! parts are in `tb/`, names in capitals between `@` being filled in. Signals are driven at the falling edge and looked at
//! shortly after it, as they will stand at the rising one.

use crate::Face;
use crate::stimulus::{ANSWERED, EARLY, EITHER, Exchange, RECORD_WORDS, SEARCHED};
use hdl::circuits::evaluator::{interval, latency};
use hdl::stream::{Command, IDENTITY, Status, selector};
use hdl::{Emission, Layout};
use kit::Direction;
use soc_integration::Face as Bus;
use soc_integration::register_map::{
    CONTROL, DATA_IN, DATA_OUT, ERRORS, ID, INTERRUPT_ENABLE, SCRATCH, STATUS,
};
use std::fmt::Write;

/// Name of the test bench's module.
pub const TOP: &str = "tb";
/// Clocks after which a search counts as hanging.
const PATIENCE: u32 = 2_000_000;
/// Clocks from a command to its answer at most that neither a search nor a pass takes: until all its words have come through the
/// face, with waits, and from the decision to the answer. A bus asks for room and answers, each time a few accesses.
const UNSEARCHED_BY_STREAM: usize = 100;
/// The same through a slot.
const UNSEARCHED_BY_BUS: usize = 600;
/// Passes that `Play` takes beside its search: two for each of the moves that are played.
const PASSES_TO_PLAY: usize = 4;

/// Fills in names between `@`.
pub(crate) fn filled(template: &str, names: &[(&str, String)]) -> String {
    names.iter().fold(template.to_string(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}

/// The test bench around `emission` for these commands.
pub fn text(face: Face, layout: &Layout, emission: &Emission, exchanges: &[Exchange]) -> String {
    let (clock, reset) = face.clock_and_reset();
    let mut text = format!(
        "// Plays recorded games through {top} and compares every answer. SPDX-License-Identifier: MIT OR Apache-2.0\n\
         //   +games=FILE       the games, else games.hex\n\
         //   +max_cycles=N     stop after N clocks, having compared what came until then\n\
         //   +search_clocks=N  fail unless the searches take N clocks in all, as a run before has told\n\
         `timescale 1ns / 1ps\n\
         module {TOP};\n\
         \x20 localparam RECORDS = {records};\n\
         \x20 localparam ANSWERS = {answers};\n\
         \x20 localparam PATIENCE = {PATIENCE};\n\n\
         \x20 reg {clock} = 1'b0;\n\
         \x20 reg {reset} = 1'b0;\n\
         \x20 always #5 {clock} = ~{clock};\n\n",
        top = emission.top,
        records = exchanges.len(),
        answers = exchanges.iter().filter(|exchange| exchange.answer.is_some()).count(),
    );
    for port in &emission.ports {
        if port.name == clock || port.name == reset {
            continue;
        }
        let range = if port.width == 1 { String::new() } else { format!("[{}:0] ", port.width - 1) };
        let _ = match port.direction {
            Direction::Input => writeln!(text, "  reg {range}{} = {}'d0;", port.name, port.width),
            Direction::Output => writeln!(text, "  wire {range}{};", port.name),
        };
    }
    let connections: Vec<String> =
        emission.ports.iter().map(|port| format!("    .{0}({0})", port.name)).collect();
    let _ = write!(text, "\n  {} dut (\n{}\n  );\n", emission.top, connections.join(",\n"));
    let (bus, interrupt) = match face {
        Face::Axis => ("", "interrupt"),
        Face::Slot(Bus::Ahb) => (include_str!("../tb/ahb.v"), "intr"),
        Face::Slot(Bus::Apb) => (include_str!("../tb/apb.v"), "intr"),
        Face::Slot(Bus::Axil) => (include_str!("../tb/axil.v"), "interrupt"),
    };
    let own = if face == Face::Axis { include_str!("../tb/streams.v") } else { include_str!("../tb/slot.v") };
    let parts =
        [include_str!("../tb/shared.v"), own, include_str!("../tb/counters.v"), include_str!("../tb/main.v")];
    for part in parts {
        text.push_str(part);
    }
    let put = include_str!("../tb/put.v");
    let hexadecimal = |number: u32| format!("{number:x}");
    let by_face = if face == Face::Axis { UNSEARCHED_BY_STREAM } else { UNSEARCHED_BY_BUS };
    // A slot's interrupt is off again after a reset.
    let forget = if face == Face::Axis { "" } else { "enabled = 1'b0;" };
    let names = [
        ("BUS", bus.to_string()),
        ("PUT", ["control", "data"].map(|name| filled(put, &[("NAME", name.into())])).concat()),
        ("CLOCK", clock.to_string()),
        ("RESET", reset.to_string()),
        ("INTERRUPT", interrupt.to_string()),
        ("FORGET", forget.to_string()),
        ("RECORD_WORDS", RECORD_WORDS.to_string()),
        ("ANSWERED", ANSWERED.to_string()),
        ("EARLY", EARLY.to_string()),
        ("EITHER", EITHER.to_string()),
        ("SEARCHED", SEARCHED.to_string()),
        ("UNSEARCHED", (by_face + PASSES_TO_PLAY * (latency(layout) + interval(layout))).to_string()),
        ("SLICES", layout.frame.slices.to_string()),
        ("PLIES", layout.max_path.to_string()),
        ("ABORTED", hexadecimal((Status::Aborted as u32) << 8)),
        ("DONE", hexadecimal((Status::Done as u32) << 8)),
        ("TAKE_BACK", (Command::TakeBack as u32).to_string()),
        ("SEARCH", (Command::Search as u32).to_string()),
        ("READ", (Command::Read as u32).to_string()),
        ("IDENTITY", hexadecimal(IDENTITY)),
        ("STATUS", hexadecimal(STATUS.offset)),
        ("CONTROL", hexadecimal(CONTROL.offset)),
        ("DATA_IN", hexadecimal(DATA_IN.offset)),
        ("DATA_OUT", hexadecimal(DATA_OUT.offset)),
        ("SCRATCH", hexadecimal(SCRATCH.offset)),
        ("ID", hexadecimal(ID.offset)),
        ("ERRORS", hexadecimal(ERRORS.offset)),
        ("INTERRUPT_ENABLE", hexadecimal(INTERRUPT_ENABLE.offset)),
        ("EMPTY_READ", hexadecimal(ERRORS.mask("EMPTY_READ"))),
        ("CONTROL_ROOM", hexadecimal(STATUS.mask("CONTROL_ROOM"))),
        ("DATA_ROOM", hexadecimal(STATUS.mask("DATA_ROOM"))),
        ("ANSWER", hexadecimal(STATUS.mask("ANSWER"))),
        ("LAST_WORD", hexadecimal(STATUS.mask("LAST"))),
    ];
    let selectors = selector::ALL.map(|(name, number)| (format!("{name}_SELECTOR"), number.to_string()));
    let selectors = selectors.iter().map(|(name, number)| (name.as_str(), number.clone()));
    filled(&text, &names.into_iter().chain(selectors).collect::<Vec<_>>())
}

/// Options of Verilator that make a program of it.
pub const VERILATOR: &str = "--timing -O3 --output-split 20000 -Wno-fatal -Wno-lint -Wno-style";
/// How g++ optimises that program unless the user says otherwise: not at all. A core's clock is one function of megabytes, and optimising
/// it takes g++ longer than all the recorded games take a program that is not optimised.
pub const OPTIMISATION: &str = "-O0";

/// A Makefile that runs it.
pub fn makefile(top: &str) -> String {
    format!(
        "# make icarus | make verilator; make icarus ARGS=+max_cycles=100000 ends a run early\n\
         # OPT=-Os: g++ compiles some times as long, even of a small core for minutes; the games run faster then\n\
         # Both are this file's own: what a shell has under these names, or for other programs' compilers, changes nothing.\n\
         ARGS =\n\
         OPT = {OPTIMISATION}\n\
         unexport ARGS OPT OPT_FAST OPT_SLOW OPT_GLOBAL CFLAGS CPPFLAGS CXXFLAGS LDFLAGS LDLIBS\n\
         icarus: {top}.vvp\n\
         \tvvp -N {top}.vvp $(ARGS)\n\
         {top}.vvp: tb_{top}.v ../rtl/{top}.v\n\
         \tiverilog -g2001 -s {TOP} -o $@ $^\n\
         verilator: obj_dir/V{TOP}\n\
         \tobj_dir/V{TOP} $(ARGS)\n\
         obj_dir/V{TOP}: tb_{top}.v ../rtl/{top}.v\n\
         \tverilator --binary {VERILATOR} -MAKEFLAGS OPT_FAST=$(OPT) -j 2 --top-module {TOP} --Mdir obj_dir $^\n\
         clean:\n\
         \trm -rf {top}.vvp obj_dir\n\
         .PHONY: icarus verilator clean\n"
    )
}
