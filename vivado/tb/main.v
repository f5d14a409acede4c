
  reg [31:0] control, flags;
  task look_at;
    input integer which;
    begin
      control = games[@RECORD_WORDS@ * which];
      flags = games[@RECORD_WORDS@ * which + 1];
    end
  endtask

  // A command. The arguments of one that is sent early come before its control word: behind it they would be missed.
  task send;
    input integer which;
    integer count;
    begin
      look_at(which);
      underway = 0;
      if ((flags & @EARLY@) == 0) put_control(control);
      for (count = 0; count < (flags & 15); count = count + 1) put_data(games[@RECORD_WORDS@ * which + 2 + count]);
      if ((flags & @EARLY@) != 0) put_control(control);
      repeat (flags[31:16]) @(negedge @CLOCK@);
    end
  endtask

  integer aborted;
  // Its answer, if it has one.
  task answer;
    input integer which;
    reg [31:0] wanted_0, wanted_1;
    begin
      look_at(which);
      wanted_0 = games[@RECORD_WORDS@ * which + 4];
      wanted_1 = games[@RECORD_WORDS@ * which + 5];
      if ((flags & @ANSWERED@) != 0) begin
        take(first, 1'b0);
        take(second, 1'b1);
        compared = compared + 1;
        if ((flags & @EITHER@) != 0 && first === 32'h@ABORTED@ && second === 32'h@ABORTED@) aborted = aborted + 1;
        else begin
          if (first !== wanted_0 || second !== wanted_1) begin
            $display("record %0d, command %0d: answer %h %h, expected %h %h", which, control, first, second, wanted_0, wanted_1);
            wrong = wrong + 1;
          end
          if ((flags & @EITHER@) != 0) begin
            // The search was faster than the abort: its move is taken back.
            put_control(32'd@TAKE_BACK@);
            take(first, 1'b0);
            take(second, 1'b1);
            expect_that(first === (32'h@DONE@ | wanted_0[7:0]) && second === (32'h@DONE@ | wanted_1[7:0]), "the move is taken back");
          end
          if ((flags & @SEARCHED@) != 0 && !in_flight) counters;
        end
      end
    end
  endtask

  // Of an argument: what is no decimal number is unknown to Icarus Verilog and 0 to Verilator.
  task must_count;
    input [8 * 16 - 1:0] what;
    input integer clocks;
    begin
      if ((clocks > 0) !== 1'b1) begin
        $display("%0s is a number of clocks in decimal, at least 1", what);
        fail;
      end
    end
  endtask

  initial begin
    compared = 0;
    wrong = 0;
    waited = 0;
    index = 0;
    aborted = 0;
    if (!$value$plusargs("games=%s", file)) file = "games.hex";
    if (!$value$plusargs("max_cycles=%d", max_cycles)) max_cycles = 0;
    else must_count("max_cycles", max_cycles);
    if (!$value$plusargs("search_clocks=%d", search_clocks)) search_clocks = 0;
    else must_count("search_clocks", search_clocks);
    $readmemh(file, games);
    if (^games[0] === 1'bx) begin
      $display("no games: name their file with +games=FILE");
      fail;
    end
    repeat (8) @(negedge @CLOCK@);
    @RESET@ = 1'b1;
    repeat (8) @(negedge @CLOCK@);
    prepare;
    while (index < RECORDS) begin
      send(index);
      // The next command is on its way before this one has been answered.
      if (index + 1 < RECORDS && (games[@RECORD_WORDS@ * (index + 1) + 1] & @EARLY@) != 0) begin
        send(index + 1);
        in_flight = 1'b1;
        answer(index);
        in_flight = 1'b0;
        index = index + 1;
      end
      answer(index);
      index = index + 1;
    end
    if (compared != ANSWERS)
      $display("the games have %0d answers, not %0d: name their file with +games=FILE", compared, ANSWERS);
    // A reset by wire in the middle of a search leaves nothing of the game.
    put_control(32'd@SEARCH@);
    repeat (25) @(negedge @CLOCK@);
    @RESET@ = 1'b0;
    @FORGET@
    repeat (3) @(negedge @CLOCK@);
    @RESET@ = 1'b1;
    repeat (40) @(negedge @CLOCK@);
    ask(@GAME_SELECTOR@);
    expect_that(first === 32'd0 && second === 32'd0, "after a reset there is no game");
    if (search_clocks != 0 && search_clocks != searched) begin
      $display("the searches looked at took %0d clocks, not %0d", searched, search_clocks);
      fail;
    end
    if (wrong != 0 || compared != ANSWERS) fail;
    else begin
      $display("PASS: %0d answers compared in %0d cycles, %0d searches aborted; those looked at took %0d clocks", compared, cycles, aborted, searched);
      $finish;
    end
  end
endmodule
