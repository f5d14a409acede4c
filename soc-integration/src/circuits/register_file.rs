// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the register map, between a bus and the engine's streams.

use crate::register_map::*;
use hdl::Layout;
use hdl::circuits::search::words::{COUNTER_BITS, CYCLE_BITS, LIMIT_BITS};
use hdl::kit::{Body, Circuit, zero_extend};
use hdl::stream::version_word;

/// Bits of a register's number: its offset in words.
pub const NUMBER_BITS: usize = WINDOW_BYTES.trailing_zeros() as usize - 2;

/// An access: inputs of the register file.
pub const PORTS: [(&str, usize); 7] = [
    ("write", 1),
    ("write_number", NUMBER_BITS),
    ("write_lanes", 4),
    ("write_data", 32),
    ("read", 1),
    ("read_number", NUMBER_BITS),
    ("read_lane_0", 1),
];

/// Outputs of the search core that registers show.
pub fn shown() -> Vec<&'static str> {
    let mut names = vec!["idle", "cycles", "nodes", "limit", "decided_levels"];
    names.extend(COUNTERS.iter().map(|(port, _)| *port));
    names
}

/// The registers of [`crate::register_map`].
///
/// Ports: `aclk`, `aresetn`; `write` of register `write_number` (its byte offset / 4) with `write_data` in the byte lanes
/// `write_lanes`; `read` of `read_number` with `read_data` out in the same clock, `read_lane_0`: its lowest byte is among
/// those asked for; the engine's streams with directions turned round, its interrupt as `answer_waits`; the counters; out `interrupt` (level). A read and a
/// write a clock. Reset clears every register and drops the words that have not been taken.
pub fn register_file(layout: &Layout) -> Circuit {
    let mut circuit = Circuit::new(
        "register_file",
        "The registers of the register map, between a bus and the engine's streams.\n\
         One read and one write a clock, read data in the same clock; reset clears every register.",
    );
    circuit.clocked(true);
    circuit.inputs(&PORTS);
    circuit.outputs(&[("read_data", 32), ("interrupt", 1)]);
    for stream in ["control", "data"] {
        circuit.output(format!("s_axis_{stream}_tdata"), 32);
        circuit.output(format!("s_axis_{stream}_tvalid"), 1);
        circuit.input(format!("s_axis_{stream}_tready"), 1);
    }
    circuit.inputs(&[("m_axis_data_tdata", 32), ("m_axis_data_tvalid", 1), ("m_axis_data_tlast", 1)]);
    circuit.output("m_axis_data_tready", 1);
    circuit.input("answer_waits", 1);
    circuit.inputs(&[("idle", 1), ("cycles", CYCLE_BITS), ("nodes", COUNTER_BITS * layout.max_path)]);
    circuit.inputs(&[("limit", LIMIT_BITS), ("decided_levels", layout.level_bits)]);
    for (port, _) in COUNTERS {
        circuit.input(port, COUNTER_BITS);
    }
    let mut body = Body::new();
    writes(&mut body);
    reads(&mut body, layout);
    circuit.set_body(body.finish());
    circuit
}

fn number(offset: u32) -> String {
    format!("{NUMBER_BITS}'d{}", offset / 4)
}

