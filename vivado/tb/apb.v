
  task access;
    input [31:0] address;
    input write_it;
    input [31:0] word;
    begin
      pause;
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
      pwdata = ~pwdata;
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
