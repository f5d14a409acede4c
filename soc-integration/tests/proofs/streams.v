  // Two beats an answer, the second with tlast; a beat stays until it is taken.
  reg past = 1'b0;
  reg valid_was, ready_was, last_was, reset_was, second_beat;
  reg [31:0] data_was;
  always @(posedge aclk) begin
    past <= 1'b1;
    reset_was <= aresetn;
    {valid_was, ready_was, last_was} <= {m_axis_data_tvalid, m_axis_data_tready, m_axis_data_tlast};
    data_was <= m_axis_data_tdata;
    if (!aresetn) second_beat <= 1'b0;
    else if (m_axis_data_tvalid & m_axis_data_tready) second_beat <= ~second_beat;
  end
  always @(*) assume (past | ~aresetn);
  always @(*) if (past) begin
    if (reset_was & valid_was & ~ready_was)
      assert (m_axis_data_tvalid && m_axis_data_tdata == data_was && m_axis_data_tlast == last_was);
    if (m_axis_data_tvalid) assert (m_axis_data_tlast == second_beat && sending_last == second_beat);
    // Between its beats an answer does not pause.
    else assert (!second_beat);
    if (!reset_was) assert (!m_axis_data_tvalid);
  end
