// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core's face: control and data streams in, answers out.

use super::axis_register::{AxisRegister, KINDS};
use super::game_controller::{Operation, Over};
use crate::circuits::search::words::{COUNTER_BITS, command_ports, status_ports};
use crate::kit::{Body, Circuit, constant, sign_extend, state_bits, states, zero_extend};
use crate::layout::Layout;
use crate::stream::{Command, IDENTITY, Status, selector, version_word};
use std::fmt::Write;

/// Its states.
pub const STATES: [&str; 8] = ["IDLE", "ARGUMENTS", "LOCATE", "QUERY", "CHECK", "RUN", "ANSWER", "LOOK_UP"];
/// Bits of its `state`.
pub const STATE_BITS: usize = state_bits(STATES.len());

/// Turns the words of the stream protocol into operations of the search core, checks every argument first, and answers.
///
/// Ports: `aclk`, `aresetn`; the three AXI4-Streams; the operation ports and counters of `search_core`; `levels`, `limit` out.
/// A command is taken when its words are complete; `Reset` and `Abort` act whatever is under way. An answer is two
/// beats, held until taken. Reset empties it, sets `levels` to the built number and takes the `limit` away.
pub fn command_face(layout: &Layout) -> Circuit {
    let config = &layout.config;
    let mut circuit = Circuit::new(
        "command_face",
        "Stream protocol: checks commands, runs them on the search core, answers with two beats.\n\
         One command at a time; reset empties it and sets levels to the built number.",
    );
    circuit.clocked(true);
    circuit.inputs(&[
        ("s_axis_control_tdata", 32),
        ("s_axis_control_tvalid", 1),
        ("s_axis_data_tdata", 32),
        ("s_axis_data_tvalid", 1),
        ("m_axis_data_tready", 1),
    ]);
    circuit.inputs(&status_ports(layout));
    circuit.outputs(&[
        ("s_axis_control_tready", 1),
        ("s_axis_data_tready", 1),
        ("m_axis_data_tdata", 32),
        ("m_axis_data_tvalid", 1),
        ("m_axis_data_tlast", 1),
    ]);
    circuit.outputs(&command_ports(layout));
    for name in ["control", "data"] {
        circuit.block_child(name, "axis_register", AxisRegister::default(), &KINDS);
    }

    let mut body = Body::new();
    for name in ["control", "data"] {
        body.drive(&format!("{name}$aclk"), "aclk");
        body.drive(&format!("{name}$aresetn"), "aresetn");
        body.drive(&format!("{name}$s_tdata"), format!("s_axis_{name}_tdata"));
        body.drive(&format!("{name}$s_tvalid"), format!("s_axis_{name}_tvalid"));
        body.drive(&format!("s_axis_{name}_tready"), format!("{name}$s_tready"));
    }
    body.drive("control$flush", "1'b0");
    body.drive("data$flush", "resetting");
    let command = |command: Command| format!("32'd{}", command as u8);
    let status = |status: Status| format!("8'd{}", status as u8);
    let takes = |arguments: usize| -> String {
        let commands: Vec<String> = Command::ALL
            .iter()
            .filter(|(c, _)| c.arguments() == arguments)
            .map(|&(c, _)| format!("(control$m_tdata == {})", command(c)))
            .collect();
        commands.join(" | ")
    };
    let (columns, rows, cell_bits) = (config.columns, config.rows, layout.cell_bits);
    body.raw(format!(
        "
{states}
reg [{state_high}:0] state;
reg [31:0] opcode, x, y;
reg second_wanted, got_first, abort_wanted, placing, on_board, engine_first;
// The answer being made, and the one being sent.
reg [31:0] answer_0, answer_1, send_1;
reg sending_last;
wire is_reset = control$m_tvalid & (control$m_tdata == {reset});
wire is_abort = control$m_tvalid & (control$m_tdata == {abort});
wire resetting = is_reset;
wire takes_none = {takes_none};
wire takes_one = {takes_one};
wire takes_two = {takes_two};
// A word is taken while no command is under way; reset always, abort also while one runs.
wire take_command = (state == IDLE) & control$m_tvalid;
always @(*) control$m_tready = is_reset | take_command | (is_abort & (state == RUN));
always @(*) data$m_tready = (state == ARGUMENTS);
wire data_taken = data$m_tready & data$m_tvalid;
// The core is far away: it hears of a reset a clock later, of an abort from a register.
always @(posedge aclk) clear <= aresetn & resetting;
always @(*) abort_search = abort_wanted;

wire [{cell_high}:0] x_cell = x[{cell_high}:0];
// Where the arguments point to, a clock after they are complete; who stands there, two clocks after.
always @(posedge aclk) begin
  on_board <= (x < 32'd{columns}) & (y < 32'd{rows});
  engine_first <= (opcode == {play}) & (x == 32'd{columns}) & (y == 32'd{rows});
end
",
        states = states(&STATES),
        state_high = STATE_BITS - 1,
        reset = command(Command::Reset),
        abort = command(Command::Abort),
        play = command(Command::Play),
        takes_none = takes(0),
        takes_one = takes(1),
        takes_two = takes(2),
        cell_high = cell_bits - 1,
    ));
    // y * columns + x as shifts and adds of the constant's bits.
    let row_start: Vec<String> = (0..usize::BITS as usize)
        .filter(|bit| columns >> bit & 1 == 1)
        .map(|bit| {
            if bit == 0 {
                format!("y[{}:0]", cell_bits - 1)
            } else {
                format!("(y[{}:0] << {bit})", cell_bits - 1)
            }
        })
        .collect();
    body.drive_register("query_cell", format!("x_cell + {}", row_start.join(" + ")));

    // Column and row of a cell: a table printed from the model's geometry.
    let mut table = String::new();
    for cell in 0..layout.cells as u16 {
        let point = layout.geometry.point(cell);
        let _ =
            writeln!(table, "    {cell_bits}'d{cell}: place_of_cell = {{8'd{}, 8'd{}}};", point.y, point.x);
    }
    body.raw(format!(
        "
// {{row, column}} of a cell.
function [15:0] place_of_cell;
  input [{cell_high}:0] index;
  case (index)
{table}    default: place_of_cell = 16'd0;
  endcase
endfunction
wire [{cell_high}:0] shown_cell = (opcode == {take_back}) ? operation_cell : decided_cell;
wire [15:0] shown = place_of_cell(shown_cell);
wire [7:0] engine_status = (over == 2'd{line}) ? {engine_wins} : (over == 2'd{full}) ? {engine_draws} : {move_status};
wire [7:0] mover_status = (over == 2'd{line}) ? {mover_wins} : {mover_draws};
",
        cell_high = cell_bits - 1,
        take_back = command(Command::TakeBack),
        line = Over::Line as u8,
        full = Over::Full as u8,
        engine_wins = status(Status::EngineWins),
        engine_draws = status(Status::EngineDraws),
        move_status = status(Status::Move),
        mover_wins = status(Status::MoverWins),
        mover_draws = status(Status::MoverDraws),
    ));

    look_up(&mut body, layout);
    let answer =
        |word: &str, status: &str, low: &str| format!("answer_{word} <= {{16'd0, {status}, {low}}};");
    let fail = |code: Status| {
        let (a, b) = (answer("0", &status(code), "8'd0"), answer("1", &status(code), "8'd0"));
        format!("begin {a} {b} state <= ANSWER; end")
    };
    let say = |code: &str, low: &str, high: &str| {
        format!("{} {} state <= ANSWER;", answer("0", code, low), answer("1", code, high))
    };
    let run = |code: Operation, cell: &str| {
        format!(
            "operation_code <= 2'd{}; operation_cell <= {cell}; operation <= 1'b1; state <= RUN;",
            code as u8
        )
    };
    let game_over = fail(Status::GameOver);
    body.raw(format!(
        "
always @(posedge aclk)
  if (!aresetn) begin
    state <= IDLE;
    operation <= 1'b0;
    abort_wanted <= 1'b0;
    levels <= {built};
    limit <= 32'd0;
  end else if (resetting) begin
    state <= IDLE;
    operation <= 1'b0;
    abort_wanted <= 1'b0;
  end else
    case (state)
      IDLE: if (take_command) begin
        opcode <= control$m_tdata;
        got_first <= 1'b0;
        second_wanted <= takes_two;
        if (takes_one | takes_two) state <= ARGUMENTS;
        else if (takes_none) state <= is_abort ? IDLE : LOCATE;
        else {unknown}
      end
      // Waiting arguments first; a control word without them means that they will not be completed.
      ARGUMENTS: if (data_taken) begin
        if (got_first) y <= data$m_tdata; else x <= data$m_tdata;
        got_first <= 1'b1;
        if (got_first | ~second_wanted) state <= LOCATE;
      end else if (control$m_tvalid) {interrupted}
      LOCATE: state <= QUERY;
      QUERY: state <= CHECK;
      CHECK: case (opcode)
        {play}, {place}: begin
          placing <= ~engine_first;
          if (over != 2'd0) {game_over}
          else if (engine_first) begin {run_search} end
          else if (~on_board) {outside}
          else if (query_occupied) {occupied}
          else begin {run_place} end
        end
        {search}: begin
          placing <= 1'b0;
          if (over != 2'd0) {game_over} else begin {run_search} end
        end
        {set_levels}: if ((x == 32'd0) | (x > 32'd{levels_built})) {bad_argument}
        else begin
          levels <= x[{level_high}:0];
          {say_levels}
        end
        {set_limit}: begin
          limit <= x;
          {say_limit}
        end
        {take_back}: if (stones == {no_stones}) {no_move} else begin {run_take_back} end
        default: state <= LOOK_UP;
      endcase
      RUN: begin
        if (operation & idle) operation <= 1'b0;
        if (is_abort) abort_wanted <= 1'b1;
        if (operation_aborted) begin
          abort_wanted <= 1'b0;
          operation <= 1'b0;
          {say_aborted}
        end else if (operation_done) begin
          if (opcode == {take_back}) begin abort_wanted <= 1'b0; {say_taken_back} end
          else if (~placing) begin abort_wanted <= 1'b0; {say_move} end
          else if (over != 2'd0) begin abort_wanted <= 1'b0; {say_ended} end
          else if (opcode == {place}) begin abort_wanted <= 1'b0; {say_placed} end
          else begin
            placing <= 1'b0;
            {run_search}
          end
        end
      end
      ANSWER: if (~m_axis_data_tvalid) state <= IDLE;
      LOOK_UP: if (read_known) begin answer_0 <= read_0; answer_1 <= read_1; state <= ANSWER; end else {bad_argument}
      default: state <= IDLE;
    endcase
",
        built = constant(layout.level_bits, config.levels),
        unknown = fail(Status::UnknownCommand),
        interrupted = fail(Status::Interrupted),
        play = command(Command::Play),
        place = command(Command::Place),
        search = command(Command::Search),
        set_levels = command(Command::Levels),
        set_limit = command(Command::Limit),
        say_limit = say(&status(Status::Done), "8'd0", "8'd0"),
        take_back = command(Command::TakeBack),
        outside = fail(Status::Outside),
        occupied = fail(Status::Occupied),
        bad_argument = fail(Status::BadArgument),
        no_move = fail(Status::NoMove),
        run_search = run(Operation::Search, "operation_cell"),
        run_place = run(Operation::Place, "query_cell"),
        run_take_back = run(Operation::TakeBack, "last_cell"),
        levels_built = config.levels,
        level_high = layout.level_bits - 1,
        no_stones = constant(layout.count_bits, 0),
        say_levels = say(&status(Status::Done), "x[7:0]", &format!("8'd{}", config.levels)),
        say_aborted = say(&status(Status::Aborted), "8'd0", "8'd0"),
        say_taken_back = say(&status(Status::Done), "shown[7:0]", "shown[15:8]"),
        say_move = say("engine_status", "shown[7:0]", "shown[15:8]"),
        say_ended = say("mover_status", "x[7:0]", "y[7:0]"),
        say_placed = say(&status(Status::Done), "x[7:0]", "y[7:0]"),
    ));
    body.raw(
        "
// Sender: a presented beat stays until it is taken, whatever else happens.
always @(posedge aclk)
  if (!aresetn) begin
    m_axis_data_tvalid <= 1'b0;
    m_axis_data_tlast <= 1'b0;
    sending_last <= 1'b0;
  end else if (m_axis_data_tvalid) begin
    if (m_axis_data_tready) begin
      m_axis_data_tdata <= send_1;
      m_axis_data_tvalid <= ~sending_last;
      m_axis_data_tlast <= ~sending_last;
      sending_last <= 1'b1;
    end
  end else if ((state == ANSWER) & ~resetting) begin
    m_axis_data_tdata <= answer_0;
    send_1 <= answer_1;
    m_axis_data_tvalid <= 1'b1;
    m_axis_data_tlast <= 1'b0;
    sending_last <= 1'b0;
  end
",
    );
    circuit.set_body(body.finish());
    circuit
}

/// The words behind the read command's selectors.
fn look_up(body: &mut Body, layout: &Layout) {
    let config = &layout.config;
    let mut words: Vec<(usize, String, String)> = vec![
        (selector::IDENTITY, format!("32'd{IDENTITY}"), format!("32'd{}", version_word())),
        (
            selector::CONFIGURATION,
            format!(
                "{{8'd{}, 8'd{}, 8'd{}, 8'd{}}}",
                config.levels, config.in_a_row, config.rows, config.columns
            ),
            format!(
                "{{7'd0, 1'b{}, 8'd{}, 8'd{}, {}'d0, levels}}",
                u8::from(config.trace),
                config.extensions,
                config.contexts,
                8 - layout.level_bits
            ),
        ),
        (
            selector::GAME,
            sign_extend("score", layout.value_bits, 32),
            format!("{{14'd0, over, {}}}", zero_extend("stones", layout.count_bits, 16)),
        ),
        (selector::CYCLES, "cycles[31:0]".into(), "cycles[63:32]".into()),
        (selector::PASSES, "passes".into(), "stale".into()),
        (selector::ORDERS, "orders".into(), "waits_order".into()),
        (selector::WAITS, "waits_first".into(), "waits_context".into()),
        (selector::MISSES, "misses".into(), "32'd0".into()),
        (selector::LIMIT, "limit".into(), zero_extend("decided_levels", layout.level_bits, 32)),
    ];
    for ply in 1..=layout.max_path {
        let slice = format!("nodes[{}:{}]", ply * COUNTER_BITS - 1, (ply - 1) * COUNTER_BITS);
        words.push((selector::NODES + ply, slice, "32'd0".into()));
    }
    for row in 0..config.rows {
        let (low, high) = (row * config.columns, (row + 1) * config.columns - 1);
        let word = |side: &str| format!("{{{}'d0, {side}[{high}:{low}]}}", 32 - config.columns);
        words.push((selector::ROWS + row, word("first"), word("second")));
    }
    let cases: String = words
        .iter()
        .map(|(selector, low, high)| {
            format!("    32'd{selector}: begin read_0 = {low}; read_1 = {high}; end\n")
        })
        .collect();
    body.raw(format!(
        "
// Information by selector.
reg [31:0] read_0, read_1;
reg read_known;
always @(*) begin
  read_known = 1'b1;
  case (x)
{cases}    default: begin read_0 = 32'd0; read_1 = 32'd0; read_known = 1'b0; end
  endcase
end
"
    ));
}
