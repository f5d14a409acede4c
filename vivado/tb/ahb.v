
  // Another slave's wait states hold the address phase now and then.
  task address_phase;
    input [31:0] address;
    input write_it;
    begin
      @(negedge hclk);
      haddr = address;
      hsel = 1'b1;
      htrans = 2'd2;
      hsize = 3'd2;
      hwrite = write_it;
      hready_in = 1'b0;
      pause;
      hready_in = 1'b1;
      @(negedge hclk);
      hsel = 1'b0;
      htrans = 2'd0;
      #1;
      expect_that(hready === 1'b1 && hresp === 2'd0, "no wait states, no error responses");
    end
  endtask

  task write;
    input [31:0] address, word;
    begin
      address_phase(address, 1'b1);
      hwdata = word;
      @(negedge hclk);
      hwdata = ~word;
    end
  endtask

  task read;
    input [31:0] address;
    output [31:0] word;
    begin
      address_phase(address, 1'b0);
      word = hrdata;
      @(negedge hclk);
    end
  endtask
