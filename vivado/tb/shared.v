
  reg [31:0] games [0:@RECORD_WORDS@ * RECORDS - 1];
  reg [8 * 256 - 1:0] file;
  integer index, compared, wrong, waited;
  integer cycles = 0;
  integer max_cycles;
  // Clocks of all searches whose counters were looked at, and what they must be, 0: whatever they are.
  integer searched = 0;
  integer search_clocks;
  // Whether another command is on its way.
  reg in_flight = 1'b0;
  reg [31:0] first, second;

  always @(posedge @CLOCK@) cycles = cycles + 1;

  task fail;
    begin
      $display("FAIL: %0d answers compared, %0d wrong", compared, wrong);
`ifdef __ICARUS__
      $finish_and_return(1);
`else
      $stop;
`endif
    end
  endtask

  // What must hold, else the run goes on and fails in the end.
  task expect_that;
    input holds;
    input [8 * 64 - 1:0] what;
    begin
      if (holds !== 1'b1) begin
        $display("record %0d, cycle %0d: not so: %0s", index, cycles, what);
        wrong = wrong + 1;
        if (wrong > 20) fail;
      end
    end
  endtask

  // A clock has passed in which nothing came.
  task wait_once;
    begin
      waited = waited + 1;
      if (max_cycles != 0 && cycles > max_cycles) begin
        if (wrong != 0) fail;
        else if (compared == 0) begin
          $display("stopped after %0d cycles, before the first answer: nothing was compared", cycles);
          fail;
        end else $display("PASS: stopped after %0d cycles, %0d answers compared", cycles, compared);
        $finish;
      end
      if (waited > PATIENCE) begin
        $display("record %0d: nothing came within %0d clocks", index, PATIENCE);
        wrong = wrong + 1;
        fail;
      end
    end
  endtask

  // 0 to 3 clocks in which nobody asks, the same in every run.
  reg [31:0] chance = 32'd1;
  task pause;
    begin
      chance = chance * 32'd1664525 + 32'd1013904223;
      repeat (chance[31:30]) @(negedge @CLOCK@);
    end
  endtask

  // Clocks pass until the condition holds shortly after a falling edge.
`define until(condition) \
      #1; \
      while (!(condition)) begin \
        @(negedge @CLOCK@); \
        wait_once; \
        #1; \
      end
