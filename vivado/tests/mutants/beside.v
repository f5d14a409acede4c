// Two cores side by side on the same random words, one of them with a mutant: whether they ever differ. SPDX-License-Identifier: MIT OR Apache-2.0
//   +mutant=N    +clocks=N
`timescale 1ns / 1ps
module beside;
  reg aclk = 1'b0, aresetn = 1'b0;
  always #5 aclk = ~aclk;
  reg [15:0] mutant = 0;
  integer clocks = 100000;
  integer clock = 0;
  integer seed = 1;

  reg [31:0] control = 0, data = 0;
  reg control_valid = 0, data_valid = 0, ready = 0;
  wire [1:0] control_ready, data_ready, valid, last, interrupt;
  wire [31:0] answer_0, answer_1;

  mutants_engine sound (
    .aclk(aclk), .aresetn(aresetn), .mutant(16'd0),
    .s_axis_control_tdata(control), .s_axis_control_tvalid(control_valid), .s_axis_control_tready(control_ready[0]),
    .s_axis_data_tdata(data), .s_axis_data_tvalid(data_valid), .s_axis_data_tready(data_ready[0]),
    .m_axis_data_tdata(answer_0), .m_axis_data_tvalid(valid[0]), .m_axis_data_tready(ready), .m_axis_data_tlast(last[0]),
    .interrupt(interrupt[0])
  );
  mutants_engine mutated (
    .aclk(aclk), .aresetn(aresetn), .mutant(mutant),
    .s_axis_control_tdata(control), .s_axis_control_tvalid(control_valid), .s_axis_control_tready(control_ready[1]),
    .s_axis_data_tdata(data), .s_axis_data_tvalid(data_valid), .s_axis_data_tready(data_ready[1]),
    .m_axis_data_tdata(answer_1), .m_axis_data_tvalid(valid[1]), .m_axis_data_tready(ready), .m_axis_data_tlast(last[1]),
    .interrupt(interrupt[1])
  );

  // Mostly moves and searches, for whose answer is waited; now and then any word, and a reset.
  integer kind;
  reg waits = 0;
  task next_control;
    begin
      kind = $urandom_range(0, 99);
      control = kind < 35 ? 1 : kind < 60 ? 2 : kind < 72 ? 3 : kind < 80 ? 4 : kind < 86 ? 5 : kind < 92 ? 6 : kind < 94 ? 7 :
                kind < 96 ? 8 : kind < 98 ? 0 : kind < 99 ? 1 << $urandom_range(0, 31) : $urandom;
      waits = kind < 72;
    end
  endtask
  task next_data;
    begin
      kind = $urandom_range(0, 99);
      data = kind < 90 ? $urandom_range(0, 5) : kind < 96 ? $urandom_range(0, 80) : kind < 98 ? 1 << $urandom_range(0, 31) : $urandom;
    end
  endtask

  initial begin
    if (!$value$plusargs("mutant=%d", mutant)) mutant = 0;
    if (!$value$plusargs("clocks=%d", clocks)) clocks = 100000;
    next_control;
    next_data;
  end

  // Looked at as it stands at the rising edge, driven at the falling one.
  reg control_taken = 0, data_taken = 0, answered = 0;
  always @(negedge aclk) begin
    clock = clock + 1;
    aresetn = clock > 4 && clock % 100000 > 2;
    if (control_taken) begin
      next_control;
      control_valid = 0;
    end
    if (data_taken) begin
      next_data;
      data_valid = 0;
    end
    if (answered) waits = 0;
    control_valid = aresetn && (control_valid || !waits || $urandom_range(0, 399) == 0);
    data_valid = aresetn && (data_valid || $urandom_range(0, 3) != 0);
    ready = $urandom_range(0, 3) != 0;
    if (clock >= clocks) begin
      $display("same in %0d clocks", clock);
      $finish;
    end
  end
  always @(posedge aclk) begin
    control_taken <= control_valid && control_ready[0];
    data_taken <= data_valid && data_ready[0];
    answered <= valid[0] && ready && last[0];
    if (clock > 4 && (control_ready[0] !== control_ready[1] || data_ready[0] !== data_ready[1] || valid[0] !== valid[1]
        || interrupt[0] !== interrupt[1] || (valid[0] && (answer_0 !== answer_1 || last[0] !== last[1])))) begin
      $display("differ at clock %0d", clock);
      $finish;
    end
  end
endmodule
