  // What the register map promises of its registers.
  reg past = 1'b0;
  reg [31:0] kept;
  reg enabled;
  reg [2:0] wrong;
  wire at_control = write & (write_number == 10'd@CONTROL@) & write_lanes[0];
  wire at_data = write & (write_number == 10'd@DATA_IN@) & write_lanes[0];
  wire takes = read & read_lane_0 & (read_number == 10'd@DATA_OUT@);
  wire [2:0] cleared = (write & (write_number == 10'd@ERRORS@) & write_lanes[0]) ? write_data[2:0] : 3'd0;
  integer lane;
  always @(posedge aclk) begin
    past <= 1'b1;
    if (!aresetn) begin
      kept <= 32'd0;
      enabled <= 1'b0;
      wrong <= 3'd0;
    end else begin
      for (lane = 0; lane < 4; lane = lane + 1)
        if (write & (write_number == 10'd@SCRATCH@) & write_lanes[lane]) kept[8 * lane +: 8] <= write_data[8 * lane +: 8];
      if (write & (write_number == 10'd@INTERRUPT_ENABLE@) & write_lanes[0]) enabled <= write_data[0];
      // A bit that is cleared in the clock in which it is set anew stays set.
      wrong <= (wrong & ~cleared) | {takes & ~m_axis_data_tvalid, at_data & ~s_axis_data_tready, at_control & ~s_axis_control_tready};
    end
  end
  always @(*) assume (past | ~aresetn);
  always @(*) if (past) begin
    assert (scratch == kept && errors == wrong && interrupt_enable == enabled);
    // A word is pushed where there is room, whole in the lanes that are written, and there alone.
    assert (s_axis_control_tvalid == (at_control & s_axis_control_tready));
    assert (s_axis_data_tvalid == (at_data & s_axis_data_tready));
    for (lane = 0; lane < 4; lane = lane + 1)
      assert (s_axis_control_tdata[8 * lane +: 8] == (write_lanes[lane] ? write_data[8 * lane +: 8] : 8'd0));
    // An answer's word is taken by a read of its lowest byte.
    assert (m_axis_data_tready == takes);
    assert (interrupt == (enabled & answer_waits));
    case (read_number)
      10'd@SCRATCH@: assert (read_data == kept);
      10'd@DATA_OUT@: assert (read_data == (m_axis_data_tvalid ? m_axis_data_tdata : 32'hffffffff));
      10'd@ERRORS@: assert (read_data == {29'd0, wrong});
      10'd@INTERRUPT_ENABLE@: assert (read_data == {31'd0, enabled});
      10'd@INTERRUPT_STATUS@: assert (read_data == {31'd0, interrupt});
    endcase
  end
