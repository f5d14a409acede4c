
  // A selector's two words.
  task ask;
    input integer selected;
    begin
      put_control(32'd@READ@);
      put_data(selected);
      take(first, 1'b0);
      take(second, 1'b1);
    end
  endtask

  // Clocks since the command before was sent, as long as its answer does not wait.
  integer underway;
  always @(negedge @CLOCK@) #3 if (!@INTERRUPT@) underway = underway + 1;

  // What the counters of the last search say of each other and of the clocks that went by here: `known` are those with a pass or a
  // cause, `others` the passes that are no node's.
  integer took, counted, known, others, stale, orders, ply;
  task counters;
    begin
      took = underway;
      ask(@CYCLES_SELECTOR@);
      counted = first;
      searched = searched + counted;
      expect_that(second === 32'd0 && counted <= took && took <= counted + @UNSEARCHED@, "CYCLES are the clocks that the search took");
      ask(@PASSES_SELECTOR@);
      others = first;
      stale = second;
      known = first * @SLICES@;
      ask(@ORDERS_SELECTOR@);
      orders = first;
      known = known + second;
      ask(@WAITS_SELECTOR@);
      known = known + first + second;
      ask(@MISSES_SELECTOR@);
      known = known + first;
      // The last pass may go on when the search has its decision.
      expect_that(known < counted + @SLICES@, "passes and waits are of CYCLES");
      for (ply = 1; ply <= @PLIES@; ply = ply + 1) begin
        ask(@NODES_SELECTOR@ + ply);
        others = others - first;
      end
      // One for order may be stale too.
      expect_that(orders <= others && stale <= others && others <= orders + stale, "every pass is a node's, for order, or stale");
    end
  endtask
