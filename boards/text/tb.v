// A game at the pins of @TOP@, by the original protocol: eight bytes a move, two decimal lines back. SPDX-License-Identifier: MIT OR Apache-2.0
`timescale 1ns / 1ps
module tb;
  localparam MOVES = @MOVES@;
  localparam real HALF = 500_000_000.0 / @CLOCK_HZ@;
  localparam real BIT = 1_000_000_000.0 / @BAUD@ * @CORE_RATIO@;
  localparam PATIENCE = @PATIENCE@;
  reg clk = 1'b0;
  reg rx = 1'b1;
  wire tx;
  always #(HALF) clk = ~clk;
  @TOP@ dut (.clk(clk), .rx(rx), .tx(tx)@REST@);

  // What is sent, and the two numbers that must come back: {x, y, second word, first word}.
  reg [63:0] game [0:MOVES - 1];
  integer move, index, told, wrong;
  reg [63:0] bytes;

  task send(input [7:0] data);
    integer n;
    begin
      rx = 1'b0;
      #(BIT);
      for (n = 0; n < 8; n = n + 1) begin
        rx = data[n];
        #(BIT);
      end
      rx = 1'b1;
      #(BIT);
    end
  endtask

  // Lines as they come.
  reg [7:0] shift;
  integer number = 0, lines = 0, n;
  integer last [0:1];
  always @(negedge tx) begin
    #(BIT * 1.5);
    for (n = 0; n < 8; n = n + 1) begin
      shift[n] = tx;
      #(BIT);
    end
    if (shift == 8'h0a) begin
      last[0] = last[1];
      last[1] = number;
      number = 0;
      lines = lines + 1;
    end else number = number * 10 + shift - 8'h30;
  end

  integer waited;
  initial begin
@GAME@
    wrong = 0;
    repeat (400) @(posedge clk);
    // A new game, which nothing answers.
    for (index = 0; index < 8; index = index + 1) send(index % 4 == 0 ? 8'd99 : 8'd0);
    for (move = 0; move < MOVES; move = move + 1) begin
      told = lines;
      for (index = 0; index < 8; index = index + 1)
        send(index == 0 ? game[move][63:56] : index == 4 ? game[move][55:48] : 8'd0);
      waited = 0;
      while (lines < told + 2 && waited < PATIENCE) begin
        @(posedge clk);
        waited = waited + 1;
      end
      if (lines != told + 2 || last[1] != game[move][15:0] || last[0] != game[move][31:16]) begin
        $display("move %0d: %0d, %0d are answered %0d, %0d where %0d, %0d are due", move, game[move][63:56], game[move][55:48],
          last[1], last[0], game[move][15:0], game[move][31:16]);
        wrong = wrong + 1;
      end
    end
    if (wrong == 0) begin
      $display("PASS: %0d answers compared", MOVES);
      $finish;
    end else begin
      $display("FAIL: %0d of %0d answers differ", wrong, MOVES);
      $stop; // An error in Verilator; other simulators stop at their prompt.
    end
  end
endmodule
