  task put_@NAME@;
    input [31:0] word;
    begin
      waited = 0;
      pause;
      @(negedge aclk);
      s_axis_@NAME@_tdata = word;
      s_axis_@NAME@_tvalid = 1'b1;
      `until(s_axis_@NAME@_tready)
      @(negedge aclk);
      s_axis_@NAME@_tvalid = 1'b0;
      s_axis_@NAME@_tdata = ~word;
    end
  endtask

