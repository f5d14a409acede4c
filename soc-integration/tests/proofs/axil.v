  // Properties.
  reg past = 1'b0;
  reg bvalid_was, bready_was, rvalid_was, rready_was, reset_was;
  reg [31:0] rdata_was;
  reg write_owed, read_owed;
  reg [1:0] write_waits;
  wire write_taken = s_axil_awvalid & s_axil_awready & s_axil_wvalid & s_axil_wready;
  wire read_taken = s_axil_arvalid & s_axil_arready;
  always @(posedge aclk) begin
    past <= 1'b1;
    reset_was <= aresetn;
    {bvalid_was, bready_was, rvalid_was, rready_was} <= {s_axil_bvalid, s_axil_bready, s_axil_rvalid, s_axil_rready};
    rdata_was <= s_axil_rdata;
    if (!aresetn) begin
      write_owed <= 1'b0;
      read_owed <= 1'b0;
      write_waits <= 2'd0;
    end else begin
      write_owed <= write_taken | (write_owed & ~(s_axil_bvalid & s_axil_bready));
      read_owed <= read_taken | (read_owed & ~(s_axil_rvalid & s_axil_rready));
      write_waits <= (s_axil_awvalid & s_axil_wvalid & ~write_taken & ~s_axil_bvalid) ? write_waits + 2'd1 : 2'd0;
    end
  end
  // What a master promises: what is valid stays so until it is taken.
  reg awvalid_was, wvalid_was, arvalid_was, aw_taken, w_taken, ar_taken;
  always @(posedge aclk) begin
    {awvalid_was, wvalid_was, arvalid_was} <= {s_axil_awvalid, s_axil_wvalid, s_axil_arvalid};
    {aw_taken, w_taken, ar_taken} <= {s_axil_awready, s_axil_wready, s_axil_arready};
  end
  always @(*) begin
    assume (past | ~aresetn);
    if (past & reset_was) begin
      assume (!(awvalid_was & ~aw_taken) | s_axil_awvalid);
      assume (!(wvalid_was & ~w_taken) | s_axil_wvalid);
      assume (!(arvalid_was & ~ar_taken) | s_axil_arvalid);
    end
  end
  always @(*) if (past & reset_was) begin
    assert (!(bvalid_was & ~bready_was) | s_axil_bvalid);
    assert (!(rvalid_was & ~rready_was) | (s_axil_rvalid & (s_axil_rdata == rdata_was)));
    assert (s_axil_bvalid == write_owed);
    assert (s_axil_rvalid == read_owed);
    assert (s_axil_bresp == 2'd0 && s_axil_rresp == 2'd0);
    assert (s_axil_awready == s_axil_wready);
    // An access is carried out where it is taken, and there alone.
    assert (core_write == write_taken);
    assert (core_read == read_taken);
    // No answer is owed twice, and nobody waits for ever.
    assert (!(write_taken & write_owed & ~s_axil_bready));
    assert (write_waits < 2'd2);
  end
