module gold (
  input wire aclk,
  input wire aresetn,
  input wire write,
  input wire [9:0] write_number,
  input wire [3:0] write_lanes,
  input wire [31:0] write_data,
  input wire read,
  input wire [9:0] read_number,
  input wire read_lane_0,
  output reg [31:0] read_data,
  output wire interrupt,
  output wire [31:0] s_axis_control_tdata,
  output wire s_axis_control_tvalid,
  input wire s_axis_control_tready,
  output wire [31:0] s_axis_data_tdata,
  output wire s_axis_data_tvalid,
  input wire s_axis_data_tready,
  input wire [31:0] m_axis_data_tdata,
  input wire m_axis_data_tvalid,
  input wire m_axis_data_tlast,
  output wire m_axis_data_tready,
  input wire answer_waits,
  input wire idle,
  input wire [63:0] cycles,
  input wire [159:0] nodes,
  input wire [31:0] limit,
  input wire [1:0] decided_levels,
  input wire [31:0] passes,
  input wire [31:0] stale,
  input wire [31:0] orders,
  input wire [31:0] waits_order,
  input wire [31:0] waits_first,
  input wire [31:0] waits_context,
  input wire [31:0] misses
);
  // The registers of the register map, between a bus and the engine's streams.
  // One read and one write a clock, read data in the same clock; reset clears every register.
  wire [31:0] mask = {{8{write_lanes[3]}}, {8{write_lanes[2]}}, {8{write_lanes[1]}}, {8{write_lanes[0]}}};
  // Lanes that are not written are zero in a pushed word and stay in a register that keeps its value.
  wire [31:0] word = write_data & mask;
  wire push_control = write & (write_number == 10'd4) & write_lanes[0];
  wire error_0 = push_control & ~s_axis_control_tready;
  assign s_axis_control_tvalid = push_control & s_axis_control_tready;
  assign s_axis_control_tdata = word;
  wire push_data = write & (write_number == 10'd5) & write_lanes[0];
  wire error_1 = push_data & ~s_axis_data_tready;
  assign s_axis_data_tvalid = push_data & s_axis_data_tready;
  assign s_axis_data_tdata = word;
  reg [31:0] scratch;
  reg interrupt_enable;
  always @(posedge aclk)
    if (!aresetn) scratch <= 32'd0;
    else if (write & (write_number == 10'd3)) scratch <= (scratch & ~mask) | word;
  always @(posedge aclk)
    if (!aresetn) interrupt_enable <= 1'b0;
    else if (write & (write_number == 10'd9) & mask[0]) interrupt_enable <= write_data[0];
  assign interrupt = interrupt_enable & answer_waits;
  // An error that comes as its bit is cleared stays.
  wire take_answer = read & read_lane_0 & (read_number == 10'd6);
  wire error_2 = take_answer & ~m_axis_data_tvalid;
  assign m_axis_data_tready = take_answer;
  reg [2:0] errors;
  always @(posedge aclk)
    if (!aresetn) errors <= 3'd0;
    else errors <= (errors & ~((write & (write_number == 10'd8)) ? word[2:0] : 3'd0)) | {error_2, error_1, error_0};
  // The high word of the cycles, as it was when the low word was read.
  reg [31:0] cycles_high;
  always @(posedge aclk)
    if (!aresetn) cycles_high <= 32'd0;
    else if (read & (read_number == 10'd16)) cycles_high <= cycles[63:32];
  always @(*)
    case (read_number)
      10'd0: read_data = 32'd1413828167;
      10'd1: read_data = 32'd256;
      10'd2: read_data = 32'd50595335;
      10'd3: read_data = scratch;
      10'd6: read_data = m_axis_data_tvalid ? m_axis_data_tdata : 32'd4294967295;
      10'd7: read_data = {1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, (|errors), ~idle, s_axis_data_tready, s_axis_control_tready, (m_axis_data_tvalid & m_axis_data_tlast), m_axis_data_tvalid};
      10'd8: read_data = {29'd0, errors};
      10'd9: read_data = {1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, interrupt_enable};
      10'd10: read_data = {1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, 1'b0, interrupt};
      10'd16: read_data = cycles[31:0];
      10'd17: read_data = cycles_high;
      10'd25: read_data = limit;
      10'd26: read_data = {30'd0, decided_levels};
      10'd18: read_data = passes;
      10'd19: read_data = stale;
      10'd20: read_data = orders;
      10'd21: read_data = waits_order;
      10'd22: read_data = waits_first;
      10'd23: read_data = waits_context;
      10'd24: read_data = misses;
      10'd32: read_data = nodes[31:0];
      10'd33: read_data = nodes[63:32];
      10'd34: read_data = nodes[95:64];
      10'd35: read_data = nodes[127:96];
      10'd36: read_data = nodes[159:128];
      default: read_data = 32'd0;
    endcase
endmodule
