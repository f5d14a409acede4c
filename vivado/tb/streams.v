
@PUT@  task take;
    output [31:0] word;
    input last;
    begin
      waited = 0;
      @(negedge aclk);
      `until(m_axis_data_tvalid)
      word = m_axis_data_tdata;
      // It waits as long as it has to.
      pause;
      #1;
      expect_that(m_axis_data_tvalid && m_axis_data_tdata === word, "an answer word stays until it is taken");
      expect_that(m_axis_data_tlast === last, "tlast is on the last word alone");
      m_axis_data_tready = 1'b1;
      @(negedge aclk);
      m_axis_data_tready = 1'b0;
    end
  endtask

  always @(negedge aclk) #2 expect_that(interrupt === m_axis_data_tvalid, "interrupt is high while an answer word waits");

  task prepare;
    begin
    end
  endtask
