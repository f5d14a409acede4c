
  task write;
    input [31:0] address, word;
    reg address_taken, data_taken;
    begin
      // The address first, the data first, or both at once.
      pause;
      @(negedge aclk);
      s_axil_awaddr = address;
      s_axil_wdata = word;
      s_axil_wstrb = 4'hf;
      s_axil_awvalid = chance[29];
      s_axil_wvalid = ~chance[29] | chance[28];
      if (!s_axil_awvalid || !s_axil_wvalid) begin
        pause;
        #1;
        address_taken = s_axil_awvalid & s_axil_awready;
        data_taken = s_axil_wvalid & s_axil_wready;
        @(negedge aclk);
        // What is first waits for the other.
        s_axil_awvalid = ~address_taken;
        s_axil_wvalid = ~data_taken;
      end
      while (s_axil_awvalid || s_axil_wvalid) begin
        #1;
        address_taken = s_axil_awready;
        data_taken = s_axil_wready;
        @(negedge aclk);
        wait_once;
        if (address_taken) s_axil_awvalid = 1'b0;
        if (data_taken) s_axil_wvalid = 1'b0;
      end
      `until(s_axil_bvalid)
      pause;
      #1;
      expect_that(s_axil_bvalid === 1'b1 && s_axil_bresp === 2'd0, "a write's response waits, and is OKAY");
      s_axil_bready = 1'b1;
      @(negedge aclk);
      s_axil_bready = 1'b0;
      #1;
      expect_that(s_axil_bvalid === 1'b0, "one response a write");
    end
  endtask

  task read;
    input [31:0] address;
    output [31:0] word;
    begin
      pause;
      @(negedge aclk);
      s_axil_araddr = address;
      s_axil_arvalid = 1'b1;
      `until(s_axil_arready)
      @(negedge aclk);
      s_axil_arvalid = 1'b0;
      `until(s_axil_rvalid)
      word = s_axil_rdata;
      pause;
      #1;
      expect_that(s_axil_rvalid === 1'b1 && s_axil_rdata === word && s_axil_rresp === 2'd0,
                  "a read's response waits, and is OKAY");
      s_axil_rready = 1'b1;
      @(negedge aclk);
      s_axil_rready = 1'b0;
      #1;
      expect_that(s_axil_rvalid === 1'b0, "one response a read");
    end
  endtask
