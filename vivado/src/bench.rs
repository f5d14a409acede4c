// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packaged test bench: Verilog that plays the recorded games through the core's own face and compares each answer.
//! It runs in Icarus Verilog and in Verilator (`--timing`) and needs nothing but the package.

use crate::Face;
use crate::stimulus::{ANSWERED, Exchange, RECORD_WORDS};
use hdl::Emission;
use hdl::kit::Direction;
use soc_integration::register_map::{CONTROL, DATA_IN, DATA_OUT, STATUS};
use std::fmt::Write;

/// Name of the test bench's module.
pub const TOP: &str = "tb";
/// Clocks after which a search counts as hanging.
const PATIENCE: u32 = 2_000_000;

/// The test bench around `emission` for these commands.
pub fn text(face: Face, emission: &Emission, exchanges: &[Exchange]) -> String {
    let (clock, reset) = face.clock_and_reset();
    let mut text = format!(
        "// Plays recorded games through {top} and compares every answer. SPDX-License-Identifier: MIT OR Apache-2.0\n\
         //   +games=FILE       the games, else games.hex\n\
         //   +max_cycles=N     stop after N clocks, having compared what came until then\n\
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
    text.push_str(&shared(clock));
    text.push_str(&match face {
        Face::Axis => streams(clock),
        Face::Slot(soc_integration::Face::Ahb) => slot(AHB),
        Face::Slot(soc_integration::Face::Apb) => slot(APB),
        Face::Slot(soc_integration::Face::Axil) => slot(&axil()),
    });
    text.push_str(&main(clock, reset));
    text
}

/// Games, counters, and what to do when something is wrong. Signals are driven at the falling edge and looked at shortly
/// after it, as they will stand at the rising one.
fn shared(clock: &str) -> String {
    format!(
        "
  reg [31:0] games [0:{RECORD_WORDS} * RECORDS - 1];
  reg [8 * 256 - 1:0] file;
  integer index, count, compared, wrong, waited;
  integer cycles = 0;
  integer max_cycles;
  reg [31:0] first, second;

  always @(posedge {clock}) cycles = cycles + 1;

  task fail;
    begin
      $display(\"FAIL: %0d answers compared, %0d wrong\", compared, wrong);
`ifdef __ICARUS__
      $finish_and_return(1);
`else
      $stop;
`endif
    end
  endtask

  // A clock has passed in which nothing came.
  task wait_once;
    begin
      waited = waited + 1;
      if (max_cycles != 0 && cycles > max_cycles) begin
        $display(\"PASS: stopped after %0d cycles, %0d answers compared\", cycles, compared);
        $finish;
      end
      if (waited > PATIENCE) begin
        $display(\"record %0d: nothing came within %0d clocks\", index, PATIENCE);
        wrong = wrong + 1;
        fail;
      end
    end
  endtask
"
    )
}

/// Clocks pass until `condition` holds shortly after a falling edge.
fn until(clock: &str, condition: &str) -> String {
    format!(
        "      #1;
      while (!{condition}) begin
        @(negedge {clock});
        wait_once;
        #1;
      end"
    )
}

/// STATUS is read until it has one of the bits `mask`.
fn polled(mask: u32) -> String {
    format!(
        "      waited = 0;
      read(32'h{status:x}, status);
      while ((status & 32'h{mask:x}) == 0) begin
        wait_once;
        read(32'h{status:x}, status);
      end",
        status = STATUS.offset
    )
}

fn streams(clock: &str) -> String {
    let push = |name: &str, stream: &str| {
        format!(
            "
  task {name};
    input [31:0] word;
    begin
      waited = 0;
      @(negedge {clock});
      {stream}_tdata = word;
      {stream}_tvalid = 1'b1;
{taken}
      @(negedge {clock});
      {stream}_tvalid = 1'b0;
    end
  endtask
",
            taken = until(clock, &format!("{stream}_tready"))
        )
    };
    format!(
        "{}{}
  task take;
    output [31:0] word;
    begin
      waited = 0;
      @(negedge {clock});
      m_axis_data_tready = 1'b1;
{given}
      word = m_axis_data_tdata;
      @(negedge {clock});
      m_axis_data_tready = 1'b0;
    end
  endtask
",
        push("put_control", "s_axis_control"),
        push("put_data", "s_axis_data"),
        given = until(clock, "m_axis_data_tvalid")
    )
}

const AHB: &str = "
  task write;
    input [31:0] address, word;
    begin
      @(negedge hclk);
      haddr = address;
      hsel = 1'b1;
      htrans = 2'd2;
      hsize = 3'd2;
      hwrite = 1'b1;
      @(negedge hclk);
      hsel = 1'b0;
      htrans = 2'd0;
      hwdata = word;
      @(negedge hclk);
    end
  endtask

  task read;
    input [31:0] address;
    output [31:0] word;
    begin
      @(negedge hclk);
      haddr = address;
      hsel = 1'b1;
      htrans = 2'd2;
      hsize = 3'd2;
      hwrite = 1'b0;
      @(negedge hclk);
      hsel = 1'b0;
      htrans = 2'd0;
      #1;
      word = hrdata;
      @(negedge hclk);
    end
  endtask
";

const APB: &str = "
  task access;
    input [31:0] address;
    input write_it;
    input [31:0] word;
    begin
      @(negedge pclk);
      paddr = address;
      pwrite = write_it;
      pwdata = word;
      psel = 1'b1;
      penable = 1'b0;
      @(negedge pclk);
      penable = 1'b1;
      #1;
    end
  endtask

  task rest;
    begin
      @(negedge pclk);
      psel = 1'b0;
      penable = 1'b0;
    end
  endtask

  task write;
    input [31:0] address, word;
    begin
      access(address, 1'b1, word);
      rest;
    end
  endtask

  task read;
    input [31:0] address;
    output [31:0] word;
    begin
      access(address, 1'b0, 32'd0);
      word = prdata;
      rest;
    end
  endtask
";

fn axil() -> String {
    format!(
        "
  task write;
    input [31:0] address, word;
    reg address_taken, data_taken;
    begin
      @(negedge aclk);
      s_axil_awaddr = address;
      s_axil_awvalid = 1'b1;
      s_axil_wdata = word;
      s_axil_wstrb = 4'hf;
      s_axil_wvalid = 1'b1;
      s_axil_bready = 1'b1;
      while (s_axil_awvalid || s_axil_wvalid) begin
        #1;
        address_taken = s_axil_awready;
        data_taken = s_axil_wready;
        @(negedge aclk);
        wait_once;
        if (address_taken) s_axil_awvalid = 1'b0;
        if (data_taken) s_axil_wvalid = 1'b0;
      end
{bvalid}
      @(negedge aclk);
      s_axil_bready = 1'b0;
    end
  endtask

  task read;
    input [31:0] address;
    output [31:0] word;
    begin
      @(negedge aclk);
      s_axil_araddr = address;
      s_axil_arvalid = 1'b1;
      s_axil_rready = 1'b1;
{arready}
      @(negedge aclk);
      s_axil_arvalid = 1'b0;
{rvalid}
      word = s_axil_rdata;
      @(negedge aclk);
      s_axil_rready = 1'b0;
    end
  endtask
",
        bvalid = until("aclk", "s_axil_bvalid"),
        arready = until("aclk", "s_axil_arready"),
        rvalid = until("aclk", "s_axil_rvalid"),
    )
}

/// A slot's registers as streams: words go in when STATUS says that there is room, come out when it says that one waits.
fn slot(bus: &str) -> String {
    let push = |name: &str, register: u32, room: u32| {
        format!(
            "
  task {name};
    input [31:0] word;
    begin
{polled}
      write(32'h{register:x}, word);
    end
  endtask
",
            polled = polled(room)
        )
    };
    format!(
        "
  reg [31:0] status;
{bus}{}{}
  task take;
    output [31:0] word;
    begin
{polled}
      read(32'h{out:x}, word);
    end
  endtask
",
        push("put_control", CONTROL.offset, STATUS.mask("CONTROL_ROOM")),
        push("put_data", DATA_IN.offset, STATUS.mask("DATA_ROOM")),
        polled = polled(STATUS.mask("ANSWER")),
        out = DATA_OUT.offset,
    )
}

fn main(clock: &str, reset: &str) -> String {
    format!(
        "
  initial begin
    compared = 0;
    wrong = 0;
    waited = 0;
    index = 0;
    if (!$value$plusargs(\"games=%s\", file)) file = \"games.hex\";
    if (!$value$plusargs(\"max_cycles=%d\", max_cycles)) max_cycles = 0;
    $readmemh(file, games);
    if (^games[0] === 1'bx) begin
      $display(\"no games: name their file with +games=FILE\");
      fail;
    end
    repeat (8) @(negedge {clock});
    {reset} = 1'b1;
    repeat (8) @(negedge {clock});
    for (index = 0; index < RECORDS; index = index + 1) begin
      put_control(games[{RECORD_WORDS} * index]);
      for (count = 0; count < (games[{RECORD_WORDS} * index + 1] & 15); count = count + 1)
        put_data(games[{RECORD_WORDS} * index + 2 + count]);
      if ((games[{RECORD_WORDS} * index + 1] & {ANSWERED}) != 0) begin
        take(first);
        take(second);
        compared = compared + 1;
        if (first !== games[{RECORD_WORDS} * index + 4] || second !== games[{RECORD_WORDS} * index + 5]) begin
          $display(\"record %0d, command %0d: answer %h %h, expected %h %h\", index, games[{RECORD_WORDS} * index], first, second,
                   games[{RECORD_WORDS} * index + 4], games[{RECORD_WORDS} * index + 5]);
          wrong = wrong + 1;
        end
      end
    end
    if (compared != ANSWERS)
      $display(\"the games have %0d answers, not %0d: name their file with +games=FILE\", compared, ANSWERS);
    if (wrong != 0 || compared != ANSWERS) fail;
    else begin
      $display(\"PASS: %0d answers compared in %0d cycles\", compared, cycles);
      $finish;
    end
  end
endmodule
"
    )
}

/// A Makefile that runs it.
pub fn makefile(top: &str) -> String {
    format!(
        "# make icarus | make verilator; ARGS=+max_cycles=100000 ends a run early\n\
         ARGS ?=\n\
         icarus: {top}.vvp\n\
         \tvvp -N {top}.vvp $(ARGS)\n\
         {top}.vvp: tb_{top}.v ../rtl/{top}.v\n\
         \tiverilog -g2001 -s {TOP} -o $@ $^\n\
         verilator: obj_dir/V{TOP}\n\
         \tobj_dir/V{TOP} $(ARGS)\n\
         obj_dir/V{TOP}: tb_{top}.v ../rtl/{top}.v\n\
         \tverilator --binary --timing -O3 --output-split 20000 -j 2 -Wno-fatal -Wno-lint -Wno-style --top-module {TOP} --Mdir obj_dir $^\n\
         clean:\n\
         \trm -rf {top}.vvp obj_dir\n\
         .PHONY: icarus verilator clean\n"
    )
}