fn writes(body: &mut Body) {
    body.raw(
        "
wire [31:0] mask = {{8{write_lanes[3]}}, {8{write_lanes[2]}}, {8{write_lanes[1]}}, {8{write_lanes[0]}}};
// Lanes that are not written are zero in a pushed word and stay in a register that keeps its value.
wire [31:0] word = write_data & mask;
",
    );
    let at = |register: &Register| format!("write & (write_number == {})", number(register.offset));
    // No word waits here: the core's own registers hold two of each stream, and a Reset command empties them.
    for (stream, register, error) in
        [("control", CONTROL, "CONTROL_DROPPED"), ("data", DATA_IN, "DATA_DROPPED")]
    {
        body.raw(format!(
            "
wire push_{stream} = {here} & write_lanes[0];
wire error_{bit} = push_{stream} & ~s_axis_{stream}_tready;
always @(*) s_axis_{stream}_tvalid = push_{stream} & s_axis_{stream}_tready;
always @(*) s_axis_{stream}_tdata = word;
",
            here = at(&register),
            bit = ERRORS.field(error).low,
        ));
    }
    let enable = INTERRUPT_ENABLE.field("ANSWER").low;
    body.raw(format!(
        "
reg [31:0] scratch;
reg interrupt_enable;
always @(posedge aclk)
  if (!aresetn) scratch <= 32'd0;
  else if ({at_scratch}) scratch <= (scratch & ~mask) | word;
always @(posedge aclk)
  if (!aresetn) interrupt_enable <= 1'b0;
  else if ({at_enable} & mask[{enable}]) interrupt_enable <= write_data[{enable}];
always @(*) interrupt = interrupt_enable & answer_waits;
",
        at_scratch = at(&SCRATCH),
        at_enable = at(&INTERRUPT_ENABLE),
    ));
    let width = ERRORS.fields.len();
    let events: Vec<String> = (0..width).rev().map(|bit| format!("error_{bit}")).collect();
    body.comment("An error that comes as its bit is cleared stays.");
    body.raw(format!(
        "
wire take_answer = read & read_lane_0 & (read_number == {data_out});
wire error_{empty} = take_answer & ~m_axis_data_tvalid;
always @(*) m_axis_data_tready = take_answer;
reg [{high}:0] errors;
always @(posedge aclk)
  if (!aresetn) errors <= {width}'d0;
  else errors <= (errors & ~(({at_errors}) ? word[{high}:0] : {width}'d0)) | {{{events}}};
",
        data_out = number(DATA_OUT.offset),
        empty = ERRORS.field("EMPTY_READ").low,
        high = width - 1,
        at_errors = at(&ERRORS),
        events = events.join(", "),
    ));
}

fn reads(body: &mut Body, layout: &Layout) {
    let config = &layout.config;
    let flag = |bits: &[(&str, &str)], register: &Register| -> String {
        let mut word = vec!["1'b0".to_string(); 32];
        for (name, signal) in bits {
            word[register.field(name).low as usize] = (*signal).to_string();
        }
        word.reverse();
        format!("{{{}}}", word.join(", "))
    };
    let configuration = [
        ("COLUMNS", config.columns),
        ("ROWS", config.rows),
        ("IN_A_ROW", config.in_a_row),
        ("LEVELS", config.levels),
    ]
    .iter()
    .fold(0, |word, (name, value)| word | (*value as u32) << CONFIGURATION.field(name).low);
    let status = flag(
        &[
            ("ANSWER", "m_axis_data_tvalid"),
            ("LAST", "(m_axis_data_tvalid & m_axis_data_tlast)"),
            ("CONTROL_ROOM", "s_axis_control_tready"),
            ("DATA_ROOM", "s_axis_data_tready"),
            ("BUSY", "~idle"),
            ("ERROR", "(|errors)"),
        ],
        &STATUS,
    );
    let errors = ERRORS.fields.len();
    body.comment("The high word of the cycles, as it was when the low word was read.");
    body.raw(format!(
        "
reg [31:0] cycles_high;
always @(posedge aclk)
  if (!aresetn) cycles_high <= 32'd0;
  else if (read & (read_number == {low})) cycles_high <= cycles[{top}:32];
",
        low = number(CYCLES_LOW.offset),
        top = CYCLE_BITS - 1,
    ));
    let mut words = vec![
        (ID.offset, format!("32'd{}", hdl::stream::IDENTITY)),
        (VERSION.offset, format!("32'd{}", version_word())),
        (CONFIGURATION.offset, format!("32'd{configuration}")),
        (SCRATCH.offset, "scratch".into()),
        (DATA_OUT.offset, format!("m_axis_data_tvalid ? m_axis_data_tdata : 32'd{EMPTY}")),
        (STATUS.offset, status),
        (ERRORS.offset, format!("{{{}'d0, errors}}", 32 - errors)),
        (INTERRUPT_ENABLE.offset, flag(&[("ANSWER", "interrupt_enable")], &INTERRUPT_ENABLE)),
        (INTERRUPT_STATUS.offset, flag(&[("ANSWER", "interrupt")], &INTERRUPT_STATUS)),
        (CYCLES_LOW.offset, "cycles[31:0]".into()),
        (CYCLES_HIGH.offset, "cycles_high".into()),
        (LIMIT.offset, "limit".into()),
        (DECIDED_LEVELS.offset, zero_extend("decided_levels", layout.level_bits, 32)),
    ];
    words.extend(COUNTERS.iter().map(|(port, register)| (register.offset, (*port).to_string())));
    words.extend((0..layout.max_path).map(|ply| {
        let slice = format!("nodes[{}:{}]", (ply + 1) * COUNTER_BITS - 1, ply * COUNTER_BITS);
        (NODES.offset + 4 * ply as u32, slice)
    }));
    let cases: String = words
        .iter()
        .map(|(offset, word)| format!("    {}: read_data = {word};\n", number(*offset)))
        .collect();
    body.raw(format!(
        "
always @(*)
  case (read_number)
{cases}    default: read_data = 32'd0;
  endcase
"
    ));
}
